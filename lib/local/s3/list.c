/* SPDX-License-Identifier: MIT */
/* Lists of objects, in both versions of the call, and the one bucket of a key. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sha256.h"
#include "base/str.h"
#include "local/s3/s3.h"

#define XMLNS "xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\""

struct listing {
	struct s3_request *rq;
	int second, as_url, owners, truncated;
	int64_t most, n;
	char prefix[S3_KEY_MAX + 1], delimiter[64], marker[S3_KEY_MAX + 1], after[S3_KEY_MAX + 1];
	char token[S3_KEY_MAX * 2], last[S3_KEY_MAX + 2], group[S3_KEY_MAX + 2];
	struct sv_buf contents, groups;
};

static void owner(struct sv_buf *b, const struct s3_request *rq)
{
	sv_buf_fmt(b, "<Owner><ID>%s</ID><DisplayName>%s</DisplayName></Owner>", rq->key.account,
		rq->key.account);
}

static int full(struct listing *l)
{
	l->truncated = l->n >= l->most;
	return l->truncated;
}

static int add_group(struct listing *l, const char *group)
{
	if (full(l))
		return 1;
	l->n++;
	snprintf(l->group, sizeof(l->group), "%s", group);
	snprintf(l->last, sizeof(l->last), "%s", group);
	sv_buf_str(&l->groups, "<CommonPrefixes><Prefix>");
	s3_xml(&l->groups, group, l->as_url);
	sv_buf_str(&l->groups, "</Prefix></CommonPrefixes>");
	return 0;
}

static void etag_of(int dir, const char *name, const struct stat *st, struct s3_meta *m)
{
	int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	s3_meta_read(fd, st, m);
	if (fd >= 0)
		close(fd);
}

static int object(
	struct s3_walk *w, const char *key, int dir, const char *name, const struct stat *st)
{
	struct listing *l = w->caller;
	const char *found =
		l->delimiter[0] ? strstr(key + strlen(l->prefix), l->delimiter) : NULL;
	char when[40];
	struct s3_meta m;

	if (found) {
		char group[S3_KEY_MAX + 2];

		snprintf(group, sizeof(group), "%.*s",
			(int)(found - key + (int64_t)strlen(l->delimiter)), key);
		return !strcmp(group, l->group) || !strcmp(group, l->after) ? 0
									    : add_group(l, group);
	}
	if (full(l))
		return 1;
	l->n++;
	snprintf(l->last, sizeof(l->last), "%s", key);
	etag_of(dir, name, st, &m);
	s3_time_xml(st->st_mtim.tv_sec, when);
	sv_buf_str(&l->contents, "<Contents><Key>");
	s3_xml(&l->contents, key, l->as_url);
	sv_buf_fmt(&l->contents,
		"</Key><LastModified>%s</LastModified><ETag>&quot;%s&quot;</ETag><Size>%lld</Size>"
		"<StorageClass>STANDARD</StorageClass>",
		when, m.etag, S_ISDIR(st->st_mode) ? 0LL : (long long)st->st_size);
	if (l->owners)
		owner(&l->contents, l->rq);
	sv_buf_str(&l->contents, "</Contents>");
	return l->contents.failed;
}

/* With '/' as the delimiter what lies in a directory need not be seen. */
static int directory(struct s3_walk *w, const char *key)
{
	struct listing *l = w->caller;
	size_t len = strlen(key);

	if (strcmp(l->delimiter, "/") != 0 || len <= strlen(l->prefix))
		return 0;
	if (!strcmp(key, l->after))
		return 1;
	if (!strncmp(key, l->after, len))
		return 0;
	return add_group(l, key) ? 2 : 1;
}

static int take_number(struct s3_request *rq, struct listing *l)
{
	char text[32];
	int given = s3_query(rq, "max-keys", text, sizeof(text));

	l->most = S3_LIST_MAX;
	if (given && (given < 0 || sv_parse_int(text, &l->most) || l->most < 0))
		return s3_fail(rq, "InvalidArgument", "max-keys is no number");
	if (l->most > S3_LIST_MAX)
		l->most = S3_LIST_MAX;
	return 0;
}

/* The token is the last key told, so that nothing has to be kept. */
static int take_token(struct s3_request *rq, struct listing *l)
{
	int given = s3_query(rq, "continuation-token", l->token, sizeof(l->token));
	unsigned char key[S3_KEY_MAX + 1];
	int64_t n;

	if (!given)
		return 0;
	n = given < 0 ? -1 : sv_base64_decode(l->token, strlen(l->token), key, S3_KEY_MAX);
	if (n < 0 || memchr(key, '\0', (size_t)n))
		return s3_fail(rq, "InvalidArgument", "the continuation-token is none of ours");
	snprintf(l->after, sizeof(l->after), "%.*s", (int)n, (char *)key);
	return 0;
}

static int take(struct s3_request *rq, struct listing *l)
{
	const struct {
		const char *name;
		char *buf;
		size_t size;
	} texts[] = {
		{ "prefix", l->prefix, sizeof(l->prefix) },
		{ "delimiter", l->delimiter, sizeof(l->delimiter) },
		{ l->second ? "start-after" : "marker", l->marker, sizeof(l->marker) },
	};
	char word[16] = "";

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (s3_query(rq, texts[i].name, texts[i].buf, texts[i].size) < 0)
			return s3_fail(rq, "InvalidArgument", "%s is too long", texts[i].name);
	if (s3_query(rq, "encoding-type", word, sizeof(word)) && strcmp(word, "url") != 0)
		return s3_fail(rq, "InvalidArgument", "encoding-type can be url alone");
	l->as_url = *word != '\0';
	snprintf(l->after, sizeof(l->after), "%s", l->marker);
	s3_query(rq, "fetch-owner", word, sizeof(word));
	l->owners = !l->second || !strcmp(word, "true");
	return take_number(rq, l) || (l->second && take_token(rq, l)) ? -1 : 0;
}

static void field(struct listing *l, const char *name, const char *text, int always)
{
	if (!*text && !always)
		return;
	sv_buf_fmt(&l->rq->out, "<%s>", name);
	s3_xml(&l->rq->out, text, l->as_url);
	sv_buf_fmt(&l->rq->out, "</%s>", name);
}

static void write_second(struct listing *l)
{
	struct sv_buf *b = &l->rq->out;
	char token[S3_KEY_MAX * 2];

	sv_buf_fmt(b, "<KeyCount>%lld</KeyCount>", (long long)l->n);
	field(l, "StartAfter", l->marker, 0);
	if (l->token[0])
		sv_buf_fmt(b, "<ContinuationToken>%s</ContinuationToken>", l->token);
	if (l->truncated && !sv_base64_encode(l->last, strlen(l->last), 1, token, sizeof(token)))
		sv_buf_fmt(b, "<NextContinuationToken>%s</NextContinuationToken>", token);
}

static int answer(struct listing *l)
{
	struct s3_request *rq = l->rq;

	rq->status = 200;
	s3_xml_begin(rq);
	sv_buf_fmt(&rq->out, "<ListBucketResult " XMLNS "><Name>%s</Name>", rq->bucket);
	field(l, "Prefix", l->prefix, 1);
	field(l, "Delimiter", l->delimiter, 0);
	sv_buf_fmt(&rq->out, "<MaxKeys>%lld</MaxKeys>", (long long)l->most);
	if (l->as_url)
		sv_buf_str(&rq->out, "<EncodingType>url</EncodingType>");
	sv_buf_fmt(&rq->out, "<IsTruncated>%s</IsTruncated>", l->truncated ? "true" : "false");
	if (l->second) {
		write_second(l);
	} else {
		field(l, "Marker", l->marker, 1);
		if (l->truncated)
			field(l, "NextMarker", l->last, 1);
	}
	sv_buf_add(&rq->out, sv_buf_text(&l->contents), l->contents.len);
	sv_buf_add(&rq->out, sv_buf_text(&l->groups), l->groups.len);
	return sv_buf_str(&rq->out, "</ListBucketResult>\n");
}

int s3_list(struct s3_request *rq)
{
	struct listing l = { .rq = rq };
	struct s3_walk w = { .prefix = l.prefix,
		.after = l.after,
		.object = object,
		.directory = directory,
		.caller = &l };
	char version[8];
	int bad;

	l.second =
		s3_query(rq, "list-type", version, sizeof(version)) == 1 && !strcmp(version, "2");
	if (take(rq, &l))
		return -1;
	sv_buf_init(&l.contents, S3_OUT_MAX);
	sv_buf_init(&l.groups, S3_OUT_MAX);
	w.data = s3_dir(rq, "data");
	bad = w.data < 0 || (l.most && s3_walk(&w) < 0) ? s3_fail_errno(rq) : answer(&l);
	if (!bad && (l.contents.failed || l.groups.failed))
		bad = s3_fail(rq, "SlowDown", "out of memory");
	if (w.data >= 0)
		close(w.data);
	sv_buf_free(&l.contents);
	sv_buf_free(&l.groups);
	return bad;
}

int s3_list_buckets(struct s3_request *rq)
{
	char when[40];

	rq->status = 200;
	s3_time_xml(rq->key.created, when);
	s3_xml_begin(rq);
	sv_buf_str(&rq->out, "<ListAllMyBucketsResult " XMLNS ">");
	owner(&rq->out, rq);
	sv_buf_str(&rq->out, "<Buckets><Bucket><Name>");
	s3_xml(&rq->out, rq->key.named ? rq->key.name : rq->key.storage, 0);
	return sv_buf_fmt(&rq->out,
		"</Name><CreationDate>%s</CreationDate></Bucket></Buckets></"
		"ListAllMyBucketsResult>\n",
		when);
}
