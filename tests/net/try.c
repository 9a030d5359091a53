/* SPDX-License-Identifier: MIT */
/* One or more calls, told as JSON lines, for a mock to judge: try [-t] [-p SECONDS] KIND VERB [ARG
 * [BODY]] [+ KIND ...]. -t traces on stderr, -p pauses between calls. The configuration is the
 * environment's. Counts SIGPIPE and SIGALRM: the library must leave both to the program. */
#include <signal.h>
#include <starverse.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
	(void)number;
	signals++;
}

static void say(void *data, const char *line)
{
	fprintf(data, "%s\n", line);
}

static int call(sv_client *c, char **words, int n)
{
	const char *const args[] = { n > 2 ? words[2] : NULL, NULL };
	const struct sv_error *e;
	char *text = NULL;
	int r = sv_run_json(c, words[0], n > 1 ? words[1] : "", n > 2 && *words[2] ? args : NULL,
		n > 3 ? words[3] : NULL, &text);

	e = sv_client_error(c);
	printf("{\"code\":%d,\"http\":%d,\"unknown\":%d,\"retry_after_ms\":%lld,\"answer\":%s}\n",
		r, e->http_status, e->outcome_unknown, (long long)e->retry_after_ms,
		text ? text : "null");
	sv_free_text(text);
	return r;
}

static void pause_for(int ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000L };

	while (nanosleep(&t, &t))
		continue;
}

int main(int argc, char **argv)
{
	struct sigaction act = { .sa_handler = on_signal };
	struct sv_error err = { .code = 0 };
	struct sv_config *config = NULL;
	sv_client *c = NULL;
	int at = 1, trace = 0, pause_ms = 0, r;

	sigaction(SIGPIPE, &act, NULL);
	sigaction(SIGALRM, &act, NULL);
	for (; at < argc && argv[at][0] == '-'; at++) {
		if (!strcmp(argv[at], "-t"))
			trace = 1;
		else
			pause_ms = (int)(atof(argv[++at]) * 1000);
	}
	r = sv_config_load(NULL, NULL, &config, &err);
	if (!r)
		r = sv_config_check(config, &err);
	if (!r)
		r = sv_client_new(config, &c);
	if (r) {
		printf("{\"code\":%d,\"refused\":\"%s\"}\n", r, err.message);
		sv_free(config);
		return 1;
	}
	if (trace)
		sv_client_trace(c, say, stderr);
	while (at < argc) {
		int n = 0;

		while (at + n < argc && strcmp(argv[at + n], "+") != 0)
			n++;
		call(c, argv + at, n);
		at += n + 1;
		if (at < argc && pause_ms)
			pause_for(pause_ms);
	}
	sv_client_free(c);
	sv_free(config);
	sigaction(SIGPIPE, NULL, &act);
	printf("{\"signals\":%d,\"kept\":%d}\n", (int)signals, act.sa_handler == on_signal);
	return 0;
}
