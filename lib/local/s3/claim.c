/* SPDX-License-Identifier: MIT */
/* Which request writes into which part of an upload's file, so that no two write the same, and none
 * into what is an object already; and which one makes the object. Kept in memory: who writes dies
 * with the server. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "local/s3/s3.h"

struct s3_claim {
	struct s3_claim *next;
	char upload[40];
	int number;     /* 0: it is completed */
	int whole_file; /* and its file becomes the object */
};

static int is_free(const struct s3 *s, const char *upload, int number)
{
	for (const struct s3_claim *c = s->claims; c; c = c->next)
		if (!strcmp(c->upload, upload) && (c->number == number || c->whole_file))
			return 0;
	return 1;
}

static int claim(struct s3_request *rq, int number)
{
	struct s3_claim *c = is_free(rq->s, rq->upload, number) ? sv_malloc(sizeof(*c)) : NULL;

	if (!c)
		return 0;
	*c = (struct s3_claim){ .next = rq->s->claims, .number = number };
	snprintf(c->upload, sizeof(c->upload), "%s", rq->upload);
	rq->s->claims = rq->claim = c;
	return 1;
}

int s3_claim(struct s3_request *rq, int number)
{
	int mine;

	pthread_mutex_lock(&rq->s->claim_lock);
	mine = claim(rq, number);
	pthread_mutex_unlock(&rq->s->claim_lock);
	return mine;
}

int s3_claim_wait(struct s3_request *rq, int number)
{
	struct timespec end;
	int mine, late = 0;

	clock_gettime(CLOCK_MONOTONIC, &end);
	end.tv_sec += 1;
	pthread_mutex_lock(&rq->s->claim_lock);
	while (!(mine = claim(rq, number)) && !late)
		late = pthread_cond_clockwait(
			&rq->s->claim_given, &rq->s->claim_lock, CLOCK_MONOTONIC, &end);
	pthread_mutex_unlock(&rq->s->claim_lock);
	return mine;
}

int s3_claim_file(struct s3_request *rq)
{
	int alone = 1;

	pthread_mutex_lock(&rq->s->claim_lock);
	for (const struct s3_claim *c = rq->s->claims; c; c = c->next)
		alone &= c == rq->claim || strcmp(c->upload, rq->upload) != 0;
	rq->claim->whole_file = alone;
	pthread_mutex_unlock(&rq->s->claim_lock);
	return alone;
}

int s3_is_completing(const struct s3_request *rq)
{
	for (const struct s3_claim *c = rq->s->claims; c; c = c->next)
		if (!c->number && !strcmp(c->upload, rq->upload))
			return 1;
	return 0;
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
	pthread_cond_broadcast(&rq->s->claim_given);
	pthread_mutex_unlock(&rq->s->claim_lock);
	sv_mfree(rq->claim);
	rq->claim = NULL;
}
