/* SPDX-License-Identifier: MIT */
/* The library inside a loop of your own: epoll watches its descriptors and keeps its timer. */
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <starverse.h>

struct loop {
	int epoll;
	int64_t timer; /* milliseconds, -1 for none */
	int ended;
};

static void watch(void *data, int fd, int events)
{
	struct loop *l = data;
	struct epoll_event e = { .events = (events & 1 ? EPOLLIN : 0) | (events & 2 ? EPOLLOUT : 0),
		.data.fd = fd };

	if (!events)
		epoll_ctl(l->epoll, EPOLL_CTL_DEL, fd, NULL);
	else if (epoll_ctl(l->epoll, EPOLL_CTL_MOD, fd, &e))
		epoll_ctl(l->epoll, EPOLL_CTL_ADD, fd, &e);
}

static void timer(void *data, int64_t ms)
{
	((struct loop *)data)->timer = ms;
}

static void done(sv_op *op, void *data)
{
	void *list = NULL;
	int r = sv_finish(op, &list);
	if (!r)
		printf("%zu offers\n", ((struct sv_page *)list)->n);
	sv_free(list);
	((struct loop *)data)->ended = r ? -1 : 1;
}

int main(void)
{
	struct loop l = { epoll_create1(EPOLL_CLOEXEC), -1, 0 };
	struct epoll_event e = { 0 };
	sv_client *c = NULL;

	if (sv_client_new(NULL, &c) || sv_client_poll_hooks(c, watch, timer, &l) ||
		!sv_start(c, sv_verb_find(sv_kind_find("gpu"), "list"), NULL, NULL, done, &l))
		return 1;
	while (!l.ended) {
		int n = epoll_wait(l.epoll, &e, 1, (int)l.timer);
		int events = (e.events & EPOLLOUT ? 2 : 0) |
			     (e.events & ~(uint32_t)EPOLLOUT ? 1 : 0);

		sv_act(c, n > 0 ? e.data.fd : -1, n > 0 ? events : 0);
	}
	sv_client_free(c);
	close(l.epoll);
	return l.ended < 0;
}
