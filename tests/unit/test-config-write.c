/* SPDX-License-Identifier: MIT */
/* Changing the configuration's files: nothing else in them changes, and they are whole or as they
 * were. */
#include "home.h"

#include <starverse/config.h>
#include <starverse/kind.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const struct {
	const char *before, *key, *value, *after;
} edits[] = {
	{ "", "current_profile", "local", "current_profile: local\n" },
	{ "", "profiles.a.endpoint", "http://x", "profiles:\n  a:\n    endpoint: http://x\n" },
	{ "# top\nprofiles:\n  a:\n    endpoint: http://x # why\n# end\n", "profiles.a.endpoint",
		"http://y", "# top\nprofiles:\n  a:\n    endpoint: http://y # why\n# end\n" },
	{ "profiles:\n    a:\n        endpoint: http://x\n\n# c\ndefaults: {}\n",
		"profiles.a.timeout", "5m",
		"profiles:\n    a:\n        endpoint: http://x\n        timeout: 5m\n\n# "
		"c\ndefaults: {}\n" },
	{ "profiles:\n  a:\n    endpoint: http://x\ndefaults: {}\n", "profiles.b.endpoint",
		"local:",
		"profiles:\n  a:\n    endpoint: http://x\n  b:\n    endpoint: "
		"\"local:\"\ndefaults: {}\n" },
	{ "profiles: {a: {endpoint: \"http://x\"}}\n", "profiles.a.timeout", "5m",
		"profiles: {a: {endpoint: \"http://x\", timeout: 5m}}\n" },
	{ "profiles: {}\n", "profiles.a.timeout", "5m", "profiles: {a: {timeout: 5m}}\n" },
	{ "defaults:\nversion: 1\n", "defaults.output", "json",
		"defaults:\n  output: json\nversion: 1\n" },
	{ "defaults: {output: table, timeout: 5m}\n", "defaults.output", NULL,
		"defaults: {timeout: 5m}\n" },
	{ "defaults: {output: table, timeout: 5m}\n", "defaults.timeout", NULL,
		"defaults: {output: table}\n" },
	{ "defaults:\n  output: table # x\n  timeout: 5m\nversion: 1\n", "defaults.output", NULL,
		"defaults:\n  timeout: 5m\nversion: 1\n" },
	{ "aliases: {a: \"b c\"}\n", "aliases.d.e", "x y",
		"aliases: {a: \"b c\", d.e: \"x y\"}\n" },
	{ "aliases: {\xe6\x95\xb0: \xe6\x8d\xae}\nversion: 1\n", "version", "1",
		"aliases: {\xe6\x95\xb0: \xe6\x8d\xae}\nversion: 1\n" },
	{ "profiles:\n  a:\n    api_key_command:\n      - pass\n      - x\n    timeout: 5m\n",
		"profiles.a.api_key_command", "op,read",
		"profiles:\n  a:\n    api_key_command:\n      [op, read]\n    timeout: 5m\n" },
	{ "version: 1", "region", "x", "version: 1\nregion: x\n" },
	{ "---\nversion: 1\n", "region", "x", "---\nversion: 1\nregion: x\n" },
};

static void edits_keep_the_rest(void **state)
{
	struct sv_error e;

	(void)state;
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		put(file, edits[i].before, 0600);
		if (sv_config_set(file, edits[i].key, edits[i].value, &e) != SV_OK)
			fail_msg("%zu: %s", i, e.message);
		assert_string_equal(content(file), edits[i].after);
	}
}

static const struct {
	const char *key, *value, *what;
} refusals[] = {
	{ "profiles.a.endpont", "x", "did you mean endpoint" },
	{ "profiles.a.endpoint", "ftp://x", "endpoint" },
	{ "profiles.a.timeout", "soon", "timeout" },
	{ "profiles.a.retries", "101", "retries" },
	{ "profiles.a.api_key", "S3CRET", "not kept" },
	{ "profiles.a", "x", "no key" },
	{ "profiles", "x", "no key" },
	{ "current_profile", "none", "no profile" },
	{ "", "x", "no key" },
	{ "a..b", "x", "no key" },
	{ "defaults.nothing", NULL, "not set" },
};

static void refusals_change_nothing(void **state)
{
	static const char text[] = "# mine\nprofiles: {a: {endpoint: \"http://x\"}}\n";
	struct sv_error e;

	(void)state;
	put(file, text, 0600);
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
		int r = sv_config_set(file, refusals[i].key, refusals[i].value, &e);

		if (r == SV_OK || !strstr(e.message, refusals[i].what))
			fail_msg("%s: %d %s", refusals[i].key, r, r ? e.message : "");
		assert_null(strstr(e.message, "S3CRET"));
		assert_string_equal(content(file), text);
	}
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) ? 0 : st.st_mode;
}

static void credentials_are_private(void **state)
{
	static const mode_t masks[] = { 0, 022, 0777 };
	char below[160], path[200], home[180];
	struct sv_error e;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		mode_t old = umask(masks[i]);
		int r;

		snprintf(below, sizeof(below), "%s/new%zu/starverse/config.yaml", dir, i);
		snprintf(home, sizeof(home), "%s/new%zu/starverse", dir, i);
		r = sv_credentials_set(below, "cloud", " S3CRET\r\n", &e);
		umask(old);
		assert_int_equal(r, SV_OK);
		snprintf(path, sizeof(path), "%s/credentials.yaml", home);
		assert_int_equal(mode_of(path) & 07777, 0600);
		assert_int_equal(mode_of(home) & 07777, 0700);
		assert_string_equal(
			content(path), "profiles:\n  cloud:\n    api_key: \"S3CRET\"\n");
	}
	put(credentials, "profiles: {a: {api_key: x}}\n", 0644);
	assert_int_equal(sv_credentials_set(file, "b", "y", &e), SV_OK);
	assert_int_equal(mode_of(credentials) & 07777, 0600);
	assert_string_equal(
		content(credentials), "profiles: {a: {api_key: x}, b: {api_key: \"y\"}}\n");
	assert_int_equal(sv_credentials_set(file, "a", NULL, &e), SV_OK);
	assert_string_equal(content(credentials), "profiles: {b: {api_key: \"y\"}}\n");
	assert_int_equal(sv_credentials_set(file, "a", "x\ny", &e), SV_CONFIG);
}

static void links_stay_links(void **state)
{
	char target[160];
	struct sv_error e;

	(void)state;
	snprintf(target, sizeof(target), "%s/dotfiles", dir);
	mkdir(target, 0755);
	snprintf(target, sizeof(target), "%s/dotfiles/svctl.yaml", dir);
	put(target, "version: 1\n", 0640);
	assert_int_equal(symlink("dotfiles/svctl.yaml", file), 0);
	assert_int_equal(sv_config_set(file, "region", "x", &e), SV_OK);
	assert_true(S_ISLNK(mode_of(file)));
	assert_string_equal(content(target), "version: 1\nregion: x\n");
	assert_int_equal(mode_of(target) & 07777, 0640);
	unlink(target);
	assert_int_equal(sv_config_set(file, "region", "y", &e), SV_OK);
	assert_true(S_ISLNK(mode_of(file)));
	assert_string_equal(content(target), "region: y\n");
	unlink(file);
	assert_int_equal(symlink("config.yaml", file), 0);
	assert_int_equal(sv_config_set(file, "region", "y", &e), SV_CONFIG);
}

static int entries(void)
{
	char command[120];
	FILE *p;
	int n = -1;

	snprintf(command, sizeof(command), "ls -A %s | grep -vc '\\.lock$'", dir);
	p = popen(command, "r");
	assert_int_equal(fscanf(p, "%d", &n), 1);
	pclose(p);
	return n;
}

/* A disk that is full, as far as this process can tell: the old file stays, and nothing beside it.
 */
static void full_disk(void **state)
{
	struct sv_error e;
	int status;
	pid_t pid;

	(void)state;
	put(file, "version: 1\n", 0600);
	pid = fork();
	if (!pid) {
		const struct rlimit none = { 0, 0 };

		setrlimit(RLIMIT_FSIZE, &none);
		status = sv_config_set(file, "region", "x", &e);
		_exit(status == SV_CONFIG && strstr(e.message, file) &&
					strstr(e.message, "nothing was changed")
				? 0
				: 1);
	}
	waitpid(pid, &status, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_string_equal(content(file), "version: 1\n");
	assert_int_equal(entries(), 1);
}

static void many_writers(void **state)
{
	struct sv_error e;
	char name[32], line[40];
	const char *text;
	int status;

	(void)state;
	for (int i = 0; i < 50; i++)
		if (!fork()) {
			snprintf(name, sizeof(name), "p.k%d", i);
			_exit(sv_config_set(file, name, "1", &e) ? 1 : 0);
		}
	for (int i = 0; i < 50; i++) {
		wait(&status);
		assert_int_equal(status, 0);
	}
	text = content(file);
	for (int i = 0; i < 50; i++) {
		snprintf(line, sizeof(line), "  k%d: 1\n", i);
		assert_non_null(strstr(text, line));
	}
}

static void reads_as_json(void **state)
{
	char *text = NULL;
	struct sv_error e;

	(void)state;
	put(file, TWO, 0600);
	assert_int_equal(sv_config_read(file, "profiles.cloud", &text, &e), SV_OK);
	assert_string_equal(text,
		"{\"endpoint\":\"https://api.example.com\",\"protected\":true,\"retries\":0}");
	sv_free_text(text);
	assert_int_equal(sv_config_read(file, "aliases.mine", &text, &e), SV_OK);
	assert_string_equal(text, "\"instance list\"");
	sv_free_text(text);
	assert_int_equal(sv_config_read(file, "profiles.none", &text, &e), SV_NOTFOUND);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		CASE(edits_keep_the_rest),
		CASE(refusals_change_nothing),
		CASE(credentials_are_private),
		CASE(links_stay_links),
		CASE(full_disk),
		CASE(many_writers),
		CASE(reads_as_json),
	};

	return cmocka_run_group_tests_name("config-write", tests, NULL, NULL);
}
