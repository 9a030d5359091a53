/* SPDX-License-Identifier: MIT */
/* Steps around a copy: a running instance's processes stand still meanwhile, so that the copy is of
 * one moment. */
#ifndef SV_LOCAL_FREEZE_H
#define SV_LOCAL_FREEZE_H

#include "local/flow.h"

/* Of f->other, or of f->resource. What does not run, or is a disk, is left alone. */
int freeze_other(struct flow *f);
int thaw_other(struct flow *f);
int freeze_own(struct flow *f);
int thaw_own(struct flow *f);

#endif
