/* SPDX-License-Identifier: MIT */
#include <starverse/disk.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_disk *sv_disk_new(void)
{
	return sv_new(&sv_disk_kind);
}

struct sv_disk_filter *sv_disk_filter_new(void)
{
	return sv_new(&sv_disk_filter_kind);
}

struct sv_disk_create_body *sv_disk_create_body_new(void)
{
	return sv_new(&sv_disk_create_body_kind);
}

int sv_disk_list(sv_client *c, const struct sv_disk_filter *filter, struct sv_disk_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_disk_kind, "list"), NULL, filter, ret);
}

int sv_disk_get(sv_client *c, const char *id, struct sv_disk **ret)
{
	return sv_typed(c, sv_verb_find(&sv_disk_kind, "get"), id, NULL, ret);
}

int sv_disk_create(sv_client *c, const struct sv_disk_create_body *body, struct sv_disk **ret)
{
	return sv_typed(c, sv_verb_find(&sv_disk_kind, "create"), NULL, body, ret);
}

int sv_disk_update(
	sv_client *c, const char *id, const struct sv_disk *changes, struct sv_disk **ret)
{
	return sv_typed(c, sv_verb_find(&sv_disk_kind, "update"), id, changes, ret);
}

int sv_disk_delete(sv_client *c, const char *id, struct sv_disk **ret)
{
	return sv_typed(c, sv_verb_find(&sv_disk_kind, "delete"), id, NULL, ret);
}

int sv_disk_attach(sv_client *c, const char *id, const char *instance, const char *path,
	int read_only, struct sv_disk **ret)
{
	struct sv_disk_attach_body b = {
		.instance = instance, .path = path, .read_only = read_only
	};

	return sv_typed(c, sv_verb_find(&sv_disk_kind, "attach"), id, &b, ret);
}

int sv_disk_detach(sv_client *c, const char *id, struct sv_disk **ret)
{
	return sv_typed(c, sv_verb_find(&sv_disk_kind, "detach"), id, NULL, ret);
}

int sv_disk_resize(sv_client *c, const char *id, int64_t size_gib, struct sv_disk **ret)
{
	struct sv_disk_resize_body b = { .size_gib = size_gib };

	sv_mark(&b, size_gib);
	return sv_typed(c, sv_verb_find(&sv_disk_kind, "resize"), id, &b, ret);
}
