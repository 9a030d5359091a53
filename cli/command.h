/* SPDX-License-Identifier: MIT */
/* The commands: those written by hand stand in a table; all others come from the verbs of the
 * resources. */
#ifndef SVCTL_COMMAND_H
#define SVCTL_COMMAND_H

#include "args.h"

enum command_flag {
	CMD_REST = 1,     /* everything after the first plain word belongs to a program */
	CMD_NOTARGET = 2, /* no resource is named by a plain word */
	CMD_KEYLESS = 8,  /* works without an API key */
	CMD_DASHES = 16,  /* what follows -- is a command line of its own */
	CMD_OUTPUT = 4    /* takes the options of lists */
};

/* A command written by hand. */
struct command {
	const char *noun;
	const char *verb;           /* "" when the noun is all */
	const char *synopsis;       /* what follows */
	const char *help;           /* a phrase */
	const struct opt_row *opts; /* of its own, or NULL */
	const char *body_of;        /* verb whose body's fields are options ("create"), or NULL */
	const char *body_kind;      /* and its resource, where it is not the noun */
	int flags;
	int (*run)(struct call *call);
	/* What its plain words are, for completion, separated by blanks: a word to be typed as it
	 * is
	 * ("GET|POST"), or of COMPLETE_... below; the last one repeats. NULL: names of the noun,
	 * unless CMD_NOTARGET. */
	const char *plain;
};

/* The i-th row, sorted by noun and verb, or NULL. */
const struct command *command_at(size_t i);
const struct command *command_find(const char *noun, const char *verb);
/* 1 when some command or resource has this noun; *kind is the resource, or NULL. The canonical name
 * is returned. */
const char *noun_find(const char *word, const struct sv_kind **kind);
/* A verb's canonical word for what was typed: ls is list. */
const char *verb_alias(const char *word);
/* The i-th noun of all, sorted, or NULL. */
const char *noun_at(size_t i, const struct sv_kind **kind, const char **help);
/* The i-th word that may follow a noun, sorted, or NULL; verb or command is set. */
struct action {
	const char *name, *help;
	const struct sv_verb *verb;
	const struct command *command;
};
size_t actions_of(const char *noun, const struct sv_kind *kind, struct action *ret, size_t max);
/* "instance stop NAME|ID... [--save-image SAVE-IMAGE]" */
void synopsis(const struct call *call, struct text *ret);
/* Puts the options of every command where they hold. */
void globals_take(struct app *a, const struct call *call);
/* 1 for options that choose where a request goes: they make a client of their own, for one command.
 */
int own_client(const struct call *call);
/* Runs one command line: the words after "svctl". An exit status. */
int command_run(struct app *a, size_t n, char **words);
/* Checks every table; prints what is wrong. */
int selftest(struct call *call);

/* The commands. */
int generic_run(struct call *call);
int cmd_account_register(struct call *call);
int cmd_api(struct call *call);
int cmd_apply(struct call *call);
int cmd_billing_balance(struct call *call);
int cmd_billing_budgets(struct call *call);
int cmd_billing_report(struct call *call);
int cmd_billing_statement(struct call *call);
int cmd_billing_tco(struct call *call);
int cmd_billing_usage(struct call *call);
int cmd_complete(struct call *call);
int cmd_completion(struct call *call);
int cmd_config_get(struct call *call);
int cmd_config_list(struct call *call);
int cmd_config_set(struct call *call);
int cmd_config_unset(struct call *call);
int cmd_config_use(struct call *call);
int cmd_delete(struct call *call);
int cmd_diff(struct call *call);
int cmd_doctor(struct call *call);
int cmd_event_follow(struct call *call);
int cmd_explain(struct call *call);
int cmd_export(struct call *call);
int cmd_help(struct call *call);
int cmd_instance_cp(struct call *call);
int cmd_instance_exec(struct call *call);
int cmd_job_compare(struct call *call);
int cmd_job_metrics(struct call *call);
int cmd_job_run(struct call *call);
int cmd_instance_ssh(struct call *call);
int cmd_local(struct call *call);
int cmd_login(struct call *call);
int cmd_logs(struct call *call);
int cmd_man(struct call *call);
int cmd_texts(struct call *call);
int cmd_quote(struct call *call);
int cmd_shell(struct call *call);
int cmd_ssh_config(struct call *call);
int cmd_storage_cp(struct call *call);
int cmd_storage_ls(struct call *call);
int cmd_storage_rm(struct call *call);
int cmd_storage_sync(struct call *call);
int cmd_top(struct call *call);
int cmd_version(struct call *call);
int cmd_wait(struct call *call);

#endif
