/* SPDX-License-Identifier: MIT */
/* Buckets of the platform: what is asked for, what is kept, and that a key goes where it belongs.
 */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include <starverse.h>

#include "wire.h"

static const char found[] =
	"{\"items\":[{\"id\":\"sto_1\",\"name\":\"team\",\"version\":1,\"endpoint\":"
	"\"http://127.0.0.1:21000\"}],\"next_cursor\":null}";
static const char pair[] =
	"{\"access_key\":\"AK1\",\"secret_key\":\"tok_S3CRET\",\"region\":\"local\","
	"\"endpoint\":\"http://127.0.0.1:9\",\"bucket\":\"team\"}";
static const char objects[] =
	"<ListBucketResult><Contents><Key>p/a</Key><Size>3</Size></Contents></ListBucketResult>";
static const char none[] = "{\"code\":\"not_found\",\"status\":404}";
static const char unknown_key[] = "<Error><Code>InvalidAccessKeyId</Code></Error>";

static char dir[64];

static int set_up(void **state)
{
	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/sv-bucket-XXXXXX");
	return mkdtemp(dir) ? 0 : -1;
}

static int tear_down(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

static void keep_state(struct sv_config *c)
{
	c->state_dir = sv_strdup_in(c, dir);
	c->retries = 0;
	sv_mark(c, retries);
}

/* It is no id, but a name. */
static void named(struct wire *w, const char *list)
{
	wire_reply(w, 404, NULL, none);
	wire_reply(w, 200, NULL, list);
}

static void opened(sv_client *c, struct wire *w, int ask)
{
	struct sv_bucket_object_list *page = NULL;
	sv_bucket *b = NULL;
	size_t last;

	named(w, found);
	if (ask)
		wire_reply(w, 200, NULL, pair);
	wire_reply(w, 200, "Content-Type: application/xml\n", objects);
	if (sv_bucket_open(c, "team", &b) || sv_bucket_list(b, "p/", "/", NULL, &page))
		fail_msg("%s", sv_client_error(c)->message);
	assert_int_equal(page->n, 1);
	assert_string_equal(page->v[0]->key, "p/a");
	assert_int_equal(page->v[0]->size_bytes, 3);
	last = w->n_sent - 1;
	assert_string_equal(w->sent[last].url,
		"http://127.0.0.1:21000/"
		"team?delimiter=%2F&encoding-type=url&list-type=2&prefix=p%2F");
	assert_non_null(strstr(wire_header(w, last, "Authorization"), "Credential=AK1/"));
	assert_null(strstr(w->sent[last].headers, "sk_test"));
	assert_null(strstr(w->sent[last].headers, "Bearer"));
	assert_null(strstr(w->sent[last].headers, "tok_S3CRET"));
	sv_free(page);
	sv_bucket_close(b);
}

static void asked_once_and_kept(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, keep_state);
	char path[128];
	struct stat st;

	(void)state;
	opened(c, w, 1);
	assert_int_equal(w->n_sent, 4);
	assert_string_equal(w->sent[2].url, "http://api.test/v1/storages/sto_1/credentials");
	snprintf(path, sizeof(path), "%s/storage-keys/sto_1.json", dir);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	opened(c, w, 0);
	assert_int_equal(w->n_sent, 7);
	/* What others may have read is no key any more. */
	chmod(path, 0644);
	opened(c, w, 1);
	sv_client_free(c);
}

static void a_key_nobody_knows_is_forgotten(void **state)
{
	struct sv_bucket_object_list *page = NULL;
	struct wire *w;
	sv_client *c = wire_client(&w, keep_state);
	sv_bucket *b = NULL;

	(void)state;
	opened(c, w, 1);
	named(w, found);
	wire_reply(w, 403, "Content-Type: application/xml\n", unknown_key);
	assert_int_equal(sv_bucket_open(c, "team", &b), SV_OK);
	assert_int_equal(sv_bucket_list(b, NULL, NULL, NULL, &page), SV_AUTH);
	sv_bucket_close(b);
	opened(c, w, 1);
	sv_client_free(c);
}

/* A refused HEAD has no body that says so. */
static void a_key_nobody_knows_is_forgotten_by_head(void **state)
{
	struct sv_bucket_object *o = NULL;
	struct wire *w;
	sv_client *c = wire_client(&w, keep_state);
	sv_bucket *b = NULL;

	(void)state;
	opened(c, w, 1);
	named(w, found);
	assert_int_equal(sv_bucket_open(c, "team", &b), SV_OK);
	/* Of a key that is known but may not look. */
	wire_reply(w, 403, NULL, "");
	wire_reply(w, 200, "Content-Type: application/xml\n", objects);
	assert_int_equal(sv_bucket_head(b, "p/a", &o), SV_DENIED);
	assert_int_equal(sv_client_error(c)->code, SV_DENIED);
	wire_reply(w, 403, NULL, "");
	wire_reply(w, 403, "Content-Type: application/xml\n", unknown_key);
	assert_int_equal(sv_bucket_head(b, "p/a", &o), SV_AUTH);
	assert_int_equal(sv_client_error(c)->code, SV_AUTH);
	sv_bucket_close(b);
	opened(c, w, 1);
	sv_client_free(c);
}

static void not_by_s3(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, keep_state);
	sv_bucket *b = NULL;

	(void)state;
	named(w,
		"{\"items\":[{\"id\":\"sto_1\",\"name\":\"team\",\"version\":1,\"endpoint\":null}],"
		"\"next_cursor\":null}");
	assert_int_equal(sv_bucket_open(c, "team", &b), SV_UNSUPPORTED);
	named(w, "{\"items\":[],\"next_cursor\":null}");
	wire_reply(w, 200, NULL, "{\"items\":[],\"next_cursor\":null}");
	assert_int_equal(sv_bucket_open(c, "team", &b), SV_NOTFOUND);
	assert_int_equal(sv_bucket_open(c, "", &b), SV_INVALID);
	sv_client_free(c);
}

static void refused_before_anything_leaves(void **state)
{
	struct sv_bucket_site *site = sv_bucket_site_new();
	struct sv_bucket_object *o = NULL;
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	sv_bucket *b = NULL;
	char key[1100];

	(void)state;
	assert_int_equal(sv_bucket_open_at(c, site, &b), SV_CONFIG);
	site->endpoint = "unix:/x";
	site->bucket = "b";
	site->access_key = "a";
	assert_int_equal(sv_bucket_open_at(c, site, &b), SV_CONFIG);
	site->secret_key = "s";
	assert_int_equal(sv_bucket_open_at(c, site, &b), SV_CONFIG);
	site->endpoint = "https://s3.test/";
	assert_int_equal(sv_bucket_open_at(c, site, &b), SV_OK);
	memset(key, 'k', sizeof(key));
	key[1025] = '\0';
	assert_int_equal(sv_bucket_head(b, key, &o), SV_INVALID);
	assert_int_equal(sv_bucket_head(b, "", &o), SV_INVALID);
	assert_int_equal(sv_bucket_head(b, "\xff", &o), SV_INVALID);
	assert_int_equal(w->n_sent, 0);
	wire_reply(w, 200, "Content-Length: 5\nETag: \"e\"\n", "");
	assert_int_equal(sv_bucket_head(b, "a/../ü", &o), SV_OK);
	assert_string_equal(w->sent[0].url, "https://s3.test/b/a/../%C3%BC");
	assert_int_equal(o->size_bytes, 5);
	sv_free(o);
	sv_bucket_close(b);
	sv_free(site);
	sv_client_free(c);
}

/* What does not lie where it was asked for is refused: others delete what a list names. */
static void only_what_was_asked_for(void **state)
{
	static const struct {
		const char *rows;
		int result;
	} lists[] = {
		{ "<Contents><Key>p/a</Key></Contents><CommonPrefixes><Prefix>p/b/</Prefix>"
		  "</CommonPrefixes>",
			SV_OK },
		{ "<EncodingType>url</EncodingType><Contents><Key>p%2Fa</Key></Contents>", SV_OK },
		{ "<Contents><Key>p/a</Key></Contents><Contents><Key>q/a</Key></Contents>",
			SV_PROTO },
		{ "<Contents><Key>p</Key></Contents>", SV_PROTO },
		{ "<Contents><Key>p%2Fa</Key></Contents>", SV_PROTO },
		{ "<CommonPrefixes><Prefix>other/</Prefix></CommonPrefixes>", SV_PROTO },
	};
	struct wire *w;
	sv_client *c = wire_client(&w, keep_state);
	sv_bucket *b = NULL;
	char text[300];

	(void)state;
	opened(c, w, 1);
	named(w, found);
	assert_int_equal(sv_bucket_open(c, "team", &b), SV_OK);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		struct sv_bucket_object_list *page = NULL;

		snprintf(text, sizeof(text), "<ListBucketResult>%s</ListBucketResult>",
			lists[i].rows);
		wire_reply(w, 200, "Content-Type: application/xml\n", text);
		assert_int_equal(sv_bucket_list(b, "p/", NULL, NULL, &page), lists[i].result);
		sv_free(page);
	}
	sv_bucket_close(b);
	sv_client_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(asked_once_and_kept, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_key_nobody_knows_is_forgotten, set_up, tear_down),
		cmocka_unit_test_setup_teardown(
			a_key_nobody_knows_is_forgotten_by_head, set_up, tear_down),
		cmocka_unit_test_setup_teardown(not_by_s3, set_up, tear_down),
		cmocka_unit_test_setup_teardown(only_what_was_asked_for, set_up, tear_down),
		cmocka_unit_test(refused_before_anything_leaves),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
