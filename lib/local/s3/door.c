/* SPDX-License-Identifier: MIT */
/* The daemon's side of S3: a listening socket that is always there, and a process behind it once
 * somebody knocks. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "base/time.h"
#include "local/platform.h"
#include "local/s3/serve.h"

#define PORT_FIRST 21000 /* below the ephemeral ports, so that it is free again after a restart */
#define PORT_COUNT 9000
#define TRIES      100
#define YOUNG_MS    1000
#define PATIENCE    100 /* times */
#define PATIENCE_MS 20
#define BACKLOG    128
#define LISTENER   3

static int listen_at(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), one = 1;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (!bind(fd, (struct sockaddr *)&a, sizeof(a)) && !listen(fd, BACKLOG))
		return fd;
	close(fd);
	return -1;
}

static int port_before(struct platform *p)
{
	struct sv_buf b;
	int64_t port = 0;

	sv_buf_init(&b, 32);
	if (store_fact_get(p->store, "platform", "s3_port", &b) ||
		sv_parse_int(sv_buf_text(&b), &port) || port < 1 || port > 65535)
		port = 0;
	sv_buf_free(&b);
	return (int)port;
}

/* The server of a daemon that was killed may have the port for a moment yet. */
static int listen_again(int port)
{
	int fd = listen_at(port);

	for (int i = 0; fd < 0 && errno == EADDRINUSE && i < PATIENCE; i++) {
		poll(NULL, 0, PATIENCE_MS);
		fd = listen_at(port);
	}
	return fd;
}

int s3_door_open(struct s3_door *door)
{
	int port = port_before(door->p);
	unsigned short random = 0;
	char text[16];

	door->fd = port ? listen_again(port) : -1;
	for (int i = 0; door->fd < 0 && i < TRIES; i++) {
		if (getrandom(&random, sizeof(random), 0) < 0)
			random = (unsigned short)(getpid() + i);
		port = PORT_FIRST + random % PORT_COUNT;
		door->fd = listen_at(port);
	}
	if (door->fd < 0) {
		platform_log(door->p, "no port of 127.0.0.1 is free for S3: %s",
			strerrordesc_np(errno));
		return SV_OK;
	}
	door->p->s3_port = port;
	snprintf(text, sizeof(text), "%d", port);
	return store_fact_set(door->p->store, "platform", "s3_port", text);
}

int s3_door_watch(struct s3_door *door, int epoll)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.fd = door->fd };

	door->epoll = epoll;
	if (door->fd < 0)
		return SV_OK;
	return epoll_ctl(epoll, EPOLL_CTL_ADD, door->fd, &ev) ? SV_IO : SV_OK;
}

static int is_knocked(const struct s3_door *door)
{
	struct pollfd p = { .fd = door->fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

/* In the child: nothing of the daemon's but the socket comes along. */
static void become_server(const struct s3_door *door) __attribute__((noreturn));
static void become_server(const struct s3_door *door)
{
	const struct platform *p = door->p;
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(door->fd, LISTENER) != LISTENER)
		_exit(1);
	fcntl(LISTENER, F_SETFD, 0);
	if (p->ops->enter && p->ops->enter(p->engine))
		_exit(1);
	close_range(LISTENER + 1, ~0U, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	execl("/proc/self/exe", "svctl-local", "--s3", door->state_dir, (char *)NULL);
	_exit(1);
}

/* One that died young is not begun anew at once: what ails it may last. */
static int look_after(struct s3_door *door)
{
	int status;

	if (door->pid > 0 && waitpid(door->pid, &status, WNOHANG) == door->pid) {
		platform_log(door->p, "the S3 server ended (%d)", status);
		door->pid = -1;
	}
	if (door->pid < 0 && sv_mono_ms() - door->begun_ms >= YOUNG_MS) {
		door->pid = 0;
		s3_door_watch(door, door->epoll);
	}
	return door->pid;
}

void s3_door_turn(struct s3_door *door)
{
	if (look_after(door) || door->fd < 0 || !is_knocked(door))
		return;
	door->begun_ms = sv_mono_ms();
	door->pid = fork();
	if (!door->pid)
		become_server(door);
	if (door->pid < 0)
		platform_log(
			door->p, "the S3 server cannot be started: %s", strerrordesc_np(errno));
	epoll_ctl(door->epoll, EPOLL_CTL_DEL, door->fd, NULL);
}

void s3_door_close(struct s3_door *door)
{
	if (door->pid > 0) {
		kill(door->pid, SIGKILL);
		while (waitpid(door->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (door->fd >= 0)
		close(door->fd);
	door->pid = 0;
	door->fd = -1;
}
