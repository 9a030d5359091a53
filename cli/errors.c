/* SPDX-License-Identifier: MIT */
/* Errors for people and for programs. */
#include "errors.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "command.h"
#include "out.h"
#include "progress.h"
#include "said.h"
#include "style.h"
#include "jsonstr.h"

#define LINES_MAX 6

/* What is said, before it takes a form. */
struct report {
	struct app *app;
	const struct sv_error *err; /* or NULL */
	const struct call *call; /* whose fields are options, or NULL */
	const char *subject, *message, *near, *hint, *usage, *code;
	int status;
	int first_said; /* the first refused field is the message */
};

static void line(struct text *t, int *left, const char *before, const char *s, const char *after)
{
	if (!*s || *left <= 0)
		return;
	text_str(t, before);
	safe_text(t, s);
	text_fmt(t, "%s\n", after);
	--*left;
}

/* The first is in the message; of several about one field the first is enough. */
static int repeats(const struct report *r, size_t i)
{
	const struct sv_field_error *e = r->err->errors;

	if (!i && (r->first_said || strstr(r->err->message, e->message)))
		return 1;
	for (size_t k = 0; k < i; k++)
		if (!strcmp(e[k].field, e[i].field))
			return 1;
	return 0;
}

/* As it was typed: the cards may have been counted behind their model. */
static void option_of(const struct call *call, const char *field, char *buf, size_t size)
{
	static const char counts[] = "gpu-count";
	size_t n;

	option_of_path(call->in_kind, field, buf, size);
	n = strlen(buf);
	if (call->counted && n >= strlen(counts) && !strcmp(buf + n - strlen(counts), counts))
		snprintf(buf + n - strlen(counts), size - n + strlen(counts), "gpu MODEL:COUNT");
}

static void fields(const struct report *r, struct text *t, int *left)
{
	for (size_t i = 0; r->err && i < r->err->n_errors && i < COUNT(r->err->errors); i++) {
		const struct sv_field_error *e = &r->err->errors[i];
		struct text one = { 0 };
		char name[128];

		if (repeats(r, i))
			continue;
		if (r->call)
			option_of(r->call, e->field, name, sizeof(name));
		else
			snprintf(name, sizeof(name), "%s", e->field);
		text_fmt(&one, "%s%s", name, _(": "));
		said(e->message, &one);
		/* One line is kept for the code. */
		if (*left > 1)
			line(t, left, "  ", text_of(&one), "");
		text_free(&one);
	}
}

/* What an ambiguous name may mean, from the error's context. */
struct candidates {
	struct text *t;
	int *left;
	char id[96], name[96], status[32];
};

static void candidate(void *data, int depth, const char *key, const char *value)
{
	struct candidates *c = data;

	(void)depth;
	if (!strcmp(key, "id"))
		snprintf(c->id, sizeof(c->id), "%s", value);
	else if (!strcmp(key, "name"))
		snprintf(c->name, sizeof(c->name), "%s", value);
	else if (!strcmp(key, "status"))
		snprintf(c->status, sizeof(c->status), "%s", value);
}

static void candidate_end(void *data, int depth)
{
	struct candidates *c = data;
	struct text one = { 0 };

	(void)depth;
	if (!*c->id)
		return;
	text_fmt(&one, "%s (%s%s%s)", c->name, c->id, *c->status ? ", " : "", c->status);
	if (*c->left > 2)
		line(c->t, c->left, "  ", text_of(&one), "");
	text_free(&one);
	c->id[0] = c->name[0] = c->status[0] = '\0';
}

static void candidates(const struct report *r, struct text *t, int *left)
{
	struct candidates c = { .t = t, .left = left };
	struct strings s = { candidate, candidate_end, &c };

	if (r->err && r->err->code == SV_CONFLICT && strstr(r->err->context, "\"candidates\""))
		strings_walk(r->err->context, strlen(r->err->context), &s);
}

static void tail(const struct report *r, struct text *t, int *left)
{
	struct text one = { 0 };

	if (r->code && *r->code)
		text_fmt(&one, _("code %s"), r->code);
	if (one.n && r->err && *r->err->request_id)
		text_str(&one, _(", "));
	if (r->err && *r->err->request_id)
		text_fmt(&one, _("request %s"), r->err->request_id);
	line(t, left, "  ", text_of(&one), "");
	text_free(&one);
}

/* Of several things each message says which it is about. */
static void message(const struct report *r, struct text *ret)
{
	if (r->subject && *r->subject)
		text_fmt(ret, "%s%s", r->subject, _(": "));
	text_str(ret, r->message);
}

static void for_people(const struct report *r)
{
	struct text t = { 0 }, head = { 0 };
	int left = LINES_MAX;

	message(r, &head);
	line(&t, &left, "svctl: ", text_of(&head), "");
	fields(r, &t, &left);
	candidates(r, &t, &left);
	line(&t, &left, _("  Did you mean: "), r->near ? r->near : "", _("?"));
	line(&t, &left, _("  Hint: "), r->hint ? r->hint : "", "");
	line(&t, &left, _("  Usage: "), r->usage ? r->usage : "", "");
	tail(r, &t, &left);
	fputs(text_of(&t), stderr);
	text_free(&t);
	text_free(&head);
}

static void member(struct text *t, const char *name, const char *value)
{
	text_fmt(t, "%s\"%s\":", t->s[t->n - 1] == '{' ? "" : ",", name);
	if (value && *value)
		json_string(t, value);
	else
		text_str(t, "null");
}

static void details(const struct report *r, struct text *t)
{
	text_str(t, ",\"details\":{\"errors\":[");
	for (size_t i = 0; r->err && i < r->err->n_errors && i < COUNT(r->err->errors); i++) {
		struct text told = { 0 };

		text_str(t, i ? ",{" : "{");
		member(t, "field", r->err->errors[i].field);
		member(t, "code", r->err->errors[i].code);
		member(t, "message", said(r->err->errors[i].message, &told));
		text_chr(t, '}');
		text_free(&told);
	}
	text_fmt(t, "],\"context\":%s}", r->err && *r->err->context ? r->err->context : "{}");
}

/* A word for an error of svctl's own. */
static const char *word_of(int status)
{
	static const struct {
		int status;
		const char *word;
	} words[] = { { EXIT_USAGE, "usage" }, { EXIT_SETTINGS, "configuration" },
		{ EXIT_MISSING, "not_found" }, { EXIT_CONFLICT, "conflict" },
		{ EXIT_TIMED_OUT, "timed_out" },
		{ EXIT_UNREACHABLE, "unreachable" }, { EXIT_WORK_FAILED, "failed" },
		{ EXIT_REFUSED, "not_confirmed" } };

	for (size_t i = 0; i < COUNT(words); i++)
		if (words[i].status == status)
			return words[i].word;
	return "error";
}

static void for_programs(const struct report *r)
{
	struct text t = { 0 }, head = { 0 };

	message(r, &head);
	text_str(&t, "{\"error\":{");
	member(&t, "code", r->code && *r->code ? r->code : word_of(r->status));
	member(&t, "message", text_of(&head));
	member(&t, "hint", r->hint);
	text_str(&t, ",\"suggestions\":[");
	if (r->near && *r->near)
		json_string(&t, r->near);
	text_fmt(&t, "],\"http_status\":%d", r->err ? r->err->http_status : 0);
	member(&t, "request_id", r->err ? r->err->request_id : "");
	text_fmt(&t, ",\"exit_code\":%d,\"retryable\":%s", r->status,
		r->err && r->err->retryable ? "true" : "false");
	details(r, &t);
	text_str(&t, "}}\n");
	fputs(text_of(&t), stderr);
	text_free(&t);
	text_free(&head);
}

static int report(const struct report *r)
{
	if (r->app->silent)
		return r->status;
	progress_clear(r->app);
	fflush(stderr);
	if (r->app->json_errors)
		for_programs(r);
	else
		for_people(r);
	return r->status;
}

/* The service's guess has a line of its own; the words before it are ours. */
static const char *guess(const struct sv_error *err, struct text *hold)
{
	static const char before[] = "did you mean ";
	size_t n = strlen(err->suggestion);

	if (strncmp(err->suggestion, before, sizeof(before) - 1) != 0)
		return NULL;
	text_add(hold, err->suggestion + sizeof(before) - 1, n - sizeof(before) + 1);
	if (hold->n && hold->s[hold->n - 1] == '?')
		hold->s[--hold->n] = '\0';
	return text_of(hold);
}

/* Where to look for what was not found: "instance \"x\" not found" -> svctl instance list. */
static const char *look(const struct sv_error *err, struct text *hold)
{
	char noun[32];
	const struct sv_kind *kind;

	snprintf(noun, sizeof(noun), "%.*s", (int)strcspn(err->message, " "), err->message);
	kind = err->code == SV_NOTFOUND ? sv_kind_find(noun) : NULL;
	if (!kind || !sv_verb_find(kind, "list"))
		return "";
	text_fmt(hold, "svctl %s list", kind->name);
	return text_of(hold);
}

/* The word of the first row with this code, for errors that no service sent. */
static const char *own_word(int code)
{
	static const struct {
		int code;
		const char *word;
	} words[] = {
		{ SV_NOMEM, "out_of_memory" },
		{ SV_NET, "unreachable" },
		{ SV_TIMEDOUT, "timed_out" },
		{ SV_PROTO, "not_understood" },
		{ SV_CONFIG, "configuration" },
		{ SV_FAILED, "failed" },
		{ SV_CANCELED, "canceled" },
		{ SV_UNSUPPORTED, "unsupported" },
		{ SV_IO, "io" },
	};

	for (size_t i = 0; i < COUNT(words); i++)
		if (words[i].code == code)
			return words[i].word;
	for (size_t i = 0; sv_error_rows(i); i++)
		if (sv_error_rows(i)->code == code)
			return sv_error_rows(i)->wire;
	return "";
}

static int fail_of(struct app *a, const struct sv_error *err, const char *subject,
	const struct call *call)
{
	struct report r = { .app = a,
		.err = err,
		.subject = subject,
		.hint = err->suggestion,
		.call = call,
		.status = sv_exit_code(err->code),
		.message = *err->message ? err->message : sv_strerror(err->code),
		.code = *err->wire ? err->wire : own_word(err->code) };
	int sig = err->code == SV_CANCELED ? hold_signal() : 0;
	struct text near = { 0 }, where = { 0 }, told = { 0 }, hint = { 0 }, first = { 0 };

	r.near = guess(err, &near);
	r.message = said(r.message, &told);
	r.hint = r.near || !*err->suggestion ? look(err, &where) : said(err->suggestion, &hint);
	if (call && err->n_errors &&
		!strncmp(err->message, err->errors[0].field, strlen(err->errors[0].field))) {
		char name[128];

		option_of(call, err->errors[0].field, name, sizeof(name));
		text_fmt(&first, "%s%s", name, _(": "));
		r.message = said(err->errors[0].message, &first);
		r.first_said = 1;
	}
	if (err->outcome_unknown && !*err->suggestion)
		r.hint = _("it is not known whether this was done; the next svctl asks, and tells");
	if (sig)
		r.status = 128 + sig;
	report(&r);
	text_free(&near);
	text_free(&where);
	text_free(&told);
	text_free(&hint);
	text_free(&first);
	return r.status;
}

int fail(struct app *a, const struct sv_error *err, const char *subject)
{
	return fail_of(a, err, subject, NULL);
}

int fail_call(const struct call *call, const struct sv_error *err, const char *subject)
{
	return fail_of(call->app, err, subject, call->in_flag && call->in_kind ? call : NULL);
}

static int own(struct app *a, int status, const char *hint, const char *fmt, va_list ap)
{
	struct text t = { 0 }, told = { 0 };
	struct report r = { .app = a, .hint = hint, .status = status };

	text_vfmt(&t, fmt, ap);
	r.message = said(text_of(&t), &told);
	report(&r);
	text_free(&t);
	text_free(&told);
	return status;
}

int fail_text(struct app *a, int status, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	own(a, status, NULL, fmt, ap);
	va_end(ap);
	return status;
}

int fail_hint(struct app *a, int status, const char *hint, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	own(a, status, hint, fmt, ap);
	va_end(ap);
	return status;
}

int usage_refused(const struct call *call, const struct sv_error *err)
{
	struct text first = { 0 }, how = { 0 };
	struct report r = { .app = call->app,
		.status = EXIT_USAGE,
		.err = err,
		.call = call,
		.first_said = 1,
		.code = call->app->json_errors ? "usage" : NULL };
	char name[128];

	option_of(call, err->errors[0].field, name, sizeof(name));
	text_fmt(&first, "%s%s", name, _(": "));
	synopsis(call, &how);
	r.message = said(err->errors[0].message, &first);
	r.usage = text_of(&how);
	report(&r);
	text_free(&first);
	text_free(&how);
	return EXIT_USAGE;
}

static int usage(const struct call *call, const char *best, const char *fmt, va_list ap)
{
	struct text t = { 0 }, told = { 0 }, how = { 0 };
	struct report r = { .app = call->app, .status = EXIT_USAGE, .near = best, .code = "usage" };

	text_vfmt(&t, fmt, ap);
	synopsis(call, &how);
	r.message = said(text_of(&t), &told);
	r.usage = text_of(&how);
	if (!call->app->json_errors)
		r.code = NULL;
	report(&r);
	text_free(&t);
	text_free(&told);
	text_free(&how);
	return EXIT_USAGE;
}

int usage_error(const struct call *call, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	usage(call, NULL, fmt, ap);
	va_end(ap);
	return EXIT_USAGE;
}

int usage_near(const struct call *call, const char *best, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	usage(call, best, fmt, ap);
	va_end(ap);
	return EXIT_USAGE;
}

void note(struct app *a, const char *fmt, ...)
{
	struct text t = { 0 }, safe = { 0 };
	va_list ap;

	if (a->given.quiet || a->silent)
		return;
	va_start(ap, fmt);
	text_vfmt(&t, fmt, ap);
	va_end(ap);
	safe_text(&safe, text_of(&t));
	progress_clear(a);
	fprintf(stderr, "svctl: %s\n", text_of(&safe));
	text_free(&t);
	text_free(&safe);
}

int finish_output(struct app *a, int status)
{
	int why;

	pager_end(a);
	why = sink_flush(&a->out);

	sink_init(&a->out, a->out.fd);
	if (!why)
		return status;
	if (why == EPIPE)
		return EXIT_PIPE;
	return fail_text(a, 1, _("write error: %s"), strerror(why));
}
