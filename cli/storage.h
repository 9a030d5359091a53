/* SPDX-License-Identifier: MIT */
/* What the commands on cloud storage share: where things are, trees of files, and how moving them
 * looks. */
#ifndef SVCTL_STORAGE_H
#define SVCTL_STORAGE_H

#include <time.h>

#include <starverse/bucket.h>

#include "out.h"

/* One side of a copy: a path here, or NAME:/KEY in a storage, or - for a stream. */
struct side {
	const char *word; /* as typed */
	char *name;       /* of the storage; NULL: it is here */
	char *key;        /* in it, without a slash in front; "" for all of it */
	int stream;
	sv_bucket *bucket; /* once it is open */
};

/* Takes a word apart. */
void side_read(struct side *s, const char *word);
void side_free(struct side *s);
/* What is about to be lost can be asked about, or need not be. 0, or an exit status. */
int loss_askable(struct call *call);
/* Asks for the word, where n things are lost. 0 to go on, or an exit status. */
int loss_confirmed(struct call *call, const char *list, const char *word, size_t n);
/* Opens its bucket. 0, or an exit status after an error was printed. */
int side_open(struct call *call, struct side *s);
/* The last part of a path or key; "" where it ends with a slash. */
const char *leaf_of(const char *path);
/* a and b with one slash between them; either may be empty. Ended by mem_free(). */
char *join_path(const char *a, const char *b);
/* A key with a slash at its end; "" stays. Ended by mem_free(). */
char *below_key(const char *key);

/* A file below a directory. */
struct tree_file {
	char *path; /* from the directory, with slashes */
	int64_t size, mtime;
};
struct tree {
	struct tree_file *v; /* by path, in bytes */
	size_t n, cap;
};

/* All regular files below dir. 0, or an exit status after an error was printed. */
int tree_read(struct app *a, const char *dir, struct tree *ret);
void tree_free(struct tree *t);
/* 1 when a key may become a path below a directory: no part of it is empty, "." or "..". */
int tree_safe(const char *key);
/* Makes the directories above path. 0 or errno. */
int tree_parents(const char *path);

/* A transfer as a row of the answer. */
struct move {
	struct sv_set set;
	const char *action, *source, *target;
	int64_t size_bytes, sent_bytes, resumed_bytes;
	const char *etag;
};
extern const struct sv_kind move_kind;

/* One command's moves. */
struct moving {
	struct call *call;
	struct out out;
	int silent; /* stdout is the object's own */
	int dry;
	size_t failed, done;
	int status; /* of the first failure */
	/* The one that is shown. */
	char *what;
	struct timespec begun, said;
	int64_t first, last,
		total; /* bytes at its begin, now and at its end; total -1: not known */
};

int moving_begin(struct moving *m, struct call *call);
/* Ends it: the exit status. */
int moving_end(struct moving *m, int rc);
/* Options of the command line, and this as the listener. Ended by sv_free(). NULL after an error
 * was printed. */
struct sv_transfer *moving_transfer(struct moving *m, const char *what);
/* Tells one move that went well. */
int moving_done(struct moving *m, const char *action, const char *source, const char *target,
	const struct sv_bucket_object *o, const struct sv_transfer *t);
/* Tells one that did not. 0 to go on with others, or an exit status. */
int moving_failed(struct moving *m, const char *subject);
/* Tells that nothing is there; the rest as moving_failed(). */
int moving_missing(struct moving *m, const char *subject);
/* Says what an interrupt leaves. */
void moving_stopped(struct moving *m);

/* "1.5 GiB" of a rate or an amount. */
void text_amount(struct text *t, int64_t bytes);

/* Whole moves, told as rows. 0 to go on, or an exit status. */
int move_up(struct moving *m, const char *path, struct side *to, const char *key);
int move_down(struct moving *m, struct side *from, const char *key, const char *path);
int move_across(struct moving *m, struct side *from, const char *from_key, struct side *to,
	const char *key);
int move_away(struct moving *m, struct side *at, const char *const *keys, size_t n);

/* Calls each for every object below a key, which is taken as a directory. 0, or an exit status. */
int each_object(struct call *call, struct side *s, const char *prefix, const char *delimiter,
	int (*each)(void *data, const struct sv_bucket_object *const *v, size_t n), void *data);

#endif
