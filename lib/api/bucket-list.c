/* SPDX-License-Identifier: MIT */
/* Lists of objects, page by page: version 2 of the call, and what services that know only the first
 * one answer to it. */
#include <stdio.h>
#include <string.h>

#include "api/bucket.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/time.h"
#include "kinds/kinds.h"
#include "net/xml.h"

struct listing {
	struct sv_page *page;
	struct sv_bucket_object *o; /* the one being read */
	int escaped, truncated, failed;
	char token[SV_MAX_KEY], marker[3 * SV_KEY_MOST + 1];
	const char *cursor, *prefix;
};

/* Undoes encoding-type=url in place; a plus is a blank there, as in forms. */
static int unescape(char *s, struct sv_error *err)
{
	return sv_url_decode(s, strlen(s), 1, s, strlen(s) + 1) < 0
		       ? sv_err(err, SV_PROTO, "the list holds a key that is not encoded")
		       : SV_OK;
}

static int on_begin(void *data, const char *path)
{
	struct listing *l = data;

	if (strcmp(path, "/ListBucketResult/Contents") != 0 &&
		strcmp(path, "/ListBucketResult/CommonPrefixes") != 0)
		return 0;
	l->o = sv_new_in(l->page, &sv_bucket_object_kind);
	l->failed = !l->o || sv_page_add(l->page, l->o);
	return l->failed;
}

static void member(struct listing *l, const char *name, const char *text)
{
	struct sv_bucket_object *o = l->o;
	char etag[SV_ETAG_SIZE];
	int64_t v;

	if (!strcmp(name, "Key") || !strcmp(name, "Prefix")) {
		sv_put(o, key, sv_strdup_in(l->page, text));
		l->failed |= !o->key;
	} else if (!strcmp(name, "Size") && (v = sv_bucket_number(text)) >= 0) {
		sv_put(o, size_bytes, v);
	} else if (!strcmp(name, "LastModified") && !sv_parse_time(text, &v)) {
		sv_put(o, modified_at, v);
	} else if (!strcmp(name, "ETag")) {
		sv_etag_clean(text, etag);
		sv_put(o, etag, sv_strdup_in(l->page, etag));
		l->failed |= !o->etag;
	}
}

static int on_end(void *data, const char *path, const char *text, size_t len)
{
	static const char contents[] = "/ListBucketResult/Contents/",
			  prefixes[] = "/ListBucketResult/CommonPrefixes/";
	struct listing *l = data;

	if (l->o && !strncmp(path, contents, sizeof(contents) - 1))
		member(l, path + sizeof(contents) - 1, text);
	else if (l->o && !strncmp(path, prefixes, sizeof(prefixes) - 1)) {
		member(l, path + sizeof(prefixes) - 1, text);
		sv_put(l->o, prefix, 1);
	} else if (!strcmp(path, "/ListBucketResult/EncodingType"))
		l->escaped = !strcmp(text, "url");
	else if (!strcmp(path, "/ListBucketResult/IsTruncated"))
		l->truncated = !strcmp(text, "true");
	else if (!strcmp(path, "/ListBucketResult/NextContinuationToken") && len < sizeof(l->token))
		memcpy(l->token, text, len + 1);
	else if (!strcmp(path, "/ListBucketResult/NextMarker") && len < sizeof(l->marker))
		memcpy(l->marker, text, len + 1);
	return l->failed;
}

/* Every key is there, and is one that was asked for: what is deleted by a list must lie where the
 * user said. */
static int check(struct listing *l, struct sv_error *err)
{
	for (size_t i = 0; i < l->page->n; i++) {
		struct sv_bucket_object *o = l->page->v[i];

		if (!o->key || !*o->key)
			return sv_err(err, SV_PROTO, "the list holds an object without a key");
		if (l->escaped && unescape((char *)(uintptr_t)o->key, err))
			return SV_PROTO;
		if (l->prefix && strncmp(o->key, l->prefix, strlen(l->prefix)) != 0)
			return sv_err(err, SV_PROTO,
				"the list holds what does not begin with the prefix asked for");
	}
	return SV_OK;
}

/* "t" and a token, or "m" and a key: how the list goes on. */
static int set_next(struct listing *l, struct sv_error *err)
{
	const struct sv_bucket_object *last = l->page->n ? l->page->v[l->page->n - 1] : NULL;
	char text[SV_MAX_KEY + 1];

	if (!l->truncated)
		return SV_OK;
	if (l->escaped && unescape(l->marker, err))
		return SV_PROTO;
	if (*l->token)
		snprintf(text, sizeof(text), "t%s", l->token);
	else if (*l->marker || last)
		snprintf(text, sizeof(text), "m%s", *l->marker ? l->marker : last->key);
	else
		return sv_err(err, SV_PROTO, "the list goes on, but does not say where");
	if (l->cursor && !strcmp(l->cursor, text))
		return sv_err(err, SV_PROTO, "the list goes on where it began");
	l->page->next = sv_strdup_in(l->page, text);
	return l->page->next ? SV_OK : sv_err(err, SV_NOMEM, "out of memory");
}

static int read_list(struct sv_s3_do *d, const struct sv_xfer *x, struct sv_error *err)
{
	struct listing *l = d->data;
	const struct sv_xml_reader reader = { on_begin, on_end, l };
	int r;

	sv_free(l->page);
	*l = (struct listing){ .cursor = l->cursor, .prefix = l->prefix, .page = sv_page_new() };
	if (!l->page)
		return sv_err(err, SV_NOMEM, "out of memory");
	r = sv_xml_read(x->reply, x->reply_len, &reader, err);
	if (l->failed)
		r = sv_err(err, SV_NOMEM, "out of memory");
	if (!r)
		r = check(l, err);
	return r ? r : set_next(l, err);
}

int sv_bucket_list(sv_bucket *b, const char *prefix, const char *delimiter, const char *cursor,
	struct sv_bucket_object_list **ret)
{
	struct listing l = { .cursor = cursor, .prefix = prefix };
	struct sv_s3_do d;
	void *page;
	int r;

	if (cursor && *cursor != 't' && *cursor != 'm')
		return sv_err(&b->client->error, SV_INVALID, "this cursor is of no list");
	sv_bucket_do(b, &d, "GET", NULL);
	sv_s3_query(&d, "list-type", "2");
	sv_s3_query(&d, "encoding-type", "url");
	if (prefix && *prefix)
		sv_s3_query(&d, "prefix", prefix);
	if (delimiter && *delimiter)
		sv_s3_query(&d, "delimiter", delimiter);
	if (cursor && *cursor == 't')
		sv_s3_query(&d, "continuation-token", cursor + 1);
	/* What the second version calls start-after, and the first one marker. */
	if (cursor && *cursor == 'm') {
		sv_s3_query(&d, "marker", cursor + 1);
		sv_s3_query(&d, "start-after", cursor + 1);
	}
	d.data = &l;
	d.answer = read_list;
	r = sv_s3_run(b->client, &d);
	if (r) {
		sv_free(l.page);
		return r;
	}
	page = l.page;
	*ret = page;
	return SV_OK;
}
