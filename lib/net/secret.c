/* SPDX-License-Identifier: MIT */
/* Keys and random tokens. */
#include "net/secret.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"

/* What editors and terminals put around a key that was pasted. */
static const char *const wrapping[] = { "\xef\xbb\xbf", "\033[200~", "\033[201~" };

#define N_WRAPPING (sizeof(wrapping) / sizeof(wrapping[0]))

static size_t before(const char *s, size_t len)
{
	if (len && sv_is_space(*s))
		return 1;
	for (size_t i = 0; i < N_WRAPPING; i++) {
		size_t n = strlen(wrapping[i]);

		if (len >= n && !memcmp(s, wrapping[i], n))
			return n;
	}
	return 0;
}

static size_t after(const char *s, size_t len)
{
	if (len && sv_is_space(s[len - 1]))
		return 1;
	for (size_t i = 0; i < N_WRAPPING; i++) {
		size_t n = strlen(wrapping[i]);

		if (len >= n && !memcmp(s + len - n, wrapping[i], n))
			return n;
	}
	return 0;
}

int sv_secret_clean(
	const char *text, size_t len, const char *source, char *buf, struct sv_error *err)
{
	size_t n, skipped = 0;

	while ((n = before(text + skipped, len - skipped)))
		skipped += n;
	text += skipped;
	len -= skipped;
	while ((n = after(text, len)))
		len -= n;
	if (!len)
		return sv_err(err, SV_CONFIG, "%s: the API key is empty", source);
	if (len > SV_MAX_KEY)
		return sv_err(err, SV_CONFIG, "%s: the API key is longer than %zu bytes", source,
			SV_MAX_KEY);
	for (size_t i = 0; i < len; i++)
		if (text[i] < 0x21 || text[i] > 0x7e)
			return sv_err(err, SV_CONFIG, "%s: the API key has %s at byte %zu", source,
				(unsigned char)text[i] > 0x7e ? "a character that is not ASCII"
				: text[i] == ' '              ? "a blank"
							      : "a control character",
				skipped + i + 1);
	memcpy(buf, text, len);
	buf[len] = '\0';
	return SV_OK;
}

static void random_bytes(void *buf, size_t size)
{
	struct timespec t;

	if (getrandom(buf, size, 0) == (ssize_t)size)
		return;
	/* Never seen: a kernel without getrandom. A key only has to be new. */
	memset(buf, 0, size);
	clock_gettime(CLOCK_MONOTONIC, &t);
	memcpy(buf, &t, size < sizeof(t) ? size : sizeof(t));
}

void sv_random_token(const char *prefix, char *buf)
{
	unsigned char raw[16];
	size_t n = strlen(prefix);

	random_bytes(raw, sizeof(raw));
	memcpy(buf, prefix, n);
	sv_hex(raw, sizeof(raw), buf + n);
}

unsigned sv_random(void)
{
	unsigned v;

	random_bytes(&v, sizeof(v));
	return v;
}
