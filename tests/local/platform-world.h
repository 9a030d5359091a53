/* SPDX-License-Identifier: MIT */
/* A platform in memory with one account, for tests that speak to it as a client would. */
#ifndef SV_TEST_PLATFORM_WORLD_H
#define SV_TEST_PLATFORM_WORLD_H

#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "local/catalog.h"
#include "local/field.h"
#include "local/platform.h"
#include "local/store.h"
#include "kinds/kinds.h"
#include "model/json.h"

#define T0 INT64_C(1790000000)

struct world {
	struct platform p;
	char key[80], account[64], authorization[100];
	struct reply rp;
	char *text; /* the last answer's body */
};

/* Sends one request and commits; the answer's status, its body in w->text. */
static inline int send_with(struct world *w, struct request *rq)
{
	sv_mfree(w->text);
	w->text = NULL;
	platform_handle(&w->p, rq, &w->rp);
	if (platform_commit(&w->p) != SV_OK) {
		struct sv_error err;

		sv_err_wire(&err, "unavailable", "could not be written");
		reply_problem(&w->rp, &err, rq);
	}
	w->text = sv_xstrdup(sv_buf_text(&w->rp.body));
	reply_free(&w->rp);
	return w->rp.status;
}

static inline int ask_keyed(
	struct world *w, const char *method, const char *path, const char *body, const char *key)
{
	char plain[600];
	const char *query = strchr(path, '?');
	struct request rq = { .method = method,
		.path = plain,
		.query = query ? query + 1 : "",
		.body = body,
		.body_len = body ? strlen(body) : 0,
		.authorization = *w->key ? w->authorization : NULL,
		.idempotency_key = key,
		.trusted = 1 };

	snprintf(plain, sizeof(plain), "%.*s", (int)(query ? (size_t)(query - path) : strlen(path)),
		path);
	return send_with(w, &rq);
}

static inline int ask(struct world *w, const char *method, const char *path, const char *body)
{
	return ask_keyed(w, method, path, body, NULL);
}

/* The string member of the last answer, found by its text: the tests' own reading, not the
 * platform's. */
static inline const char *member(struct world *w, const char *name, char *buf, size_t size)
{
	char mark[80];
	const char *at;

	snprintf(mark, sizeof(mark), "\"%s\":\"", name);
	at = w->text ? strstr(w->text, mark) : NULL;
	*buf = '\0';
	if (at) {
		at += strlen(mark);
		snprintf(buf, size, "%.*s", (int)strcspn(at, "\""), at);
	}
	return buf;
}

static inline int has(struct world *w, const char *part)
{
	return w->text && strstr(w->text, part) != NULL;
}

static inline void enter(struct world *w, const char *email)
{
	char body[200];

	*w->key = '\0';
	snprintf(body, sizeof(body), "{\"email\":\"%s\"}", email);
	assert_int_equal(ask(w, "POST", "/v1/account/register", body), 201);
	member(w, "api_key", w->key, sizeof(w->key));
	member(w, "id", w->account, sizeof(w->account));
	snprintf(w->authorization, sizeof(w->authorization), "Bearer %s", w->key);
}

static inline void open_world(struct world *w, const char *path)
{
	char message[256] = "";
	struct engine_config config = { .data = &w->p };

	memset(w, 0, sizeof(*w));
	w->p.clock.stepped = 1;
	w->p.clock.at = T0;
	assert_int_equal(store_open(path, &w->p.store, message, sizeof(message)), SV_OK);
	assert_int_equal(catalog_read(NULL, &w->p.catalog, message, sizeof(message)), SV_OK);
	w->p.ops = &sv_engine_none;
	w->p.ops->probe(&w->p.caps, message, sizeof(message));
	if (w->p.ops->open)
		assert_int_equal(
			w->p.ops->open(&config, &w->p.engine, message, sizeof(message)), SV_OK);
	if (platform_open(&w->p, message, sizeof(message)) != SV_OK)
		fail_msg("%s", message);
}

static inline void close_world(struct world *w)
{
	platform_close(&w->p);
	if (w->p.ops->close)
		w->p.ops->close(w->p.engine);
	catalog_free(w->p.catalog);
	store_close(w->p.store);
	sv_mfree(w->text);
	w->text = NULL;
}

static inline int setup(void **state)
{
	static struct world w;

	open_world(&w, NULL);
	enter(&w, "a@example.com");
	*state = &w;
	return 0;
}

static inline int teardown(void **state)
{
	close_world(*state);
	return 0;
}

#endif
