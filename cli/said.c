/* SPDX-License-Identifier: MIT */
/* A message is matched against the formats of the catalogue; the one that accounts for most of it
 * made it. What stood for %s may be a message, too. */
#include "said.h"

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define CONTEXT  "message\004" /* as msgfmt joins context and text */
#define MO_MAGIC 0x950412deU

enum {
	PARTS_MAX = 8,     /* conversions of one format */
	DEPTH_MAX = 4,     /* messages within messages */
	STEPS_MAX = 20000, /* of matching one format: the message is the peer's */
	MO_HEAD = 20
};

struct catalogue {
	const unsigned char *data;
	size_t n;
};

/* What stood for a conversion. */
struct part {
	const char *s;
	size_t n;
	int open; /* may be a message itself */
};

struct match {
	struct part part[PARTS_MAX];
	size_t n, own; /* parts; letters that are the format's own */
	long steps;
};

static uint32_t word(const struct catalogue *c, size_t at)
{
	uint32_t v;

	if (at > c->n || c->n - at < sizeof(v))
		return 0;
	memcpy(&v, c->data + at, sizeof(v));
	return v;
}

/* The string that a pair of length and offset at this place tells of, or NULL. */
static const char *string(const struct catalogue *c, size_t at)
{
	size_t len = word(c, at), from = word(c, at + 4);

	if (!from || from >= c->n || len >= c->n - from || c->data[from + len])
		return NULL;
	return (const char *)c->data + from;
}

/* The i-th format and its translation; 0 past the end. Strings that are none of ours are "". */
static int entry(const struct catalogue *c, size_t i, const char **format, const char **text)
{
	const size_t n = sizeof(CONTEXT) - 1;
	const char *id;

	if (c->n < MO_HEAD || word(c, 0) != MO_MAGIC || i >= word(c, 8) || i > c->n / 8)
		return 0;
	id = string(c, word(c, 12) + 8 * i);
	*text = string(c, word(c, 16) + 8 * i);
	*format = id && *text && !strncmp(id, CONTEXT, n) ? id + n : "";
	return 1;
}

/* The length of a conversion such as "%.80s", or 0; *place is N of "%N$s". No message has the space
 * as a flag: in "62.5% is" the sign stands for itself. */
static size_t conversion(const char *f, size_t *place)
{
	size_t n = 1, digits;

	if (*f != '%')
		return 0;
	digits = strspn(f + n, "0123456789");
	if (digits == 1 && f[n + 1] == '$') {
		*place = (size_t)(f[n] - '0');
		n += 2;
	}
	n += strspn(f + n, "-+#0123456789.lhzj");
	return f[n] && strchr("cdiusxXfg", f[n]) ? n + 1 : 0;
}

/* The length of a letter that stands for itself, as a format has it. */
static size_t letter(const char *f)
{
	return f[0] == '%' && f[1] == '%' ? 2 : 1;
}

/* Words of a text that stands free, or one word before a quoted name: its noun. Any other single
 * word is a name or a number. */
static int open_part(const char *start, const char *s, size_t n, const char *end)
{
	if (s > start && strchr("\"'", s[-1]))
		return 0;
	return memchr(s, ' ', n) != NULL ||
	       ((size_t)(end - s) > n + 2 && s[n] == ' ' && s[n + 1] == '"');
}

static int made(struct match *m, const char *f, const char *start, const char *s, const char *end);

/* Whatever the conversion at f may have made of s. */
static int part(struct match *m, const char *f, size_t len, const char *start, const char *s,
	const char *end)
{
	struct part *p = &m->part[m->n];
	const char kind = f[len - 1];
	size_t least = 0, most = (size_t)(end - s);

	if (m->n == PARTS_MAX)
		return 0;
	if (kind == 'c')
		least = most = 1;
	else if (kind != 's')
		least = most = (*s == '-') + strspn(s + (*s == '-'), "0123456789");
	if (most > (size_t)(end - s) || (kind != 's' && !most))
		return 0;
	for (size_t n = least; n <= most; n++) {
		size_t kept = m->n, own = m->own;

		*p = (struct part){ s, n, kind == 's' && open_part(start, s, n, end) };
		m->n++;
		if (made(m, f + len, start, s + n, end))
			return 1;
		m->n = kept;
		m->own = own;
	}
	return 0;
}

static int made(struct match *m, const char *f, const char *start, const char *s, const char *end)
{
	for (; *f; s++) {
		size_t place, n = conversion(f, &place);

		if (m->steps-- <= 0)
			return 0;
		if (n)
			return part(m, f, n, start, s, end);
		if (s == end || *s != *f)
			return 0;
		m->own += *f != ' ';
		f += letter(f);
	}
	return s == end;
}

static size_t tell(
	const struct catalogue *c, const char *s, const char *end, int depth, struct text *ret);

/* The translation of the format that knows most of s, or NULL; *own: how many letters that are. */
static const char *best(const struct catalogue *c, const char *s, const char *end, int depth,
	struct match *ret, size_t *own)
{
	const char *found = NULL, *format, *text;

	for (size_t i = 0; entry(c, i, &format, &text); i++) {
		struct match m = { .steps = STEPS_MAX };
		size_t all;

		if (!*format || !*text || !made(&m, format, s, s, end))
			continue;
		all = m.own;
		for (size_t k = 0; k < m.n; k++)
			if (m.part[k].open)
				all += tell(
					c, m.part[k].s, m.part[k].s + m.part[k].n, depth + 1, NULL);
		if (!found || all > *own || (all == *own && m.own > ret->own)) {
			found = text;
			*ret = m;
			*own = all;
		}
	}
	return found;
}

static void fill(const struct catalogue *c, const char *text, const struct match *m, int depth,
	struct text *ret)
{
	size_t next = 0, n;

	for (; *text; text += n) {
		size_t place = next + 1;
		const struct part *p;

		n = conversion(text, &place);
		if (!n) {
			n = letter(text);
			text_chr(ret, *text);
			continue;
		}
		next++;
		p = place && place <= m->n ? &m->part[place - 1] : NULL;
		if (p && p->open)
			tell(c, p->s, p->s + p->n, depth + 1, ret);
		else if (p)
			text_add(ret, p->s, p->n);
	}
}

/* How many letters of the message are known. ret may be NULL. */
static size_t tell(
	const struct catalogue *c, const char *s, const char *end, int depth, struct text *ret)
{
	struct match m = { 0 };
	size_t own = 0;
	const char *text = depth < DEPTH_MAX && s < end ? best(c, s, end, depth, &m, &own) : NULL;

	if (text && ret)
		fill(c, text, &m, depth, ret);
	else if (ret)
		text_add(ret, s, (size_t)(end - s));
	return own;
}

void said_by(const void *catalogue, size_t n, const char *message, struct text *ret)
{
	const struct catalogue c = { catalogue, n };

	tell(&c, message, message + strlen(message), 0, ret);
}

const char *said(const char *message, struct text *ret)
{
	char path[I18N_PATH];
	struct stat st;
	void *data = MAP_FAILED;
	int fd = i18n_file(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0)
		data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED) {
		text_str(ret, message);
	} else {
		said_by(data, (size_t)st.st_size, message, ret);
		munmap(data, (size_t)st.st_size);
	}
	if (fd >= 0)
		close(fd);
	return text_of(ret);
}
