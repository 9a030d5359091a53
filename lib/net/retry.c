/* SPDX-License-Identifier: MIT */
/* The retry rules. Nothing here knows a clock. */
#include "net/retry.h"

#include <stdio.h>
#include <string.h>

#include "base/limits.h"
#include "base/str.h"
#include "starverse/common.h"

#define FIRST_MS 250
#define MOST_MS  8000

static int status_passes(int status)
{
	return status == 408 || status == 425 || status == 429 || (status >= 500 && status != 501);
}

static int worth(const struct sv_retry *r)
{
	if (r->result == SV_OK)
		return r->repeatable && (status_passes(r->status) || r->in_progress);
	if (r->result != SV_NET || r->final)
		return 0;
	return r->repeatable || !r->sent;
}

/* Full jitter: anything up to a bound that doubles. */
static int64_t backoff(const struct sv_retry *r)
{
	int64_t bound = FIRST_MS;

	for (int i = 1; i < r->attempt && bound < MOST_MS; i++)
		bound *= 2;
	return r->chance % ((bound < MOST_MS ? bound : MOST_MS) + 1);
}

int64_t sv_retry_wait(const struct sv_retry *r)
{
	int64_t wait;

	if (r->attempt > r->most || !worth(r))
		return SV_RETRY_STOP;
	wait = r->retry_after_ms >= 0 ? r->retry_after_ms : backoff(r);
	return wait < r->left_ms ? wait : SV_RETRY_STOP;
}

/* Days since 1970-01-01 of a date of the Gregorian calendar. */
static int64_t days(int64_t y, int64_t m, int64_t d)
{
	int64_t era, of_era, of_year;

	y -= m <= 2;
	era = y / 400;
	of_era = y - era * 400;
	of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* Up to most digits, at least one; the value, or -1. */
static int64_t digits(const char **s, int most)
{
	int64_t v = 0;
	int n = 0;

	for (; n < most && sv_is_digit(**s); n++, (*s)++)
		v = v * 10 + (**s - '0');
	return n ? v : -1;
}

static int64_t month(const char **s)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (int i = 0; i < 12; i++)
		if (!strncmp(*s, names + 3 * i, 3)) {
			*s += 3;
			return i + 1;
		}
	return -1;
}

/* Passes over one character of set. */
static int skip(const char **s, const char *set)
{
	return **s && strchr(set, **s) ? ((*s)++, 1) : 0;
}

static int clock_time(const char **s, int64_t *ret)
{
	int64_t h = digits(s, 2), m, sec;

	if (!skip(s, ":"))
		return 0;
	m = digits(s, 2);
	if (!skip(s, ":"))
		return 0;
	sec = digits(s, 2);
	if (h < 0 || h > 23 || m < 0 || m > 59 || sec < 0 || sec > 60)
		return 0;
	*ret = h * 3600 + m * 60 + sec;
	return 1;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994". */
int sv_http_date(const char *s, int64_t *ret)
{
	int64_t y, m, d, t = 0;
	const char *comma = strchr(s, ',');
	int ok;

	if (comma) {
		s = comma + 1;
		skip(&s, " ");
		d = digits(&s, 2);
		ok = skip(&s, " -");
		m = month(&s);
		ok = ok && skip(&s, " -");
		y = digits(&s, 4);
		if (y >= 0 && y < 70)
			y += 2000;
		else if (y < 100)
			y += 1900;
		ok = ok && skip(&s, " ") && clock_time(&s, &t) && !strcmp(s, " GMT");
	} else {
		s += strcspn(s, " ");
		ok = skip(&s, " ");
		m = month(&s);
		ok = ok && skip(&s, " ");
		skip(&s, " ");
		d = digits(&s, 2);
		ok = ok && skip(&s, " ") && clock_time(&s, &t) && skip(&s, " ");
		y = digits(&s, 4);
		ok = ok && !*s;
	}
	if (!ok || y < 1970 || m < 1 || d < 1 || d > 31)
		return 0;
	*ret = days(y, m, d) * 86400 + t;
	return 1;
}

int64_t sv_retry_after(const char *value, const char *date, int64_t now)
{
	int64_t v = 0, at;

	if (!value)
		return -1;
	if (sv_is_digit(*value)) {
		for (; sv_is_digit(*value); value++)
			v = v < SV_MAX_EXACT / 10000 ? v * 10 + (*value - '0')
						     : SV_MAX_EXACT / 1000;
		return *value ? -1 : v * 1000;
	}
	if (!sv_http_date(value, &at))
		return -1;
	if (date)
		sv_http_date(date, &now);
	return at > now ? (at - now) * 1000 : -1;
}
