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
	int64_t bytes, taken, until_ms; /* taken: what requests under way may still add */
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

/* Parts that wait to become an object count too. What cannot be seen whole is at least what is seen
 * of it, and no less than what was known. */
static int64_t count(const struct s3 *s, const char *storage, int64_t known)
{
	int64_t seen = 0, parts,
		bytes = storage_count(s3_dir_of(s, storage, "data"), INT32_MAX, &seen);

	parts = s3_parts_count(s3_dir_of(s, storage, "work"));
	if (bytes >= 0)
		return bytes + parts;
	return seen + parts > known ? seen + parts : known;
}

static void refresh(struct s3 *s, struct s3_used *u)
{
	int64_t begun = sv_mono_ms(), took;

	if (begun < u->until_ms)
		return;
	u->bytes = count(s, u->storage, u->bytes);
	took = (sv_mono_ms() - begun) * REST;
	u->until_ms = begun + (took > LEAST_MS ? took : LEAST_MS);
}

int s3_used_take(struct s3 *s, const char *storage, int64_t bytes, int64_t limit)
{
	struct s3_used *u;
	int fits = 1;

	pthread_mutex_lock(&s->used_lock);
	u = entry(s, storage);
	if (u) {
		refresh(s, u);
		fits = u->bytes + u->taken + bytes <= limit;
		u->taken += fits ? bytes : 0;
	}
	pthread_mutex_unlock(&s->used_lock);
	return fits ? 0 : -1;
}

static void add(struct s3 *s, const char *storage, int64_t bytes, int64_t taken)
{
	struct s3_used *u;

	pthread_mutex_lock(&s->used_lock);
	u = entry(s, storage);
	if (u) {
		u->bytes += bytes;
		u->taken += taken;
	}
	pthread_mutex_unlock(&s->used_lock);
}

void s3_used_give(struct s3 *s, const char *storage, int64_t bytes)
{
	add(s, storage, 0, -bytes);
}

void s3_used_add(struct s3 *s, const char *storage, int64_t bytes)
{
	add(s, storage, bytes, 0);
}
