/* SPDX-License-Identifier: MIT */
/* Keys of storages, read from the store in the moment they are used: what the platform has taken
 * back is good no more. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "local/s3/s3.h"
#include "starverse/common.h"

#define BUSY_MS 5000

static const char sql[] =
	"SELECT k.secret, k.storage, k.account, d.name, d.created, json_extract(d.doc, "
	"'$.size_gib'),"
	" (SELECT count(*) FROM doc o WHERE o.kind = 'storage' AND o.account = d.account"
	"   AND o.name = d.name)"
	" FROM s3_key k JOIN doc d ON d.id = k.storage WHERE k.access = ?";

int s3_keys_open(struct s3 *s)
{
	char path[S3_PATH_MAX];

	snprintf(path, sizeof(path), "%s/local.db", s->state_dir);
	if (sqlite3_open_v2(path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL))
		return SV_IO;
	sqlite3_busy_timeout(s->db, BUSY_MS);
	return SV_OK;
}

void s3_keys_close(struct s3 *s)
{
	sqlite3_close(s->db);
	s->db = NULL;
}

static void text(sqlite3_stmt *st, int column, char *buf, size_t size)
{
	const unsigned char *t = sqlite3_column_text(st, column);

	snprintf(buf, size, "%s", t ? (const char *)t : "");
}

int s3_key_find(struct s3 *s, const char *access, struct s3_key *ret)
{
	sqlite3_stmt *st = NULL;
	int rc;

	memset(ret, 0, sizeof(*ret));
	pthread_mutex_lock(&s->db_lock);
	rc = sqlite3_prepare_v2(s->db, sql, -1, &st, NULL);
	if (!rc)
		sqlite3_bind_text(st, 1, access, -1, SQLITE_STATIC);
	if (!rc)
		rc = sqlite3_step(st);
	if (rc == SQLITE_ROW) {
		snprintf(ret->access, sizeof(ret->access), "%s", access);
		text(st, 0, ret->secret, sizeof(ret->secret));
		text(st, 1, ret->storage, sizeof(ret->storage));
		text(st, 2, ret->account, sizeof(ret->account));
		text(st, 3, ret->name, sizeof(ret->name));
		ret->created = sqlite3_column_int64(st, 4);
		ret->size_gib = sqlite3_column_int64(st, 5);
		ret->named = sqlite3_column_int(st, 6) == 1;
	}
	sqlite3_finalize(st);
	pthread_mutex_unlock(&s->db_lock);
	return rc == SQLITE_ROW ? SV_OK : rc == SQLITE_DONE ? SV_NOTFOUND : SV_SERVER;
}
