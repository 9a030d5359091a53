/* SPDX-License-Identifier: MIT */
/* Streams: events and files. A comment line at least every 15 s tells an event stream's reader that
 * it still lives. */
#include "local/stream.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/time.h"
#include "local/event.h"

#define COMMENT_MS  14000
#define LOG_POLL_MS 25
#define RECORDS     500
#define CHUNK       ((size_t)64 << 10)

struct events {
	struct stream s;
	char account[64];
	int64_t seq, said_at;
};

struct file {
	struct stream s;
	int fd;
	char path[512];
	int64_t offset;
	int (*writes)(struct platform *p, const char *id);
	char id[64];
};

void stream_free(struct stream *s)
{
	if (s)
		s->free(s);
}

static void events_free(struct stream *s)
{
	sv_mfree(s);
}

static int events_read(struct stream *s, struct sv_buf *out)
{
	struct events *e = (struct events *)s;
	int n = event_records(s->p, e->account, &e->seq, RECORDS, out);
	int64_t now = sv_mono_ms();

	if (n < 0)
		return n;
	if (!n && (!e->said_at || now - e->said_at >= COMMENT_MS)) {
		sv_buf_str(out, ": here\n\n");
		n = 1;
	}
	if (n)
		e->said_at = now;
	return out->failed ? SV_NOMEM : s->p->leaving ? STREAM_END : SV_OK;
}

int stream_events(struct platform *p, const char *account, int64_t after, struct stream **ret)
{
	struct events *e = sv_malloc(sizeof(*e));

	if (!e)
		return SV_NOMEM;
	memset(e, 0, sizeof(*e));
	e->s = (struct stream){
		.read = events_read, .free = events_free, .p = p, .poll_ms = COMMENT_MS, .batch = 1
	};
	event_wait_id(account, e->s.wait_id, sizeof(e->s.wait_id));
	snprintf(e->account, sizeof(e->account), "%s", account);
	e->seq = after;
	*ret = &e->s;
	return SV_OK;
}

static void file_free(struct stream *s)
{
	struct file *f = (struct file *)s;

	if (f->fd >= 0)
		close(f->fd);
	sv_mfree(f);
}

static int file_read(struct stream *s, struct sv_buf *out)
{
	struct file *f = (struct file *)s;
	char chunk[4096];
	size_t had = out->len;
	/* Asked before reading, so that what was written last is not missed. */
	int writes = f->writes(s->p, f->id);
	ssize_t n = 0;

	if (f->fd < 0)
		f->fd = open(f->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	while (f->fd >= 0 && out->len - had < CHUNK &&
		(n = pread(f->fd, chunk, sizeof(chunk), f->offset)) > 0) {
		sv_buf_add(out, chunk, (size_t)n);
		f->offset += n;
	}
	if (out->failed)
		return SV_NOMEM;
	return out->len == had && (!writes || s->p->leaving) ? STREAM_END : SV_OK;
}

int stream_file(struct platform *p, const char *path, int64_t offset, const char *id,
	int (*writes)(struct platform *p, const char *id), struct stream **ret)
{
	struct file *f = sv_malloc(sizeof(*f));

	if (!f)
		return SV_NOMEM;
	memset(f, 0, sizeof(*f));
	f->s = (struct stream){
		.read = file_read, .free = file_free, .p = p, .poll_ms = LOG_POLL_MS
	};
	snprintf(f->s.wait_id, sizeof(f->s.wait_id), "%s", id);
	snprintf(f->path, sizeof(f->path), "%s", path);
	snprintf(f->id, sizeof(f->id), "%s", id);
	f->fd = -1;
	f->offset = offset;
	f->writes = writes;
	*ret = &f->s;
	return SV_OK;
}
