/* SPDX-License-Identifier: MIT */
/* Locks its state, opens everything, detaches, and turns until told to leave. */
#include "local/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/limits.h"
#include "base/time.h"
#include "local/catalog.h"
#include "local/courier.h"
#include "local/detach.h"
#include "local/http.h"
#include "local/inside.h"
#include "local/instance.h"
#include "local/job.h"
#include "local/lock.h"
#include "local/platform.h"
#include "local/s3/serve.h"
#include "local/socket.h"

#define CONNECTIONS 4096
#define SPARE_FILES 256       /* for the store, logs, and the engine's own */
#define LOG_MAX     (4 << 20) /* the log is begun anew beyond it */
#define DRAIN_MS    10000
#define TURN_MS     1000

struct daemon {
	const struct daemon_options *o;
	struct platform p;
	struct http *http;
	struct courier *courier;
	struct s3_door s3;
	int lock, ep, signals, log, ready; /* ready: the pipe to the parent, or -1 */
	int socket_made;
	struct stat socket;
	int64_t idle_since;
	char engine[16]; /* its name */
};

static void log_line(void *data, const char *line)
{
	struct daemon *d = data;
	char text[900], when[40];
	int n;

	sv_print_time(sv_now(), when, sizeof(when));
	n = snprintf(text, sizeof(text), "%s %s\n", when, line);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof(text))
		n = (int)sizeof(text) - 1;
	(void)!write(d->o->foreground ? STDERR_FILENO : d->log, text, (size_t)n);
}

static int open_log(struct daemon *d, char *message, size_t size)
{
	char path[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "%s/log", d->o->state_dir);
	d->log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (d->log < 0) {
		snprintf(message, size, "%.300s: %s", path, strerrordesc_np(errno));
		return SV_IO;
	}
	if (!fstat(d->log, &st) && st.st_size > LOG_MAX)
		(void)!ftruncate(d->log, 0);
	return SV_OK;
}

static int open_engine(struct daemon *d, char *message, size_t size)
{
	static const struct engine_ops *const all[] = { &sv_engine_none, &sv_engine_sandbox };
	struct engine_config config = { .state_dir = d->o->state_dir,
		.lost = instance_lost,
		.task_ended = job_task_ended,
		.data = &d->p };
	char text[400] = "";
	int rc;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (!strcmp(all[i]->name, d->engine))
			d->p.ops = all[i];
	if (!d->p.ops) {
		snprintf(message, size, "--engine %.40s: unknown; possible: none, sandbox",
			d->engine);
		return SV_INVALID;
	}
	config.library = d->p.catalog ? catalog_library(d->p.catalog) : NULL;
	rc = d->p.ops->probe(&d->p.caps, text, sizeof(text));
	if (rc == SV_OK && d->p.ops->open)
		rc = d->p.ops->open(&config, &d->p.engine, text, sizeof(text));
	if (rc)
		snprintf(
			message, size, "the %s engine does not work here: %.300s", d->engine, text);
	return rc;
}

/* Engine and clock of a state directory stay what they were until they are chosen otherwise: one
 * that is started on demand must not take records for instances that died. */
static int choose(struct daemon *d)
{
	struct sv_buf b;
	int rc;

	sv_buf_init(&b, 64);
	snprintf(d->engine, sizeof(d->engine), "%s", "sandbox");
	if (d->o->engine)
		snprintf(d->engine, sizeof(d->engine), "%s", d->o->engine);
	else if (store_fact_get(d->p.store, "platform", "engine", &b) == SV_OK)
		snprintf(d->engine, sizeof(d->engine), "%s", sv_buf_text(&b));
	sv_buf_reset(&b);
	d->p.clock.stepped = d->o->stepped > 0;
	if (d->o->stepped < 0 && store_fact_get(d->p.store, "platform", "stepped", &b) == SV_OK)
		d->p.clock.stepped = 1;
	sv_buf_free(&b);
	rc = store_fact_set(d->p.store, "platform", "engine", d->engine);
	if (!rc)
		rc = store_fact_set(
			d->p.store, "platform", "stepped", d->p.clock.stepped ? "1" : NULL);
	return rc ? rc : store_commit(d->p.store);
}

/* Time never goes back: a stepped clock goes on where it was. */
static void open_clock(struct daemon *d)
{
	struct sv_buf b;
	char text[40];

	if (!d->p.clock.stepped)
		return;
	sv_buf_init(&b, 64);
	d->p.clock.at = sv_now();
	if (store_fact_get(d->p.store, "platform", "clock", &b) == SV_OK) {
		int64_t at;

		if (!sv_parse_time(sv_buf_text(&b), &at))
			d->p.clock.at = at;
	}
	sv_print_time(d->p.clock.at, text, sizeof(text));
	store_fact_set(d->p.store, "platform", "clock", text);
	sv_buf_free(&b);
}

static size_t connections(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return SPARE_FILES;
	if (r.rlim_cur < CONNECTIONS + SPARE_FILES) {
		r.rlim_cur = r.rlim_max < CONNECTIONS + SPARE_FILES ? r.rlim_max
								    : CONNECTIONS + SPARE_FILES;
		setrlimit(RLIMIT_NOFILE, &r);
		getrlimit(RLIMIT_NOFILE, &r);
	}
	return r.rlim_cur > 2 * SPARE_FILES ? r.rlim_cur - SPARE_FILES < CONNECTIONS
						      ? r.rlim_cur - SPARE_FILES
						      : CONNECTIONS
					    : r.rlim_cur / 2;
}

/* The socket lies in a directory that is private on this side; inside, whoever root is there must
 * reach it. */
static int inside(void *data, const char *instance, const char *path)
{
	struct daemon *d = data;
	char message[400] = "";
	struct stat st;
	int fd = -1, rc;

	http_unlisten(d->http, instance);
	if (!path)
		return SV_OK;
	rc = socket_unix_deep(path, &fd, &st, message, sizeof(message));
	if (rc == SV_OK && (chmod(path, 0666) || http_listen(d->http, fd, NULL, 0, instance))) {
		close(fd);
		rc = SV_IO;
	}
	if (rc)
		platform_log(&d->p, "no socket inside %s: %s", instance, message);
	return rc;
}

static int open_platform(struct daemon *d, char *message, size_t size)
{
	char path[PATH_MAX];
	mode_t mask = umask(077);
	int rc;

	snprintf(path, sizeof(path), "%s/local.db", d->o->state_dir);
	d->p.state_dir = d->o->state_dir;
	d->p.socket = d->o->socket;
	d->p.log = log_line;
	d->p.log_data = d;
	rc = store_open(path, &d->p.store, message, size);
	umask(mask);
	if (rc == SV_OK)
		rc = catalog_read(d->o->catalog, &d->p.catalog, message, size);
	if (rc == SV_OK)
		rc = catalog_install(d->p.catalog, d->o->state_dir, message, size);
	if (rc == SV_OK && choose(d)) {
		snprintf(message, size, "%.300s: cannot be written", path);
		rc = SV_IO;
	}
	if (rc == SV_OK)
		rc = open_engine(d, message, size);
	if (rc == SV_OK)
		rc = courier_open(NULL, &d->courier);
	d->p.post = courier_post;
	d->p.post_data = d->courier;
	if (rc == SV_OK)
		rc = http_open(&d->p, connections(), &d->http, message, size);
	if (rc == SV_OK) {
		open_clock(d);
		inside_open(&d->p, inside, d);
		rc = platform_open(&d->p, message, size);
	}
	return rc;
}

static int read_file(
	const char *option, const char *path, struct sv_buf *b, char *message, size_t size)
{
	char chunk[4096];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = -1;

	while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0)
		sv_buf_add(b, chunk, (size_t)n);
	if (fd < 0 || n < 0 || b->failed || !b->len)
		snprintf(message, size, "%s %.200s: %s", option, path,
			fd < 0 || n < 0 ? strerrordesc_np(errno) : "empty or too long");
	if (fd >= 0)
		close(fd);
	return fd < 0 || n < 0 || b->failed || !b->len ? SV_CONFIG : SV_OK;
}

static int open_tls(struct daemon *d, char *message, size_t size)
{
	struct sv_buf cert, key;
	int rc;

	sv_buf_init(&cert, SV_MAX_FILE);
	sv_buf_init(&key, SV_MAX_FILE);
	rc = read_file("--tls-cert", d->o->tls_cert, &cert, message, size);
	if (rc == SV_OK)
		rc = read_file("--tls-key", d->o->tls_key, &key, message, size);
	if (rc == SV_OK)
		rc = http_tls(d->http, sv_buf_text(&cert), sv_buf_text(&key), message, size);
	sv_buf_free(&cert);
	sv_buf_free(&key);
	return rc;
}

static int open_tcp(struct daemon *d, char *message, size_t size)
{
	int tls = d->o->tls_cert || d->o->tls_key, fd = -1, rc = SV_OK;
	struct gate gate;

	if (tls && !(d->o->tls_cert && d->o->tls_key)) {
		snprintf(message, size, "--tls-cert and --tls-key belong together");
		return SV_INVALID;
	}
	if (tls)
		rc = open_tls(d, message, size);
	if (rc == SV_OK)
		rc = socket_tcp(d->o->listen, tls, &fd, &gate, message, size);
	if (rc == SV_OK)
		rc = http_listen(d->http, fd, &gate, tls, NULL);
	if (rc == SV_OK)
		platform_log(&d->p, "listening on %s://%s", tls ? "https" : "http", gate.host);
	return rc;
}

static int open_sockets(struct daemon *d, char *message, size_t size)
{
	int fd = -1, rc;

	rc = socket_unix(d->o->socket, &fd, &d->socket, message, size);
	d->socket_made = rc == SV_OK;
	if (rc == SV_OK)
		rc = http_listen(d->http, fd, NULL, 0, NULL);
	if (rc == SV_OK && d->o->listen)
		rc = open_tcp(d, message, size);
	d->s3.p = &d->p;
	d->s3.state_dir = d->o->state_dir;
	return rc ? rc : s3_door_open(&d->s3);
}

static int watch(struct daemon *d, int fd)
{
	struct epoll_event ev = { .events = EPOLLIN, .data.fd = fd };

	return fd < 0 || !epoll_ctl(d->ep, EPOLL_CTL_ADD, fd, &ev) ? SV_OK : SV_IO;
}

static int open_loop(struct daemon *d, char *message, size_t size)
{
	sigset_t set;
	int rc;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	d->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	d->ep = epoll_create1(EPOLL_CLOEXEC);
	rc = d->signals < 0 || d->ep < 0 ? SV_IO : watch(d, d->signals);
	if (rc == SV_OK)
		rc = watch(d, http_fd(d->http));
	if (rc == SV_OK)
		rc = watch(d, courier_fd(d->courier));
	if (rc == SV_OK)
		rc = s3_door_watch(&d->s3, d->ep);
	if (rc == SV_OK && d->p.ops->fd)
		rc = watch(d, d->p.ops->fd(d->p.engine));
	if (rc)
		snprintf(
			message, size, "the event loop cannot be made: %s", strerrordesc_np(errno));
	return rc;
}

static void take_signals(struct daemon *d)
{
	struct signalfd_siginfo si;

	while (read(d->signals, &si, sizeof(si)) == (ssize_t)sizeof(si))
		if (si.ssi_signo != SIGHUP || d->o->foreground)
			d->p.leaving = 1;
}

static int idle_too_long(struct daemon *d, int64_t now)
{
	if (!d->o->idle_seconds)
		return 0;
	if (http_busy(d->http) || d->p.active || !platform_idle(&d->p)) {
		d->idle_since = now;
		d->p.active = 0;
		return 0;
	}
	return now - d->idle_since > d->o->idle_seconds * 1000;
}

static void turn(struct daemon *d, int most)
{
	struct epoll_event ev[8];
	int wait = http_timeout(d->http, most), left;

	epoll_wait(d->ep, ev, 8, wait);
	s3_door_turn(&d->s3);
	take_signals(d);
	http_run(d->http);
	courier_tick(d->courier);
	left = platform_turn(&d->p);
	http_answer(d->http);
	d->p.next_turn_ms = left;
}

static void loop(struct daemon *d)
{
	int64_t end, checked = sv_mono_ms();

	d->idle_since = checked;
	d->p.next_turn_ms = 0;
	while (!d->p.leaving) {
		turn(d, d->p.next_turn_ms < TURN_MS ? d->p.next_turn_ms : TURN_MS);
		if (sv_mono_ms() - checked < TURN_MS)
			continue;
		checked = sv_mono_ms();
		if (idle_too_long(d, checked)) {
			platform_log(&d->p, "nothing to do: leaving");
			d->p.leaving = 1;
		}
	}
	http_quiesce(d->http);
	end = sv_mono_ms() + DRAIN_MS;
	while (http_busy(d->http) && sv_mono_ms() < end)
		turn(d, 20);
}

static void close_all(struct daemon *d)
{
	if (d->socket_made)
		socket_unlink(d->o->socket, &d->socket);
	s3_door_close(&d->s3);
	http_close(d->http);
	if (d->p.feed) {
		platform_commit(&d->p);
		platform_close(&d->p);
	}
	if (d->p.engine && d->p.ops->close)
		d->p.ops->close(d->p.engine);
	courier_close(d->courier);
	catalog_free(d->p.catalog);
	store_close(d->p.store);
	for (size_t i = 0; i < 3; i++) {
		int fd = i == 0 ? d->ep : i == 1 ? d->signals : d->log;

		if (fd >= 0)
			close(fd);
	}
	lock_release(d->lock);
}

static int serve(struct daemon *d, char *message, size_t size)
{
	int rc;

	d->lock = lock_take(d->o->state_dir, message, size);
	if (d->lock < 0)
		return strstr(message, "already running") ? SV_CONFLICT : SV_CONFIG;
	rc = open_log(d, message, size);
	if (rc == SV_OK)
		rc = open_platform(d, message, size);
	if (rc == SV_OK)
		rc = open_sockets(d, message, size);
	if (rc == SV_OK)
		rc = open_loop(d, message, size);
	if (rc == SV_OK) {
		platform_log(&d->p, "svctl-local %s: engine %s, socket %s", SV_VERSION, d->engine,
			d->o->socket);
		detach_tell(&d->ready, SV_OK, "");
		loop(d);
		platform_log(&d->p, "left");
	} else if (d->log >= 0) {
		platform_log(&d->p, "could not begin: %s", message);
	}
	close_all(d);
	return rc;
}

int daemon_run(const struct daemon_options *o, char *message, size_t size)
{
	struct daemon *d = sv_malloc(sizeof(*d));
	int rc = SV_OK, child = 0;

	if (!d) {
		snprintf(message, size, "out of memory");
		return SV_NOMEM;
	}
	memset(d, 0, sizeof(*d));
	d->o = o;
	d->s3.fd = -1;
	d->lock = d->ep = d->signals = d->log = d->ready = -1;
	if (!o->foreground)
		rc = detach(&child, &d->ready, message, size);
	if (rc == SV_OK && (o->foreground || child))
		rc = serve(d, message, size);
	if (child) {
		detach_tell(&d->ready, rc, message);
		_exit(rc ? 1 : 0);
	}
	sv_mfree(d);
	return rc;
}
