/* SPDX-License-Identifier: MIT */
/* The S3 server's connections: libmicrohttpd with a thread for each, since bodies and disks make
 * wait. Nothing else of it knows the library. */
#include <errno.h>
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "local/s3/s3.h"
#include "local/s3/serve.h"
#include "starverse/common.h"

#define CONNECTIONS   512
#define IDLE_SECONDS  120
#define HEAD_MAX      ((size_t)128 << 10) /* of a request's head, and at once of its body */
#define THREAD_STACK  ((size_t)1 << 20)
#define SWALLOWED_MAX ((int64_t)64 << 20) /* of a refused body, so that its sender reads why */

/* One exchange: a request and how far its answer is. */
struct exchange {
	struct s3_request rq;
	char *uri, *path, *query;
	int begun, refused, told; /* told: bytes of a long answer that went out */
	size_t out_at;
	int more_left;
};

static void *exchange_begin(void *cls, const char *uri, struct MHD_Connection *mhd)
{
	struct exchange *x = sv_malloc(sizeof(*x));

	(void)mhd;
	if (!x)
		return NULL;
	memset(x, 0, sizeof(*x));
	s3_request_init(&x->rq, cls);
	x->uri = sv_xstrdup(uri);
	if (!x->uri)
		return x;
	x->path = x->uri;
	x->query = strchr(x->uri, '?');
	if (x->query)
		*x->query++ = '\0';
	return x;
}

static void exchange_end(
	void *cls, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code)
{
	struct exchange *x = *context;

	(void)cls, (void)mhd, (void)code;
	if (!x)
		return;
	s3_request_free(&x->rq);
	sv_mfree(x->uri);
	sv_mfree(x);
	*context = NULL;
}

static enum MHD_Result take_header(
	void *cls, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct s3_request *rq = cls;

	(void)kind;
	if (rq->n_headers == S3_HEADERS_MAX)
		return MHD_NO;
	rq->headers[rq->n_headers++] = (struct sv_sigv4_header){ name, value ? value : "" };
	return MHD_YES;
}

static void add_headers(struct exchange *x, struct MHD_Response *r)
{
	char *line = x->rq.out_headers.data, *end, *colon;

	for (; line && (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		colon = strstr(line, ": ");
		if (!colon)
			continue;
		*colon = '\0';
		MHD_add_response_header(r, line, colon + 2);
	}
	MHD_add_response_header(r, "x-amz-request-id", x->rq.id);
	MHD_add_response_header(r, "Server", "starverse");
}

/* What takes long: the head, a blank for every step, and the rest of the answer once it is there.
 */
static ssize_t long_read(void *cls, uint64_t pos, char *buf, size_t most)
{
	static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
	struct exchange *x = cls;
	size_t n;
	int rc;

	(void)most;
	if (!pos) {
		memcpy(buf, head, sizeof(head) - 1);
		return sizeof(head) - 1;
	}
	if (x->more_left) {
		rc = x->rq.more(&x->rq);
		x->more_left = rc > 0;
		x->out_at = sizeof(head) - 1; /* of out, whose head has gone */
		buf[0] = ' ';
		return 1;
	}
	n = x->rq.out.len > x->out_at ? x->rq.out.len - x->out_at : 0;
	if (!n)
		return MHD_CONTENT_READER_END_OF_STREAM;
	n = n < most ? n : most;
	memcpy(buf, x->rq.out.data + x->out_at, n);
	x->out_at += n;
	return (ssize_t)n;
}

static struct MHD_Response *make_response(struct exchange *x)
{
	struct s3_request *rq = &x->rq;
	struct MHD_Response *r;

	if (rq->more) {
		x->more_left = 1;
		r = MHD_create_response_from_callback(
			MHD_SIZE_UNKNOWN, (size_t)64 << 10, long_read, x, NULL);
		if (r)
			MHD_add_response_header(r, "Content-Type", "application/xml");
		return r;
	}
	if (rq->file >= 0 && rq->status < 300) {
		r = MHD_create_response_from_fd_at_offset64(
			(uint64_t)rq->length, rq->file, (uint64_t)rq->from);
		if (r)
			rq->file = -1; /* the response closes it */
		return r;
	}
	r = MHD_create_response_from_buffer(rq->out.len, rq->out.len ? rq->out.data : (void *)"",
		MHD_RESPMEM_MUST_COPY);
	if (r && rq->out.len)
		MHD_add_response_header(r, "Content-Type", "application/xml");
	return r;
}

static enum MHD_Result answer(struct exchange *x, struct MHD_Connection *mhd)
{
	struct MHD_Response *r = make_response(x);
	enum MHD_Result ok;

	if (!r)
		return MHD_NO;
	add_headers(x, r);
	ok = MHD_queue_response(mhd, (unsigned)x->rq.status, r);
	MHD_destroy_response(r);
	return ok;
}

/* The head is there. A refusal goes out at once where its sender waits for leave, or will send more
 * than anybody wants to read. */
static enum MHD_Result begin(struct exchange *x, struct MHD_Connection *mhd, const char *method)
{
	struct s3_request *rq = &x->rq;

	x->begun = 1;
	rq->method = method;
	rq->path = x->path;
	rq->query = x->query ? x->query : "";
	MHD_get_connection_values(mhd, MHD_HEADER_KIND, take_header, rq);
	x->refused = rq->n_headers == S3_HEADERS_MAX
			     ? s3_fail(rq, "InvalidRequest", "the request has too many headers")
			     : s3_begin(rq);
	if (!x->refused)
		return MHD_YES;
	return s3_header(rq, "expect") || rq->content_length > SWALLOWED_MAX ? answer(x, mhd)
									      : MHD_YES;
}

static enum MHD_Result serve(void *cls, struct MHD_Connection *mhd, const char *url,
	const char *method, const char *version, const char *data, size_t *size, void **context)
{
	struct exchange *x = *context;

	(void)cls, (void)url, (void)version;
	if (!x || !x->uri)
		return MHD_NO;
	if (!x->begun)
		return begin(x, mhd, method);
	if (*size) {
		if (!x->refused)
			x->refused = s3_data(&x->rq, data, *size);
		*size = 0;
		return MHD_YES;
	}
	if (!x->refused)
		s3_end(&x->rq);
	return answer(x, mhd);
}

int s3_http_serve(struct s3 *s, int listener)
{
	struct MHD_Daemon *d = MHD_start_daemon(MHD_USE_THREAD_PER_CONNECTION |
			MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL,
		0, NULL, NULL, serve, NULL, MHD_OPTION_LISTEN_SOCKET, listener,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
		(unsigned)IDLE_SECONDS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, HEAD_MAX,
		MHD_OPTION_THREAD_STACK_SIZE, THREAD_STACK, MHD_OPTION_NOTIFY_COMPLETED,
		exchange_end, NULL, MHD_OPTION_URI_LOG_CALLBACK, exchange_begin, s, MHD_OPTION_END);

	if (!d)
		return SV_IO;
	for (;;)
		pause();
}
