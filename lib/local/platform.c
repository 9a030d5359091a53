/* SPDX-License-Identifier: MIT */
/* The platform: requests in, answers out, and the turn in which everything else happens. */
#include "local/platform.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/time.h"
#include "local/admin.h"
#include "local/auth.h"
#include "local/call.h"
#include "local/catalog.h"
#include "local/due.h"
#include "local/fault.h"
#include "local/feed.h"
#include "local/flow.h"
#include "local/group.h"
#include "local/idempotency.h"
#include "local/instance.h"
#include "local/job.h"
#include "local/ledger.h"
#include "local/storage.h"
#include "local/scope.h"
#include "local/stream.h"
#include "local/webhook.h"
#include "model/json.h"

#define TURN_MS       1000 /* the longest sleep between two turns */
#define IDLE_SECONDS  3600 /* what falls due sooner keeps the daemon */
#define SETTLE_ROUNDS 64   /* turns within one step, until nothing moves any more */

void platform_log(struct platform *p, const char *fmt, ...)
{
	char line[700];
	va_list ap;

	if (!p->log)
		return;
	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	p->log(p->log_data, line);
}

void platform_wake(struct platform *p, const char *id)
{
	feed_wake(p->feed, id);
}

static void changed(void *data, const char *id)
{
	feed_wake(((struct platform *)data)->feed, id);
}

static int refused(char *message, size_t size, int rc, const char *what)
{
	if (!*message)
		snprintf(message, size, "%s: %s", what, sv_strerror(rc));
	return rc;
}

/* What fell due while nobody was there is done at its own second, before anybody is answered. */
static int catch_up(struct platform *p, char *message, size_t size)
{
	int rc = idempotency_recover(p);

	if (rc == SV_OK)
		rc = instances_adopt(p);
	if (rc == SV_OK)
		rc = flow_resume_all(p);
	if (rc == SV_OK)
		rc = jobs_open(p);
	if (rc == SV_OK)
		rc = groups_open(p);
	if (rc == SV_OK)
		rc = due_run(p, platform_now(p));
	if (rc == SV_OK)
		rc = ledger_post(p->ledger, platform_now(p));
	if (rc == SV_OK)
		rc = platform_commit(p);
	p->sweep = 1;
	return rc ? refused(message, size, rc, "the state cannot be taken up") : SV_OK;
}

int platform_open(struct platform *p, char *message, size_t size)
{
	int rc;

	if (size)
		*message = '\0';
	p->feed = feed_new();
	rc = p->feed ? routes_new(&p->routes) : SV_NOMEM;
	if (rc == SV_OK)
		rc = ledger_open_tables(p->store, &p->ledger);
	if (rc)
		return refused(message, size, rc, "the ledger cannot be opened");
	store_watch(p->store, changed, p);
	p->webhook_wake = 1;
	if (p->catalog)
		rc = catalog_publish(p, p->catalog);
	return rc ? refused(message, size, rc, "the catalogue cannot be published")
		  : catch_up(p, message, size);
}

void platform_close(struct platform *p)
{
	store_watch(p->store, NULL, NULL);
	flow_close(p);
	webhook_close(p);
	jobs_close(p);
	instance_execs_free(p);
	fault_free(p);
	storage_used_free(p);
	ledger_free(p->ledger);
	routes_free(p->routes);
	feed_free(p->feed);
	p->ledger = NULL;
	p->routes = NULL;
	p->feed = NULL;
}

/* An idempotency key is no resource: its one request stands here. */
static int is_key_query(const struct path *path, const char *method)
{
	return path->n == 3 && !strcmp(path->segments[0], "v1") &&
	       !strcmp(path->segments[1], "idempotency_keys") && route_method(method) == SV_GET;
}

static int json_type(const char *type)
{
	return type && !strncmp(type, "application/json", 16) &&
	       (!type[16] || type[16] == ';' || type[16] == ' ');
}

/* What a browser's page may send without being asked is not taken over TCP; on the owner's socket
 * curl -d may be lazy. */
static int check_type(const struct request *rq, struct sv_error *err)
{
	if (rq->trusted || !rq->body_len || json_type(rq->content_type))
		return SV_OK;
	sv_err(err, SV_INVALID, "Content-Type must be application/json");
	err->http_status = 415;
	return SV_INVALID;
}

static int find(struct platform *p, const struct request *rq, const struct path *path,
	struct route_match *m, struct sv_error *err)
{
	if (routes_find(p->routes, route_method(rq->method), path, m))
		return SV_OK;
	if (*m->allow) {
		sv_err(err, SV_INVALID, "%.20s is not possible here; possible: %s", rq->method,
			m->allow);
		err->http_status = 405;
		return SV_INVALID;
	}
	return sv_err(err, SV_NOTFOUND, "no such request: %.20s %.200s", rq->method, rq->path);
}

static int handle(struct platform *p, struct request *rq, struct reply *rp, struct sv_error *err)
{
	struct path path;
	struct route_match m;
	char account[64] = "";
	int rc = path_cut(rq->path, &path, err);

	if (rc)
		return rc;
	if (path.n && !strcmp(path.segments[0], "local") && rq->trusted && !rq->instance)
		return admin_handle(p, &path, rq, rp, err);
	memset(&m, 0, sizeof(m));
	rc = is_key_query(&path, rq->method) ? SV_OK : find(p, rq, &path, &m, err);
	if (rc == SV_OK && !(m.verb && m.verb->flags & SV_NOKEY))
		rc = auth_account(p, rq, account, sizeof(account), err);
	if (rc == SV_OK)
		rc = check_type(rq, err);
	if (rc == SV_OK && !m.verb)
		return rq->instance ? sv_err(err, SV_DENIED, "not from inside an instance")
				    : idempotency_answer(p, account, path.segments[2], rp, err);
	if (rc == SV_OK)
		rc = scope_check(p, rq, account, &m, err);
	return rc ? rc : call_run(p, &m, rq, account, rp, err);
}

static int of_status(int status, struct sv_error *err)
{
	const struct sv_error_row *row = sv_err_of_status(status);

	sv_err(err, row->code, "a failure that was asked for");
	snprintf(err->wire, sizeof(err->wire), "%s", row->wire);
	err->http_status = status;
	return row->code;
}

void reply_problem(struct reply *rp, struct sv_error *err, const struct request *rq)
{
	const struct sv_error_row *row = sv_err_of_wire(err->wire);

	if (!row || !row->http_status)
		row = sv_err_of_wire("internal");
	rp->kind = REPLY_DONE;
	rp->status = err->http_status ? err->http_status : row->http_status;
	rp->content_type = "application/problem+json";
	if (rp->status == 429 || rp->status == 503) {
		err->retryable = 1;
		rp->retry_after = err->retry_after_ms >= 0 ? (err->retry_after_ms + 999) / 1000 : 1;
		err->retry_after_ms = rp->retry_after * 1000;
	} else if (rp->status >= 500) {
		err->retryable = 1;
	}
	sv_buf_reset(&rp->body);
	sv_write_problem(&rp->body, err, rq->request_id);
}

void platform_handle(struct platform *p, struct request *rq, struct reply *rp)
{
	struct sv_error err;
	int rc, status = -1;

	p->active = 1;
	memset(rp, 0, sizeof(*rp));
	sv_buf_init(&rp->body, SV_MAX_REPLY);
	rp->status = 200;
	rp->retry_after = -1;
	rp->content_type = "application/json";
	sv_err_clear(&err);
	if (!*rq->request_id) {
		memcpy(rq->request_id, "req_", 4);
		store_random(p->store, rq->request_id + 4, 16);
	}
	if (!rq->wait_until_ms)
		fault_take(p, rq->method, rq->path, &status);
	rc = status > 0 ? of_status(status, &err) : handle(p, rq, rp, &err);
	if (rc == SV_OK && rp->body.failed)
		rc = sv_err_wire(&err, "internal", "the answer is too large");
	if (rc)
		reply_problem(rp, &err, rq);
	if (status == 0)
		rp->status = 0;
}

void reply_free(struct reply *rp)
{
	stream_free(rp->stream);
	rp->stream = NULL;
	sv_buf_free(&rp->body);
}

int platform_commit(struct platform *p)
{
	int rc = store_commit(p->store);

	if (rc == SV_OK) {
		feed_publish(p->feed, sv_mono_ms());
		return SV_OK;
	}
	p->undone++;
	platform_log(p, "a turn could not be committed: %s", store_error(p->store));
	feed_discard(p->feed);
	flow_undone(p);
	return rc;
}

/* While something is metered each second counts: what is billed after a crash ends where this was
 * last written. */
static int heartbeat(struct platform *p, int64_t now)
{
	if (now == p->beat_at || !ledger_busy(p->ledger))
		return SV_OK;
	p->beat_at = now;
	return ledger_heartbeat(p->ledger, now);
}

int platform_turn(struct platform *p)
{
	int64_t now = platform_now(p), next, left = TURN_MS;

	if (p->ops->tick)
		p->ops->tick(p->engine);
	flow_turn(p);
	jobs_turn(p);
	if (!p->clock.stepped) {
		due_run(p, now);
		heartbeat(p, now);
	}
	groups_turn(p);
	if (!platform_commit(p)) {
		storage_sweep(p);
		webhook_turn(p);
	}
	next = p->clock.stepped ? -1 : due_next(p->store);
	if ((next >= 0 && next <= now) || flow_ready(p) || jobs_ready(p))
		left = 0;
	else if (next >= 0 && (next - now) * 1000 < left)
		left = 100; /* seconds are coarse: look again within this one */
	return (int)left;
}

/* Lets the engine and the flows come to rest at the present second. */
static int settle(struct platform *p)
{
	for (int i = 0; i < SETTLE_ROUNDS; i++) {
		groups_turn(p);
		if (!flow_open(p) && !jobs_ready(p))
			break;
		flow_turn(p);
		jobs_turn(p);
		if (p->ops->tick)
			p->ops->tick(p->engine);
	}
	return platform_commit(p);
}

/* In the transaction of what happens then: a daemon that dies finds the second again. */
static int clock_set(struct platform *p, int64_t at)
{
	char text[40];

	p->clock.at = at;
	sv_print_time(at, text, sizeof(text));
	return store_fact_set(p->store, "platform", "clock", text);
}

int platform_step(struct platform *p, int64_t seconds, struct sv_error *err)
{
	int64_t end = p->clock.at + seconds, next;
	int rc = SV_OK;

	if (!p->clock.stepped) {
		sv_err_wire(err, "invalid_state",
			"the clock is real; only a stepped one can be stepped");
		sv_err_hint(err, "svctl local start --clock stepped");
		return SV_CONFLICT;
	}
	rc = settle(p);
	while (rc == SV_OK && (next = due_next(p->store)) >= 0 && next <= end) {
		if (next > p->clock.at)
			rc = clock_set(p, next);
		if (rc == SV_OK)
			rc = due_run(p, p->clock.at);
		if (rc == SV_OK)
			rc = settle(p);
	}
	if (rc == SV_OK)
		rc = clock_set(p, end);
	if (rc == SV_OK)
		rc = ledger_post(p->ledger, end);
	if (rc == SV_OK)
		rc = heartbeat(p, end);
	if (rc == SV_OK)
		rc = settle(p);
	return rc ? sv_err_wire(err, "unavailable", "the step could not be finished: %s",
			    store_error(p->store))
		  : SV_OK;
}

/* Postings fall due every minute while a disk exists; they can be made up for. */
static int64_t next_matter(struct platform *p)
{
	sqlite3_stmt *st = store_stmt(p->store, "SELECT min(at) FROM due WHERE cause<>'post'");
	int64_t at = -1;

	if (st && sqlite3_step(st) == SQLITE_ROW && sqlite3_column_type(st, 0) != SQLITE_NULL)
		at = sqlite3_column_int64(st, 0);
	if (st)
		sqlite3_reset(st);
	return at;
}

static int any_running(struct platform *p)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"SELECT 1 FROM doc WHERE kind='instance' AND gone=0 AND status NOT IN"
		" ('stopped', 'suspended', 'error', 'released') LIMIT 1");
	int found = st && sqlite3_step(st) == SQLITE_ROW;

	if (st)
		sqlite3_reset(st);
	return found;
}

/* Whoever has a key may come by S3 at any time, and finds nobody who would start us. */
static int any_s3_key(struct platform *p)
{
	sqlite3_stmt *st = store_stmt(p->store, "SELECT 1 FROM s3_key LIMIT 1");
	int found = p->s3_port && st && sqlite3_step(st) == SQLITE_ROW;

	if (st)
		sqlite3_reset(st);
	return found;
}

int platform_idle(struct platform *p)
{
	int64_t next = next_matter(p);

	return !flow_open(p) && !jobs_active(p) && !p->postings && !ledger_busy(p->ledger) &&
	       !feed_waiting(p->feed) && !any_running(p) && !any_s3_key(p) &&
	       (next < 0 || next > platform_now(p) + IDLE_SECONDS);
}
