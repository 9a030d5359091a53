/* SPDX-License-Identifier: MIT */
/* The lowest layer of every instance, made once for a state directory: root/ (all but /usr) and
 * usr/ (what is added to the host's /usr). */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <starverse/common.h>

#define BASE_VERSION "3"

struct dir {
	const char *path;
	unsigned mode;
};

static const struct dir dirs[] = {
	{ "root", 0755 },
	{ "usr", 0755 },
	{ "root/boot", 0755 },
	{ "root/dev", 0755 },
	{ "root/etc", 0755 },
	{ "root/etc/apt", 0755 },
	{ "root/etc/apt/apt.conf.d", 0755 },
	{ "root/etc/apt/keyrings", 0755 },
	{ "root/etc/profile.d", 0755 },
	{ "root/etc/ssh", 0755 },
	{ "root/home", 0755 },
	{ "root/library", 0755 },
	{ "root/media", 0755 },
	{ "root/mnt", 0755 },
	{ "root/opt", 0755 },
	{ "root/proc", 0555 },
	{ "root/root", 0700 },
	{ "root/run", 0755 },
	{ "root/srv", 0755 },
	{ "root/sys", 0555 },
	{ "root/tmp", 01777 },
	{ "root/usr", 0755 },
	{ "root/var", 0755 },
	{ "root/var/backups", 0755 },
	{ "root/var/cache", 0755 },
	{ "root/var/cache/apt", 0755 },
	{ "root/var/cache/apt/archives", 0755 },
	{ "root/var/cache/apt/archives/partial", 0755 },
	{ "root/var/cache/debconf", 0755 },
	{ "root/var/cache/man", 0755 },
	{ "root/var/lib", 0755 },
	{ "root/var/lib/apt", 0755 },
	{ "root/var/lib/apt/lists", 0755 },
	{ "root/var/lib/apt/lists/partial", 0755 },
	{ "root/var/lib/dpkg", 0755 },
	{ "root/var/lib/misc", 0755 },
	{ "root/var/lib/pam", 0755 },
	{ "root/var/lib/python", 0755 },
	{ "root/var/local", 0755 },
	{ "root/var/log", 0755 },
	{ "root/var/log/apt", 0755 },
	{ "root/var/mail", 0755 },
	{ "root/var/opt", 0755 },
	{ "root/var/spool", 0755 },
	{ "root/var/tmp", 01777 },
	{ "usr/local", 0755 },
	{ "usr/local/bin", 0755 },
	{ "usr/local/etc", 0755 },
	{ "usr/local/include", 0755 },
	{ "usr/local/lib", 0755 },
	{ "usr/local/sbin", 0755 },
	{ "usr/local/share", 0755 },
	{ "usr/local/src", 0755 },
	{ "usr/local/games", 0755 },
	{ 0 },
};

/* Links of the root that point into /usr, when the host has them. */
static const char *const links[] = { "bin", "sbin", "lib", "lib32", "lib64", "libx32", NULL };

static const char *const own_links[][2] = {
	{ "root/var/run", "/run" },
	{ "root/var/lock", "/run/lock" },
	{ "root/etc/mtab", "../proc/self/mounts" },
	{ "root/etc/os-release", "../usr/lib/os-release" },
	{ "usr/local/bin/svctl", "/run/starverse/svctl" },
	{ NULL, NULL },
};

/* Package managers' knowledge of what /usr holds. */
static const char *const known[] = { "dpkg", "apt/lists", "apt/extended_states", "pam", "python",
	NULL };

static int make_dirs(const char *base)
{
	char path[BOX_PATH_MAX];

	for (const struct dir *d = dirs; d->path; d++) {
		if (snprintf(path, sizeof(path), "%s/%s", base, d->path) >= (int)sizeof(path))
			return -1;
		if ((mkdir(path, 0700) && errno != EEXIST) || chmod(path, d->mode))
			return -1;
	}
	return 0;
}

static int make_links(const char *base)
{
	char from[64], to[BOX_PATH_MAX + 64], target[256];

	for (size_t i = 0; links[i]; i++) {
		ssize_t n;

		snprintf(from, sizeof(from), "/%s", links[i]);
		n = readlink(from, target, sizeof(target) - 1);
		if (n <= 0)
			continue;
		target[n] = '\0';
		snprintf(to, sizeof(to), "%s/root/%s", base, links[i]);
		if (symlink(target, to) && errno != EEXIST)
			return -1;
	}
	for (size_t i = 0; own_links[i][0]; i++) {
		snprintf(to, sizeof(to), "%s/%s", base, own_links[i][0]);
		if (symlink(own_links[i][1], to) && errno != EEXIST)
			return -1;
	}
	return 0;
}

static int copy_known(const char *base, const struct tree_options *o)
{
	for (size_t i = 0; known[i]; i++) {
		char from[64], to[BOX_PATH_MAX + 64], buf[BOX_SMALL_FILE * 16];
		struct stat st;
		size_t len;

		snprintf(from, sizeof(from), "/var/lib/%s", known[i]);
		snprintf(to, sizeof(to), "%s/root/var/lib/%s", base, known[i]);
		if (stat(from, &st))
			continue;
		if (S_ISDIR(st.st_mode) ? sv_tree_copy(from, to, o, NULL)
					: !sv_file_read(from, buf, sizeof(buf), &len) &&
						  sv_file_write(to, buf, len, 0644))
			return -1;
	}
	return 0;
}

/* Directories only: an ordinary user's root cannot write into directories that are nobody's. */
static int skeleton(const char *from, const char *to, int depth)
{
	DIR *d = depth < BOX_TREE_DEPTH ? opendir(from) : NULL;
	struct dirent *n;
	int bad = 0;

	while (d && !bad && (n = readdir(d))) {
		char a[4096], b[4096];

		if (n->d_type != DT_DIR || n->d_name[0] == '.')
			continue;
		if (snprintf(a, sizeof(a), "%s/%s", from, n->d_name) >= (int)sizeof(a) ||
			snprintf(b, sizeof(b), "%s/%s", to, n->d_name) >= (int)sizeof(b))
			continue;
		if (mkdir(b, 0755) && errno != EEXIST)
			bad = -1;
		else
			bad = skeleton(a, b, depth + 1);
	}
	if (d)
		closedir(d);
	return bad;
}

/* By a process of its own, beside what is copied: both take long. */
static pid_t skeleton_start(const char *base)
{
	char usr[BOX_PATH_MAX + 8];
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody writes into what the next one begins anew */
	snprintf(usr, sizeof(usr), "%s/usr", base);
	errno = 0;
	_exit(!skeleton("/usr", usr, 0) ? 0 : errno > 0 && errno < 256 ? errno : EIO);
}

static int skeleton_await(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (WIFEXITED(status) && WEXITSTATUS(status))
		errno = WEXITSTATUS(status);
	return WIFEXITED(status) && !WEXITSTATUS(status) ? 0 : -1;
}

/* Everything belongs to root inside, whoever it belongs to on the host. The directory is closed. */
static int own(int dir, uid_t uid, int depth)
{
	DIR *d = dir >= 0 && depth < BOX_TREE_DEPTH ? fdopendir(dir) : NULL;
	struct dirent *n;
	int bad = !d || fchown(dir, uid, uid);

	while (!bad && (n = readdir(d))) {
		if (!strcmp(n->d_name, ".") || !strcmp(n->d_name, ".."))
			continue;
		if (n->d_type == DT_DIR)
			bad = own(openat(dir, n->d_name,
					  O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
				uid, depth + 1);
		else
			bad = fchownat(dir, n->d_name, uid, uid, AT_SYMLINK_NOFOLLOW);
	}
	if (d)
		closedir(d);
	else if (dir >= 0)
		close(dir);
	return bad ? -1 : 0;
}

static int base_copy(const struct engine *e, const char *base)
{
	struct tree_options o = { .all = sv_map_root(e), .overlay = 1, .lenient = 1 };

	if (make_links(base) || sv_etc_copy(base, &o))
		return -1;
	if (copy_known(base, &o) || sv_etc_write(base, sv_box_single(e)))
		return -1;
	return make_dirs(base); /* modes again, where a copy changed them */
}

static int base_fill(const struct engine *e, const char *base)
{
	pid_t pid;
	int bad;

	if (make_dirs(base))
		return -1;
	pid = e->as_root ? 0 : skeleton_start(base);
	bad = pid < 0 || base_copy(e, base);
	if (pid > 0 && skeleton_await(pid))
		bad = 1;
	if (!bad && e->as_root)
		bad = own(open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC), sv_map_root(e), 0);
	return bad ? -1 : 0;
}

/* Ends as errno says; of what failed nothing is left to fill the disk. */
static int base_child(const struct engine *e)
{
	char base[BOX_PATH_MAX], tmp[BOX_PATH_MAX];
	int error;

	umask(022);
	if (sv_state_path(e, base, sizeof(base), "base") ||
		sv_state_path(e, tmp, sizeof(tmp), "base.tmp"))
		return ENAMETOOLONG;
	if (!sv_holder_enter(e) && !sv_tree_remove(tmp) && !mkdir(tmp, 0755) &&
		!base_fill(e, tmp) && !sv_tree_remove(base) && !rename(tmp, base))
		return 0;
	error = errno;
	sv_tree_remove(tmp);
	return error > 0 && error < 256 ? error : EIO;
}

static int is_made(const struct engine *e, char *file, size_t size, char *want, size_t len)
{
	char have[32];

	/* A base made for one way of mapping ids does not fit another. */
	snprintf(want, len, "%s %d %d", BASE_VERSION, e->as_root, sv_box_single(e));
	return !sv_state_path(e, file, size, "base.version") &&
	       !sv_file_read(file, have, sizeof(have), NULL) && !strcmp(have, want);
}

/* For a job, before it enters anything: the base is there, or is made now. */
int sv_base_ensure(const struct engine *e, struct engine_result *r)
{
	char file[BOX_PATH_MAX], want[32];
	int status = 0;
	pid_t pid;

	if (is_made(e, file, sizeof(file), want, sizeof(want)))
		return SV_OK;
	if (sv_box_lock(e, "base", r))
		return r->code;
	if (is_made(e, file, sizeof(file), want, sizeof(want)))
		return SV_OK;
	pid = fork();
	if (!pid)
		_exit(base_child(e));
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status) &&
		!sv_file_write(file, want, strlen(want), 0600))
		return SV_OK;
	if (pid > 0 && WIFEXITED(status) && WEXITSTATUS(status))
		errno = WEXITSTATUS(status);
	return sv_fail_errno(r, "the base of the instances");
}

static int ensure_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	(void)w;
	return sv_base_ensure(e, r);
}

static const struct job_kind ensure_job = { .body = ensure_body };

/* At the daemon's start: in the background, since it copies thousands of small files. */
void sv_base_prepare(struct engine *e)
{
	struct work w = { .id = "base" };
	char file[BOX_PATH_MAX], want[32];

	if (!is_made(e, file, sizeof(file), want, sizeof(want)))
		sv_work_start(e, &ensure_job, &w, NULL, NULL);
}
