/* SPDX-License-Identifier: MIT */
/* OpenSSH, run for the user with keys and known hosts of svctl's own. */
#ifndef SVCTL_SSH_H
#define SVCTL_SSH_H

#include <starverse/instance.h>

#include "args.h"

/* Where and how to log in, checked. */
struct login {
	char host[256], user[64], id[96];
	int port;
	char *known_hosts, *identity; /* files; identity may be NULL */
};

/* Finds the instance and its way in. 0, or an exit status after an error was printed. */
int login_find(struct call *call, const char *word, struct login *ret);
void login_free(struct login *l);
/* The options that every run of ssh, scp and sftp gets. */
void login_options(const struct login *l, struct words *argv);
/* Runs a program with the user's terminal and without the API key; its status, or 1 after an error
 * was printed. */
int run_program(struct app *a, char *const *argv);
/* Starts one that reads from fd; 0 or an errno. */
int run_reading(char *const *argv, int fd, pid_t *pid);
/* The same with output thrown away. */
int run_quietly(char *const *argv, struct app *a);
/* 0 when one can log in. */
int ssh_try(struct app *a, const struct login *l);
/* One word for a POSIX shell. */
void shell_quote(struct text *t, const char *word);

#endif
