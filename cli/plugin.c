/* SPDX-License-Identifier: MIT */
/* Programs called svctl-NAME on PATH. Unlike other programs they act for the account: they get the
 * key, the profile and the endpoint in the environment. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "errors.h"
#include "extend.h"
#include "out.h"

#define PREFIX      "svctl-"
#define NAME_LEN    64
#define FOLDERS_MAX 32 /* remembered; any more are read each time */

extern char **environ;

/* Programs of this project's that are found beside svctl where it was built, and are no commands.
 */
static int is_ours(const char *name)
{
	static const char *const ours[] = { "courier", "inside", "local" };

	for (size_t k = 0; k < COUNT(ours); k++)
		if (!strcmp(name, ours[k]))
			return 1;
	return 0;
}

static int plain_name(const char *s)
{
	size_t n = 0;

	for (; s[n]; n++)
		if (!isalnum((unsigned char)s[n]) && (!n || !strchr("-_.", s[n])))
			return 0;
	return n && n <= NAME_LEN;
}

static int runs(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode) && !access(path, X_OK);
}

/* The i-th folder of PATH; 0 when there are no more. Relative ones are passed over: what a command
 * is must not depend on where one stands. */
static int folder(const char **path, struct text *ret)
{
	ret->n = 0;
	while (*path && **path) {
		size_t n = strcspn(*path, ":");

		if (**path == '/')
			text_add(ret, *path, n);
		*path += n + ((*path)[n] == ':');
		if (ret->n)
			return 1;
	}
	return 0;
}

char *plugin_find(const struct app *a, const char *name)
{
	const char *path = a->env.path;
	struct text t = { 0 };

	if (!plain_name(name) || is_ours(name))
		return NULL;
	while (folder(&path, &t)) {
		text_fmt(&t, "/" PREFIX "%s", name);
		if (runs(t.s))
			return t.s;
	}
	text_free(&t);
	return NULL;
}

/* Folders that were read. */
struct seen {
	struct stat st[FOLDERS_MAX];
	size_t n;
};

/* The folder, when there is one that was not read by another name: reading is what help costs, and
 * /bin is mostly /usr/bin. */
static DIR *open_new(struct seen *seen, const char *path)
{
	struct stat st;

	if (stat(path, &st))
		return NULL;
	for (size_t i = 0; i < seen->n; i++)
		if (seen->st[i].st_dev == st.st_dev && seen->st[i].st_ino == st.st_ino)
			return NULL;
	if (seen->n < FOLDERS_MAX)
		seen->st[seen->n++] = st;
	return opendir(path);
}

/* The names in the folder of this path, which is changed. */
static void plugins_in(DIR *d, struct text *path, struct words *names)
{
	const size_t len = path->n;
	const struct dirent *e;

	while ((e = readdir(d)) != NULL) {
		const char *name = e->d_name + strlen(PREFIX);

		if (strncmp(e->d_name, PREFIX, strlen(PREFIX)) != 0 || !plain_name(name) ||
			is_ours(name) || words_has(names, name))
			continue;
		path->n = len;
		text_fmt(path, "/%s", e->d_name);
		if (runs(path->s))
			words_push(names, name);
	}
}

void plugins(const struct app *a, struct words *names)
{
	const char *path = a->env.path;
	struct seen seen = { .n = 0 };
	struct text t = { 0 };

	while (folder(&path, &t)) {
		DIR *d = open_new(&seen, t.s);

		if (!d)
			continue;
		plugins_in(d, &t, names);
		closedir(d);
	}
	text_free(&t);
}

static void setting(struct words *env, const char *name, const char *value)
{
	struct text t = { 0 };

	if (!value || !*value)
		return;
	text_fmt(&t, "%s=%s", name, value);
	words_push(env, text_of(&t));
	if (t.s)
		explicit_bzero(t.s, t.n);
	text_free(&t);
}

/* The profile, where it is, and what else flags said: each as the variable that says the same. */
static void settings(const struct sv_config *c, struct words *env)
{
	const struct sv_kind *kind = sv_kind_config();

	for (uint32_t i = 0; i < kind->n; i++) {
		const struct sv_field *f = &kind->fields[i];
		struct column column = { .way = { f }, .n = 1 };
		struct text name = { 0 }, value = { 0 };
		int told = !strcmp(f->name, "profile") || !strcmp(f->name, "endpoint") ||
			   !strcmp(sv_config_origin(c, f->name), "flag");

		if (!told || f->type == SV_STRS || (f->flags & SV_SECRET) ||
			!column_text(&column, c, &value))
			continue;
		text_str(&name, "STARVERSE_");
		for (const char *p = f->name; *p; p++)
			text_chr(&name, (char)toupper((unsigned char)*p));
		if (f->type == SV_SECONDS)
			text_chr(&value, 's');
		setting(env, text_of(&name), text_of(&value));
		text_free(&name);
		text_free(&value);
	}
	setting(env, "STARVERSE_API_KEY", c->api_key);
}

static int begins(const char *s, const char *with)
{
	return !strncmp(s, with, strlen(with));
}

static int among(const struct words *env, const char *entry)
{
	size_t n = strcspn(entry, "=") + 1;

	for (size_t i = 0; i < env->n; i++)
		if (!strncmp(env->v[i], entry, n))
			return 1;
	return 0;
}

/* The environment as it is, with what this svctl was told in the place of what stands there. */
static void environment(struct app *a, struct words *env)
{
	const char *color = a->given.color ? a->given.color : "auto";
	const struct sv_config *c;
	int status;

	a->silent++;
	c = app_config(a, &status);
	a->silent--;
	if (c)
		settings(c, env);
	if (!strcmp(color, "never"))
		setting(env, "NO_COLOR", "1");
	if (!strcmp(color, "always"))
		setting(env, "CLICOLOR_FORCE", "1");
	for (size_t i = 0; environ[i]; i++)
		if (!among(env, environ[i]) && !(c && begins(environ[i], "STARVERSE_API_KEY=")) &&
			!(!strcmp(color, "always") && begins(environ[i], "NO_COLOR=")))
			words_push(env, environ[i]);
}

static int beside(struct app *a, const char *path, char **argv, char **env)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit;
	posix_spawnattr_t attr;
	sigset_t none, fresh;
	int why, st = 0;
	pid_t pid;

	sigemptyset(&none);
	sigemptyset(&fresh);
	sigaddset(&fresh, SIGINT);
	sigaddset(&fresh, SIGQUIT);
	sigaddset(&fresh, SIGPIPE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &fresh);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	why = posix_spawn(&pid, path, NULL, &attr, argv, env);
	while (!why && waitpid(pid, &st, 0) < 0)
		why = errno == EINTR ? 0 : errno;
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	posix_spawnattr_destroy(&attr);
	if (why)
		return fail_text(a, 1, "%s: %s", path, strerror(why));
	return WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
}

int plugin_run(struct call *call)
{
	struct app *a = call->app;
	struct words argv = { 0 }, env = { 0 };
	int rc;

	words_push(&argv, call->plugin);
	if (opt_on(call, OPT_HELP))
		words_push(&argv, "--help");
	for (size_t i = 0; i < call->after.n; i++)
		words_push(&argv, call->after.v[i]);
	environment(a, &env);
	sink_flush(&a->out);
	if (a->in_shell) {
		rc = beside(a, call->plugin, argv.v, env.v);
	} else {
		execve(call->plugin, argv.v, env.v);
		rc = fail_text(a, 1, "%s: %s", call->plugin, strerror(errno));
	}
	words_free(&argv);
	words_free(&env);
	return rc;
}
