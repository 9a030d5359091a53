/* SPDX-License-Identifier: MIT */
/* Strict text, without the locale. */
#include "base/str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "starverse/common.h"

int sv_is_alnum(char c)
{
	return sv_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

int sv_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

void sv_hex(const void *data, size_t len, char *text)
{
	static const char digits[] = "0123456789abcdef";
	const unsigned char *p = data;

	for (size_t i = 0; i < len; i++) {
		text[2 * i] = digits[p[i] >> 4];
		text[2 * i + 1] = digits[p[i] & 15];
	}
	text[2 * len] = '\0';
}

int sv_unhex(const char *text, void *buf, size_t n)
{
	unsigned char *to = buf;

	for (size_t i = 0; i < n; i++) {
		int high = sv_hex_digit(text[2 * i]);
		int low = high >= 0 ? sv_hex_digit(text[2 * i + 1]) : -1;

		if (low < 0)
			return -1;
		to[i] = (unsigned char)(high << 4 | low);
	}
	return 0;
}

int64_t sv_url_decode(const char *s, size_t len, int plus, char *buf, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		char c = plus && s[i] == '+' ? ' ' : s[i];

		if (c == '%') {
			int high = i + 2 < len ? sv_hex_digit(s[i + 1]) : -1;
			int low = high >= 0 ? sv_hex_digit(s[i + 2]) : -1;

			if (low < 0)
				return -1;
			c = (char)(high << 4 | low);
			i += 2;
		}
		if (!c || n + 1 >= size)
			return -1;
		buf[n++] = c;
	}
	if (!size)
		return -1;
	buf[n] = '\0';
	return (int64_t)n;
}

int sv_same_name(const char *a, const char *b)
{
	for (; *a && *b; a++, b++)
		if (*a != *b && !((*a == '-' || *a == '_') && (*b == '-' || *b == '_')))
			return 0;
	return *a == *b;
}

size_t sv_utf8_len(const char *s, size_t len)
{
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *u = (const unsigned char *)s;
	uint32_t code;
	size_t n;

	if (!len)
		return 0;
	if (u[0] < 0x80)
		return 1;
	n = u[0] >= 0xf0 ? 4 : u[0] >= 0xe0 ? 3 : u[0] >= 0xc0 ? 2 : 0;
	if (!n || n > len || u[0] > 0xf4)
		return 0;
	code = u[0] & (0xffU >> (n + 1));
	for (size_t i = 1; i < n; i++) {
		if ((u[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (u[i] & 0x3f);
	}
	if (code < least[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
		return 0;
	return n;
}

int sv_utf8_valid(const char *s, size_t len)
{
	size_t n;

	for (; len; s += n, len -= n) {
		n = sv_utf8_len(s, len);
		if (!n)
			return 0;
	}
	return 1;
}

int sv_add64(int64_t a, int64_t b, int64_t *ret)
{
	return __builtin_add_overflow(a, b, ret) ? -1 : 0;
}

int sv_mul64(int64_t a, int64_t b, int64_t *ret)
{
	return __builtin_mul_overflow(a, b, ret) ? -1 : 0;
}

/* Digits at *s as a number below zero, so that INT64_MIN fits; moves *s behind them. */
static int digits(const char **s, int64_t *ret)
{
	int64_t v = 0;

	if (!sv_is_digit(**s))
		return SV_INVALID;
	for (; sv_is_digit(**s); ++*s)
		if (sv_mul64(v, 10, &v) || sv_add64(v, -(**s - '0'), &v))
			return SV_NOMEM;
	*ret = v;
	return SV_OK;
}

int sv_parse_int(const char *s, int64_t *ret)
{
	int minus = *s == '-', r;
	int64_t v;

	s += minus;
	r = digits(&s, &v);
	if (r)
		return r;
	if (*s)
		return SV_INVALID;
	if (!minus && v == INT64_MIN)
		return SV_NOMEM;
	*ret = minus ? v : -v;
	return SV_OK;
}

/* Moves behind one number of JSON's grammar; NULL when there is none. */
static const char *skip_num(const char *s)
{
	s += *s == '-';
	if (!sv_is_digit(*s))
		return NULL;
	if (*s == '0' && sv_is_digit(s[1]))
		return NULL;
	while (sv_is_digit(*s))
		s++;
	if (*s == '.') {
		if (!sv_is_digit(*++s))
			return NULL;
		while (sv_is_digit(*s))
			s++;
	}
	if (*s == 'e' || *s == 'E') {
		s++;
		s += *s == '+' || *s == '-';
		if (!sv_is_digit(*s))
			return NULL;
		while (sv_is_digit(*s))
			s++;
	}
	return s;
}

/* strtod obeys the process's locale: the point is replaced by what it wants, after asking it. */
int sv_parse_num(const char *s, double *ret)
{
	const char *end = skip_num(s);
	char copy[72], want[8], *point, *stop;
	double v;

	if (!end || *end || end - s > 60)
		return SV_INVALID;
	snprintf(want, sizeof(want), "%.1f", 0.5);
	want[strlen(want) - 1] = '\0';
	snprintf(copy, sizeof(copy), "%s", s);
	point = strchr(copy, '.');
	if (point && strcmp(want + 1, ".")) {
		size_t at = (size_t)(point - copy);

		snprintf(copy + at, sizeof(copy) - at, "%s%s", want + 1, s + at + 1);
	}
	v = strtod(copy, &stop);
	if (*stop || v - v != 0)
		return SV_INVALID;
	*ret = v;
	return SV_OK;
}

void sv_print_num(double v, char *buf, size_t size)
{
	for (int digits = 15; digits <= 17; digits++) {
		double again;

		snprintf(buf, size, "%.*g", digits, v);
		/* Whatever the locale writes for the point, it is the only character that is not
		 * one of these. */
		for (char *p = buf; *p; p++)
			if (!sv_is_digit(*p) && !strchr("+-einfa", *p)) {
				*p = '.';
				if ((unsigned char)p[1] >= 0x80)
					memmove(p + 1, p + 2, strlen(p + 1));
			}
		if (sv_parse_num(buf, &again) == SV_OK && again == v)
			return;
	}
}

int sv_parse_money(const char *s, int64_t *ret)
{
	int minus = *s == '-', r, places = 0;
	int64_t v, part = 0;

	s += minus;
	r = digits(&s, &v);
	if (r)
		return r;
	if (*s == '.') {
		for (s++; sv_is_digit(*s) && places < 6; s++, places++)
			part = part * 10 + (*s - '0');
		if (!places)
			return SV_INVALID;
	}
	if (*s)
		return SV_INVALID;
	for (; places < 6; places++)
		part *= 10;
	if (sv_mul64(v, 1000000, &v) || sv_add64(v, -part, &v) || v == INT64_MIN)
		return SV_NOMEM;
	*ret = minus ? v : -v;
	return SV_OK;
}

void sv_print_money6(int64_t micro, char *buf, size_t size)
{
	uint64_t u = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro;

	snprintf(buf, size, "%s%llu.%06llu", micro < 0 ? "-" : "",
		(unsigned long long)(u / 1000000), (unsigned long long)(u % 1000000));
}

void sv_print_money(int64_t micro, char *buf, size_t size)
{
	char *end, *least;

	sv_print_money6(micro, buf, size);
	end = buf + strlen(buf);
	least = end - 4;
	while (end > least && end[-1] == '0')
		*--end = '\0';
}

static const struct unit {
	const char *name;
	int64_t bytes;
} units[] = {
	{ "B", 1 },
	{ "K", INT64_C(1) << 10 },
	{ "KiB", INT64_C(1) << 10 },
	{ "KB", 1000 },
	{ "M", INT64_C(1) << 20 },
	{ "MiB", INT64_C(1) << 20 },
	{ "MB", 1000000 },
	{ "G", INT64_C(1) << 30 },
	{ "GiB", INT64_C(1) << 30 },
	{ "GB", 1000000000 },
	{ "T", INT64_C(1) << 40 },
	{ "TiB", INT64_C(1) << 40 },
	{ "TB", INT64_C(1000000000000) },
};

static int64_t unit_bytes(const char *name, int64_t bare)
{
	if (!*name)
		return bare;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(units[i].name, name))
			return units[i].bytes;
	return 0;
}

int sv_parse_bytes(const char *s, int64_t bare_unit, int64_t *ret)
{
	int64_t v, part = 0, scale = 1, unit, extra;
	int r = digits(&s, &v);

	if (r)
		return r;
	if (*s == '.') {
		if (!sv_is_digit(*++s))
			return SV_INVALID;
		for (; sv_is_digit(*s); s++) {
			if (scale >= 1000000)
				return SV_INVALID;
			part = part * 10 + (*s - '0');
			scale *= 10;
		}
	}
	unit = unit_bytes(s, bare_unit);
	if (!unit)
		return SV_INVALID;
	if (sv_mul64(part, unit, &extra) || sv_mul64(v, unit, &v))
		return SV_NOMEM;
	if (extra % scale)
		return SV_INVALID;
	if (sv_add64(v, -(extra / scale), &v) || v == INT64_MIN)
		return SV_NOMEM;
	*ret = -v;
	return SV_OK;
}

int sv_charge(int64_t rate_per_hour, int64_t seconds, int64_t *ret)
{
	return sv_charge_per(rate_per_hour, 3600, seconds, ret);
}

int sv_charge_per(int64_t rate, int64_t per_seconds, int64_t seconds, int64_t *ret)
{
	__extension__ typedef __int128 wide;
	wide exact, rounded;

	if (rate < 0 || seconds < 0 || per_seconds <= 0)
		return SV_INVALID;
	exact = (wide)rate * seconds;
	rounded = (exact * 2 + per_seconds) / ((wide)per_seconds * 2);
	if (rounded > INT64_MAX)
		return SV_NOMEM;
	*ret = (int64_t)rounded;
	return SV_OK;
}
