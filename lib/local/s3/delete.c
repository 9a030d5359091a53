/* SPDX-License-Identifier: MIT */
/* Deleting, one or a thousand. What is not there is deleted already. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "local/s3/s3.h"

/* 0, or -1 with errno. */
static int remove_key(struct s3_request *rq, int data, const char *key)
{
	size_t len = strlen(key);
	int marker = key[len - 1] == '/', dir, bad;
	char name[S3_NAME_MAX + 1];
	struct stat st = { 0 };
	const char *last;

	dir = s3_parent(data, key, 0, &last);
	if (dir < 0)
		return errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? 0 : -1;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(last, "/"), last);
	bad = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW);
	/* A name of another sort is no object with this key. */
	if (!bad && (marker ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode)))
		bad = unlinkat(dir, name, marker ? AT_REMOVEDIR : 0);
	close(dir);
	if (bad)
		return errno == ENOENT || errno == ENOTEMPTY || errno == EEXIST ? 0 : -1;
	if (S_ISREG(st.st_mode))
		s3_used_add(rq->s, rq->key.storage, -st.st_size);
	if (marker) {
		char path[S3_KEY_MAX + 1];

		snprintf(path, sizeof(path), "%.*s", (int)(len - 1), key);
		s3_prune(data, path);
	} else {
		s3_prune(data, key);
	}
	return 0;
}

int s3_delete(struct s3_request *rq)
{
	int data = s3_dir(rq, "data"), bad;

	pthread_mutex_lock(&rq->s->commit_lock);
	bad = data < 0 || remove_key(rq, data, rq->object) ? s3_fail_errno(rq) : 0;
	pthread_mutex_unlock(&rq->s->commit_lock);
	if (data >= 0)
		close(data);
	if (!bad)
		rq->status = 204;
	return bad;
}

struct many {
	int data, n, quiet;
	char key[S3_KEY_MAX + 2];
	struct sv_buf keys; /* each with its NUL: all is read before anything is deleted */
	struct sv_buf out;
};

static void told(struct many *m, const char *key, const char *code, const char *message)
{
	if (!code && m->quiet)
		return;
	sv_buf_str(&m->out, code ? "<Error><Key>" : "<Deleted><Key>");
	s3_xml(&m->out, key, 0);
	sv_buf_str(&m->out, "</Key>");
	if (code) {
		sv_buf_fmt(&m->out, "<Code>%s</Code><Message>", code);
		s3_xml(&m->out, message, 0);
		sv_buf_str(&m->out, "</Message>");
	}
	sv_buf_str(&m->out, code ? "</Error>" : "</Deleted>");
}

static int keep(struct s3_request *rq, struct many *m)
{
	if (++m->n > S3_DELETE_MAX)
		return s3_fail(rq, "MalformedXML", "at most 1000 keys in one request");
	return sv_buf_add(&m->keys, m->key, strlen(m->key) + 1)
		       ? s3_fail(rq, "SlowDown", "out of memory")
		       : 0;
}

static void one(struct s3_request *rq, struct many *m, const char *key)
{
	const char *code, *wrong = s3_key_wrong(key, &code);
	int bad, e;

	if (wrong) {
		told(m, key, code, wrong);
		return;
	}
	pthread_mutex_lock(&rq->s->commit_lock);
	bad = remove_key(rq, m->data, key);
	e = errno;
	pthread_mutex_unlock(&rq->s->commit_lock);
	if (bad)
		told(m, key, e == EACCES || e == EPERM ? "AccessDenied" : "InternalError",
			strerrordesc_np(e));
	else
		told(m, key, NULL, NULL);
}

static int element(struct s3_request *rq, const char *path, const char *text, int ends)
{
	struct many *m = rq->work;

	if (!ends) {
		if (!strcmp(path, "/Delete/Object"))
			m->key[0] = '\0';
		return strncmp(path, "/Delete", 7)
			       ? s3_fail(rq, "MalformedXML", "Delete is expected")
			       : 0;
	}
	if (!strcmp(path, "/Delete/Object/Key"))
		snprintf(m->key, sizeof(m->key), "%s", text);
	else if (!strcmp(path, "/Delete/Quiet"))
		m->quiet = !strcmp(text, "true");
	else if (!strcmp(path, "/Delete/Object/VersionId") && *text && strcmp(text, "null") != 0)
		return s3_fail(rq, "NotImplemented", "objects have no versions here");
	else if (!strcmp(path, "/Delete/Object"))
		return keep(rq, m);
	return 0;
}

static void many_free(void *work)
{
	struct many *m = work;

	if (m->data >= 0)
		close(m->data);
	sv_buf_free(&m->keys);
	sv_buf_free(&m->out);
	sv_mfree(m);
}

int s3_delete_many_begin(struct s3_request *rq)
{
	struct many *m = sv_malloc(sizeof(*m));

	if (!m)
		return s3_fail(rq, "SlowDown", "out of memory");
	memset(m, 0, sizeof(*m));
	sv_buf_init(&m->keys, S3_XML_MAX);
	sv_buf_init(&m->out, S3_OUT_MAX);
	m->data = s3_dir(rq, "data");
	rq->work = m;
	rq->work_free = many_free;
	return m->data < 0 ? s3_fail_errno(rq) : 0;
}

int s3_delete_many(struct s3_request *rq)
{
	struct many *m = rq->work;

	if (s3_read_xml(rq, sv_buf_text(&rq->text), rq->text.len, element))
		return -1;
	for (size_t at = 0; at < m->keys.len; at += strlen(m->keys.data + at) + 1)
		one(rq, m, m->keys.data + at);
	rq->status = 200;
	s3_xml_begin(rq);
	sv_buf_str(&rq->out,
		"<DeleteResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">");
	sv_buf_add(&rq->out, sv_buf_text(&m->out), m->out.len);
	return sv_buf_str(&rq->out, "</DeleteResult>\n") || m->out.failed
		       ? s3_fail(rq, "InternalError", "the answer is too large")
		       : 0;
}
