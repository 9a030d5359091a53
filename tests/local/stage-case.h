/* SPDX-License-Identifier: MIT */
/* A stage for each case: its ledger is right at the end, whatever the case was about. */
#ifndef SV_TEST_STAGE_CASE_H
#define SV_TEST_STAGE_CASE_H

#include "stage.h"

static inline int setup_stage(void **state, int slow)
{
	struct stage *s = malloc(sizeof(*s));

	stage_open(s, slow);
	*state = s;
	return 0;
}

static inline int setup(void **state)
{
	return setup_stage(state, 0);
}

/* On an engine that does not answer at once. */
static inline int setup_slow(void **state)
{
	return setup_stage(state, 1);
}

static inline int teardown(void **state)
{
	struct stage *s = *state;

	stage_verify(s);
	stage_close(s);
	free(s);
	return 0;
}

#endif
