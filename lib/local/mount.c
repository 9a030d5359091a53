/* SPDX-License-Identifier: MIT */
/* The two sides of a mount: the instance's list and the disk's attachment say the same. */
#include "local/mount.h"

#include <string.h>

#include "local/instance-inside.h"

int mount_add(struct sv_instance *i, const char *kind, const char *id, const char *path,
	int read_only, const char *state)
{
	struct sv_instance_mount *m = doc_part(i, &sv_instance_kind, "mounts");

	if (!m)
		return SV_NOMEM;
	doc_text(i, m, kind, kind);
	doc_text(i, m, id, id);
	doc_text(i, m, path, path);
	doc_put(m, read_only, read_only);
	doc_text(i, m, state, state);
	sv_mark(i, mounts);
	doc_unnull(i, mounts);
	return sv_list_add(i, &i->mounts, m);
}

struct sv_instance_mount *mount_of(const struct sv_instance *i, const char *id)
{
	for (size_t k = 0; k < i->mounts.n; k++) {
		struct sv_instance_mount *m = i->mounts.v[k];

		if (m->id && !strcmp(m->id, id))
			return m;
	}
	return NULL;
}

void mount_remove(struct sv_instance *i, const char *id)
{
	size_t kept = 0;

	for (size_t k = 0; k < i->mounts.n; k++) {
		struct sv_instance_mount *m = i->mounts.v[k];

		if (!m->id || strcmp(m->id, id) != 0)
			i->mounts.v[kept++] = m;
	}
	i->mounts.n = kept;
	sv_mark(i, mounts);
}

int mount_state_all(
	struct platform *p, const char *account, struct sv_instance *i, const char *state)
{
	int rc = SV_OK;

	for (size_t k = 0; !rc && k < i->mounts.n; k++) {
		struct sv_instance_mount *m = i->mounts.v[k];
		struct sv_disk *d = NULL;

		if (m->state && !strcmp(m->state, state))
			continue;
		doc_text(i, m, state, state);
		if (!m->kind || strcmp(m->kind, "disk") != 0 || disk_get(p, m->id, &d))
			continue;
		rc = disk_attachment(d, i->id, m->path, m->read_only, state);
		if (!rc)
			rc = disk_put(p, account, d);
		sv_free(d);
	}
	return rc;
}

int mounts_drop(struct platform *p, const char *account, struct sv_instance *i)
{
	int rc = SV_OK;

	for (size_t k = 0; !rc && k < i->mounts.n; k++) {
		const struct sv_instance_mount *m = i->mounts.v[k];
		struct sv_disk *d = NULL;

		if (!m->kind || strcmp(m->kind, "disk") != 0 || disk_get(p, m->id, &d))
			continue;
		if (d->attachment && d->attachment->instance &&
			!strcmp(d->attachment->instance, i->id)) {
			disk_attachment(d, NULL, NULL, 0, NULL);
			doc_text(d, d, status, "available");
			rc = disk_put(p, account, d);
		}
		sv_free(d);
	}
	i->mounts.n = 0;
	return rc;
}
