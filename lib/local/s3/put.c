/* SPDX-License-Identifier: MIT */
/* An object comes into its place at once and whole: it grows beside the storage and is renamed. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "local/s3/s3.h"

static int is_marker(const char *key)
{
	return key[strlen(key) - 1] == '/';
}

/* What goes when the object comes; a part replaces none yet. */
static int64_t replaced(struct s3_request *rq)
{
	int data = rq->part ? -1 : s3_dir(rq, "data"), fd;
	struct stat st = { .st_size = 0 };

	fd = data < 0 ? -1 : s3_open(data, rq->object, O_RDONLY, &st);
	if (data >= 0)
		close(data);
	if (fd < 0)
		return 0;
	close(fd);
	return st.st_size;
}

int s3_quota(struct s3_request *rq, int64_t more)
{
	more -= more > 0 ? replaced(rq) : 0;
	if (more <= 0)
		return 0;
	if (!s3_used_take(rq->s, rq->key.storage, more, rq->key.size_gib << 30)) {
		rq->taken += more;
		return 0;
	}
	return s3_fail(rq, "QuotaExceeded",
		"the storage has %lld GiB and would be more than full; svctl storage update "
		"enlarges it",
		(long long)rq->key.size_gib);
}

void s3_quota_end(struct s3_request *rq)
{
	if (rq->taken)
		s3_used_give(rq->s, rq->key.storage, rq->taken);
	rq->taken = 0;
}

int s3_put_begin(struct s3_request *rq)
{
	if (is_marker(rq->object)) {
		if (rq->body.expected > 0)
			return s3_fail(rq, "InvalidArgument",
				"a key that ends in \"/\" is a directory here, and holds no bytes");
		return 0;
	}
	if (s3_meta_of_request(rq, &rq->meta) || s3_quota(rq, rq->body.expected))
		return -1;
	rq->body.sink = s3_sink_file;
	return s3_temp_make(rq);
}

/* What is under the key now: 1, with its tag; 0: nothing. It stays open until the answer has left:
 * to give back the disk of a large file takes longer than to answer. */
static int there(
	struct s3_request *rq, int data, const char *key, struct stat *st, struct s3_meta *m)
{
	rq->old = s3_open(data, key, O_RDONLY, st);
	if (rq->old < 0)
		return 0;
	s3_meta_read(rq->old, st, m);
	return 1;
}

/* The new file belongs to whoever had the old one, who may be an ordinary user of an instance. */
static void take_owner(int fd, const struct stat *old)
{
	struct stat own;

	if (fstat(fd, &own))
		return;
	if (own.st_uid != old->st_uid || own.st_gid != old->st_gid)
		(void)!fchown(fd, old->st_uid, old->st_gid);
	(void)!fchmod(fd, old->st_mode & 0777);
}

static int place(struct s3_request *rq, int data, const char *key)
{
	const char *last;
	int dir = s3_parent(data, key, 1, &last), work = s3_dir(rq, "work"), bad;

	bad = dir < 0 || work < 0 || renameat(work, rq->temp, dir, last) || fsync(dir);
	bad = bad ? s3_fail_errno(rq) : 0;
	if (dir >= 0)
		close(dir);
	if (work >= 0)
		close(work);
	return bad;
}

int s3_commit(struct s3_request *rq, const char *key)
{
	int data = s3_dir(rq, "data"), bad, had;
	struct s3_meta old;
	struct stat st, own;

	if (data < 0 || fdatasync(rq->fd)) {
		if (data >= 0)
			close(data);
		return s3_fail_errno(rq);
	}
	pthread_mutex_lock(&rq->s->commit_lock);
	had = there(rq, data, key, &st, &old);
	bad = s3_conditions(rq, "", had ? old.etag : NULL, had ? &st : NULL, 0);
	if (!bad && had)
		take_owner(rq->fd, &st);
	if (!bad && s3_meta_write(rq->fd, &rq->meta) && !fstat(rq->fd, &own))
		s3_meta_read(
			rq->fd, &own, &rq->meta); /* nowhere to keep it: say what can be seen */
	if (!bad)
		bad = place(rq, data, key);
	pthread_mutex_unlock(&rq->s->commit_lock);
	if (!bad && !fstat(rq->fd, &own))
		s3_used_add(rq->s, rq->key.storage, own.st_size - (had ? st.st_size : 0));
	s3_quota_end(rq); /* a completion keeps its claim until the upload has gone */
	close(data);
	return bad;
}

int s3_marker_make(struct s3_request *rq, const char *key)
{
	int data = s3_dir(rq, "data"), dir, own;
	char name[S3_NAME_MAX + 2];
	const char *last;

	dir = data < 0 ? -1 : s3_parent(data, key, 1, &last);
	if (dir >= 0)
		snprintf(name, sizeof(name), "%.*s", (int)strcspn(last, "/"), last);
	/* Made by its own name it stays when it is empty: it carries no mark. */
	own = dir < 0 || (mkdirat(dir, name, 0755) && errno != EEXIST)
		      ? -1
		      : openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (own < 0)
		s3_fail_errno(rq);
	if (dir >= 0)
		close(dir);
	if (data >= 0)
		close(data);
	if (own < 0)
		return -1;
	s3_dir_keep(own);
	close(own);
	return 0;
}

int s3_put_end(struct s3_request *rq)
{
	if (is_marker(rq->object) ? s3_marker_make(rq, rq->object)
				  : (rq->body.expected < 0 && s3_quota(rq, rq->body.got)) ||
					    s3_commit(rq, rq->object))
		return -1;
	rq->status = 200;
	s3_answer_header(rq, "ETag", "\"%s\"", rq->meta.etag);
	for (int i = 0; i < S3_SUMS; i++)
		if (i != S3_MD5 && rq->body.given[i][0])
			s3_answer_header(rq, s3_sum_header(i), "%s", rq->body.given[i]);
	return 0;
}
