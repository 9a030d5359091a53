/* SPDX-License-Identifier: MIT */
/* Endpoints, paths, queries, bodies, keys: what leaves, and what is refused before. */
#include "unit.h"

#include <starverse/disk.h>

#include "base/limits.h"
#include "net/endpoint.h"
#include "net/request.h"
#include "net/secret.h"
#include "wire.h"

#define BAD NULL

static const struct {
	const char *text, *base, *socket, *shown;
} endpoints[] = {
	{ "https://api.example.com", "https://api.example.com", "", "api.example.com" },
	{ "HTTPS://API.Example.com", "https://api.example.com", "", "API.Example.com" },
	{ "http://[::1]:8080", "http://[::1]:8080", "", "[::1]:8080" },
	{ "http://[fe80::1%25lo]:1", "http://[fe80::1%25lo]:1", "", "[fe80::1%25lo]:1" },
	{ "https://h/api/", "https://h/api", "", "h" },
	{ "https://h/api//", "https://h/api", "", "h" },
	{ "https://h//", "https://h", "", "h" },
	{ "https://h:65535/a/b", "https://h:65535/a/b", "", "h:65535" },
	{ "unix:/run/x.sock", "http://localhost", "/run/x.sock", "unix:/run/x.sock" },
	{ "unix:///run/x.sock", "http://localhost", "/run/x.sock", "unix:/run/x.sock" },
	{ "unix:@name", "http://localhost", "@name", "unix:@name" },
	{ "local:", "", "", "local" },
	{ "LOCAL:", "", "", "local" },
	{ "", BAD, NULL, NULL },
	{ "::1", BAD, NULL, NULL },
	{ "[::1]", BAD, NULL, NULL },
	{ "http://::1", BAD, NULL, NULL },
	{ "http://::1:80", BAD, NULL, NULL },
	{ "http://[::1", BAD, NULL, NULL },
	{ "http://[::1]x", BAD, NULL, NULL },
	{ "http://[fe80::1%lo]", BAD, NULL, NULL },
	{ "fe80::1%25lo", BAD, NULL, NULL },
	{ "host:80", BAD, NULL, NULL },
	{ "http://", BAD, NULL, NULL },
	{ "http:///v1", BAD, NULL, NULL },
	{ "http://h:", BAD, NULL, NULL },
	{ "http://h:0", BAD, NULL, NULL },
	{ "http://h:65536", BAD, NULL, NULL },
	{ "http://h:8o", BAD, NULL, NULL },
	{ "http://h ", BAD, NULL, NULL },
	{ "http://h\r\nX: 1", BAD, NULL, NULL },
	{ "https://h/api?x=1", BAD, NULL, NULL },
	{ "https://h/api#x", BAD, NULL, NULL },
	{ "https://h/a b", BAD, NULL, NULL },
	{ "https://h/a/../b", BAD, NULL, NULL },
	{ "https://h/./b", BAD, NULL, NULL },
	{ "https://h/..", BAD, NULL, NULL },
	{ "ftp://h", BAD, NULL, NULL },
	{ "file:///etc/passwd", BAD, NULL, NULL },
	{ "unix:relative.sock", BAD, NULL, NULL },
	{ "unix:", BAD, NULL, NULL },
	{ "https://u:S3CRET@h", BAD, NULL, NULL },
	{ "https://u:S3/CRET@h", BAD, NULL, NULL },
	{ "https://S3CRET@h:1/x?S3CRET", BAD, NULL, NULL },
};

static void endpoint_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(endpoints) / sizeof(endpoints[0]); i++) {
		struct sv_endpoint e = { .base = "" };
		struct sv_error err;
		int r = sv_endpoint_parse(endpoints[i].text, &e, &err);

		if (endpoints[i].base ? r != SV_OK : r != SV_CONFIG)
			fail_msg("%s: %d %s", endpoints[i].text, r, r ? err.message : "");
		if (r) {
			assert_null(strstr(err.message, "S3"));
			assert_null(strstr(err.suggestion, "S3"));
			assert_string_equal(err.field, "endpoint");
			continue;
		}
		assert_string_equal(e.base, endpoints[i].base);
		assert_string_equal(e.socket, endpoints[i].socket);
		assert_string_equal(e.shown, endpoints[i].shown);
	}
}

static void long_socket(void **state)
{
	char text[160] = "unix:/";
	struct sv_endpoint e;
	struct sv_error err;

	(void)state;
	memset(text + 6, 'a', 106);
	assert_int_equal(sv_endpoint_parse(text, &e, &err), SV_OK);
	text[112] = 'a';
	assert_int_equal(sv_endpoint_parse(text, &e, &err), SV_CONFIG);
	assert_non_null(strstr(err.message, "107"));
}

/* One id is one segment, whatever it holds. */
static void ids(void **state)
{
	static const char *const good[][2] = {
		{ "dsk_1", "dsk_1" },
		{ "../billing/topup", "..%2Fbilling%2Ftopup" },
		{ "a/b", "a%2Fb" },
		{ "a?force=true", "a%3Fforce%3Dtrue" },
		{ "a#x", "a%23x" },
		{ "a%2fb", "a%252fb" },
		{ "a b", "a%20b" },
		{ "\xc3\xa9", "%C3%A9" },
		{ "a\n", "a%0A" },
		{ "...", "..." },
	};
	static const char *const bad[] = { "", " ", "\t\n", ".", ".." };
	const struct sv_verb *get = sv_verb_find(sv_kind_find("disk"), "get");
	char want[256];

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const char *const args[] = { good[i][0], NULL };
		const struct sv_request_spec spec = { .verb = get, .args = args };
		struct sv_request r = { .arena = NULL };
		struct sv_error err;

		assert_int_equal(sv_request_build(&r, "http://h", &spec, &err), SV_OK);
		snprintf(want, sizeof(want), "http://h/v1/disks/%s", good[i][1]);
		assert_string_equal(r.url, want);
		sv_request_free(&r);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const char *const args[] = { bad[i], NULL };
		const struct sv_request_spec spec = { .verb = get, .args = args };
		struct sv_request r = { .arena = NULL };
		struct sv_error err;

		assert_int_equal(sv_request_build(&r, "http://h", &spec, &err), SV_INVALID);
		assert_string_equal(err.field, "id");
		sv_request_free(&r);
	}
}

static void arguments_are_counted(void **state)
{
	const struct sv_verb *get = sv_verb_find(sv_kind_find("disk"), "get");
	const char *const two[] = { "a", "b", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	assert_int_equal(sv_run(c, get, NULL, NULL, NULL), SV_INVALID);
	assert_string_equal(sv_client_error(c)->field, "id");
	assert_int_equal(sv_run(c, get, two, NULL, NULL), SV_INVALID);
	assert_int_equal(w->n_sent, 0);
	sv_client_free(c);
}

static void cursor_takes_the_place(void **state)
{
	struct sv_disk_filter *f = sv_disk_filter_new();
	struct sv_request_spec spec = { .verb = sv_verb_find(sv_kind_find("disk"), "list"),
		.in = f,
		.cursor = "a&b=c d",
		.extra = "x=1" };
	struct sv_request r = { .arena = NULL };
	struct sv_error err;

	(void)state;
	f->limit = 7;
	f->cursor = "old";
	assert_int_equal(sv_request_build(&r, "http://h", &spec, &err), SV_OK);
	assert_string_equal(r.path, "/v1/disks?limit=7&cursor=a%26b%3Dc%20d&x=1");
	sv_request_free(&r);
	sv_free(f);
}

static void update_sends_marked_alone(void **state)
{
	struct sv_disk *d = sv_disk_new();
	const char *const args[] = { "dsk_1", NULL };
	const struct sv_request_spec spec = {
		.verb = sv_verb_find(sv_kind_find("disk"), "update"), .args = args, .in = d
	};
	struct sv_request r = { .arena = NULL };
	struct sv_error err;

	(void)state;
	d->name = "n";
	d->size_gib = 5;
	sv_mark(d, name);
	assert_int_equal(sv_request_build(&r, "http://h", &spec, &err), SV_OK);
	assert_string_equal(r.body, "{\"name\":\"n\"}");
	assert_string_equal(r.method, "PATCH");
	assert_false(r.repeatable);
	sv_request_free(&r);
	sv_free(d);
}

static void raw_paths(void **state)
{
	static const char *const bad[] = { "v1/x", "", "/v1/a b", "/v1/\r\nX: 1", "/v1/\xc3\xa9",
		"/v1#x" };
	struct sv_request r = { .arena = NULL };
	struct sv_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const struct sv_request_spec spec = { .method = "GET", .path = bad[i] };

		assert_int_equal(sv_request_build(&r, "http://h", &spec, &err), SV_INVALID);
		assert_string_equal(err.field, "path");
		sv_request_free(&r);
		memset(&r, 0, sizeof(r));
	}
	for (size_t i = 0; i < 2; i++) {
		const struct sv_request_spec spec = { .method = i ? "" : "GET /x HTTP/1.1\r\nA:",
			.path = "/v1" };

		assert_int_equal(sv_request_build(&r, "http://h", &spec, &err), SV_INVALID);
		sv_request_free(&r);
		memset(&r, 0, sizeof(r));
	}
}

static const struct {
	const char *raw, *clean; /* NULL: refused */
	const char *where;
} keys[] = {
	{ "tok", "tok", NULL },
	{ "tok\n", "tok", NULL },
	{ "tok\r\n", "tok", NULL },
	{ " \ttok ", "tok", NULL },
	{ "\xef\xbb\xbftok\n", "tok", NULL },
	{ "\033[200~tok\033[201~", "tok", NULL },
	{ "\033[200~ tok\r\n\033[201~\n", "tok", NULL },
	{ "tok\xe2\x80\x8b", NULL, "byte 4" },
	{ "a\r\nX-Evil: 1", NULL, "byte 2" },
	{ "ab cd", NULL, "byte 3" },
	{ "  ab\x01", NULL, "byte 5" },
	{ "a\x7f"
	  "b",
		NULL, "byte 2" },
	{ "", NULL, "empty" },
	{ " \r\n", NULL, "empty" },
};

static void key_rows(void **state)
{
	char buf[SV_MAX_KEY + 1], *large = malloc(65536);
	struct sv_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		int r = sv_secret_clean(keys[i].raw, strlen(keys[i].raw), "SOURCE", buf, &err);

		assert_int_equal(r, keys[i].clean ? SV_OK : SV_CONFIG);
		if (!r) {
			assert_string_equal(buf, keys[i].clean);
			continue;
		}
		assert_non_null(strstr(err.message, "SOURCE"));
		assert_non_null(strstr(err.message, keys[i].where));
		assert_null(strstr(err.message, "tok"));
		assert_null(strstr(err.message, "Evil"));
	}
	memset(large, 'a', 65536);
	assert_int_equal(sv_secret_clean(large, 65536, "S", buf, &err), SV_CONFIG);
	assert_int_equal(sv_secret_clean(large, SV_MAX_KEY, "S", buf, &err), SV_OK);
	free(large);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(endpoint_rows),
		cmocka_unit_test(long_socket),
		cmocka_unit_test(ids),
		cmocka_unit_test(arguments_are_counted),
		cmocka_unit_test(cursor_takes_the_place),
		cmocka_unit_test(update_sends_marked_alone),
		cmocka_unit_test(raw_paths),
		cmocka_unit_test(key_rows),
	};

	return cmocka_run_group_tests_name("request", tests, NULL, NULL);
}
