/* SPDX-License-Identifier: MIT */
/* What every engine does with directories. */
#ifndef SV_ENGINE_TREE_H
#define SV_ENGINE_TREE_H

/* Removes it with all that is in it; what is not there is well. 0, or -1 with errno. */
int sv_tree_remove(const char *path);

#endif
