/* SPDX-License-Identifier: MIT */
#include "local/wipe.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>

#include "base/time.h"

#define AGAIN_MS 20

/* In this order: a disk is free once no instance is left, a layer once nothing stands on it, a
 * storage once nobody mounts it. */
static const char *const what[] = {
	"SELECT id FROM doc WHERE kind = 'instance' AND gone = 0",
	"SELECT id FROM doc WHERE kind = 'disk' AND gone = 0",
	"SELECT layer FROM layer_use UNION"
	" SELECT id FROM doc WHERE kind IN ('snapshot', 'image') AND gone = 0",
	"SELECT id FROM doc WHERE kind = 'storage'",
	"SELECT id FROM doc WHERE kind = 'job'",
};

#define PHASES (sizeof(what) / sizeof(what[0]))

static void ended(void *data, const struct engine_result *r)
{
	struct wipe *w = data;

	w->left--;
	if (r->code && r->code != SV_NOTFOUND && !w->message[0])
		snprintf(w->message, sizeof(w->message), "%s", r->message);
}

static int drop_storage(struct platform *p, const char *id)
{
	char path[PATH_MAX];

	if (!p->state_dir)
		return SV_NOTFOUND;
	snprintf(path, sizeof(path), "%s/storages/%s", p->state_dir, id);
	return p->ops->tree_drop(p->engine, path, ended, &p->wipe);
}

static int begin_one(struct platform *p, const char *id)
{
	switch (p->wipe.phase) {
	case 0: return p->ops->destroy(p->engine, id, ended, &p->wipe);
	case 1: return p->ops->disk_drop(p->engine, id, ended, &p->wipe);
	case 2: return p->ops->layer_drop(p->engine, id, ended, &p->wipe);
	case 3: return drop_storage(p, id);
	default: p->ops->task_drop(p->engine, id); return -1; /* it is over already */
	}
}

static int begin_phase(struct platform *p)
{
	sqlite3_stmt *q = store_stmt(p->store, what[p->wipe.phase]);

	if (!q)
		return SV_SERVER;
	while (sqlite3_step(q) == SQLITE_ROW) {
		p->wipe.left++;
		if (begin_one(p, (const char *)sqlite3_column_text(q, 0)))
			p->wipe.left--;
	}
	sqlite3_reset(q);
	p->wipe.phase++;
	return SV_OK;
}

int wipe_handle(
	struct platform *p, const struct request *rq, struct reply *rp, struct sv_error *err)
{
	struct wipe *w = &p->wipe;
	int rc = SV_OK;

	(void)rq;
	while (!rc && !w->left && w->phase < PHASES)
		rc = begin_phase(p);
	if (rc)
		return sv_err_wire(err, "internal", "the state cannot be read");
	if (w->left) {
		rp->kind = REPLY_WAIT;
		rp->wait_until_ms = sv_mono_ms() + AGAIN_MS;
		return SV_OK;
	}
	w->phase = 0;
	if (w->message[0]) {
		rc = sv_err_wire(
			err, "internal", "not everything could be removed: %s", w->message);
		w->message[0] = '\0';
		return rc;
	}
	return sv_buf_str(&rp->body, "{\"ok\":true}");
}
