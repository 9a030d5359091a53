/* SPDX-License-Identifier: MIT */
/* The platform without its sockets: handle(request) -> reply. Everything that behaves gets a struct
 * call. */
#ifndef SV_LOCAL_PLATFORM_H
#define SV_LOCAL_PLATFORM_H

#include <starverse/kind.h>

#include "base/buf.h"
#include "base/err.h"
#include "local/clock.h"
#include "local/engine.h"
#include "local/post.h"
#include "local/store.h"
#include "model/kind.h"

struct ledger;
struct catalog;
struct feed;

/* Whether there are scaling groups, and whether one has to be looked at. */
enum group_state { GROUPS_NONE, GROUPS_REST, GROUPS_LOOK };

/* How far /local/reset is: wipe.c. */
struct wipe {
	unsigned phase;
	int left; /* calls of the engine that have not ended */
	char message[240];
};

struct platform {
	struct store *store;
	struct clock clock;
	struct catalog *catalog;
	struct ledger *ledger;
	struct feed *feed;            /* events, long polls, streams */
	const struct engine_ops *ops; /* never NULL: engine "none" at least */
	struct engine *engine;
	unsigned caps;
	const char *state_dir; /* NULL: in memory */
	struct fault *faults;
	struct flow *flows;    /* operations under way: flow.c */
	struct job_run *jobs;  /* that are not over: job-run.c */
	struct exec *execs;    /* commands that run for a waiting call: instance-exec.c */
	int leaving;           /* 1: no new work, drain */
	unsigned undone;       /* how many turns could not be committed: their answers are void */
	struct routes *routes; /* every verb of every kind, by method and path */
	const char *socket;    /* where it listens, or NULL in process */
	void (*log)(void *data, const char *line);
	void *log_data;
	int64_t beat_at;  /* when the ledger was last told that we live */
	int next_turn_ms; /* what platform_turn() said */
	int active;       /* requests came since this was last cleared */
	int groups;       /* enum group_state: group.h */
	/* Listens at a path for those inside an instance (their token: auth.h), or, path NULL, no
	 * more. NULL in process. */
	int (*inside)(void *data, const char *instance, const char *path);
	void *inside_data;
	struct wipe wipe;
	int cards_freed;   /* 1: what waits for capacity may have it now */
	int s3_port;       /* of 127.0.0.1, where storages speak S3; 0: nowhere */
	int sweep;         /* directories of storages may be there that nobody has any more */
	struct used *used; /* what storages held when it was last counted: storage-used.c */
	/* Sends to an address outside: courier_post(), or NULL in process, where nothing is sent.
	 */
	int (*post)(void *data, const struct post *what, post_done *done, void *arg);
	void *post_data;
	struct posting *postings; /* what webhooks send now: webhook-send.c */
	int webhook_wake;         /* 1: there may be something to send */
};

/* One request as it came. */
struct request {
	const char *method, *path, *query; /* path still escaped; query without '?', or "" */
	const char *body;
	size_t body_len;
	const char *authorization; /* header, or NULL */
	const char *idempotency_key, *last_event_id, *content_type, *accept, *host,
		*origin;      /* or NULL */
	int trusted;          /* 1: Unix socket of the same user, or in this process */
	const char *instance; /* request came from inside this instance, or NULL */
	unsigned scopes;      /* what its key allows (scope.h): filled by auth_account() */
	char request_id[40];
	int64_t wait_until_ms; /* 0 at first; when asked again after a wait: the reply's
				  wait_until_ms */
};

enum reply_kind {
	REPLY_DONE,  /* status and body are final */
	REPLY_WAIT,  /* ask again with the same request when feed says so, or at wait_until */
	REPLY_STREAM /* body grows: see stream */
};

struct stream;
struct reply {
	int kind, status;
	struct sv_buf body;
	const char *content_type;
	int replayed;          /* Idempotency-Replayed: true */
	int64_t retry_after;   /* seconds, -1: none */
	char wait_id[64];      /* REPLY_WAIT: resource whose version is awaited */
	int64_t wait_until_ms; /* monotonic */
	struct stream *stream;
};

/* What a behaviour gets and gives. */
struct call {
	struct platform *p;
	const struct sv_kind *kind;
	const struct sv_verb *verb;
	const struct request *request;
	const char *account; /* id of the account that asks; "" only for SV_NOKEY verbs */
	const char *id;      /* the path's argument, decoded, or NULL */
	void *in;  /* body or query: decoded, checked by sv_check(), owned by the call; NULL when it
		      has none */
	void *obj; /* the resource that id names, owned by the call; NULL for create and list */
	int64_t now;
	/* The answer: */
	int status; /* HTTP status, preset to 200 (201 for create, 202 for SV_ASYNC) */
	void *out;  /* root of verb->out, given to the call; NULL: obj is answered, as it then is */
	struct sv_buf text;    /* or ready JSON (SV_TEXT verbs: text), when not empty */
	char wait_id[64];      /* CALL_WAIT: see below */
	int64_t wait_until_ms; /* monotonic */
	struct stream *stream; /* or an answer that grows: given to the call (stream.h) */
	int replayed;          /* Idempotency-Replayed, where a behaviour answers again by itself */
	struct sv_error err;   /* filled by whoever returns a negative code */
};

/* Not yet: becomes REPLY_WAIT; the behaviour is called again with the same request (request_id)
 * after platform_wake() of wait_id, or at wait_until_ms. Its savepoint is kept. */
enum { CALL_WAIT = 1 };

/* SV_OK, CALL_WAIT, or a negative code with c->err filled: then the call's savepoint is rolled
 * back. */
typedef int behave_fn(struct call *c);

/* A verb that CRUD does not cover, or does otherwise. Sorted by kind, then verb; verbs not listed
 * are CRUD. */
struct behave {
	const char *kind, *verb;
	behave_fn *fn;
};
/* behaviours.c: the one list, ended by NULL. Functions are named local_<kind>_<verb>. */
extern const struct behave behaviours[];

/* Fields that are computed when they are read (cost, balance, usage): called on every document
 * before it is answered, in lists too. Sorted by kind. */
struct present {
	const char *kind;
	void (*fn)(struct platform *p, const char *account, void *obj, int64_t now);
};
extern const struct present presents[];

int platform_open(
	struct platform *p, char *message, size_t size); /* after store, engine, catalog are set */
void platform_close(struct platform *p);
/* What it did is committed by platform_turn() or platform_commit(): no answer may leave before.
 * rp->status 0: the connection is to be closed without an answer. */
void platform_handle(struct platform *p, struct request *rq, struct reply *rp);
void reply_free(struct reply *rp);
/* Makes the reply a problem document. */
void reply_problem(struct reply *rp, struct sv_error *err, const struct request *rq);
/* One turn: due actions, engine, flows; commits. Returns milliseconds until it wants to run again.
 */
int platform_turn(struct platform *p);
static inline int64_t platform_now(const struct platform *p)
{
	return clock_now(&p->clock);
}

/* Makes the turn durable and lets its waiters know. SV_OK, or SV_SERVER: everything of the turn is
 * undone. */
int platform_commit(struct platform *p);
/* Stepped clock: everything that falls due happens at its own second. Commits. */
int platform_step(struct platform *p, int64_t seconds, struct sv_error *err);
/* 1 when nothing runs, is open, waits or falls due within an hour. */
int platform_idle(struct platform *p);
void platform_log(struct platform *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Lets whoever waits for id be asked again at the end of this turn. */
void platform_wake(struct platform *p, const char *id);

/* Says what happened, for `event list` and followers; in the same transaction. actor: account id or
 * "platform". */
int platform_event(struct platform *p, const char *account, const char *type, const char *actor,
	const char *resource, const char *fmt, ...) __attribute__((format(printf, 6, 7)));

#endif
