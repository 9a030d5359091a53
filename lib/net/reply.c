/* SPDX-License-Identifier: MIT */
/* What an answer means. The problem's code decides; the status only where there is none. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "base/str.h"
#include "base/time.h"
#include "model/json.h"
#include "model/kind.h"
#include "net/engine.h"
#include "net/retry.h"

const char *sv_reply_header(const struct sv_xfer *x, const char *name)
{
	for (const struct sv_header *h = x->reply_headers; h && h->name; h++)
		if (!strcasecmp(h->name, name))
			return h->value;
	return NULL;
}

/* One line that a terminal may have: control characters and broken UTF-8 become blanks or '?'. */
static void tame(char *s)
{
	size_t len = strlen(s), to = 0, n;

	for (size_t i = 0; i < len; i += n ? n : 1) {
		unsigned char c = (unsigned char)s[i];

		n = sv_utf8_len(s + i, len - i);
		if (!n) {
			/* A sequence that the buffer cut short ends the text. */
			if (len - i < 4 && len - i < (c >= 0xf0          ? 4u
							     : c >= 0xe0 ? 3u
							     : c >= 0xc0 ? 2u
									 : 0u))
				break;
			s[to++] = '?';
		} else if (n == 1) {
			s[to++] = c < 0x20 || c == 0x7f ? ' ' : (char)c;
		} else if (n == 2 && c == 0xc2 && (unsigned char)s[i + 1] < 0xa0) {
			s[to++] = ' ';
		} else {
			memmove(s + to, s + i, n);
			to += n;
		}
	}
	s[to] = '\0';
}

/* The first characters of a body that is not what it should be. */
static void excerpt(const struct sv_xfer *x, char *buf, size_t size)
{
	size_t n = 0;

	for (size_t i = 0; i < x->reply_len && n + 1 < size; i++) {
		char c = x->reply[i];

		if (sv_is_space(c) && (!n || buf[n - 1] == ' '))
			continue;
		buf[n++] = sv_is_space(c) ? ' ' : c >= 0x20 && c < 0x7f ? c : '.';
	}
	buf[n] = '\0';
}

static void ids(const struct sv_xfer *x, struct sv_error *err)
{
	const char *id = sv_reply_header(x, "X-Request-Id");

	err->http_status = x->status;
	if (id && !*err->request_id)
		snprintf(err->request_id, sizeof(err->request_id), "%s", id);
	tame(err->message);
	tame(err->suggestion);
	tame(err->request_id);
}

/* A page of a proxy, a portal or another service, where JSON was due. */
static int not_json(sv_op *op)
{
	const struct sv_xfer *x = &op->x;
	const char *type = sv_reply_header(x, "Content-Type"),
		   *id = sv_reply_header(x, "X-Request-Id");
	const struct sv_error_row *row =
		x->status >= 400 ? sv_err_of_status(x->status) : sv_err_of_code(SV_PROTO);
	char text[201];

	excerpt(x, text, sizeof(text));
	sv_err(&op->err, row->code, "the answer of %s is not JSON: status %d, %.60s%s%.40s: \"%s\"",
		op->client->endpoint.shown, x->status, type ? type : "no content type",
		id ? ", request " : "", id ? id : "", text);
	sv_err_hint(&op->err, "is the endpoint right, or does a proxy stand between?");
	op->err.retryable = x->status == 429 || (x->status >= 500 && x->status != 501);
	ids(x, &op->err);
	return row->code;
}

static int looks_json(const struct sv_xfer *x)
{
	const char *type = sv_reply_header(x, "Content-Type");
	size_t i = 0;

	if (type && !strcasestr(type, "json"))
		return 0;
	while (i < x->reply_len && sv_is_space(x->reply[i]))
		i++;
	return i == x->reply_len || x->reply[i] != '<';
}

static int redirect(sv_op *op)
{
	const char *to = sv_reply_header(&op->x, "Location");

	sv_err(&op->err, SV_PROTO, "%s redirects (status %d)%s%.200s", op->client->endpoint.shown,
		op->x.status, to && !strchr(to, '@') ? " to " : "",
		to && !strchr(to, '@') ? to : "");
	sv_err_hint(&op->err, "redirects are not followed; set the endpoint to the service itself");
	ids(&op->x, &op->err);
	return SV_PROTO;
}

static int problem(sv_op *op)
{
	const struct sv_xfer *x = &op->x;
	int64_t after;
	int r;

	if (x->reply_len && !looks_json(x))
		r = not_json(op);
	else
		r = sv_decode_problem(x->reply, x->reply_len, x->status, &op->err);
	after = sv_retry_after(
		sv_reply_header(x, "Retry-After"), sv_reply_header(x, "Date"), sv_now());
	if (after >= 0)
		op->err.retry_after_ms = after;
	if (op->err.code == SV_AUTH && (op->client->endpoint.local || *op->client->endpoint.socket))
		sv_err_hint(&op->err, "svctl login, or svctl account register");
	else if (op->err.code == SV_AUTH && !*op->err.suggestion)
		sv_err_hint(&op->err, "svctl login");
	ids(x, &op->err);
	return r;
}

static int text_answer(sv_op *op)
{
	char *text;

	if (op->raw)
		text = sv_malloc(op->x.reply_len + 1);
	else
		text = sv_root_new(NULL, op->x.reply_len + 1);
	if (!text)
		return sv_err(&op->err, SV_NOMEM, "out of memory");
	memcpy(text, op->x.reply_len ? op->x.reply : "", op->x.reply_len);
	text[op->x.reply_len] = '\0';
	op->result = text;
	op->result_len = op->x.reply_len;
	return SV_OK;
}

static int decoded(sv_op *op)
{
	const struct sv_verb *v = op->request.verb;
	const struct sv_xfer *x = &op->x;
	struct sv_page *page = NULL;
	int r;

	if (!(v->flags & SV_MANY))
		return sv_from_json(v->out, x->reply, x->reply_len, &op->result, &op->err);
	r = sv_page_from_json(v->out, x->reply, x->reply_len, &page, &op->err);
	op->result = page;
	return r;
}

static int success(sv_op *op)
{
	const struct sv_verb *v = op->request.verb;
	char why[sizeof(op->err.message)];
	int r;

	if (op->raw)
		return SV_OK;
	if (v->flags & SV_TEXT)
		return text_answer(op);
	if (!v->out || op->x.status == 204)
		return SV_OK;
	if (op->x.reply_len && !looks_json(&op->x))
		return not_json(op);
	r = decoded(op);
	if (!r && op->client->config->strict) {
		r = sv_strict(v->out, op->x.reply, op->x.reply_len, v->flags & SV_MANY, &op->err);
		if (r) {
			sv_free(op->result);
			op->result = NULL;
		}
	}
	if (!r)
		return SV_OK;
	snprintf(why, sizeof(why), "%s", op->err.message);
	if (r == SV_PROTO)
		snprintf(op->err.message, sizeof(op->err.message), "%s %.80s: %.400s",
			op->request.method, op->request.path, why);
	ids(&op->x, &op->err);
	return r;
}

static int lost(sv_op *op)
{
	const struct sv_xfer *x = &op->x;
	int pid = op->x.socket && x->sent ? sv_peer_pid(op->x.socket) : 0;

	sv_err(&op->err, x->result, "%s: %s", op->client->endpoint.shown,
		*x->message ? x->message : "no answer came");
	if (pid && x->result == SV_NET)
		snprintf(op->err.message, sizeof(op->err.message), "%s: %.150s (process %d)",
			op->client->endpoint.shown, *x->message ? x->message : "no answer came",
			pid);
	if (x->hint)
		sv_err_hint(&op->err, "%s", x->hint);
	op->err.retryable = x->result == SV_NET && !x->final;
	ids(x, &op->err);
	return x->result;
}

static void clocks(sv_op *op)
{
	const char *date = op->x.result ? NULL : sv_reply_header(&op->x, "Date");
	int64_t at;

	if (!date || !sv_http_date(date, &at))
		return;
	op->client->skew = sv_now() - at;
	op->client->skew_known = 1;
}

int sv_reply_read(sv_op *op)
{
	clocks(op);
	sv_err_clear(&op->err);
	op->status = op->x.result ? 0 : op->x.status;
	if (op->raw) {
		sv_mfree(op->result);
		op->result = NULL;
	}
	if (op->x.result)
		return lost(op);
	if (op->raw && text_answer(op))
		return SV_NOMEM;
	if (op->x.status >= 200 && op->x.status < 300)
		return success(op);
	if (op->x.status >= 300 && op->x.status < 400)
		return redirect(op);
	return problem(op);
}

void sv_reply_unknown(sv_op *op)
{
	size_t n = strlen(op->err.message);

	op->err.outcome_unknown = 1;
	snprintf(op->err.message + n, sizeof(op->err.message) - n,
		"; whether it was done is not known");
	if (op->request.keyed && !*op->err.suggestion)
		sv_err_hint(&op->err,
			"look with a list before trying again; the service is asked about key %s "
			"at the next start",
			op->request.key);
	else if (!*op->err.suggestion)
		sv_err_hint(&op->err, "look at the resource before trying again");
	tame(op->err.message);
}
