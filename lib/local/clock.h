/* SPDX-License-Identifier: MIT */
/* The platform's time: real, or stepped by hand. Under a stepped clock transitions take no time. */
#ifndef SV_LOCAL_CLOCK_H
#define SV_LOCAL_CLOCK_H

#include <stdint.h>

struct clock {
	int stepped;
	int64_t at; /* stepped: the time; also the due second while something overdue is being done,
		       else 0 */
};

/* Seconds since the epoch. While a due action runs (see due.h) it is the action's own second,
 * whatever the wall says. */
int64_t clock_now(const struct clock *c);

#endif
