/* SPDX-License-Identifier: MIT */
/* sh's quoting, without its expansions: '...', "..." with backslashes, backslashes, # comments, ;
 * && ||. */
#include "words.h"

#include <string.h>

static int blank_char(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Inside double quotes a backslash only takes these. */
static int escapable(char c)
{
	return c == '"' || c == '\\' || c == '$' || c == '`' || c == '\n';
}

static const char *double_quoted(const char *p, struct text *t)
{
	for (; *p && *p != '"'; p++) {
		if (*p == '\\' && escapable(p[1]))
			p++;
		text_chr(t, *p);
	}
	return *p ? p + 1 : NULL;
}

static const char *single_quoted(const char *p, struct text *t)
{
	size_t n = strcspn(p, "'");

	text_add(t, p, n);
	return p[n] ? p + n + 1 : NULL;
}

/* One word; NULL when it is not complete. */
static const char *word(const char *p, struct text *t)
{
	text_str(t, "");
	while (p && *p && !blank_char(*p) && !strchr("\n;&|", *p)) {
		if (*p == '\'') {
			p = single_quoted(p + 1, t);
		} else if (*p == '"') {
			p = double_quoted(p + 1, t);
		} else if (*p == '\\') {
			if (!p[1])
				return NULL;
			if (p[1] != '\n')
				text_chr(t, p[1]);
			p += 2;
		} else {
			text_chr(t, *p++);
		}
	}
	return p;
}

static enum words_result operator(const char **line, const struct words *ret, enum joint *joint) {
	const char *p = *line;

	*joint = JOINT_THEN;
	if (!*p) *joint = JOINT_END;
	else if (!strncmp(p, "&&", 2)) *joint = JOINT_AND;
	else if (!strncmp(p, "||", 2)) *joint = JOINT_OR;
	else if (*p != ';' && *p != '\n') return WORDS_WRONG;
	*line = p + (*joint == JOINT_END           ? 0
			    : *joint == JOINT_THEN ? 1
						   : 2);
	return !ret->n && (*joint == JOINT_AND || *joint == JOINT_OR || *p == ';') ? WORDS_WRONG
										   : WORDS_OK;
}

enum words_result words_next(const char **line, struct words *ret, enum joint *joint)
{
	const char *p = *line;

	*joint = JOINT_END;
	for (;;) {
		struct text t = { 0 };

		while (blank_char(*p))
			p++;
		if (*p == '#')
			p += strcspn(p, "\n");
		if (!*p || strchr("\n;&|", *p))
			break;
		p = word(p, &t);
		if (p)
			words_add(ret, text_of(&t), t.n);
		text_free(&t);
		if (!p)
			return WORDS_OPEN;
	}
	*line = p;
	return operator(line, ret, joint);
}
