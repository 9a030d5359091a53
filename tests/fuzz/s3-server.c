/* SPDX-License-Identifier: MIT */
/* What a client may send to a storage: "WHAT\n" and bytes. WHAT is a reader of the S3 server. */
#include "fuzz.h"

#include "base/arena.h"
#include "local/s3/s3.h"
#include "starverse/common.h"

#define N_DEPTH 9

static int sink(struct s3_request *rq, const char *data, size_t len)
{
	return sv_buf_add(&rq->text, data, len);
}

/* The body in pieces of `step` bytes: whether it is taken, with what came out in rq->text. */
static int unwrap(struct s3_request *rq, const uint8_t *data, size_t size, size_t step)
{
	int bad;

	s3_request_init(rq, NULL);
	rq->path = "/";
	rq->headers[0] = (struct sv_sigv4_header){ "x-amz-trailer", "x-amz-checksum-crc32" };
	rq->headers[1] = (struct sv_sigv4_header){ "x-amz-decoded-content-length", "5" };
	rq->n_headers = 2;
	rq->body.wrap = S3_CHUNKED;
	rq->body.has_trailer = 1;
	bad = s3_body_init(rq);
	always(!bad);
	rq->body.sink = sink;
	for (size_t at = 0; !bad && at < size; at += step)
		bad = s3_body_add(rq, (const char *)data + at, size - at < step ? size - at : step);
	return bad ? bad : s3_body_end(rq);
}

/* How a body is cut on its way does not matter. */
static void chunked(const uint8_t *data, size_t size)
{
	struct s3_request *whole = sv_malloc(sizeof(*whole)), *bytes = sv_malloc(sizeof(*bytes));

	always(whole && bytes);
	always(unwrap(whole, data, size, size + 1) == unwrap(bytes, data, size, 1));
	if (whole->status < 300) {
		always(whole->text.len == 5);
		always(bytes->text.len == 5 && !memcmp(whole->text.data, bytes->text.data, 5));
		came_deep();
	}
	s3_request_free(whole);
	s3_request_free(bytes);
	sv_mfree(whole);
	sv_mfree(bytes);
}

static int depth(struct s3_request *rq, const char *path, const char *text, int ends)
{
	int n = 0;

	(void)rq;
	for (const char *p = path; *p; p++)
		n += *p == '/';
	always(n > 0 && n < N_DEPTH);
	always(ends || !*text);
	always(strlen(text) <= (size_t)S3_KEY_MAX * 2);
	if (ends)
		came_deep();
	return 0;
}

static void xml(const uint8_t *data, size_t size)
{
	struct s3_request *rq = sv_malloc(sizeof(*rq));
	int bad;

	always(rq);
	s3_request_init(rq, NULL);
	rq->path = "/";
	bad = s3_read_xml(rq, (const char *)data, size, depth);
	always(bad ? rq->status == 400 && rq->out.len : !rq->status);
	s3_request_free(rq);
	sv_mfree(rq);
}

/* A key that is taken is a path that stays below where it begins. */
static void key(const char *text)
{
	const char *code = NULL, *wrong = s3_key_wrong(text, &code);

	always(code);
	if (wrong)
		return;
	always(*text && *text != '/' && strlen(text) <= S3_KEY_MAX && !strstr(text, "//"));
	for (const char *p = text; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL) {
		size_t len = strcspn(p, "/");

		always(len <= S3_NAME_MAX);
		always(!(len == 1 && p[0] == '.') && !(len == 2 && p[0] == '.' && p[1] == '.'));
	}
	came_deep();
}

/* One form: what is canonical stays as it is. */
static void query(const char *text)
{
	struct sv_sigv4_header host = { "host", "h" };
	struct sv_sigv4_request r = { "GET", "/", text, &host, 1, SV_SIGV4_EMPTY,
		"20130524T000000Z" };
	struct sv_sigv4_claim claim;
	struct sv_buf a, b;
	char *end;

	sv_sigv4_claim(NULL, NULL, text, &claim);
	sv_sigv4_claim(text, "20130524T000000Z", "", &claim);
	sv_buf_init(&a, 1 << 20);
	sv_buf_init(&b, 1 << 20);
	sv_sigv4_canonical(&a, &r, "host");
	if (!a.failed) {
		char *begin = a.data + strlen("GET\n/\n");

		end = strchr(begin, '\n');
		*end = '\0';
		r.query = begin;
		sv_sigv4_canonical(&b, &r, "host");
		always(!strncmp(b.data + strlen("GET\n/\n"), begin, strlen(begin)));
		came_deep();
	}
	sv_buf_free(&a);
	sv_buf_free(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char what[16], *text;
	size_t at = first_line(data, size, what, sizeof(what));

	data += at;
	size -= at;
	if (!strcmp(what, "chunked"))
		chunked(data, size);
	else if (!strcmp(what, "xml"))
		xml(data, size);
	text = sv_malloc(size + 1);
	always(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (!strcmp(what, "key"))
		key(text);
	else if (!strcmp(what, "query"))
		query(text);
	sv_mfree(text);
	return 0;
}
