/* SPDX-License-Identifier: MIT */
/* Pages, waiting, streams, names: whatever makes more than one call. */
#include "unit.h"

#include <starverse/disk.h>
#include <starverse/instance.h>

#include "net/sse.h"
#include "wire.h"

#define INS(status, version, op) \
	"{\"id\":\"ins_1\",\"name\":\"t\",\"status\":\"" status "\",\"version\":" version \
	",\"operation_id\":" op "}"
#define OP(status, version, more) \
	"{\"id\":\"op_1\",\"type\":\"instance.create\",\"status\":\"" status \
	"\",\"version\":" version ",\"resource\":\"ins_1\"" more "}"

static const struct sv_verb *verb(const char *kind, const char *name)
{
	return sv_verb_find(sv_kind_find(kind), name);
}

static void *instance(sv_client *c, struct wire *w, const char *text)
{
	static const char *const args[] = { "ins_1", NULL };
	void *obj = NULL;

	wire_reply(w, 200, NULL, text);
	assert_int_equal(sv_run(c, verb("instance", "get"), args, NULL, &obj), SV_OK);
	return obj;
}

/* Pages. */

static void pages(size_t total, size_t size)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char bodies[8][512];
	size_t seen = 0, n = 0, p = 0;
	void *list = NULL;

	do {
		size_t len = (size_t)snprintf(bodies[p], sizeof(bodies[p]), "{\"items\":[");

		for (size_t i = 0; i < size && n < total; i++, n++)
			len += (size_t)snprintf(bodies[p] + len, sizeof(bodies[p]) - len,
				"%s{\"id\":\"dsk_%zu\"}", i ? "," : "", n);
		if (n < total)
			snprintf(bodies[p] + len, sizeof(bodies[p]) - len,
				"],\"next_cursor\":\"c?%zu&x\"}", n);
		else
			snprintf(bodies[p] + len, sizeof(bodies[p]) - len, "],\"next_cursor\":%s}",
				p % 2 ? "\"\"" : "null");
		wire_reply(w, 200, NULL, bodies[p++]);
	} while (n < total);
	assert_int_equal(sv_run(c, verb("disk", "list"), NULL, NULL, &list), SV_OK);
	while (list) {
		const struct sv_disk_list *l = list;
		char id[32];

		for (size_t i = 0; i < l->n; i++) {
			snprintf(id, sizeof(id), "dsk_%zu", seen++);
			assert_string_equal(l->v[i]->id, id);
		}
		assert_int_equal(sv_next(c, verb("disk", "list"), NULL, NULL, &list), SV_OK);
	}
	assert_int_equal(seen, total);
	assert_int_equal(w->n_sent, p);
	if (p > 1)
		assert_non_null(strstr(w->sent[1].url, "cursor=c%3F"));
	sv_client_free(c);
}

static void every_item_once(void **state)
{
	(void)state;
	pages(0, 3);
	pages(1, 3);
	pages(3, 3);
	pages(4, 3);
	pages(6, 3);
}

static void repeated_cursor(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	void *list = NULL;

	(void)state;
	wire_reply(w, 200, NULL, "{\"items\":[{\"id\":\"a\"}],\"next_cursor\":\"x\"}");
	wire_reply(w, 200, NULL, "{\"items\":[{\"id\":\"a\"}],\"next_cursor\":\"x\"}");
	assert_int_equal(sv_run(c, verb("disk", "list"), NULL, NULL, &list), SV_OK);
	assert_int_equal(sv_next(c, verb("disk", "list"), NULL, NULL, &list), SV_PROTO);
	assert_non_null(strstr(sv_client_error(c)->message, "cursor"));
	assert_non_null(list);
	sv_free(list);
	sv_client_free(c);
}

static void no_items(void **state)
{
	static const char *const bodies[] = { "{\"items\":null}", "{}", "{\"items\":[]}" };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		void *list = NULL;

		wire_reply(w, 200, NULL, bodies[i]);
		assert_int_equal(sv_run(c, verb("disk", "list"), NULL, NULL, &list), SV_OK);
		assert_int_equal(((struct sv_page *)list)->n, 0);
		sv_free(list);
	}
	sv_client_free(c);
}

/* Waiting. */

static void count(void *data, const struct sv_kind *kind, const void *obj)
{
	(void)kind;
	(void)obj;
	++*(int *)data;
}

static void by_operation(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	void *obj = instance(c, w, INS("provisioning", "1", "\"op_1\""));
	int seen = 0;

	(void)state;
	wire_reply(w, 200, NULL, OP("running", "3", ""));
	wire_reply(w, 200, NULL, OP("running", "3", ""));
	wire_reply(w, 200, NULL, OP("running", "5", ""));
	wire_reply(w, 200, NULL, OP("succeeded", "6", ""));
	wire_reply(w, 200, NULL, INS("running", "9", "null"));
	assert_int_equal(sv_wait(c, sv_kind_find("instance"), &obj, -1, count, &seen), SV_OK);
	assert_int_equal(((struct sv_instance *)obj)->version, 9);
	assert_int_equal(seen, 3);
	assert_string_equal(w->sent[1].url, "http://api.test/v1/operations/op_1");
	assert_string_equal(w->sent[2].url,
		"http://api.test/v1/operations/op_1?after_version=3&timeout_seconds=30");
	assert_string_equal(w->sent[4].url,
		"http://api.test/v1/operations/op_1?after_version=5&timeout_seconds=30");
	assert_string_equal(w->sent[5].url, "http://api.test/v1/instances/ins_1");
	sv_free(obj);
	sv_client_free(c);
}

static void operation_fails(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	void *obj = instance(c, w, INS("provisioning", "1", "\"op_1\""));

	(void)state;
	wire_reply(w, 200, NULL,
		OP("failed", "6",
			",\"error\":{\"code\":\"insufficient_capacity\",\"message\":\"none "
			"free\",\"suggestion\":\"later\"}"));
	wire_reply(w, 200, NULL, INS("error", "9", "null"));
	assert_int_equal(sv_wait(c, sv_kind_find("instance"), &obj, -1, NULL, NULL), SV_FAILED);
	assert_string_equal(sv_client_error(c)->wire, "insufficient_capacity");
	assert_non_null(strstr(sv_client_error(c)->message, "none free"));
	assert_string_equal(sv_client_error(c)->suggestion, "later");
	assert_string_equal(((struct sv_instance *)obj)->status, "error");
	sv_free(obj);
	sv_client_free(c);
}

static void by_state(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	void *obj = instance(c, w, INS("stopping", "4", "null"));

	(void)state;
	wire_reply(w, 200, NULL, INS("stopping", "4", "null"));
	wire_reply(w, 503, NULL, "");
	wire_lose(w, SV_NET, 1, 0);
	wire_reply(w, 200, NULL, INS("a_new_word", "5", "null"));
	wire_reply(w, 200, NULL, INS("stopped", "6", "null"));
	assert_int_equal(sv_wait(c, sv_kind_find("instance"), &obj, -1, NULL, NULL), SV_OK);
	assert_string_equal(((struct sv_instance *)obj)->status, "stopped");
	sv_free(obj);
	sv_client_free(c);
}

static void runs_out(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	void *obj = instance(c, w, INS("provisioning", "1", "\"op_1\""));
	int64_t begun = wire_now;

	(void)state;
	wire_reply(w, 200, NULL, OP("running", "3", ""));
	wire_hang(w);
	assert_int_equal(
		sv_wait(c, sv_kind_find("instance"), &obj, 12000, NULL, NULL), SV_TIMEDOUT);
	assert_true(wire_now - begun >= 12000 && wire_now - begun < 13000);
	assert_non_null(strstr(w->sent[2].url, "timeout_seconds=12"));
	assert_non_null(strstr(sv_client_error(c)->message, "the work goes on"));
	assert_non_null(obj);
	sv_free(obj);
	sv_client_free(c);
}

/* Streams. */

struct heard {
	char text[4096];
	int stop_after;
};

static int hear(void *data, const char *id, const char *type, const char *text, size_t len)
{
	struct heard *h = data;

	snprintf(h->text + strlen(h->text), sizeof(h->text) - strlen(h->text), "[%s|%s|%.*s]",
		id ? id : "-", type ? type : "-", (int)len, text);
	return h->stop_after && !--h->stop_after;
}

#define STREAM "Content-Type: text/event-stream\n"

static void resumes_by_id(void **state)
{
	static const char *const first[] = { ": hello\n\nid: 1\nevent: a\nda",
		"ta: x\ndata: y\n\nid: 2\ndata: half", NULL };
	static const char *const second[] = { "id: 2\r\ndata: whole\r\n\r\n", NULL };
	static const char *const third[] = { "id: 3\ndata: z\n\nid: 4\ndata: never\n\n", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	struct heard h = { .stop_after = 3 };
	sv_op *op;

	(void)state;
	wire_pieces(w, STREAM, first, SV_NET);
	wire_reply(w, 503, NULL, "");
	wire_pieces(w, STREAM, second, SV_OK);
	wire_pieces(w, STREAM, third, SV_OK);
	op = sv_stream(c, verb("event", "list"), NULL, NULL, hear, NULL, &h);
	assert_non_null(op);
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(sv_finish(op, NULL), SV_OK);
	assert_string_equal(h.text, "[1|a|x\ny][2|message|whole][3|message|z]");
	assert_string_equal(wire_header(w, 0, "Accept"), "text/event-stream");
	assert_string_equal(wire_header(w, 0, "Last-Event-ID"), "");
	assert_string_equal(wire_header(w, 1, "Last-Event-ID"), "1");
	assert_string_equal(wire_header(w, 2, "Last-Event-ID"), "1");
	assert_string_equal(wire_header(w, 3, "Last-Event-ID"), "2");
	assert_int_equal(w->sent[0].timeout_ms, 0);
	sv_client_free(c);
}

static void texts_by_offset(void **state)
{
	static const char *const args[] = { "ins_1", NULL };
	static const char *const first[] = { "line 1\n", "li", NULL }, *const second[] = { "ne 2\n",
		NULL };
	struct sv_log_query *q = sv_new(verb("instance", "logs")->query);
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	struct heard h = { .stop_after = 0 };
	sv_op *op;

	(void)state;
	q->follow = 1;
	q->offset = 100;
	wire_pieces(w, "Content-Type: text/plain\n", first, SV_NET);
	wire_pieces(w, "Content-Type: text/plain\n", second, SV_OK);
	op = sv_stream(c, verb("instance", "logs"), args, q, hear, NULL, &h);
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(sv_finish(op, NULL), SV_OK);
	assert_string_equal(h.text, "[-|-|line 1\n][-|-|li][-|-|ne 2\n]");
	assert_non_null(strstr(w->sent[0].url, "offset=100"));
	assert_non_null(strstr(w->sent[1].url, "offset=109"));
	assert_null(strstr(w->sent[1].url, "offset=100"));
	assert_non_null(strstr(w->sent[1].url, "follow=true"));
	sv_free(q);
	sv_client_free(c);
}

static void silence_is_a_lost_peer(void **state)
{
	static const char *const ends[] = { "event: end\ndata: x\n\n", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	struct heard h = { .stop_after = 0 };
	int64_t begun = wire_now;
	sv_op *op;

	(void)state;
	wire_hang(w);
	wire_pieces(w, STREAM, ends, SV_OK);
	op = sv_stream(c, verb("event", "list"), NULL, NULL, hear, NULL, &h);
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(sv_finish(op, NULL), SV_OK);
	assert_int_equal(w->n_sent, 2);
	assert_true(wire_now - begun >= 45000 && wire_now - begun < 47000);
	sv_client_free(c);
}

static void not_a_stream(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	struct heard h = { .stop_after = 0 };
	sv_op *op;

	(void)state;
	wire_reply(w, 200, "Content-Type: text/html\n", "<html>");
	op = sv_stream(c, verb("event", "list"), NULL, NULL, hear, NULL, &h);
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(sv_finish(op, NULL), SV_PROTO);
	assert_null(sv_stream(c, verb("disk", "list"), NULL, NULL, hear, NULL, &h));
	assert_int_equal(sv_client_error(c)->code, SV_UNSUPPORTED);
	sv_client_free(c);
}

/* The same records, wherever the pieces end. */
static void any_pieces(void **state)
{
	static const char text[] = "\xef\xbb\xbf: c\r\nid: 7\revent: t\ndata: "
				   "one\r\ndata\ndata:two\n\n\ndata: last\n\n";
	static const char want[] = "[7|t|one\n\ntwo][7|message|last]";
	size_t len = sizeof(text) - 1;

	(void)state;
	for (size_t a = 0; a <= len; a++)
		for (size_t b = a; b <= len; b++) {
			struct heard h = { .stop_after = 0 };
			struct sv_sse s;

			sv_sse_init(&s, hear, &h);
			assert_int_equal(sv_sse_feed(&s, text, a), 0);
			assert_int_equal(sv_sse_feed(&s, text + a, b - a), 0);
			assert_int_equal(sv_sse_feed(&s, text + b, len - b), 0);
			assert_string_equal(h.text, want);
			sv_sse_free(&s);
		}
}

/* Names. */

#define ITEM(id, name) \
	"{\"id\":\"" id "\",\"name\":\"" name "\",\"status\":\"running\",\"version\":1}"
#define LIST(items) "{\"items\":[" items "],\"next_cursor\":null}"
#define NONE        "{\"code\":\"not_found\"}"

static int find(sv_client *c, const char *text, char *id)
{
	void *obj = NULL;
	int r = sv_resolve(c, sv_kind_find("instance"), text, &obj);

	snprintf(id, 64, "%s", r ? "" : ((struct sv_instance *)obj)->id);
	sv_free(obj);
	return r;
}

static void resolves(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char id[64];

	(void)state;
	/* By its name alone. */
	wire_reply(w, 404, NULL, NONE);
	wire_reply(w, 200, NULL, LIST(ITEM("ins_1", "web")));
	assert_int_equal(find(c, "web", id), SV_OK);
	assert_string_equal(id, "ins_1");
	assert_string_equal(w->sent[1].url, "http://api.test/v1/instances?name=web");
	/* By its id, and nobody has that for a name. */
	wire_reply(w, 200, NULL, ITEM("ins_1", "web"));
	wire_reply(w, 200, NULL, LIST(""));
	assert_int_equal(find(c, "ins_1", id), SV_OK);
	/* One's id is the other's name. */
	wire_reply(w, 200, NULL, ITEM("123", "web"));
	wire_reply(w, 200, NULL, LIST(ITEM("ins_9", "123")));
	assert_int_equal(find(c, "123", id), SV_CONFLICT);
	assert_string_equal(sv_client_error(c)->context,
		"{\"candidates\":[{\"id\":\"123\",\"name\":\"web\",\"status\":\"running\"},"
		"{\"id\":\"ins_9\",\"name\":\"123\",\"status\":\"running\"}]}");
	/* A form decides. */
	wire_reply(w, 200, NULL, ITEM("123", "web"));
	assert_int_equal(find(c, "id:123", id), SV_OK);
	assert_string_equal(id, "123");
	wire_reply(w, 200, NULL, LIST(ITEM("ins_9", "123")));
	assert_int_equal(find(c, "name:123", id), SV_OK);
	assert_string_equal(id, "ins_9");
	/* Two of one name. */
	wire_reply(w, 404, NULL, NONE);
	wire_reply(w, 200, NULL, LIST(ITEM("ins_1", "web") "," ITEM("ins_2", "web")));
	assert_int_equal(find(c, "web", id), SV_CONFLICT);
	assert_non_null(strstr(sv_client_error(c)->context, "ins_2"));
	sv_client_free(c);
}

static void match_on_page_three(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char id[64];

	(void)state;
	wire_reply(w, 404, NULL, NONE);
	wire_reply(w, 200, NULL, "{\"items\":[" ITEM("ins_1", "webs") "],\"next_cursor\":\"a\"}");
	wire_reply(w, 200, NULL, "{\"items\":[],\"next_cursor\":\"b\"}");
	wire_reply(w, 200, NULL, LIST(ITEM("ins_3", "web")));
	assert_int_equal(find(c, "web", id), SV_OK);
	assert_string_equal(id, "ins_3");
	sv_client_free(c);
}

/* Neither a beginning nor another case is a match; but it is offered. */
static void near_is_not_it(void **state)
{
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char id[64];

	(void)state;
	wire_reply(w, 404, NULL, NONE);
	wire_reply(w, 200, NULL, LIST(ITEM("ins_1", "trainer")));
	wire_reply(w, 200, NULL, LIST(ITEM("ins_1", "trainer") "," ITEM("ins_2", "other")));
	assert_int_equal(find(c, "trianer", id), SV_NOTFOUND);
	assert_string_equal(sv_client_error(c)->message, "instance \"trianer\" not found");
	assert_non_null(strstr(sv_client_error(c)->suggestion, "trainer (ins_1, running)"));
	wire_reply(w, 404, NULL, NONE);
	wire_reply(w, 200, NULL, LIST(""));
	wire_reply(w, 200, NULL, LIST(ITEM("ins_1", "web")));
	assert_int_equal(find(c, "WEB", id), SV_NOTFOUND);
	assert_non_null(strstr(sv_client_error(c)->suggestion, "web"));
	sv_client_free(c);
}

static void nothing_means_nothing(void **state)
{
	static const char *const bad[] = { "", " ", "\t", "id:", "name: ", NULL };
	struct wire *w;
	sv_client *c = wire_client(&w, NULL);
	char id[64];

	(void)state;
	for (size_t i = 0; i < 6; i++)
		assert_int_equal(find(c, bad[i], id), SV_INVALID);
	assert_int_equal(w->n_sent, 0);
	sv_client_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_item_once),
		cmocka_unit_test(repeated_cursor),
		cmocka_unit_test(no_items),
		cmocka_unit_test(by_operation),
		cmocka_unit_test(operation_fails),
		cmocka_unit_test(by_state),
		cmocka_unit_test(runs_out),
		cmocka_unit_test(resumes_by_id),
		cmocka_unit_test(texts_by_offset),
		cmocka_unit_test(silence_is_a_lost_peer),
		cmocka_unit_test(not_a_stream),
		cmocka_unit_test(any_pieces),
		cmocka_unit_test(resolves),
		cmocka_unit_test(match_on_page_three),
		cmocka_unit_test(near_is_not_it),
		cmocka_unit_test(nothing_means_nothing),
	};

	return cmocka_run_group_tests_name("wait", tests, NULL, NULL);
}
