/* SPDX-License-Identifier: MIT */
/* One call, its attempts, its end: against a scripted peer and a clock that does not wait. */
#include "unit.h"

#include <starverse/disk.h>

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

static int create(sv_client *c, void **ret)
{
	struct sv_disk_create_body *b = sv_disk_create_body_new();
	int r;

	b->name = "d";
	b->size_gib = 1;
	r = sv_run(c, verb("disk", "create"), NULL, b, ret);
	sv_free(b);
	return r;
}

static void headers_of_a_call(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	void *obj = NULL;

	(void)state;
	wire_reply(w, 200, NULL, DISK);
	assert_int_equal(get(c, &obj), SV_OK);
	assert_string_equal(((struct sv_disk *)obj)->id, "dsk_1");
	assert_string_equal(w->sent[0].url, "http://api.test/v1/disks/dsk_1");
	assert_string_equal(wire_header(w, 0, "Authorization"), "Bearer sk_test");
	assert_string_equal(wire_header(w, 0, "User-Agent"), "libstarverse/" SV_VERSION);
	assert_string_equal(wire_header(w, 0, "Accept"), "application/json");
	assert_int_equal(strlen(wire_header(w, 0, "X-Request-Id")), 20);
	assert_string_equal(wire_header(w, 0, "Idempotency-Key"), "");
	assert_string_equal(wire_header(w, 0, "Content-Type"), "");
	sv_free(obj);
	sv_client_free(c);
}

/* One key for all attempts of a call, another one for the next call. */
static void one_key_a_call(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char first[200], second[200];
	void *obj = NULL;

	(void)state;
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 503, NULL, "{}");
	wire_reply(w, 202, NULL, DISK);
	wire_reply(w, 202, NULL, DISK);
	assert_int_equal(create(c, &obj), SV_OK);
	sv_free(obj);
	assert_int_equal(w->n_sent, 3);
	snprintf(first, sizeof(first), "%s", wire_header(w, 0, "Idempotency-Key"));
	assert_true(strlen(first) >= 16);
	assert_string_equal(wire_header(w, 1, "Idempotency-Key"), first);
	assert_string_equal(wire_header(w, 2, "Idempotency-Key"), first);
	assert_string_equal(w->sent[2].body, w->sent[0].body);
	assert_int_equal(create(c, NULL), SV_OK);
	snprintf(second, sizeof(second), "%s", wire_header(w, 3, "Idempotency-Key"));
	assert_string_not_equal(first, second);
	sv_client_free(c);
}

static void own_key(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	assert_int_equal(sv_client_next_key(c, "short"), SV_INVALID);
	assert_int_equal(sv_client_next_key(c, "with blank"), SV_INVALID);
	assert_int_equal(sv_client_next_key(c, "with\r\nline"), SV_INVALID);
	assert_int_equal(sv_client_next_key(c, "my-own-key"), SV_OK);
	wire_reply(w, 202, NULL, DISK);
	wire_reply(w, 202, NULL, DISK);
	assert_int_equal(create(c, NULL), SV_OK);
	assert_int_equal(create(c, NULL), SV_OK);
	assert_string_equal(wire_header(w, 0, "Idempotency-Key"), "my-own-key");
	assert_string_not_equal(wire_header(w, 1, "Idempotency-Key"), "my-own-key");
	sv_client_free(c);
}

static void waits_as_told(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_reply(w, 429, "Content-Type: application/problem+json\nRetry-After: 2\n",
		"{\"code\":\"rate_limited\"}");
	wire_reply(w, 429,
		"Retry-After: Sun, 06 Nov 1994 08:49:40 GMT\nDate: Sun, 06 Nov 1994 08:49:37 GMT\n",
		"{}");
	wire_reply(w, 200, NULL, DISK);
	assert_int_equal(get(c, NULL), SV_OK);
	assert_int_equal(w->n_sent, 3);
	assert_int_equal(w->sent[1].at - w->sent[0].at, 2000);
	assert_int_equal(w->sent[2].at - w->sent[1].at, 3000);
	sv_client_free(c);
}

/* What is beyond the deadline is told at once, with the time after which to try. */
static void gives_up_on_long_waits(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int64_t begun = wire_now;

	(void)state;
	wire_reply(w, 429, "Content-Type: application/problem+json\nRetry-After: 3600\n",
		"{\"code\":\"rate_limited\"}");
	assert_int_equal(get(c, NULL), SV_RATE);
	assert_int_equal(w->n_sent, 1);
	assert_int_equal(wire_now, begun);
	assert_int_equal(sv_client_error(c)->retry_after_ms, 3600000);
	assert_non_null(strstr(sv_client_error(c)->suggestion, "3600"));
	sv_client_free(c);
}

static void unkeyed_change_goes_once(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_lose(w, SV_NET, 1, 0);
	assert_int_equal(sv_run(c, verb("disk", "update"), args, NULL, NULL), SV_NET);
	assert_int_equal(w->n_sent, 1);
	assert_true(w->sent[0].once);
	assert_true(sv_client_error(c)->outcome_unknown);
	sv_client_free(c);
}

static void lost_for_good(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	for (int i = 0; i < 5; i++)
		wire_lose(w, SV_NET, 1, 0);
	assert_int_equal(create(c, NULL), SV_NET);
	assert_int_equal(w->n_sent, 5);
	assert_true(sv_client_error(c)->outcome_unknown);
	assert_non_null(strstr(sv_client_error(c)->message, "not known"));
	assert_non_null(
		strstr(sv_client_error(c)->suggestion, wire_header(w, 0, "Idempotency-Key")));
	for (int i = 0; i < 5; i++)
		wire_lose(w, SV_NET, 0, 0);
	assert_int_equal(create(c, NULL), SV_NET);
	assert_false(sv_client_error(c)->outcome_unknown);
	for (int i = 0; i < 5; i++)
		wire_lose(w, SV_NET, 1, 0);
	assert_int_equal(get(c, NULL), SV_NET);
	assert_false(sv_client_error(c)->outcome_unknown);
	sv_client_free(c);
}

/* 500 and 504 may come after the work was done. */
static void server_errors_leave_it_open(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	for (int i = 0; i < 5; i++)
		wire_reply(w, i % 2 ? 500 : 504, NULL, "");
	assert_int_equal(create(c, NULL), SV_SERVER);
	assert_true(sv_client_error(c)->outcome_unknown);
	/* A refusal settles it, even after an answer was lost. */
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 402, NULL, "{\"code\":\"insufficient_balance\"}");
	assert_int_equal(create(c, NULL), SV_BALANCE);
	assert_false(sv_client_error(c)->outcome_unknown);
	sv_client_free(c);
}

static void first_attempt_still_runs(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 409, NULL, "{\"code\":\"operation_in_progress\"}");
	wire_reply(w, 202, NULL, DISK);
	assert_int_equal(create(c, NULL), SV_OK);
	wire_reply(w, 409, NULL, "{\"code\":\"operation_in_progress\"}");
	assert_int_equal(create(c, NULL), SV_CONFLICT);
	sv_client_free(c);
}

static void deleted_twice_is_deleted(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 404, NULL, "{\"code\":\"not_found\"}");
	assert_int_equal(sv_run(c, verb("disk", "delete"), args, NULL, NULL), SV_OK);
	wire_reply(w, 404, NULL, "{\"code\":\"not_found\"}");
	assert_int_equal(sv_run(c, verb("disk", "delete"), args, NULL, NULL), SV_NOTFOUND);
	sv_client_free(c);
}

static void certificates_are_not_tried_again(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	wire_lose(w, SV_NET, 0, 1);
	assert_int_equal(get(c, NULL), SV_NET);
	assert_int_equal(w->n_sent, 1);
	sv_client_free(c);
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

static void no_key(struct sv_config *c)
{
	c->api_key = NULL;
}

static void without_a_key(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, no_key);

	(void)state;
	assert_int_equal(get(c, NULL), SV_CONFIG);
	assert_int_equal(w->n_sent, 0);
	assert_non_null(strstr(sv_client_error(c)->suggestion, "svctl login"));
	wire_reply(w, 201, NULL, "{\"account\":{\"id\":\"acc_1\"},\"api_key\":\"k\"}");
	assert_int_equal(sv_run(c, verb("account", "register"), NULL, NULL, NULL), SV_OK);
	assert_string_equal(wire_header(w, 0, "Authorization"), "");
	sv_client_free(c);
}

static void no_time(struct sv_config *c)
{
	c->request_timeout = 7;
}

static void keeps_the_deadline(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, no_time);
	int64_t begun = wire_now;

	(void)state;
	wire_hang(w);
	assert_int_equal(get(c, NULL), SV_NET);
	assert_int_equal(w->sent[0].timeout_ms, 7000);
	assert_true(wire_now - begun >= 7000 && wire_now - begun < 9000);
	assert_non_null(strstr(sv_client_error(c)->message, "not answering"));
	sv_client_free(c);
}

static void count(sv_op *op, void *data)
{
	(void)op;
	++*(int *)data;
}

static void count_and_finish(sv_op *op, void *data)
{
	++*(int *)data;
	sv_finish(op, NULL);
}

static void done_comes_once(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int n = 0, m = 0;
	sv_op *op;

	(void)state;
	wire_reply(w, 503, NULL, "");
	wire_reply(w, 200, NULL, DISK);
	wire_reply(w, 200, NULL, DISK);
	op = sv_start(c, verb("disk", "get"), args, NULL, count, &n);
	assert_false(sv_op_done(op));
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(n, 1);
	assert_true(sv_op_done(op));
	assert_int_equal(sv_pump(c, -1), 0);
	assert_int_equal(n, 1);
	assert_int_equal(sv_finish(op, NULL), SV_OK);
	assert_non_null(sv_start(c, verb("disk", "get"), args, NULL, count_and_finish, &m));
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(m, 1);
	sv_client_free(c);
}

static void many_at_once(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int n = 0;

	(void)state;
	for (int i = 0; i < 60; i++) {
		if (i % 3 == 0)
			wire_reply(w, 503, NULL, "");
		else
			wire_reply(w, 200, NULL, DISK);
	}
	for (int i = 0; i < 20; i++)
		wire_reply(w, 200, NULL, DISK);
	for (int i = 0; i < 60; i++)
		assert_non_null(sv_start(c, verb("disk", "get"), args, NULL, count_and_finish, &n));
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(n, 60);
	assert_int_equal(w->n_sent, 80);
	sv_client_free(c);
}

static void cancelled(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int n = 0;
	sv_op *op;

	(void)state;
	wire_hang(w);
	wire_hang(w);
	op = sv_start(c, verb("disk", "get"), args, NULL, count, &n);
	sv_pump(c, 10);
	assert_int_equal(sv_finish(op, NULL), SV_CANCELED);
	assert_int_equal(n, 0);
	/* And a client may go with a call in flight. */
	assert_non_null(sv_start(c, verb("disk", "get"), args, NULL, count, &n));
	sv_client_free(c);
	assert_int_equal(n, 0);
}

static int after_three(void *data)
{
	return ++*(int *)data > 3;
}

static void interrupted(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	int asked = 0;

	(void)state;
	wire_hang(w);
	sv_client_interrupt(c, after_three, &asked);
	assert_int_equal(create(c, NULL), SV_CANCELED);
	assert_int_equal(asked, 4);
	assert_true(sv_client_error(c)->outcome_unknown);
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
		cmocka_unit_test(headers_of_a_call),
		cmocka_unit_test(one_key_a_call),
		cmocka_unit_test(own_key),
		cmocka_unit_test(waits_as_told),
		cmocka_unit_test(gives_up_on_long_waits),
		cmocka_unit_test(unkeyed_change_goes_once),
		cmocka_unit_test(lost_for_good),
		cmocka_unit_test(server_errors_leave_it_open),
		cmocka_unit_test(first_attempt_still_runs),
		cmocka_unit_test(deleted_twice_is_deleted),
		cmocka_unit_test(certificates_are_not_tried_again),
		cmocka_unit_test(problems),
		cmocka_unit_test(code_before_status),
		cmocka_unit_test(html_where_json_was_due),
		cmocka_unit_test(broken_json),
		cmocka_unit_test(redirects_are_not_followed),
		cmocka_unit_test(without_a_key),
		cmocka_unit_test(keeps_the_deadline),
		cmocka_unit_test(done_comes_once),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(cancelled),
		cmocka_unit_test(interrupted),
		cmocka_unit_test(trace_holds_no_secret),
		cmocka_unit_test(raw_request),
		cmocka_unit_test(by_names),
		cmocka_unit_test(torture),
	};

	return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
