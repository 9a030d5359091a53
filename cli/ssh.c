/* SPDX-License-Identifier: MIT */
/* How to reach an instance by OpenSSH. What the service says is checked before it comes near a
 * command line, and host keys are kept by the instance's id, apart from the user's own known_hosts.
 */
#include "ssh.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "errors.h"
#include "generic.h"

extern char **environ;

/* Letters that no option, command or configuration can be made of. */
static int safe(const char *s, const char *more)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	if (!*s || *s == '-')
		return 0;
	for (; *s; s++)
		if (!strchr(letters, *s) && !strchr(more, *s))
			return 0;
	return 1;
}

static int take(struct call *call, const struct sv_instance *i, struct login *l)
{
	const struct sv_instance_ssh *s = i->ssh;
	struct app *a = call->app;

	if (!s || !s->host || !*s->host || !s->port)
		return fail_text(a, 6, _("instance %s cannot be logged in to: it is %s"),
			i->name ? i->name : i->id,
			i->status ? i->status : _("in an unknown state"));
	if (strlen(s->host) >= sizeof(l->host) || !safe(s->host, ".:-_%"))
		return fail_text(a, EXIT_UNREACHABLE,
			_("the service gave a host name that cannot be one: %s"), s->host);
	if (s->port < 1 || s->port > 65535)
		return fail_text(a, EXIT_UNREACHABLE,
			_("the service gave a port that cannot be one: %lld"), (long long)s->port);
	if (!s->user || strlen(s->user) >= sizeof(l->user) || !safe(s->user, "._-"))
		return fail_text(a, EXIT_UNREACHABLE,
			_("the service gave a user name that cannot be one: %s"),
			s->user ? s->user : "");
	if (!i->id || strlen(i->id) >= sizeof(l->id) || !safe(i->id, "_-"))
		return fail_text(a, EXIT_UNREACHABLE,
			_("the service gave an id that cannot be one: %s"), i->id ? i->id : "");
	snprintf(l->host, sizeof(l->host), "%s", s->host);
	snprintf(l->user, sizeof(l->user), "%s", s->user);
	snprintf(l->id, sizeof(l->id), "%s", i->id);
	l->port = (int)s->port;
	return 0;
}

/* A public key's type and body; what follows is a comment. One line of nothing strange. */
static int host_key(const char *key)
{
	return !strncmp(key, "ssh-", 4) || !strncmp(key, "ecdsa-", 6) || !strncmp(key, "sk-", 3)
		       ? safe(key, "-_.@+/= ")
		       : 0;
}

/* Replaces the file as a whole, so that two svctl at once leave one of their versions. */
static int write_known_hosts(const struct sv_instance *i, const struct login *l)
{
	struct text body = { 0 }, temp = { 0 };
	int fd, bad;

	for (size_t k = 0; k < i->ssh->host_keys.n; k++)
		if (host_key(i->ssh->host_keys.v[k]))
			text_fmt(&body, "%s %s\n", l->id, i->ssh->host_keys.v[k]);
	text_fmt(&temp, "%s.%ld", l->known_hosts, (long)getpid());
	fd = open(temp.s, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
	bad = fd < 0 || write(fd, text_of(&body), body.n) != (ssize_t)body.n;
	if (fd >= 0)
		close(fd);
	bad = bad || rename(temp.s, l->known_hosts);
	if (bad && fd >= 0)
		unlink(temp.s);
	text_free(&body);
	text_free(&temp);
	return bad;
}

int login_find(struct call *call, const char *word, struct login *ret)
{
	const struct sv_kind *kind = sv_kind_find("instance");
	struct text name = { 0 };
	void *obj = NULL;
	char *identity;
	int rc = resolve(call, kind, word, &obj);

	*ret = (struct login){ .port = 0 };
	if (!rc)
		rc = take(call, obj, ret);
	if (!rc) {
		text_fmt(&name, "ssh/hosts/%s", ret->id);
		ret->known_hosts = app_state_path(call->app, text_of(&name));
		if (!ret->known_hosts || write_known_hosts(obj, ret))
			rc = fail_text(call->app, 1, _("host keys could not be written to %s: %s"),
				ret->known_hosts ? ret->known_hosts : _("the state directory"),
				strerror(errno));
	}
	if (!rc) {
		identity = app_state_path(call->app, "ssh/id_ed25519");
		if (identity && !access(identity, R_OK))
			ret->identity = identity;
		else
			mem_free(identity);
	}
	text_free(&name);
	sv_free(obj);
	return rc;
}

void login_free(struct login *l)
{
	mem_free(l->known_hosts);
	mem_free(l->identity);
	*l = (struct login){ .port = 0 };
}

static void option(struct words *argv, const char *name, const char *value)
{
	struct text t = { 0 };

	/* ssh splits file lists at blanks, takes quotes, and expands % and ~. */
	text_fmt(&t, "%s=\"", name);
	for (; *value; value++) {
		if (*value == '%')
			text_chr(&t, '%');
		if (*value == '"' || *value == '\\')
			text_chr(&t, '\\');
		text_chr(&t, *value);
	}
	text_chr(&t, '"');
	words_push(argv, "-o");
	words_push(argv, text_of(&t));
	text_free(&t);
}

void login_options(const struct login *l, struct words *argv)
{
	static const char *const fixed[] = { "StrictHostKeyChecking=yes",
		"GlobalKnownHostsFile=/dev/null", "UpdateHostKeys=no", "CheckHostIP=no",
		"PasswordAuthentication=no", "KbdInteractiveAuthentication=no", "LogLevel=ERROR" };
	struct text t = { 0 };

	for (size_t i = 0; i < COUNT(fixed); i++) {
		words_push(argv, "-o");
		words_push(argv, fixed[i]);
	}
	option(argv, "UserKnownHostsFile", l->known_hosts);
	option(argv, "HostKeyAlias", l->id);
	if (l->identity)
		option(argv, "IdentityFile", l->identity);
	text_fmt(&t, "Port=%d", l->port);
	words_push(argv, "-o");
	words_push(argv, text_of(&t));
	text_free(&t);
}

/* The environment without what opens the account. */
static char **scrubbed(void)
{
	size_t n = 0, k = 0;
	char **e;

	while (environ[n])
		n++;
	e = mem_new(n + 1, sizeof(*e));
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "STARVERSE_API_KEY", 17) != 0)
			e[k++] = environ[i];
	return e;
}

static int spawn(char *const *argv, posix_spawn_file_actions_t *actions, pid_t *pid)
{
	char **env = scrubbed();
	posix_spawnattr_t attr;
	sigset_t none, fresh;
	int why;

	sigemptyset(&none);
	sigemptyset(&fresh);
	sigaddset(&fresh, SIGINT);
	sigaddset(&fresh, SIGQUIT);
	sigaddset(&fresh, SIGPIPE);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &fresh);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	why = posix_spawnp(pid, argv[0], actions, &attr, argv, env);
	posix_spawnattr_destroy(&attr);
	mem_free(env);
	return why;
}

static int status_of(pid_t pid)
{
	int st = 0;

	while (waitpid(pid, &st, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFSIGNALED(st) ? 128 + WTERMSIG(st) : WEXITSTATUS(st);
}

int run_program(struct app *a, char *const *argv)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, interrupt, quit;
	pid_t pid;
	int why, status = 1;

	sink_flush(&a->out);
	/* The keyboard's signals are the program's while it runs. */
	sigaction(SIGINT, &ignore, &interrupt);
	sigaction(SIGQUIT, &ignore, &quit);
	why = spawn(argv, NULL, &pid);
	if (!why)
		status = status_of(pid);
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGQUIT, &quit, NULL);
	if (why)
		fail_text(a, 1, "%s: %s", argv[0], i18n_errno(why));
	return status;
}

int run_reading(char *const *argv, int fd, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int why;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fd, STDIN_FILENO);
	why = spawn(argv, &actions, pid);
	posix_spawn_file_actions_destroy(&actions);
	return why;
}

int run_quietly(char *const *argv, struct app *a)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int why;

	(void)a;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
	why = spawn(argv, &actions, &pid);
	posix_spawn_file_actions_destroy(&actions);
	return why ? 127 : status_of(pid);
}

void shell_quote(struct text *t, const char *word)
{
	text_chr(t, '\'');
	for (; *word; word++)
		if (*word == '\'')
			text_str(t, "'\\''");
		else
			text_chr(t, *word);
	text_chr(t, '\'');
}
