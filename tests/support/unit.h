/* SPDX-License-Identifier: MIT */
/* What every cmocka test includes, and random numbers that a failing run can repeat: SV_SEED=N. */
#ifndef SV_TEST_UNIT_H
#define SV_TEST_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include <starverse/common.h>
#include <starverse/error.h>

/* The seed of this run, printed so that it can be given again. */
static inline uint64_t unit_seed(void)
{
	const char *given = getenv("SV_SEED");
	uint64_t seed =
		given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL) * 1000003u + 12345u;

	print_message("# SV_SEED=%llu\n", (unsigned long long)seed);
	return seed;
}

/* xorshift64*: the same numbers everywhere. */
static inline uint64_t unit_random(uint64_t *seed)
{
	uint64_t x = *seed ? *seed : 88172645463325252u;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*seed = x;
	return x * 2685821657736338717u;
}

#endif
