/* SPDX-License-Identifier: MIT */
/* Into the background, by one fork and a pipe that brings the verdict back. */
#include "local/detach.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <starverse/common.h>

struct verdict {
	int code;
	char message[500];
};

void detach_tell(int *ready, int code, const char *message)
{
	struct verdict v = { .code = code };

	if (*ready < 0)
		return;
	snprintf(v.message, sizeof(v.message), "%s", message);
	(void)!write(*ready, &v, sizeof(v));
	close(*ready);
	*ready = -1;
}

static void leave_terminal(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	setsid();
	(void)!chdir("/");
	for (int fd = 0; null >= 0 && fd < 3; fd++)
		dup2(null, fd);
	if (null > 2)
		close(null);
}

/* In the parent: what became of the child. */
static int await(int fd, pid_t pid, char *message, size_t size)
{
	struct verdict v;
	ssize_t n;
	int status;

	do
		n = read(fd, &v, sizeof(v));
	while (n < 0 && errno == EINTR);
	close(fd);
	if (n == (ssize_t)sizeof(v)) {
		snprintf(message, size, "%s", v.message);
		return v.code;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	snprintf(message, size, "the daemon ended before it was ready");
	return SV_SERVER;
}

int detach(int *child, int *ready, char *message, size_t size)
{
	int fds[2];
	pid_t pid;

	*child = 0;
	if (pipe2(fds, O_CLOEXEC)) {
		snprintf(message, size, "pipe: %s", strerrordesc_np(errno));
		return SV_IO;
	}
	pid = fork();
	if (pid < 0) {
		snprintf(message, size, "fork: %s", strerrordesc_np(errno));
		close(fds[0]);
		close(fds[1]);
		return SV_IO;
	}
	if (pid > 0) {
		close(fds[1]);
		return await(fds[0], pid, message, size);
	}
	close(fds[0]);
	leave_terminal();
	*child = 1;
	*ready = fds[1];
	return SV_OK;
}
