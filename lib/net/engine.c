/* SPDX-License-Identifier: MIT */
/* The one engine. An exchange that has ended means one of three things: result, failure, or once
 * more. */
#include "net/engine.h"

#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "net/retry.h"
#include "net/secret.h"
#include "net/stage.h"

static int64_t now(const sv_client *c)
{
	return c->clock();
}

void sv_op_drop(sv_op *op)
{
	struct sv_transport *t = op->client->transport;

	if (t)
		t->ops->cancel(t, &op->x);
	op->x.reply = NULL;
	op->x.reply_headers = NULL;
	op->x.reply_len = 0;
}

void sv_op_end(sv_op *op, int state)
{
	sv_client *c = op->client;
	int final = state == SV_OP_DECODED || !op->maybe;

	if (state != SV_OP_DECODED && op->maybe && !op->other &&
		strcmp(op->request.method, "GET") != 0)
		sv_reply_unknown(op);
	op->state = state;
	if (op->slot && c->hooks.settle)
		c->hooks.settle(c, op->slot, final);
	op->slot = NULL;
	op->ready_next = NULL;
	*c->ready_tail = op;
	c->ready_tail = &op->ready_next;
}

void sv_op_cancel(sv_op *op)
{
	if (op->state == SV_OP_SENT)
		op->maybe = 1;
	sv_op_drop(op);
	sv_err(&op->err, SV_CANCELED, "given up");
	sv_op_end(op, SV_OP_CANCELED);
}

void sv_op_later(sv_op *op, int64_t ms)
{
	op->state = SV_OP_WAIT;
	op->due = now(op->client) + ms;
}

/* An answer that settles what happened: nothing of this request is still to come. */
static int settles(const sv_op *op)
{
	int s = op->x.status;

	if (op->x.result)
		return 0;
	if (s == 408 || s == 425 || s == 429 || !strcmp(op->err.wire, "operation_in_progress"))
		return !op->maybe;
	return s < 500 || s == 501;
}

static int64_t again(const sv_op *op)
{
	const struct sv_retry r = {
		.attempt = op->attempt,
		.most = op->most,
		.repeatable = op->request.repeatable,
		.sent = op->x.sent,
		.final = op->x.final,
		.result = op->x.result,
		.status = op->x.status,
		.in_progress = op->maybe && op->request.keyed &&
			       !strcmp(op->err.wire, "operation_in_progress"),
		.retry_after_ms = op->err.retry_after_ms,
		.left_ms = op->deadline == INT64_MAX ? INT64_MAX : op->deadline - now(op->client),
		.chance = sv_random(),
	};

	return sv_retry_wait(&r);
}

/* A deletion tried again that finds nothing has done its work the first time. */
static int deleted_before(const sv_op *op)
{
	return op->maybe && !op->x.result && op->x.status == 404 &&
	       !strcmp(op->request.method, "DELETE");
}

void sv_op_failed(sv_op *op)
{
	int64_t wait = again(op);

	if (settles(op))
		op->maybe = 0;
	else if (op->x.sent)
		op->maybe = 1;
	if (wait == SV_RETRY_STOP) {
		if (op->err.retry_after_ms > 0 && !*op->err.suggestion)
			sv_err_hint(&op->err, "try again in %lld s",
				(long long)(op->err.retry_after_ms + 999) / 1000);
		sv_op_end(op, SV_OP_FAILED);
		return;
	}
	sv_trace_note(op, "attempt %d: %s; again in %lld ms", op->attempt, op->err.message,
		(long long)wait);
	sv_op_drop(op);
	sv_op_later(op, wait);
}

static void arrived(struct sv_xfer *x)
{
	sv_op *op = x->data;
	int r;

	if (op->state != SV_OP_SENT)
		return;
	sv_trace_answer(op);
	if (x->result == SV_NET && !x->sent && !op->other && sv_spawn_for(op))
		return;
	if (!x->result && !op->other)
		op->client->spawned = 0;
	if (op->stream) {
		sv_stream_arrived(op);
		return;
	}
	r = op->other ? op->other->read(op) : sv_reply_read(op);
	if (r && !op->other && deleted_before(op)) {
		sv_err_clear(&op->err);
		r = SV_OK;
	}
	/* What cannot be read was done all the same. */
	if (r && !x->result && x->status < 300) {
		op->maybe = 0;
		sv_op_end(op, SV_OP_FAILED);
	} else if (r) {
		sv_op_failed(op);
	} else {
		sv_op_end(op, SV_OP_DECODED);
	}
	if (op->state != SV_OP_WAIT)
		sv_op_drop(op);
}

static void fill(sv_op *op)
{
	struct sv_client *c = op->client;
	struct sv_request *r = &op->request;
	int64_t left = op->deadline == INT64_MAX ? 0 : op->deadline - now(c);

	op->x = (struct sv_xfer){
		.method = r->method,
		.url = r->url,
		.socket = *c->endpoint.socket ? c->endpoint.socket : NULL,
		.headers = r->headers,
		.body = r->body,
		.body_len = r->body_len,
		.ceiling = SV_MAX_REPLY,
		.connect_timeout_ms = (int)(c->config->connect_timeout * 1000),
		.timeout_ms = left > INT32_MAX ? INT32_MAX : (int)left,
		.cacert = c->config->cacert,
		.insecure = c->config->insecure,
		.once = !r->repeatable,
		.done = arrived,
		.data = op,
	};
	if (op->stream)
		sv_stream_send(op);
}

void sv_op_send(sv_op *op)
{
	sv_client *c = op->client;
	int r = sv_client_transport(c, &op->err);

	if (!r && op->request.keyed && !op->slot && c->hooks.spool && !op->attempt)
		r = c->hooks.spool(c, &op->request, &op->slot, &op->err);
	if (!r) {
		op->attempt++;
		fill(op);
		op->heard = now(c);
		r = op->other ? op->other->send(op) : SV_OK;
	}
	if (!r) {
		sv_trace_request(op);
		op->state = SV_OP_SENT;
		r = c->transport->ops->start(c->transport, &op->x);
		if (r)
			sv_err(&op->err, r, "%s", *op->x.message ? op->x.message : sv_strerror(r));
	}
	if (r)
		sv_op_end(op, SV_OP_FAILED);
}

static void link_op(sv_op *op)
{
	sv_client *c = op->client;

	op->prev = c->last;
	if (c->last)
		c->last->next = op;
	else
		c->first = op;
	c->last = op;
	c->flying++;
}

static int build(sv_op *op, const struct sv_call *call)
{
	sv_client *c = op->client;
	int r = SV_OK;

	if (call->other)
		return call->other->build(op, &c->error);
	/* The local platform's socket is known only when there is one to be known. */
	if (!*c->endpoint.base)
		r = sv_err(&c->error, SV_CONFIG,
			"local_socket: not set, so the local platform cannot be found");
	if (!r)
		r = sv_request_build(&op->request, c->endpoint.base, &call->spec, &c->error);
	if (!r && call->record) {
		r = sv_stream_new(op, call->record, call->data);
		if (r)
			sv_err(&c->error, r, "out of memory");
	}
	if (!r)
		r = sv_stage_run(c, &op->request, &c->error);
	return r;
}

sv_op *sv_op_start(sv_client *c, const struct sv_call *call)
{
	sv_op *op = sv_malloc(sizeof(*op));
	int64_t timeout = call->timeout_ms ? call->timeout_ms : c->config->request_timeout * 1000;

	sv_err_clear(&c->error);
	if (!op) {
		sv_err(&c->error, SV_NOMEM, "out of memory");
		return NULL;
	}
	memset(op, 0, sizeof(*op));
	op->client = c;
	op->most = call->most ? call->most : (int)c->config->retries;
	op->raw = !call->spec.verb;
	op->other = call->other;
	op->own = call->own;
	op->idle_ms = call->idle_ms;
	op->done = call->done;
	op->data = call->data;
	op->deadline = timeout > 0 ? now(c) + timeout : INT64_MAX;
	sv_err_clear(&op->err);
	if (build(op, call)) {
		sv_stream_free(op->stream);
		sv_request_free(&op->request);
		sv_mfree(op);
		return NULL;
	}
	link_op(op);
	sv_op_send(op);
	sv_loop_tell(c);
	return op;
}

void sv_op_wait(sv_op *op)
{
	while (!op->told)
		sv_pump(op->client, -1);
}

int sv_op_run(sv_client *c, const struct sv_call *call, void **ret)
{
	sv_op *op = sv_op_start(c, call);

	if (!op)
		return c->error.code;
	sv_op_wait(op);
	c->error = op->err;
	return sv_finish(op, ret);
}
