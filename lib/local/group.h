/* SPDX-License-Identifier: MIT */
/* Scaling groups. Their private facts: "spent" (of members that are gone), "number" (of the last
 * name), "tries" and "failed_at" (failures in a row), "anew" (what is stopped is replaced, too);
 * that of an instance: "group". */
#ifndef SV_LOCAL_GROUP_H
#define SV_LOCAL_GROUP_H

#include <starverse/group.h>

#include "local/platform.h"

behave_fn local_group_create, local_group_delete, local_group_scale, local_group_update;
void local_group_present(struct platform *p, const char *account, void *obj, int64_t now);

/* group-keep.c */

/* All groups are looked at in the next turn. */
int groups_open(struct platform *p);
/* This group is; or, for an instance, the one that it belongs to. */
int group_look(struct platform *p, const char *group);
void group_touch(struct platform *p, const char *instance);
/* Looks at those that have to be: releases, replaces and creates until it is as it should be. */
void groups_turn(struct platform *p);
/* Time to try again. */
int group_due(struct platform *p, const char *group, int64_t at);
/* A number among a group's facts; 0 when there is none. */
int64_t group_fact(struct platform *p, const char *group, const char *name);
int group_fact_set(struct platform *p, const char *group, const char *name, int64_t v);

#endif
