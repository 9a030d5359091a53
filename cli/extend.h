/* SPDX-License-Identifier: MIT */
/* Commands of the user's own: aliases of the configuration, and programs called svctl-NAME. What
 * svctl has itself goes before both. */
#ifndef SVCTL_EXTEND_H
#define SVCTL_EXTEND_H

#include "args.h"

/* The words that an alias stands for. 1, 0 when there is none of this name, or -1 when its text is
 * no command. */
int alias_find(const char *name, struct words *ret);
/* All of them, and their texts. */
void aliases(struct words *names, struct words *texts);

/* The path of svctl-NAME on PATH, or NULL. */
char *plugin_find(const struct app *a, const char *name);
/* The names of all that can be run. */
void plugins(const struct app *a, struct words *names);
/* Runs it: instead of svctl, or from the shell beside it. Its status. */
int plugin_run(struct call *call);

#endif
