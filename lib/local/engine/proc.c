/* SPDX-License-Identifier: MIT */
/* Processes that outlive the daemon: a pid with its start time, and the members of a pid namespace.
 */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <base/str.h>
#include <base/time.h>
#include <starverse/common.h>

/* Field 22 of stat; the name in field 2 may hold blanks and parentheses. A zombie is as good as
 * gone. */
int sv_proc_start(pid_t pid, uint64_t *ret)
{
	char path[64], buf[2048], *p, *end;
	int64_t v;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (pid <= 0 || sv_file_read(path, buf, sizeof(buf), NULL))
		return SV_NOTFOUND;
	p = strrchr(buf, ')');
	if (!p || p[1] != ' ' || p[2] == 'Z' || p[2] == 'X')
		return SV_NOTFOUND;
	p += 2;
	for (int field = 3; field < 22; field++) {
		p = strchr(p, ' ');
		if (!p++)
			return SV_NOTFOUND;
	}
	end = strchr(p, ' ');
	if (!end)
		return SV_NOTFOUND;
	*end = '\0';
	if (sv_parse_int(p, &v))
		return SV_NOTFOUND;
	*ret = (uint64_t)v;
	return SV_OK;
}

int sv_proc_alive(const struct proc *p)
{
	uint64_t start;

	return p->pid > 0 && !sv_proc_start(p->pid, &start) && start == p->start;
}

/* The command line and environment of the daemon, which a forked process still shows: wiped, for
 * what is inside can read the first. Fields 48 to 51 of stat say where they are. */
void sv_arguments_hide(void)
{
	char buf[2048], *p;
	int64_t at[4];

	if (sv_file_read("/proc/self/stat", buf, sizeof(buf), NULL) || !(p = strrchr(buf, ')')))
		return;
	for (int field = 2; field < 52; field++) {
		char *end;

		if (field >= 48) {
			end = p + strcspn(p, " \n");
			*end = '\0';
			if (sv_parse_int(p, &at[field - 48]))
				return;
			p = end;
		} else {
			p = strchr(p, ' ');
		}
		if (!p)
			return;
		p++;
	}
	for (int i = 0; i < 4; i += 2)
		if (at[i] > 0 && at[i + 1] > at[i])
			memset((void *)(uintptr_t)at[i], 0, (size_t)(at[i + 1] - at[i]));
}

/* A file "PID START REST"; pids of another boot do not match by their start time. */
int sv_proc_read(const char *path, struct proc *ret, char *rest, size_t size)
{
	char buf[1024], *start, *more;
	int64_t pid, ticks;
	int code = sv_file_read(path, buf, sizeof(buf), NULL);

	if (code)
		return code;
	buf[strcspn(buf, "\n")] = '\0';
	start = strchr(buf, ' ');
	if (!start)
		return SV_IO;
	*start++ = '\0';
	more = strchr(start, ' ');
	if (more)
		*more++ = '\0';
	if (sv_parse_int(buf, &pid) || sv_parse_int(start, &ticks) || pid <= 0 || pid > INT32_MAX)
		return SV_IO;
	ret->pid = (pid_t)pid;
	ret->start = (uint64_t)ticks;
	if (rest)
		snprintf(rest, size, "%s", more ? more : "");
	return SV_OK;
}

int sv_proc_write(const char *path, const struct proc *p, const char *rest)
{
	char buf[1024];
	int n = snprintf(
		buf, sizeof(buf), "%d %llu %s\n", (int)p->pid, (unsigned long long)p->start, rest);

	return sv_file_write(path, buf, (size_t)n, 0600);
}

int sv_pidfd_open(pid_t pid)
{
	return (int)syscall(SYS_pidfd_open, pid, 0);
}

int sv_pidfd_kill(int fd, int sig)
{
	return (int)syscall(SYS_pidfd_send_signal, fd, sig, NULL, 0);
}

/* 0 when the process ended in time, else -1. */
int sv_pidfd_wait(int fd, int64_t timeout_ms)
{
	int64_t end = sv_mono_ms() + timeout_ms;

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		int64_t left = end - sv_mono_ms();
		int n = poll(&p, 1, left > 0 ? (int)left : 0);

		if (n > 0)
			return 0;
		if (n == 0 && left <= 0)
			return -1;
		if (n < 0 && errno != EINTR)
			return -1;
	}
}

/* The inode number that names a namespace; 0 when it cannot be seen. */
uint64_t sv_proc_ns(pid_t pid, const char *name)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d/ns/%s", (int)pid, name);
	return stat(path, &st) ? 0 : (uint64_t)st.st_ino;
}

int sv_ns_each(uint64_t ns, void (*each)(pid_t pid, void *data), void *data)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	int n = 0;

	while (dir && (d = readdir(dir))) {
		int64_t pid;

		if (sv_parse_int(d->d_name, &pid) || pid <= 0 || pid > INT32_MAX)
			continue;
		if (sv_proc_ns((pid_t)pid, "pid") != ns)
			continue;
		n++;
		if (each)
			each((pid_t)pid, data);
	}
	if (dir)
		closedir(dir);
	return n;
}

void sv_signal_ignore(int sig)
{
	struct sigaction a = { .sa_handler = SIG_IGN };

	sigaction(sig, &a, NULL);
}

/* A forked process starts from what a program expects, not from what the daemon set. */
void sv_signals_default(void)
{
	struct sigaction a = { .sa_handler = SIG_DFL };
	sigset_t none;

	sigemptyset(&none);
	for (int sig = 1; sig < 32; sig++)
		sigaction(sig, &a, NULL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}
