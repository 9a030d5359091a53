/* SPDX-License-Identifier: MIT */
/* What has no known length to objects: a part in memory at a time. */
#include <string.h>

#include "api/upload.h"
#include "base/arena.h"
#include "base/err.h"

/* Parts become larger on the way, so that ten thousand of them reach far. */
#define GROWS_AFTER 1000

struct streaming {
	struct sv_multipart m;
	struct sv_sending s;
	struct sv_transfer *t;
	int64_t (*read)(void *data, void *buf, size_t size);
	void *data;
	char *buf;
	int64_t room, size, total; /* of the part, of what was sent before it */
	int ended;
};

/* Fills the part. */
static int fill(struct streaming *u)
{
	sv_client *c = u->m.bucket->client;
	int64_t n;

	for (u->size = 0; u->size < u->room && !u->ended; u->size += n) {
		n = u->read(u->data, u->buf + u->size, (size_t)(u->room - u->size));
		if (n < 0)
			return sv_err(&c->error, SV_CANCELED, "given up");
		u->ended = !n;
	}
	return SV_OK;
}

static int send_part(struct streaming *u, int number)
{
	int r;

	u->s = (struct sv_sending){ .upload = &u->m,
		.bucket = u->m.bucket,
		.key = u->m.key,
		.number = number,
		.fd = -1,
		.bytes = u->buf,
		.size = u->size };
	r = sv_sending_run(&u->s);
	if (r)
		return r;
	u->total += u->size;
	u->t->sent_bytes = u->total;
	sv_transfer_tell(u->t, u->total, u->ended ? u->total : -1);
	return SV_OK;
}

static int grow(struct streaming *u, int number)
{
	char *more;

	if (number % GROWS_AFTER || u->room * 2 > SV_PART_MOST)
		return SV_OK;
	more = sv_realloc(u->buf, (size_t)u->room * 2);
	if (!more)
		return sv_err(&u->m.bucket->client->error, SV_NOMEM, "out of memory");
	u->buf = more;
	u->room *= 2;
	return SV_OK;
}

static int in_parts(struct streaming *u, struct sv_bucket_object **ret)
{
	int number = 1, r = sv_multipart_room(&u->m, number);

	if (!r)
		r = sv_multipart_create(&u->m, NULL);
	for (; !r && u->size; number++) {
		r = number > SV_PARTS_MOST
			    ? sv_err(&u->m.bucket->client->error, SV_INVALID, "it is too long")
			    : sv_multipart_room(&u->m, number);
		if (!r)
			r = send_part(u, number);
		if (r)
			break;
		u->m.parts[number - 1] = u->s.got;
		r = grow(u, number);
		if (!r)
			r = fill(u);
	}
	if (!r)
		r = sv_multipart_complete(&u->m, number - 1, u->total, ret);
	if (r)
		sv_multipart_abort(&u->m);
	return r;
}

static int in_one(struct streaming *u, struct sv_bucket_object **ret)
{
	int r = send_part(u, 0);

	if (!r && ret)
		*ret = u->s.o;
	else
		sv_free(u->s.o);
	return r;
}

int sv_bucket_upload_from(sv_bucket *b, const char *key,
	int64_t (*read)(void *data, void *buf, size_t size), void *data, struct sv_transfer *t,
	struct sv_bucket_object **ret)
{
	struct sv_transfer own = { .fresh = 0 };
	struct streaming u = {
		.m = { .bucket = b, .key = key }, .t = t ? t : &own, .read = read, .data = data
	};
	int r = sv_bucket_key(b, key);

	if (r)
		return r;
	u.room = sv_part_size(u.t, 0);
	if (u.room < 0)
		return sv_err(&b->client->error, SV_INVALID, "parts are of 5 MiB to 5 GiB");
	u.t->sent_bytes = u.t->resumed_bytes = 0;
	u.buf = sv_malloc((size_t)u.room);
	r = u.buf ? fill(&u) : sv_err(&b->client->error, SV_NOMEM, "out of memory");
	if (!r)
		r = u.ended ? in_one(&u, ret) : in_parts(&u, ret);
	sv_mfree(u.buf);
	sv_multipart_end(&u.m);
	return r;
}
