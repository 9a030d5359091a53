/* SPDX-License-Identifier: MIT */
/* A create, looked at whole before anything is made. */
#ifndef SV_LOCAL_INSTANCE_PLAN_H
#define SV_LOCAL_INSTANCE_PLAN_H

#include <starverse/app.h>
#include <starverse/image.h>
#include <starverse/snapshot.h>

#include "local/queue.h"

struct plan {
	struct call *c;
	struct sv_instance_create_body *body; /* with the app's defaults in it */
	struct sv_instance *i;                /* as it will be, mounts included */
	struct sv_image *image;
	struct sv_snapshot *snapshot;
	struct sv_app *app;
	struct sv_buf authorized;
	int64_t system_gib;
	struct choices choices;
	struct quote_ask queued; /* what it waits for; account NULL: nothing */
	struct quote quote;
	const char *job; /* that it is made for, or NULL */
};

/* SV_OK, or c->err with everything that is wrong with the body. plan_free() in any case. */
int plan_make(struct plan *p, struct call *c, struct sv_instance_create_body *body);
void plan_free(struct plan *p);
/* What is wrong with an environment, into c->err. */
void plan_env(struct call *c, const struct sv_map *env);
/* plan-mounts.c */
int plan_mounts(struct plan *p);
int plan_keys(struct plan *p);
/* instance-create.c: makes all documents, holds the cards, starts the flow and answers. */
int plan_carry_out(struct plan *p, const struct flow_type *type);
/* Whether auto_stop may be asked for on these cards. */
int plan_auto_stop(struct call *c, const struct sv_instance_auto_stop *a, int simulated);

#endif
