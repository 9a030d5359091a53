/* SPDX-License-Identifier: MIT */
/* instance logs, job logs, event follow. */
#include <stdio.h>
#include <string.h>

#include <starverse/client.h>
#include <starverse/op.h>

#include "command.h"
#include "errors.h"
#include "generic.h"

/* Bytes for a pipe as they are; for a terminal with their controls shown, but lines and tabs left.
 */
static void show(struct app *a, const char *s, size_t len)
{
	if (!a->out_tty) {
		sink_add(&a->out, s, len);
		return;
	}
	for (size_t n; len; s += n, len -= n) {
		struct text line = { 0 }, safe = { 0 };
		const char *end = memchr(s, '\n', len);
		size_t body = end ? (size_t)(end - s) : len, text = body;

		n = body + (end != NULL);
		while (text && s[text - 1] == '\r')
			text--;
		for (size_t i = 0; i < text; i++)
			text_chr(&line, s[i] ? s[i] : ' ');
		safe_text(&safe, text_of(&line));
		sink_add(&a->out, text_of(&safe), safe.n);
		sink_str(&a->out, end ? "\n" : "");
		text_free(&line);
		text_free(&safe);
	}
}

static int record(void *data, const char *id, const char *type, const char *text, size_t len)
{
	struct app *a = data;

	(void)id;
	(void)type;
	show(a, text, len);
	return sink_flush(&a->out) || hold_signal();
}

static void *query(struct call *call, const struct sv_verb *verb, int follow, int *status)
{
	const struct sv_field *f = sv_field_find(verb->query, "follow"),
			      *o = sv_field_find(verb->query, "offset");
	const char *from = opt_value(call, OPT_OFFSET);
	struct sv_error err = { 0 };
	void *q = sv_new(verb->query);

	if (follow && f)
		sv_field_parse(q, q, f, "true", &err);
	if (from && o && sv_field_parse(q, q, o, from, &err))
		*status = usage_error(call, "--offset: %s", err.message);
	return q;
}

static int stream(struct call *call, const struct sv_verb *verb, const char *id, const void *in,
	sv_record *record_fn, void *data)
{
	const char *args[2] = { id, NULL };
	sv_client *c = call->app->client;
	struct hold hold = { 0 };
	sv_op *op;
	int rc = 0;

	hold_begin(call->app, &hold);
	op = sv_stream(c, verb, id ? args : NULL, in, record_fn, NULL, data);
	if (!op)
		rc = fail_call(call, sv_client_error(c), id);
	while (op && !sv_op_done(op) && !hold_signal())
		sv_pump(c, 1000);
	if (hold_signal())
		rc = 128 + hold_signal();
	else if (op && !call->app->out.error && sv_op_error(op)->code)
		rc = fail_call(call, sv_op_error(op), id);
	if (op)
		sv_finish(op, NULL);
	hold_end(call->app, &hold);
	return rc;
}

/* An event as a line: objects for programs, words for people; each goes out at once. */
static int event(void *data, const char *id, const char *type, const char *text, size_t len)
{
	struct call *call = data;
	const struct sv_kind *kind = call->kind;
	struct app *a = call->app;
	struct text t = { 0 };
	struct sv_error err;
	void *obj = NULL;

	(void)id;
	(void)type;
	if (sv_from_json(kind, text, len, &obj, &err))
		return 0; /* a word of the stream itself */
	if (a->json_errors) {
		json_object(a, kind, obj, SV_WALK_ALL, 0, 0);
		sink_chr(&a->out, '\n');
	} else {
		for (uint32_t i = 0; i < kind->n; i++) {
			struct column c = { .way = { &kind->fields[i] }, .n = 1 };
			struct out o = { .app = a };

			if (!(kind->fields[i].flags & SV_COL))
				continue;
			text_str(&t, t.n ? "   " : "");
			column_human(&o, &c, obj, &t);
		}
		sink_fmt(&a->out, "%s\n", text_of(&t));
	}
	text_free(&t);
	sv_free(obj);
	return sink_flush(&a->out) || hold_signal();
}

int cmd_event_follow(struct call *call)
{
	const struct sv_verb *verb = sv_verb_find(call->kind, "follow");
	struct sv_error err;
	int status = 0;

	if (call->plain.n)
		return usage_error(call, _("one word too many: %s"), call->plain.v[0]);
	if (!app_client(call->app, &status))
		return status;
	if (!call->in)
		call->in = sv_new(call->in_kind);
	sv_field_parse(call->in, call->in, sv_field_find(call->in_kind, "follow"), "true", &err);
	return stream(call, verb, NULL, call->in, event, call);
}

int follow_log(struct call *call, const struct sv_kind *kind, const char *id)
{
	const struct sv_verb *verb = sv_verb_find(kind, "logs");
	int status = 0, rc;
	void *q = query(call, verb, 1, &status);

	rc = status ? status : stream(call, verb, id, q, record, call->app);
	sv_free(q);
	return rc;
}

int cmd_logs(struct call *call)
{
	const struct sv_verb *verb = sv_verb_find(call->kind, "logs");
	void *obj = NULL, *q;
	int status = 0, rc;

	if (call->plain.n != 1)
		return usage_error(call, _("which %s?"), call->kind->name);
	q = query(call, verb, opt_on(call, OPT_FOLLOW), &status);
	rc = status ? status : resolve(call, call->kind, call->plain.v[0], &obj);
	if (!rc)
		rc = stream(call, verb, id_of(call->kind, obj), q, record, call->app);
	sv_free(obj);
	sv_free(q);
	return rc;
}
