/* SPDX-License-Identifier: MIT */
/* SQLite. One table of documents (any kind), typed tables for what is counted. Everything done in
 * one turn of the daemon's loop is one transaction: store_begin() is implied by the first write,
 * store_commit() makes it durable, and no answer leaves before. */
#ifndef SV_LOCAL_STORE_H
#define SV_LOCAL_STORE_H

#include <sqlite3.h>
#include <starverse/kind.h>

#include "base/buf.h"

struct store;

/* path NULL: in memory. message gets a phrase on failure. */
int store_open(const char *path, struct store **ret, char *message, size_t size);
void store_close(struct store *s);
sqlite3 *store_db(struct store *s);
/* A prepared statement, cached by its text, reset and with bindings cleared; NULL on a programming
 * error. */
sqlite3_stmt *store_stmt(struct store *s, const char *sql);
int store_begin(struct store *s);  /* nothing when one is open */
int store_commit(struct store *s); /* SV_OK, or SV_SERVER and everything of the turn is undone */
void store_rollback(struct store *s);
/* A savepoint around one call (they nest), so that a refused one leaves nothing. */
int store_mark(struct store *s);
int store_release(struct store *s, int keep);

int store_is_open(const struct store *s);
/* Steps a statement that gives no row and resets it; NULL is a failure. SV_OK, SV_CONFLICT for a
 * broken constraint, or SV_SERVER. */
int store_run(struct store *s, sqlite3_stmt *st);
/* What an SQLite result means, and its text. */
int store_code(struct store *s, int rc);
const char *store_error(struct store *s);
/* changed is called with the id of every document that is put or dropped, before it is committed.
 */
void store_watch(struct store *s, void (*changed)(void *data, const char *id), void *data);
void store_tell(struct store *s, const char *id);

/* len random characters of [0-9a-z] and the NUL. */
void store_random(struct store *s, char *buf, size_t len);
/* A new id: prefix and 20 characters of [0-9a-z], never given before. */
void store_id(struct store *s, const char *prefix, char *buf, size_t size);

/* Reads one document into a root. account NULL: any. SV_NOTFOUND when there is none. */
int store_get(struct store *s, const struct sv_kind *kind, const char *account, const char *id,
	void **ret);
/* Inserts or replaces: obj's id, name, status, gpu, instance and labels rows fill the indexed
 * columns; version grows, updated_at (and created_at of a new one) is now; followers and long polls
 * are told at commit. */
int store_put(
	struct store *s, const struct sv_kind *kind, const char *account, void *obj, int64_t now);
/* Removes the document for good; followers are told. */
int store_drop(struct store *s, const struct sv_kind *kind, const char *id, int64_t now);
/* The version of a document without reading it; -1 when there is none. */
int64_t store_version(struct store *s, const char *id);
/* The account that a document belongs to ("" for what is public). SV_NOTFOUND. */
int store_owner(struct store *s, const char *id, char *account, size_t size);
/* The name of a document, "" when there is none. */
void store_name(struct store *s, const char *id, char *buf, size_t size);
/* Calls fn with each document of a kind, account NULL: all, status NULL: all; fn returns non-zero
 * to end, and may change or drop what it likes. */
int store_each(struct store *s, const struct sv_kind *kind, const char *account, const char *status,
	int (*fn)(void *data, const char *account, void *obj), void *data);

/* Small private facts that the contract does not show (an engine's layer chain, a step's number),
 * by id and name. */
int store_fact_set(struct store *s, const char *id, const char *name,
	const char *value); /* value NULL: removes */
int store_fact_get(
	struct store *s, const char *id, const char *name, struct sv_buf *ret); /* SV_NOTFOUND */
int store_facts_drop(struct store *s, const char *id);

#endif
