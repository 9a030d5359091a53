/* SPDX-License-Identifier: MIT */
/* What the commands that come from verbs share with those written by hand. */
#ifndef SVCTL_GENERIC_H
#define SVCTL_GENERIC_H

#include "args.h"
#include "out.h"

/* One thing that a command is about. */
struct target {
	const char *word; /* as typed */
	void *obj;        /* a root of call->kind, or NULL */
	char *id, *name;  /* name may be the id */
	void *answer;     /* a root of verb->out, or NULL */
	int status;       /* exit status of this one */
};

/* The bars of `billing usage --chart`. */
int usage_chart(struct call *call, const char *by);
/* How many plain words belong to the body rather than to targets; a pair is one. */
size_t positionals(const struct call *call);
/* The two rows that "THING:PATH" fills. 1 when the body has them. */
int pair_of(const struct sv_kind *in, const struct sv_field **thing, const struct sv_field **path);
/* Puts the body's plain words, from the i-th on, where they belong. 0 or an exit status. */
int take_positionals(struct call *call, size_t from);
/* 1 when the body holds anything. */
int given_any(const struct call *call);
/* Names inside the body that mean other resources become ids. */
int resolve_refs(struct call *call);
/* Calls fn for every word in obj that names a resource; what it returns, not 0, ends the walk. */
typedef int ref_fn(void *data, const struct sv_kind *to, const char **word);
int each_ref(const struct sv_kind *kind, void *obj, ref_fn *fn, void *data);
/* 1 unless the word is an id by its looks. */
int needs_asking(const struct sv_kind *kind, const char *word);
/* Checks the body before anything is sent. */
int check_body(struct call *call);

/* Finds one resource by what was typed. 0, or an exit status after an error was printed. */
int resolve(struct call *call, const struct sv_kind *kind, const char *word, void **ret);
/* "NAME (ID)" of what is called the same but for how its letters are put together, if any. */
void canonical_near(struct call *call, const struct sv_kind *kind, const char *word,
	struct text *ret);
/* A string member by its row's name; "" when there is none. */
const char *member_text(const struct sv_kind *kind, const void *obj, const char *field);
const char *id_of(const struct sv_kind *kind, const void *obj);
const char *name_of(const struct sv_kind *kind, const void *obj);

/* Asks before something is lost. 0 to go on, or an exit status. */
int confirm(struct call *call, const struct target *t, size_t n);
/* The same before anything is known: 0 when it can be asked, or need not be. */
int confirm_possible(struct call *call);

/* Asks for one word; 1 when it was typed. */
int confirm_word(struct app *a, const char *what, const char *word);

/* Shows the request as a command of curl. */
int curl_show(struct call *call, const char *id);
/* Shows what would be sent. */
int dry_run(struct call *call, const char *id);

/* Waits for what a call answered. 0 or an exit status after an error was printed. */
int wait_for(struct call *call, const struct sv_kind *kind, void **obj, const char *name);
/* The same for what somebody else's work may be at: only while its state is a passing one, and only
 * the state it ends in is judged. */
int wait_settled(struct call *call, const struct sv_kind *kind, void **obj, const char *name);
/* The same; one that was cancelled has not done what was waited for either. */
int wait_over(struct call *call, const struct sv_kind *kind, void **obj, const char *name);
/* Waits until call->kind's obj is in a state. */
int wait_state(struct call *call, void **obj, const char *want);
/* Prints a log as it grows, until it ends. */
int follow_log(struct call *call, const struct sv_kind *kind, const char *id);
/* What an hour of it costs, for people; nothing where it costs nothing. */
void price_of(struct app *a, const struct sv_kind *kind, const void *obj, struct text *ret);
/* Waits until one can log in. */
int wait_ssh(
	struct call *call, const struct sv_kind *kind, const void *obj, int64_t timeout_ms);
/* Milliseconds that waiting may take. */
int64_t wait_limit(struct call *call);

int list_run(struct call *call);
/* The same with a page source of one's own kind; in is the query. */
int list_verb(struct call *call, const struct sv_kind *kind, const struct sv_verb *verb, void *in);

/* Makes and registers the user's SSH key where none was named. */
int ssh_key_ready(struct call *call);

/* The body of the call's verb as YAML to fill in. */
int skeleton(struct call *call);

int help_of(struct call *call);
int help_noun(struct call *call);

#endif
