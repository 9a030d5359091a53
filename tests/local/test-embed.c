/* SPDX-License-Identifier: MIT */
/* The platform in one's own process: its transport, its clock, and what a state directory keeps. */
#include "unit.h"

#include <starverse/local.h>
#include <unistd.h>

struct got {
	int calls;
};

static void done(struct sv_xfer *x)
{
	((struct got *)x->data)->calls++;
}

/* Sends one request over the transport; the status, the body copied into text. */
static int ask(sv_local *l, const char *method, const char *path, const char *key, const char *body,
	char *text, size_t size)
{
	struct sv_transport *t = sv_local_transport(l);
	char url[300], authorization[120];
	struct sv_header headers[] = { { "Authorization", authorization }, { NULL, NULL } };
	struct got got = { 0 };
	struct sv_xfer x = { .method = method,
		.url = url,
		.headers = headers,
		.body = body,
		.body_len = body ? strlen(body) : 0,
		.ceiling = 1 << 20,
		.done = done,
		.data = &got };

	snprintf(url, sizeof(url), "http://local%s", path);
	snprintf(authorization, sizeof(authorization), "Bearer %s", key);
	assert_int_equal(t->ops->start(t, &x), SV_OK);
	assert_int_equal(got.calls, 0); /* never before pump */
	assert_int_equal(t->ops->pump(t, 0), 0);
	assert_int_equal(got.calls, 1);
	assert_int_equal(x.result, SV_OK);
	snprintf(text, size, "%.*s", (int)x.reply_len, x.reply ? x.reply : "");
	t->ops->cancel(t, &x);
	t->ops->free(t);
	return x.status;
}

static void test_in_memory(void **state)
{
	const char *key = NULL;
	char text[8192], before[64];
	sv_local *l = NULL;

	(void)state;
	assert_int_equal(sv_local_open(NULL, &l, NULL, 0), SV_OK);
	assert_int_equal(sv_local_register(l, "a@example.com", &key), SV_OK);
	assert_int_equal(ask(l, "GET", "/v1/account", key, NULL, text, sizeof(text)), 200);
	assert_non_null(strstr(text, "\"email\":\"a@example.com\""));
	assert_int_equal(ask(l, "GET", "/v1/account", "sv_wrong", NULL, text, sizeof(text)), 401);
	assert_int_equal(ask(l, "GET", "/v1/gpus?limit=1000", key, NULL, text, sizeof(text)), 200);
	assert_non_null(strstr(text, "rtx-4090"));
	assert_int_equal(
		ask(l, "PATCH", "/v1/account", key, "{\"name\":\"n\"}", text, sizeof(text)), 200);
	snprintf(before, sizeof(before), "%.45s", strstr(text, "\"updated_at\""));
	assert_int_equal(sv_local_step(l, 3600), SV_OK);
	assert_int_equal(sv_local_step(l, -1), SV_INVALID);
	assert_int_equal(
		ask(l, "PATCH", "/v1/account", key, "{\"name\":\"m\"}", text, sizeof(text)), 200);
	assert_null(strstr(text, before));
	sv_local_close(l);
	sv_local_close(NULL);
}

/* A long poll whose time is up gives the unchanged account. */
static void test_long_poll_ends(void **state)
{
	const char *key = NULL;
	char text[8192];
	sv_local *l = NULL;

	(void)state;
	assert_int_equal(sv_local_open(NULL, &l, NULL, 0), SV_OK);
	assert_int_equal(sv_local_register(l, "a@example.com", &key), SV_OK);
	assert_int_equal(ask(l, "GET", "/v1/account?after_version=9999&timeout_seconds=1", key,
				 NULL, text, sizeof(text)),
		200);
	sv_local_close(l);
}

static void test_state_is_kept(void **state)
{
	char dir[] = "/tmp/sv-embed-XXXXXX", key[100], text[8192], message[200] = "", command[100];
	struct sv_local_options o = { .self_size = sizeof(o), .state_dir = dir };
	const char *given = NULL;
	sv_local *l = NULL, *other = NULL;

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(sv_local_open(&o, &l, message, sizeof(message)), SV_OK);
	assert_int_equal(sv_local_register(l, "a@example.com", &given), SV_OK);
	snprintf(key, sizeof(key), "%s", given);
	assert_int_equal(sv_local_open(&o, &other, message, sizeof(message)), SV_CONFLICT);
	assert_non_null(strstr(message, "already running"));
	sv_local_close(l);
	assert_int_equal(sv_local_open(&o, &l, message, sizeof(message)), SV_OK);
	assert_int_equal(ask(l, "GET", "/v1/account", key, NULL, text, sizeof(text)), 200);
	sv_local_close(l);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	assert_int_equal(system(command), 0);
}

static void test_bad_catalog(void **state)
{
	struct sv_local_options o = { .self_size = sizeof(o),
		.catalog = "/nonexistent/catalog.yaml" };
	char message[200] = "";
	sv_local *l = NULL;

	(void)state;
	assert_int_not_equal(sv_local_open(&o, &l, message, sizeof(message)), SV_OK);
	assert_non_null(strstr(message, "/nonexistent/catalog.yaml"));
	assert_null(l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_memory),
		cmocka_unit_test(test_long_poll_ends),
		cmocka_unit_test(test_state_is_kept),
		cmocka_unit_test(test_bad_catalog),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
