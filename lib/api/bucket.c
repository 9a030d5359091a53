/* SPDX-License-Identifier: MIT */
/* Buckets: opening, looking, storing and deleting what fits into one request. */
#include "api/bucket.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "api/config.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "net/retry.h"
#include "net/secret.h"

struct sv_bucket_site *sv_bucket_site_new(void)
{
	return sv_new(&sv_bucket_site_kind);
}

struct sv_transfer *sv_transfer_new(void)
{
	return sv_root_new(NULL, sizeof(struct sv_transfer));
}

/* The secret as it is, or from its command. *clean holds SV_MAX_KEY + 1 bytes. */
static int secret_of(const struct sv_bucket_site *site, char *clean, struct sv_error *err)
{
	struct sv_buf b;
	int r;

	if (site->secret_key)
		return sv_secret_clean(
			site->secret_key, strlen(site->secret_key), "secret_key", clean, err);
	if (!site->secret_key_command.n)
		return sv_err(err, SV_CONFIG, "secret_key_command: not set");
	sv_buf_init(&b, SV_MAX_KEY + 256);
	r = sv_secret_command(&site->secret_key_command, "secret_key_command", &b, err);
	if (!r)
		r = sv_secret_clean(sv_buf_text(&b), b.len, "secret_key_command", clean, err);
	if (b.data)
		explicit_bzero(b.data, b.cap);
	sv_buf_free(&b);
	return r;
}

static int missing(const char *name, const char *value, struct sv_error *err)
{
	return value && *value ? SV_OK : sv_err(err, SV_CONFIG, "%s: not set", name);
}

int sv_bucket_open_at(sv_client *c, const struct sv_bucket_site *site, sv_bucket **ret)
{
	char clean[SV_MAX_KEY + 1];
	sv_bucket *b = sv_malloc(sizeof(*b));
	int r = b ? SV_OK : sv_err(&c->error, SV_NOMEM, "out of memory");

	if (r)
		return r;
	sv_err_clear(&c->error);
	memset(b, 0, sizeof(*b));
	b->client = c;
	r = missing("endpoint", site->endpoint, &c->error);
	if (!r)
		r = missing("bucket", site->bucket, &c->error);
	if (!r)
		r = missing("access_key", site->access_key, &c->error);
	if (!r)
		r = secret_of(site, clean, &c->error);
	if (!r)
		r = sv_s3_place_set(&b->place, site->endpoint,
			site->region && *site->region ? site->region : "us-east-1", site->bucket,
			site->access_key, clean, &c->error);
	explicit_bzero(clean, sizeof(clean));
	if (r)
		sv_bucket_close(b);
	else
		*ret = b;
	return r;
}

int sv_bucket_open(sv_client *c, const char *name, sv_bucket **ret)
{
	int r;

	if (!name || !*name)
		return sv_err(&c->error, SV_INVALID, "the storage's name is empty");
	r = sv_bucket_configured(c, name, ret);
	return r == SV_NOTFOUND ? sv_bucket_of_platform(c, name, ret) : r;
}

void sv_bucket_close(sv_bucket *b)
{
	if (!b)
		return;
	/* The next one asks for another pair. */
	if (b->place.refused && b->key_file)
		unlink(b->key_file);
	sv_s3_place_end(&b->place);
	sv_mfree(b->key_file);
	sv_mfree(b);
}

int sv_bucket_key(sv_bucket *b, const char *key)
{
	struct sv_error *err = &b->client->error;
	size_t n = key ? strlen(key) : 0;

	sv_err_clear(err);
	if (!n)
		return sv_err_field(err, "key", "required", "must not be empty");
	if (n > SV_KEY_MOST)
		return sv_err_field(err, "key", "range", "is longer than %d bytes", SV_KEY_MOST);
	if (!sv_utf8_valid(key, n))
		return sv_err_field(err, "key", "value", "is not valid UTF-8");
	return SV_OK;
}

void sv_bucket_do(sv_bucket *b, struct sv_s3_do *d, const char *method, const char *key)
{
	*d = (struct sv_s3_do){ .place = &b->place, .method = method, .key = key };
}

void sv_etag_clean(const char *text, char etag[SV_ETAG_SIZE])
{
	size_t n;

	text = text ? text : "";
	if (!strncmp(text, "W/", 2))
		text += 2;
	text += *text == '"';
	n = strcspn(text, "\"");
	snprintf(etag, SV_ETAG_SIZE, "%.*s", (int)(n < SV_ETAG_SIZE ? n : SV_ETAG_SIZE - 1), text);
}

void sv_etag_of(const struct sv_xfer *x, char etag[SV_ETAG_SIZE])
{
	sv_etag_clean(sv_reply_header(x, "ETag"), etag);
}

int sv_etag_is_md5(const char *etag)
{
	return strlen(etag) == 32 && strspn(etag, "0123456789abcdef") == 32;
}

int64_t sv_bucket_number(const char *text)
{
	int64_t v = -1;

	return text && !sv_parse_int(text, &v) && v >= 0 ? v : -1;
}

int sv_bucket_describe(const struct sv_xfer *x, const char *key, struct sv_bucket_object **ret)
{
	struct sv_bucket_object *o = sv_new(&sv_bucket_object_kind);
	const char *modified = sv_reply_header(x, "Last-Modified"),
		   *range = sv_reply_header(x, "Content-Range"),
		   *type = sv_reply_header(x, "Content-Type");
	int64_t size = sv_bucket_number(sv_reply_header(x, "Content-Length")), at;
	char etag[SV_ETAG_SIZE];

	if (!o)
		return SV_NOMEM;
	sv_etag_of(x, etag);
	sv_put(o, key, sv_strdup_in(o, key));
	if (range && strrchr(range, '/'))
		size = sv_bucket_number(strrchr(range, '/') + 1);
	if (size >= 0)
		sv_put(o, size_bytes, size);
	if (*etag)
		sv_put(o, etag, sv_strdup_in(o, etag));
	if (modified && sv_http_date(modified, &at))
		sv_put(o, modified_at, at);
	if (type)
		sv_put(o, content_type, sv_strdup_in(o, type));
	*ret = o;
	return SV_OK;
}

/* What HEAD and PUT fill. */
struct described {
	const char *key;
	int64_t size; /* -1: as the answer says */
	struct sv_bucket_object *o;
	char crc32c[16];
};

static int describe(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	const char *sum = sv_reply_header(x, "x-amz-checksum-crc32c"),
		   *kind = sv_reply_header(x, "x-amz-checksum-type");
	struct described *s = d->data;
	int r;

	/* One made of the parts' own checksums says nothing of the whole. */
	if (sum && strlen(sum) == 8 && (!kind || strcmp(kind, "COMPOSITE") != 0))
		snprintf(s->crc32c, sizeof(s->crc32c), "%s", sum);
	sv_free(s->o);
	s->o = NULL;
	r = sv_bucket_describe(x, s->key, &s->o);

	if (r)
		return sv_err(err, r, "out of memory");
	if (s->size >= 0)
		sv_put(s->o, size_bytes, s->size);
	return SV_OK;
}

static int finish(sv_bucket *b, struct sv_s3_do *d, struct sv_bucket_object **ret)
{
	struct described *s = d->data;
	int r;

	d->answer = describe;
	r = sv_s3_run(b->client, d);
	if (!r && ret)
		*ret = s->o;
	else
		sv_free(s->o);
	return r;
}

/* A HEAD that is refused does not say why, but a list does: a key that nobody knows must be
 * forgotten. */
static int ask_why(sv_bucket *b, const char *key)
{
	struct sv_error first = b->client->error;
	struct sv_bucket_object_list *page = NULL;
	int r = sv_bucket_list(b, key, "/", NULL, &page);

	sv_free(page);
	if (r == SV_AUTH || r == SV_CONFIG)
		return r;
	b->client->error = first;
	return SV_DENIED;
}

int sv_bucket_head_sum(
	sv_bucket *b, const char *key, struct sv_bucket_object **ret, char crc32c[16])
{
	struct described s = { .key = key, .size = -1 };
	struct sv_s3_do d;
	int r = sv_bucket_key(b, key);

	if (r)
		return r;
	sv_bucket_do(b, &d, "HEAD", key);
	sv_s3_header(&d, "x-amz-checksum-mode", "ENABLED");
	d.data = &s;
	r = finish(b, &d, ret);
	memcpy(crc32c, s.crc32c, sizeof(s.crc32c));
	/* Nothing but the status says why. */
	if (r == SV_DENIED)
		r = ask_why(b, key);
	if (r == SV_NOTFOUND)
		sv_err(&b->client->error, r, "no object is called %s", key);
	return r;
}

int sv_bucket_head(sv_bucket *b, const char *key, struct sv_bucket_object **ret)
{
	char crc32c[16];

	return sv_bucket_head_sum(b, key, ret, crc32c);
}

int sv_bucket_put(
	sv_bucket *b, const char *key, const void *bytes, size_t len, struct sv_bucket_object **ret)
{
	struct described s = { .key = key, .size = (int64_t)len };
	struct sv_s3_do d;
	int r = sv_bucket_key(b, key);

	if (r)
		return r;
	if ((int64_t)len > SV_PART_MOST)
		return sv_err(&b->client->error, SV_INVALID, "more than 5 GiB need an upload");
	sv_bucket_do(b, &d, "PUT", key);
	d.body = len ? bytes : "";
	d.body_len = len;
	d.data = &s;
	sv_s3_header(&d, "Content-Type", "application/octet-stream");
	return finish(b, &d, ret);
}
