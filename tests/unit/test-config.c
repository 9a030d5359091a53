/* SPDX-License-Identifier: MIT */
/* The configuration: what wins, what is refused, and files that are changed without harm. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <starverse/config.h>
#include <starverse/kind.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/config.h"
#include "base/arena.h"

static char dir[64], file[128], credentials[128];

static void put(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	fchmod(fd, mode);
	close(fd);
}

static const char *content(const char *path)
{
	static char text[65536];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

static int set_up(void **state)
{
	static const char *const names[] = { "STARVERSE_CONFIG", "STARVERSE_PROFILE",
		"STARVERSE_ENDPOINT", "STARVERSE_API_KEY", "STARVERSE_API_KEY_FILE",
		"STARVERSE_TIMEOUT", "STARVERSE_RETRIES", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
		"XDG_CACHE_HOME", "XDG_RUNTIME_DIR" };

	(void)state;
	snprintf(dir, sizeof(dir), "/tmp/sv-config-XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(file, sizeof(file), "%s/config.yaml", dir);
	snprintf(credentials, sizeof(credentials), "%s/credentials.yaml", dir);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		unsetenv(names[i]);
	setenv("HOME", dir, 1);
	return 0;
}

static int tear_down(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

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

#define TWO \
	"version: 1\ncurrent_profile: cloud\nprofiles:\n" \
	"  cloud: {endpoint: \"https://api.example.com\", protected: true, retries: 0}\n" \
	"  other:\n    endpoint: http://other.test\n    timeout: 2h\n" \
	"defaults: {output: json, timeout: 20m}\naliases: {mine: instance list}\n"

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

/* Setting. */

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
		CASE(what_wins),
		CASE(with_nothing),
		CASE(bad_files),
		CASE(unknown_keys_are_mentioned),
		CASE(where_keys_come_from),
		CASE(commands_that_fail),
		CASE(loose_credentials),
		CASE(checks),
		CASE(edits_keep_the_rest),
		CASE(refusals_change_nothing),
		CASE(credentials_are_private),
		CASE(links_stay_links),
		CASE(full_disk),
		CASE(many_writers),
		CASE(reads_as_json),
	};

	return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
