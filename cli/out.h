/* SPDX-License-Identifier: MIT */
/* The answer: objects of one kind in the form that was asked for. Nothing is written before the
 * first object is there, so that a failure leaves stdout empty. */
#ifndef SVCTL_OUT_H
#define SVCTL_OUT_H

#include <starverse/kind.h>

#include "args.h"

#define WAY_MAX 8

/* A field to show: the way to it, through objects; below a map, a key. */
struct column {
	char *name; /* as asked for: "ssh.port" */
	const struct sv_field *way[WAY_MAX];
	size_t n;
	char *key;
	struct sv_field *open; /* its own last field, where a secret is shown */
};

struct out;
struct refs;

/* One format. */
struct out_format {
	const char *name;
	int (*begin)(struct out *o);
	int (*item)(struct out *o, const void *obj);
	int (*end)(struct out *o); /* begin was called before */
	int columns;               /* 1: it shows columns */
	void (*drop)(struct out *o); /* frees the state, after end or instead of it */
};

struct out {
	struct app *app;
	const struct call *call;
	const struct sv_kind *kind;
	const struct out_format *format;
	struct column *columns;
	size_t n_columns;
	int list;    /* 1: an array or rows; 0: one object */
	int upright; /* 1: a table of one object, a field a line */
	int header, begun;
	int paged; /* may go through the pager */
	int as_is;  /* 1: columns are called as they are, not in capitals */
	int reveal; /* 1: an answer that holds a secret this once shows it */
	size_t count;
	struct refs *refs; /* names of what is referred to, or NULL: ids are shown */
	void *state;       /* the format's */
};

/* What stands above a column, in English. */
void out_title(const struct sv_field *f, const char *name, struct text *ret);
/* Chooses format and columns. 0, or an exit status after an error was printed. */
int out_open(struct out *o, const struct call *call, const struct sv_kind *kind, int list);
/* The format asked for, wherever it was; *status after an error. */
const char *out_named(const struct call *call, int *status);
/* 0 when there is a format of this name, else an exit status after an error was printed. */
int out_known(const struct call *call, const char *name);
/* 1 when the answer is for people: a table with no word about its columns. */
int out_is_text(const struct call *call);
int out_item(struct out *o, const void *obj);
/* Ends the answer, also an empty one. */
int out_close(struct out *o);
/* Ends it without writing what is missing. */
void out_drop(struct out *o);

/* Finds a dotted field. 0 when there is none; *near (may be NULL) is a guess. */
int column_find(
	const struct sv_kind *kind, const char *name, struct column *ret, const char **near);
void column_free(struct column *c);
/* Shows what the column would mask. */
void column_reveal(struct column *c);
/* The object that holds the column's field, or NULL. */
const void *column_object(const struct column *c, const void *obj);
/* The last field. */
const struct sv_field *column_field(const struct column *c);
/* 1 when its values are numbers, amounts or times. */
int column_counts(const struct column *c);
/* Of a column that counts; INT64_MIN when it is null or absent. */
int64_t column_count(const struct column *c, const void *obj);
/* Exact text, as scripts want it. 0 when it is null or absent. */
int column_text(const struct column *c, const void *obj, struct text *ret);
/* The value as JSON; null when there is none. */
void column_json(const struct column *c, const void *obj, struct text *ret);
/* The same for people: sizes and durations with units, times from now on a terminal, "-" for
 * nothing. */
void column_human(const struct out *o, const struct column *c, const void *obj, struct text *ret);

/* A string for a terminal: control characters and invalid bytes are shown as escapes. */
void safe_text(struct text *t, const char *s);
/* 1 when safe_text would add it as it is, being printable ASCII. */
int is_plain(const char *s, size_t len);
/* Columns of a terminal that a clean string takes. */
size_t text_width(const char *s, size_t len);
/* Length of what s begins with that stays on one line: up to a blank or a line's end, or to where
 * a wide character begins or ends, since Chinese has no blanks; punctuation stays with its word. */
size_t text_piece(const char *s);
/* The longest beginning that fits. */
size_t text_fit(const char *s, size_t len, size_t width);

/* Writes any object as JSON: mode is enum sv_walk_mode; indent 0 for one line; depth moves its
 * lines to the right. */
void json_object(struct app *a, const struct sv_kind *kind, const void *obj, int mode, int indent,
	int depth);
/* How the answer's objects are walked: with or without what is secret. */
int out_mode(const struct out *o);
/* A whole YAML document, "---" before it. 0, or 1 when it could not be written. */
int yaml_document(struct app *a, const struct text *json);
/* A JSON string with its quotes. */
void json_string(struct text *t, const char *s);

extern const struct out_format out_table, out_wide, out_json, out_jsonl, out_yaml, out_csv, out_tsv,
	out_name, out_id, out_get;
/* The i-th format by name, or NULL. */
const struct out_format *format_at(size_t i);

#endif
