/* SPDX-License-Identifier: MIT */
/* What a fuzz driver is: one function over bytes that must not crash, leak, hang or break the
 * property it asserts. With libFuzzer: clang -fsanitize=fuzzer,address DRIVER.c; as a test: with
 * standalone.c over its corpus. */
#ifndef SV_FUZZ_H
#define SV_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that holds for every input. */
#define always(condition)                                                                          \
	((condition) ? (void)0                                                                     \
		     : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), abort()))

/* How many inputs came all the way to the property, where somebody counts: a corpus that never does
 * tries nothing. */
extern size_t fuzz_deep __attribute__((weak));

static inline void came_deep(void)
{
	if (&fuzz_deep)
		fuzz_deep++;
}

/* The first line of an input, copied into line; what follows begins at the offset that is returned.
 */
static inline size_t first_line(const uint8_t *data, size_t size, char *line, size_t room)
{
	const uint8_t *end = size ? memchr(data, '\n', size) : NULL;
	size_t n = end ? (size_t)(end - data) : size;
	size_t kept = n < room ? n : room - 1;

	if (kept)
		memcpy(line, data, kept);
	line[kept] = '\0';
	return end ? n + 1 : size;
}

#endif
