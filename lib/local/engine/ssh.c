/* SPDX-License-Identifier: MIT */
/* SSH into an instance: the daemon listens, and each connection gets an sshd of its own, run inside
 * with that socket. Nothing waits inside, and the instance needs no network for it. */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <base/arena.h>
#include <base/buf.h>
#include <starverse/common.h>

#define INSIDE      "/run/sv/ssh"
#define INSIDE_SSHD "/run/sv/sshd"

static const char config[] =
	"HostKey " INSIDE "/host_ed25519\nAuthorizedKeysFile " INSIDE
	"/authorized_keys .ssh/authorized_keys\n"
	"PubkeyAuthentication yes\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
	"PermitRootLogin prohibit-password\nUsePAM no\nStrictModes no\nPidFile none\nPrintMotd no\n"
	"PrintLastLog no\nUseDNS no\nX11Forwarding no\nPermitTunnel no\nAcceptEnv LANG LC_* TERM\n"
	"LogLevel ERROR\nLoginGraceTime 60\nSubsystem sftp internal-sftp\n";

/* Newer releases run helpers by fixed paths; an unpacked tree has them elsewhere. */
static const char *const helpers[][2] = {
	{ "SshdSessionPath", "usr/lib/openssh/sshd-session" },
	{ "SshdAuthPath", "usr/lib/openssh/sshd-auth" },
	{ NULL, NULL },
};

static void add_helpers(const struct engine *e, struct sv_buf *b)
{
	char tree[BOX_PATH_MAX], path[BOX_PATH_MAX + 64];

	if (sv_sshd_find(e, tree, sizeof(tree)) || !tree[0])
		return;
	for (size_t i = 0; helpers[i][0]; i++) {
		snprintf(path, sizeof(path), "%s/%s", tree, helpers[i][1]);
		if (!access(path, X_OK))
			sv_buf_fmt(b, "%s " INSIDE_SSHD "/%s\n", helpers[i][0], helpers[i][1]);
	}
}

/* sshd takes only the first SetEnv line, so all are in one; it knows no line breaks. */
static void add_env(const struct engine *e, const char *id, struct sv_buf *b)
{
	const char *const *env = sv_env_load(e, id);
	const char *lead = "SetEnv";

	for (size_t i = 0; env[i]; i++) {
		if (strpbrk(env[i], "\r\n"))
			continue;
		sv_buf_fmt(b, "%s \"", lead);
		lead = "";
		for (const char *p = env[i]; *p; p++) {
			if (*p == '"' || *p == '\\')
				sv_buf_chr(b, '\\');
			sv_buf_chr(b, *p);
		}
		sv_buf_chr(b, '"');
	}
	sv_buf_chr(b, '\n');
}

static int make_key(const char *path, const char *comment)
{
	const char *argv[] = { "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", comment, "-f",
		path, NULL };
	char public[BOX_PATH_MAX + 8];

	snprintf(public, sizeof(public), "%s.pub", path);
	if (!access(path, F_OK) && !access(public, F_OK))
		return SV_OK;
	unlink(path); /* half a pair would make the program ask */
	return sv_run_program(argv) ? SV_IO : SV_OK;
}

/* The engine's own key, by which it tries that a login works. */
int sv_ssh_login_key(const struct engine *e)
{
	char path[BOX_PATH_MAX];

	return sv_state_path(e, path, sizeof(path), "login_key")
		       ? SV_INVALID
		       : make_key(path, "starverse-login");
}

int sv_ssh_keys(const struct engine *e, const char *id, const char *const *keys)
{
	char path[BOX_PATH_MAX], own[1024];
	struct sv_buf b;
	int code;

	sv_buf_init(&b, BOX_KEYS_MAX);
	if (!sv_state_path(e, path, sizeof(path), "login_key.pub") &&
		!sv_file_read(path, own, sizeof(own), NULL))
		sv_buf_fmt(&b, "%s", own);
	for (size_t i = 0; keys && keys[i]; i++)
		if (!strpbrk(keys[i], "\r\n"))
			sv_buf_fmt(&b, "%s\n", keys[i]);
	code = b.failed ? SV_INVALID
			: sv_state_path(
				  e, path, sizeof(path), "instances/%s/ssh/authorized_keys", id);
	if (!code)
		code = sv_file_write(path, sv_buf_text(&b), b.len, 0600);
	sv_buf_free(&b);
	return code;
}

int sv_ssh_files(const struct engine *e, const struct engine_spec *s, struct engine_result *r)
{
	char path[BOX_PATH_MAX];
	struct sv_buf b;
	int code;

	if (sv_state_path(e, path, sizeof(path), "instances/%s/ssh", s->id) ||
		(mkdir(path, 0755) && errno != EEXIST))
		return sv_fail_errno(r, "the instance's ssh directory");
	if (sv_state_path(e, path, sizeof(path), "instances/%s/ssh/host_ed25519", s->id) ||
		make_key(path, s->hostname))
		return sv_fail(r, SV_FAILED, NULL,
			"no host key: ssh-keygen (openssh-client) is missing or failed");
	if (sv_env_save(e, s))
		return sv_fail(r, SV_INVALID, NULL, "env: the environment is too long");
	sv_buf_init(&b, BOX_ENV_MAX * 2);
	sv_buf_str(&b, config);
	add_helpers(e, &b);
	add_env(e, s->id, &b);
	code = b.failed ? SV_INVALID
			: sv_state_path(
				  e, path, sizeof(path), "instances/%s/ssh/sshd_config", s->id);
	if (!code)
		code = sv_file_write(path, b.data, b.len, 0600);
	sv_buf_free(&b);
	if (!code)
		code = sv_ssh_keys(e, s->id, s->authorized);
	return code ? sv_fail_errno(r, "the instance's ssh files") : SV_OK;
}

int sv_ssh_host_key(const struct engine *e, const char *id, char *buf, size_t size)
{
	char path[BOX_PATH_MAX], *blank;

	buf[0] = '\0';
	if (sv_state_path(e, path, sizeof(path), "instances/%s/ssh/host_ed25519.pub", id) ||
		sv_file_read(path, buf, size, NULL))
		return SV_NOTFOUND;
	buf[strcspn(buf, "\n")] = '\0';
	blank = strchr(buf, ' ');
	blank = blank ? strchr(blank + 1, ' ') : NULL; /* the comment */
	if (blank)
		*blank = '\0';
	return SV_OK;
}

/* Every library directory of the unpacked tree, for the loader. */
static void library_path(char *buf, size_t size)
{
	static const char *const roots[] = { INSIDE_SSHD "/usr/lib", INSIDE_SSHD "/lib", NULL };
	size_t n = (size_t)snprintf(buf, size, "LD_LIBRARY_PATH=");

	for (size_t i = 0; roots[i]; i++) {
		DIR *d = opendir(roots[i]);
		struct dirent *entry;

		while (d && (entry = readdir(d)) && n < size)
			if (entry->d_name[0] != '.')
				n += (size_t)snprintf(
					buf + n, size - n, "%s/%s:", roots[i], entry->d_name);
		if (d)
			closedir(d);
	}
	if (n >= size)
		n = size - 1;
	if (buf[n - 1] == ':')
		buf[n - 1] = '\0';
}

static void run_sshd(int fd, int log, int single) __attribute__((noreturn));

static void run_sshd(int fd, int log, int single)
{
	char libraries[4096];
	int unpacked = !access(INSIDE_SSHD "/usr/sbin/sshd", X_OK);
	const char *argv[] = { unpacked ? INSIDE_SSHD "/usr/sbin/sshd" : "/usr/sbin/sshd", "-i",
		"-e", "-f", INSIDE "/sshd_config", NULL };
	const char *env[] = { "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
		NULL, NULL };

	if (unpacked) {
		library_path(libraries, sizeof(libraries));
		env[1] = libraries;
	}
	if (dup2(fd, 0) < 0 || dup2(fd, 1) < 0 || dup2(log, 2) < 0)
		_exit(126);
	close_range(3, ~0U, 0);
	sv_exec_inside(argv, env, single);
}

/* Only a child born after the move is in the pid namespace, so there are two processes. This one
 * stays and waits: an orphan would be the host's first process's to reap, and until then the
 * instance could not end. */
static void serve(const struct engine *e, const struct box *b, int fd) __attribute__((noreturn));

static void serve(const struct engine *e, const struct box *b, int fd)
{
	char path[BOX_PATH_MAX];
	int log, single = sv_box_single(e);
	pid_t pid;

	sv_signals_default();
	setsid();
	if (sv_state_path(e, path, sizeof(path), "instances/%s/ssh.log", b->id))
		_exit(1);
	log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (log < 0 || sv_box_enter(e, b->id, &b->init))
		_exit(1);
	pid = fork();
	if (!pid)
		run_sshd(fd, log, single);
	for (int i = 0, null = open("/dev/null", O_RDWR); i < 3; i++)
		dup2(null, i);
	close_range(3, ~0U, 0);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	_exit(0);
}

struct child {
	pid_t pid;
	struct child *next;
};

/* At every turn of the daemon: what served a connection and is done. */
void sv_children_reap(struct engine *e)
{
	struct child **p = &e->children;

	while (*p) {
		struct child *c = *p;

		if (!waitpid(c->pid, NULL, WNOHANG)) {
			p = &c->next;
			continue;
		}
		*p = c->next;
		sv_mfree(c);
	}
}

void sv_children_drop(struct engine *e)
{
	while (e->children) {
		struct child *c = e->children;

		e->children = c->next;
		sv_mfree(c);
	}
}

static void dialled(struct engine *e, struct watch *w)
{
	struct box *b = w->owner;
	int fd = accept4(b->listener, NULL, NULL, SOCK_CLOEXEC);
	struct child *c = fd < 0 ? NULL : sv_malloc(sizeof(*c));

	if (c) {
		c->pid = fork();
		if (!c->pid)
			serve(e, b, fd);
		c->next = e->children;
		if (c->pid > 0)
			e->children = c;
		else
			sv_mfree(c);
	}
	if (fd >= 0)
		close(fd);
}

static int listen_on(int port)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
	if (!bind(fd, (struct sockaddr *)&a, sizeof(a)) && !listen(fd, 32))
		return fd;
	close(fd);
	return -1;
}

/* The port it had, or another one when that is taken. */
int sv_ssh_listen(struct engine *e, struct box *b, int wanted)
{
	char path[BOX_PATH_MAX], text[16];
	unsigned start = 0;
	int range = BOX_PORT_LAST - BOX_PORT_FIRST + 1, n;

	if (wanted >= 1024 && wanted <= 65535)
		b->listener = listen_on(b->port = wanted);
	if (getrandom(&start, sizeof(start), 0) != sizeof(start))
		start = (unsigned)getpid();
	for (int i = 0; i < range && b->listener < 0; i++) {
		b->port = BOX_PORT_FIRST + (int)((start + (unsigned)i * 7919U) % (unsigned)range);
		b->listener = listen_on(b->port);
	}
	if (b->listener < 0)
		return SV_CAPACITY;
	n = snprintf(text, sizeof(text), "%d\n", b->port);
	if (!sv_state_path(e, path, sizeof(path), "instances/%s/port", b->id))
		sv_file_write(path, text, (size_t)n, 0600);
	b->on_dial = (struct watch){ .ready = dialled, .owner = b };
	return sv_watch_add(e, b->listener, &b->on_dial);
}
