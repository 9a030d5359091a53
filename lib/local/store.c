/* SPDX-License-Identifier: MIT */
/* The database: opening, statements, transactions. Documents are in document.c, facts in fact.c. */
#include "local/store.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/arena.h"
#include "local/fold.h"
#include "local/schema.h"

#define N_STATEMENTS 512 /* a power of two, far more than there are texts */
#define BUSY_MS      10000

struct statement {
	char *text;
	sqlite3_stmt *st;
};

struct store {
	sqlite3 *db;
	struct statement cache[N_STATEMENTS];
	size_t n_cache;
	int open;  /* a transaction was begun */
	int marks; /* savepoints within it */
	int lost;  /* SQLite gave the transaction up by itself */
	void (*changed)(void *data, const char *id);
	void *data;
	unsigned char random[240];
	size_t random_left;
};

/* What the disk, another process or SQLite refuses is the service's trouble, whatever it is called.
 */
int store_code(struct store *s, int rc)
{
	if (rc == SQLITE_OK || rc == SQLITE_ROW || rc == SQLITE_DONE)
		return SV_OK;
	if (s->open && sqlite3_get_autocommit(s->db))
		s->lost = 1;
	return rc == SQLITE_CONSTRAINT ? SV_CONFLICT : SV_SERVER;
}

const char *store_error(struct store *s)
{
	return sqlite3_errmsg(s->db);
}

static const char settings[] = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA "
			       "foreign_keys=OFF; PRAGMA temp_store=MEMORY;"
			       "PRAGMA cache_size=-16384; PRAGMA journal_size_limit=16777216;";

/* fold(text), for searches. */
static void folded(sqlite3_context *context, int n, sqlite3_value **v)
{
	const char *text = (const char *)sqlite3_value_text(v[0]);
	char *s = text ? fold(text) : NULL;

	(void)n;
	if (s)
		sqlite3_result_text(context, s, -1, SQLITE_TRANSIENT);
	else if (text)
		sqlite3_result_error_nomem(context);
	sv_mfree(s);
}

int store_open(const char *path, struct store **ret, char *message, size_t size)
{
	struct store *s = sv_malloc(sizeof(*s));
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, rc;

	if (!s) {
		snprintf(message, size, "out of memory");
		return SV_NOMEM;
	}
	memset(s, 0, sizeof(*s));
	rc = sqlite3_open_v2(path ? path : ":memory:", &s->db, flags, NULL);
	if (rc == SQLITE_OK) {
		sqlite3_busy_timeout(s->db, BUSY_MS);
		sqlite3_extended_result_codes(s->db, 0);
		rc = sqlite3_exec(s->db, settings, NULL, NULL, NULL);
		if (rc == SQLITE_OK)
			rc = sqlite3_create_function(s->db, "fold", 1,
				SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL, folded, NULL, NULL);
	}
	if (rc != SQLITE_OK) {
		snprintf(message, size, "%s: %s", path ? path : "store",
			s->db ? sqlite3_errmsg(s->db) : "no memory");
		store_close(s);
		return SV_SERVER;
	}
	rc = schema_apply(s->db, message, size);
	if (rc) {
		store_close(s);
		return rc;
	}
	*ret = s;
	return SV_OK;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	store_rollback(s);
	for (size_t i = 0; i < N_STATEMENTS; i++) {
		sqlite3_finalize(s->cache[i].st);
		sv_mfree(s->cache[i].text);
	}
	sqlite3_close(s->db);
	sv_mfree(s);
}

sqlite3 *store_db(struct store *s)
{
	return s->db;
}

void store_watch(struct store *s, void (*changed)(void *data, const char *id), void *data)
{
	s->changed = changed;
	s->data = data;
}

void store_tell(struct store *s, const char *id)
{
	if (s->changed)
		s->changed(s->data, id);
}

static size_t hash(const char *text)
{
	size_t h = 5381;

	for (; *text; text++)
		h = h * 33 ^ (unsigned char)*text;
	return h;
}

static struct statement *slot_of(struct store *s, const char *sql)
{
	size_t at = hash(sql);

	for (size_t i = 0; i < N_STATEMENTS; i++) {
		struct statement *c = &s->cache[(at + i) & (N_STATEMENTS - 1)];

		if (!c->text || !strcmp(c->text, sql))
			return c;
	}
	return NULL;
}

/* Empties the cache between two turns: list filters make texts of their own, as many as a client
 * thinks of. */
static void tidy(struct store *s)
{
	if (s->n_cache < N_STATEMENTS / 2)
		return;
	for (size_t i = 0; i < N_STATEMENTS; i++) {
		sqlite3_finalize(s->cache[i].st);
		sv_mfree(s->cache[i].text);
		s->cache[i] = (struct statement){ 0 };
	}
	s->n_cache = 0;
}

sqlite3_stmt *store_stmt(struct store *s, const char *sql)
{
	struct statement *c = slot_of(s, sql);

	if (!c)
		return NULL;
	if (!c->text) {
		char *text = sv_xstrdup(sql);

		if (!text || sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &c->st,
				     NULL) != SQLITE_OK) {
			sv_mfree(text);
			return NULL;
		}
		c->text = text;
		s->n_cache++;
	}
	sqlite3_reset(c->st);
	sqlite3_clear_bindings(c->st);
	if (!s->open && !sqlite3_stmt_readonly(c->st) && store_begin(s))
		return NULL;
	return c->st;
}

int store_run(struct store *s, sqlite3_stmt *st)
{
	int rc;

	if (!st)
		return store_code(s, SQLITE_ERROR);
	rc = sqlite3_step(st);
	sqlite3_reset(st);
	return store_code(s, rc);
}

static void reset_all(struct store *s)
{
	for (size_t i = 0; i < N_STATEMENTS; i++)
		if (s->cache[i].st && sqlite3_stmt_busy(s->cache[i].st))
			sqlite3_reset(s->cache[i].st);
}

int store_begin(struct store *s)
{
	int rc;

	if (s->open)
		return s->lost ? SV_SERVER : SV_OK;
	rc = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	if (rc == SQLITE_BUSY) {
		/* A statement left standing holds an old snapshot, which waiting does not heal. */
		reset_all(s);
		rc = sqlite3_exec(s->db, "BEGIN IMMEDIATE", NULL, NULL, NULL);
	}
	if (rc != SQLITE_OK)
		return SV_SERVER;
	s->open = 1;
	s->marks = 0;
	s->lost = 0;
	return SV_OK;
}

int store_is_open(const struct store *s)
{
	return s->open;
}

int store_commit(struct store *s)
{
	reset_all(s);
	tidy(s);
	if (!s->open)
		return SV_OK;
	if (!s->lost && sqlite3_exec(s->db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK) {
		s->open = 0;
		return SV_OK;
	}
	store_rollback(s);
	return SV_SERVER;
}

void store_rollback(struct store *s)
{
	if (!s->open)
		return;
	reset_all(s);
	if (!sqlite3_get_autocommit(s->db))
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	s->open = s->lost = s->marks = 0;
}

int store_mark(struct store *s)
{
	int rc = store_begin(s);

	if (rc == SV_OK)
		rc = store_run(s, store_stmt(s, "SAVEPOINT mark"));
	if (rc == SV_OK)
		s->marks++;
	return rc;
}

int store_release(struct store *s, int keep)
{
	int rc = SV_OK;

	if (!s->open || !s->marks)
		return SV_SERVER;
	s->marks--;
	if (s->lost)
		return SV_SERVER;
	if (!keep)
		rc = store_run(s, store_stmt(s, "ROLLBACK TO mark"));
	if (rc == SV_OK)
		rc = store_run(s, store_stmt(s, "RELEASE mark"));
	return rc;
}

static unsigned char random_byte(struct store *s)
{
	if (!s->random_left) {
		if (getrandom(s->random, sizeof(s->random), 0) != (ssize_t)sizeof(s->random))
			sqlite3_randomness((int)sizeof(s->random), s->random);
		s->random_left = sizeof(s->random);
	}
	return s->random[--s->random_left];
}

static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";

void store_random(struct store *s, char *buf, size_t len)
{
	for (size_t i = 0; i < len;) {
		unsigned char c = random_byte(s);

		if (c < 252) /* 7 x 36: every letter equally likely */
			buf[i++] = letters[c % 36];
	}
	buf[len] = '\0';
}

/* The first eight characters grow with time, so that what is new lies together in every index. */
void store_id(struct store *s, const char *prefix, char *buf, size_t size)
{
	char tail[21];
	struct timespec now;
	uint64_t ms;

	store_random(s, tail, sizeof(tail) - 1);
	clock_gettime(CLOCK_REALTIME, &now);
	ms = (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
	for (int i = 7; i >= 0; i--, ms /= 36)
		tail[i] = letters[ms % 36];
	snprintf(buf, size, "%s%s", prefix ? prefix : "", tail);
}
