/* SPDX-License-Identifier: MIT */
/* The holder: a process that only waits and so keeps the namespaces in which disks are mounted, and
 * whose user namespace an ordinary user's instances are children of. It outlives the daemon, as the
 * instances do. */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/str.h>
#include <starverse/common.h>

static void holder_run(const struct engine *e, int ready, int go) __attribute__((noreturn));

static void holder_run(const struct engine *e, int ready, int go)
{
	char c;

	setsid();
	prctl(PR_SET_NAME, "sv-holder");
	if (unshare(CLONE_NEWNS | (e->as_root ? 0 : CLONE_NEWUSER)))
		_exit(1);
	if (write(ready, "r", 1) != 1 || read(go, &c, 1) != 1)
		_exit(1);
	/* Slave: what the host unmounts goes here too, and nothing of ours goes there. */
	if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) || chdir("/"))
		_exit(1);
	if (write(ready, "m", 1) != 1)
		_exit(1);
	for (int fd = 0, null = open("/dev/null", O_RDWR); fd < 3; fd++)
		dup2(null, fd);
	close_range(3, ~0U, 0);
	for (int sig = 1; sig < 32; sig++)
		if (sig != SIGTERM && sig != SIGKILL && sig != SIGSTOP)
			sv_signal_ignore(sig);
	for (;;)
		pause();
}

/* Child of the daemon, parent of the holder: maps, records, and leaves, so that nobody has to reap.
 * 0 or a step's number. */
static int holder_fork(const struct engine *e, const char *file)
{
	int ready[2], go[2];
	unsigned count = 0;
	char c, rest[16];
	struct proc p;

	if (pipe2(ready, O_CLOEXEC) || pipe2(go, O_CLOEXEC))
		return 1;
	p.pid = fork();
	if (!p.pid) {
		close(ready[0]);
		close(go[1]);
		holder_run(e, ready[1], go[0]);
	}
	close(ready[1]);
	close(go[0]);
	if (p.pid < 0 || read(ready[0], &c, 1) != 1)
		return 2;
	if (!e->as_root && sv_map_own(p.pid, &count))
		return 3;
	if (write(go[1], "g", 1) != 1 || read(ready[0], &c, 1) != 1)
		return 4;
	snprintf(rest, sizeof(rest), "%u", count);
	if (sv_proc_start(p.pid, &p.start) || sv_proc_write(file, &p, rest)) {
		kill(p.pid, SIGKILL);
		return 5;
	}
	return 0;
}

static int holder_known(struct engine *e, const char *file)
{
	char rest[32];
	int64_t count;

	if (sv_proc_read(file, &e->holder.proc, rest, sizeof(rest)) ||
		!sv_proc_alive(&e->holder.proc))
		return 0;
	e->holder.map_count = sv_parse_int(rest, &count) ? 1 : (unsigned)count;
	/* A pid and a start time can meet again after a reboot; a namespace of its own does not. */
	return sv_proc_ns(e->holder.proc.pid, "mnt") != sv_proc_ns(getpid(), "mnt");
}

#define NO_NAMESPACE \
	"this kernel gives an ordinary user no user namespace: sysctl -w " \
	"kernel.unprivileged_userns_clone=1 " \
	"kernel.apparmor_restrict_unprivileged_userns=0 user.max_user_namespaces=10000 allows " \
	"them; or run as root"

static const char *const steps[] = {
	"",
	"no pipe could be made",
	NO_NAMESPACE,
	"the user namespace's ids could not be mapped",
	"the mounts could not be set apart",
	"the state directory could not be written",
};

int sv_holder_open(struct engine *e, char *text, size_t size)
{
	char file[BOX_PATH_MAX];
	int status = 0, step = 1;
	pid_t pid;

	if (sv_state_path(e, file, sizeof(file), "holder"))
		return SV_INVALID;
	if (holder_known(e, file))
		return SV_OK;
	pid = fork();
	if (!pid)
		_exit(holder_fork(e, file));
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (pid > 0 && WIFEXITED(status))
		step = WEXITSTATUS(status);
	if (!step && holder_known(e, file))
		return SV_OK;
	snprintf(text, size, "%s", step > 0 && step < 6 ? steps[step] : "the holder did not start");
	return SV_UNSUPPORTED;
}

/* For a forked job: from here on paths mean what they mean to the holder, and an ordinary user is
 * root in it. */
int sv_holder_enter(const struct engine *e)
{
	int fd, bad;

	if (!sv_proc_alive(&e->holder.proc))
		return -1;
	fd = sv_pidfd_open(e->holder.proc.pid);
	if (fd < 0)
		return -1;
	bad = setns(fd, CLONE_NEWNS | (e->as_root ? 0 : CLONE_NEWUSER));
	close(fd);
	if (bad)
		return -1;
	if (!e->as_root && (setresgid(0, 0, 0) || setresuid(0, 0, 0)))
		return -1;
	prctl(PR_SET_DUMPABLE, 1); /* a change of ids forbids it, and then /proc/PID/uid_map of our
				      children is closed */
	return chdir("/");
}

/* With nothing running there is nothing to hold: what a daemon leaves behind is then only files. */
void sv_holder_close(struct engine *e)
{
	char path[BOX_PATH_MAX];
	struct dirent *n;
	struct proc init;
	int running = 0, fd;
	DIR *d;

	if (!sv_proc_alive(&e->holder.proc) || sv_state_path(e, path, sizeof(path), "instances"))
		return;
	d = opendir(path);
	while (d && !running && (n = readdir(d)))
		running = sv_id_valid(n->d_name) && !sv_box_read(e, n->d_name, &init, NULL, 0);
	if (d)
		closedir(d);
	fd = running ? -1 : sv_pidfd_open(e->holder.proc.pid);
	if (fd < 0)
		return;
	sv_pidfd_kill(fd, SIGKILL);
	sv_pidfd_wait(fd, 1000);
	close(fd);
}
