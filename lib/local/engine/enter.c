/* SPDX-License-Identifier: MIT */
/* Going into a running instance, and giving up there what a container should not have. */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/arena.h>
#include <base/buf.h>
#include <starverse/common.h>

/* What processes inside may still become: enough for a package manager and sshd, too little to
 * mount, to trace init or to touch the kernel. */
static const int kept[] = {
	CAP_CHOWN,
	CAP_DAC_OVERRIDE,
	CAP_FOWNER,
	CAP_FSETID,
	CAP_KILL,
	CAP_SETGID,
	CAP_SETUID,
	CAP_SETPCAP,
	CAP_NET_BIND_SERVICE,
	CAP_NET_RAW,
	CAP_SYS_CHROOT,
	CAP_MKNOD,
	CAP_AUDIT_WRITE,
	CAP_SETFCAP,
};

int sv_box_single(const struct engine *e)
{
	return !e->as_root && e->holder.map_count <= 1;
}

int sv_box_confine(int single)
{
	if (single && sv_seccomp_install())
		return -1;
	for (int cap = 0; cap < 64; cap++) {
		size_t i = 0;

		while (i < sizeof(kept) / sizeof(*kept) && kept[i] != cap)
			i++;
		if (i == sizeof(kept) / sizeof(*kept) && prctl(PR_CAPBSET_READ, cap) == 1 &&
			prctl(PR_CAPBSET_DROP, cap))
			return -1;
	}
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	return 0;
}

/* For a forked job of the host's side: into the instance's limits and namespaces. Of the pid
 * namespace only the next child is a member. */
int sv_box_enter(const struct engine *e, const char *id, const struct proc *init)
{
	int fd = sv_pidfd_open(init->pid), bad;

	if (fd < 0 || !sv_proc_alive(init)) {
		if (fd >= 0)
			close(fd);
		errno = ESRCH;
		return -1;
	}
	if (id)
		sv_cgroup_join(e, id);
	prctl(PR_SET_DUMPABLE, 0);
	bad = setns(fd, CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC |
				CLONE_NEWNET | CLONE_NEWCGROUP);
	close(fd);
	if (bad)
		return -1;
	if (!sv_box_single(e) && setgroups(0, NULL))
		return -1;
	if (setresgid(0, 0, 0) || setresuid(0, 0, 0) || chdir("/"))
		return -1;
	return 0;
}

void sv_exec_inside(const char *const *argv, const char *const *env, int single)
{
	if (sv_box_confine(single))
		_exit(126);
	sv_signals_default();
	umask(022);
	if (chdir("/root"))
		_exit(126);
	environ = (char **)
		env; /* the program is looked for in the instance's PATH, not in the daemon's */
	execvp(argv[0], (char *const *)argv);
	_exit(errno == ENOENT ? 127 : 126);
}

static const char *const standard_env[] = {
	"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root",
	"USER=root", "LOGNAME=root", "SHELL=/bin/bash", "LANG=C.UTF-8", NULL
};

static int overridden(const char *standard, const char *const *env)
{
	size_t n = strcspn(standard, "=") + 1;

	for (size_t i = 0; env && env[i]; i++)
		if (!strncmp(env[i], standard, n))
			return 1;
	return 0;
}

/* The whole environment, NUL-ended entries one after another, so that a restarted daemon has it
 * too. */
int sv_env_save(const struct engine *e, const struct engine_spec *s)
{
	char path[BOX_PATH_MAX];
	struct sv_buf b;
	int code;

	sv_buf_init(&b, BOX_ENV_MAX);
	for (size_t i = 0; standard_env[i]; i++)
		if (!overridden(standard_env[i], s->env))
			sv_buf_add(&b, standard_env[i], strlen(standard_env[i]) + 1);
	for (size_t i = 0; s->env && s->env[i]; i++)
		if (strchr(s->env[i], '=') && s->env[i][0] != '=')
			sv_buf_add(&b, s->env[i], strlen(s->env[i]) + 1);
	code = b.failed ? SV_INVALID
			: sv_state_path(e, path, sizeof(path), "instances/%s/env", s->id);
	if (!code)
		code = sv_file_write(path, b.data, b.len, 0600);
	sv_buf_free(&b);
	return code;
}

/* For a process that is about to exec: never freed. */
const char *const *sv_env_load(const struct engine *e, const char *id)
{
	char path[BOX_PATH_MAX], *buf = sv_malloc(BOX_ENV_MAX + 1);
	const char **list;
	size_t len, n = 0, i = 0;

	if (!buf || sv_state_path(e, path, sizeof(path), "instances/%s/env", id) ||
		sv_file_read(path, buf, BOX_ENV_MAX + 1, &len))
		return standard_env;
	for (size_t k = 0; k < len; k++)
		n += !buf[k];
	list = sv_malloc((n + 1) * sizeof(*list));
	if (!list)
		return standard_env;
	for (size_t k = 0; i < n; k += strlen(buf + k) + 1)
		list[i++] = buf + k;
	list[i] = NULL;
	return list;
}
