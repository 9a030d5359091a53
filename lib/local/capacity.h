/* SPDX-License-Identifier: MIT */
/* The cards: who holds how many, and what of an offer is free. */
#ifndef SV_LOCAL_CAPACITY_H
#define SV_LOCAL_CAPACITY_H

#include <stdint.h>

struct platform;
struct sv_gpu;

int capacity_open_table(struct platform *p);
/* Cards are held from the moment a start is accepted until the instance is stopped; the same again
 * moves what is held. The offer's free and availability follow. cards 0 (gpu NULL): holds none. Not
 * checked: quote_ask() was asked before, in the same transaction. */
int capacity_hold(struct platform *p, const char *account, const char *instance, const char *gpu,
	int64_t cards);
/* Free cards of an offer, those that instance (or NULL) holds among them. */
int64_t capacity_free(struct platform *p, const char *gpu, const char *instance);
/* Cards that an account holds, without those of instance (or NULL). */
int64_t capacity_held(struct platform *p, const char *account, const char *instance);
/* Fills free and availability. */
void capacity_show(struct platform *p, struct sv_gpu *gpu);

#endif
