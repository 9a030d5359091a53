/* SPDX-License-Identifier: MIT */
#include "local/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "local/auth.h"

int inside_is(const struct platform *p)
{
	return p->inside && p->state_dir && !(p->caps & ENGINE_INSTANT);
}

char *inside_dir(const struct platform *p, const char *instance, char *buf, size_t size)
{
	snprintf(buf, size, "%s/inside/%s", p->state_dir, instance);
	return buf;
}

/* A file of one's directory. */
static char *file_of(
	const struct platform *p, const char *instance, const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s/inside/%s/%s", p->state_dir, instance, name);
	return buf;
}

static int copy_bytes(int from, int to)
{
	char chunk[65536];
	ssize_t got;

	while ((got = read(from, chunk, sizeof(chunk))) > 0)
		for (ssize_t put, at = 0; at < got; at += put) {
			put = write(to, chunk + at, (size_t)(got - at));
			if (put <= 0)
				return -1;
		}
	return got ? -1 : 0;
}

/* Under another name first: instances that run keep the file they have. */
static int copy_file(const char *from, const char *to)
{
	char temporary[PATH_MAX + 8];
	int in = open(from, O_RDONLY | O_CLOEXEC), out = -1, bad = -1;

	snprintf(temporary, sizeof(temporary), "%s.new", to);
	unlink(temporary);
	if (in >= 0)
		out = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
	if (out >= 0)
		bad = copy_bytes(in, out) || fchmod(out, 0755) || fsync(out);
	if (in >= 0)
		close(in);
	if (out >= 0)
		bad |= close(out);
	if (!bad)
		bad = rename(temporary, to);
	if (bad)
		unlink(temporary);
	return bad;
}

static char *program_of(const struct platform *p, char *buf, size_t size)
{
	snprintf(buf, size, "%s/inside/svctl", p->state_dir);
	return buf;
}

void inside_open(struct platform *p,
	int (*listen)(void *data, const char *instance, const char *path), void *data)
{
	static const char name[] = "svctl-inside";
	char program[PATH_MAX], path[PATH_MAX], *slash;
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - sizeof(name));

	p->inside = listen;
	p->inside_data = data;
	program[n > 0 ? n : 0] = '\0';
	slash = strrchr(program, '/');
	if (!inside_is(p) || !slash)
		return;
	memcpy(slash + 1, name, sizeof(name));
	inside_dir(p, "", path, sizeof(path));
	if ((mkdir(path, 0755) && errno != EEXIST) ||
		copy_file(program, program_of(p, path, sizeof(path))))
		platform_log(p, "instances have no svctl inside: %s: %s", program,
			strerrordesc_np(errno));
}

static int write_token(const char *path, const char *token)
{
	char temporary[PATH_MAX + 8];
	size_t len = strlen(token);
	int fd, bad;

	snprintf(temporary, sizeof(temporary), "%s.new", path);
	unlink(temporary);
	fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	bad = write(fd, token, len) != (ssize_t)len || write(fd, "\n", 1) != 1;
	bad |= close(fd);
	return bad || rename(temporary, path) ? -1 : 0;
}

int inside_begin(struct platform *p, const char *account, const char *instance)
{
	char dir[PATH_MAX], path[PATH_MAX], program[PATH_MAX], token[AUTH_KEY];
	int rc;

	if (!inside_is(p))
		return SV_OK;
	inside_dir(p, instance, dir, sizeof(dir));
	if (mkdir(dir, 0755) && errno != EEXIST) {
		platform_log(p, "%s: %s", dir, strerrordesc_np(errno));
		return SV_IO;
	}
	rc = auth_token_new(p, account, instance, token);
	if (!rc && write_token(file_of(p, instance, "token", path, sizeof(path)), token))
		rc = SV_IO;
	explicit_bzero(token, sizeof(token));
	file_of(p, instance, "svctl", path, sizeof(path));
	unlink(path);
	(void)!link(program_of(p, program, sizeof(program)), path);
	if (!rc)
		inside_resume(p, instance);
	return rc;
}

/* Without it an instance still runs; the listener has said why. */
void inside_resume(struct platform *p, const char *instance)
{
	char path[PATH_MAX];

	if (inside_is(p))
		p->inside(p->inside_data, instance,
			file_of(p, instance, "api.sock", path, sizeof(path)));
}

int inside_end(struct platform *p, const char *instance)
{
	static const char *const files[] = { "api.sock", "svctl", "token" };
	char path[PATH_MAX];

	if (!inside_is(p))
		return SV_OK;
	p->inside(p->inside_data, instance, NULL);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		unlink(file_of(p, instance, files[i], path, sizeof(path)));
	rmdir(inside_dir(p, instance, path, sizeof(path)));
	return auth_token_drop(p, instance);
}
