/* SPDX-License-Identifier: MIT */
/* The spool: never twice, even across a crash. */
#include "api/spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "api/config.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/sha256.h"
#include "base/time.h"
#include "model/json.h"
#include "model/kind.h"
#include "net/engine.h"

#define MOST_LINE    ((size_t)64 << 10)
#define MOST_OPEN    10000
#define KEPT_SECONDS 86400 /* how long a service remembers a key */

struct slot {
	int fd;
	char path[];
};

struct record {
	struct sv_set set;
	const char *key, *method, *path, *name, *digest, *profile, *endpoint;
	int64_t time;
};

static const struct sv_field record_fields[] = {
	SV_FIELD(struct record, key, STR, "idempotency key", SV_CREATE),
	SV_FIELD(struct record, method, STR, "method", SV_CREATE),
	SV_FIELD(struct record, path, STR, "path", SV_CREATE),
	SV_FIELD(struct record, name, STR, "name in the body", SV_CREATE),
	SV_FIELD(struct record, digest, STR, "SHA-256 of the body", SV_CREATE),
	SV_FIELD(struct record, profile, STR, "profile that sent it", SV_CREATE),
	SV_FIELD(struct record, endpoint, STR, "where it went", SV_CREATE),
	SV_FIELD(struct record, time, TIME, "when it was sent", SV_CREATE),
};
static SV_KIND(
	record_kind, struct record, "spool_record", "a keyed call", record_fields, .plural = NULL);

struct answer {
	struct sv_set set;
	const char *status, *resource;
};

static const struct sv_field answer_fields[] = {
	SV_FIELD(struct answer, status, STR, "how far the call is", 0),
	SV_FIELD(struct answer, resource, STR, "what it made", 0),
};
static SV_KIND(answer_kind, struct answer, "spool_answer", "what became of a key", answer_fields,
	.plural = NULL);

/* The key as a file's name: it may hold anything printable. */
static int path_of(const sv_client *c, const char *key, struct sv_buf *b)
{
	sv_buf_fmt(b, "%s/spool", c->config->state_dir);
	if (key) {
		sv_buf_str(b, "/k-");
		sv_buf_url(b, key);
	}
	return b->failed ? SV_NOMEM : SV_OK;
}

static int line_of(const sv_client *c, const struct sv_request *r, struct sv_buf *b)
{
	char digest[65];
	struct record rec = {
		.key = r->key,
		.method = r->method,
		.path = r->path,
		.name = r->name,
		.digest = digest,
		.profile = c->config->profile,
		.endpoint = c->endpoint.shown,
		.time = sv_now(),
	};
	int rc;

	sv_sha256_hex(r->body ? r->body : "", r->body_len, digest);
	rc = sv_write_json(b, &record_kind, &rec, SV_WALK_CREATE, 0);
	return rc ? rc : sv_buf_chr(b, '\n');
}

static int refuse(struct sv_error *err, const char *path, int e)
{
	sv_err(err, SV_IO, "%s cannot be written: %s; nothing was sent", path, strerrordesc_np(e));
	sv_err_hint(err, "what may be billed is written down before it is sent; see state_dir");
	return SV_IO;
}

/* The file is made under its own lock: made, locked, and only then given its name. */
static int make(const char *path, const struct sv_buf *line, struct slot *slot)
{
	char temp[PATH_MAX];
	int e;

	/* A dot first: whoever looks through the folder passes over it. */
	if ((size_t)snprintf(temp, sizeof(temp), "%.*s.%s", (int)(strrchr(path, '/') + 1 - path),
		    path, strrchr(path, '/') + 1) >= sizeof(temp))
		return ENAMETOOLONG;
	unlink(temp);
	e = sv_file_create(temp, 0600, line->data, line->len);
	if (e)
		return e;
	slot->fd = open(temp, O_RDWR | O_CLOEXEC);
	if (slot->fd < 0 || flock(slot->fd, LOCK_EX | LOCK_NB) || rename(temp, path))
		e = errno;
	if (e) {
		unlink(temp);
		if (slot->fd >= 0)
			close(slot->fd);
		return e;
	}
	sv_dir_sync(path);
	return 0;
}

int sv_spool_write(sv_client *c, const struct sv_request *r, void **ret, struct sv_error *err)
{
	struct sv_buf path, line;
	struct slot *slot = NULL;
	int rc, e = 0;

	if (!c->config->state_dir)
		return SV_OK;
	sv_buf_init(&path, PATH_MAX);
	sv_buf_init(&line, MOST_LINE);
	rc = path_of(c, NULL, &path);
	if (!rc)
		e = sv_dir_make(path.data);
	sv_buf_reset(&path);
	if (!rc && !e)
		rc = path_of(c, r->key, &path);
	if (!rc && !e)
		rc = line_of(c, r, &line);
	if (!rc && !e) {
		slot = sv_malloc(sizeof(*slot) + path.len + 1);
		rc = slot ? SV_OK : SV_NOMEM;
	}
	if (!rc && !e) {
		memcpy(slot->path, path.data, path.len + 1);
		e = make(slot->path, &line, slot);
	}
	if (rc || e) {
		sv_mfree(slot);
		rc = rc ? sv_err(err, SV_NOMEM, "out of memory")
			: refuse(err, sv_buf_text(&path), e);
	} else {
		*ret = slot;
	}
	sv_buf_free(&path);
	sv_buf_free(&line);
	return rc;
}

void sv_spool_settle(sv_client *c, void *data, int final)
{
	struct slot *slot = data;

	(void)c;
	if (final)
		unlink(slot->path);
	close(slot->fd);
	sv_mfree(slot);
}

/* Reconciling. */

typedef void told(void *data, const char *key, const char *method, const char *path,
	const char *name, const char *status, const char *resource);

struct asker {
	sv_client *c;
	told *fn;
	void *data;
	int open; /* calls whose outcome is still not known */
};

/* Asks the service. SV_OK: the outcome is final and told. */
static int ask(struct asker *a, const struct record *rec)
{
	const struct sv_kind *kind = &answer_kind;
	const struct sv_verb verb = { "get", SV_GET, "/v1/idempotency_keys/{key}", "",
		.out = kind };
	const char *const args[] = { rec->key, NULL };
	const char *status;
	struct answer *answer;
	void *obj = NULL;
	int r = sv_run(a->c, &verb, args, NULL, &obj);

	answer = obj;
	if (r == SV_NOTFOUND) {
		/* The service has burned the key: what is still on its way will not happen. */
		status = sv_now() - rec->time > KEPT_SECONDS ? "expired" : "not_received";
		r = SV_OK;
	} else if (r || !answer) {
		return r ? r : SV_PROTO;
	} else {
		status = answer->status ? answer->status : "unknown";
	}
	if (a->fn)
		a->fn(a->data, rec->key, rec->method, rec->path, rec->name, status,
			answer ? answer->resource : NULL);
	if (!strcmp(status, "running"))
		r = SV_TIMEDOUT;
	sv_free(obj);
	return r;
}

static int same(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

/* One file. What another process holds is in flight there; what is of another profile is not ours
 * to ask about. */
static int one(struct asker *a, const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW), r = SV_OK;
	struct record *rec;
	struct sv_error why;
	struct sv_buf text;
	void *obj = NULL;

	if (fd < 0)
		return SV_OK;
	sv_buf_init(&text, MOST_LINE);
	if (flock(fd, LOCK_EX | LOCK_NB))
		goto out;
	if (sv_file_read(path, 0, &text, &why) ||
		sv_from_json(&record_kind, sv_buf_text(&text), text.len, &obj, &why))
		goto out;
	rec = obj;
	if (!rec->key || !same(rec->profile, a->c->config->profile) ||
		!same(rec->endpoint, a->c->endpoint.shown))
		goto out;
	r = ask(a, rec);
	if (!r)
		unlink(path);
	else
		a->open++;
out:
	sv_free(obj);
	sv_buf_free(&text);
	close(fd);
	return r;
}

int sv_reconcile(sv_client *c, told *fn, void *data)
{
	struct asker a = { .c = c, .fn = fn, .data = data };
	struct sv_buf path;
	struct dirent *e;
	DIR *dir = NULL;
	int r = SV_OK, n = 0;

	sv_err_clear(&c->error);
	if (!c->config->state_dir)
		return SV_OK;
	sv_buf_init(&path, PATH_MAX);
	if (!path_of(c, NULL, &path))
		dir = opendir(path.data);
	while (dir && !r && n++ < MOST_OPEN && (e = readdir(dir))) {
		if (strncmp(e->d_name, "k-", 2) != 0)
			continue;
		sv_buf_reset(&path);
		path_of(c, NULL, &path);
		sv_buf_fmt(&path, "/%s", e->d_name);
		r = path.failed ? SV_NOMEM : one(&a, path.data);
		/* One that still runs does not keep the others from being asked about. */
		if (r == SV_TIMEDOUT)
			r = SV_OK;
	}
	if (dir)
		closedir(dir);
	sv_buf_free(&path);
	if (!r && a.open)
		r = sv_err(&c->error, SV_TIMEDOUT, "%d calls are still under way", a.open);
	return r;
}
