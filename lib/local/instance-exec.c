/* SPDX-License-Identifier: MIT */
/* Commands that run inside while a call waits for them. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/time.h"
#include "local/instance-inside.h"

#define STREAM_CEILING  ((size_t)64 << 10)
#define TIMEOUT_DEFAULT 300
#define TIMEOUT_MAX     3600
#define GRACE_MS        5000     /* beyond the command's own time */
#define KEPT_MS         60000    /* a result that nobody fetches is forgotten */
#define ARGUMENTS_MAX   4096

struct exec {
	struct exec *next;
	struct platform *p;
	char request[40];
	int over;
	int64_t until_ms;
	struct engine_result r;
	char *out, *err;
};

static struct exec *find(struct platform *p, const char *request)
{
	for (struct exec *e = p->execs; e; e = e->next)
		if (!strcmp(e->request, request))
			return e;
	return NULL;
}

static void end(struct exec *e)
{
	struct exec **at = &e->p->execs;

	while (*at && *at != e)
		at = &(*at)->next;
	if (*at)
		*at = e->next;
	sv_mfree(e->out);
	sv_mfree(e->err);
	sv_mfree(e);
}

/* Those whose caller went away. One that still runs is left to its engine's answer. */
static void sweep(struct platform *p)
{
	int64_t now = sv_mono_ms();
	struct exec *next;

	for (struct exec *e = p->execs; e; e = next) {
		next = e->next;
		if (e->over && now > e->until_ms + KEPT_MS)
			end(e);
	}
}

static char *copy(const char *text, size_t len)
{
	char *s = sv_malloc(len + 1);

	if (s) {
		memcpy(s, text ? text : "", text ? len : 0);
		s[text ? len : 0] = '\0';
	}
	return s;
}

static void done(void *data, const struct engine_result *result)
{
	struct exec *e = data;

	e->r = *result;
	e->out = copy(result->out, result->out_len);
	e->err = copy(result->err, result->err_len);
	e->over = 1;
	platform_wake(e->p, e->request);
}

static int answer(struct call *c, struct exec *e)
{
	struct sv_exec_result *r;

	if (e->r.code < 0) {
		if (e->r.wire[0])
			return sv_err_wire(&c->err, e->r.wire, "%s", e->r.message);
		return sv_err_wire(&c->err, "invalid_state", "%s",
			e->r.message[0] ? e->r.message : sv_strerror(e->r.code));
	}
	r = sv_new(&sv_exec_result_kind);
	if (!r)
		return SV_NOMEM;
	c->out = r;
	c->status = 200;
	doc_put(r, exit_code, e->r.exit_code);
	doc_put(r, truncated, e->r.truncated);
	doc_text(r, r, out, e->out ? e->out : "");
	doc_text(r, r, err, e->err ? e->err : "");
	return SV_OK;
}

static int wait_for(struct call *c, struct exec *e)
{
	int rc;

	if (!e->over && sv_mono_ms() < e->until_ms) {
		snprintf(c->wait_id, sizeof(c->wait_id), "%s", e->request);
		c->wait_until_ms = e->until_ms;
		return CALL_WAIT;
	}
	if (!e->over) {
		/* The engine keeps its pointer: forgotten when it answers. */
		e->request[0] = '\0';
		return sv_err_wire(&c->err, "unavailable", "the command did not end in time");
	}
	rc = answer(c, e);
	end(e);
	return rc;
}

static int run(struct call *c, const struct sv_instance_exec_body *b, int64_t seconds)
{
	const char *argv[ARGUMENTS_MAX + 1];
	struct exec *e = sv_malloc(sizeof(*e));
	int rc;

	if (!e)
		return SV_NOMEM;
	memset(e, 0, sizeof(*e));
	memcpy(argv, b->command.v, b->command.n * sizeof(*argv));
	argv[b->command.n] = NULL;
	e->p = c->p;
	e->next = c->p->execs;
	c->p->execs = e;
	snprintf(e->request, sizeof(e->request), "%s", c->request->request_id);
	e->until_ms = sv_mono_ms() + seconds * 1000 + GRACE_MS;
	rc = c->p->ops->exec(c->p->engine, c->id, argv, seconds * 1000, STREAM_CEILING, done, e);
	if (rc < 0) {
		end(e);
		return sv_err_wire(&c->err, "invalid_state", "engine %s runs no commands inside",
			c->p->ops->name);
	}
	return wait_for(c, e);
}

int local_instance_exec(struct call *c)
{
	const struct sv_instance_exec_body *b = c->in;
	struct exec *e = find(c->p, c->request->request_id);
	int64_t seconds = b->timeout_seconds ? b->timeout_seconds : TIMEOUT_DEFAULT;
	int rc;

	if (e)
		return wait_for(c, e);
	sweep(c->p);
	if (!b->command.n || !b->command.v[0][0])
		return sv_err_field(&c->err, "command", "required", "names no program");
	if (b->command.n > ARGUMENTS_MAX)
		return sv_err_field(
			&c->err, "command", "length", "has more than %d arguments", ARGUMENTS_MAX);
	if (seconds < 1 || seconds > TIMEOUT_MAX)
		return sv_err_field(
			&c->err, "timeout_seconds", "range", "must be 1 to %d", TIMEOUT_MAX);
	rc = flow_free(c->p, c->id, 0, &c->err);
	if (!rc && !instance_is(c->obj, "running"))
		rc = sv_err_wire(&c->err, "invalid_state",
			"exec is not possible while the instance is %s",
			((struct sv_instance *)c->obj)->status);
	return rc ? rc : run(c, b, seconds);
}

void instance_execs_free(struct platform *p)
{
	while (p->execs)
		end(p->execs);
}
