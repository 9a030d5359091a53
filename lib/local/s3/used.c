/* SPDX-License-Identifier: MIT */
/* How full each storage is. Counted anew now and then, since instances write too; in between it is
 * kept up with what comes and goes here. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/time.h"
#include "local/s3/s3.h"
#include "local/storage-count.h"

#define REST     20 /* so many times as long as a count took, its result stands */
#define LEAST_MS 5000

struct s3_used {
	struct s3_used *next;
	char storage[65];
	int64_t bytes, until_ms;
};

static struct s3_used *entry(struct s3 *s, const char *storage)
{
	struct s3_used *u;

	for (u = s->used; u; u = u->next)
		if (!strcmp(u->storage, storage))
			return u;
	u = sv_malloc(sizeof(*u));
	if (!u)
		return NULL;
	memset(u, 0, sizeof(*u));
	snprintf(u->storage, sizeof(u->storage), "%s", storage);
	u->next = s->used;
	s->used = u;
	return u;
}

int64_t s3_used(struct s3 *s, const char *storage)
{
	int64_t begun = sv_mono_ms(), bytes = 0, took;
	struct s3_used *u;

	pthread_mutex_lock(&s->used_lock);
	u = entry(s, storage);
	if (u && begun >= u->until_ms) {
		bytes = storage_count(s3_dir_of(s, storage, "data"), INT32_MAX);
		took = (sv_mono_ms() - begun) * REST;
		if (bytes >= 0) /* else what was known stands */
			u->bytes = bytes;
		u->until_ms = begun + (took > LEAST_MS ? took : LEAST_MS);
	}
	bytes = u ? u->bytes : 0;
	pthread_mutex_unlock(&s->used_lock);
	return bytes;
}

void s3_used_add(struct s3 *s, const char *storage, int64_t bytes)
{
	struct s3_used *u;

	pthread_mutex_lock(&s->used_lock);
	u = entry(s, storage);
	if (u)
		u->bytes += bytes;
	pthread_mutex_unlock(&s->used_lock);
}
