/* SPDX-License-Identifier: MIT */
/* A process beside the daemon that sends what webhooks send: a receiver that is slow, or that says
 * what it should not, is kept away from the daemon. It begins with the first thing to send, and
 * ends with the daemon. */
#ifndef SV_LOCAL_COURIER_H
#define SV_LOCAL_COURIER_H

#include "local/post.h"

struct courier;

/* program: path of svctl-courier, copied; NULL: the one beside this program. */
int courier_open(const char *program, struct courier **ret);
/* What is under way is forgotten. */
void courier_close(struct courier *c);
/* Takes it, and done follows; or a negative code. */
int courier_post(void *courier, const struct post *what, post_done *done, void *data);
/* For the daemon's loop: readable when courier_tick() has something to tell. */
int courier_fd(const struct courier *c);
void courier_tick(struct courier *c);

#endif
