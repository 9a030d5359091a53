/* SPDX-License-Identifier: MIT */
/* An object's headers and entity tag, beside its bytes. Instances change files without telling us:
 * what is kept says of which size and time of change it is, and a file it does not fit is described
 * by what can be seen of it. */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/xattr.h>

#include "base/str.h"
#include "local/s3/s3.h"

#define ATTRIBUTE "user.starverse.object"

static void state_of(const struct stat *st, char *buf, size_t size)
{
	snprintf(buf, size, "1 %lld.%09ld %lld ", (long long)st->st_mtim.tv_sec,
		st->st_mtim.tv_nsec, (long long)st->st_size);
}

/* With a '-', so that nobody takes it for an MD5. */
static void seen_etag(const struct stat *st, struct s3_meta *m)
{
	snprintf(m->etag, sizeof(m->etag), "%llx-%llx-%llx",
		(unsigned long long)st->st_mtim.tv_sec * 1000000000ULL +
			(unsigned long long)st->st_mtim.tv_nsec,
		(unsigned long long)st->st_size, (unsigned long long)st->st_ino);
}

void s3_meta_read(int fd, const struct stat *st, struct s3_meta *m)
{
	char text[S3_META_MAX + 256], state[96];
	ssize_t n = S_ISREG(st->st_mode) ? fgetxattr(fd, ATTRIBUTE, text, sizeof(text) - 1) : -1;
	size_t len, etag;

	m->headers[0] = '\0';
	seen_etag(st, m);
	if (n <= 0)
		return;
	text[n] = '\0';
	state_of(st, state, sizeof(state));
	len = strlen(state);
	if (strncmp(text, state, len) != 0)
		return;
	etag = strspn(text + len, "0123456789abcdef-");
	if (!etag || etag >= sizeof(m->etag) || text[len + etag] != '\n')
		return;
	snprintf(m->etag, sizeof(m->etag), "%.*s", (int)etag, text + len);
	snprintf(m->headers, sizeof(m->headers), "%s", text + len + etag + 1);
}

int s3_meta_write(int fd, const struct s3_meta *m)
{
	char text[S3_META_MAX + 256];
	struct stat st;
	int n;

	if (fstat(fd, &st))
		return -1;
	state_of(&st, text, sizeof(text));
	n = snprintf(
		text + strlen(text), sizeof(text) - strlen(text), "%s\n%s", m->etag, m->headers);
	(void)n;
	return fsetxattr(fd, ATTRIBUTE, text, strlen(text), 0);
}

int s3_meta_add(struct s3_meta *m, const char *name, const char *value)
{
	size_t have = strlen(m->headers), more = strlen(name) + strlen(value) + 3;

	if (have + more >= sizeof(m->headers))
		return -1;
	snprintf(m->headers + have, sizeof(m->headers) - have, "%s: %s\n", name, value);
	return 0;
}

/* "aws-chunked,gzip": what is left when the wrapping is off. */
static void content_encoding(const char *value, char *buf, size_t size)
{
	size_t n = 0;

	buf[0] = '\0';
	while (*value) {
		size_t len = strcspn(value, ",");

		while (len && sv_is_space(*value)) {
			value++;
			len--;
		}
		if (len && !(len >= 11 && !strncasecmp(value, "aws-chunked", 11)) &&
			n + len + 2 < size)
			n += (size_t)snprintf(buf + n, size - n, "%s%.*s", n ? "," : "", (int)len,
				value);
		value += len + (value[len] == ',');
	}
}

int s3_meta_of_request(struct s3_request *rq, struct s3_meta *m)
{
	static const char *const kept[] = { "Cache-Control", "Content-Disposition",
		"Content-Encoding", "Content-Language", "Content-Type", "Expires" };
	char encoding[256];
	size_t user = 0;
	int bad = 0;

	for (size_t i = 0; i < sizeof(kept) / sizeof(kept[0]) && !bad; i++) {
		const char *value = s3_header(rq, kept[i]);

		if (value && !strcmp(kept[i], "Content-Encoding")) {
			content_encoding(value, encoding, sizeof(encoding));
			value = encoding[0] ? encoding : NULL;
		}
		if (value)
			bad = s3_meta_add(m, kept[i], value);
	}
	for (size_t i = 0; i < rq->n_headers && !bad; i++) {
		const struct sv_sigv4_header *h = &rq->headers[i];

		if (strncasecmp(h->name, "x-amz-meta-", 11) != 0)
			continue;
		user += strlen(h->name) - 11 + strlen(h->value);
		bad = user > S3_USER_MAX || s3_meta_add(m, h->name, h->value);
	}
	return bad ? s3_fail(rq, "MetadataTooLarge",
			     "x-amz-meta- headers may have 2 KiB, all 3 KiB")
		   : 0;
}
