/* SPDX-License-Identifier: MIT */
/* Letting calls go on: timers, the transport, then those who wait for an end. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "net/engine.h"

#define GRACE_MS     500 /* for the transport to keep the deadline itself */
#define SPAWN_MS     5   /* how often the platform being started is looked at */
#define INTERRUPT_MS 100 /* how often the interrupt is asked for */

static int ended(const sv_op *op)
{
	return op->state >= SV_OP_DECODED;
}

/* When an op needs attention that no transport gives; INT64_MAX for never. */
static int64_t due(const sv_op *op)
{
	int64_t idle, last;

	if (op->state == SV_OP_WAIT)
		return op->due;
	if (op->state != SV_OP_SENT)
		return INT64_MAX;
	idle = op->stream  ? sv_stream_due(op)
	       : op->other ? op->heard + op->idle_ms
			   : INT64_MAX;
	last = op->deadline < INT64_MAX - GRACE_MS ? op->deadline + GRACE_MS : INT64_MAX;
	return idle < last ? idle : last;
}

static int64_t next_due(const sv_client *c)
{
	int64_t first = c->spawn ? c->clock() + SPAWN_MS : INT64_MAX, at;

	for (const sv_op *op = c->first; op; op = op->next) {
		at = due(op);
		if (at < first)
			first = at;
	}
	return first;
}

static void overdue(sv_op *op)
{
	op->maybe = 1;
	sv_op_drop(op);
	sv_err(&op->err, SV_NET, "%s: not answering", op->client->endpoint.shown);
	sv_op_end(op, SV_OP_FAILED);
}

/* Nothing moves any more: as if the connection were lost. */
static void stalled(sv_op *op)
{
	sv_op_drop(op);
	op->x.result = SV_NET;
	op->x.sent = 1;
	snprintf(op->x.message, sizeof(op->x.message), "nothing moved for %lld s",
		(long long)op->idle_ms / 1000);
	op->other->read(op);
	sv_op_failed(op);
}

/* Does what is due. Calls nothing of the caller's, so the list stays as it is. */
static void fire(sv_client *c)
{
	int64_t now = c->clock();

	sv_spawn_pump(c);
	for (sv_op *op = c->first; op; op = op->next) {
		if (due(op) > now)
			continue;
		if (op->state == SV_OP_WAIT)
			sv_op_send(op);
		else if (op->stream && sv_stream_due(op) <= now)
			sv_stream_idle(op);
		else if (op->other && op->heard + op->idle_ms <= now)
			stalled(op);
		else
			overdue(op);
	}
}

static void tell(sv_client *c)
{
	sv_op *op;

	while ((op = c->ready)) {
		c->ready = op->ready_next;
		if (!c->ready)
			c->ready_tail = &c->ready;
		op->told = 1;
		c->flying--;
		if (op->done)
			op->done(op, op->data);
	}
}

static void ask_interrupt(sv_client *c)
{
	if (!c->interrupt || !c->flying || !c->interrupt(c->interrupt_data))
		return;
	for (sv_op *op = c->first; op; op = op->next)
		if (!ended(op))
			sv_op_cancel(op);
}

static int patience(sv_client *c, int timeout_ms)
{
	int64_t at = next_due(c), wait = timeout_ms < 0 ? INT32_MAX : timeout_ms;

	if (c->ready || !c->flying || __atomic_exchange_n(&c->woken, 0, __ATOMIC_SEQ_CST))
		return 0;
	if (at != INT64_MAX) {
		at -= c->clock();
		wait = at < 0 ? 0 : at < wait ? at : wait;
	}
	if (c->interrupt && wait > INTERRUPT_MS)
		wait = INTERRUPT_MS;
	return wait == INT32_MAX ? -1 : (int)wait;
}

int sv_pump(sv_client *c, int timeout_ms)
{
	int wait;

	fire(c);
	wait = patience(c, timeout_ms);
	if (c->transport && c->flying)
		c->transport->ops->pump(c->transport, wait);
	ask_interrupt(c);
	tell(c);
	sv_loop_tell(c);
	return c->flying;
}

int sv_wakeup(sv_client *c)
{
	struct sv_transport *t;

	__atomic_store_n(&c->woken, 1, __ATOMIC_SEQ_CST);
	t = __atomic_load_n(&c->transport, __ATOMIC_SEQ_CST);
	if (t)
		t->ops->wakeup(t);
	return SV_OK;
}

sv_op *sv_start(sv_client *c, const struct sv_verb *v, const char *const *args, const void *in,
	sv_done *done, void *data)
{
	const struct sv_call call = {
		.spec = { .verb = v, .args = args, .in = in }, .done = done, .data = data
	};

	return sv_op_start(c, &call);
}

sv_op *sv_stream(sv_client *c, const struct sv_verb *v, const char *const *args, const void *in,
	sv_record *record, sv_done *done, void *data)
{
	const struct sv_call call = {
		.spec = { .verb = v, .args = args, .in = in },
		.timeout_ms = -1,
		.record = record,
		.done = done,
		.data = data,
	};

	if (!(v->flags & SV_STREAM)) {
		sv_err(&c->error, SV_UNSUPPORTED, "%s does not stream", v->path);
		return NULL;
	}
	return sv_op_start(c, &call);
}

int sv_run(
	sv_client *c, const struct sv_verb *v, const char *const *args, const void *in, void **ret)
{
	const struct sv_call call = { .spec = { .verb = v, .args = args, .in = in } };

	return sv_op_run(c, &call, ret);
}

int sv_op_done(const sv_op *op)
{
	return op->told;
}

const struct sv_error *sv_op_error(const sv_op *op)
{
	return &op->err;
}

static void unlink_op(sv_op *op)
{
	sv_client *c = op->client;

	if (op->prev)
		op->prev->next = op->next;
	else
		c->first = op->next;
	if (op->next)
		op->next->prev = op->prev;
	else
		c->last = op->prev;
}

static void unready(sv_op *op)
{
	sv_client *c = op->client;
	sv_op **at = &c->ready;

	while (*at && *at != op)
		at = &(*at)->ready_next;
	if (*at)
		*at = op->ready_next;
	if (!*at)
		c->ready_tail = at;
	c->flying--;
}

int sv_finish(sv_op *op, void **ret)
{
	int code;

	if (!op)
		return SV_INVALID;
	if (!ended(op))
		sv_op_cancel(op);
	if (!op->told)
		unready(op);
	code = op->state == SV_OP_DECODED ? SV_OK : op->err.code;
	if (ret && code == SV_OK)
		*ret = op->result;
	else if (op->raw)
		sv_mfree(op->result);
	else
		sv_free(op->result);
	unlink_op(op);
	sv_stream_free(op->stream);
	sv_request_free(&op->request);
	sv_mfree(op);
	return code;
}

void sv_client_end(sv_client *c)
{
	while (c->first)
		sv_finish(c->first, NULL);
	sv_spawn_free(c);
	if (c->transport)
		c->transport->ops->free(c->transport);
	c->transport = NULL;
}

/* Foreign loops. */

static void transport_watch(void *data, int fd, int events)
{
	sv_client *c = data;

	c->watch(c->loop_data, fd, events);
}

static void transport_timer(void *data, int64_t ms)
{
	sv_client *c = data;

	c->transport_due = ms < 0 ? -1 : c->clock() + ms;
}

void sv_loop_tell(sv_client *c)
{
	int64_t at;

	if (!c->timer)
		return;
	at = c->ready ? c->clock() : next_due(c);
	if (c->transport_due >= 0 && c->transport_due < at)
		at = c->transport_due;
	if (c->interrupt && c->flying && at > c->clock() + INTERRUPT_MS)
		at = c->clock() + INTERRUPT_MS;
	if (at == c->told_due)
		return;
	c->told_due = at;
	at = at == INT64_MAX ? -1 : at - c->clock();
	c->timer(c->loop_data, at < -1 ? 0 : at);
}

int sv_client_poll_hooks(
	sv_client *c, sv_watch *watch, void (*timer)(void *data, int64_t ms), void *data)
{
	int r = sv_client_transport(c, &c->error);

	if (r)
		return r;
	if (!c->transport->ops->hooks)
		return sv_err(&c->error, SV_UNSUPPORTED, "this transport has no descriptors");
	c->watch = watch;
	c->timer = timer;
	c->loop_data = data;
	c->told_due = INT64_MAX;
	return c->transport->ops->hooks(c->transport, transport_watch, transport_timer, c);
}

int sv_act(sv_client *c, int fd, int events)
{
	int64_t at = c->transport_due;

	fire(c);
	if (fd >= 0) {
		c->transport->ops->act(c->transport, fd, events);
	} else if (at >= 0 && at <= c->clock()) {
		c->transport_due = -1;
		c->transport->ops->act(c->transport, -1, 0);
	}
	ask_interrupt(c);
	tell(c);
	/* Its timer has run out, whatever it was set to. */
	if (fd < 0)
		c->told_due = INT64_MIN;
	sv_loop_tell(c);
	return c->flying;
}
