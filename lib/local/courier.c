/* SPDX-License-Identifier: MIT */
/* The daemon's end of the courier: one packet each way for each thing sent, JSON in it. */
#include "local/courier.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "kinds/common.h"
#include "kinds/kinds.h"

#define PACKET_MAX (64 << 10)

struct parcel {
	struct parcel *next;
	int64_t id;
	post_done *done;
	void *data;
};

struct courier {
	char program[PATH_MAX];
	int ep, fd; /* fd -1: no process */
	pid_t pid;
	int64_t last;
	struct parcel *parcels;
};

static void beside(char *buf, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", buf, size - 16);
	char *slash;

	buf[n > 0 ? n : 0] = '\0';
	slash = strrchr(buf, '/');
	snprintf(slash ? slash + 1 : buf, 16, "svctl-courier");
}

int courier_open(const char *program, struct courier **ret)
{
	struct courier *c = sv_malloc(sizeof(*c));

	if (!c)
		return SV_NOMEM;
	memset(c, 0, sizeof(*c));
	if (program)
		snprintf(c->program, sizeof(c->program), "%s", program);
	else
		beside(c->program, sizeof(c->program));
	c->fd = -1;
	c->ep = epoll_create1(EPOLL_CLOEXEC);
	if (c->ep < 0) {
		sv_mfree(c);
		return SV_IO;
	}
	*ret = c;
	return SV_OK;
}

int courier_fd(const struct courier *c)
{
	return c->ep;
}

/* In the child: only the socket, as standard input. */
static void become(const char *program, int fd)
{
	char *const argv[] = { (char *)(uintptr_t)program, NULL };
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(fd, STDIN_FILENO) == STDIN_FILENO) {
		close_range(3, UINT_MAX, 0);
		execv(program, argv);
	}
	_exit(127);
}

static int begin(struct courier *c)
{
	struct epoll_event ev = { .events = EPOLLIN };
	int ends[2];

	if (c->fd >= 0)
		return SV_OK;
	if (access(c->program, X_OK) ||
		socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return SV_IO;
	c->pid = fork();
	if (!c->pid)
		become(c->program, ends[1]);
	close(ends[1]);
	if (c->pid < 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) ||
		epoll_ctl(c->ep, EPOLL_CTL_ADD, ends[0], &ev)) {
		close(ends[0]);
		return SV_IO;
	}
	c->fd = ends[0];
	return SV_OK;
}

static void told(struct parcel **at, const struct post_result *r)
{
	struct parcel *p = *at;

	*at = p->next;
	p->done(p->data, r);
	sv_mfree(p);
}

/* Closing the socket ends the process: it has nothing else to live for. */
static void end(struct courier *c)
{
	if (c->fd < 0)
		return;
	close(c->fd);
	c->fd = -1;
	kill(c->pid, SIGKILL);
	waitpid(c->pid, NULL, 0);
}

static void all_lost(struct courier *c)
{
	static const struct post_result lost = { .message = "the courier ended" };

	end(c);
	while (c->parcels)
		told(&c->parcels, &lost);
}

void courier_close(struct courier *c)
{
	if (!c)
		return;
	end(c);
	while (c->parcels) {
		struct parcel *next = c->parcels->next;

		sv_mfree(c->parcels);
		c->parcels = next;
	}
	close(c->ep);
	sv_mfree(c);
}

/* SV_OK with *ret, ended by sv_free_text(). */
static int packet(int64_t id, const struct post *what, char **ret)
{
	struct sv_parcel *p = sv_new(&sv_parcel_kind);
	int rc = p ? SV_OK : SV_NOMEM;

	if (rc)
		return rc;
	p->id = id;
	p->url = what->url;
	p->body = what->body;
	for (int i = 0; i < POST_HEADERS && what->headers[i].name; i++)
		sv_map_set(p, &p->headers, what->headers[i].name, what->headers[i].value);
	rc = sv_to_json(&sv_parcel_kind, p, SV_WALK_CREATE, 0, ret);
	sv_free(p);
	return rc;
}

int courier_post(void *courier, const struct post *what, post_done *done, void *data)
{
	struct courier *c = courier;
	struct parcel *p;
	char *text = NULL;
	int rc = begin(c);

	if (rc)
		return rc;
	p = sv_malloc(sizeof(*p));
	if (!p)
		return SV_NOMEM;
	*p = (struct parcel){ c->parcels, ++c->last, done, data };
	rc = packet(p->id, what, &text);
	if (!rc && send(c->fd, text, strlen(text), MSG_NOSIGNAL) < 0)
		rc = SV_IO;
	sv_free_text(text);
	if (rc)
		sv_mfree(p);
	else
		c->parcels = p;
	return rc;
}

static void take(struct courier *c, const char *text, size_t len)
{
	struct sv_receipt *got = NULL;
	struct parcel **at = &c->parcels;
	struct post_result r;

	if (sv_from_json(&sv_receipt_kind, text, len, (void **)&got, NULL))
		return;
	r = (struct post_result){ (int)got->status, got->message, got->body };
	while (*at && (*at)->id != got->id)
		at = &(*at)->next;
	if (*at)
		told(at, &r);
	sv_free(got);
}

void courier_tick(struct courier *c)
{
	char text[PACKET_MAX];
	ssize_t n;

	while (c->fd >= 0) {
		n = recv(c->fd, text, sizeof(text), 0);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (n <= 0) {
			all_lost(c);
			return;
		}
		take(c, text, (size_t)n);
	}
}
