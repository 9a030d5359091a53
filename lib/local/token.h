/* SPDX-License-Identifier: MIT */
#ifndef SV_LOCAL_TOKEN_H
#define SV_LOCAL_TOKEN_H

#include "local/platform.h"

behave_fn local_token_create, local_token_delete;
void local_token_present(struct platform *p, const char *account, void *obj, int64_t now);

#endif
