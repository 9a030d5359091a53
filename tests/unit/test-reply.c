/* SPDX-License-Identifier: MIT */
/* What answers mean, what a trace shows, calls in text; and all of it when memory runs out. */
#include "unit.h"

#include "base/arena.h"
#include "wire.h"

#define DISK "{\"id\":\"dsk_1\",\"name\":\"d\",\"version\":1}"
#define HTML "<!doctype html>\n<html><head>\n<title>Sign\x1b[2J in</title></head></html>"

static const struct sv_verb *verb(const char *kind, const char *name)
{
	return sv_verb_find(sv_kind_find(kind), name);
}

static int get(sv_client *c, void **ret)
{
	const char *const args[] = { "dsk_1", NULL };

	return sv_run(c, verb("disk", "get"), args, NULL, ret);
}

static void problems(void **state)
{
	static const char body[] = "{\"title\":\"t\",\"status\":409,\"code\":\"disk_busy\","
				   "\"detail\":\"disk is\\u001b[2J in "
				   "use\\nX\",\"suggestion\":\"detach\",\"errors\":[{\"field\":"
				   "\"path\",\"code\":\"busy\","
				   "\"message\":\"m\"}],\"context\":{\"pid\":7}}";
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	const struct sv_error *e;

	(void)state;
	wire_reply(w, 409, "Content-Type: application/problem+json\nX-Request-Id: req_7\n", body);
	assert_int_equal(get(c, NULL), SV_CONFLICT);
	e = sv_client_error(c);
	assert_string_equal(e->wire, "disk_busy");
	assert_string_equal(e->message, "disk is [2J in use X");
	assert_string_equal(e->suggestion, "detach");
	assert_string_equal(e->field, "path");
	assert_string_equal(e->request_id, "req_7");
	assert_string_equal(e->context, "{\"pid\":7}");
	assert_int_equal(e->http_status, 409);
	sv_client_free(c);
}

/* The code decides, the status only where there is none. */
static void code_before_status(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_reply(w, 400, NULL, "{\"code\":\"quota_exceeded\"}");
	assert_int_equal(get(c, NULL), SV_QUOTA);
	wire_reply(w, 403, NULL, "");
	assert_int_equal(get(c, NULL), SV_DENIED);
	wire_reply(w, 418, NULL, "garbage");
	assert_int_equal(get(c, NULL), SV_DENIED);
	wire_reply(w, 401, NULL, "{\"code\":\"unauthenticated\"}");
	assert_int_equal(get(c, NULL), SV_AUTH);
	assert_non_null(strstr(sv_client_error(c)->suggestion, "svctl login"));
	sv_client_free(c);
}

static void html(int status, const char *type, int want)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	const struct sv_error *e;
	char head[200], number[16];

	snprintf(head, sizeof(head), "Content-Type: %s\nX-Request-Id: cf-9\n", type);
	snprintf(number, sizeof(number), "%d", status);
	for (int i = 0; i < 5; i++)
		wire_reply(w, status, head, HTML);
	assert_int_equal(get(c, NULL), want);
	e = sv_client_error(c);
	assert_non_null(strstr(e->message, "api.test"));
	assert_non_null(strstr(e->message, number));
	assert_non_null(strstr(e->message, type));
	assert_non_null(strstr(e->message, "cf-9"));
	assert_non_null(strstr(e->message, "<title>Sign.[2J in</title>"));
	assert_non_null(strstr(e->suggestion, "proxy"));
	sv_client_free(c);
}

static void html_where_json_was_due(void **state)
{
	(void)state;
	html(200, "text/html; charset=utf-8", SV_PROTO);
	html(502, "text/html", SV_SERVER);
	html(403, "text/html", SV_DENIED);
	html(200, "application/json", SV_PROTO);
}

static void broken_json(void **state)
{
	static const char *const bodies[] = { "", "\"", "\"\\u12", "{\"a\":", "nul", "1e",
		"\xff\xfe", "[]", "{\"id\":7}" };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	for (size_t i = 0; i < sizeof(bodies) / sizeof(bodies[0]); i++) {
		wire_reply(w, 200, NULL, bodies[i]);
		assert_int_equal(get(c, NULL), SV_PROTO);
		assert_non_null(strstr(sv_client_error(c)->message, "/v1/disks/dsk_1"));
	}
	sv_client_free(c);
}

static void redirects_are_not_followed(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_reply(w, 302, "Location: http://evil.test/\n", "");
	assert_int_equal(get(c, NULL), SV_PROTO);
	assert_int_equal(w->n_sent, 1);
	assert_non_null(strstr(sv_client_error(c)->message, "evil.test"));
	sv_client_free(c);
}

static void collect(void *data, const char *line)
{
	char *all = data;

	snprintf(all + strlen(all), 8192 - strlen(all), "%s\n", line);
}

static void trace_holds_no_secret(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char all[8192] = "";
	int status;

	(void)state;
	sv_client_trace(c, collect, all);
	wire_reply(w, 200, "Content-Type: application/json\nSet-Cookie: S3CRET\n",
		"{\"api_key\":\"S3CRET\",\"a\":{\"access_token\":\"S3CRET\",\"name\":\"shown\"}}");
	assert_int_equal(
		sv_request(c, "POST", "/v1/x?token=S3CRET&limit=3",
			"{\"secret\":\"S3CRET\",\"password\":\"S3CRET\"}", &status, NULL, NULL),
		SV_OK);
	assert_null(strstr(all, "S3CRET"));
	assert_null(strstr(all, "sk_test"));
	assert_non_null(strstr(all, "> POST http://api.test/v1/x?token=***&limit=3\n"));
	assert_non_null(strstr(all, "> Authorization: Bearer ***\n"));
	assert_non_null(strstr(all, "< 200\n"));
	assert_non_null(strstr(all, "\"name\":\"shown\""));
	sv_client_free(c);
}

static void raw_request(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char *text = NULL;
	size_t len = 0;
	int status = 0;

	(void)state;
	wire_reply(w, 200, NULL, "{\"a\": 1.50}");
	assert_int_equal(sv_request(c, "GET", "/v1/any?x=1", NULL, &status, &text, &len), SV_OK);
	assert_string_equal(text, "{\"a\": 1.50}");
	assert_int_equal(len, 11);
	sv_free_text(text);
	wire_reply(w, 503, NULL, "once");
	wire_reply(w, 404, NULL, "{\"code\":\"not_found\"}");
	text = NULL;
	assert_int_equal(sv_request(c, "GET", "/v1/any", NULL, &status, &text, &len), SV_NOTFOUND);
	assert_int_equal(status, 404);
	assert_string_equal(text, "{\"code\":\"not_found\"}");
	sv_free_text(text);
	sv_client_free(c);
}

static void by_names(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char *text = NULL;

	(void)state;
	wire_reply(w, 200, NULL, "{\"items\":[" DISK "],\"next_cursor\":\"c2\"}");
	wire_reply(w, 200, NULL, "{\"items\":[" DISK "],\"next_cursor\":null}");
	assert_int_equal(sv_run_json(c, "disks", "list", NULL, "{\"limit\":1}", &text), SV_OK);
	assert_non_null(strstr(text, "[{\"id\":\"dsk_1\","));
	assert_non_null(strstr(text, "},{\"id\":\"dsk_1\","));
	assert_string_equal(w->sent[1].url, "http://api.test/v1/disks?limit=1&cursor=c2");
	sv_free_text(text);
	assert_int_equal(
		sv_run_json(c, "disk", "create", NULL, "{\"nmae\":\"x\"}", &text), SV_INVALID);
	assert_non_null(strstr(text, "\"field\":\"nmae\""));
	sv_free_text(text);
	assert_int_equal(sv_run_json(c, "dsik", "create", NULL, NULL, &text), SV_INVALID);
	sv_free_text(text);
	assert_int_equal(sv_run_json(c, "disk", "explode", NULL, NULL, &text), SV_INVALID);
	sv_free_text(text);
	assert_int_equal(w->n_sent, 2);
	sv_client_free(c);
}

static void answer_disk(void *data, struct sv_xfer *x)
{
	(void)data;
	sv_mem_reply(x, strcmp(x->method, "POST") ? 200 : 202, NULL,
		strstr(x->url, "?") ? "{\"items\":[" DISK "],\"next_cursor\":null}" : DISK,
		strlen(strstr(x->url, "?") ? "{\"items\":[" DISK "],\"next_cursor\":null}" : DISK));
}

static int one_round(void)
{
	struct sv_config *config = sv_config_new();
	sv_client *c = NULL;
	char *text = NULL;
	int r = SV_NOMEM;

	if (config) {
		config->endpoint = "http://api.test";
		config->api_key = "sk_test";
		r = sv_client_new_with(config, sv_transport_mem(answer_disk, NULL), &c);
	}
	if (!r)
		r = sv_run_json(c, "disk", "list", NULL, "{\"limit\":1}", &text);
	sv_free_text(text);
	text = NULL;
	if (!r)
		r = sv_run_json(
			c, "disk", "create", NULL, "{\"name\":\"a\",\"size_gib\":1}", &text);
	sv_free_text(text);
	sv_client_free(c);
	sv_free(config);
	return r;
}

/* Every allocation fails once, and all after it: never a crash, a leak, or success without memory.
 */
static void torture(void **state)
{
	long n = 0;
	int r;

	(void)state;
	do {
		sv_malloc_fail_after(n);
		r = one_round();
		sv_malloc_fail_after(-1);
		if (r && r != SV_NOMEM && r != SV_PROTO && r != SV_INVALID)
			fail_msg("allocation %ld: %d", n, r);
		n++;
	} while (r && n < 5000);
	assert_int_equal(r, SV_OK);
	assert_true(n > 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(problems),
		cmocka_unit_test(code_before_status),
		cmocka_unit_test(html_where_json_was_due),
		cmocka_unit_test(broken_json),
		cmocka_unit_test(redirects_are_not_followed),
		cmocka_unit_test(trace_holds_no_secret),
		cmocka_unit_test(raw_request),
		cmocka_unit_test(by_names),
		cmocka_unit_test(torture),
	};

	return cmocka_run_group_tests_name("reply", tests, NULL, NULL);
}
