/* SPDX-License-Identifier: MIT */
/* Where this library lies, for what lies beside it. */
#ifndef SV_NET_MODULE_H
#define SV_NET_MODULE_H

#include <stddef.h>

/* The directory of the file that holds this code, links resolved. 0, or -1. */
int sv_module_dir(char *buf, size_t size);

#endif
