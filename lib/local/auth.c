/* SPDX-License-Identifier: MIT */
/* Keys and tokens. A key is 40 random characters, so its plain hash cannot be searched. */
#include "local/auth.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <starverse/token.h>

#include "base/limits.h"
#include "base/time.h"
#include "kinds/kinds.h"
#include "local/scope.h"

#define KEY_PREFIX    "sv_"
#define TOKEN_PREFIX  "svi_"
#define SCOPED_PREFIX "svt_"
#define KEY_CHARS     40
#define USED_SECONDS  60 /* so often its use is noted */

void auth_sha256(const void *data, size_t len, unsigned char hash[AUTH_HASH])
{
	SHA256(data, len, hash);
}

void auth_hex(const unsigned char hash[AUTH_HASH], char buf[65])
{
	for (size_t i = 0; i < AUTH_HASH; i++)
		snprintf(buf + 2 * i, 3, "%02x", hash[i]);
}

/* owner: an instance, a token's document, or NULL for the account itself. */
static int make(struct platform *p, const char *prefix, const char *account, const char *column,
	const char *owner, char key[AUTH_KEY])
{
	unsigned char hash[AUTH_HASH];
	sqlite3_stmt *st;
	char sql[120];

	snprintf(key, AUTH_KEY, "%s", prefix);
	store_random(p->store, key + strlen(prefix), KEY_CHARS);
	auth_sha256(key, strlen(key), hash);
	snprintf(sql, sizeof(sql),
		"INSERT INTO api_key(hash, account, %s, created) VALUES(?, ?, ?, ?)", column);
	st = store_stmt(p->store, sql);
	if (!st)
		return SV_SERVER;
	sqlite3_bind_blob(st, 1, hash, sizeof(hash), SQLITE_STATIC);
	sqlite3_bind_text(st, 2, account, -1, SQLITE_STATIC);
	if (owner)
		sqlite3_bind_text(st, 3, owner, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 4, platform_now(p));
	return store_run(p->store, st);
}

int auth_key_new(struct platform *p, const char *account, char key[AUTH_KEY])
{
	return make(p, KEY_PREFIX, account, "token", NULL, key);
}

int auth_scoped_new(struct platform *p, const char *account, const char *id, char key[AUTH_KEY])
{
	return make(p, SCOPED_PREFIX, account, "token", id, key);
}

int auth_scoped_drop(struct platform *p, const char *id)
{
	sqlite3_stmt *st = store_stmt(p->store, "DELETE FROM api_key WHERE token=?");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	return store_run(p->store, st);
}

int64_t auth_scoped_used(struct platform *p, const char *id)
{
	sqlite3_stmt *st = store_stmt(
		p->store, "SELECT used FROM api_key WHERE token=? AND used IS NOT NULL");
	int64_t at = -1;

	if (!st)
		return -1;
	sqlite3_bind_text(st, 1, id, -1, SQLITE_STATIC);
	if (sqlite3_step(st) == SQLITE_ROW)
		at = sqlite3_column_int64(st, 0);
	sqlite3_reset(st);
	return at;
}

int auth_token_drop(struct platform *p, const char *instance)
{
	sqlite3_stmt *st = store_stmt(p->store, "DELETE FROM api_key WHERE instance=?");

	if (!st)
		return SV_SERVER;
	sqlite3_bind_text(st, 1, instance, -1, SQLITE_STATIC);
	return store_run(p->store, st);
}

int auth_token_new(
	struct platform *p, const char *account, const char *instance, char token[AUTH_KEY])
{
	int rc = auth_token_drop(p, instance);

	return rc ? rc : make(p, TOKEN_PREFIX, account, "instance", instance, token);
}

/* "Bearer KEY": the key within the header, its length in *len, or NULL. */
static const char *bearer(const char *header, size_t *len)
{
	if (!header || strncasecmp(header, "Bearer ", 7) != 0)
		return NULL;
	header += 7;
	header += strspn(header, " ");
	*len = strlen(header);
	while (*len && header[*len - 1] == ' ')
		(*len)--;
	return *len && *len <= SV_MAX_KEY ? header : NULL;
}

struct found {
	char account[64];
	char instance[64]; /* "" when the key is an account's own or a token's */
	char token[64];    /* "" when it is no token's */
	int64_t used;      /* 0 when never */
};

static void copy(sqlite3_stmt *st, int column, char *buf, size_t size)
{
	const char *text = (const char *)sqlite3_column_text(st, column);

	snprintf(buf, size, "%s", text ? text : "");
}

static int look_up(struct platform *p, const char *key, size_t len, struct found *ret)
{
	sqlite3_stmt *st = store_stmt(
		p->store, "SELECT account, instance, token, used FROM api_key WHERE hash=?");
	unsigned char hash[AUTH_HASH];
	int rc;

	if (!st)
		return SV_SERVER;
	auth_sha256(key, len, hash);
	sqlite3_bind_blob(st, 1, hash, sizeof(hash), SQLITE_STATIC);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		copy(st, 0, ret->account, sizeof(ret->account));
		copy(st, 1, ret->instance, sizeof(ret->instance));
		copy(st, 2, ret->token, sizeof(ret->token));
		ret->used = sqlite3_column_int64(st, 3);
	}
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? SV_NOTFOUND : store_code(p->store, rc);
}

/* Once a minute: a request that only reads must not write each time. */
static int note_use(struct platform *p, const struct found *f)
{
	sqlite3_stmt *st;

	if (platform_now(p) < f->used + USED_SECONDS)
		return SV_OK;
	st = store_stmt(p->store, "UPDATE api_key SET used=?1 WHERE token=?2");
	if (!st)
		return SV_SERVER;
	sqlite3_bind_int64(st, 1, platform_now(p));
	sqlite3_bind_text(st, 2, f->token, -1, SQLITE_STATIC);
	return store_run(p->store, st);
}

static int take_scopes(
	struct platform *p, const struct found *f, struct request *rq, struct sv_error *err)
{
	struct sv_token *t = NULL;
	void *obj = NULL;
	char when[40];
	int rc = store_get(p->store, &sv_token_kind, f->account, f->token, &obj);

	if (rc)
		return rc;
	t = obj;
	rq->scopes = scope_bits(&t->scopes);
	if (t->expires_at && t->expires_at <= platform_now(p)) {
		sv_print_time(t->expires_at, when, sizeof(when));
		rc = sv_err(err, SV_AUTH, "token %s expired at %s", t->name, when);
		sv_err_hint(err, "svctl token create NAME makes another one");
	}
	sv_free(obj);
	return rc ? rc : note_use(p, f);
}

int auth_account(struct platform *p, struct request *rq, char *account, size_t size,
	struct sv_error *err)
{
	struct found f = { .used = 0 };
	const char *key;
	size_t len;
	int rc;

	key = bearer(rq->authorization, &len);
	if (!key) {
		sv_err(err, SV_AUTH, "no API key: send it as 'Authorization: Bearer KEY'");
		sv_err_hint(err, "POST /v1/account/register gives a key");
		return SV_AUTH;
	}
	rc = look_up(p, key, len, &f);
	rq->scopes = SCOPE_ALL;
	if (rc == SV_OK && f.token[0])
		rc = take_scopes(p, &f, rq, err);
	if (rc == SV_NOTFOUND)
		return sv_err(err, SV_AUTH, "the API key is not known here");
	if (rc)
		return err->code
			       ? rc
			       : sv_err_wire(err, "unavailable", "the key cannot be looked up: %s",
					 store_error(p->store));
	if (strcmp(f.instance, rq->instance ? rq->instance : "") != 0)
		return sv_err(err, SV_DENIED, "this key is not good here");
	snprintf(account, size, "%s", f.account);
	return SV_OK;
}
