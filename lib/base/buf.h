/* SPDX-License-Identifier: MIT */
/* Growable bytes that cannot be made without a ceiling. Errors are sticky: build, then look once.
 */
#ifndef SV_BASE_BUF_H
#define SV_BASE_BUF_H

#include <stddef.h>
#include <stdint.h>

struct sv_buf {
	char *data; /* NUL-ended once anything was added; else NULL */
	size_t len, cap, ceiling;
	int failed; /* out of memory or over the ceiling: what was added since is lost */
};

void sv_buf_init(struct sv_buf *b, size_t ceiling);
/* Ends the memory; the buffer can be used again. */
void sv_buf_free(struct sv_buf *b);
/* Empties, keeping the memory. */
void sv_buf_reset(struct sv_buf *b);
/* Each returns SV_OK or SV_NOMEM. */
int sv_buf_add(struct sv_buf *b, const void *data, size_t len);
int sv_buf_str(struct sv_buf *b, const char *s);
int sv_buf_chr(struct sv_buf *b, char c);
int sv_buf_fmt(struct sv_buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Appends s as one percent-encoded URL segment: all but RFC 3986's unreserved characters. */
int sv_buf_url(struct sv_buf *b, const char *s);
/* Appends s as a JSON string with its quotes; bytes that are not UTF-8 become U+FFFD. */
int sv_buf_json(struct sv_buf *b, const char *s, size_t len);
/* The text, never NULL ("" when nothing was added). */
const char *sv_buf_text(const struct sv_buf *b);
/* Gives the memory away (ended by sv_mfree or sv_free_text) and empties the buffer; NULL when it
 * failed. */
char *sv_buf_take(struct sv_buf *b);

#endif
