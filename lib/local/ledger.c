/* SPDX-License-Identifier: MIT */
/* Metering: intervals open, change and close; what they owe is posted. */
#include "local/ledger.h"

#include <stdio.h>
#include <string.h>

#include "local/due.h"
#include "local/ledger-inside.h"

int64_t span_cost(const struct span *s, int64_t at)
{
	return ledger_charge(s->rate, s->per, at - s->began);
}

static int post_to(struct ledger *l, struct span *s, int64_t to)
{
	int64_t owed = span_cost(s, to) - s->posted;
	int rc = owed > 0 ? ledger_spend(l, s, owed, to, NULL) : SV_OK;

	if (!rc)
		rc = ledger_run(l,
			"UPDATE metered SET posted = posted + ?2, posted_to = ?3 WHERE id = ?1",
			"iii", s->id, owed, to);
	if (rc)
		return rc;
	s->posted += owed;
	s->posted_to = to;
	return SV_OK;
}

int span_post(struct ledger *l, struct span *s, int64_t to)
{
	int64_t horizon = ledger_horizon(l, s->account, to), midnight;
	int rc = SV_OK;

	if (to > horizon)
		to = horizon;
	/* No entry is about two days: a budget's period ends at midnight. */
	while (!rc && s->posted_to < to) {
		midnight = (s->posted_to / LEDGER_DAY + 1) * LEDGER_DAY;
		rc = post_to(l, s, midnight < to ? midnight : to);
	}
	return rc;
}

static int close_span(struct ledger *l, struct span *s, int64_t at)
{
	int rc = span_post(l, s, at);

	/* Never before what is posted already: money that was taken is not given back. */
	if (!rc)
		rc = ledger_run(
			l, "UPDATE metered SET ended = posted_to WHERE id = ?1", "i", s->id);
	return rc ? rc : ledger_shift(l, s, -1, 0, at);
}

static int add_labels(struct ledger *l, int64_t id, const struct sv_map *labels)
{
	int rc = SV_OK;

	for (size_t i = 0; !rc && labels && i < labels->n; i++)
		rc = ledger_run(l,
			"INSERT OR REPLACE INTO metered_label(metered, key, value)"
			" VALUES(?1, ?2, ?3)",
			"itt", id, labels->keys[i], labels->values[i]);
	return rc;
}

static int64_t meter_rate(const struct meter *m, int64_t *per)
{
	*per = m->rate_per_month ? LEDGER_MONTH : LEDGER_HOUR;
	return m->rate_per_month ? m->rate_per_month : m->rate_per_hour;
}

static int add_span(struct ledger *l, const struct meter *m, const char *kind, int64_t at)
{
	int64_t per, rate = meter_rate(m, &per), id;
	int rc;

	rc = ledger_run(l,
		"INSERT INTO metered(account, resource, kind, name, gpu, job, rate, per, began,"
		" posted_to) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)",
		"ttttttiii", m->account, m->resource, kind, m->name, m->gpu, m->job, rate, per, at);
	id = sqlite3_last_insert_rowid(store_db(l->s));
	return rc ? rc : add_labels(l, id, m->labels);
}

/* The minute's tick runs while anything is open; it keeps itself going. */
static int tick(struct ledger *l, int64_t at)
{
	return ledger_metering(l) ? SV_OK : due_set(l->s, "ledger", "post", (at / 60 + 1) * 60);
}

static int note_start(struct ledger *l, const struct meter *m, int64_t at)
{
	int64_t per, rate = meter_rate(m, &per),
		     least = m->minimum_seconds > 0 ? at + m->minimum_seconds : 0;

	return ledger_run(l,
		"INSERT INTO started(resource, account, began, least_until, rate, per)"
		" VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(resource) DO UPDATE SET rate = ?5, "
		"per = ?6,"
		" paused = NULL",
		"ttiiii", m->resource, m->account, at, least, rate, per);
}

struct start {
	int64_t least_until, rate, per;
	char account[64];
};

static int start_of(struct ledger *l, const char *resource, struct start *ret)
{
	sqlite3_stmt *st = ledger_stmt(l,
		"SELECT least_until, rate, per, account FROM started WHERE resource = ?1", "t",
		resource);
	int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

	*ret = (struct start){ .per = LEDGER_HOUR };
	if (rc == SQLITE_ROW) {
		ret->least_until = sqlite3_column_int64(st, 0);
		ret->rate = sqlite3_column_int64(st, 1);
		ret->per = sqlite3_column_int64(st, 2);
		snprintf(ret->account, sizeof(ret->account), "%s",
			(const char *)sqlite3_column_text(st, 3));
	}
	if (st)
		sqlite3_reset(st);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}

/* One more is open; its start's minimum is promised. */
static int opened(struct ledger *l, const struct meter *m, int64_t at)
{
	struct span s = { .began = at };
	struct start from = { .least_until = 0 };
	int rc = SV_OK;

	s.rate = meter_rate(m, &s.per);
	snprintf(s.account, sizeof(s.account), "%s", m->account);
	if (!strcmp(m->kind, "compute"))
		rc = start_of(l, m->resource, &from);
	return rc ? rc
		  : ledger_shift(l, &s, 1, ledger_charge(s.rate, s.per, from.least_until - at), at);
}

static int forget_suspended(struct ledger *l, const char *resource, const char *kind)
{
	return ledger_run(l,
		"UPDATE metered SET suspended = 0 WHERE resource = ?1 AND suspended = 1"
		" AND (?2 IS NULL OR kind = ?2)",
		"tt", resource, kind);
}

int ledger_meter(struct ledger *l, const struct meter *m, int64_t at)
{
	int64_t per, rate = meter_rate(m, &per);
	struct spans open;
	int rc = rate < 0 ? SV_INVALID : ledger_bring(l, m->account, at);

	if (rc)
		return rc;
	rc = spans_open(l, NULL, m->resource, m->kind, &open);
	if (rc)
		return rc;
	if (open.n && open.v[0].rate == rate && open.v[0].per == per)
		goto out;
	if (open.n) {
		if (at < open.v[0].posted_to)
			at = open.v[0].posted_to;
		rc = close_span(l, &open.v[0], at);
	}
	if (!rc)
		rc = forget_suspended(l, m->resource, m->kind);
	if (!rc)
		rc = tick(l, at);
	if (!rc)
		rc = add_span(l, m, m->kind, at);
	if (!rc && !strcmp(m->kind, "compute"))
		rc = note_start(l, m, at);
	if (!rc)
		rc = opened(l, m, at);
out:
	spans_free(&open);
	return rc;
}

int ledger_charge_once(
	struct ledger *l, const struct meter *m, int64_t amount, int64_t at, const char *note)
{
	int64_t per, rate = meter_rate(m, &per), most;
	struct span s = { .began = at };
	int rc = amount < 0 ? SV_INVALID : ledger_bring(l, m->account, at);

	if (rc)
		return rc;
	most = ledger_cash(l, m->account) + ledger_credit_left(l, m->account);
	if (ledger_scoped(l, m->account))
		rc = ledger_available_for(l, m->account, m->gpu, m->kind, at, &most);
	if (rc)
		return rc;
	if (amount > most)
		amount = most;
	rc = ledger_run(l,
		"INSERT INTO metered(account, resource, kind, name, gpu, job, rate, per, began,"
		" ended, posted, posted_to, once) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9, "
		"?10, ?9, 1)",
		"ttttttiiii", m->account, m->resource, m->kind, m->name, m->gpu, m->job, rate, per,
		at, amount);
	s.id = sqlite3_last_insert_rowid(store_db(l->s));
	snprintf(s.account, sizeof(s.account), "%s", m->account);
	snprintf(s.resource, sizeof(s.resource), "%s", m->resource);
	snprintf(s.kind, sizeof(s.kind), "%s", m->kind);
	snprintf(s.gpu, sizeof(s.gpu), "%s", m->gpu ? m->gpu : "");
	if (!rc)
		rc = add_labels(l, s.id, m->labels);
	if (!rc && amount)
		rc = ledger_spend(l, &s, amount, at, note);
	return rc ? rc : ledger_shift(l, &s, 0, amount, at);
}

static int gpu_of(struct ledger *l, int64_t id, char *buf, size_t size)
{
	sqlite3_stmt *st = ledger_stmt(
		l, "SELECT gpu FROM metered WHERE id = ?1 AND gpu IS NOT NULL", "i", id);
	int rc = st ? sqlite3_step(st) : SQLITE_ERROR;

	if (rc == SQLITE_ROW)
		snprintf(buf, size, "%s", (const char *)sqlite3_column_text(st, 0));
	if (st)
		sqlite3_reset(st);
	return rc == SQLITE_ROW || rc == SQLITE_DONE ? SV_OK : SV_SERVER;
}

/* The shortfall goes under the name, the card and the labels of the start's last interval. */
static int charge_shortfall(
	struct ledger *l, const char *resource, const struct start *s, int64_t at)
{
	int64_t amount = ledger_charge(s->rate, s->per, s->least_until - at), last;
	struct meter m = { .account = s->account, .resource = resource, .kind = "minimum" };
	char gpu[64] = "";
	int rc;

	if (s->per == LEDGER_MONTH)
		m.rate_per_month = s->rate;
	else
		m.rate_per_hour = s->rate;
	rc = ledger_int(
		ledger_stmt(l,
			"SELECT max(id) FROM metered WHERE resource = ?1 AND kind = 'compute'", "t",
			resource),
		0, &last);
	if (!rc)
		rc = gpu_of(l, last, gpu, sizeof(gpu));
	m.gpu = gpu;
	if (!rc)
		rc = ledger_charge_once(l, &m, amount, at, "rest of the minimum time");
	if (!rc)
		rc = ledger_run(l,
			"UPDATE metered SET (name, gpu, job) ="
			" (SELECT name, gpu, job FROM metered WHERE id = ?1)"
			" WHERE id = (SELECT max(id) FROM metered WHERE resource = ?2)",
			"it", last, resource);
	if (!rc)
		rc = ledger_run(l,
			"INSERT INTO metered_label(metered, key, value) SELECT"
			" (SELECT max(id) FROM metered WHERE resource = ?2), key, value"
			" FROM metered_label WHERE metered = ?1",
			"it", last, resource);
	return rc;
}

static int end_start(struct ledger *l, const char *resource, int64_t at)
{
	struct start s;
	int rc = start_of(l, resource, &s);

	if (rc || !*s.account)
		return rc;
	rc = ledger_run(l, "DELETE FROM started WHERE resource = ?1", "t", resource);
	if (!rc && s.least_until > at)
		rc = charge_shortfall(l, resource, &s, at);
	/* What was promised is not any more. */
	return rc || !s.least_until ? rc : ledger_touch(l, s.account, at);
}

/* Closes what is open of a resource; *at becomes the second at which it really ended. */
static int close_open(struct ledger *l, const char *resource, const char *kind, int64_t *at)
{
	struct spans open;
	int rc = spans_open(l, NULL, resource, kind, &open);

	if (!rc && open.n)
		rc = ledger_bring(l, open.v[0].account, *at);
	if (!rc && open.n) {
		/* Credit that expired on the way has been posted against: read again. */
		spans_free(&open);
		rc = spans_open(l, NULL, resource, kind, &open);
	}
	for (size_t i = 0; !rc && i < open.n; i++)
		rc = close_span(l, &open.v[i], *at);
	if (!rc && open.n && open.v[0].posted_to)
		*at = open.v[0].posted_to;
	spans_free(&open);
	return rc;
}

int ledger_close(struct ledger *l, const char *resource, const char *kind, int64_t at)
{
	int64_t ended = at;
	int rc = SV_OK;

	if (!kind || !strcmp(kind, "compute")) {
		rc = close_open(l, resource, "compute", &ended);
		if (!rc)
			rc = end_start(l, resource, ended);
	}
	if (!rc && (!kind || strcmp(kind, "compute")))
		rc = close_open(l, resource, kind, &at);
	return rc ? rc : forget_suspended(l, resource, kind);
}

int ledger_pause(struct ledger *l, const char *resource, int64_t at)
{
	int rc = ledger_run(
		l, "UPDATE started SET paused = ?2 WHERE resource = ?1", "ti", resource, at);

	return rc ? rc : close_open(l, resource, "compute", &at);
}

int ledger_post(struct ledger *l, int64_t now)
{
	struct spans open;
	int rc = spans_open(l, NULL, NULL, NULL, &open);

	for (size_t i = 0; !rc && i < open.n; i++) {
		if (!i || strcmp(open.v[i].account, open.v[i - 1].account))
			rc = ledger_bring(l, open.v[i].account, now);
	}
	if (!rc) {
		spans_free(&open);
		rc = spans_open(l, NULL, NULL, NULL, &open);
	}
	for (size_t i = 0; !rc && i < open.n; i++)
		rc = span_post(l, &open.v[i], now);
	/* Which voucher paid for what is known now: the end may be another one. */
	for (size_t i = 0; !rc && i < open.n; i++)
		if ((!i || strcmp(open.v[i].account, open.v[i - 1].account) != 0) &&
			ledger_scoped(l, open.v[i].account))
			rc = ledger_touch(l, open.v[i].account, now);
	spans_free(&open);
	return rc ? rc : ledger_heartbeat(l, now);
}

int ledger_suspend(struct ledger *l, const char *account, int64_t at)
{
	struct spans open;
	int rc = spans_open(l, account, NULL, NULL, &open);

	for (size_t i = 0; !rc && i < open.n; i++) {
		if (!strcmp(open.v[i].kind, "compute"))
			continue;
		rc = close_span(l, &open.v[i], at);
		if (!rc)
			rc = ledger_run(l, "UPDATE metered SET suspended = 1 WHERE id = ?1", "i",
				open.v[i].id);
	}
	spans_free(&open);
	return rc ? rc : ledger_touch(l, account, at);
}

int ledger_resume(struct ledger *l, const char *account, int64_t at)
{
	int64_t some;
	int rc = ledger_int(
		ledger_stmt(l, "SELECT max(id) FROM metered WHERE account = ?1 AND suspended = 1",
			"t", account),
		0, &some);

	if (rc || !some)
		return rc;
	rc = tick(l, at);
	if (!rc)
		rc = ledger_run(l,
			"INSERT INTO metered(account, resource, kind, name, gpu, job, rate, per,"
			" began, posted_to) SELECT account, resource, kind, name, gpu, job, rate, "
			"per,"
			" max(?2, ended), max(?2, ended) FROM metered WHERE account = ?1 AND "
			"suspended = 1",
			"ti", account, at);
	if (!rc)
		rc = ledger_run(l,
			"INSERT INTO metered_label(metered, key, value)"
			" SELECT n.id, b.key, b.value FROM metered o JOIN metered n ON n.resource "
			"= o.resource"
			" AND n.kind = o.kind AND n.ended IS NULL JOIN metered_label b ON "
			"b.metered = o.id"
			" WHERE o.account = ?1 AND o.suspended = 1",
			"t", account);
	if (!rc)
		rc = ledger_run(l,
			"UPDATE metered SET suspended = 0 WHERE account = ?1 AND suspended = 1",
			"t", account);
	return rc;
}
