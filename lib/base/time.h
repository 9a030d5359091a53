/* SPDX-License-Identifier: MIT */
/* Times and durations, strict and without the locale. Time zones: the wire is UTC; only
 * sv_parse_when() and the table's local times ask the zone. */
#ifndef SV_BASE_TIME_H
#define SV_BASE_TIME_H

#include <stddef.h>
#include <stdint.h>

/* RFC 3339 with 'Z' or an offset, fractions dropped towards the past; years 1970 to 9999. SV_OK or
 * SV_INVALID. */
int sv_parse_time(const char *s, int64_t *ret);
/* "2026-11-30T05:30:24Z"; at least 32 bytes. */
void sv_print_time(int64_t t, char *buf, size_t size);
/* "90s", "2h", "1h30m", "1d", "2w", "1.5h"; a bare number is refused (SV_INVALID), out of range is
 * SV_NOMEM. Seconds; must come out whole. */
int sv_parse_duration(const char *s, int64_t *ret);
/* The same in milliseconds ("500ms" too); a tiny duration that is not zero never becomes 0. */
int sv_parse_duration_ms(const char *s, int64_t *ret);
/* "1d2h", "90s" -> "1m30s"; exact; at least 48 bytes. */
void sv_print_duration(int64_t seconds, char *buf, size_t size);
/* What a person means by a time, seen from now: RFC 3339, "YYYY-MM-DD" and "YYYY-MM-DD HH:MM"
 * (local), "HH:MM" (the next one, local), "+7d", "-1h". */
int sv_parse_when(const char *s, int64_t now, int64_t *ret);
/* Wall clock in seconds, monotonic clock in milliseconds. */
int64_t sv_now(void);
int64_t sv_mono_ms(void);

#endif
