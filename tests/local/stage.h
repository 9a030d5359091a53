/* SPDX-License-Identifier: MIT */
/* A platform on a stage: engine "none" behind one that can fail, be slow, and outlive the daemon's
 * death. */
#ifndef SV_TEST_STAGE_H
#define SV_TEST_STAGE_H

#include <unistd.h>

#include <cjson/cJSON.h>

#include "base/str.h"
#include "local/catalog.h"
#include "local/flow.h"
#include "local/instance.h"
#include "local/ledger.h"
#include "local/platform.h"
#include "unit.h"

#define STAGE_HELD 64
#define STAGE_START INT64_C(1800000000)

/* One answer of the engine that is not given yet. */
struct stage_held {
	engine_done *done;
	void *data;
	struct engine_result r;
};

struct engine {
	struct engine *host; /* the records: they live on when the daemon dies */
	int slow;            /* answers come with tick */
	int calls;           /* made so far */
	int fail;            /* this call is answered with a failure, -1: none */
	int busy;            /* detaching and growing are refused */
	double cpu;          /* percent that are used, 0: nothing is measured */
	double cpu_ms;       /* used since it began, up to the second cpu_at */
	int64_t cpu_at;
	int processes;       /* 0: nothing is measured */
	const int64_t *now;
	char failed[32];     /* which one it was */
	char trail[1024];    /* the names of all calls */
	struct stage_held held[STAGE_HELD];
	int n_held;
	engine_done *done;
	void *data;
};

struct stage {
	struct platform p;
	struct engine engine;
	struct engine_ops ops;
	char db[64], key[200];
	cJSON *reply;
};

static void stage_answer(void *data, const struct engine_result *r)
{
	struct engine *e = data;

	if (e->slow) {
		assert_true(e->n_held < STAGE_HELD);
		e->held[e->n_held++] = (struct stage_held){ e->done, e->data, *r };
	} else {
		e->done(e->data, r);
	}
}

/* 1 when this call is to fail: then it has been answered so. */
static int stage_enter(struct engine *e, const char *name, engine_done *done, void *data)
{
	struct engine_result r = {
		.code = SV_FAILED, .message = "the engine was told to fail", .bytes = -1
	};
	size_t len = strlen(e->trail);

	snprintf(e->trail + len, sizeof(e->trail) - len, "%s ", name);
	e->done = done;
	e->data = data;
	if (e->calls++ != e->fail)
		return 0;
	snprintf(e->failed, sizeof(e->failed), "%s", name);
	stage_answer(e, &r);
	return 1;
}

#define STAGE_CALL(name, ...) \
	(stage_enter(e, #name, done, data) \
			? 0 \
			: sv_engine_none.name(e->host, __VA_ARGS__, stage_answer, e))

static int stage_create(
	struct engine *e, const struct engine_spec *s, engine_done *done, void *data)
{
	return STAGE_CALL(create, s);
}

static int stage_start(struct engine *e, const struct engine_spec *s, engine_done *done, void *data)
{
	return STAGE_CALL(start, s);
}

static int stage_stop(struct engine *e, const char *id, engine_done *done, void *data)
{
	return STAGE_CALL(stop, id);
}

static int stage_adjust(
	struct engine *e, const struct engine_spec *s, engine_done *done, void *data)
{
	struct engine_result r = { .bytes = -1 };

	(void)s;
	if (!stage_enter(e, "adjust", done, data))
		stage_answer(e, &r);
	return 0;
}

static int stage_destroy(struct engine *e, const char *id, engine_done *done, void *data)
{
	return STAGE_CALL(destroy, id);
}

static int stage_pause(struct engine *e, const char *id, int frozen, engine_done *done, void *data)
{
	return STAGE_CALL(pause, id, frozen);
}

static int stage_login(struct engine *e, const char *id, engine_done *done, void *data)
{
	return STAGE_CALL(login, id);
}

static int stage_refuse(struct engine *e, engine_done *done, void *data)
{
	struct engine_result r = {
		.code = SV_CONFLICT, .wire = "disk_busy", .message = "process 7 stands in it"
	};

	e->done = done;
	e->data = data;
	stage_answer(e, &r);
	return 0;
}

static int stage_disk_make(struct engine *e, const char *id, int64_t bytes, const char *from,
	engine_done *done, void *data)
{
	return e->busy ? stage_refuse(e, done, data) : STAGE_CALL(disk_make, id, bytes, from);
}

static int stage_disk_drop(struct engine *e, const char *id, engine_done *done, void *data)
{
	return STAGE_CALL(disk_drop, id);
}

static int stage_attach(struct engine *e, const char *id, const struct engine_mount *m,
	engine_done *done, void *data)
{
	return STAGE_CALL(attach, id, m);
}

static int stage_detach(struct engine *e, const char *id, const struct engine_mount *m,
	engine_done *done, void *data)
{
	return e->busy ? stage_refuse(e, done, data) : STAGE_CALL(detach, id, m);
}

static int stage_snapshot(
	struct engine *e, const char *id, const char *layer, engine_done *done, void *data)
{
	return STAGE_CALL(snapshot, id, layer);
}

static int stage_layer_drop(struct engine *e, const char *id, engine_done *done, void *data)
{
	return STAGE_CALL(layer_drop, id);
}

static int stage_tree_drop(struct engine *e, const char *path, engine_done *done, void *data)
{
	return STAGE_CALL(tree_drop, path);
}

static int stage_status(struct engine *e, const char *id, struct engine_status *ret)
{
	return sv_engine_none.status(e->host, id, ret);
}

static int stage_adopt(struct engine *e, const char *id)
{
	struct engine_status st;

	/* The host knows what runs; engine "none" alone would believe the platform. */
	return !sv_engine_none.status(e->host, id, &st) && st.state >= ENGINE_RUNNING ? SV_OK
										      : SV_NOTFOUND;
}

static int stage_metrics(struct engine *e, const char *id, struct engine_metrics *ret)
{
	int rc = sv_engine_none.metrics(e->host, id, ret);

	e->cpu_ms += e->cpu * 10 * (double)(*e->now - e->cpu_at);
	e->cpu_at = *e->now;
	if (e->processes > 0)
		ret->processes = e->processes;
	if (e->cpu > 0) {
		ret->cpu_percent = e->cpu;
		ret->cpu_ms = (int64_t)e->cpu_ms;
	}
	return rc;
}

/* Every command succeeds and says so. */
static int stage_exec(struct engine *e, const char *id, const char *const *argv, int64_t timeout_ms,
	size_t ceiling, engine_done *done, void *data)
{
	static char out[] = "done\n", err[] = "";
	struct engine_result r = {
		.exit_code = !strcmp(argv[0], "false"), .out = out, .err = err, .out_len = 5
	};

	(void)id, (void)timeout_ms, (void)ceiling;
	if (!stage_enter(e, "exec", done, data))
		stage_answer(e, &r);
	return 0;
}

static int stage_task_start(struct engine *e, const char *id, const struct engine_task *t,
	engine_done *done, void *data)
{
	return STAGE_CALL(task_start, id, t);
}

static int stage_task_stop(struct engine *e, const char *id, const char *task)
{
	return sv_engine_none.task_stop(e->host, id, task);
}

static int stage_task_status(
	struct engine *e, const char *id, const char *task, struct engine_task_status *ret)
{
	return sv_engine_none.task_status(e->host, id, task, ret);
}

static int stage_task_watch(struct engine *e, const char *id, const char *task)
{
	return sv_engine_none.task_watch(e->host, id, task);
}

/* A test may put there what a task would have said. */
static int stage_task_path(
	struct engine *e, const char *task, const char *name, char *path, size_t size)
{
	(void)e;
	snprintf(path, size, "%s/sv-stage-%d-%s.%s", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
		(int)getpid(), task, name);
	return SV_OK;
}

static int stage_task_drop(struct engine *e, const char *task)
{
	return sv_engine_none.task_drop(e->host, task);
}

static void stage_tick(struct engine *e)
{
	struct stage_held held[STAGE_HELD];
	int n = e->n_held;

	memcpy(held, e->held, sizeof(held));
	e->n_held = 0;
	for (int i = 0; i < n; i++)
		held[i].done(held[i].data, &held[i].r);
}

static inline void stage_ops(struct stage *s)
{
	s->ops = sv_engine_none;
	s->ops.create = stage_create;
	s->ops.start = stage_start;
	s->ops.stop = stage_stop;
	s->ops.adjust = stage_adjust;
	s->ops.destroy = stage_destroy;
	s->ops.pause = stage_pause;
	s->ops.login = stage_login;
	s->ops.disk_make = stage_disk_make;
	s->ops.disk_drop = stage_disk_drop;
	s->ops.attach = stage_attach;
	s->ops.detach = stage_detach;
	s->ops.snapshot = stage_snapshot;
	s->ops.layer_drop = stage_layer_drop;
	s->ops.tree_drop = stage_tree_drop;
	s->ops.status = stage_status;
	s->ops.adopt = stage_adopt;
	s->ops.metrics = stage_metrics;
	s->ops.exec = stage_exec;
	s->ops.task_start = stage_task_start;
	s->ops.task_stop = stage_task_stop;
	s->ops.task_status = stage_task_status;
	s->ops.task_watch = stage_task_watch;
	s->ops.task_path = stage_task_path;
	s->ops.task_drop = stage_task_drop;
	s->ops.tick = stage_tick;
}

/* Opens the platform over the file and the host that are there. */
static inline void stage_up(struct stage *s)
{
	int64_t at = s->p.clock.at;
	unsigned caps = s->p.caps;
	char message[300] = "";

	memset(&s->p, 0, sizeof(s->p));
	s->p.clock.stepped = 1;
	s->p.clock.at = at;
	s->p.caps = caps;
	s->p.ops = &s->ops;
	s->p.engine = &s->engine;
	s->engine.now = &s->p.clock.at;
	if (store_open(s->db, &s->p.store, message, sizeof(message)) ||
		catalog_read(NULL, &s->p.catalog, message, sizeof(message)) ||
		platform_open(&s->p, message, sizeof(message)))
		fail_msg("the platform does not open: %s", message);
}

/* The daemon dies: what was not committed is lost, the engine's instances live on, answers under
 * way go nowhere. */
static inline void stage_crash(struct stage *s)
{
	store_rollback(s->p.store);
	s->engine.n_held = 0;
	platform_close(&s->p);
	catalog_free(s->p.catalog);
	store_close(s->p.store);
}

static inline int stage_call(
	struct stage *s, const char *method, const char *path, const char *body)
{
	char bearer[256];
	struct request rq = { .method = method,
		.path = path,
		.query = "",
		.body = body ? body : "",
		.trusted = 1,
		.content_type = "application/json" };
	struct reply rp;
	char *mark, plain[512];
	int status;

	snprintf(plain, sizeof(plain), "%s", path);
	mark = strchr(plain, '?');
	if (mark) {
		*mark = '\0';
		rq.path = plain;
		rq.query = mark + 1;
	}
	rq.body_len = strlen(rq.body);
	snprintf(bearer, sizeof(bearer), "Bearer %s", s->key);
	rq.authorization = s->key[0] ? bearer : NULL;
	for (int i = 0;; i++) {
		platform_handle(&s->p, &rq, &rp);
		platform_turn(&s->p);
		if (rp.kind != REPLY_WAIT)
			break;
		assert_true(i < 1000);
		rq.wait_until_ms = rp.wait_until_ms;
		reply_free(&rp);
	}
	cJSON_Delete(s->reply);
	s->reply = rp.body.len ? cJSON_ParseWithLength(rp.body.data, rp.body.len) : NULL;
	status = rp.status;
	reply_free(&rp);
	return status;
}

/* A member of the last reply by a dotted path ("ssh.port", "items.0.id"), or NULL. */
static inline const cJSON *stage_at(struct stage *s, const char *path)
{
	const cJSON *at = s->reply;
	char word[64];

	while (at && *path) {
		size_t len = strcspn(path, ".");

		snprintf(word, sizeof(word), "%.*s", (int)len, path);
		at = sv_is_digit(word[0]) && cJSON_IsArray(at)
			     ? cJSON_GetArrayItem(at, (int)strtol(word, NULL, 10))
			     : cJSON_GetObjectItemCaseSensitive(at, word);
		path += len + (path[len] == '.');
	}
	return at;
}

static inline const char *stage_text(struct stage *s, const char *path)
{
	const cJSON *at = stage_at(s, path);

	return cJSON_IsString(at) ? at->valuestring : "";
}

static inline int64_t stage_number(struct stage *s, const char *path)
{
	const cJSON *at = stage_at(s, path);

	return cJSON_IsNumber(at) ? (int64_t)at->valuedouble : -1;
}

static inline void stage_expect(struct stage *s, const char *path, const char *want)
{
	if (strcmp(stage_text(s, path), want) != 0) {
		char *all = cJSON_Print(s->reply);

		fail_msg("%s is \"%s\", not \"%s\" in %s", path, stage_text(s, path), want,
			all ? all : "nothing");
	}
}

#define stage_ok(s, status, method, path, body) \
	stage_status_is(s, stage_call(s, method, path, body), status, path)
static inline void stage_status_is(struct stage *s, int got, int want, const char *what)
{
	if (got != want) {
		char *all = cJSON_Print(s->reply);

		fail_msg("%s: status %d, not %d: %s", what, got, want, all ? all : "nothing");
	}
}

/* Turns until nothing moves any more. */
static inline void stage_settle(struct stage *s)
{
	for (int i = 0; i < 200 && flow_open(&s->p); i++)
		platform_turn(&s->p);
	platform_turn(&s->p);
}

static inline void stage_step(struct stage *s, int64_t seconds)
{
	struct sv_error err;

	assert_int_equal(platform_step(&s->p, seconds, &err), SV_OK);
}

static inline void stage_verify(struct stage *s)
{
	char message[300] = "";

	ledger_post(s->p.ledger, platform_now(&s->p));
	platform_commit(&s->p);
	if (ledger_verify(s->p.ledger, message, sizeof(message)))
		fail_msg("the ledger: %s", message);
}

static inline void stage_open(struct stage *s, int slow)
{
	static int n;
	char text[200];

	memset(s, 0, sizeof(*s));
	snprintf(s->db, sizeof(s->db), "%s/sv-stage-%d-%d.db",
		access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm", (int)getpid(), n++);
	stage_ops(s);
	assert_int_equal(sv_engine_none.open(NULL, &s->engine.host, text, sizeof(text)), 0);
	s->engine.fail = -1;
	s->engine.slow = slow;
	sv_engine_none.probe(&s->p.caps, text, sizeof(text));
	s->p.caps |= ENGINE_EXEC;
	if (slow)
		s->p.caps = (s->p.caps & ~(unsigned)ENGINE_INSTANT) | ENGINE_SSH;
	s->p.clock.at = STAGE_START;
	stage_up(s);
	stage_ok(s, 201, "POST", "/v1/account/register", "{\"email\":\"a@example.com\"}");
	snprintf(s->key, sizeof(s->key), "%s", stage_text(s, "api_key"));
	snprintf(text, sizeof(text), "%s", stage_text(s, "account.id"));
	assert_int_equal(
		ledger_top_up(s->p.ledger, text, INT64_C(1000000000), s->p.clock.at, "test"),
		SV_OK);
	platform_commit(&s->p);
}

static inline void stage_close(struct stage *s)
{
	static const char *const ends[] = { "", "-wal", "-shm" };
	char name[80];

	stage_settle(s);
	stage_crash(s);
	sv_engine_none.close(s->engine.host);
	cJSON_Delete(s->reply);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%s%s", s->db, ends[i]);
		unlink(name);
	}
}

#endif
