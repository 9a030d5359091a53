/* SPDX-License-Identifier: MIT */
#include "local/layer.h"

#include <stdio.h>
#include <string.h>

int layers_open(struct store *s)
{
	static const char sql[] = "CREATE TABLE IF NOT EXISTS layer_use(owner TEXT NOT NULL, at "
				  "INTEGER NOT NULL, layer TEXT NOT NULL,"
				  " PRIMARY KEY(owner, at)) WITHOUT ROWID;"
				  "CREATE INDEX IF NOT EXISTS layer_use_layer ON layer_use(layer);";

	return sqlite3_exec(store_db(s), sql, NULL, NULL, NULL) == SQLITE_OK ? SV_OK : SV_SERVER;
}

static int step(sqlite3_stmt *q)
{
	return q && sqlite3_step(q) == SQLITE_DONE ? SV_OK : SV_SERVER;
}

static void bind(sqlite3_stmt *q, int at, const char *text)
{
	if (q)
		sqlite3_bind_text(q, at, text, -1, SQLITE_TRANSIENT);
}

int layers_set(struct store *s, const char *owner, const char *top, const char *below)
{
	sqlite3_stmt *q;
	int rc = store_begin(s);

	if (!rc) {
		q = store_stmt(s, "DELETE FROM layer_use WHERE owner = ?");
		bind(q, 1, owner);
		rc = step(q);
	}
	if (!rc && top) {
		q = store_stmt(s, "INSERT INTO layer_use(owner, at, layer) VALUES(?, 0, ?)");
		bind(q, 1, owner);
		bind(q, 2, top);
		rc = step(q);
	}
	if (!rc && below) {
		q = store_stmt(s, "INSERT INTO layer_use(owner, at, layer)"
			" SELECT ?, at + 1, layer FROM layer_use WHERE owner = ?");
		bind(q, 1, owner);
		bind(q, 2, below);
		rc = step(q);
	}
	return rc;
}

int layers_get(struct store *s, const char *owner, void *root, struct sv_strs *strs)
{
	sqlite3_stmt *q = store_stmt(s, "SELECT layer FROM layer_use WHERE owner = ? ORDER BY at");
	int rc = q ? SV_OK : SV_SERVER;

	bind(q, 1, owner);
	while (!rc && sqlite3_step(q) == SQLITE_ROW)
		rc = sv_strs_add(root, strs, (const char *)sqlite3_column_text(q, 0));
	if (q)
		sqlite3_reset(q);
	return rc;
}

int layers_release(struct flow *f, const char *owner)
{
	struct store *s = f->p->store;
	struct sv_buf orphans;
	sqlite3_stmt *q;
	int rc = store_begin(s);

	sv_buf_init(&orphans, 64 << 10);
	q = store_stmt(s, "SELECT layer FROM layer_use a WHERE owner = ?1 AND NOT EXISTS"
		" (SELECT 1 FROM layer_use b WHERE b.layer = a.layer AND b.owner <> ?1)");
	bind(q, 1, owner);
	while (q && sqlite3_step(q) == SQLITE_ROW)
		sv_buf_fmt(&orphans, "%s%s", orphans.len ? " " : "",
			(const char *)sqlite3_column_text(q, 0));
	if (q)
		sqlite3_reset(q);
	if (!rc)
		rc = store_fact_set(s, f->id, "orphans", sv_buf_text(&orphans));
	if (!rc) {
		q = store_stmt(s, "DELETE FROM layer_use WHERE owner = ?");
		bind(q, 1, owner);
		rc = step(q);
	}
	sv_buf_free(&orphans);
	return rc;
}

/* The f->round-th of the flow's orphans into name; 0 when there is none. */
static int orphan(struct flow *f, char *name, size_t size)
{
	struct sv_buf b;
	const char *at;
	int found = 0;

	sv_buf_init(&b, 64 << 10);
	if (!store_fact_get(f->p->store, f->id, "orphans", &b)) {
		at = sv_buf_text(&b);
		for (int i = 0; i < f->round && at; i++) {
			at = strchr(at, ' ');
			at = at ? at + 1 : NULL;
		}
		if (at && *at) {
			snprintf(name, size, "%.*s", (int)strcspn(at, " "), at);
			found = 1;
		}
	}
	sv_buf_free(&b);
	return found;
}

int layers_free_run(struct flow *f)
{
	char layer[64];

	if (!orphan(f, layer, sizeof(layer)))
		return f->round ? FLOW_DONE : FLOW_SKIP;
	return flow_called(f, f->p->ops->layer_drop(f->p->engine, layer, flow_engine_done, f));
}

/* One after the other; what could not be removed is passed over, nothing refers to it any more. */
int layers_free_next(struct flow *f)
{
	return layers_free_run(f);
}
