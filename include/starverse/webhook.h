/* SPDX-License-Identifier: MIT */
/** @file webhook.h
 * Events sent to an address: a program's own, or a group's robot at Feishu, DingTalk or WeCom. */
#ifndef STARVERSE_WEBHOOK_H
#define STARVERSE_WEBHOOK_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The last try to deliver something. */
struct sv_webhook_delivery {
	struct sv_set set;
	const char *event;   /**< id */
	const char *type;    /**< of the event: "instance.stopped" */
	const char *status;  /**< "delivered", "retrying" or "failed" (given up) */
	int64_t attempt;     /**< 1 for the first */
	int64_t http_status; /**< null when nobody answered */
	const char *message; /**< what was wrong, or NULL */
	int64_t at;
};

/** A webhook. Events come in their order, each at least once, one at a time. */
struct sv_webhook {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *url;
	struct sv_strs events; /**< types, "instance.*" too; empty: all */
	const char *format;    /**< "generic", "feishu", "dingtalk" or "wecom" */
	const char *status;    /**< "active" or "failing" */
	int64_t pending;       /**< events that are not delivered yet */
	struct sv_webhook_delivery *last_delivery;
	int64_t next_attempt_at;
	const char *operation_id; /**< a test under way, or NULL */
	const char *secret;       /**< answered once, by create and rotate */
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of webhooks. */
struct sv_webhook_list {
	size_t n;
	struct sv_webhook **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_webhook_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs status, name;
	struct sv_map labels;
};

/** What to create. */
struct sv_webhook_create_body {
	struct sv_set set;
	const char *name;
	const char *url;       /**< http or https */
	struct sv_strs events; /**< see struct sv_webhook */
	const char *format;    /**< NULL: "generic" */
	/** The robot's own, from its settings; for "generic" made by the platform when NULL. */
	const char *secret;
	struct sv_map labels;
};

/** Another secret. */
struct sv_webhook_rotate_body {
	struct sv_set set;
	const char *secret; /**< as in struct sv_webhook_create_body */
};

/** A new, empty webhook, body or filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_webhook *sv_webhook_new(void);
SV_API struct sv_webhook_filter *sv_webhook_filter_new(void); /**< see sv_webhook_new() */
/** See sv_webhook_new(). */
SV_API struct sv_webhook_create_body *sv_webhook_create_body_new(void);

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_webhook_list(
	sv_client *c, const struct sv_webhook_filter *filter, struct sv_webhook_list **ret);
/** One webhook by its id. */
SV_API int sv_webhook_get(sv_client *c, const char *id, struct sv_webhook **ret);
/** Sends what happens from now on; the answer holds the secret, this once. */
SV_API int sv_webhook_create(
	sv_client *c, const struct sv_webhook_create_body *body, struct sv_webhook **ret);
/** Sends exactly the marked members of changes: name, url, events, format, labels. */
SV_API int sv_webhook_update(
	sv_client *c, const char *id, const struct sv_webhook *changes, struct sv_webhook **ret);
/** Sends nothing any more. */
SV_API int sv_webhook_delete(sv_client *c, const char *id, struct sv_webhook **ret);
/** Sends one event of type "webhook.test"; the operation it names fails when that is not taken. */
SV_API int sv_webhook_test(sv_client *c, const char *id, struct sv_webhook **ret);
/** Another secret: secret, or NULL for one of the platform's; the answer holds it. What it sends
 * is signed with the old one too, for a day. */
SV_API int sv_webhook_rotate(
	sv_client *c, const char *id, const char *secret, struct sv_webhook **ret);

#ifdef __cplusplus
}
#endif

#endif
