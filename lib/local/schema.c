/* SPDX-License-Identifier: MIT */
/* The tables and how an older file becomes a newer one. A step is never changed once it has been
 * released: add one. */
#include "local/schema.h"

static const char step_1[] =
	"CREATE TABLE doc("
	" row INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL UNIQUE,"
	" account TEXT NOT NULL, name TEXT NOT NULL, status TEXT, gpu TEXT, instance TEXT, gone "
	"INTEGER NOT NULL DEFAULT 0,"
	" version INTEGER NOT NULL, created INTEGER NOT NULL, doc TEXT NOT NULL);"
	"CREATE INDEX doc_created ON doc(kind, account, created, row, gone);"
	"CREATE INDEX doc_name ON doc(kind, account, name, row);"
	"CREATE INDEX doc_status ON doc(kind, account, status, created, row);"
	"CREATE INDEX doc_gpu ON doc(kind, account, gpu, created, row) WHERE gpu IS NOT NULL;"
	"CREATE INDEX doc_instance ON doc(instance, kind) WHERE instance IS NOT NULL;"
	"CREATE TABLE label(doc INTEGER NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,"
	" PRIMARY KEY(doc, key)) WITHOUT ROWID;"
	"CREATE INDEX label_value ON label(key, value, doc);"
	"CREATE TABLE fact(id TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
	" PRIMARY KEY(id, name)) WITHOUT ROWID;"
	"CREATE TABLE due(seq INTEGER PRIMARY KEY, resource TEXT NOT NULL, cause TEXT NOT NULL, at "
	"INTEGER NOT NULL,"
	" again INTEGER NOT NULL DEFAULT 0, UNIQUE(resource, cause));"
	"CREATE INDEX due_at ON due(at, seq);"
	"CREATE TABLE event(seq INTEGER PRIMARY KEY AUTOINCREMENT, account TEXT NOT NULL, type "
	"TEXT NOT NULL,"
	" actor TEXT NOT NULL, resource TEXT, message TEXT NOT NULL, at INTEGER NOT NULL);"
	"CREATE INDEX event_account ON event(account, seq);"
	"CREATE INDEX event_resource ON event(resource, seq);"
	"CREATE TABLE idempotency(account TEXT NOT NULL, key TEXT NOT NULL, state TEXT NOT NULL, "
	"digest BLOB,"
	" request TEXT, resource TEXT, operation TEXT, status INTEGER, body TEXT, created INTEGER "
	"NOT NULL,"
	" PRIMARY KEY(account, key)) WITHOUT ROWID;"
	"CREATE INDEX idempotency_created ON idempotency(created);"
	"CREATE TABLE api_key(hash BLOB PRIMARY KEY, account TEXT NOT NULL, instance TEXT, created "
	"INTEGER NOT NULL)"
	" WITHOUT ROWID;"
	"CREATE INDEX api_key_instance ON api_key(instance) WHERE instance IS NOT NULL;";

/* A key of fewer rights belongs to the document of a token. */
static const char step_2[] =
	"ALTER TABLE api_key ADD COLUMN token TEXT;"
	"ALTER TABLE api_key ADD COLUMN used INTEGER;"
	"CREATE INDEX api_key_token ON api_key(token) WHERE token IS NOT NULL;";

/* Keys of storages. A signature cannot be verified without the secret itself. */
static const char step_3[] =
	"CREATE TABLE s3_key(seq INTEGER PRIMARY KEY AUTOINCREMENT, access TEXT NOT NULL UNIQUE,"
	" secret TEXT NOT NULL, storage TEXT NOT NULL, account TEXT NOT NULL);"
	"CREATE INDEX s3_key_storage ON s3_key(storage, seq);";

static const char *const steps[] = { step_1, step_2, step_3 };

#define N_STEPS ((int)(sizeof(steps) / sizeof(steps[0])))

static int version_of(sqlite3 *db, int *ret)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite3_prepare_v2(db, "PRAGMA user_version", -1, &st, NULL);

	if (rc == SQLITE_OK && (rc = sqlite3_step(st)) == SQLITE_ROW) {
		*ret = sqlite3_column_int(st, 0);
		rc = SQLITE_OK;
	}
	sqlite3_finalize(st);
	return rc;
}

static int step_up(sqlite3 *db, int from)
{
	char pragma[48];
	int rc = sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL);

	for (int i = from; rc == SQLITE_OK && i < N_STEPS; i++)
		rc = sqlite3_exec(db, steps[i], NULL, NULL, NULL);
	snprintf(pragma, sizeof(pragma), "PRAGMA user_version=%d", N_STEPS);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, pragma, NULL, NULL, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
	if (rc != SQLITE_OK)
		sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

int schema_apply(sqlite3 *db, char *message, size_t size)
{
	int have = 0, rc = version_of(db, &have);

	if (rc == SQLITE_OK && have > N_STEPS) {
		snprintf(message, size,
			"the state was written by a newer version (format %d, this one knows %d)",
			have, N_STEPS);
		return SV_UNSUPPORTED;
	}
	if (rc == SQLITE_OK && have < N_STEPS)
		rc = step_up(db, have);
	if (rc == SQLITE_OK)
		return SV_OK;
	snprintf(message, size, "the state cannot be prepared: %s", sqlite3_errmsg(db));
	return SV_SERVER;
}
