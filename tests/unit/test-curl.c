/* SPDX-License-Identifier: MIT */
/* The transport over libcurl with a peer in this process: a foreign event loop, many calls at once,
 * waking from another thread, giving up, an end in the middle. */
#include "unit.h"

#include <poll.h>
#include <pthread.h>
#include <starverse.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/time.h"

#define DISK "{\"id\":\"dsk_1\",\"name\":\"d\",\"version\":1}"
#define ANSWER \
	"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 37\r\n\r\n" DISK

struct peer {
	char path[64];
	int fd, silent, served;
	pthread_t thread;
};

static void *serve(void *arg)
{
	struct peer *p = arg;
	struct pollfd fds[80] = { { .fd = p->fd, .events = POLLIN } };
	nfds_t n = 1;
	char text[4096];

	while (poll(fds, n, -1) > 0) {
		if (fds[0].revents) {
			int c = accept(p->fd, NULL, NULL);

			if (c < 0 || n == 80)
				break;
			fds[n++] = (struct pollfd){ .fd = c, .events = POLLIN };
		}
		for (nfds_t i = 1; i < n; i++) {
			if (!fds[i].revents)
				continue;
			if (read(fds[i].fd, text, sizeof(text)) <= 0) {
				close(fds[i].fd);
				fds[i--] = fds[--n];
			} else if (!p->silent && write(fds[i].fd, ANSWER, strlen(ANSWER)) > 0) {
				p->served++;
			}
		}
	}
	while (n > 1)
		close(fds[--n].fd);
	return NULL;
}

static sv_client *set_up(struct peer *p, int silent)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	struct sv_config *config = sv_config_new();
	char endpoint[80];
	sv_client *c = NULL;

	assert_int_equal(strlen(DISK), 37);
	*p = (struct peer){ .silent = silent };
	snprintf(p->path, sizeof(p->path), "/tmp/sv-curl-%d.sock", (int)getpid());
	unlink(p->path);
	snprintf(a.sun_path, sizeof(a.sun_path), "%s", p->path);
	p->fd = socket(AF_UNIX, SOCK_STREAM, 0);
	assert_int_equal(bind(p->fd, (struct sockaddr *)&a, sizeof(a)), 0);
	assert_int_equal(listen(p->fd, 128), 0);
	pthread_create(&p->thread, NULL, serve, p);
	snprintf(endpoint, sizeof(endpoint), "unix:%s", p->path);
	config->endpoint = endpoint;
	assert_int_equal(sv_client_new(config, &c), SV_OK);
	sv_free(config);
	return c;
}

static void tear_down(struct peer *p, sv_client *c)
{
	sv_client_free(c);
	shutdown(p->fd, SHUT_RDWR);
	pthread_join(p->thread, NULL);
	close(p->fd);
	unlink(p->path);
}

static void count(sv_op *op, void *data)
{
	*(int *)data += sv_finish(op, NULL) == SV_OK;
}

static sv_op *get(sv_client *c, sv_done *done, void *data)
{
	static const char *const args[] = { "dsk_1", NULL };

	return sv_start(c, sv_verb_find(sv_kind_find("disk"), "get"), args, NULL, done, data);
}

static void many_at_once(void **state)
{
	struct peer p;
	sv_client *c = set_up(&p, 0);
	int n = 0;

	(void)state;
	for (int i = 0; i < 300; i++)
		assert_non_null(get(c, count, &n));
	while (sv_pump(c, -1) > 0)
		;
	assert_int_equal(n, 300);
	tear_down(&p, c);
	assert_int_equal(p.served, 300);
}

struct loop {
	struct pollfd fds[80];
	nfds_t n;
	int64_t at; /* -1: never */
};

static void watch(void *data, int fd, int events)
{
	struct loop *l = data;
	nfds_t i = 0;

	while (i < l->n && l->fds[i].fd != fd)
		i++;
	if (!events && i < l->n) {
		l->fds[i] = l->fds[--l->n];
	} else if (events) {
		if (i == l->n)
			l->n++;
		l->fds[i] = (struct pollfd){ fd,
			(short)((events & 1 ? POLLIN : 0) | (events & 2 ? POLLOUT : 0)), 0 };
	}
}

static void timer(void *data, int64_t ms)
{
	((struct loop *)data)->at = ms < 0 ? -1 : sv_mono_ms() + ms;
}

static void turn(sv_client *c, struct loop *l)
{
	int64_t now = sv_mono_ms();
	int wait = l->at < 0 ? 5000 : l->at > now ? (int)(l->at - now) : 0;

	if (poll(l->fds, l->n, wait) <= 0) {
		l->at = -1;
		sv_act(c, -1, 0);
		return;
	}
	for (nfds_t i = 0; i < l->n; i++)
		if (l->fds[i].revents) {
			int events = (l->fds[i].revents & ~POLLOUT ? 1 : 0) |
				     (l->fds[i].revents & POLLOUT ? 2 : 0);

			sv_act(c, l->fds[i].fd, events);
			return;
		}
}

static void foreign_loop(void **state)
{
	struct loop l = { .at = -1 };
	struct peer p;
	sv_client *c = set_up(&p, 0);
	int n = 0;

	(void)state;
	assert_int_equal(sv_client_poll_hooks(c, watch, timer, &l), SV_OK);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 10; i++)
			assert_non_null(get(c, count, &n));
		for (int turns = 0; n < 10 * (round + 1) && turns < 10000; turns++)
			turn(c, &l);
		assert_int_equal(n, 10 * (round + 1));
	}
	tear_down(&p, c);
}

static void *wake(void *arg)
{
	const struct timespec a_while = { 0, 50000000 };

	nanosleep(&a_while, NULL);
	sv_wakeup(arg);
	return NULL;
}

static void woken(void **state)
{
	struct peer p;
	sv_client *c = set_up(&p, 1);
	int64_t begun = sv_mono_ms();
	pthread_t t;
	sv_op *op = get(c, NULL, NULL);

	(void)state;
	pthread_create(&t, NULL, wake, c);
	for (int i = 0; i < 2 && sv_mono_ms() - begun < 45; i++)
		assert_int_equal(sv_pump(c, 20000), 1);
	assert_true(sv_mono_ms() - begun < 10000);
	pthread_join(t, NULL);
	assert_false(sv_op_done(op));
	assert_int_equal(sv_finish(op, NULL), SV_CANCELED);
	/* One that comes before there is a transport is not lost, either. */
	tear_down(&p, c);
}

static int at_once(void *data)
{
	(void)data;
	return 1;
}

static void given_up(void **state)
{
	static const char *const args[] = { "dsk_1", NULL };
	struct peer p;
	sv_client *c = set_up(&p, 1);
	int64_t begun = sv_mono_ms();

	(void)state;
	sv_client_interrupt(c, at_once, NULL);
	assert_int_equal(sv_run(c, sv_verb_find(sv_kind_find("disk"), "get"), args, NULL, NULL),
		SV_CANCELED);
	assert_true(sv_mono_ms() - begun < 2000);
	/* And a client goes with its calls in flight. */
	assert_non_null(get(c, NULL, NULL));
	sv_pump(c, 10);
	tear_down(&p, c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(foreign_loop),
		cmocka_unit_test(woken),
		cmocka_unit_test(given_up),
	};

	return cmocka_run_group_tests_name("curl", tests, NULL, NULL);
}
