/* SPDX-License-Identifier: MIT */
/* A ledger in memory, for tests of it. */
#ifndef SV_TEST_LEDGER_WORLD_H
#define SV_TEST_LEDGER_WORLD_H

#include "unit.h"

#include <sqlite3.h>

#include "local/due.h"
#include "local/ledger.h"
#include "local/store.h"

#define T0   INT64_C(1790000000) /* no multiple of 60 */
#define YUAN INT64_C(1000000)

struct world {
	struct store *s;
	struct ledger *l;
};

static inline int setup(void **state)
{
	static struct world w;
	char message[256] = "";

	assert_int_equal(store_open(NULL, &w.s, message, sizeof(message)), SV_OK);
	assert_int_equal(ledger_open_tables(w.s, &w.l), SV_OK);
	*state = &w;
	return 0;
}

static inline int teardown(void **state)
{
	struct world *w = *state;

	ledger_free(w->l);
	store_close(w->s);
	return 0;
}

/* A daemon that dies and is started again: what was committed is all there is. */
static inline void die(struct world *w)
{
	assert_int_equal(store_commit(w->s), SV_OK);
	ledger_free(w->l);
	assert_int_equal(ledger_open_tables(w->s, &w->l), SV_OK);
}

static inline void verified(struct world *w)
{
	char message[256] = "";

	if (ledger_verify(w->l, message, sizeof(message)) != SV_OK)
		fail_msg("%s", message);
}

static inline int64_t sum_of(struct world *w, const char *sql)
{
	sqlite3_stmt *st = store_stmt(w->s, sql);
	int64_t v;

	assert_non_null(st);
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	v = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return v;
}

#endif
