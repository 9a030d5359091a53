/* SPDX-License-Identifier: MIT */
/* POST /v1/account/register. */
#ifndef SV_LOCAL_REGISTER_H
#define SV_LOCAL_REGISTER_H

#include "local/platform.h"

behave_fn local_account_register;

#endif
