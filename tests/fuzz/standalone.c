/* SPDX-License-Identifier: MIT */
/* Runs a driver without libFuzzer: every file of the corpus as it is, then with seeded mutations,
 * so that a plain test tries some thousand inputs. An input that kills the driver is left in the
 * file named on stderr. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>
#include "fuzz.h"

#define ENTRY_MAX  65536
#define CORPUS_MAX 512

struct entry {
	size_t size;
	uint8_t *data;
};

size_t fuzz_deep;

static struct entry corpus[CORPUS_MAX];
static size_t corpus_n;
static uint8_t input[2 * ENTRY_MAX];
static size_t input_size, head; /* head: bytes of the first line, which most mutations leave */
static uint64_t state;
static char crash_name[256];

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static size_t below(size_t n)
{
	return n ? (size_t)(next_random() % n) : 0;
}

/* A place of the input that may change; input_size when there is none. */
static size_t place(void)
{
	return head + below(input_size - head);
}

/* Only what a signal handler may call. */
static void on_crash(int number)
{
	int fd = open(crash_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd >= 0 && write(fd, input, input_size) == (ssize_t)input_size) {
		static const char text[] = "the input is in ";

		(void)!write(2, text, sizeof(text) - 1);
		(void)!write(2, crash_name, strlen(crash_name));
		(void)!write(2, "\n", 1);
	}
	signal(number, SIG_DFL);
	raise(number);
}

static int read_entry(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct entry *e = &corpus[corpus_n];

	if (!f)
		return -1;
	e->data = malloc(ENTRY_MAX);
	if (e->data) {
		e->size = fread(e->data, 1, ENTRY_MAX, f);
		corpus_n++;
	}
	fclose(f);
	return e->data ? 0 : -1;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_corpus(const char *folder)
{
	struct dirent **names = NULL;
	int n = scandir(folder, &names, NULL, by_name), failed = n < 0;
	char path[4096];

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, names[i]->d_name);
		if (names[i]->d_name[0] != '.' && corpus_n < CORPUS_MAX)
			failed |= read_entry(path) != 0;
		free(names[i]);
	}
	free(names);
	return failed ? -1 : 0;
}

static void cut(void)
{
	size_t from = place(),
	       n = 1 + below(input_size - from < 16 ? input_size - from : 16);

	if (from + n > input_size)
		n = input_size - from;
	memmove(input + from, input + from + n, input_size - from - n);
	input_size -= n;
}

static void insert(const uint8_t *bytes, size_t n)
{
	size_t at = head + below(input_size - head + 1);

	if (input_size + n > ENTRY_MAX)
		return;
	memmove(input + at + n, input + at, input_size - at);
	memcpy(input + at, bytes, n);
	input_size += n;
}

static void mutate_once(void)
{
	static const char *const tokens[] = { "\0", "\xff", "\"", "\\u0000", "\\ud800", "{", "[",
		"]", "}", ",", ":", "null", "-0", "1e999", "9007199254740993", "0.0000001", "../",
		"%00", "\r\n", "\n- ", "*a", "&a ", "'" };
	const struct entry *other = &corpus[below(corpus_n)];
	size_t which = below(sizeof(tokens) / sizeof(tokens[0])), from;
	uint8_t part[64];

	switch (below(input_size > head ? 6 : 1)) {
	case 0:
		insert((const uint8_t *)tokens[which], which ? strlen(tokens[which]) : 1);
		break;
	case 1:
		input[place()] ^= (uint8_t)(1u << below(8));
		break;
	case 2:
		input[place()] = (uint8_t)next_random();
		break;
	case 3:
		cut();
		break;
	case 4:
		from = place();
		which = 1 + below(input_size - from < 32 ? input_size - from : 32);
		which = which > input_size - from ? input_size - from : which;
		memcpy(part, input + from, which);
		insert(part, which);
		break;
	default:
		from = below(other->size);
		which = other->size - from < sizeof(part) ? other->size - from : sizeof(part);
		insert(other->data + from, which);
	}
}

static size_t first_line_end(size_t m)
{
	const uint8_t *end = input_size ? memchr(input, '\n', input_size) : NULL;

	return end && m % 4 ? (size_t)(end - input) + 1 : 0;
}

static void run_all(size_t mutations)
{
	for (size_t i = 0; i < corpus_n; i++)
		for (size_t m = 0; m <= mutations; m++) {
			input_size = corpus[i].size;
			memcpy(input, corpus[i].data, input_size);
			head = first_line_end(m);
			for (size_t k = m ? 1 + below(6) : 0; k > 0; k--)
				mutate_once();
			/* A copy of exactly this size, so that a read past its end is seen. */
			uint8_t *exact = malloc(input_size ? input_size : 1);

			if (!exact)
				abort();
			memcpy(exact, input, input_size);
			LLVMFuzzerTestOneInput(exact, input_size);
			free(exact);
		}
}

/* usage: DRIVER CORPUS [MUTATIONS [SEED]] */
int main(int argc, char **argv)
{
	static const int deadly[] = { SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM };
	const char *slash = strrchr(argv[0], '/');
	size_t mutations = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;

	if (argc < 2 || read_corpus(argv[1]) || !corpus_n) {
		fprintf(stderr, "usage: %s CORPUS [MUTATIONS [SEED]]\n", argv[0]);
		return 2;
	}
	if (getenv("SV_TEST_LONG") && *getenv("SV_TEST_LONG"))
		mutations *= 20;
	state = (argc > 3 ? strtoul(argv[3], NULL, 10) : 1) * UINT64_C(0x9e3779b97f4a7c15) + 1;
	snprintf(crash_name, sizeof(crash_name), "%s.crash", slash ? slash + 1 : argv[0]);
	for (size_t i = 0; i < sizeof(deadly) / sizeof(deadly[0]); i++)
		signal(deadly[i], on_crash);
	run_all(mutations);
	printf("%zu inputs, %zu of them deep\n", corpus_n * (mutations + 1), fuzz_deep);
	for (size_t i = 0; i < corpus_n; i++)
		free(corpus[i].data);
	return fuzz_deep ? 0 : 1;
}
