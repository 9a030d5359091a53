/* SPDX-License-Identifier: MIT */
/* MD5 and CRC-32C against their standards' vectors, whole and in pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/crc32c.h"
#include "base/md5.h"

static void md5_vectors(void **state)
{
	/* RFC 1321, A.5 */
	static const char *const pairs[][2] = {
		{ "", "d41d8cd98f00b204e9800998ecf8427e" },
		{ "a", "0cc175b9c0f1b6a831c399e269772661" },
		{ "abc", "900150983cd24fb0d6963f7d28e17f72" },
		{ "message digest", "f96b697d7cb7938d525a2f31aaf161d0" },
		{ "abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b" },
		{ "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
			"d174ab98d277d9f5a5611c2c9f419d9f" },
		{ "1234567890123456789012345678901234567890123456789012345678901234567890123456789"
		  "0",
			"57edf4a22be3c955ac49da2e2107b67a" },
	};
	char hex[33];

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		sv_md5_hex(pairs[i][0], strlen(pairs[i][0]), hex);
		assert_string_equal(hex, pairs[i][1]);
	}
}

/* Every length around a block's end, cut everywhere: the same as in one piece. */
static void md5_pieces(void **state)
{
	unsigned char whole[16], cut[16], text[200];
	struct sv_md5 c;

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (unsigned char)(i * 7);
	for (size_t len = 0; len <= sizeof(text); len++) {
		sv_md5_init(&c);
		sv_md5_add(&c, text, len);
		sv_md5_end(&c, whole);
		for (size_t at = 0; at <= len; at += 13) {
			sv_md5_init(&c);
			sv_md5_add(&c, text, at);
			sv_md5_add(&c, text + at, len - at);
			sv_md5_end(&c, cut);
			assert_memory_equal(whole, cut, 16);
		}
	}
}

static void crc32c_vectors(void **state)
{
	unsigned char zeros[32] = { 0 }, ones[32], up[32];

	(void)state;
	memset(ones, 0xff, sizeof(ones));
	for (size_t i = 0; i < sizeof(up); i++)
		up[i] = (unsigned char)i;
	/* RFC 3720, B.4, and the usual check value */
	assert_int_equal(sv_crc32c(0, zeros, 32), 0x8a9136aa);
	assert_int_equal(sv_crc32c(0, ones, 32), 0x62a8ab43);
	assert_int_equal(sv_crc32c(0, up, 32), 0x46dd794e);
	assert_int_equal(sv_crc32c(0, "123456789", 9), 0xe3069283);
	assert_int_equal(sv_crc32c(0, "", 0), 0);
}

static void crc32c_both_ways(void **state)
{
	unsigned char text[100];

	(void)state;
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (unsigned char)(i * 31 + 5);
	for (size_t len = 0; len <= sizeof(text); len++) {
		uint32_t want = sv_crc32c_plain(0, text, len);

		assert_int_equal(sv_crc32c(0, text, len), want);
		assert_int_equal(
			sv_crc32c(sv_crc32c(0, text, len / 3), text + len / 3, len - len / 3),
			want);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(md5_vectors),
		cmocka_unit_test(md5_pieces),
		cmocka_unit_test(crc32c_vectors),
		cmocka_unit_test(crc32c_both_ways),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
