/* SPDX-License-Identifier: MIT */
/* The helper that hosts the local platform; started by the library for the endpoint "local:", or by
 * `svctl local`. */
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <starverse/common.h>
#include <starverse/error.h>

#include "base/str.h"
#include "local/catalog.h"
#include "local/daemon.h"
#include "local/s3/serve.h"

#define IDLE_SECONDS 600

static const struct option options[] = {
	{ "catalog", required_argument, NULL, 'c' },
	{ "clock", required_argument, NULL, 'k' },
	{ "daemon", no_argument, NULL, 'd' },
	{ "engine", required_argument, NULL, 'e' },
	{ "foreground", no_argument, NULL, 'f' },
	{ "help", no_argument, NULL, 'h' },
	{ "idle", required_argument, NULL, 'i' },
	{ "listen", required_argument, NULL, 'l' },
	{ "socket", required_argument, NULL, 's' },
	{ "state", required_argument, NULL, 'S' },
	{ "s3", required_argument, NULL, '3' }, /* the daemon's own: see local/s3/serve.h */
	{ "print-catalog", no_argument, NULL, 'p' },
	{ "tls-cert", required_argument, NULL, 'C' },
	{ "tls-key", required_argument, NULL, 'K' },
	{ "version", no_argument, NULL, 'V' },
	{ 0 },
};

static const char usage[] = "usage: svctl-local [--daemon|--foreground] [--state DIR] [--socket "
			    "PATH] [--engine sandbox|none]\n"
			    "                   [--clock real|stepped] [--listen ADDR:PORT "
			    "[--tls-cert F --tls-key F]]\n"
			    "                   [--catalog F] [--idle SECONDS]\n"
			    "       svctl-local --print-catalog\n";

/* Where state and socket lie when nobody says; absolute paths. */
struct places {
	char state[PATH_MAX], socket[PATH_MAX], catalog[PATH_MAX], cert[PATH_MAX], key[PATH_MAX];
};

static int complain(const char *what, const char *value)
{
	fprintf(stderr, "svctl-local: %s%s\n", what, value);
	return sv_exit_code(SV_INVALID);
}

static void absolute(const char *path, char *buf, size_t size)
{
	char cwd[PATH_MAX];
	int n;

	if (*path == '/' || *path == '@' || !getcwd(cwd, sizeof(cwd)))
		n = snprintf(buf, size, "%s", path);
	else
		n = snprintf(buf, size, "%s/%s", cwd, path);
	if (n < 0 || (size_t)n >= size) /* too long for any call: let the first one say so */
		memset(buf, 'x', size - 1);
}

static void defaults(struct places *at)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME"),
		   *run = getenv("XDG_RUNTIME_DIR");

	if (!*at->state && state && *state == '/')
		snprintf(at->state, sizeof(at->state), "%s/starverse/local", state);
	else if (!*at->state)
		snprintf(at->state, sizeof(at->state), "%s/.local/state/starverse/local",
			home ? home : "");
	if (!*at->socket && run && *run == '/')
		snprintf(at->socket, sizeof(at->socket), "%s/starverse/local.sock", run);
	else if (!*at->socket)
		snprintf(at->socket, sizeof(at->socket), "%.*s/local.sock", PATH_MAX - 12,
			at->state);
}

/* One option into its place; an exit code, or -1 to go on. */
static int take(int c, struct daemon_options *o, struct places *at)
{
	switch (c) {
	case 'c': absolute(optarg, at->catalog, sizeof(at->catalog)); return -1;
	case 'C': absolute(optarg, at->cert, sizeof(at->cert)); return -1;
	case 'K': absolute(optarg, at->key, sizeof(at->key)); return -1;
	case 's':
		absolute(optarg, at->socket, sizeof(at->socket));
		return *optarg ? -1 : complain("--socket: ", "empty");
	case 'S':
		absolute(optarg, at->state, sizeof(at->state));
		return *optarg ? -1 : complain("--state: ", "empty");
	case 'd': o->foreground = 0; return -1;
	case 'f': o->foreground = 1; return -1;
	case 'e': o->engine = optarg; return -1;
	case 'l': o->listen = optarg; return -1;
	case 'k':
		o->stepped = !strcmp(optarg, "stepped");
		return o->stepped || !strcmp(optarg, "real")
			       ? -1
			       : complain("--clock: real or stepped, not ", optarg);
	case 'i':
		return sv_parse_int(optarg, &o->idle_seconds) || o->idle_seconds < 0
			       ? complain("--idle: a number of seconds, not ", optarg)
			       : -1;
	case '3':
		complain("--s3: ", sv_strerror(s3_serve(optarg)));
		return sv_exit_code(SV_IO);
	case 'p': fputs(catalog_text(), stdout); return 0;
	case 'V': printf("svctl-local %s\n", SV_VERSION); return 0;
	case 'h': fputs(usage, stdout); return 0;
	default: fputs(usage, stderr); return sv_exit_code(SV_INVALID);
	}
}

int main(int argc, char **argv)
{
	struct daemon_options o = { .stepped = -1, .idle_seconds = IDLE_SECONDS };
	struct places at = { "", "", "", "", "" };
	char message[600] = "";
	int c, rc;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		rc = take(c, &o, &at);
		if (rc >= 0)
			return rc;
	}
	if (optind < argc)
		return complain("unexpected: ", argv[optind]);
	defaults(&at);
	o.state_dir = at.state;
	o.socket = at.socket;
	o.catalog = *at.catalog ? at.catalog : NULL;
	o.tls_cert = *at.cert ? at.cert : NULL;
	o.tls_key = *at.key ? at.key : NULL;
	rc = daemon_run(&o, message, sizeof(message));
	if (rc)
		fprintf(stderr, "svctl-local: %s\n", message);
	return sv_exit_code(rc);
}
