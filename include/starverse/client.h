/* SPDX-License-Identifier: MIT */
/** @file client.h
 * The handle that calls are made on, and the synchronous calls by verb. Typed calls stand in the
 * resources' headers. */
#ifndef STARVERSE_CLIENT_H
#define STARVERSE_CLIENT_H

#include <starverse/common.h>
#include <starverse/error.h>
#include <starverse/op.h>
#include <starverse/transport.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes a client; config is copied, NULL means what sv_config_load(NULL, NULL) gives. Nothing is
 * sent. On failure sv_config_load() and sv_config_check() say why. */
SV_API int sv_client_new(const struct sv_config *config, sv_client **ret);
/** The same over a transport of your own, which the client then owns (also when this fails). */
SV_API int sv_client_new_with(
	const struct sv_config *config, struct sv_transport *transport, sv_client **ret);
/** Ends a client and cancels its calls; NULL is allowed. */
SV_API void sv_client_free(sv_client *c);
/** What the last synchronous call on this client did wrong; borrowed, never NULL, code SV_OK after
 * a success. */
SV_API const struct sv_error *sv_client_error(const sv_client *c);
/** The configuration in use; borrowed. */
SV_API const struct sv_config *sv_client_config(const sv_client *c);
/** Sends calls' trace lines to fn, one line each, secrets masked; NULL for none. */
SV_API void sv_client_trace(sv_client *c, void (*fn)(void *data, const char *line), void *data);
/** Ends waiting calls early: fn is asked now and then, non-zero gives SV_CANCELED. NULL for none.
 */
SV_API void sv_client_interrupt(sv_client *c, int (*fn)(void *data), void *data);
/** By how many seconds this machine's clock is ahead of the service's, by the last answer that said
 * what time it is. SV_OK, or SV_UNSUPPORTED when none did. */
SV_API int sv_client_skew(const sv_client *c, int64_t *seconds);
/** The request that sv_start() would send, as JSON text: method, url, socket (or null), cacert (or
 * null), insecure, headers (an object; the key as $STARVERSE_API_KEY) and body (text or null).
 * Nothing is sent. *ret is ended by sv_free_text(). */
SV_API int sv_describe(sv_client *c, const struct sv_verb *v, const char *const *args,
	const void *in, char **ret);
/** The idempotency key that the next keyed call will carry, instead of a new one; copied.
 * SV_INVALID when not 8 to 128 printable ASCII characters. */
SV_API int sv_client_next_key(sv_client *c, const char *key);

/** Makes any call and waits for its answer: see sv_start(). *ret is a root of verb->out (a struct
 * sv_page for lists, a NUL-ended text for SV_TEXT verbs, NULL where the answer has no body or what
 * was to be deleted is gone already); NULL ret drops it. */
SV_API int sv_run(
	sv_client *c, const struct sv_verb *v, const char *const *args, const void *in, void **ret);
/** The page after *list (as struct sv_page), in its place; *list is freed and NULL after the last.
 * in as for the first. */
SV_API int sv_next(sv_client *c, const struct sv_verb *v, const char *const *args, const void *in,
	void **list);
/** Makes a call by the names of its kind and verb; body and answer are JSON text (a query is a JSON
 * object too), lists are whole arrays of all pages. args as sv_start(). *ret is ended by
 * sv_free_text(); on failure it is the problem as JSON. */
SV_API int sv_run_json(sv_client *c, const char *kind, const char *verb, const char *const *args,
	const char *body, char **ret);
/** Sends any request: path with query as given ("/v1/instances"), body or NULL. *ret is the body as
 * received, ended by sv_free_text(), also for an error status; the status is in *status. */
SV_API int sv_request(sv_client *c, const char *method, const char *path, const char *body,
	int *status, char **ret, size_t *ret_len);

/** Waits for an object of kind that a call answered: for the operation it names, else until its
 * state word is settled, by long poll. timeout_ms -1 waits for ever; SV_TIMEDOUT when it ran out,
 * SV_FAILED with the operation's error when it failed. *obj (a root) is replaced by the newest; it
 * stays valid on failure. progress (or NULL) is called with each newer operation or object. */
SV_API int sv_wait(sv_client *c, const struct sv_kind *kind, void **obj, int64_t timeout_ms,
	void (*progress)(void *data, const struct sv_kind *kind, const void *obj), void *data);
/** Finds one resource by what a person typed: an id, a name that matches exactly one, "id:X" or
 * "name:X". Two matches are SV_CONFLICT with the candidates in the error's context; *ret is a root
 * of kind. */
SV_API int sv_resolve(sv_client *c, const struct sv_kind *kind, const char *text, void **ret);

/** Billed calls whose answer never came, from the spool: asks the service about each and tells fn
 * (NULL: only clears what is final). Returns SV_OK when none is left open. */
SV_API int sv_reconcile(sv_client *c,
	void (*fn)(void *data, const char *key, const char *method, const char *path,
		const char *name, const char *status, const char *resource),
	void *data);

#ifdef __cplusplus
}
#endif

#endif
