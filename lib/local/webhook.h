/* SPDX-License-Identifier: MIT */
/* Webhooks: what they are (webhook.c), what they send (webhook-format.c), and when
 * (webhook-send.c). Private facts of one: "secret"; "before" (the secret before and until when it
 * signs too: "UNTIL SECRET"); "cursor" (the event that was settled last); "attempt" (how often the
 * one after it was tried). */
#ifndef SV_LOCAL_WEBHOOK_H
#define SV_LOCAL_WEBHOOK_H

#include <starverse/webhook.h>

#include "base/buf.h"
#include "local/event.h"
#include "local/flow.h"
#include "local/post.h"

/* webhook-format.c */

/* Where the secret of a format comes from. */
enum webhook_secret { WEBHOOK_MAKES, WEBHOOK_TAKES, WEBHOOK_NEEDS_NONE };

/* One event on its way to one webhook. */
struct webhook_message {
	const struct sv_webhook *webhook;
	const struct event_row *event;
	const char *json; /* the event as it is listed */
	const char *secret, *before; /* "" for none */
	int64_t now;
	char id[64], text[1200], timestamp[24], signature[256], url[2400];
	struct sv_buf body;
	struct post post;
};

struct webhook_format {
	const char *name;
	enum webhook_secret secret;
	int (*render)(struct webhook_message *m);
	/* NULL, or what a 2xx answer complains of in its body. */
	const char *(*complaint)(const struct post_result *r, char *buf, size_t size);
};

const struct webhook_format *webhook_format(const char *name); /* NULL is "generic" */
/* SV_OK with m->post filled, borrowed from m; webhook_message_free() in any case. */
int webhook_render(struct webhook_message *m);
void webhook_message_free(struct webhook_message *m);
/* 1 when it was taken; else why says why not. */
int webhook_taken(const struct webhook_format *f, const struct post_result *r, char *why,
	size_t size);
/* A new secret of the platform's own: "whsec_" and base64. */
void webhook_secret_make(char *buf, size_t size);
/* NULL, or what is wrong with a secret that the user gives. */
const char *webhook_secret_wrong(const struct webhook_format *f, const char *secret);

/* webhook-send.c */

/* Sends one event now; done as from courier_post(). */
int webhook_send(struct platform *p, const struct sv_webhook *w, const struct event_row *event,
	post_done *done, void *data);
/* What came of a try, in the document; put. status: "delivered", "retrying" or "failed". */
int webhook_note(struct platform *p, const char *account, struct sv_webhook *w,
	const struct event_row *event, int64_t attempt, const struct post_result *r,
	const char *status, const char *why);
/* After a turn is committed: begins to send what is new. */
void webhook_turn(struct platform *p);
int webhook_due(struct platform *p, const char *id, int64_t at); /* due.c's handler of "deliver" */
/* Ends the memory of what is under way. */
void webhook_close(struct platform *p);
/* 1 when the event's type is one that w asks for. */
int webhook_wants(const struct sv_webhook *w, const char *type);

extern const struct flow_type flow_webhook_test;
behave_fn local_webhook_create, local_webhook_update, local_webhook_delete, local_webhook_test,
	local_webhook_rotate;
void local_webhook_present(struct platform *p, const char *account, void *obj, int64_t now);

#endif
