/* SPDX-License-Identifier: MIT */
/* Keys and their first answers. States: done, running, lost (the daemon died meanwhile), burned
 * (asked for by its client and not found, so a late arrival must not happen). */
#include "local/idempotency.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "local/auth.h"

#define KEEP_SECONDS 86400
#define KEY_MAX      255

static int refuse(struct sv_error *err, const char *wire, const char *resource, const char *what)
{
	int rc = sv_err_wire(err, wire, "%s", what);

	if (resource)
		snprintf(err->context, sizeof(err->context), "{\"resource\":\"%s\"}", resource);
	return rc;
}

static int digest(const struct request *rq, unsigned char hash[AUTH_HASH])
{
	struct sv_buf b;
	int rc;

	sv_buf_init(&b, SV_MAX_BODY + SV_MAX_URL + 64);
	sv_buf_fmt(&b, "%s %s\n", rq->method, rq->path);
	sv_buf_add(&b, rq->body ? rq->body : "", rq->body_len);
	rc = b.failed ? SV_NOMEM : SV_OK;
	if (rc == SV_OK)
		auth_sha256(b.data, b.len, hash);
	sv_buf_free(&b);
	return rc;
}

static int key_valid(const char *key)
{
	size_t n = strlen(key);

	for (size_t i = 0; i < n; i++)
		if ((unsigned char)key[i] < 0x21 || (unsigned char)key[i] > 0x7e)
			return 0;
	return n > 0 && n <= KEY_MAX;
}

static int purge(struct platform *p)
{
	sqlite3_stmt *st = store_stmt(p->store, "DELETE FROM idempotency WHERE created<?");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_int64(st, 1, platform_now(p) - KEEP_SECONDS);
	return store_run(p->store, st);
}

static sqlite3_stmt *find(struct platform *p, const char *account, const char *key)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"SELECT state, digest, request, resource, status, body, created, operation"
		" FROM idempotency WHERE account=? AND key=?");

	if (st) {
		sqlite3_bind_text(st, 1, account, -1, SQLITE_STATIC);
		sqlite3_bind_text(st, 2, key, -1, SQLITE_STATIC);
	}
	return st;
}

static int replay(sqlite3_stmt *st, struct reply *rp)
{
	rp->status = sqlite3_column_int(st, 4);
	rp->replayed = 1;
	return sv_buf_add(&rp->body, sqlite3_column_text(st, 5),
		       (size_t)sqlite3_column_bytes(st, 5)) == SV_OK
		       ? IDEMPOTENCY_REPLAY
		       : SV_NOMEM;
}

/* What a row that stands there already means for this request. */
static int judge(sqlite3_stmt *st, const struct request *rq, const unsigned char *hash,
	struct reply *rp, struct sv_error *err)
{
	const char *state = (const char *)sqlite3_column_text(st, 0);
	const char *request = (const char *)sqlite3_column_text(st, 2);
	const char *resource = (const char *)sqlite3_column_text(st, 3);

	if (!strcmp(state, "burned"))
		return refuse(err, "idempotency_key_conflict", NULL,
			"this idempotency key was asked for before its request arrived; use a new "
			"one");
	if (sqlite3_column_bytes(st, 1) != AUTH_HASH ||
		memcmp(sqlite3_column_blob(st, 1), hash, AUTH_HASH) != 0)
		return refuse(err, "idempotency_key_conflict", resource,
			"this idempotency key was used for another request");
	if (!strcmp(state, "done"))
		return replay(st, rp);
	if (!strcmp(state, "running") && request && !strcmp(request, rq->request_id))
		return IDEMPOTENCY_GO;
	if (!strcmp(state, "running"))
		return refuse(err, "operation_in_progress", resource,
			"the first request with this key is still under way");
	return refuse(err, "conflict", resource,
		"the platform ended while the first request with this key was under way; its "
		"outcome is not known");
}

int idempotency_begin(struct platform *p, const char *account, const struct request *rq,
	struct reply *rp, struct sv_error *err)
{
	unsigned char hash[AUTH_HASH];
	sqlite3_stmt *st;
	int rc, code;

	if (!key_valid(rq->idempotency_key)) {
		sv_err(err, SV_INVALID,
			"Idempotency-Key must be 1 to %d printable ASCII characters", KEY_MAX);
		return SV_INVALID;
	}
	code = digest(rq, hash);
	if (code == SV_OK)
		code = purge(p);
	st = code == SV_OK ? find(p, account, rq->idempotency_key) : NULL;
	if (!st)
		return code ? code : SV_SERVER;
	rc = sqlite3_step(st);
	code = rc == SQLITE_ROW ? judge(st, rq, hash, rp, err) : store_code(p->store, rc);
	sqlite3_reset(st);
	return code;
}

int idempotency_save(struct platform *p, const char *account, const struct request *rq,
	const struct reply *rp, const char *resource, const char *operation, int running)
{
	unsigned char hash[AUTH_HASH];
	sqlite3_stmt *st =
		store_stmt(p->store, "INSERT OR REPLACE INTO idempotency(account, key, state, "
				     "digest, request, resource, operation, status, body,"
				     " created) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
	int rc = digest(rq, hash);

	if (!st || rc)
		return rc ? rc : SV_SERVER;
	sqlite3_bind_text(st, 1, account, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, rq->idempotency_key, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 3, running ? "running" : "done", -1, SQLITE_STATIC);
	sqlite3_bind_blob(st, 4, hash, sizeof(hash), SQLITE_STATIC);
	sqlite3_bind_text(st, 5, rq->request_id, -1, SQLITE_STATIC);
	if (resource)
		sqlite3_bind_text(st, 6, resource, -1, SQLITE_STATIC);
	if (operation)
		sqlite3_bind_text(st, 7, operation, -1, SQLITE_STATIC);
	sqlite3_bind_int(st, 8, rp->status);
	sqlite3_bind_text(st, 9, sv_buf_text(&rp->body), (int)rp->body.len, SQLITE_STATIC);
	sqlite3_bind_int64(st, 10, platform_now(p));
	return store_run(p->store, st);
}

int idempotency_drop(struct platform *p, const char *account, const struct request *rq)
{
	sqlite3_stmt *st = store_stmt(
		p->store, "DELETE FROM idempotency WHERE account=? AND key=? AND request=?");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, account, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, rq->idempotency_key, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 3, rq->request_id, -1, SQLITE_STATIC);
	return store_run(p->store, st);
}

static int burn(struct platform *p, const char *account, const char *key)
{
	sqlite3_stmt *st = store_stmt(p->store,
		"INSERT INTO idempotency(account, key, state, created) VALUES(?, ?, 'burned', ?)");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, account, -1, SQLITE_STATIC);
	sqlite3_bind_text(st, 2, key, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 3, platform_now(p));
	return store_run(p->store, st);
}

static void text_or_null(struct sv_buf *b, const char *name, sqlite3_stmt *st, int column)
{
	const char *s = (const char *)sqlite3_column_text(st, column);

	sv_buf_fmt(b, ",\"%s\":", name);
	if (s)
		sv_buf_json(b, s, strlen(s));
	else
		sv_buf_str(b, "null");
}

static int describe(sqlite3_stmt *st, const char *key, struct reply *rp)
{
	const char *state = (const char *)sqlite3_column_text(st, 0);

	sv_buf_str(&rp->body, "{\"key\":");
	sv_buf_json(&rp->body, key, strlen(key));
	sv_buf_fmt(&rp->body, ",\"status\":\"%s\"",
		!strcmp(state, "done")      ? "succeeded"
		: !strcmp(state, "running") ? "running"
					    : "unknown");
	text_or_null(&rp->body, "resource", st, 3);
	text_or_null(&rp->body, "operation_id", st, 7);
	sv_buf_chr(&rp->body, '}');
	return rp->body.failed ? SV_NOMEM : SV_OK;
}

int idempotency_answer(struct platform *p, const char *account, const char *key, struct reply *rp,
	struct sv_error *err)
{
	sqlite3_stmt *st;
	int rc, code, known, burned;

	if (!key_valid(key))
		return sv_err(err, SV_INVALID,
			"an idempotency key is 1 to %d printable ASCII characters", KEY_MAX);
	code = purge(p);
	st = code == SV_OK ? find(p, account, key) : NULL;
	if (!st)
		return SV_SERVER;
	rc = sqlite3_step(st);
	known = rc == SQLITE_ROW;
	burned = known && !strcmp((const char *)sqlite3_column_text(st, 0), "burned");
	code = known && !burned ? describe(st, key, rp) : known ? SV_OK : store_code(p->store, rc);
	sqlite3_reset(st);
	if (code == SV_OK && !known)
		code = burn(p, account, key);
	if (code == SV_OK && (!known || burned)) {
		sv_err(err, SV_NOTFOUND,
			"no request with this idempotency key arrived; it cannot be used any more");
		return SV_NOTFOUND;
	}
	rp->status = 200;
	return code;
}

int idempotency_recover(struct platform *p)
{
	int rc = purge(p);

	return rc ? rc
		  : store_run(p->store,
			    store_stmt(p->store,
				    "UPDATE idempotency SET state='lost' WHERE state='running'"));
}
