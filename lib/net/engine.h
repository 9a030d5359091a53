/* SPDX-License-Identifier: MIT */
/* One call in flight: request, attempts, answer. The synchronous calls are these, waited for. */
#ifndef SV_NET_ENGINE_H
#define SV_NET_ENGINE_H

#include "net/client.h"
#include "net/request.h"

/* BUILT -> SENT -> (WAIT -> SENT)* -> DECODED | FAILED | CANCELED */
enum sv_op_state {
	SV_OP_BUILT,
	SV_OP_SENT,
	SV_OP_WAIT,
	SV_OP_DECODED,
	SV_OP_FAILED,
	SV_OP_CANCELED
};

struct sv_stream;

/* A call of another protocol than the contract's (S3): what it does in its own way. */
struct sv_other {
	/* Fills op->request; SV_OK or a code with *err. */
	int (*build)(sv_op *op, struct sv_error *err);
	/* Before every attempt, op->x being filled from op->request; SV_OK or a code with op->err.
	 */
	int (*send)(sv_op *op);
	/* What the end of an exchange means: SV_OK, or a code with op->err. op->x.result SV_NET has
	 * it tried again. */
	int (*read)(sv_op *op);
};

struct sv_op {
	sv_client *client;
	sv_op *prev, *next, *ready_next;
	struct sv_request request;
	struct sv_xfer x;
	int state, attempt, most;
	int64_t deadline; /* monotonic; INT64_MAX for none */
	int64_t due;      /* WAIT: when to send */
	int maybe;        /* an attempt may have been carried out, its answer is not known */
	int told;         /* done was called */
	int raw;          /* the answer is wanted as it is, of whatever status */
	int status;       /* of the last answer */
	struct sv_error err;
	void *result; /* a root; raw: text that sv_free_text() ends */
	size_t result_len;
	sv_done *done;
	void *data;
	struct sv_stream *stream;
	void *slot; /* in the spool */
	const struct sv_other *other; /* or NULL */
	void *own;                    /* the other protocol's, who made it ends it */
	int64_t heard, idle_ms;       /* other: when bytes last moved, how long they may rest */
};

/* What to call. Zero where it does not matter. */
struct sv_call {
	struct sv_request_spec spec;
	int64_t timeout_ms; /* 0: the configuration's; -1: none */
	int most;           /* attempts after the first; 0: the configuration's */
	sv_record *record;  /* streams */
	const struct sv_other *other;
	void *own;
	int64_t idle_ms;
	sv_done *done;
	void *data;
};

/* NULL when it could not be built: see client->error. */
sv_op *sv_op_start(sv_client *c, const struct sv_call *call);
/* The same, waited for; the error is the client's. *ret as sv_finish() gives it. */
int sv_op_run(sv_client *c, const struct sv_call *call, void **ret);
/* Until sv_op_done(). */
void sv_op_wait(sv_op *op);

/* For the parts of the engine. */
/* Ends the op in a state; done is called from the next pump's end. */
void sv_op_end(sv_op *op, int state);
/* Sends, or sends again. */
void sv_op_send(sv_op *op);
/* Waits so long, then sends again. */
void sv_op_later(sv_op *op, int64_t ms);
/* Drops the exchange, done or not. */
void sv_op_drop(sv_op *op);
/* op->err says what went wrong: once more, or the end. */
void sv_op_failed(sv_op *op);
/* Gives a call up that has not ended. */
void sv_op_cancel(sv_op *op);
/* Tells a foreign event loop when it is wanted, if that changed. */
void sv_loop_tell(sv_client *c);

/* Reads the answer of the exchange that has ended: op->result, or op->err and its code. */
int sv_reply_read(sv_op *op);
/* A header of the answer, or NULL. */
const char *sv_reply_header(const struct sv_xfer *x, const char *name);
/* Adds to a final error what a lost answer means. */
void sv_reply_unknown(sv_op *op);

/* Streams: sets the exchange up, says what its end means (1: handled), and what is due. */
int sv_stream_new(sv_op *op, sv_record *record, void *data);
void sv_stream_free(struct sv_stream *s);
void sv_stream_send(sv_op *op);
void sv_stream_arrived(sv_op *op);
int64_t sv_stream_due(const sv_op *op);
void sv_stream_idle(sv_op *op);

/* Starts the local platform; 1 when the op waits for it (or fails by it), 0 when that is no cure.
 */
int sv_spawn_for(sv_op *op);
/* Looks after the one being started. */
void sv_spawn_pump(sv_client *c);
void sv_spawn_free(sv_client *c);
/* The process that listens on a Unix socket, or 0. */
int sv_peer_pid(const char *path);

void sv_trace_request(sv_op *op);
void sv_trace_answer(sv_op *op);
void sv_trace_note(sv_op *op, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
