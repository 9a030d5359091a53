/* SPDX-License-Identifier: MIT */
/* Never twice: the spool on disk, and a peer that loses answers at random. */
#include "unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <starverse/disk.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "faulty.h"
#include "wire.h"

#define DISK "{\"id\":\"dsk_1\",\"name\":\"d\",\"version\":1}"

static char dir[64];

static void with_spool(struct sv_config *c)
{
	c->state_dir = dir;
	c->profile = "p";
}

static void other_profile(struct sv_config *c)
{
	c->state_dir = dir;
	c->profile = "q";
}

static int set_up(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/sv-spool-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

/* The spool's one file; its name in path, its content in text. Returns how many there are. */
static int spooled(char *path, char *text)
{
	char folder[96];
	struct dirent *e;
	int n = 0;
	DIR *d;

	snprintf(folder, sizeof(folder), "%s/spool", dir);
	d = opendir(folder);
	while (d && (e = readdir(d))) {
		ssize_t got;
		int fd;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		n++;
		snprintf(path, 400, "%s/%s", folder, e->d_name);
		fd = open(path, O_RDONLY);
		got = read(fd, text, 2000);
		text[got > 0 ? got : 0] = '\0';
		close(fd);
	}
	if (d)
		closedir(d);
	return n;
}

static int tear_down(void **state)
{
	char path[400], text[2001];

	(void)state;
	while (spooled(path, text) > 0)
		unlink(path);
	snprintf(path, sizeof(path), "%s/spool", dir);
	rmdir(path);
	return rmdir(dir);
}

static int create(sv_client *c)
{
	struct sv_disk_create_body *b = sv_disk_create_body_new();
	int r;

	b->name = "mine";
	b->size_gib = 1;
	r = sv_run(c, sv_verb_find(sv_kind_find("disk"), "create"), NULL, b, NULL);
	sv_free(b);
	return r;
}

static int looked;

/* Called while the request is under way: its line is there, locked, for the user alone. */
static void look(void *data, struct wire *w, struct sv_xfer *x)
{
	char path[400], text[2001], want[300];
	struct stat st;
	int fd;

	(void)data;
	(void)x;
	if (strcmp(w->sent[w->n_sent - 1].method, "POST") != 0)
		return;
	looked++;
	assert_int_equal(spooled(path, text), 1);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0600);
	snprintf(want, sizeof(want),
		"{\"key\":\"%s\",\"method\":\"POST\",\"path\":\"/v1/disks\",\"name\":\"mine\",",
		wire_header(w, w->n_sent - 1, "Idempotency-Key"));
	assert_memory_equal(text, want, strlen(want));
	assert_non_null(strstr(text, "\"profile\":\"p\""));
	assert_int_equal(text[strlen(text) - 1], '\n');
	assert_null(strstr(text, "sk_test"));
	fd = open(path, O_RDWR);
	assert_int_not_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
	close(fd);
}

static void written_before_it_is_sent(void **state)
{
	char path[400], text[2001];
	struct wire *w;
	sv_client *c = wire_client(&w, with_spool);

	(void)state;
	looked = 0;
	w->before = look;
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 202, NULL, DISK);
	assert_int_equal(create(c), SV_OK);
	assert_int_equal(looked, 2);
	assert_int_equal(spooled(path, text), 0);
	/* A refusal is final, too. */
	wire_reply(w, 422, NULL, "{}");
	assert_int_equal(create(c), SV_INVALID);
	assert_int_equal(spooled(path, text), 0);
	/* So is what never left. */
	for (int i = 0; i < 5; i++)
		wire_lose(w, SV_NET, 0, 0);
	w->before = NULL;
	assert_int_equal(create(c), SV_NET);
	assert_int_equal(spooled(path, text), 0);
	sv_client_free(c);
}

static char told[512];

static void tell(void *data, const char *key, const char *method, const char *path,
	const char *name, const char *status, const char *resource)
{
	(void)data;
	(void)key;
	snprintf(told + strlen(told), sizeof(told) - strlen(told), "%s %s %s %s %s;", method, path,
		name ? name : "-", status, resource ? resource : "-");
}

static void lose_one(char *key)
{
	struct wire *w;
	sv_client *c = wire_client(&w, with_spool);

	for (int i = 0; i < 5; i++)
		wire_lose(w, SV_NET, 1, 0);
	assert_int_equal(create(c), SV_NET);
	snprintf(key, 200, "%s", wire_header(w, 0, "Idempotency-Key"));
	sv_client_free(c);
}

static void asked_about_later(void **state)
{
	char path[400], text[2001], key[200], url[300];
	struct wire *w;
	sv_client *c;

	(void)state;
	told[0] = '\0';
	lose_one(key);
	assert_int_equal(spooled(path, text), 1);
	/* Another profile has nothing to do with it. */
	c = wire_client(&w, other_profile);
	assert_int_equal(sv_reconcile(c, tell, NULL), SV_OK);
	assert_int_equal(w->n_sent, 0);
	sv_client_free(c);
	c = wire_client(&w, with_spool);
	wire_lose(w, SV_NET, 0, 1);
	assert_int_equal(sv_reconcile(c, tell, NULL), SV_NET);
	assert_int_equal(spooled(path, text), 1);
	wire_reply(w, 200, NULL, "{\"status\":\"running\",\"resource\":\"dsk_1\"}");
	assert_int_not_equal(sv_reconcile(c, NULL, NULL), SV_OK);
	assert_int_equal(spooled(path, text), 1);
	wire_reply(w, 200, NULL, "{\"status\":\"succeeded\",\"resource\":\"dsk_1\"}");
	assert_int_equal(sv_reconcile(c, tell, NULL), SV_OK);
	assert_string_equal(told, "POST /v1/disks mine succeeded dsk_1;");
	snprintf(url, sizeof(url), "http://api.test/v1/idempotency_keys/%s", key);
	assert_string_equal(w->sent[2].url, url);
	assert_int_equal(spooled(path, text), 0);
	sv_client_free(c);
}

static void never_arrived(void **state)
{
	char path[400], text[2001], key[200];
	struct wire *w;
	sv_client *c;

	(void)state;
	told[0] = '\0';
	lose_one(key);
	c = wire_client(&w, with_spool);
	wire_reply(w, 404, NULL, "{\"code\":\"not_found\"}");
	assert_int_equal(sv_reconcile(c, tell, NULL), SV_OK);
	assert_string_equal(told, "POST /v1/disks mine not_received -;");
	assert_int_equal(spooled(path, text), 0);
	sv_client_free(c);
}

/* What another process has in flight is left alone. */
static void in_flight_elsewhere(void **state)
{
	char path[400], text[2001], key[200];
	struct wire *w;
	sv_client *c;
	int fd;

	(void)state;
	lose_one(key);
	assert_int_equal(spooled(path, text), 1);
	fd = open(path, O_RDWR);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	c = wire_client(&w, with_spool);
	assert_int_equal(sv_reconcile(c, tell, NULL), SV_OK);
	assert_int_equal(w->n_sent, 0);
	close(fd);
	sv_client_free(c);
}

static void nowhere(struct sv_config *c)
{
	c->state_dir = "/proc/self/nowhere";
}

static void nothing_is_sent_unwritten(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, nowhere);

	(void)state;
	assert_int_equal(create(c), SV_IO);
	assert_int_equal(w->n_sent, 0);
	assert_non_null(strstr(sv_client_error(c)->message, "nothing was sent"));
	sv_client_free(c);
}

/* A service that keeps its side: one thing for a key, the first answer again. */
struct service {
	char keys[64][64];
	int n;
};

static void serve(void *data, struct sv_xfer *x)
{
	struct service *s = data;
	const char *key = "";
	int i = 0;

	for (const struct sv_header *h = x->headers; h->name; h++)
		if (!strcmp(h->name, "Idempotency-Key"))
			key = h->value;
	while (i < s->n && strcmp(s->keys[i], key) != 0)
		i++;
	if (i == s->n)
		snprintf(s->keys[s->n++], sizeof(s->keys[0]), "%s", key);
	sv_mem_reply(x, 202, NULL, DISK, strlen(DISK));
}

/* Whatever the connection does, a call that answers has made one thing, and one that does not has
 * made at most one. */
static void one_thing_a_call(void **state)
{
	uint64_t seed = unit_seed();

	(void)state;
	for (int round = 0; round < 300; round++) {
		struct service s = { .n = 0 };
		struct sv_config *config = sv_config_new();
		struct sv_transport *t = faulty_new(sv_transport_mem(serve, &s), &seed, 40);
		sv_client *c = NULL;
		int r;

		config->endpoint = "http://api.test";
		config->api_key = "k";
		config->retries = 3;
		assert_int_equal(sv_client_new_with(config, t, &c), SV_OK);
		faulty_clock(c);
		r = create(c);
		assert_true(r == SV_OK ? s.n == 1 : s.n <= 1);
		assert_true(r == SV_OK || r == SV_NET || r == SV_PROTO);
		/* "It may have happened" is never left out. */
		if (r && s.n)
			assert_true(sv_client_error(c)->outcome_unknown || r == SV_PROTO);
		sv_client_free(c);
		sv_free(config);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(written_before_it_is_sent, set_up, tear_down),
		cmocka_unit_test_setup_teardown(asked_about_later, set_up, tear_down),
		cmocka_unit_test_setup_teardown(never_arrived, set_up, tear_down),
		cmocka_unit_test_setup_teardown(in_flight_elsewhere, set_up, tear_down),
		cmocka_unit_test(nothing_is_sent_unwritten),
		cmocka_unit_test(one_thing_a_call),
	};

	return cmocka_run_group_tests_name("spool", tests, NULL, NULL);
}
