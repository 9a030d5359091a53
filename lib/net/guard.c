/* SPDX-License-Identifier: MIT */
/* SIGPIPE, per thread; the process's disposition is never touched. */
#include "net/guard.h"

#include <errno.h>
#include <time.h>

void sv_guard_in(struct sv_guard *g)
{
	sigset_t pipe_only, pending;

	sigemptyset(&pending);
	sigpending(&pending);
	g->pending = sigismember(&pending, SIGPIPE);
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &g->old);
}

void sv_guard_out(const struct sv_guard *g)
{
	static const struct timespec at_once = { 0, 0 };
	sigset_t pipe_only;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	while (!g->pending && sigtimedwait(&pipe_only, NULL, &at_once) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, &g->old, NULL);
}
