/* SPDX-License-Identifier: MIT */
/* Who holds which cards: a small table, and the offers' documents that follow it, so that lists can
 * be filtered by what is free. */
#include "local/capacity.h"

#include <stdio.h>
#include <string.h>

#include <starverse/gpu.h>

#include "kinds/kinds.h"
#include "local/catalog.h"
#include "local/field.h"
#include "local/platform.h"

int capacity_open_table(struct platform *p)
{
	int rc = store_begin(p->store);

	if (rc)
		return rc;
	rc = sqlite3_exec(store_db(p->store),
		"CREATE TABLE IF NOT EXISTS held(instance TEXT PRIMARY KEY, account TEXT NOT NULL,"
		" gpu TEXT NOT NULL, cards INTEGER NOT NULL) WITHOUT ROWID;"
		"CREATE INDEX IF NOT EXISTS held_gpu ON held(gpu, cards);"
		"CREATE INDEX IF NOT EXISTS held_account ON held(account, cards);",
		NULL, NULL, NULL);
	return store_code(p->store, rc);
}

static int64_t sum(struct platform *p, const char *sql, const char *of, const char *but)
{
	sqlite3_stmt *st = store_stmt(p->store, sql);
	int64_t n = 0;

	if (!st)
		return 0;
	sqlite3_bind_text(st, 1, of, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, but ? but : "", -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW)
		n = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return n;
}

int64_t capacity_free(struct platform *p, const char *gpu, const char *instance)
{
	int64_t all = catalog_cards(p->catalog, gpu),
		held = sum(p, "SELECT sum(cards) FROM held WHERE gpu = ?1 AND instance <> ?2", gpu,
			instance);

	/* A catalogue that was made smaller takes no card from who has it. */
	return all > held ? all - held : 0;
}

int64_t capacity_held(struct platform *p, const char *account, const char *instance)
{
	return sum(p, "SELECT sum(cards) FROM held WHERE account = ?1 AND instance <> ?2", account,
		instance);
}

void capacity_show(struct platform *p, struct sv_gpu *gpu)
{
	int64_t left = capacity_free(p, gpu->name, NULL),
		all = catalog_cards(p->catalog, gpu->name);
	const char *word = !left            ? "none"
			   : left * 4 < all ? "low"
			   : left * 2 < all ? "medium"
					    : "high";

	field_set_number(&sv_gpu_kind, gpu, "free", left);
	field_set_text(&sv_gpu_kind, gpu, "availability", word);
}

static int refresh(struct platform *p, const char *gpu)
{
	void *obj = NULL;
	int rc = store_get(p->store, &sv_gpu_kind, NULL, gpu, &obj);

	if (rc == SV_NOTFOUND)
		return SV_OK;
	if (!rc) {
		capacity_show(p, obj);
		rc = store_put(p->store, &sv_gpu_kind, NULL, obj, platform_now(p));
	}
	sv_free(obj);
	return rc;
}

static void held_gpu(struct platform *p, const char *instance, char *buf, size_t size)
{
	sqlite3_stmt *st = store_stmt(p->store, "SELECT gpu FROM held WHERE instance = ?1");

	*buf = '\0';
	if (!st)
		return;
	sqlite3_bind_text(st, 1, instance, -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW)
		snprintf(buf, size, "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_reset(st);
}

static int write_hold(struct platform *p, const char *account, const char *instance,
	const char *gpu, int64_t cards)
{
	sqlite3_stmt *st = store_stmt(
		p->store, cards > 0 && gpu ? "INSERT OR REPLACE INTO held(instance, account, gpu, "
					     "cards) VALUES(?1, ?2, ?3, ?4)"
					   : "DELETE FROM held WHERE instance = ?1");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, instance, -1, SQLITE_STATIC);
	if (cards > 0 && gpu) {
		sqlite3_bind_text(st, 2, account, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 3, gpu, -1, SQLITE_STATIC);
		sqlite3_bind_int64(st, 4, cards);
	}
	return store_run(p->store, st);
}

int capacity_hold(struct platform *p, const char *account, const char *instance, const char *gpu,
	int64_t cards)
{
	char before[64];
	int rc;

	p->cards_freed = 1;
	held_gpu(p, instance, before, sizeof(before));
	rc = write_hold(p, account, instance, gpu, cards);
	if (!rc && *before && (!gpu || strcmp(before, gpu) != 0))
		rc = refresh(p, before);
	if (!rc && gpu)
		rc = refresh(p, gpu);
	return rc;
}
