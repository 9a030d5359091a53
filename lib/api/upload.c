/* SPDX-License-Identifier: MIT */
/* Files to objects: in one piece, or in parts of which several are under way. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/upload.h"
#include "base/arena.h"
#include "base/err.h"

#define MOST_AT_ONCE  16
#define USUAL_AT_ONCE 4
#define USUAL_PART    (INT64_C(8) << 20)
#define MIB           (INT64_C(1) << 20)
#define TELL_MS       100

struct uploading {
	sv_bucket *bucket;
	const char *key;
	struct sv_transfer *t;
	int fd;
	struct stat st;
	char mtime[40];
	int64_t part_size, done; /* done: bytes of parts that the service has */
	int n;                   /* parts there will be */
	struct sv_multipart m;
	struct sv_record_file record;
	struct sv_sending at[MOST_AT_ONCE];
	int most, one_body; /* one_body: the next begins when the one before has left */
	int next, flying;
	int code; /* the first failure */
	struct sv_error why;
};

int64_t sv_part_size(const struct sv_transfer *t, int64_t total)
{
	int64_t size = t && t->part_bytes ? t->part_bytes : USUAL_PART;

	if (size < SV_PART_LEAST || size > SV_PART_MOST)
		return -1;
	while (total > 0 && (total + size - 1) / size > SV_PARTS_MOST && size < SV_PART_MOST)
		size += MIB;
	return size <= SV_PART_MOST && (total + size - 1) / size <= SV_PARTS_MOST ? size : -1;
}

void sv_transfer_tell(const struct sv_transfer *t, int64_t done, int64_t total)
{
	if (t && t->progress)
		t->progress(t->data, done, total);
}

void sv_transfer_note(const struct sv_transfer *t, const char *fmt, ...)
{
	char text[400];
	va_list ap;

	if (!t || !t->note)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	t->note(t->data, text);
}

static int64_t size_of(const struct uploading *u, int number)
{
	int64_t from = (int64_t)(number - 1) * u->part_size;

	return u->st.st_size - from < u->part_size ? u->st.st_size - from : u->part_size;
}

static int have(const struct uploading *u, int number)
{
	return u->m.parts[number - 1].size == size_of(u, number);
}

static void describe(struct uploading *u, struct sv_sending *s, int number)
{
	*s = (struct sv_sending){ .upload = &u->m,
		.bucket = u->bucket,
		.key = u->key,
		.number = number,
		.fd = u->fd,
		.offset = (int64_t)(number ? number - 1 : 0) * u->part_size,
		.size = number ? size_of(u, number) : u->st.st_size };
	memcpy(s->mtime, u->mtime, sizeof(s->mtime));
}

/* What the service has, compared with what was written down, and where that says nothing with the
 * file. */
static void merge(struct uploading *u, const struct sv_part *kept, int n_kept)
{
	for (int i = 1; i <= u->n; i++) {
		struct sv_part *p = &u->m.parts[i - 1];
		struct sv_sending s;

		if (p->size && i <= n_kept && kept[i - 1].size == p->size &&
			!strcmp(kept[i - 1].etag, p->etag)) {
			*p = kept[i - 1];
			continue;
		}
		describe(u, &s, i);
		if (!p->size || !sv_sending_same(&s, p))
			*p = (struct sv_part){ 0 };
	}
}

static void count(struct uploading *u)
{
	u->done = 0;
	for (int i = 1; i <= u->n; i++)
		if (have(u, i))
			u->done += size_of(u, i);
}

/* 1: the upload that the record names goes on; 0: it is begun anew; else a code. */
static int resume(struct uploading *u)
{
	struct sv_part *kept;
	int n_kept = u->m.n, r;

	if (!u->record.part_size)
		return 0;
	if (u->record.other_file || u->t->fresh) {
		if (u->record.other_file)
			sv_transfer_note(u->t,
				"%s was begun with another file, or this one has "
				"changed since: starting over",
				u->key);
		sv_multipart_abort(&u->m);
		return 0;
	}
	u->part_size = u->record.part_size;
	u->n = (int)((u->st.st_size + u->part_size - 1) / u->part_size);
	if (sv_multipart_room(&u->m, u->n))
		return SV_NOMEM;
	kept = sv_malloc((size_t)u->m.room * sizeof(*kept));
	if (!kept)
		return sv_err(&u->bucket->client->error, SV_NOMEM, "out of memory");
	memcpy(kept, u->m.parts, (size_t)u->m.room * sizeof(*kept));
	r = sv_multipart_look(&u->m, u->n);
	if (!r)
		merge(u, kept, n_kept < u->n ? n_kept : u->n);
	else
		memcpy(u->m.parts, kept, (size_t)u->m.room * sizeof(*kept));
	sv_mfree(kept);
	if (r == SV_NOTFOUND)
		return 0;
	return r && r != SV_UNSUPPORTED ? r : 1;
}

/* Every part was there, and the service knows the upload no more: it was made an object already. */
static int was_completed(struct uploading *u, struct sv_bucket_object **ret)
{
	struct sv_bucket_object *o = NULL;
	char etag[SV_ETAG_SIZE];

	count(u);
	sv_multipart_etag(&u->m, u->n, etag);
	if (!u->record.part_size || u->record.other_file || u->t->fresh ||
		u->done != u->st.st_size || !*etag || sv_bucket_head(u->bucket, u->key, &o))
		return 0;
	if (o->etag && !strcmp(o->etag, etag) && o->size_bytes == u->st.st_size) {
		if (ret)
			*ret = o;
		else
			sv_free(o);
		return 1;
	}
	sv_free(o);
	return 0;
}

static int begin(struct uploading *u)
{
	int r;

	if (u->record.part_size && !u->record.other_file && !u->t->fresh)
		sv_transfer_note(
			u->t, "%s: the service no longer knows the upload: starting over", u->key);
	u->part_size = sv_part_size(u->t, u->st.st_size);
	u->n = (int)((u->st.st_size + u->part_size - 1) / u->part_size);
	u->m.n = 0;
	r = sv_multipart_room(&u->m, u->n);
	if (!r)
		r = sv_multipart_create(&u->m, u->mtime);
	return r ? r : sv_record_begin(&u->record, &u->m, u->part_size);
}

/* Takes what has ended. */
static void reap(struct uploading *u)
{
	for (int i = 0; i < MOST_AT_ONCE; i++) {
		struct sv_sending *s = &u->at[i];

		if (!s->op || !sv_op_done(s->op))
			continue;
		if (sv_sums_refused(u->bucket, sv_op_error(s->op)->code, s->summed)) {
			u->next = s->number < u->next ? s->number : u->next;
		} else if (sv_op_error(s->op)->code && !u->code) {
			u->code = sv_op_error(s->op)->code;
			u->why = *sv_op_error(s->op);
		} else if (!sv_op_error(s->op)->code) {
			u->m.parts[s->number - 1] = s->got;
			u->done += s->size;
			u->t->sent_bytes += s->size;
			sv_record_part(&u->record, &u->m, s->number);
		}
		sv_finish(s->op, NULL);
		s->op = NULL;
		u->flying--;
	}
}

static int may_start(const struct uploading *u)
{
	if (u->code || u->flying >= u->most)
		return 0;
	for (int i = 0; u->one_body && i < MOST_AT_ONCE; i++)
		if (u->at[i].op && u->at[i].at < u->at[i].size)
			return 0;
	return 1;
}

static int under_way(const struct uploading *u, int number)
{
	for (int i = 0; i < MOST_AT_ONCE; i++)
		if (u->at[i].op && u->at[i].number == number)
			return 1;
	return 0;
}

static void start_some(struct uploading *u)
{
	while (u->next <= u->n && may_start(u)) {
		int i = 0, number = u->next++;

		if (have(u, number) || under_way(u, number))
			continue;
		while (u->at[i].op)
			i++;
		describe(u, &u->at[i], number);
		u->code = sv_sending_start(&u->at[i], NULL, NULL);
		if (u->code)
			u->why = u->bucket->client->error;
		else
			u->flying++;
	}
}

static int64_t moved(const struct uploading *u)
{
	int64_t sum = u->done;

	for (int i = 0; i < MOST_AT_ONCE; i++)
		if (u->at[i].op)
			sum += u->at[i].at;
	return sum;
}

/* 1 when only the answer to some part is still to come. */
static int leaving(const struct uploading *u)
{
	for (int i = 0; i < MOST_AT_ONCE; i++)
		if (u->at[i].op && u->at[i].at == u->at[i].size)
			return 1;
	return 0;
}

static int send_parts(struct uploading *u)
{
	sv_client *c = u->bucket->client;

	u->next = 1;
	sv_transfer_tell(u->t, u->done, u->st.st_size);
	for (;;) {
		start_some(u);
		if (!u->flying || u->code)
			break;
		sv_pump(c, u->one_body ? 20 : TELL_MS);
		reap(u);
		sv_transfer_tell(u->t, moved(u), u->st.st_size);
	}
	/* What has left need not leave again. */
	while (u->code != SV_CANCELED && leaving(u)) {
		sv_pump(c, TELL_MS);
		reap(u);
	}
	for (int i = 0; i < MOST_AT_ONCE; i++)
		if (u->at[i].op)
			sv_finish(u->at[i].op, NULL);
	if (u->code)
		c->error = u->why;
	return u->code;
}

static int unchanged(struct uploading *u)
{
	struct stat st;

	if (!fstat(u->fd, &st) && st.st_size == u->st.st_size &&
		st.st_mtim.tv_sec == u->st.st_mtim.tv_sec &&
		st.st_mtim.tv_nsec == u->st.st_mtim.tv_nsec)
		return SV_OK;
	return sv_err(&u->bucket->client->error, SV_CONFLICT,
		"the file has changed while it was being sent");
}

static int in_parts(struct uploading *u, struct sv_bucket_object **ret)
{
	int r = resume(u), changed;

	if (!r && was_completed(u, ret)) {
		u->t->resumed_bytes = u->done;
		sv_record_close(&u->record, 1);
		return SV_OK;
	}
	if (r == 1) {
		count(u);
		u->t->resumed_bytes = u->done;
		sv_transfer_note(u->t, "%s: resuming, %lld of %lld MiB are there", u->key,
			(long long)(u->done / MIB), (long long)(u->st.st_size / MIB));
		r = SV_OK;
	} else if (!r) {
		r = begin(u);
		u->done = 0;
	}
	if (!r)
		r = send_parts(u);
	changed = !r && unchanged(u);
	if (changed) {
		r = SV_CONFLICT;
		sv_multipart_abort(&u->m);
	}
	if (!r)
		r = sv_multipart_complete(&u->m, u->n, u->st.st_size, ret);
	if (r && u->record.fd < 0)
		sv_multipart_abort(&u->m);
	sv_record_close(&u->record, !r || changed);
	return r;
}

static int in_one(struct uploading *u, struct sv_bucket_object **ret)
{
	struct sv_sending *s = &u->at[0];
	int r;

	/* Of an earlier, longer state of the file. */
	if (u->record.part_size)
		sv_multipart_abort(&u->m);
	sv_record_close(&u->record, 1);
	describe(u, s, 0);
	r = sv_sending_run(s);
	if (!r)
		r = unchanged(u);
	if (!r) {
		u->t->sent_bytes = s->size;
		sv_transfer_tell(u->t, s->size, s->size);
	}
	if (!r && ret)
		*ret = s->o;
	else
		sv_free(s->o);
	return r;
}

static int open_file(struct uploading *u, const char *path, char real[PATH_MAX])
{
	struct sv_error *err = &u->bucket->client->error;

	u->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (u->fd < 0 || fstat(u->fd, &u->st))
		return sv_err(err, SV_IO, "%s: %s", path, strerrordesc_np(errno));
	if (!S_ISREG(u->st.st_mode))
		return sv_err(err, SV_INVALID, "%s is no regular file", path);
	if (!realpath(path, real))
		snprintf(real, PATH_MAX, "%s", path);
	sv_sending_mtime(&u->st, u->mtime);
	u->part_size = sv_part_size(u->t, u->st.st_size);
	if (u->part_size < 0)
		return sv_err(err, SV_INVALID, "parts are of 5 MiB to 5 GiB, and at most %d",
			SV_PARTS_MOST);
	return SV_OK;
}

static void choose_places(struct uploading *u)
{
	int wanted = u->t->connections;

	/* On this machine more bodies at once are not faster, and each would be lost by a kill. */
	u->one_body = !wanted && !strncmp(u->bucket->place.endpoint.base, "http:", 5) &&
		      u->bucket->place.plain_payload;
	u->most = wanted > 0 ? wanted : USUAL_AT_ONCE;
	if (u->most > MOST_AT_ONCE)
		u->most = MOST_AT_ONCE;
}

int sv_bucket_upload(sv_bucket *b, const char *key, const char *path, struct sv_transfer *t,
	struct sv_bucket_object **ret)
{
	struct sv_transfer own = { .fresh = 0 };
	struct uploading *u;
	char real[PATH_MAX];
	int r = sv_bucket_key(b, key);

	if (r)
		return r;
	u = sv_malloc(sizeof(*u));
	if (!u)
		return sv_err(&b->client->error, SV_NOMEM, "out of memory");
	memset(u, 0, sizeof(*u));
	u->bucket = b;
	u->key = key;
	u->t = t ? t : &own;
	u->t->sent_bytes = u->t->resumed_bytes = 0;
	u->m = (struct sv_multipart){ .bucket = b, .key = key };
	u->record.fd = -1;
	r = open_file(u, path, real);
	if (!r)
		r = sv_record_open(&u->record, &u->m, real, &u->st);
	choose_places(u);
	if (!r)
		r = u->st.st_size > u->part_size ? in_parts(u, ret) : in_one(u, ret);
	sv_record_close(&u->record, 0);
	if (u->fd >= 0)
		close(u->fd);
	sv_multipart_end(&u->m);
	sv_mfree(u);
	return r;
}
