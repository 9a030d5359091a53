/* SPDX-License-Identifier: MIT */
/* Keys and tokens. A key is 40 random characters, so its plain hash cannot be searched. */
#include "local/auth.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/limits.h"

#define KEY_PREFIX   "sv_"
#define TOKEN_PREFIX "svi_"
#define KEY_CHARS    40

void auth_sha256(const void *data, size_t len, unsigned char hash[AUTH_HASH])
{
	SHA256(data, len, hash);
}

void auth_hex(const unsigned char hash[AUTH_HASH], char buf[65])
{
	for (size_t i = 0; i < AUTH_HASH; i++)
		snprintf(buf + 2 * i, 3, "%02x", hash[i]);
}

static int make(struct platform *p, const char *prefix, const char *account, const char *instance,
	char key[AUTH_KEY])
{
	unsigned char hash[AUTH_HASH];
	sqlite3_stmt *st;

	snprintf(key, AUTH_KEY, "%s", prefix);
	store_random(p->store, key + strlen(prefix), KEY_CHARS);
	auth_sha256(key, strlen(key), hash);
	st = store_stmt(p->store,
		"INSERT INTO api_key(hash, account, instance, created) VALUES(?, ?, ?, ?)");
	if (!st)
		return SV_SERVER;
	sqlite3_bind_blob(st, 1, hash, sizeof(hash), SQLITE_STATIC);
	sqlite3_bind_text(st, 2, account, -1, SQLITE_STATIC);
	if (instance)
		sqlite3_bind_text(st, 3, instance, -1, SQLITE_STATIC);
	sqlite3_bind_int64(st, 4, platform_now(p));
	return store_run(p->store, st);
}

int auth_key_new(struct platform *p, const char *account, char key[AUTH_KEY])
{
	return make(p, KEY_PREFIX, account, NULL, key);
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

	return rc ? rc : make(p, TOKEN_PREFIX, account, instance, token);
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

/* instance "" when the key is an account's own. */
static int look_up(
	struct platform *p, const char *key, size_t len, char *account, size_t size, char *instance)
{
	sqlite3_stmt *st =
		store_stmt(p->store, "SELECT account, instance FROM api_key WHERE hash=?");
	unsigned char hash[AUTH_HASH];
	const char *of;
	int rc;

	if (!st)
		return SV_SERVER;
	auth_sha256(key, len, hash);
	sqlite3_bind_blob(st, 1, hash, sizeof(hash), SQLITE_STATIC);
	rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		snprintf(account, size, "%s", (const char *)sqlite3_column_text(st, 0));
		of = (const char *)sqlite3_column_text(st, 1);
		snprintf(instance, 64, "%s", of ? of : "");
	}
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? SV_NOTFOUND : store_code(p->store, rc);
}

int auth_account(struct platform *p, const struct request *rq, char *account, size_t size,
	struct sv_error *err)
{
	char found[64], instance[64];
	const char *key;
	size_t len;
	int rc;

	key = bearer(rq->authorization, &len);
	if (!key) {
		sv_err(err, SV_AUTH, "no API key: send it as 'Authorization: Bearer KEY'");
		sv_err_hint(err, "POST /v1/account/register gives a key");
		return SV_AUTH;
	}
	rc = look_up(p, key, len, found, sizeof(found), instance);
	if (rc == SV_NOTFOUND)
		return sv_err(err, SV_AUTH, "the API key is not known here");
	if (rc)
		return sv_err_wire(err, "unavailable", "the key cannot be looked up: %s",
			store_error(p->store));
	if (strcmp(instance, rq->instance ? rq->instance : "") != 0)
		return sv_err(err, SV_DENIED, "this key is not good here");
	snprintf(account, size, "%s", found);
	return SV_OK;
}
