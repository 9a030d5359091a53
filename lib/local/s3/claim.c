/* SPDX-License-Identifier: MIT */
/* Which request writes into which part of an upload's file, so that no two write the same, and none
 * into what is an object already. Kept in memory: who writes dies with the server. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "local/s3/s3.h"

struct s3_claim {
	struct s3_claim *next;
	char upload[40];
	int number; /* 0: all of it */
};

static int is_free(const struct s3 *s, const char *upload, int number)
{
	for (const struct s3_claim *c = s->claims; c; c = c->next)
		if (!strcmp(c->upload, upload) && (!number || !c->number || c->number == number))
			return 0;
	return 1;
}

int s3_claim(struct s3_request *rq, int number)
{
	struct s3_claim *c = sv_malloc(sizeof(*c));
	int free;

	if (!c)
		return 0;
	*c = (struct s3_claim){ .number = number };
	snprintf(c->upload, sizeof(c->upload), "%s", rq->upload);
	pthread_mutex_lock(&rq->s->claim_lock);
	free = is_free(rq->s, rq->upload, number);
	if (free) {
		c->next = rq->s->claims;
		rq->s->claims = c;
		rq->claim = c;
	}
	pthread_mutex_unlock(&rq->s->claim_lock);
	if (!free)
		sv_mfree(c);
	return free;
}

void s3_unclaim(struct s3_request *rq)
{
	struct s3_claim **at;

	if (!rq->claim)
		return;
	pthread_mutex_lock(&rq->s->claim_lock);
	for (at = &rq->s->claims; *at != rq->claim; at = &(*at)->next)
		;
	*at = rq->claim->next;
	pthread_mutex_unlock(&rq->s->claim_lock);
	sv_mfree(rq->claim);
	rq->claim = NULL;
}
