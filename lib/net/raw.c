/* SPDX-License-Identifier: MIT */
/* Calls in text: by the names of kind and verb for scripts, and any request at all. */
#include <string.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"
#include "model/json.h"
#include "model/kind.h"
#include "net/engine.h"

int sv_request(sv_client *c, const char *method, const char *path, const char *body, int *status,
	char **ret, size_t *ret_len)
{
	const struct sv_call call = { .spec = { .method = method, .path = path, .body = body } };
	sv_op *op = sv_op_start(c, &call);
	void *text = NULL;
	int r;

	if (!op)
		return c->error.code;
	sv_op_wait(op);
	c->error = op->err;
	if (status)
		*status = op->status;
	if (ret_len)
		*ret_len = op->result_len;
	text = op->result;
	op->result = NULL;
	r = sv_finish(op, NULL);
	if (ret)
		*ret = text;
	else
		sv_mfree(text);
	return r;
}

static int append_items(struct sv_buf *b, const struct sv_kind *kind, const struct sv_page *page)
{
	int r = SV_OK;

	for (size_t i = 0; !r && i < page->n; i++) {
		if (b->len > 1)
			sv_buf_chr(b, ',');
		r = sv_write_json(b, kind, page->v[i], SV_WALK_WIRE, 0);
	}
	return r;
}

static int all_pages(sv_client *c, const struct sv_verb *v, const char *const *args, const void *in,
	struct sv_buf *b)
{
	void *list = NULL;
	int r = sv_run(c, v, args, in, &list);

	sv_buf_chr(b, '[');
	while (!r && list) {
		r = append_items(b, v->out, list);
		if (!r)
			r = sv_next(c, v, args, in, &list);
	}
	sv_free(list);
	sv_buf_chr(b, ']');
	return r;
}

static int one(sv_client *c, const struct sv_verb *v, const char *const *args, const void *in,
	struct sv_buf *b)
{
	void *obj = NULL;
	int r = sv_run(c, v, args, in, &obj);

	if (!r && !obj)
		r = sv_buf_str(b, "null");
	else if (!r && v->flags & SV_TEXT)
		r = sv_buf_json(b, obj, strlen(obj));
	else if (!r)
		r = sv_write_json(b, v->out, obj, SV_WALK_WIRE, 0);
	sv_free(obj);
	return r;
}

static int find(sv_client *c, const char *kind, const char *verb, const struct sv_verb **ret)
{
	const struct sv_kind *k = kind ? sv_kind_find(kind) : NULL;

	if (!k)
		return sv_err(&c->error, SV_INVALID, "no kind of resource is called \"%s\"",
			kind ? kind : "");
	*ret = verb ? sv_verb_find(k, verb) : NULL;
	if (!*ret)
		return sv_err(
			&c->error, SV_INVALID, "%s has no verb \"%s\"", k->name, verb ? verb : "");
	return SV_OK;
}

static int body_of(sv_client *c, const struct sv_verb *v, const char *body, void **ret)
{
	const struct sv_kind *kind = v->method == SV_GET ? v->query : v->in;

	if (!body || !*body)
		return SV_OK;
	if (!kind)
		return sv_err(&c->error, SV_INVALID, "%s takes no body", v->path);
	return sv_from_body(kind, body, strlen(body), ret, &c->error);
}

int sv_run_json(sv_client *c, const char *kind, const char *verb, const char *const *args,
	const char *body, char **ret)
{
	const struct sv_verb *v = NULL;
	struct sv_buf b;
	void *in = NULL;
	int r = find(c, kind, verb, &v);

	sv_buf_init(&b, SV_MAX_TEXT);
	if (!r)
		r = body_of(c, v, body, &in);
	if (!r)
		r = v->flags & SV_MANY ? all_pages(c, v, args, in, &b) : one(c, v, args, in, &b);
	if (!r && b.failed)
		r = sv_err(&c->error, SV_NOMEM, "out of memory");
	sv_free(in);
	if (r) {
		sv_buf_reset(&b);
		sv_write_problem(&b, &c->error, *c->error.request_id ? c->error.request_id : NULL);
	}
	if (ret)
		*ret = sv_buf_take(&b);
	sv_buf_free(&b);
	return r;
}
