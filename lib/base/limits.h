/* SPDX-License-Identifier: MIT */
/* Every ceiling on what a peer, a file or a person controls, by name. */
#ifndef SV_BASE_LIMITS_H
#define SV_BASE_LIMITS_H

#define SV_MAX_REPLY     ((size_t)64 << 20)  /* decoded body of one answer */
#define SV_MAX_BODY      ((size_t)4 << 20)   /* JSON body of one request */
#define SV_MAX_URL       ((size_t)16 << 10)
#define SV_MAX_KEY       ((size_t)4 << 10)   /* an API key */
#define SV_MAX_FILE      ((size_t)4 << 20)   /* configuration, manifest */
#define SV_MAX_RECORD    ((size_t)1 << 20)   /* one record of an event stream */
#define SV_MAX_ITEMS     1000000             /* elements of one array */
#define SV_MAX_DEPTH     64                  /* nesting of YAML and of rows */
#define SV_MAX_ALIASES   1000                /* expanded nodes that aliases may add */
#define SV_MAX_ARENA     ((size_t)1 << 30)   /* one object tree */
#define SV_MAX_TEXT      ((size_t)256 << 20) /* output text of one value */
#define SV_MAX_EXACT     INT64_C(9007199254740992) /* 2^53: beyond it JSON numbers are rounded */

#endif
