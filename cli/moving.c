/* SPDX-License-Identifier: MIT */
/* What moving objects looks like: a bar with rate and time left on a terminal, a line now and then
 * elsewhere, rows as the answer. */
#include <stdio.h>
#include <string.h>

#include "errors.h"
#include "generic.h"
#include "progress.h"
#include "storage.h"

#define BAR_MS  100
#define LINE_MS 10000
#define CELLS   20

#define ROW(m, t, h, f) \
	{ \
		.name = #m, .help = h, .offset = offsetof(struct move, m), .type = t, .flags = f \
	}

static const struct sv_field move_fields[] = {
	ROW(action, SV_STR, "what is done", SV_COL),
	ROW(source, SV_STR, "from where", SV_COL),
	ROW(target, SV_STR, "to where", SV_COL | SV_NAME),
	ROW(size_bytes, SV_BYTES, "bytes it holds", SV_COL),
	ROW(sent_bytes, SV_BYTES, "bytes that went over the wire", SV_WIDE),
	ROW(resumed_bytes, SV_BYTES, "bytes that an earlier attempt had moved", SV_WIDE),
	ROW(etag, SV_STR, "names the contents", SV_WIDE),
};
const struct sv_kind move_kind = { .name = "move",
	.help = "an object that was moved",
	.fields = move_fields,
	.n = COUNT(move_fields),
	.size = sizeof(struct move) };

int moving_begin(struct moving *m, struct call *call)
{
	*m = (struct moving){ .call = call, .dry = opt_on(call, OPT_DRY_RUN) };
	return out_open(&m->out, call, &move_kind, 1);
}

int moving_end(struct moving *m, int rc)
{
	struct app *a = m->call->app;

	progress_clear(a);
	mem_free(m->what);
	m->what = NULL;
	if (!rc && m->failed)
		rc = m->failed + m->done > 1 ? EXIT_SOME : m->status;
	/* What went well before a failure is told, too. */
	if (m->silent || (rc && !m->done))
		out_drop(&m->out);
	else if (out_close(&m->out) && !rc)
		rc = 1;
	return rc;
}

static int64_t ms_since(const struct timespec *t)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)(now.tv_sec - t->tv_sec) * 1000 + (now.tv_nsec - t->tv_nsec) / 1000000;
}

void text_amount(struct text *t, int64_t bytes)
{
	static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
	int64_t whole = bytes, part = 0;
	size_t u = 0;

	for (; whole >= 1024 && u + 1 < COUNT(units); u++) {
		part = whole % 1024 * 10 / 1024;
		whole /= 1024;
	}
	if (u && whole < 100)
		text_fmt(t, "%lld.%lld %s", (long long)whole, (long long)part, units[u]);
	else
		text_fmt(t, "%lld %s", (long long)whole, units[u]);
}

static void bar(struct text *t, int64_t done, int64_t total, int cells)
{
	int full = total ? (int)(done * cells / total) : cells;

	text_str(t, " [");
	for (int i = 0; i < cells; i++)
		text_chr(t, i < full ? '#' : ' ');
	text_fmt(t, "] %3d%%", total ? (int)(done * 100 / total) : 100);
}

/* With a bar of so many cells; 0 is none. */
static void describe(const struct moving *m, struct text *t, int cells)
{
	int64_t ms = ms_since(&m->begun), moved = m->last - m->first, rate;

	safe_text(t, m->what);
	if (m->total >= 0 && cells)
		bar(t, m->last, m->total, cells);
	text_str(t, cells ? " " : ": ");
	text_amount(t, m->last);
	if (m->total >= 0) {
		text_str(t, _(" of "));
		text_amount(t, m->total);
	}
	if (ms < 200 || moved <= 0)
		return;
	rate = moved * 1000 / ms;
	text_str(t, ", ");
	text_amount(t, rate);
	text_str(t, "/s");
	if (m->total > m->last && rate) {
		int64_t left = (m->total - m->last) / rate;

		text_fmt(t, _(", %lld:%02lld left"), (long long)left / 60, (long long)left % 60);
	}
}

/* The bar gives way before a figure is cut. */
static void rewrite(const struct moving *m)
{
	struct app *a = m->call->app;
	size_t room = a->width > 1 ? (size_t)a->width - 1 : 79, width;
	struct text t = { 0 };

	describe(m, &t, CELLS);
	width = text_width(t.s, t.n);
	if (width > room) {
		t.n = 0;
		describe(m, &t, width - room < CELLS - 4 ? CELLS - (int)(width - room) : 0);
	}
	fprintf(stderr, "\r%.*s\033[K", (int)text_fit(t.s, t.n, room), t.s);
	a->progress_open = 1;
	text_free(&t);
}

static void progress(void *data, int64_t done, int64_t total)
{
	struct moving *m = data;
	struct app *a = m->call->app;
	int on_terminal = a->err_tty && a->env.term && strcmp(a->env.term, "dumb") != 0;
	struct text t = { 0 };

	if (m->first < 0)
		m->first = done;
	m->last = done;
	m->total = total;
	if (a->given.quiet || a->json_errors ||
		ms_since(&m->said) < (on_terminal ? BAR_MS : LINE_MS))
		return;
	clock_gettime(CLOCK_MONOTONIC, &m->said);
	if (on_terminal) {
		rewrite(m);
	} else {
		describe(m, &t, 0);
		fprintf(stderr, "%s\n", text_of(&t));
	}
	fflush(stderr);
	text_free(&t);
}

static void remark(void *data, const char *text)
{
	struct moving *m = data;

	progress_clear(m->call->app);
	if (!m->call->app->json_errors)
		note(m->call->app, "%s", text);
}

/* A size in bytes from an option. */
static int size_option(struct call *call, int id, int64_t *ret)
{
	const struct sv_field *f = &move_fields[3];
	struct move one = { .size_bytes = 0 };
	struct sv_error err = { 0 };

	if (!opt_value(call, id))
		return 0;
	if (sv_field_parse(&one, &one, f, opt_value(call, id), &err))
		return usage_error(call, "--part-size: %s", err.message);
	*ret = one.size_bytes;
	return 0;
}

struct sv_transfer *moving_transfer(struct moving *m, const char *what)
{
	struct sv_transfer *t = sv_transfer_new();
	int64_t connections = 0;

	if (!t)
		return NULL;
	if (opt_int(m->call, OPT_PARALLEL, 0, &connections) ||
		size_option(m->call, OPT_PART_SIZE, &t->part_bytes)) {
		sv_free(t);
		return NULL;
	}
	if (opt_value(m->call, OPT_PARALLEL) && (connections < 1 || connections > 16)) {
		usage_error(m->call, _("--parallel: must be from 1 to 16"));
		sv_free(t);
		return NULL;
	}
	t->connections = (int)connections;
	t->fresh = opt_off(m->call, OPT_RESUME);
	t->progress = progress;
	t->note = remark;
	t->data = m;
	mem_free(m->what);
	m->what = mem_dup(what, strlen(what));
	m->first = -1;
	m->last = 0;
	m->total = -1;
	clock_gettime(CLOCK_MONOTONIC, &m->begun);
	m->said = m->begun;
	return t;
}

static void put(struct move *row, size_t i, const char *text)
{
	const char **at = (const char **)(void *)((char *)row + move_fields[i].offset);

	if (!text)
		return;
	*at = text;
	sv_field_mark(&move_fields[i], row);
}

static void put_number(struct move *row, size_t i, int64_t v)
{
	*(int64_t *)(void *)((char *)row + move_fields[i].offset) = v;
	sv_field_mark(&move_fields[i], row);
}

int moving_done(struct moving *m, const char *action, const char *source, const char *target,
	const struct sv_bucket_object *o, const struct sv_transfer *t)
{
	struct move *row;
	int rc;

	progress_clear(m->call->app);
	m->done++;
	if (m->silent)
		return 0;
	row = sv_new(&move_kind);
	put(row, 0, action);
	put(row, 1, source);
	put(row, 2, target);
	if (o && sv_has(o, size_bytes))
		put_number(row, 3, o->size_bytes);
	if (t && !m->dry) {
		put_number(row, 4, t->sent_bytes);
		put_number(row, 5, t->resumed_bytes);
	}
	put(row, 6, o ? o->etag : NULL);
	rc = out_item(&m->out, row);
	sv_free(row);
	return rc;
}

int moving_failed(struct moving *m, const char *subject)
{
	struct app *a = m->call->app;
	int status;

	progress_clear(a);
	if (hold_signal())
		return 128 + hold_signal();
	/* stdout took no more: that is told at the end. */
	if (a->out.error)
		return 1;
	status = fail(a, sv_client_error(a->client), subject);
	if (!m->failed++)
		m->status = status;
	/* Others would fare no better. */
	switch (sv_client_error(a->client)->code) {
	case SV_AUTH:
	case SV_CONFIG:
	case SV_NET: return status;
	default: return 0;
	}
}

int moving_missing(struct moving *m, const char *subject)
{
	int status = fail_text(m->call->app, EXIT_MISSING, _("nothing lies below %s"), subject);

	if (!m->failed++)
		m->status = status;
	return 0;
}

void moving_stopped(struct moving *m)
{
	struct app *a = m->call->app;
	struct text t = { 0 };

	progress_clear(a);
	if (a->json_errors || !m->what)
		return;
	describe(m, &t, 0);
	fprintf(stderr, _("svctl: stopped: %s\n"), text_of(&t));
	if (m->total >= 0)
		fputs(_("  The same command goes on from there.\n"), stderr);
	text_free(&t);
}
