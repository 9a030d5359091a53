/* SPDX-License-Identifier: MIT */
/* Strict text: numbers, money, sizes, UTF-8. Nothing here knows the locale. Every parser takes the
 * whole text or refuses it, and writes its result on success only. */
#ifndef SV_BASE_STR_H
#define SV_BASE_STR_H

#include <stddef.h>
#include <stdint.h>

int sv_is_alnum(char c); /* ASCII only */
/* Asked of every byte of what is read. */
static inline int sv_is_digit(char c)
{
	return c >= '0' && c <= '9';
}
static inline int sv_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}
/* The value of a hexadecimal digit, -1 for what is none. */
int sv_hex_digit(char c);
/* len bytes as lower-case hex digits and a NUL; and n bytes from their digits: 0, or -1. */
void sv_hex(const void *data, size_t len, char *text);
int sv_unhex(const char *text, void *buf, size_t n);
/* Percent-encoded text decoded and NUL-ended: its length, or -1 where it does not fit, a '%' lacks
 * its digits, or a NUL comes out. '+' is a blank where plus says so (in queries). */
int64_t sv_url_decode(const char *s, size_t len, int plus, char *buf, size_t size);
/* 1 when a and b are equal, '-' and '_' being the same. */
int sv_same_name(const char *a, const char *b);
/* Bytes of the UTF-8 character at s (1-4), 0 when it is not valid (overlong, surrogate, truncated).
 */
size_t sv_utf8_len(const char *s, size_t len);
int sv_utf8_valid(const char *s, size_t len);

/* "-12": decimal digits with an optional minus. SV_OK, SV_INVALID, or SV_NOMEM when out of range of
 * int64_t. */
int sv_parse_int(const char *s, int64_t *ret);
/* "1.5", "-2e3" as JSON writes numbers; no hex, inf, nan. */
int sv_parse_num(const char *s, double *ret);
/* Shortest text that gives the same double again; at least 32 bytes. */
void sv_print_num(double v, char *buf, size_t size);

/* Money: "-12.345678", at most 6 places, into micro-units; no exponent, no blanks, no plus. */
int sv_parse_money(const char *s, int64_t *ret);
/* Exact, with 2 to 6 places: "56.00", "0.015556". At least 32 bytes. */
void sv_print_money(int64_t micro, char *buf, size_t size);
/* The same with all 6 places: the wire's form. */
void sv_print_money6(int64_t micro, char *buf, size_t size);

/* Size with a unit (B KB KiB MB MiB GB GiB TB TiB K M G T), possibly fractional; no unit means
 * bare_unit bytes. Must come out in whole bytes. */
int sv_parse_bytes(const char *s, int64_t bare_unit, int64_t *ret);

/* a + b, a * b with overflow: 0 and *ret, or -1. */
int sv_add64(int64_t a, int64_t b, int64_t *ret);
int sv_mul64(int64_t a, int64_t b, int64_t *ret);
/* rate (micro-yuan an hour) x seconds / 3600, exact, rounded once, half up (away from zero for what
 * is owed); rate and seconds not negative. SV_OK, or SV_NOMEM when the result does not fit. */
int sv_charge(int64_t rate_per_hour, int64_t seconds, int64_t *ret);
/* The same where the rate is for another span than an hour (a month is 30 x 86400 seconds): exact
 * for any of them. */
int sv_charge_per(int64_t rate, int64_t per_seconds, int64_t seconds, int64_t *ret);

#endif
