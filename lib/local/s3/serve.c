/* SPDX-License-Identifier: MIT */
/* The process of the S3 server: it dies with the daemon, and clears away what the one before it
 * left half done. */
#include "local/s3/serve.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time.h"
#include "local/s3/s3.h"
#include "starverse/common.h"

#define LISTENER 3
#define UPLOAD_SPAN \
	(INT64_C(7) * 86400) /* an upload that nobody touched for so long is given up \
			      */
#define FILES 4096

/* Nobody writes to these any more: there is one server at a time. */
static void clear_one(int work, const char *name)
{
	struct stat st;
	struct dirent *n;
	DIR *d;
	int fd;

	if (!strncmp(name, "tmp-", 4)) {
		unlinkat(work, name, 0);
		return;
	}
	if (strncmp(name, "up-", 3) != 0 || fstatat(work, name, &st, AT_SYMLINK_NOFOLLOW) ||
		st.st_mtim.tv_sec > sv_now() - UPLOAD_SPAN)
		return;
	fd = openat(work, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	d = fd < 0 ? NULL : fdopendir(fd);
	while (d && (n = readdir(d)))
		unlinkat(fd, n->d_name, 0);
	if (d)
		closedir(d);
	unlinkat(work, name, AT_REMOVEDIR);
}

static void clear(const struct s3 *s)
{
	char path[S3_PATH_MAX];
	struct dirent *storage, *n;
	DIR *all, *d;
	int work;

	snprintf(path, sizeof(path), "%s/storages", s->state_dir);
	all = opendir(path);
	while (all && (storage = readdir(all))) {
		if (strncmp(storage->d_name, "sto_", 4) != 0)
			continue;
		work = s3_dir_of(s, storage->d_name, "work");
		d = work < 0 ? NULL : fdopendir(work);
		while (d && (n = readdir(d)))
			clear_one(work, n->d_name);
		if (d)
			closedir(d);
	}
	if (all)
		closedir(all);
}

/* The same until the machine itself starts anew. */
static void name_boot(struct s3 *s)
{
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, s->boot, sizeof(s->boot) - 1);

	if (fd >= 0)
		close(fd);
	s->boot[n < 36 ? 0 : 36] = '\0'; /* without the line's end */
	if (!*s->boot)
		snprintf(s->boot, sizeof(s->boot), "unknown");
}

int s3_serve(const char *state_dir)
{
	struct s3 s = { .state_dir = state_dir,
		.db_lock = PTHREAD_MUTEX_INITIALIZER,
		.commit_lock = PTHREAD_MUTEX_INITIALIZER,
		.used_lock = PTHREAD_MUTEX_INITIALIZER,
		.trust_lock = PTHREAD_MUTEX_INITIALIZER,
		.claim_lock = PTHREAD_MUTEX_INITIALIZER,
		.claim_given = PTHREAD_COND_INITIALIZER };
	struct rlimit files;
	struct stat st;
	int rc;

	if (fstat(LISTENER, &st) || !S_ISSOCK(st.st_mode))
		return SV_INVALID;
	/* Set where the parent forked it too; a change of ids takes it away. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, "svctl-local-s3");
	prctl(PR_SET_DUMPABLE, 0);
	umask(022);
	if (!getrlimit(RLIMIT_NOFILE, &files) && files.rlim_cur < FILES) {
		files.rlim_cur = files.rlim_max < FILES ? files.rlim_max : FILES;
		setrlimit(RLIMIT_NOFILE, &files);
	}
	rc = s3_keys_open(&s);
	if (rc)
		return rc;
	name_boot(&s);
	clear(&s);
	rc = s3_http_serve(&s, LISTENER);
	s3_keys_close(&s);
	return rc;
}
