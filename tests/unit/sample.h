/* SPDX-License-Identifier: MIT */
/* A kind with a field of every type, for tests of the readers. */
#ifndef SV_TEST_SAMPLE_H
#define SV_TEST_SAMPLE_H

#include "model/kind.h"

struct sample_mount {
	struct sv_set set;
	const char *disk, *path;
	int read_only;
};

struct sample {
	struct sv_set set;
	const char *id, *name, *status;
	int on;
	int64_t count, size_gib, used_bytes, after_seconds;
	double share;
	int64_t created_at, price, change;
	struct sv_strs tags;
	struct sample_mount *main;
	struct sv_list mounts;
	struct sv_map labels;
	const char *extra, *secret, *tier;
};

static const struct sv_word sample_states[] = {
	{ "starting", "on its way", 0 },
	{ "running", "there", 1 },
	{ 0 },
};

static const struct sv_word sample_tiers[] = {
	{ "fast", "near", 0 },
	{ "cheap", "far", 0 },
	{ 0 },
};

static const struct sv_field sample_mount_fields[] = {
	SV_FIELD(struct sample_mount, disk, STR, "disk", SV_IN | SV_REQUIRED | SV_POSITIONAL),
	SV_FIELD(struct sample_mount, path, STR, "path", SV_IN | SV_REQUIRED | SV_POSITIONAL),
	SV_FIELD(struct sample_mount, read_only, BOOL, "read only", SV_IN),
};
static SV_KIND(sample_mount_kind, struct sample_mount, "mount", "a mount", sample_mount_fields,
	.plural = NULL);

static const struct sv_field sample_fields[] = {
	SV_FIELD(struct sample, id, STR, "id", SV_ID | SV_ALWAYS),
	SV_FIELD(struct sample, name, STR, "name", SV_NAME | SV_IN | SV_REQUIRED),
	SV_FIELD(struct sample, status, STR, "state", SV_STATE, .words = sample_states),
	SV_FIELD(struct sample, on, BOOL, "on", SV_IN | SV_ALWAYS),
	SV_FIELD(struct sample, count, INT, "count", SV_IN | SV_ALWAYS),
	SV_FIELD(struct sample, size_gib, GIB, "size", SV_IN),
	SV_FIELD(struct sample, used_bytes, BYTES, "used", SV_IN),
	SV_FIELD(struct sample, after_seconds, SECONDS, "after", SV_IN),
	SV_FIELD(struct sample, share, NUM, "share", SV_IN),
	SV_FIELD(struct sample, created_at, TIME, "created", SV_IN),
	SV_FIELD(struct sample, price, MONEY, "price", SV_IN),
	SV_FIELD(struct sample, change, MONEY, "change", SV_IN | SV_SIGNED),
	SV_FIELD(struct sample, tags, STRS, "tags", SV_IN | SV_ALWAYS),
	SV_FIELD(struct sample, main, OBJ, "main mount", SV_IN, .kind = &sample_mount_kind),
	SV_FIELD(struct sample, mounts, LIST, "mounts", SV_IN, .kind = &sample_mount_kind),
	SV_FIELD(struct sample, labels, MAP, "labels", SV_IN | SV_ALWAYS),
	SV_FIELD(struct sample, extra, JSON, "anything", SV_IN),
	SV_FIELD(struct sample, secret, STR, "secret", SV_IN | SV_SECRET),
	SV_FIELD(struct sample, tier, STR, "tier", SV_IN, .words = sample_tiers),
};
static SV_KIND(
	sample_kind, struct sample, "sample", "a sample", sample_fields, .plural = "samples");

#endif
