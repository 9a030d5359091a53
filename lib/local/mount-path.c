/* SPDX-License-Identifier: MIT */
/* Where a disk may be mounted. Text only: nothing here looks at a file. */
#include <string.h>

#include "base/str.h"
#include "local/mount.h"

/* Nothing may stand on or below these: the instance would not boot, or would hide what the platform
 * put there. */
static const char *const system_dirs[] = {
	"bin",
	"boot",
	"dev",
	"etc",
	"lib",
	"lib32",
	"lib64",
	"libx32",
	"library",
	"proc",
	"run",
	"sbin",
	"sys",
	"usr",
};
/* On these themselves nothing, but below them is well. */
static const char *const system_roots[] = { "home", "media", "mnt", "opt", "root", "srv", "tmp",
	"var" };

static int first_is(const char *path, const char *dir, int whole)
{
	size_t len = strlen(dir);

	return !strncmp(path + 1, dir, len) &&
	       (path[1 + len] == '\0' || (!whole && path[1 + len] == '/'));
}

static const char *segment_wrong(const char *s, size_t len)
{
	if (!len)
		return "must not have an empty part (\"//\" or a \"/\" at its end)";
	if ((len == 1 && s[0] == '.') || (len == 2 && s[0] == '.' && s[1] == '.'))
		return "must not have the parts \".\" or \"..\"";
	if (len > 255)
		return "has a part of more than 255 bytes";
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s[i] < 32 || s[i] == 127)
			return "must not have control characters";
	return NULL;
}

const char *mount_path_wrong(const char *path)
{
	const char *wrong, *at;

	if (!path || path[0] != '/')
		return "must be absolute";
	if (!path[1])
		return "is the root of the instance";
	if (strlen(path) > 1024)
		return "is longer than 1024 bytes";
	if (!sv_utf8_valid(path, strlen(path)))
		return "is not valid UTF-8";
	for (at = path; *at; at += 1 + strcspn(at + 1, "/")) {
		wrong = segment_wrong(at + 1, strcspn(at + 1, "/"));
		if (wrong)
			return wrong;
	}
	for (size_t i = 0; i < sizeof(system_dirs) / sizeof(system_dirs[0]); i++)
		if (first_is(path, system_dirs[i], 0))
			return "lies in a directory of the system";
	for (size_t i = 0; i < sizeof(system_roots) / sizeof(system_roots[0]); i++)
		if (first_is(path, system_roots[i], 1))
			return "is a directory of the system";
	return NULL;
}
