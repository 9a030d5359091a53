/* SPDX-License-Identifier: MIT */
/* Loading the configuration: what wins, what is refused, where keys come from. */
#include "home.h"

#include <starverse/config.h>

#include "api/config.h"
#include "base/arena.h"

static struct sv_config *load(const char *profile)
{
	struct sv_config *c = NULL;
	struct sv_error e;
	int r = sv_config_load(file, profile, &c, &e);

	if (r)
		fail_msg("%d: %s", r, e.message);
	return c;
}

static void refused(const char *text, const char *what)
{
	struct sv_config *c = NULL;
	struct sv_error e;

	put(file, text, 0600);
	assert_int_equal(sv_config_load(file, NULL, &c, &e), SV_CONFIG);
	assert_int_equal(sv_exit_code(e.code), 3);
	if (!strstr(e.message, what))
		fail_msg("\"%s\" is not in: %s", what, e.message);
}

static void what_wins(void **state)
{
	struct sv_config *c;
	char origin[200];

	(void)state;
	put(file, TWO, 0600);
	c = load(NULL);
	assert_string_equal(c->profile, "cloud");
	assert_string_equal(c->endpoint, "https://api.example.com");
	assert_int_equal(c->protected_profile, 1);
	assert_int_equal(c->timeout, 1200);
	assert_int_equal(c->retries, 0);
	assert_int_equal(c->request_timeout, 60);
	assert_string_equal(c->output, "json");
	snprintf(origin, sizeof(origin), "file %s:4", file);
	assert_string_equal(sv_config_origin(c, "endpoint"), origin);
	snprintf(origin, sizeof(origin), "file %s:8", file);
	assert_string_equal(sv_config_origin(c, "timeout"), origin);
	assert_string_equal(sv_config_origin(c, "request_timeout"), "default");
	c->endpoint = "http://flag.test";
	assert_string_equal(sv_config_origin(c, "endpoint"), "flag");
	assert_null(sv_config_warning(c, 0));
	sv_free(c);
	setenv("STARVERSE_ENDPOINT", "http://env.test", 1);
	setenv("STARVERSE_PROFILE", "other", 1);
	setenv("STARVERSE_TIMEOUT", "90s", 1);
	c = load(NULL);
	assert_string_equal(c->profile, "other");
	assert_string_equal(c->endpoint, "http://env.test");
	assert_int_equal(c->timeout, 90);
	assert_string_equal(sv_config_origin(c, "endpoint"), "environment STARVERSE_ENDPOINT");
	sv_free(c);
	c = load("cloud");
	assert_string_equal(c->profile, "cloud");
	sv_free(c);
}

static void with_nothing(void **state)
{
	struct sv_config *c = load(NULL);
	char want[200];

	(void)state;
	assert_string_equal(c->profile, "local");
	assert_string_equal(c->endpoint, "local:");
	assert_null(c->api_key);
	snprintf(want, sizeof(want), "%s/.local/state/starverse", dir);
	assert_string_equal(c->state_dir, want);
	snprintf(want, sizeof(want), "%s/.local/state/starverse/local.sock", dir);
	assert_string_equal(c->local_socket, want);
	assert_string_equal(c->credentials_file, credentials);
	sv_free(c);
}

static void bad_files(void **state)
{
	(void)state;
	refused("profiles: [", "config.yaml:");
	refused("current_profile: none\n", "no profile is called \"none\"");
	refused("version: 2\n", "newer");
	refused("version: x\n", ":1:");
	refused("current_profile: a\ncurrent_profile: b\n", "first in line 1");
	refused("- a\n", "map");
	refused("profiles:\n  local:\n    timeout: soon\n", ":3:");
	refused("profiles:\n  local: {retries: many}\n", "retries");
	refused("profiles:\n  local: {api_key: abc}\n", "credentials.yaml");
	refused("profiles: {local: {timeout: [1]}}\n", "timeout");
	refused("a: 1\n---\nb: 2\n", "second document");
	unlink(file);
	mkdir(file, 0700);
	assert_int_equal(
		sv_config_load(file, NULL, &(struct sv_config *){ NULL }, NULL), SV_CONFIG);
	rmdir(file);
}

static void unknown_keys_are_mentioned(void **state)
{
	struct sv_config *c;

	(void)state;
	put(file, "x-own: 1\nprofile: {}\nprofiles:\n  local:\n    endpont: http://x\n", 0600);
	c = load(NULL);
	assert_non_null(sv_config_warning(c, 0));
	assert_non_null(
		strstr(sv_config_warning(c, 0), ":2: unknown key profile; did you mean profiles?"));
	assert_non_null(
		strstr(sv_config_warning(c, 1), ":5: unknown key endpont; did you mean endpoint?"));
	assert_null(sv_config_warning(c, 2));
	sv_free(c);
}

static void key(const char *want, const char *source_want)
{
	struct sv_config *c = load(NULL);
	const char *source = "";
	struct sv_error e;
	char *got = NULL;

	assert_int_equal(sv_config_key(c, &got, &source, &e), SV_OK);
	assert_string_equal(got ? got : "", want);
	if (got)
		assert_string_equal(source, source_want);
	sv_mfree(got);
	sv_free(c);
}

static void where_keys_come_from(void **state)
{
	char path[160], text[400];

	(void)state;
	key("", "");
	put(credentials, "profiles:\n  local:\n    api_key: from-credentials\n", 0600);
	key("from-credentials", "api_key");
	snprintf(path, sizeof(path), "%s/key", dir);
	put(path, "from-file\n", 0600);
	snprintf(text, sizeof(text), "profiles:\n  local:\n    api_key_file: %s\n", path);
	put(file, text, 0600);
	key("from-file\n", "api_key_file");
	/* Words of a program, not of a shell. */
	put(file, "profiles: {local: {api_key_command: [printf, '%s;%s', 'a b', '$HOME']}}\n",
		0600);
	key("a b;$HOME", "api_key_command");
	setenv("STARVERSE_API_KEY_FILE", path, 1);
	key("from-file\n", "api_key_file");
	setenv("STARVERSE_API_KEY", "from-env", 1);
	key("from-env", "STARVERSE_API_KEY");
}

static void commands_that_fail(void **state)
{
	static const char *const bad[] = { "[\"false\"]", "[/nonexistent]",
		"[sh, -c, 'kill -9 $$']", "[cat, /dev/zero]" };
	char text[200], *got = NULL;
	const char *source;
	struct sv_config *c;
	struct sv_error e;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		snprintf(text, sizeof(text), "profiles: {local: {api_key_command: %s}}\n", bad[i]);
		put(file, text, 0600);
		c = load(NULL);
		assert_int_equal(sv_config_key(c, &got, &source, &e), SV_CONFIG);
		assert_non_null(strstr(e.message, "api_key_command"));
		sv_free(c);
	}
}

static void loose_credentials(void **state)
{
	static const mode_t modes[] = { 0644, 0640, 0604, 0660, 0777 };
	struct sv_config *c = NULL;
	struct sv_error e;

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		put(credentials, "profiles: {local: {api_key: S3CRET}}\n", modes[i]);
		assert_int_equal(sv_config_load(file, NULL, &c, &e), SV_CONFIG);
		assert_non_null(strstr(e.message, credentials));
		assert_non_null(strstr(e.suggestion, "chmod 600"));
		assert_null(strstr(e.message, "S3CRET"));
	}
}

static void checks(void **state)
{
	static const char *const bad[] = { "ftp://h", "h:1", "http://u:p@h", "http://h?x" };
	struct sv_error e;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct sv_config *c = sv_config_new();

		c->endpoint = bad[i];
		assert_int_equal(sv_config_check(c, &e), SV_CONFIG);
		assert_string_equal(e.field, "endpoint");
		sv_free(c);
	}
	setenv("STARVERSE_RETRIES", "-1", 1);
	assert_int_equal(sv_config_load(file, NULL, &(struct sv_config *){ NULL }, &e), SV_CONFIG);
	assert_non_null(strstr(e.message, "STARVERSE_RETRIES"));
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(what_wins),
		CASE(with_nothing),
		CASE(bad_files),
		CASE(unknown_keys_are_mentioned),
		CASE(where_keys_come_from),
		CASE(commands_that_fail),
		CASE(loose_credentials),
		CASE(checks),
	};

	return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
