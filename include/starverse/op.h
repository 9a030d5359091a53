/* SPDX-License-Identifier: MIT */
/** @file op.h
 * Calls that do not block. The synchronous calls are these, waited for. */
#ifndef STARVERSE_OP_H
#define STARVERSE_OP_H

#include <starverse/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Called exactly once, inside sv_pump(), when the call has ended (not when sv_finish() gave it
 * up); may start and finish calls, this one too. */
typedef void sv_done(sv_op *op, void *data);
/** Takes one record of a stream: an event's id (may be NULL), its type and its data, or (id and
 * type NULL) a piece of text. Non-zero ends the stream. Must make no call on the client. */
typedef int sv_record(void *data, const char *id, const char *type, const char *text, size_t len);

/** Starts a call: args are the path's arguments in order, NULL-ended (NULL for none); in is of the
 * verb's query kind for GET, else of its body kind, NULL for none, and borrowed until sv_start()
 * returns. NULL when it could not be built: see sv_client_error(). */
SV_API sv_op *sv_start(sv_client *c, const struct sv_verb *v, const char *const *args,
	const void *in, sv_done *done, void *data);
/** The same for a verb that streams: record is called for each, reconnecting with Last-Event-ID (or
 * the offset) until the stream ends. */
SV_API sv_op *sv_stream(sv_client *c, const struct sv_verb *v, const char *const *args,
	const void *in, sv_record *record, sv_done *done, void *data);
/** Lets calls go on, waiting at most timeout_ms (-1: until something happens). Returns how many are
 * in flight. */
SV_API int sv_pump(sv_client *c, int timeout_ms);
/** Ends an sv_pump() that waits; the one call that any thread may make. */
SV_API int sv_wakeup(sv_client *c);
/** 1 when the call has ended. */
SV_API int sv_op_done(const sv_op *op);
/** The error of a call that has ended, borrowed until sv_finish(). */
SV_API const struct sv_error *sv_op_error(const sv_op *op);
/** Takes the result (a root, or NULL where the answer has none; ret may be NULL) and ends the op;
 * one in flight is cancelled and gives SV_CANCELED. */
SV_API int sv_finish(sv_op *op, void **ret);

/** What a foreign event loop must watch. events: 1 read, 2 write, 3 both, 0 none any more. */
typedef void sv_watch(void *data, int fd, int events);
/** Calls watch for every descriptor that changes, and timer with the milliseconds after which to
 * call sv_act(c, -1, 0)
 * (-1: none). SV_UNSUPPORTED when the transport has no descriptors. */
SV_API int sv_client_poll_hooks(
	sv_client *c, sv_watch *watch, void (*timer)(void *data, int64_t ms), void *data);
/** A watched descriptor is ready (events as above), or the timer ran out (fd -1). Returns calls in
 * flight. */
SV_API int sv_act(sv_client *c, int fd, int events);

#ifdef __cplusplus
}
#endif

#endif
