/* SPDX-License-Identifier: MIT */
/* A home of its own for each test of the configuration, and files in it. */
#ifndef SV_TEST_HOME_H
#define SV_TEST_HOME_H

#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define TWO \
	"version: 1\ncurrent_profile: cloud\nprofiles:\n" \
	"  cloud: {endpoint: \"https://api.example.com\", protected: true, retries: 0}\n" \
	"  other:\n    endpoint: http://other.test\n    timeout: 2h\n" \
	"defaults: {output: json, timeout: 20m}\naliases: {mine: instance list}\n"

static char dir[64], file[128], credentials[128];

static inline void put(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	fchmod(fd, mode);
	close(fd);
}

static inline const char *content(const char *path)
{
	static char text[65536];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

static inline int set_up(void **state)
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

static inline int tear_down(void **state)
{
	char command[100];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

#endif
