/* SPDX-License-Identifier: MIT */
/* Copies of the engine's files: a hole stays a hole, and every byte is there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <local/engine/sandbox.h>

#define STRETCH ((off_t)8 << 20)
#define PIECES  5

static void keeps_holes(void **state)
{
	char dir[] = "/tmp/tree-XXXXXX", from[64], to[64], buf[16] = "";
	struct stat a, b;
	int fd;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(from, sizeof(from), "%s/from", dir);
	snprintf(to, sizeof(to), "%s/to", dir);
	fd = open(from, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	for (int i = 0; i < PIECES; i++)
		assert_int_equal(pwrite(fd, "piece", 5, i * STRETCH), 5);
	assert_int_equal(ftruncate(fd, PIECES * STRETCH), 0);
	assert_int_equal(fsync(fd), 0);
	close(fd);
	assert_int_equal(sv_file_copy(from, to), 0);
	assert_int_not_equal(sv_file_copy(from, to), 0);
	fd = open(to, O_RDONLY | O_CLOEXEC);
	for (int i = 0; i < PIECES; i++) {
		assert_int_equal(pread(fd, buf, 5, i * STRETCH), 5);
		assert_string_equal(buf, "piece");
	}
	assert_int_equal(fsync(fd), 0);
	assert_int_equal(stat(from, &a) || fstat(fd, &b), 0);
	close(fd);
	assert_int_equal(b.st_size, a.st_size);
	/* A file system may write a little more than it was told, not a MiB for each piece. */
	assert_true(b.st_blocks < a.st_blocks + PIECES * 512);
	assert_int_equal(sv_tree_remove(dir), 0);
}

static void put_sparse(const char *dir, const char *of, off_t size, const char *begins)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", dir, of);
	assert_int_equal(sv_dirs_make(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/%s/image", dir, of);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, begins, strlen(begins), 0), strlen(begins));
	assert_int_equal(ftruncate(fd, size), 0);
	assert_int_equal(fsync(fd), 0);
	close(fd);
}

/* Room that others' sparse disks will take is not free for a new one. */
static void counts_what_is_promised(void **state)
{
	char dir[] = "/tmp/tree-XXXXXX";
	struct engine e = { .state = dir };

	(void)state;
	assert_non_null(mkdtemp(dir));
	assert_int_equal(sv_system_promised(&e), 0);
	put_sparse(dir, "instances/ins_a", 10 * STRETCH, "");
	assert_int_equal(sv_system_promised(&e), 10 * STRETCH);
	put_sparse(dir, "disks/dsk_a", 20 * STRETCH, "used");
	assert_in_range(sv_system_promised(&e), 29 * STRETCH, 30 * STRETCH - 1);
	assert_int_equal(sv_tree_remove(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keeps_holes),
		cmocka_unit_test(counts_what_is_promised),
	};

	return cmocka_run_group_tests_name("tree", tests, NULL, NULL);
}
