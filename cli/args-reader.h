/* SPDX-License-Identifier: MIT */
/* What the parser of options knows while it reads: for its own files alone. */
#ifndef SVCTL_ARGS_READER_H
#define SVCTL_ARGS_READER_H

#include "args.h"

/* A field's option, kept until the file was read. */
struct setting {
	struct field_opt to;
	const char *name;
	char *value; /* NULL: the field is cleared */
};

struct reader {
	struct call *call;
	char **words;
	size_t n, i;
	struct setting *settings;
	size_t n_settings;
	const struct opt_row *tables[8];
	size_t n_tables;
	struct expected *expected; /* for completion: what is missing at the end, is wanted there */
};

/* Sets the fields. 0, or an exit status after an error was printed. */
int args_apply(const struct reader *r);

#endif
