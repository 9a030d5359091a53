/* SPDX-License-Identifier: MIT */
/* Maps of the configuration file that are no settings of a profile: aliases, profiles' names. */
#ifndef SVCTL_SETTINGS_H
#define SVCTL_SETTINGS_H

#include "mem.h"

/* The keys of a map of the file; values (or NULL) gets their texts, "" for what is none. A file
 * that cannot be read has none. */
void config_keys(const char *map, struct words *keys, struct words *values);

#endif
