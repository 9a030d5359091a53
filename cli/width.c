/* SPDX-License-Identifier: MIT */
/* How wide text is on a terminal, and what of it may go there. */
#include <stdint.h>
#include <string.h>
#include <unictype.h>
#include <unistr.h>
#include <uniwidth.h>

#include "out.h"

#define EACH(byte) ((byte) * UINT64_C(0x0101010101010101))

/* Eight bytes at once: most cells are plain, and long lists have many. */
static uint64_t eight(const char *s)
{
	uint64_t v;

	memcpy(&v, s, sizeof(v));
	return v;
}

static int ascii(const char *s, size_t len)
{
	size_t i = 0;

	for (; len - i >= 8; i += 8)
		if (eight(s + i) & EACH(0x80))
			return 0;
	for (; i < len; i++)
		if ((unsigned char)s[i] >= 0x80)
			return 0;
	return 1;
}

/* How many bytes at s are printable ASCII before the first that is not. */
static size_t plain(const char *s, size_t len)
{
	size_t i = 0;

	/* The first byte that is not sets its top bit in one of the three; none before it does. */
	for (; len - i >= 8; i += 8) {
		uint64_t v = eight(s + i);

		if ((v | (v - EACH(0x20)) | (v + EACH(0x01))) & EACH(0x80))
			break;
	}
	while (i < len && (unsigned char)s[i] >= 0x20 && (unsigned char)s[i] < 0x7f)
		i++;
	return i;
}

/* Length of the character at s, and what it is; 0 when it is not valid UTF-8. */
static size_t character(const char *s, size_t len, ucs4_t *uc)
{
	int n = u8_mbtoucr(uc, (const uint8_t *)s, len);

	return n > 0 ? (size_t)n : 0;
}

/* Controls, line separators, and marks that turn the direction of what follows. */
static int harmful(ucs4_t uc)
{
	return uc < 0x20 || (uc >= 0x7f && uc < 0xa0) || uc == 0x2028 || uc == 0x2029 ||
	       (uc >= 0x202a && uc <= 0x202e) || (uc >= 0x2066 && uc <= 0x2069) || uc == 0x200e ||
	       uc == 0x200f || uc == 0xfeff;
}

int is_plain(const char *s, size_t len)
{
	return plain(s, len) == len;
}

static void escape(struct text *t, ucs4_t uc)
{
	if (uc == '\n')
		text_str(t, "\\n");
	else if (uc == '\t')
		text_str(t, "\\t");
	else if (uc == '\r')
		text_str(t, "\\r");
	else if (uc < 0x80)
		text_fmt(t, "\\x%02x", (unsigned)uc);
	else
		text_fmt(t, "\\u%04x", (unsigned)uc);
}

void safe_text(struct text *t, const char *s)
{
	size_t len = strlen(s), clean = plain(s, len);
	ucs4_t uc;

	text_add(t, s, clean);
	for (size_t i = clean, n; i < len; i += n) {
		n = character(s + i, len - i, &uc);
		if (!n) {
			text_fmt(t, "\\x%02x", (unsigned char)s[i]);
			n = 1;
		} else if (harmful(uc)) {
			escape(t, uc);
		} else {
			text_add(t, s + i, n);
		}
	}
}

static size_t wide(ucs4_t uc)
{
	int w = uc_width(uc, "UTF-8");

	return w > 0 ? (size_t)w : 0;
}

static int regional(ucs4_t uc)
{
	return uc >= 0x1f1e6 && uc <= 0x1f1ff;
}

/* 1 when uc belongs to what stands before it, which is so wide: marks, joiners, selectors; after a
 * picture also shades of skin and what a joiner joins. */
static int joins(ucs4_t uc, ucs4_t last, size_t width)
{
	return wide(uc) == 0 ||
	       (width == 2 && (last == 0x200d || (uc >= 0x1f3fb && uc <= 0x1f3ff)));
}

/* What is seen as one character at s: its length, and its width as terminals draw it. Emoji that
 * are joined are one; two letters of a flag are one; a selector of pictures makes it wide. */
static size_t cluster(const char *s, size_t len, size_t *width)
{
	ucs4_t uc, last;
	size_t i = character(s, len, &uc), n;

	if (!i) {
		*width = 1;
		return 1;
	}
	*width = wide(uc);
	last = uc;
	if (regional(uc) && (n = character(s + i, len - i, &last)) > 0 && regional(last)) {
		*width = 2;
		i += n;
	}
	last = uc;
	while (i < len && (n = character(s + i, len - i, &uc)) > 0) {
		if (!joins(uc, last, *width))
			break;
		if (uc == 0xfe0f)
			*width = 2;
		last = uc;
		i += n;
	}
	return i;
}

size_t text_width(const char *s, size_t len)
{
	size_t width = 0, w;

	if (ascii(s, len))
		return len;
	for (size_t i = 0; i < len; i += cluster(s + i, len - i, &w), width += w)
		;
	return width;
}

static int is(ucs4_t uc, uint32_t categories)
{
	return uc_is_general_category_withtable(uc, categories);
}

size_t text_piece(const char *s)
{
	size_t len = strcspn(s, " \n"), i, n, w, before = 0;
	ucs4_t uc = 0, last = 0;

	for (i = 0; i < len; i += n, before = w, last = uc) {
		n = cluster(s + i, len - i, &w);
		if (!character(s + i, len - i, &uc))
			uc = 0;
		if (i && (w == 2 || before == 2) &&
		    !is(uc, UC_CATEGORY_MASK_Pe | UC_CATEGORY_MASK_Pf | UC_CATEGORY_MASK_Po) &&
		    !is(last, UC_CATEGORY_MASK_Ps | UC_CATEGORY_MASK_Pi))
			break;
	}
	return i;
}

size_t text_fit(const char *s, size_t len, size_t width)
{
	size_t used = 0, i = 0, n, w;

	for (; i < len; i += n) {
		n = cluster(s + i, len - i, &w);
		if (used + w > width)
			break;
		used += w;
	}
	return i;
}
