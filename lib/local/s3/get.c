/* SPDX-License-Identifier: MIT */
/* Reading. The file that was opened is the one that is sent, whatever takes its name meanwhile. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/str.h"
#include "local/s3/s3.h"

/* "*" or a list of tags, quoted or not, weak or not. */
static int has_etag(const char *list, const char *etag)
{
	size_t want = strlen(etag);

	while (*list) {
		size_t len;

		list += strspn(list, " ,\"");
		if (list[0] == 'W' && list[1] == '/')
			list += 2 + strspn(list + 2, "\"");
		len = strcspn(list, ",\"");
		while (len && list[len - 1] == ' ')
			len--;
		if ((len == want && !strncmp(list, etag, len)) || (len == 1 && *list == '*'))
			return 1;
		list += strcspn(list, ",");
	}
	return 0;
}

static const char *condition(struct s3_request *rq, const char *prefix, const char *name)
{
	char text[80];

	snprintf(text, sizeof(text), "%s%s", prefix, name);
	return s3_header(rq, text);
}

static int not_modified(struct s3_request *rq, const char *etag, const struct stat *st)
{
	char when[40];

	s3_time_http(st->st_mtim.tv_sec, when);
	s3_answer_header(rq, "ETag", "\"%s\"", etag);
	s3_answer_header(rq, "Last-Modified", "%s", when);
	rq->status = 304;
	return -1;
}

static int failed(struct s3_request *rq, const char *name)
{
	return s3_fail(rq, "PreconditionFailed", "%s does not hold", name);
}

int s3_conditions(struct s3_request *rq, const char *prefix, const char *etag,
	const struct stat *st, int reading)
{
	const char *match = condition(rq, prefix, "if-match"),
		   *none = condition(rq, prefix, "if-none-match"),
		   *since = condition(rq, prefix, "if-modified-since"),
		   *before = condition(rq, prefix, "if-unmodified-since");
	int64_t t;

	if (match && !st)
		return s3_fail(rq, "NoSuchKey", "there is no object for If-Match");
	if (match && !has_etag(match, etag))
		return failed(rq, "If-Match");
	if (!match && before && st && !s3_time_parse_http(before, &t) && st->st_mtim.tv_sec > t)
		return failed(rq, "If-Unmodified-Since");
	if (none && st && has_etag(none, etag))
		return reading && !*prefix ? not_modified(rq, etag, st)
					   : failed(rq, "If-None-Match");
	if (reading && !none && since && st && !s3_time_parse_http(since, &t) &&
		st->st_mtim.tv_sec <= t)
		return reading && !*prefix ? not_modified(rq, etag, st)
					   : failed(rq, "If-Modified-Since");
	return 0;
}

static int64_t digits(const char *s, size_t len)
{
	char text[24];
	int64_t v;

	if (!len || len >= sizeof(text) || strspn(s, "0123456789") < len)
		return -1;
	snprintf(text, sizeof(text), "%.*s", (int)len, s);
	return sv_parse_int(text, &v) ? -1 : v;
}

/* One range; what cannot be read as one is passed over. 0, or -1 with the answer. */
static int take_range(struct s3_request *rq, const char *etag, int64_t size)
{
	const char *range = s3_header(rq, "range"), *only = s3_header(rq, "if-range"), *dash;
	int64_t from, to;

	rq->from = 0;
	rq->length = size;
	if (!range || strncmp(range, "bytes=", 6) != 0 || (only && !has_etag(only, etag)))
		return 0;
	range += 6;
	dash = strchr(range, '-');
	if (!dash || strchr(range, ','))
		return 0;
	from = digits(range, (size_t)(dash - range));
	to = digits(dash + 1, strlen(dash + 1));
	if (dash == range) {
		if (to < 0)
			return 0;
		from = to < size ? size - to : 0;
		to = to ? size - 1 : -1;
	} else if (from < 0 || (dash[1] && to < from)) {
		return 0;
	} else if (!dash[1] || to >= size) {
		to = size - 1;
	}
	if (from >= size || to < from) {
		s3_fail(rq, "InvalidRange", "the object has %lld bytes", (long long)size);
		s3_answer_header(rq, "Content-Range", "bytes */%lld", (long long)size);
		return -1;
	}
	rq->from = from;
	rq->length = to - from + 1;
	rq->status = 206;
	s3_answer_header(rq, "Content-Range", "bytes %lld-%lld/%lld", (long long)from,
		(long long)to, (long long)size);
	return 0;
}

/* response-content-type=... in the query, for presigned links. */
static const char *const overrides[] = { "cache-control", "content-disposition", "content-encoding",
	"content-language", "content-type", "expires" };

static int override(struct s3_request *rq, const char *name, char *buf, size_t size)
{
	char query[64];

	for (size_t i = 0; i < sizeof(overrides) / sizeof(overrides[0]); i++) {
		if (name && strcasecmp(name, overrides[i]) != 0)
			continue;
		snprintf(query, sizeof(query), "response-%s", overrides[i]);
		if (s3_query(rq, query, buf, size) == 1 && *buf && !strpbrk(buf, "\r\n")) {
			if (!name)
				s3_answer_header(rq, overrides[i], "%s", buf);
			else
				return 1;
		}
	}
	return 0;
}

/* Lines of a file's attribute: an instance may have written it. */
static int is_sound(const char *name, const char *value)
{
	for (const char *p = name; *p; p++)
		if (!sv_is_alnum(*p) && *p != '-' && *p != '_' && *p != '.')
			return 0;
	for (const char *p = value; *p; p++)
		if ((unsigned char)*p < 32 && *p != '\t')
			return 0;
	return *name && strncasecmp(name, "content-length", 14) != 0 &&
	       strcasecmp(name, "transfer-encoding") != 0;
}

static void headers(struct s3_request *rq, struct s3_meta *m, const struct stat *st, int partial)
{
	const char *mode = s3_header(rq, "x-amz-checksum-mode");
	char when[40], text[512];
	int typed = 0;

	for (char *line = m->headers, *end; (end = strchr(line, '\n')); line = end + 1) {
		char *colon;

		*end = '\0';
		colon = strstr(line, ": ");
		if (!colon)
			continue;
		*colon = '\0';
		typed |= !strcasecmp(line, "content-type");
		if (s3_sum_of_header(line) >= 0 &&
			(partial || !mode || strcasecmp(mode, "enabled") != 0))
			continue;
		if (is_sound(line, colon + 2) && !override(rq, line, text, sizeof(text)))
			s3_answer_header(rq, line, "%s", colon + 2);
	}
	if (!typed && !override(rq, "content-type", text, sizeof(text)))
		s3_answer_header(rq, "Content-Type", "%s",
			S_ISDIR(st->st_mode) ? "application/x-directory" : "binary/octet-stream");
	override(rq, NULL, text, sizeof(text));
	s3_time_http(st->st_mtim.tv_sec, when);
	s3_answer_header(rq, "Last-Modified", "%s", when);
	s3_answer_header(rq, "ETag", "\"%s\"", m->etag);
	s3_answer_header(rq, "Accept-Ranges", "bytes");
}

int s3_get(struct s3_request *rq)
{
	int data = s3_dir(rq, "data");
	struct s3_meta m;
	struct stat st;

	rq->file = data < 0 ? -1 : s3_open(data, rq->object, O_RDONLY, &st);
	if (data >= 0)
		close(data);
	if (rq->file < 0)
		return s3_fail_errno(rq);
	s3_meta_read(rq->file, &st, &m);
	if (S_ISDIR(st.st_mode))
		st.st_size = 0;
	rq->status = 200;
	if (s3_conditions(rq, "", m.etag, &st, 1) || take_range(rq, m.etag, st.st_size))
		return -1;
	headers(rq, &m, &st, rq->status == 206);
	if (S_ISDIR(st.st_mode)) {
		close(rq->file);
		rq->file = -1;
	}
	return 0;
}

int s3_head(struct s3_request *rq)
{
	return s3_get(rq);
}
