/* SPDX-License-Identifier: MIT */
/* A transport around another that misbehaves by chance: loses requests, loses answers, cuts them
 * short, delays them, and delivers requests twice. */
#ifndef SV_TEST_FAULTY_H
#define SV_TEST_FAULTY_H

#include <starverse.h>

/* percent of the exchanges suffer. Takes inner; *seed goes on. */
struct sv_transport *faulty_new(struct sv_transport *inner, uint64_t *seed, int percent);
/* Gives the client a clock that runs as fast as it is asked for. */
void faulty_clock(sv_client *c);

#endif
