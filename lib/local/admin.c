/* SPDX-License-Identifier: MIT */
/* status, step, fault, stop, doctor. Their bodies are kinds like any other, of this file alone. */
#include "local/admin.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kinds/kinds.h"
#include "local/due.h"
#include "local/fault.h"
#include "local/feed.h"
#include "local/flow.h"
#include "local/ledger.h"
#include "local/wipe.h"
#include "model/json.h"

#define STEP_MAX (INT64_C(50) * 365 * 86400)

struct status {
	struct sv_set set;
	const char *version, *engine, *socket, *state_dir, *clock, *caps;
	int64_t pid, time, instances, running, operations, waiting, next_due;
};

struct step {
	struct sv_set set;
	int64_t seconds;
};

struct trouble {
	struct sv_set set;
	const char *method, *path;
	int64_t status, times;
};

struct report {
	struct sv_set set;
	const char *engine, *text;
	int ok;
};

static const struct sv_field status_fields[] = {
	SV_FIELD(struct status, version, STR, "version of the daemon", SV_ALWAYS),
	SV_FIELD(struct status, engine, STR, "what makes instances real", SV_ALWAYS),
	SV_FIELD(struct status, pid, INT, "process id", SV_ALWAYS),
	SV_FIELD(struct status, socket, STR, "where it listens", SV_ALWAYS),
	SV_FIELD(struct status, state_dir, STR, "where its state is", SV_ALWAYS),
	SV_FIELD(struct status, clock, STR, "real or stepped", SV_ALWAYS),
	SV_FIELD(struct status, time, TIME, "its time", SV_ALWAYS),
	SV_FIELD(struct status, instances, INT, "instances that are not released", SV_ALWAYS),
	SV_FIELD(struct status, running, INT, "instances that run", SV_ALWAYS),
	SV_FIELD(struct status, operations, INT, "operations under way", SV_ALWAYS),
	SV_FIELD(struct status, waiting, INT, "requests that wait", SV_ALWAYS),
	SV_FIELD(struct status, next_due, TIME, "when something happens by itself", SV_ALWAYS),
	SV_FIELD(struct status, caps, STR, "what the engine can", SV_ALWAYS),
};
static SV_KIND(
	status_kind, struct status, "local_status", "the daemon", status_fields, .plural = NULL);

static const struct sv_field step_fields[] = {
	SV_FIELD(struct step, seconds, SECONDS, "how far", SV_CREATE | SV_REQUIRED),
};
static SV_KIND(
	step_kind, struct step, "local_step", "a step of the clock", step_fields, .plural = NULL);

static const struct sv_field trouble_fields[] = {
	SV_FIELD(struct trouble, method, STR, "method", SV_CREATE | SV_REQUIRED),
	SV_FIELD(struct trouble, path, STR, "path, * for any one segment", SV_CREATE | SV_REQUIRED),
	SV_FIELD(struct trouble, status, INT,
		"HTTP status; 0 drops the answer of work that is done", SV_CREATE | SV_REQUIRED),
	SV_FIELD(struct trouble, times, INT, "how often, -1 for ever", SV_CREATE | SV_SIGNED),
};
static SV_KIND(trouble_kind, struct trouble, "local_fault", "a failure on demand", trouble_fields,
	.plural = NULL);

static const struct sv_field report_fields[] = {
	SV_FIELD(struct report, engine, STR, "engine", SV_ALWAYS),
	SV_FIELD(struct report, ok, BOOL, "it works here", SV_ALWAYS),
	SV_FIELD(struct report, text, STR, "what was found", SV_ALWAYS),
};
static SV_KIND(report_kind, struct report, "local_doctor", "what the engine needs", report_fields,
	.plural = NULL);

static int64_t count(struct platform *p, const char *sql)
{
	sqlite3_stmt *st = store_stmt(p->store, sql);
	int64_t n = 0;

	if (st && sqlite3_step(st) == SQLITE_ROW)
		n = sqlite3_column_int64(st, 0);
	if (st)
		sqlite3_reset(st);
	return n;
}

static const char *caps_text(unsigned caps, char *buf, size_t size)
{
	static const char *const names[] = { "ssh", "exec", "hotplug", "snapshot", "disk_limit",
		"cpu_limit", "ram_limit", "network", "pause", "instant" };
	size_t n = 0;

	*buf = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && n < size; i++)
		if (caps & 1U << i)
			n += (size_t)snprintf(buf + n, size - n, "%s%s", n ? " " : "", names[i]);
	return buf;
}

static int status(
	struct platform *p, const struct request *rq, struct reply *rp, struct sv_error *err)
{
	int64_t due = due_next(p->store);
	char caps[200];
	struct status s = { .version = SV_VERSION,
		.engine = p->ops->name,
		.socket = p->socket,
		.state_dir = p->state_dir,
		.clock = p->clock.stepped ? "stepped" : "real",
		.pid = getpid(),
		.time = platform_now(p) };

	(void)rq;
	(void)err;
	s.caps = caps_text(p->caps, caps, sizeof(caps));
	sv_put(&s, instances,
		count(p, "SELECT count(*) FROM doc WHERE kind='instance' AND gone=0"));
	sv_put(&s, running,
		count(p, "SELECT count(*) FROM doc WHERE kind='instance' AND status='running'"));
	sv_put(&s, operations, flow_open(p));
	sv_put(&s, waiting, (int64_t)feed_waiting(p->feed));
	if (due >= 0)
		sv_put(&s, next_due, due);
	return sv_write_json(&rp->body, &status_kind, &s, SV_WALK_WIRE, 0);
}

static int step(
	struct platform *p, const struct request *rq, struct reply *rp, struct sv_error *err)
{
	void *in = NULL;
	int rc = sv_from_body(&step_kind, rq->body ? rq->body : "", rq->body_len, &in, err);
	int64_t seconds;

	if (rc == SV_OK)
		rc = sv_check(&step_kind, in, SV_WALK_CREATE, err);
	seconds = rc == SV_OK ? ((struct step *)in)->seconds : 0;
	sv_free(in);
	if (rc)
		return rc;
	if (seconds < 0 || seconds > STEP_MAX)
		return sv_err_field(
			err, "seconds", "range", "must be 0 to %lld", (long long)STEP_MAX);
	rc = platform_step(p, seconds, err);
	return rc ? rc : status(p, rq, rp, err);
}

static int fault(
	struct platform *p, const struct request *rq, struct reply *rp, struct sv_error *err)
{
	void *in = NULL;
	struct trouble *t;
	int rc = sv_from_body(&trouble_kind, rq->body ? rq->body : "", rq->body_len, &in, err);

	(void)rp;
	if (rc == SV_OK)
		rc = sv_check(&trouble_kind, in, SV_WALK_CREATE, err);
	t = in;
	if (rc == SV_OK && t->status && (t->status < 400 || t->status > 599))
		rc = sv_err_field(err, "status", "range", "must be 400 to 599, or 0");
	if (rc == SV_OK && !route_method(t->method))
		rc = sv_err_field(err, "method", "word", "must be GET, POST, PATCH or DELETE");
	if (rc == SV_OK &&
		fault_set(p, t->method, t->path, (int)t->status, sv_has(t, times) ? t->times : 1))
		rc = sv_err_field(err, "path", "range", "too long, or too many faults are set");
	sv_free(in);
	if (rc == SV_OK)
		rp->status = 204;
	return rc;
}

static int stop(
	struct platform *p, const struct request *rq, struct reply *rp, struct sv_error *err)
{
	int rc = status(p, rq, rp, err);

	p->leaving = 1;
	rp->status = 202;
	return rc;
}

static int doctor(
	struct platform *p, const struct request *rq, struct reply *rp, struct sv_error *err)
{
	struct report r = { .engine = p->ops->name };
	char text[4096] = "";
	unsigned caps = 0;

	(void)rq;
	(void)err;
	sv_put(&r, ok, p->ops->probe ? p->ops->probe(&caps, text, sizeof(text)) == 0 : 1);
	r.text = text;
	return sv_write_json(&rp->body, &report_kind, &r, SV_WALK_WIRE, 0);
}

static int verify(
	struct platform *p, const struct request *rq, struct reply *rp, struct sv_error *err)
{
	char message[400] = "";
	int rc = ledger_verify(p->ledger, message, sizeof(message));

	(void)rq;
	if (rc)
		return sv_err_wire(err, "internal", "the ledger does not add up: %s", message);
	return sv_buf_str(&rp->body, "{\"ok\":true}");
}

static const struct {
	int method;
	const char *name;
	int (*fn)(struct platform *p, const struct request *rq, struct reply *rp,
		struct sv_error *err);
} actions[] = {
	{ SV_GET, "doctor", doctor },
	{ SV_POST, "fault", fault },
	{ SV_POST, "reset", wipe_handle },
	{ SV_GET, "status", status },
	{ SV_POST, "step", step },
	{ SV_POST, "stop", stop },
	{ SV_GET, "verify", verify },
};

int admin_handle(struct platform *p, const struct path *path, const struct request *rq,
	struct reply *rp, struct sv_error *err)
{
	rp->status = 200;
	for (size_t i = 0; path->n == 2 && i < sizeof(actions) / sizeof(actions[0]); i++)
		if (!strcmp(actions[i].name, path->segments[1]) &&
			actions[i].method == route_method(rq->method))
			return actions[i].fn(p, rq, rp, err);
	return sv_err(err, SV_NOTFOUND, "no such request: %s %.200s", rq->method, rq->path);
}
