/* SPDX-License-Identifier: MIT */
/* Times and durations. Civil dates by counting days from March, so that no table of leap years is
 * needed. */
#include "base/time.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/str.h"
#include "starverse/common.h"

#define DAY  INT64_C(86400)
#define LAST INT64_C(253402300799) /* 9999-12-31T23:59:59Z */

static int64_t days_from_civil(int64_t y, int64_t m, int64_t d)
{
	int64_t era, yoe, doy;

	y -= m <= 2;
	era = y / 400;
	yoe = y - era * 400;
	doy = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + yoe * 365 + yoe / 4 - yoe / 100 + doy - 719468;
}

static void civil_from_days(int64_t days, int64_t *y, int64_t *m, int64_t *d)
{
	int64_t z = days + 719468, era = z / 146097, doe = z - era * 146097;
	int64_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
	int64_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153;

	*d = doy - (153 * mp + 2) / 5 + 1;
	*m = mp < 10 ? mp + 3 : mp - 9;
	*y = yoe + era * 400 + (*m <= 2);
}

/* Exactly n digits at *s. */
static int fixed(const char **s, int n, int64_t *ret)
{
	int64_t v = 0;

	for (int i = 0; i < n; i++, ++*s) {
		if (!sv_is_digit(**s))
			return SV_INVALID;
		v = v * 10 + (**s - '0');
	}
	*ret = v;
	return SV_OK;
}

static int eat(const char **s, char c)
{
	if (**s != c)
		return SV_INVALID;
	++*s;
	return SV_OK;
}

static int month_days(int64_t y, int64_t m)
{
	return m == 2 ? (y % 4 == 0 && (y % 100 || y % 400 == 0) ? 29 : 28)
		      : 30 + ((m + m / 8) & 1);
}

static int date(const char **s, int64_t *days)
{
	int64_t y, m, d;

	if (fixed(s, 4, &y) || eat(s, '-') || fixed(s, 2, &m) || eat(s, '-') || fixed(s, 2, &d))
		return SV_INVALID;
	if (y < 1970 || m < 1 || m > 12 || d < 1 || d > month_days(y, m))
		return SV_INVALID;
	*days = days_from_civil(y, m, d);
	return SV_OK;
}

static int hour_minute(const char **s, int64_t *seconds)
{
	int64_t h, m;

	if (fixed(s, 2, &h) || eat(s, ':') || fixed(s, 2, &m) || h > 23 || m > 59)
		return SV_INVALID;
	*seconds = h * 3600 + m * 60;
	return SV_OK;
}

static int zone(const char **s, int64_t *offset)
{
	int minus = **s == '-';

	*offset = 0;
	if (**s == 'Z' || **s == 'z') {
		++*s;
		return SV_OK;
	}
	if (**s != '+' && **s != '-')
		return SV_INVALID;
	++*s;
	if (hour_minute(s, offset))
		return SV_INVALID;
	if (minus)
		*offset = -*offset;
	return SV_OK;
}

int sv_parse_time(const char *s, int64_t *ret)
{
	int64_t days, hm, sec, offset, t;

	if (date(&s, &days) || (*s != 'T' && *s != 't' && *s != ' '))
		return SV_INVALID;
	s++;
	if (hour_minute(&s, &hm) || eat(&s, ':') || fixed(&s, 2, &sec) || sec > 60)
		return SV_INVALID;
	if (*s == '.') {
		if (!sv_is_digit(*++s))
			return SV_INVALID;
		while (sv_is_digit(*s))
			s++;
	}
	if (zone(&s, &offset) || *s)
		return SV_INVALID;
	t = days * DAY + hm + (sec == 60 ? 59 : sec) - offset;
	if (t < 0 || t > LAST)
		return SV_INVALID;
	*ret = t;
	return SV_OK;
}

static char *digits(char *p, int64_t v, int n)
{
	for (int i = n; i--; v /= 10)
		p[i] = (char)('0' + v % 10);
	return p + n;
}

/* By hand: printf took a sixth of a long list's time. */
void sv_print_time(int64_t t, char *buf, size_t size)
{
	int64_t y, m, d, s;
	char text[] = "0000-00-00T00:00:00Z", *p = text;

	if (t < 0 || t > LAST)
		t = t < 0 ? 0 : LAST;
	s = t % DAY;
	civil_from_days(t / DAY, &y, &m, &d);
	p = digits(p, y, 4) + 1;
	p = digits(p, m, 2) + 1;
	p = digits(p, d, 2) + 1;
	p = digits(p, s / 3600, 2) + 1;
	p = digits(p, s / 60 % 60, 2) + 1;
	digits(p, s % 60, 2);
	if (size > sizeof(text))
		size = sizeof(text);
	if (size) {
		memcpy(buf, text, size - 1);
		buf[size - 1] = '\0';
	}
}

static const struct unit {
	const char *name;
	int64_t ms;
} units[] = {
	{ "w", 7 * DAY * 1000 },
	{ "d", DAY * 1000 },
	{ "h", 3600000 },
	{ "m", 60000 },
	{ "s", 1000 },
	{ "ms", 1 },
};

#define N_UNITS (sizeof(units) / sizeof(units[0]))

/* One "12.5h" at *s; *last is the index of the unit before, so that units fall. */
static int piece(const char **s, size_t *last, int64_t *ret)
{
	int64_t v = 0, part = 0, scale = 1;
	size_t len, i;

	if (!sv_is_digit(**s))
		return SV_INVALID;
	for (; sv_is_digit(**s); ++*s)
		if (sv_mul64(v, 10, &v) || sv_add64(v, **s - '0', &v))
			return SV_NOMEM;
	if (**s == '.') {
		for (++*s; sv_is_digit(**s); ++*s) {
			if (scale >= 1000000)
				return SV_INVALID;
			part = part * 10 + (**s - '0');
			scale *= 10;
		}
		if (scale == 1)
			return SV_INVALID;
	}
	for (len = 0; (*s)[len] >= 'a' && (*s)[len] <= 'z'; len++)
		;
	for (i = 0; i < N_UNITS; i++)
		if (strlen(units[i].name) == len && !strncmp(units[i].name, *s, len))
			break;
	if (i == N_UNITS || (*last != N_UNITS && i <= *last))
		return SV_INVALID;
	*s += len;
	*last = i;
	if (sv_mul64(v, units[i].ms, &v) || sv_mul64(part, units[i].ms, &part))
		return SV_NOMEM;
	if (part % scale && (part < scale || units[i].ms == 1))
		part = scale; /* tiny, but not zero */
	if (sv_add64(v, part / scale, ret))
		return SV_NOMEM;
	return SV_OK;
}

int sv_parse_duration_ms(const char *s, int64_t *ret)
{
	size_t last = N_UNITS;
	int64_t sum = 0, one;
	int r;

	do {
		r = piece(&s, &last, &one);
		if (r)
			return r;
		if (sv_add64(sum, one, &sum))
			return SV_NOMEM;
	} while (*s);
	*ret = sum;
	return SV_OK;
}

int sv_parse_duration(const char *s, int64_t *ret)
{
	int64_t ms;
	int r = sv_parse_duration_ms(s, &ms);

	if (r)
		return r;
	if (ms % 1000)
		return SV_INVALID;
	*ret = ms / 1000;
	return SV_OK;
}

void sv_print_duration(int64_t seconds, char *buf, size_t size)
{
	uint64_t left = seconds < 0 ? 0 - (uint64_t)seconds : (uint64_t)seconds;
	size_t at = (size_t)snprintf(buf, size, "%s", seconds < 0 ? "-" : "");

	if (!left)
		at += (size_t)snprintf(buf + at, size - at, "0s");
	for (size_t i = 1; i < N_UNITS - 1 && at < size; i++) {
		uint64_t unit = (uint64_t)units[i].ms / 1000;

		if (left >= unit)
			at += (size_t)snprintf(buf + at, size - at, "%llu%s",
				(unsigned long long)(left / unit), units[i].name);
		left %= unit;
	}
}

/* A local date and time of day as seconds; the zone database decides about summer time. */
static int local_time(int64_t days, int64_t second, int64_t *ret)
{
	struct tm tm = { .tm_isdst = -1 };
	int64_t y, m, d;
	time_t t;

	civil_from_days(days, &y, &m, &d);
	tm.tm_year = (int)(y - 1900);
	tm.tm_mon = (int)(m - 1);
	tm.tm_mday = (int)d;
	tm.tm_hour = (int)(second / 3600);
	tm.tm_min = (int)(second / 60 % 60);
	t = mktime(&tm);
	if (t == (time_t)-1)
		return SV_INVALID;
	*ret = (int64_t)t;
	return SV_OK;
}

static int64_t local_day(int64_t now)
{
	time_t t = (time_t)now;
	struct tm tm;

	if (!localtime_r(&t, &tm))
		return now / DAY;
	return days_from_civil(tm.tm_year + 1900, tm.tm_mon + 1, tm.tm_mday);
}

static int relative(const char *s, int64_t now, int64_t *ret)
{
	int64_t d;
	int r = sv_parse_duration(s + 1, &d);

	if (r)
		return r;
	if (d > LAST)
		return SV_NOMEM;
	d = *s == '-' ? now - d : now + d;
	if (d < 0 || d > LAST)
		return SV_NOMEM;
	*ret = d;
	return SV_OK;
}

int sv_parse_when(const char *s, int64_t now, int64_t *ret)
{
	const char *p = s;
	int64_t days, second = 0, t;

	if (*s == '+' || *s == '-')
		return relative(s, now, ret);
	if (sv_parse_time(s, ret) == SV_OK)
		return SV_OK;
	if (hour_minute(&p, &second) == SV_OK && !*p) {
		if (local_time(local_day(now), second, &t))
			return SV_INVALID;
		if (t <= now && local_time(local_day(now) + 1, second, &t))
			return SV_INVALID;
		*ret = t;
		return SV_OK;
	}
	p = s;
	second = 0;
	if (date(&p, &days))
		return SV_INVALID;
	if ((*p == ' ' || *p == 'T') && (p++, hour_minute(&p, &second)))
		return SV_INVALID;
	return *p ? SV_INVALID : local_time(days, second, ret);
}

int64_t sv_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	return (int64_t)ts.tv_sec;
}

int64_t sv_mono_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}
