/* SPDX-License-Identifier: MIT */
/* An instance's network: its own loopback, and slirp4netns for the way out, where it is installed.
 */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <starverse/common.h>

static const char *const programs[] = { "/usr/bin/slirp4netns", "/usr/local/bin/slirp4netns",
	NULL };

static const char *program(void)
{
	for (size_t i = 0; programs[i]; i++)
		if (!access(programs[i], X_OK))
			return programs[i];
	return NULL;
}

int sv_network_usable(void)
{
	return program() && !access("/dev/net/tun", R_OK | W_OK);
}

int sv_loopback_up(void)
{
	struct ifreq r = { .ifr_name = "lo", .ifr_flags = IFF_UP | IFF_RUNNING };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), bad;

	if (fd < 0)
		return -1;
	bad = ioctl(fd, SIOCSIFFLAGS, &r);
	close(fd);
	return bad;
}

/* It ends by itself: init holds the other end of exit_fd. SV_OK once the way out is open. */
int sv_network_start(const struct engine *e, pid_t pid, int exit_fd)
{
	char target[16], user[64];
	const char *argv[] = { program(), "--configure", "--mtu=65520", "--disable-host-loopback",
		"--exit-fd=4", "--ready-fd=3", "--userns-path", user, target, "tap0", NULL };
	int ready[2];
	char c = 0;
	pid_t child;

	if (!argv[0] || pipe2(ready, O_CLOEXEC))
		return SV_UNSUPPORTED;
	snprintf(target, sizeof(target), "%d", (int)pid);
	snprintf(user, sizeof(user), "/proc/%d/ns/user", (int)pid);
	(void)e;
	child = fork();
	if (!child) {
		int a = fcntl(ready[1], F_DUPFD, 16), b = fcntl(exit_fd, F_DUPFD, 16);

		if (fork()) /* nobody's child: nobody has to reap it */
			_exit(0);
		dup2(a, 3);
		dup2(b, 4);
		close_range(5, ~0U, 0);
		execv(argv[0], (char *const *)argv);
		_exit(127);
	}
	close(ready[1]);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	while (read(ready[0], &c, 1) < 0 && errno == EINTR)
		;
	close(ready[0]);
	return c == '1' ? SV_OK : SV_UNSUPPORTED;
}
