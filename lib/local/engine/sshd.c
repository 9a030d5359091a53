/* SPDX-License-Identifier: MIT */
/* Finding OpenSSH's server: the installed one, or one unpacked below the state directory.
 * Installing the package would start a system service; unpacking it does not. */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <starverse/common.h>

#define SSHD "usr/sbin/sshd"

/* The packages that Debian's sshd needs beyond what every system has. */
static const char *const packages[] = { "openssh-server", "libwrap0", NULL };
/* Where it may be, seen from the state directory of the engine. */
static const char *const places[] = { "sshd", "../sshd", "../../sshd", NULL };

/* tree: the directory to show inside, or "" when /usr has it. SV_NOTFOUND when there is none. */
int sv_sshd_find(const struct engine *e, char *tree, size_t size)
{
	char path[BOX_PATH_MAX];

	tree[0] = '\0';
	if (!access("/" SSHD, X_OK))
		return SV_OK;
	for (size_t i = 0; places[i]; i++) {
		if (sv_state_path(e, tree, size, "%s", places[i]))
			break;
		if (snprintf(path, sizeof(path), "%s/" SSHD, tree) < (int)sizeof(path) &&
			!access(path, X_OK))
			return SV_OK;
	}
	tree[0] = '\0';
	return SV_NOTFOUND;
}

static int unpack(const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *n;
	int bad = !d;

	while (!bad && (n = readdir(d))) {
		const char *argv[] = { "dpkg", "-x", n->d_name, "tree", NULL };
		size_t len = strlen(n->d_name);

		if (len > 4 && !strcmp(n->d_name + len - 4, ".deb"))
			bad = sv_run_program(argv);
	}
	if (d)
		closedir(d);
	return bad;
}

static int fetch_child(const char *tmp, const char *to)
{
	const char *argv[8] = { "apt-get", "-q", "download" };
	int null = open("/dev/null", O_RDWR);

	for (size_t i = 0; packages[i]; i++)
		argv[3 + i] = packages[i];
	for (int fd = 0; fd < 3; fd++)
		dup2(null, fd);
	close_range(3, ~0U, 0);
	if (sv_tree_remove(tmp) || mkdir(tmp, 0755) || chdir(tmp))
		return 1;
	if (sv_run_program(argv) || unpack(".") || access("tree/" SSHD, X_OK))
		return 2;
	return rename("tree", to) || chdir("/") || sv_tree_remove(tmp) ? 3 : 0;
}

/* Downloads and unpacks it; as root or not. */
static int fetch(const struct engine *e)
{
	char tmp[BOX_PATH_MAX], to[BOX_PATH_MAX];
	int status = 1;
	pid_t pid;

	if (sv_state_path(e, tmp, sizeof(tmp), "sshd.tmp") ||
		sv_state_path(e, to, sizeof(to), "sshd"))
		return SV_INVALID;
	pid = fork();
	if (!pid)
		_exit(fetch_child(tmp, to));
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return pid > 0 && WIFEXITED(status) && !WEXITSTATUS(status) ? SV_OK : SV_NOTFOUND;
}

/* For a job, before it enters anything: finds it, or fetches it. A failure is remembered until the
 * next daemon: without a network each start would wait for it anew. */
int sv_sshd_ensure(const struct engine *e, struct engine_result *r)
{
	char path[BOX_PATH_MAX];

	if (!sv_sshd_find(e, path, sizeof(path)))
		return SV_OK;
	if (sv_box_lock(e, "sshd", r))
		return r->code;
	if (!sv_sshd_find(e, path, sizeof(path)))
		return SV_OK;
	if (sv_state_path(e, path, sizeof(path), "sshd.missing") || !access(path, F_OK))
		return SV_NOTFOUND;
	if (!fetch(e))
		return SV_OK;
	sv_file_write(path, "", 0, 0600);
	return SV_NOTFOUND;
}

static int ensure_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	(void)w;
	return sv_sshd_ensure(e, r);
}

static const struct job_kind ensure_job = { .body = ensure_body };

/* At the daemon's start: in the background, so that the first instance need not wait for it. */
void sv_sshd_prepare(struct engine *e)
{
	struct work w = { .id = "sshd" };
	char path[BOX_PATH_MAX];

	if (!sv_sshd_find(e, path, sizeof(path)))
		return;
	if (!sv_state_path(e, path, sizeof(path), "sshd.missing"))
		unlink(path);
	sv_work_start(e, &ensure_job, &w, NULL, NULL);
}
