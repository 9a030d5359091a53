/* SPDX-License-Identifier: MIT */
/* Where an API key is found when it is needed: as it is, in a file, or by asking a program. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/config.h"
#include "base/arena.h"
#include "base/err.h"
#include "base/limits.h"

extern char **environ;

/* Room for what stands around a key. */
#define MOST_KEY_TEXT (SV_MAX_KEY + 256)

/* Up to MOST_KEY_TEXT bytes; what is longer is no key. */
static int slurp(int fd, struct sv_buf *b)
{
	char piece[512];
	ssize_t n;

	for (;;) {
		n = read(fd, piece, sizeof(piece));
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		/* Too much is no key: no need to see the end of it. */
		if (sv_buf_add(b, piece, (size_t)n))
			break;
	}
	explicit_bzero(piece, sizeof(piece));
	return n < 0 ? SV_IO : SV_OK;
}

static int from_file(const char *path, struct sv_buf *b, struct sv_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), r;

	if (fd < 0)
		return sv_err(err, SV_CONFIG, "api_key_file: %s cannot be read: %s", path,
			strerrordesc_np(errno));
	r = slurp(fd, b);
	close(fd);
	return r ? sv_err(err, SV_CONFIG, "api_key_file: %s cannot be read", path) : SV_OK;
}

static int start(const struct sv_strs *command, int out, pid_t *pid)
{
	posix_spawn_file_actions_t files;
	const char **argv = sv_malloc((command->n + 1) * sizeof(*argv));
	int r = argv ? 0 : ENOMEM;

	if (r)
		return r;
	memcpy(argv, command->v, command->n * sizeof(*argv));
	argv[command->n] = NULL;
	posix_spawn_file_actions_init(&files);
	r = posix_spawn_file_actions_adddup2(&files, out, 1);
	/* No shell: the words are the program's own. */
	if (!r)
		r = posix_spawnp(pid, argv[0], &files, NULL, (char **)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&files);
	sv_mfree(argv);
	return r;
}

int sv_secret_command(
	const struct sv_strs *command, const char *what, struct sv_buf *b, struct sv_error *err)
{
	const char *name = command->v[0];
	int ends[2], status = 0, r;
	pid_t pid = 0;

	if (pipe2(ends, O_CLOEXEC))
		return sv_err(err, SV_CONFIG, "%s: no pipe: %s", what, strerrordesc_np(errno));
	r = start(command, ends[1], &pid);
	close(ends[1]);
	if (r) {
		close(ends[0]);
		return sv_err(err, SV_CONFIG, "%s: %s cannot be run: %s", what, name,
			strerrordesc_np(r));
	}
	r = slurp(ends[0], b);
	close(ends[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (b->failed)
		return SV_OK;
	if (r || !WIFEXITED(status) || WEXITSTATUS(status))
		return sv_err(err, SV_CONFIG, "%s: %s failed (status %d)", what, name,
			WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return SV_OK;
}

int sv_config_key(const struct sv_config *c, char **ret, const char **source, struct sv_error *err)
{
	int file_first = c->api_key_file && !strncmp(sv_config_origin(c, "api_key_file"), "env", 3);
	struct sv_buf b;
	int r = SV_OK;

	*ret = NULL;
	sv_buf_init(&b, MOST_KEY_TEXT);
	if (c->api_key) {
		*source = strncmp(sv_config_origin(c, "api_key"), "env", 3) ? "api_key"
									    : "STARVERSE_API_KEY";
		sv_buf_str(&b, c->api_key);
	} else if (c->api_key_command.n && !file_first) {
		*source = "api_key_command";
		r = sv_secret_command(&c->api_key_command, *source, &b, err);
	} else if (c->api_key_file) {
		*source = "api_key_file";
		r = from_file(c->api_key_file, &b, err);
	} else {
		return SV_OK;
	}
	if (!r && memchr(sv_buf_text(&b), '\0', b.len))
		r = sv_err(err, SV_CONFIG, "%s: the API key has a NUL character", *source);
	if (!r && b.failed && b.len < SV_MAX_KEY / 2)
		r = sv_err(err, SV_NOMEM, "out of memory");
	else if (!r && b.failed)
		r = sv_err(err, SV_CONFIG, "%s: the API key is longer than %zu bytes", *source,
			SV_MAX_KEY);
	if (!r) {
		sv_buf_add(&b, "", 0);
		*ret = sv_buf_take(&b);
		r = *ret ? SV_OK : sv_err(err, SV_NOMEM, "out of memory");
	}
	if (b.data)
		explicit_bzero(b.data, b.cap);
	sv_buf_free(&b);
	return r;
}
