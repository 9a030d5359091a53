/* SPDX-License-Identifier: MIT */
/* A peer that is gone raises SIGPIPE in a write; the program's own handler must not see it. */
#ifndef SV_NET_GUARD_H
#define SV_NET_GUARD_H

#include <signal.h>

struct sv_guard {
	sigset_t old;
	int pending;
};

/* From here to sv_guard_out() SIGPIPE of this thread is held back, and then taken away. */
void sv_guard_in(struct sv_guard *g);
void sv_guard_out(const struct sv_guard *g);

#endif
