/* SPDX-License-Identifier: MIT */
/* Failures on demand, so that users and tests see retries: method and path answer a status so many
 * times. */
#ifndef SV_LOCAL_FAULT_H
#define SV_LOCAL_FAULT_H

#include <stdint.h>

struct platform;

/* status 0: the connection is closed without an answer, after the work was done. times -1: until
 * reset. */
int fault_set(struct platform *p, const char *method, const char *path, int status, int64_t times);
/* 1 when a fault fits and was used up by one; *status is its. */
int fault_take(struct platform *p, const char *method, const char *path, int *status);
void fault_free(struct platform *p);

#endif
