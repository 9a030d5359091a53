/* SPDX-License-Identifier: MIT */
/* One parser for all options: rows of svctl's own, and the fields of what a verb sends. */
#ifndef SVCTL_ARGS_H
#define SVCTL_ARGS_H

#include <starverse/kind.h>

#include "app.h"
#include "mem.h"

struct command;

/* svctl's own options, whatever table they stand in. */
enum opt {
	OPT_NONE,
	OPT_BREAKS,
	OPT_BY,
	OPT_BODY,
	OPT_CACERT,
	OPT_CATALOG,
	OPT_CHART,
	OPT_CHECKSUM,
	OPT_CLOCK,
	OPT_COLOR,
	OPT_COLUMNS,
	OPT_CURL,
	OPT_CWORD,
	OPT_DEBUG,
	OPT_DELETE,
	OPT_DETACH,
	OPT_DRY_RUN,
	OPT_EMAIL,
	OPT_ENDPOINT,
	OPT_ENGINE,
	OPT_EXIT_CODE,
	OPT_FIELD,
	OPT_FILE,
	OPT_FILTER,
	OPT_FOLLOW,
	OPT_FOR,
	OPT_FOREGROUND,
	OPT_GET,
	OPT_HEADER,
	OPT_HELP,
	OPT_HTML,
	OPT_IDENTITY,
	OPT_INSECURE,
	OPT_INSTALL,
	OPT_INTERVAL,
	OPT_KEY_FILE,
	OPT_LANG,
	OPT_LIMIT,
	OPT_LINE,
	OPT_LISTEN,
	OPT_MENU,
	OPT_MONTH,
	OPT_NAME,
	OPT_OFFSET,
	OPT_OUTPUT,
	OPT_PAGINATE,
	OPT_PARALLEL,
	OPT_PART_SIZE,
	OPT_PHONE,
	OPT_PROFILE,
	OPT_PRUNE,
	OPT_QUIET,
	OPT_RECURSIVE,
	OPT_REQUEST_TIMEOUT,
	OPT_RESUME,
	OPT_ROLLBACK,
	OPT_SEND,
	OPT_SHOW_ORIGIN,
	OPT_SKELETON,
	OPT_SOCKET,
	OPT_SORT,
	OPT_STACK,
	OPT_STATE,
	OPT_STOP_ON_ERROR,
	OPT_STRICT,
	OPT_TIMEOUT,
	OPT_TLS_CERT,
	OPT_TLS_KEY,
	OPT_TTY,
	OPT_VERSION,
	OPT_WAIT,
	OPT_YES,
	OPT_COUNT
};

enum opt_flag {
	OPT_LIST = 1,   /* may be repeated; commas separate */
	OPT_REPEAT = 2, /* may be repeated */
	OPT_MAYBE = 4,  /* the value may be left out; with '=' only */
	OPT_HIDDEN = 8,
	OPT_BLANK = 16 /* the value may be blank */
};

/* One option; a table of them ends with a NULL name. */
struct opt_row {
	const char *name;
	char letter; /* or 0 */
	int id;      /* enum opt */
	const char *
		value; /* what its value is called; NULL for a switch, which takes --no-NAME, too */
	const char *help; /* a phrase, no full stop */
	int flags;
};

extern const struct opt_row opts_global[], opts_call[], opts_list[], opts_change[], opts_wait[];

/* A field that an option may set: the way to it from the top, and how it is written. */
struct field_opt {
	const struct sv_field *way[8];
	size_t n;
	const char *fixed; /* a value of its own: the option takes none */
	const struct sv_field *also; /* one beside it, set from what follows the colon */
};

/* A command line, read. */
struct call {
	struct app *app;
	const char *noun, *action; /* as they are called, not as they were typed */
	const struct sv_kind *kind;
	const struct sv_verb *verb;
	const struct command *command; /* written by hand, or NULL */
	const struct sv_kind *in_kind; /* body or query, or NULL */
	int in_flag;                   /* SV_CREATE, SV_UPDATE, or 0 for a query */
	void *in;                      /* a root of in_kind, or NULL when nothing was given */
	const char *about;             /* what a word that is looked up belongs to, or NULL */
	struct words plain;            /* words that are no options */
	struct words after;            /* what follows -- */
	int dashes;                    /* -- was there */
	int counted;                   /* the number of cards was given as "--gpu MODEL:COUNT" */
	struct words expanded;         /* the line with an alias's words in its place */
	char *plugin;                  /* path of a program; its words are in after */
	struct words opt[OPT_COUNT];   /* values in the order given; a switch gives "1" or "0" */
};

/* What may stand where a command line ends: for completion. */
enum expect {
	EXPECT_NOTHING,
	EXPECT_NOUN,
	EXPECT_VERB,
	EXPECT_WORD,   /* a plain word, or an option */
	EXPECT_ROW,    /* the value of .row */
	EXPECT_FIELD,  /* the value of .field */
	EXPECT_PROGRAM /* a word of another program */
};

struct expected {
	enum expect what;
	const struct opt_row *row;
	struct field_opt field;
	const struct opt_row *tables[8]; /* rows that may stand there */
	size_t n_tables;
	struct words fields; /* options of fields that were given */
};

/* Reads words (all of them, the noun first). 0, or an exit status after an error was printed. */
int args_read(struct app *a, size_t n, char **words, struct call *call);
void args_free(struct call *call);
/* Reads the words before the cursor by the same parser, says what may follow, and prints, opens and
 * sets nothing. Ended by args_free() and expected_free(). */
void args_expect(struct app *a, size_t n, char **words, struct call *call, struct expected *ret);
void expected_free(struct expected *e);

/* The last value given, or NULL. */
const char *opt_value(const struct call *call, int id);
/* 1 when the switch is on. */
int opt_on(const struct call *call, int id);
/* 1 when --no-NAME was the last said. */
int opt_off(const struct call *call, int id);
/* A whole number or a duration from an option; missing means otherwise. 0, or an exit status. */
int opt_int(const struct call *call, int id, int64_t otherwise, int64_t *ret);
int opt_seconds(const struct call *call, int id, int64_t otherwise, int64_t *ret);
int64_t duration_of(const char *text, struct sv_error *err);

/* The option's name of a field, without its unit: "size_gib" -> "size". */
void option_name(const struct sv_field *f, char *buf, size_t size);
/* "auto_stop.max_cost" of a body -> "--auto-stop.max-cost". */
void option_of_path(const struct sv_kind *kind, const char *path, char *buf, size_t size);
/* 1 when the field is an option of a body (flag SV_CREATE or SV_UPDATE) or of a query (0). */
int field_offered(const struct sv_field *f, int flag, int nested);
/* Finds the field that an option's name means, nested and short forms included. */
int field_option(const struct call *call, const char *name, struct field_opt *ret);
/* A file's whole text, "-" for stdin. 0, or an exit status after an error was printed. */
int read_whole(struct app *a, const char *name, struct text *ret);
/* The short forms: the i-th, or NULL. */
struct short_form {
	const char *name, *path, *fixed, *help;
};
const struct short_form *short_form(size_t i);

#endif
