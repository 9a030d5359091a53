/* SPDX-License-Identifier: MIT */
/* The engine without instances: records only, every call complete when it returns. For tests of
 * money, time and bulk, and for the platform inside another program. Nothing is written to disk. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <base/arena.h>
#include <base/str.h>
#include <base/time.h>
#include <local/engine.h>
#include <starverse/common.h>

#include "tree.h"

#define SLOTS_FIRST 64

enum { BOX = 1, DISK, LAYER, TASK };

struct entry {
	char id[64];
	int kind, state;
	int64_t bytes, ended; /* of a task: how long it lasts, and its exit code */
};

/* An open-addressed table: a hundred thousand instances are looked up at every turn. */
struct engine {
	struct entry *slots;
	size_t size, used; /* used counts removed ones too: kind 0 with an id */
};

static size_t hash(const char *id)
{
	size_t h = 1469598103934665603ULL & SIZE_MAX;

	for (; *id; id++)
		h = (h ^ (unsigned char)*id) * 1099511628211ULL;
	return h;
}

static int id_valid(const char *id)
{
	size_t n = id ? strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789_") : 0;

	return n > 0 && !id[n] && n < sizeof(((struct entry *)0)->id);
}

/* The entry, or the free slot where it would be. */
static struct entry *slot(struct entry *slots, size_t size, const char *id)
{
	size_t i = hash(id) & (size - 1);

	while (slots[i].id[0] && strcmp(slots[i].id, id))
		i = (i + 1) & (size - 1);
	return &slots[i];
}

static int grow(struct engine *e)
{
	size_t size = e->size ? e->size * 2 : SLOTS_FIRST, used = 0;
	struct entry *slots = sv_malloc(size * sizeof(*slots));

	if (!slots)
		return SV_NOMEM;
	memset(slots, 0, size * sizeof(*slots));
	for (size_t i = 0; i < e->size; i++)
		if (e->slots[i].kind) {
			*slot(slots, size, e->slots[i].id) = e->slots[i];
			used++;
		}
	sv_mfree(e->slots);
	e->slots = slots;
	e->size = size;
	e->used = used;
	return SV_OK;
}

static struct entry *find(struct engine *e, const char *id, int kind)
{
	struct entry *x = e->size && id_valid(id) ? slot(e->slots, e->size, id) : NULL;

	return x && x->kind == kind ? x : NULL;
}

static struct entry *take(struct engine *e, const char *id, int kind)
{
	struct entry *x;

	if ((e->used + 1) * 2 > e->size && grow(e))
		return NULL;
	x = slot(e->slots, e->size, id);
	if (!x->id[0]) {
		snprintf(x->id, sizeof(x->id), "%s", id);
		e->used++;
	}
	if (x->kind != kind) {
		x->kind = kind;
		x->state = ENGINE_STOPPED;
		x->bytes = x->ended = 0;
	}
	return x;
}

static int answer(engine_done *done, void *data, int64_t bytes)
{
	struct engine_result r = { .bytes = bytes };
	char empty[1] = "";

	r.out = r.err = empty;
	if (done)
		done(data, &r);
	return SV_OK;
}

static int refuse(engine_done *done, void *data, const char *wire, const char *message)
{
	struct engine_result r = { .code = SV_CONFLICT, .bytes = -1 };
	char empty[1] = "";

	r.out = r.err = empty;
	snprintf(r.wire, sizeof(r.wire), "%s", wire);
	snprintf(r.message, sizeof(r.message), "%s", message);
	if (done)
		done(data, &r);
	return SV_OK;
}

static int none_probe(unsigned *caps, char *text, size_t size)
{
	*caps = ENGINE_HOTPLUG | ENGINE_SNAPSHOT | ENGINE_PAUSE | ENGINE_INSTANT;
	snprintf(text, size, "instances are records: nothing runs");
	return SV_OK;
}

static int none_open(const struct engine_config *c, struct engine **ret, char *text, size_t size)
{
	struct engine *e = sv_malloc(sizeof(*e));

	(void)c;
	if (!e) {
		snprintf(text, size, "out of memory");
		return SV_NOMEM;
	}
	memset(e, 0, sizeof(*e));
	*ret = e;
	return SV_OK;
}

static void none_close(struct engine *e)
{
	if (!e)
		return;
	sv_mfree(e->slots);
	sv_mfree(e);
}

static int put(struct engine *e, const char *id, int state, engine_done *done, void *data)
{
	struct entry *x;

	if (!id_valid(id))
		return SV_INVALID;
	x = take(e, id, BOX);
	if (!x)
		return SV_NOMEM;
	if (x->state != ENGINE_STOPPED && state == ENGINE_STOPPED)
		x->ended = sv_now();
	x->state = state;
	return answer(done, data, -1);
}

static int none_create(struct engine *e, const struct engine_spec *s, engine_done *done, void *data)
{
	struct entry *x = find(e, s->id, BOX);

	return put(e, s->id, x ? x->state : ENGINE_STOPPED, done, data);
}

/* A disk or layer that an earlier process knew: known again from its first use. */
static int known(struct engine *e, const char *id, int kind)
{
	if (!id_valid(id))
		return SV_INVALID;
	return take(e, id, kind) ? SV_OK : SV_NOMEM;
}

static int none_start(struct engine *e, const struct engine_spec *s, engine_done *done, void *data)
{
	struct entry *x = find(e, s->id, BOX);

	for (size_t i = 0; i < s->n_mounts; i++)
		if (s->mounts[i].disk && known(e, s->mounts[i].disk, DISK))
			return SV_INVALID;
	x = find(e, s->id, BOX); /* the table may have moved */
	return put(e, s->id, x && x->state == ENGINE_PAUSED ? ENGINE_PAUSED : ENGINE_RUNNING, done,
		data);
}

static int none_stop(struct engine *e, const char *id, engine_done *done, void *data)
{
	return find(e, id, BOX) ? put(e, id, ENGINE_STOPPED, done, data) : answer(done, data, -1);
}

static int none_destroy(struct engine *e, const char *id, engine_done *done, void *data)
{
	struct entry *x = find(e, id, BOX);

	if (x)
		x->kind = 0;
	return answer(done, data, -1);
}

static int none_pause(struct engine *e, const char *id, int frozen, engine_done *done, void *data)
{
	struct entry *x = find(e, id, BOX);

	if (!x || x->state == ENGINE_STOPPED)
		return frozen ? refuse(done, data, "invalid_state", "the instance does not run")
			      : answer(done, data, -1);
	return put(e, id, frozen ? ENGINE_PAUSED : ENGINE_RUNNING, done, data);
}

/* There is nowhere to log in; that it "boots" is all a record can say. */
static int none_login(struct engine *e, const char *id, engine_done *done, void *data)
{
	struct entry *x = find(e, id, BOX);

	return x && x->state == ENGINE_RUNNING
		       ? answer(done, data, -1)
		       : refuse(done, data, "invalid_state", "the instance does not run");
}

static int none_status(struct engine *e, const char *id, struct engine_status *ret)
{
	struct entry *x = find(e, id, BOX);
	struct engine_status s = { .exit_status = -1, .network = "none" };

	if (!id_valid(id))
		return SV_INVALID;
	s.state = x ? x->state : ENGINE_ABSENT;
	s.exited_at = x ? x->ended : 0;
	*ret = s;
	return SV_OK;
}

/* A record cannot have died while nobody looked: what the platform remembers as running runs. */
static int none_adopt(struct engine *e, const char *id)
{
	struct entry *x = id_valid(id) ? take(e, id, BOX) : NULL;

	if (!x)
		return id_valid(id) ? SV_NOMEM : SV_INVALID;
	if (x->state == ENGINE_STOPPED)
		x->state = ENGINE_RUNNING;
	return SV_OK;
}

static int none_exec(struct engine *e, const char *id, const char *const *argv, int64_t timeout_ms,
	size_t ceiling, engine_done *done, void *data)
{
	(void)e, (void)id, (void)argv, (void)timeout_ms, (void)ceiling, (void)done, (void)data;
	return SV_UNSUPPORTED;
}

static int none_authorize(struct engine *e, const char *id, const char *const *keys)
{
	(void)keys;
	return find(e, id, BOX) ? SV_OK : SV_NOTFOUND;
}

static int none_disk_make(struct engine *e, const char *disk, int64_t bytes, const char *from,
	engine_done *done, void *data)
{
	struct entry *x;

	if (!id_valid(disk) || bytes <= 0)
		return SV_INVALID;
	if (from && known(e, from, LAYER))
		return SV_INVALID;
	x = find(e, disk, DISK);
	if (x && x->bytes > bytes)
		return SV_INVALID;
	x = take(e, disk, DISK);
	if (!x)
		return SV_NOMEM;
	x->bytes = bytes;
	return answer(done, data, bytes);
}

static int none_disk_drop(struct engine *e, const char *disk, engine_done *done, void *data)
{
	struct entry *x = find(e, disk, DISK);

	if (x)
		x->kind = 0;
	return answer(done, data, -1);
}

static int none_attach(struct engine *e, const char *id, const struct engine_mount *m,
	engine_done *done, void *data)
{
	struct entry *x;

	if (!m->path || m->path[0] != '/' || (m->disk && known(e, m->disk, DISK)))
		return SV_INVALID;
	x = find(e, id, BOX);
	return x && x->state != ENGINE_STOPPED
		       ? answer(done, data, -1)
		       : refuse(done, data, "invalid_state", "the instance does not run");
}

static int none_detach(struct engine *e, const char *id, const struct engine_mount *m,
	engine_done *done, void *data)
{
	(void)e, (void)id;
	return m->path && m->path[0] == '/' ? answer(done, data, -1) : SV_INVALID;
}

static int none_snapshot(
	struct engine *e, const char *of, const char *layer, engine_done *done, void *data)
{
	struct entry *disk = find(e, of, DISK), *x;
	int64_t bytes = disk ? disk->bytes : 0;

	if (!id_valid(of))
		return SV_INVALID;
	x = id_valid(layer) ? take(e, layer, LAYER) : NULL;
	if (!x)
		return SV_INVALID;
	x->bytes = bytes;
	return answer(done, data, bytes);
}

static int none_layer_drop(struct engine *e, const char *layer, engine_done *done, void *data)
{
	struct entry *x = find(e, layer, LAYER);

	if (x)
		x->kind = 0;
	return answer(done, data, -1);
}

static int none_tree_drop(struct engine *e, const char *path, engine_done *done, void *data)
{
	(void)e;
	return sv_tree_remove(path) ? refuse(done, data, "unavailable", strerrordesc_np(errno))
				    : answer(done, data, -1);
}

static int none_metrics(struct engine *e, const char *id, struct engine_metrics *ret)
{
	if (!find(e, id, BOX))
		return SV_NOTFOUND;
	*ret = (struct engine_metrics)ENGINE_UNMEASURED;
	return SV_OK;
}

static int none_log_path(struct engine *e, const char *id, char *path, size_t size)
{
	(void)e, (void)id, (void)path, (void)size;
	return SV_UNSUPPORTED;
}

/* Nothing runs, but three commands mean the same to a record as to a shell, so that time and money
 * can be tried: true, false and sleep SECONDS. */
static void foresee(const char *const *argv, struct entry *x)
{
	int64_t seconds = 0;

	x->bytes = -1;
	x->ended = -1;
	if (!strcmp(argv[0], "true") || !strcmp(argv[0], "false"))
		x->bytes = 0;
	else if (!strcmp(argv[0], "sleep") && argv[1] && !sv_parse_int(argv[1], &seconds) &&
		 seconds >= 0)
		x->bytes = seconds;
	if (x->bytes >= 0)
		x->ended = !strcmp(argv[0], "false");
}

static int none_task_start(struct engine *e, const char *id, const struct engine_task *t,
	engine_done *done, void *data)
{
	struct entry *box = find(e, id, BOX), *x;

	if (!id_valid(t->id) || !t->argv || !t->argv[0])
		return SV_INVALID;
	if (!box || box->state == ENGINE_STOPPED)
		return refuse(done, data, "invalid_state", "the instance does not run");
	x = find(e, t->id, TASK);
	if (x)
		return answer(done, data, -1);
	x = take(e, t->id, TASK);
	if (!x)
		return SV_NOMEM;
	foresee(t->argv, x);
	return answer(done, data, -1);
}

static int none_task_stop(struct engine *e, const char *id, const char *task)
{
	struct entry *x = find(e, task, TASK);

	(void)id;
	if (x)
		x->kind = 0;
	return SV_OK;
}

static int none_task_status(
	struct engine *e, const char *id, const char *task, struct engine_task_status *ret)
{
	struct entry *x = find(e, task, TASK), *box = find(e, id, BOX);

	*ret = (struct engine_task_status){
		.state = x && box && box->state != ENGINE_STOPPED ? ENGINE_TASK_RUNNING
								  : ENGINE_TASK_ENDED,
		.exit_code = x ? (int)x->ended : -1,
		.peak_bytes = -1,
		.lasts = x ? x->bytes : -1,
	};
	if (ret->state == ENGINE_TASK_ENDED)
		ret->exit_code = -1;
	return SV_OK;
}

/* What an earlier process began is known again, but not what it was. */
static int none_task_watch(struct engine *e, const char *id, const char *task)
{
	struct entry *x = find(e, task, TASK);

	(void)id;
	if (x)
		return SV_OK;
	x = id_valid(task) ? take(e, task, TASK) : NULL;
	if (!x)
		return SV_INVALID;
	x->bytes = x->ended = -1;
	return SV_OK;
}

static int none_task_path(
	struct engine *e, const char *task, const char *name, char *path, size_t size)
{
	(void)e, (void)task, (void)name, (void)path, (void)size;
	return SV_UNSUPPORTED;
}

static int none_task_drop(struct engine *e, const char *task)
{
	return none_task_stop(e, NULL, task);
}

static int none_fd(struct engine *e)
{
	(void)e;
	return -1;
}

static void none_tick(struct engine *e)
{
	(void)e;
}

const struct engine_ops sv_engine_none = {
	.name = "none",
	.probe = none_probe,
	.open = none_open,
	.close = none_close,
	.create = none_create,
	.start = none_start,
	.stop = none_stop,
	.destroy = none_destroy,
	.pause = none_pause,
	.login = none_login,
	.status = none_status,
	.adopt = none_adopt,
	.exec = none_exec,
	.authorize = none_authorize,
	.disk_make = none_disk_make,
	.disk_drop = none_disk_drop,
	.attach = none_attach,
	.detach = none_detach,
	.snapshot = none_snapshot,
	.layer_drop = none_layer_drop,
	.tree_drop = none_tree_drop,
	.metrics = none_metrics,
	.log_path = none_log_path,
	.task_start = none_task_start,
	.task_stop = none_task_stop,
	.task_status = none_task_status,
	.task_watch = none_task_watch,
	.task_path = none_task_path,
	.task_drop = none_task_drop,
	.fd = none_fd,
	.tick = none_tick,
};
