/* SPDX-License-Identifier: MIT */
/* Every table of lib/kinds by name: sv_<resource>_kind; bodies sv_<resource>_<verb>_body_kind, filters
 * sv_<resource>_filter_kind, shared parts below. */
#ifndef SV_KINDS_H
#define SV_KINDS_H

#include <starverse/kind.h>

#define X(r) extern const struct sv_kind sv_##r##_kind;
#include "resources.inc"
#undef X

#endif
