/* SPDX-License-Identifier: MIT */
/* sh's quoting, without its expansions: '...', "..." with backslashes, backslashes, # comments; and
 * its operators: ; && || & | > >> and !. */
#include "words.h"

#include <ctype.h>
#include <string.h>

#define OPERATORS "\n;&|>"

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

/* One word; NULL when it is not complete, with the place behind the quote that is open, or NULL. */
static const char *word(const char *p, struct text *t, const char **open)
{
	*open = NULL;
	text_str(t, "");
	while (p && *p && !blank_char(*p) && !strchr(OPERATORS, *p)) {
		if (*p == '\'' || *p == '"') {
			*open = p + 1;
			p = *p == '"' ? double_quoted(p + 1, t) : single_quoted(p + 1, t);
		} else if (*p == '\\') {
			*open = NULL;
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

/* The text of other programs up to an operator between commands. NULL when a quote is open. */
static const char *program_end(const char *p)
{
	while (*p && !strchr("\n;", *p) && strncmp(p, "&&", 2) != 0 && strncmp(p, "||", 2) != 0) {
		/* "2>&1" is no operator between commands. */
		if (*p == '&' && p[-1] != '>' && p[1] != '>')
			break;
		if (*p == '\'' || *p == '"') {
			for (char q = *p++; *p != q; p++) {
				p += q == '"' && *p == '\\' && p[1];
				if (!*p)
					return NULL;
			}
		} else if (*p == '\\') {
			if (!p[1])
				return NULL;
			p++;
		}
		p++;
	}
	return p;
}

static enum words_result operator_of(const char **line, struct part *ret)
{
	const char *p = *line;
	int empty = !ret->words.n && !ret->program;

	ret->joint = JOINT_THEN;
	if (!*p)
		ret->joint = JOINT_END;
	else if (!strncmp(p, "&&", 2))
		ret->joint = JOINT_AND;
	else if (!strncmp(p, "||", 2))
		ret->joint = JOINT_OR;
	else if (*p == '&')
		ret->joint = JOINT_BACK;
	else if (*p != ';' && *p != '\n')
		return WORDS_WRONG;
	if (empty && *p && *p != '\n')
		return WORDS_WRONG;
	*line = p + (ret->joint == JOINT_END                                    ? 0
			    : ret->joint == JOINT_AND || ret->joint == JOINT_OR ? 2
										: 1);
	return WORDS_OK;
}

/* "| sort | head": all of it is sh's. */
static enum words_result piped(const char **line, struct part *ret)
{
	const char *p = *line + 1, *end;
	char *text;

	p += strspn(p, " \t\n");
	end = program_end(p);
	text = end ? mem_dup(p, (size_t)(end - p)) : NULL;
	if (!text)
		return WORDS_OPEN;
	ret->program = text;
	if (blank(text) || *text == '|')
		return *end || !blank(text) ? WORDS_WRONG : WORDS_OPEN;
	*line = end;
	return WORDS_OK;
}

/* "> FILE": only stdout goes there, and only once. */
static enum words_result redirected(const char **line, struct part *ret)
{
	const char *p = *line + 1, *open;
	struct text t = { 0 };

	ret->append = *p == '>';
	p += ret->append;
	while (blank_char(*p))
		p++;
	if (ret->file || !*p || strchr(OPERATORS "#", *p))
		return WORDS_WRONG;
	p = word(p, &t, &open);
	if (!p) {
		text_free(&t);
		return WORDS_OPEN;
	}
	ret->file = t.s;
	*line = p;
	return WORDS_OK;
}

static int number(const char *s)
{
	while (isdigit((unsigned char)*s))
		s++;
	return !*s;
}

static enum words_result plain_word(const char **line, struct part *ret)
{
	struct text t = { 0 };
	const char *open, *p = word(*line, &t, &open);
	enum words_result r = p ? WORDS_OK : WORDS_OPEN;

	/* "2>": a descriptor of sh's, which is not ours. */
	if (p && *p == '>' && isdigit((unsigned char)**line) && number(t.s))
		r = WORDS_WRONG;
	if (p && !r) {
		words_add(&ret->words, t.s, t.n);
		*line = p;
	}
	text_free(&t);
	return r;
}

static const char *skip(const char *p)
{
	while (blank_char(*p))
		p++;
	return *p == '#' ? p + strcspn(p, "\n") : p;
}

enum words_result words_next(const char **line, struct part *ret)
{
	enum words_result r = WORDS_OK;
	size_t n;

	*ret = (struct part){ .joint = JOINT_END };
	while (!r) {
		*line = skip(*line);
		if (**line == '!' && !ret->words.n && !ret->file) {
			n = strcspn(*line, "\n");
			ret->program = mem_dup(*line + 1, n - 1);
			*line += n;
			return blank(ret->program) ? WORDS_WRONG : operator_of(line, ret);
		}
		if (**line == '>')
			r = redirected(line, ret);
		else if (**line == '|' && (*line)[1] != '|' && ret->words.n && !ret->file) {
			r = piped(line, ret);
			return r ? r : operator_of(line, ret);
		} else if (!**line || strchr(OPERATORS, **line))
			return operator_of(line, ret);
		else
			r = plain_word(line, ret);
	}
	return r;
}

void part_free(struct part *p)
{
	words_free(&p->words);
	mem_free(p->program);
	mem_free(p->file);
	*p = (struct part){ .joint = JOINT_END };
}

/* Behind an operator another command begins, here or of other programs. */
static const char *next_command(const char *p, struct cursor *c)
{
	int piped = *p == '|' && p[1] != '|';

	words_free(&c->words);
	c->file = 0;
	p += !piped && (p[1] == *p) && *p != ';' && *p != '\n' ? 2 : 1;
	if (!piped)
		return p;
	p = program_end(p);
	c->program = !p || !*p;
	return p;
}

static void cursor_in(const char *text, struct cursor *c)
{
	const char *p = text, *from, *open;

	for (;;) {
		while (blank_char(*p))
			p++;
		c->from = (size_t)(p - text);
		if (*p == '#' || (*p == '!' && !c->words.n)) {
			c->program = 1;
			p += strcspn(p, "\n");
			if (!*p)
				return;
			c->program = 0;
		}
		if (!*p)
			return;
		if (*p == '>') {
			c->file = 1;
			p += p[1] == '>' ? 2 : 1;
			continue;
		}
		if (strchr(OPERATORS, *p)) {
			p = next_command(p, c);
			if (c->program)
				return;
			continue;
		}
		from = p;
		text_free(&c->word);
		p = word(p, &c->word, &open);
		if (!p || !*p) {
			c->from = (size_t)(from - text);
			c->inside = open ? (size_t)(open - text) : 0;
			c->quote = !p && open ? open[-1] : 0;
			return;
		}
		if (!c->file)
			words_add(&c->words, c->word.s, c->word.n);
		c->file = 0;
		text_free(&c->word);
	}
}

void words_cursor(const char *line, size_t len, struct cursor *ret)
{
	char *text = mem_dup(line, len);

	*ret = (struct cursor){ .quote = 0 };
	cursor_in(text, ret);
	mem_free(text);
}

void cursor_free(struct cursor *c)
{
	words_free(&c->words);
	text_free(&c->word);
}

static int harmless(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || strchr("_@%+=:,./-", c);
}

void words_quote(struct text *t, const char *word, char quote)
{
	text_str(t, "");
	for (; *word; word++) {
		if (!quote && *word == '\n') { /* a backslash would join the lines */
			text_str(t, "'\n'");
			continue;
		}
		if (quote == '\'' && *word == '\'')
			text_str(t, "'\\'");
		else if ((quote == '"' && escapable(*word)) || (!quote && !harmless(*word)))
			text_chr(t, '\\');
		text_chr(t, *word);
	}
}
