/* SPDX-License-Identifier: MIT */
/* What the files of instances, disks, snapshots and images share. Private facts of an instance, by
 * store_fact_set(): "authorized" (key lines), "command", "network" (what was asked for), "minimum"
 * (minimum_seconds of this start), "cards" (as configured, while it runs without), "job" (that it
 * was made for), "port" (where ssh was last), "hostname" (the name that a switch will give it),
 * "stop" and "delete" (a stop or a release that waits for an operation: "AT BY REASON"). */
#ifndef SV_LOCAL_INSTANCE_INSIDE_H
#define SV_LOCAL_INSTANCE_INSIDE_H

#include <starverse/disk.h>
#include <starverse/instance.h>

#include "kinds/kinds.h"
#include "local/doc.h"
#include "local/flow.h"
#include "local/guard.h"
#include "local/instance.h"
#include "local/layer.h"
#include "local/ledger.h"
#include "local/quote.h"

/* instance-state.c */
int instance_get(struct platform *p, const char *id, struct sv_instance **ret);
int instance_put(struct platform *p, const char *account, struct sv_instance *i);
int instance_is(const struct sv_instance *i, const char *status);
/* SV_OK, or invalid_state, or operation_in_progress: whether the verb may begin on c->obj now. */
int instance_may(struct call *c, const char *action);
/* Fills allowed_actions by the state. */
void instance_actions(struct sv_instance *i);
void instance_status(struct sv_instance *i, const char *status);
void instance_desire(struct sv_instance *i, const char *status);
void instance_reason(
	struct sv_instance *i, const char *code, const char *message); /* code NULL: none */
struct guard_limits instance_limits(const struct sv_instance *i);
/* Enters running at a second: metered, guarded, with ssh as the engine has it. Puts it. */
int instance_run(struct platform *p, const char *account, struct sv_instance *i, int64_t at);
/* Its compute is not billed any more from a second; for good (a stop), or until it goes on. Does
 * not put it. */
int instance_unbill(struct platform *p, struct sv_instance *i, int64_t at, int for_good);
/* Stopped: no card is held, nothing is seen. Puts it. */
int instance_rest(struct platform *p, const char *account, struct sv_instance *i, int64_t at);
/* Takes what a quote says: card, count, backend, price, fabric ... */
int instance_take(struct platform *p, struct sv_instance *i, const struct quote *q);
/* What its mounts cost already, into the ask. */
void instance_mounts_price(
	struct platform *p, const struct sv_instance *i, struct quote_ask *ask);
/* instance-guard.c: a stop or a release (what: "stop", "delete") that comes while an operation
 * holds it; once that is over it happens, by instance_wake(). What waits for an instance waits for
 * the one that takes its place, too, but for what only its own processes suffered. */
int instance_later(struct platform *p, const char *id, const char *what, int64_t at,
	const char *by, const char *reason);
int instance_later_copy(struct platform *p, const char *from, const char *to);
int instance_wake(struct platform *p, const char *id);

/* spec.c */
struct spec {
	struct engine_spec s;
	void *root;
	char hostname[64];
};
int spec_make(struct platform *p, const struct sv_instance *i, struct spec *ret);
void spec_free(struct spec *s);
/* What the platform puts into the environment, after the user's own. */
void spec_environment(
	const struct platform *p, const struct sv_instance *i, void *root, struct sv_map *env);

/* instance-flows.c: steps that several flows share; f->resource is the instance */
int step_files(struct flow *f);        /* create, undone by destroy */
int step_files_undo(struct flow *f);
int step_boot(struct flow *f);         /* start, undone by stop */
int step_halt(struct flow *f);
int step_destroy(struct flow *f);
int flow_start_instance(struct flow *f, const char *id);

/* mount.c */
int mount_add(struct sv_instance *i, const char *kind, const char *id, const char *path,
	int read_only, const char *state);
void mount_remove(struct sv_instance *i, const char *id);
struct sv_instance_mount *mount_of(const struct sv_instance *i, const char *id);
/* All data disks' attachments and mounts of an instance take a state. */
/* Data disks are free again, nothing is seen any more. Does not put the instance. */
int mounts_drop(struct platform *p, const char *account, struct sv_instance *i);
int mount_state_all(
	struct platform *p, const char *account, struct sv_instance *i, const char *state);

/* disk-attach.c: SV_OK, or what is wrong with mounting on path in i, at the field */
int mount_path_check(
	struct call *c, const struct sv_instance *i, const char *path, const char *field);

/* disk-attach.c: waits for an operation, and answers a busy disk itself instead of leaving that to
 * it. */
int disk_await(struct call *c, const char *op);
int disk_awaited(struct call *c, int *rc); /* 1: this call waits already, *rc is its answer */

/* disk.c */
int disk_get(struct platform *p, const char *id, struct sv_disk **ret);
int disk_put(struct platform *p, const char *account, struct sv_disk *d);
int disk_attachment(struct sv_disk *d, const char *instance, const char *path, int read_only,
	const char *state);
/* Metered from a second, or (for a disk that grew) at its new size. */
int disk_meter(struct platform *p, const char *account, const struct sv_disk *d, int64_t at);
/* The system disk of an instance: its document, metered. */
int disk_system_make(struct platform *p, const char *account, struct sv_instance *i, int64_t gib,
	const char *snapshot);
int disk_system_meter(
	struct platform *p, const char *account, const struct sv_instance *i, int64_t at);
int disk_system_end(
	struct platform *p, const char *account, const struct sv_instance *i, int64_t at);
int64_t disk_price_per_month(
	struct platform *p, const char *id); /* micro-yuan, 0 when it is not there */

/* image.c: the image of a flow's fact "image", when it has one */
int image_begin(struct platform *p, const char *account, const struct sv_instance *i,
	const char *name, char *id, size_t size);
int image_end(struct platform *p, const char *account, const char *id, const char *status);
int image_step_copy(struct flow *f);
int image_step_uncopy(struct flow *f);
int image_flow_end(struct flow *f, const char *status);
/* Begins saving one of i; field names what the name came from. */
int instance_save(struct call *c, struct sv_instance *i, const char *name, const char *field);

/* instance-guard.c: the user's command before a guard's stop */
int step_hook(struct flow *f);
int step_hooked(struct flow *f);
/* instance-idle.c: begins to look whether it idles, or stops looking */
int instance_idle_arm(struct platform *p, const struct sv_instance *i, int64_t now);
/* When it will be stopped if it goes on idling, -1 when it does not idle. */
int64_t instance_idle_at(struct platform *p, const struct sv_instance *i);
/* instance-create.c: the facts that another one takes over */
int instance_copy_facts(struct platform *p, const char *from, const char *to);
#define INSTANCE_AUTO_RELEASE "auto_release" /* by whom: the release that auto_stop asks for */
/* instance-release.c: when one that is stopped from a second on is released by itself; does not put
 * it */
int instance_plan_release(struct platform *p, struct sv_instance *i, int64_t from);
/* instance-delete.c: a step's work: the documents of one that the engine has removed */
int instance_release_documents(struct flow *f, const char *id);

/* switch.c, instance-*.c: flow types */
extern const struct flow_type flow_instance_create, flow_instance_start, flow_instance_stop,
	flow_instance_restart, flow_instance_resize, flow_instance_delete, flow_instance_save_image,
	flow_instance_clone, flow_instance_switch, flow_disk_create, flow_disk_attach,
	flow_disk_detach, flow_disk_resize, flow_disk_delete, flow_snapshot_create,
	flow_snapshot_delete, flow_image_delete, flow_model_copy;

/* Starts a flow on an instance and answers it. */
int instance_begin(
	struct call *c, const struct flow_type *type, struct sv_instance *i, char *op, size_t size);

/* Behaviours. */
behave_fn local_instance_create, local_instance_update, local_instance_delete, local_instance_start,
	local_instance_stop, local_instance_restart, local_instance_resize, local_instance_switch,
	local_instance_save_image, local_instance_extend, local_instance_exec, local_instance_clone,
	local_app_deploy, local_disk_create, local_disk_delete, local_disk_attach,
	local_disk_detach, local_disk_resize, local_snapshot_create, local_snapshot_delete,
	local_image_update, local_image_delete, local_key_create, local_model_copy,
	local_operation_cancel;
void local_instance_present(struct platform *p, const char *account, void *obj, int64_t now);

#endif
