/* SPDX-License-Identifier: MIT */
#include <starverse/instance.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_instance *sv_instance_new(void)
{
	return sv_new(&sv_instance_kind);
}

struct sv_instance_filter *sv_instance_filter_new(void)
{
	return sv_new(&sv_instance_filter_kind);
}

struct sv_instance_create_body *sv_instance_create_body_new(void)
{
	return sv_new(&sv_instance_create_body_kind);
}

struct sv_instance_start_body *sv_instance_start_body_new(void)
{
	return sv_new(&sv_instance_start_body_kind);
}

struct sv_disk_mount *sv_disk_mount_new_in(void *root)
{
	return sv_new_in(root, &sv_disk_mount_kind);
}

struct sv_storage_mount *sv_storage_mount_new_in(void *root)
{
	return sv_new_in(root, &sv_storage_mount_kind);
}

struct sv_instance_auto_stop *sv_instance_auto_stop_new_in(void *root)
{
	return sv_new_in(root, &sv_instance_auto_stop_kind);
}

struct sv_instance_idle *sv_instance_idle_new_in(void *root)
{
	return sv_new_in(root, &sv_instance_idle_kind);
}

int sv_instance_list(
	sv_client *c, const struct sv_instance_filter *filter, struct sv_instance_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "list"), NULL, filter, ret);
}

int sv_instance_get(sv_client *c, const char *id, struct sv_instance **ret)
{
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "get"), id, NULL, ret);
}

int sv_instance_create(
	sv_client *c, const struct sv_instance_create_body *body, struct sv_instance **ret)
{
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "create"), NULL, body, ret);
}

int sv_instance_update(
	sv_client *c, const char *id, const struct sv_instance *changes, struct sv_instance **ret)
{
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "update"), id, changes, ret);
}

int sv_instance_delete(sv_client *c, const char *id, struct sv_instance **ret)
{
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "delete"), id, NULL, ret);
}

int sv_instance_start(sv_client *c, const char *id, const struct sv_instance_start_body *body,
	struct sv_instance **ret)
{
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "start"), id, body, ret);
}

int sv_instance_stop(sv_client *c, const char *id, const char *save_image, struct sv_instance **ret)
{
	struct sv_instance_stop_body b = { .save_image = save_image };

	return sv_typed(c, sv_verb_find(&sv_instance_kind, "stop"), id, &b, ret);
}

int sv_instance_restart(sv_client *c, const char *id, struct sv_instance **ret)
{
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "restart"), id, NULL, ret);
}

int sv_instance_resize(sv_client *c, const char *id, int64_t gpu_count, struct sv_instance **ret)
{
	struct sv_instance_resize_body b = { .gpu_count = gpu_count };

	sv_mark(&b, gpu_count);
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "resize"), id, &b, ret);
}

int sv_instance_switch(sv_client *c, const char *id, const char *gpu, int64_t gpu_count,
	int release_old, struct sv_instance **ret)
{
	struct sv_instance_switch_body b = {
		.gpu = gpu, .gpu_count = gpu_count, .release_old = release_old
	};

	return sv_typed(c, sv_verb_find(&sv_instance_kind, "switch"), id, &b, ret);
}

int sv_instance_save_image(sv_client *c, const char *id, const char *name, struct sv_instance **ret)
{
	struct sv_instance_save_image_body b = { .name = name };

	return sv_typed(c, sv_verb_find(&sv_instance_kind, "save_image"), id, &b, ret);
}

int sv_instance_extend(sv_client *c, const char *id, int64_t seconds, struct sv_instance **ret)
{
	struct sv_instance_extend_body b = { .seconds = seconds };

	sv_mark(&b, seconds);
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "extend"), id, &b, ret);
}

int sv_instance_exec(sv_client *c, const char *id, const char *const *argv, int64_t timeout_seconds,
	struct sv_exec_result **ret)
{
	struct sv_instance_exec_body b = { .command = { 0, (const char **)(uintptr_t)argv } };

	while (argv && argv[b.command.n])
		b.command.n++;
	b.timeout_seconds = timeout_seconds;
	return sv_typed(c, sv_verb_find(&sv_instance_kind, "exec"), id, &b, ret);
}

int sv_instance_clone(sv_client *c, const char *id, const char *name, struct sv_instance **ret)
{
	struct sv_instance_clone_body b = { .name = name };

	return sv_typed(c, sv_verb_find(&sv_instance_kind, "clone"), id, &b, ret);
}
