/* SPDX-License-Identifier: MIT */
/* A transport of your own, around another: it says what goes through. Here the other one answers in
 * this process. */
#include <starverse.h>
#include <stdio.h>
struct saying {
	struct sv_transport base;
	struct sv_transport *inner;
};

static struct sv_transport *inner(struct sv_transport *t)
{
	return ((struct saying *)t)->inner;
}
static int start(struct sv_transport *t, struct sv_xfer *x)
{
	printf("%s %s\n", x->method, x->url);
	return inner(t)->ops->start(inner(t), x);
}
static int pump(struct sv_transport *t, int timeout_ms)
{
	return inner(t)->ops->pump(inner(t), timeout_ms);
}
static void cancel(struct sv_transport *t, struct sv_xfer *x)
{
	inner(t)->ops->cancel(inner(t), x);
}
static void wake(struct sv_transport *t)
{
	inner(t)->ops->wakeup(inner(t));
}
static void end(struct sv_transport *t)
{
	inner(t)->ops->free(inner(t)); /* the struct itself lies on main's stack */
}
static void answer(void *data, struct sv_xfer *x)
{
	(void)data;
	sv_mem_reply(x, 200, NULL, "{\"items\":[],\"next_cursor\":null}", 31);
}

int main(void)
{
	static const struct sv_transport_ops ops = { .start = start, .pump = pump,
		.cancel = cancel, .wakeup = wake, .free = end };
	struct saying t = { { &ops }, sv_transport_mem(answer, NULL) };
	struct sv_config *config = sv_config_new();
	sv_client *c = NULL;
	int failed;
	if (!config || !t.inner)
		return 1;
	config->endpoint = "http://example.invalid";
	config->api_key = "none";
	failed = sv_client_new_with(config, &t.base, &c) ||
		 sv_run(c, sv_verb_find(sv_kind_find("disk"), "list"), NULL, NULL, NULL);
	sv_client_free(c);
	sv_free(config);
	return failed;
}
