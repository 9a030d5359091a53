/* SPDX-License-Identifier: MIT */
/* Loop devices, and what is mounted where. */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <base/arena.h>
#include <starverse/common.h>

#define MOUNTS_MAX (1 << 20)

/* A file of which a device is still being taken down must not get a second one: two views of one
 * file system. */
static int in_use(const char *image)
{
	DIR *d = opendir("/sys/block");
	struct dirent *n;
	int used = 0;

	while (d && !used && (n = readdir(d))) {
		char path[512], backing[BOX_PATH_MAX];

		if (strncmp(n->d_name, "loop", 4))
			continue;
		snprintf(path, sizeof(path), "/sys/block/%s/loop/backing_file", n->d_name);
		if (sv_file_read(path, backing, sizeof(backing), NULL))
			continue;
		backing[strcspn(backing, "\n")] = '\0';
		used = !strcmp(backing, image);
	}
	if (d)
		closedir(d);
	return used;
}

static int node(int number, char *device, size_t size)
{
	snprintf(device, size, "/dev/loop%d", number);
	if (mknod(device, S_IFBLK | 0600, makedev(7, (unsigned)number)) && errno != EEXIST)
		return -1;
	return open(device, O_RDWR | O_CLOEXEC);
}

/* Returns the open device, which clears itself when the last user is gone; -1 with errno. */
int sv_loop_attach(const char *image, char *device, size_t size)
{
	int control, file, fd = -1;
	struct loop_config c = { .block_size = 0, .info.lo_flags = LO_FLAGS_AUTOCLEAR };

	for (int i = 0; i < 1000 && in_use(image); i++)
		usleep(10000);
	if (in_use(image)) {
		errno = EBUSY;
		return -1;
	}
	control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	file = open(image, O_RDWR | O_CLOEXEC);
	c.fd = (unsigned)file;
	snprintf((char *)c.info.lo_file_name, LO_NAME_SIZE, "%.60s", image);
	/* Between asking for a free one and taking it, somebody else may be faster. */
	for (int i = 0; i < 50 && control >= 0 && file >= 0; i++) {
		int number = ioctl(control, LOOP_CTL_GET_FREE);

		fd = number < 0 ? -1 : node(number, device, size);
		if (fd < 0 || !ioctl(fd, LOOP_CONFIGURE, &c))
			break;
		close(fd);
		fd = -1;
		if (errno != EBUSY)
			break;
	}
	if (control >= 0)
		close(control);
	if (file >= 0)
		close(file);
	return fd;
}

int sv_loop_grow(const char *device)
{
	int fd = open(device, O_RDWR | O_CLOEXEC), bad;

	if (fd < 0)
		return -1;
	bad = ioctl(fd, LOOP_SET_CAPACITY, 0);
	close(fd);
	return bad;
}

/* Blanks of a path are written as three octal digits. */
static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] && s[3]) {
			*to++ = (char)((s[1] - '0') * 64 + (s[2] - '0') * 8 + (s[3] - '0'));
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = '\0';
}

/* Calls for each line of a process's mount table, cut into words, until one says yes. */
static int each_mount(pid_t pid, int (*each)(char **words, size_t n, void *data), void *data)
{
	char path[64], *text = sv_malloc(MOUNTS_MAX), *line, *next, *words[32];
	int found = 0;

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/mountinfo", (int)pid);
	else
		snprintf(path, sizeof(path), "/proc/self/mountinfo");
	if (!text || sv_file_read(path, text, MOUNTS_MAX, NULL)) {
		sv_mfree(text);
		return 0;
	}
	for (line = text; *line && !found; line = next) {
		size_t n = 0;

		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = '\0';
		for (char *w = line; *w && n < 32;) {
			words[n++] = w;
			w += strcspn(w, " ");
			if (*w)
				*w++ = '\0';
		}
		for (size_t i = 3; i < 5 && i < n; i++)
			unescape(words[i]);
		found = each(words, n, data);
	}
	sv_mfree(text);
	return found;
}

struct looking {
	const char *path;
	const char *device;
	char *source;
	size_t size;
};

static int is_at(char **words, size_t n, void *data)
{
	struct looking *l = data;

	if (n < 9 || strcmp(words[4], l->path))
		return 0;
	for (size_t i = 6; i + 2 < n; i++)
		if (!strcmp(words[i], "-"))
			snprintf(l->source, l->size, "%s", words[i + 2]);
	return 1;
}

static int is_of(char **words, size_t n, void *data)
{
	const struct looking *l = data;
	size_t len, tail = strlen(l->path);

	if (n < 5)
		return 0;
	if (l->device)
		return !strcmp(words[2], l->device);
	len = strlen(words[3]);
	return len >= tail && !strcmp(words[3] + len - tail, l->path);
}

/* What is mounted at a path in a process's (0: our own) view: 1, with its source (a device). */
int sv_mount_of(pid_t pid, const char *path, char *source, size_t size)
{
	struct looking l = { .path = path, .source = source, .size = size };

	return each_mount(pid, is_at, &l);
}

/* Whether a process sees a file system ("MAJOR:MINOR"), or (device NULL) a directory whose path on
 * its file system ends so. */
int sv_sees(pid_t pid, const char *device, const char *tail)
{
	struct looking l = { .device = device, .path = tail };

	return each_mount(pid, is_of, &l);
}
