/* SPDX-License-Identifier: MIT */
/** @file transport.h
 * How bytes travel. This header may change in any 0.x release. A transport knows method, URL,
 * headers, status and bytes; it knows nothing of verbs, kinds or JSON. */
#ifndef STARVERSE_TRANSPORT_H
#define STARVERSE_TRANSPORT_H

#include <starverse/common.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One header line in either direction. */
struct sv_header {
	const char *name, *value;
};

/** One exchange. The caller fills the first part and owns all of it until done is called or cancel
 * returns. */
struct sv_xfer {
	const char *method;              /**< "GET" */
	const char *url;    /**< absolute, escaped, not to be touched: paths go out as given */
	const char *socket; /**< Unix socket to connect to instead of the URL's host, or NULL */
	const struct sv_header *headers; /**< ended by a NULL name */
	const void *body;                /**< or NULL */
	size_t body_len;
	/** Source of a long body instead of body: fills buf, returns the bytes, 0 at the end, -1 to
	 * give up; or NULL. */
	int64_t (*read)(struct sv_xfer *x, char *buf, size_t size);
	int64_t read_len;                /**< bytes that read will give, -1 when not known */
	/** Takes the answer as it comes instead of reply; returns 0, or -1 to give up; or NULL.
	 * Only 2xx bodies; status and reply_headers are set before. */
	int (*sink)(struct sv_xfer *x, const char *data, size_t len);
	size_t ceiling;                  /**< most bytes of decoded body kept in reply */
	int connect_timeout_ms;          /**< 0: the transport's own */
	int timeout_ms;                  /**< for the whole exchange; 0: none (streams) */
	const char *cacert;              /**< file of certificates to trust, or NULL */
	int insecure;                    /**< 1: certificates are not checked */
	int once; /**< 1: must not reach the peer twice, whatever the connection does */
	void (*done)(struct sv_xfer *x); /**< called once, from pump */
	void *data;                      /**< the caller's */

	int result;                      /**< SV_OK when an answer came, whatever its status */
	int final; /**< 1: the same would happen again (a certificate that is refused) */
	int sent; /**< 1 when any byte of the request may have reached the peer */
	int status;                      /**< HTTP status */
	char message[256];               /**< what went wrong, no secrets */
	char *reply; /**< body, NUL-ended; the transport's until the next start or cancel */
	size_t reply_len;
	const struct sv_header
		*reply_headers; /**< ended by a NULL name; valid as reply is; may be NULL */

	void *state;                     /**< the transport's */
	int identity; /**< 1: asks for no compression, the body is wanted as it is stored */
	const char *hint; /**< what to do about message, or NULL */
};

struct sv_transport;

/** The five things a transport does, and two for foreign event loops that may be NULL. */
struct sv_transport_ops {
	int (*start)(struct sv_transport *t,
		struct sv_xfer *x); /**< must not block; SV_OK or a code, then no done */
	int (*pump)(struct sv_transport *t,
		int timeout_ms); /**< waits at most so long; returns exchanges in flight */
	void (*cancel)(struct sv_transport *t,
		struct sv_xfer
			*x); /**< also frees a finished one's reply; done is not called after */
	void (*wakeup)(struct sv_transport *t); /**< from any thread: ends a pump that waits */
	void (*free)(struct sv_transport *t);
	/** From now on says by watch which descriptors to look at, and by timer when act is wanted
	 * with fd -1. */
	int (*hooks)(struct sv_transport *t, void (*watch)(void *data, int fd, int events),
		void (*timer)(void *data, int64_t ms), void *data);
	/** A descriptor is ready, or (fd -1) the time has come; calls done. */
	int (*act)(struct sv_transport *t, int fd, int events);
};

/** First member of a transport of your own. */
struct sv_transport {
	const struct sv_transport_ops *ops;
};

/** A transport that answers in this process: handle fills x->status and calls sv_mem_reply(). Owned
 * by the client that takes it. NULL when out of memory. */
SV_API struct sv_transport *sv_transport_mem(
	void (*handle)(void *data, struct sv_xfer *x), void *data);
/** Gives the answer from inside handle: copies headers (NULL-name-ended, or NULL) and body. SV_OK
 * or SV_NOMEM. */
SV_API int sv_mem_reply(struct sv_xfer *x, int status, const struct sv_header *headers,
	const void *body, size_t len);

#ifdef __cplusplus
}
#endif

#endif
