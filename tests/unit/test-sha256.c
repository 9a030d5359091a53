/* SPDX-License-Identifier: MIT */
/* SHA-256 against the standard's vectors, whole and in pieces; base64 both ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/sha256.h"
#include "base/str.h"

static void vectors(void **state)
{
	char hex[65];

	(void)state;
	sv_sha256_hex("", 0, hex);
	assert_string_equal(
		hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	sv_sha256_hex("abc", 3, hex);
	assert_string_equal(
		hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	sv_sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56, hex);
	assert_string_equal(
		hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

/* RFC 4231, cases 1, 2 and 6 (a key longer than a block). */
static void hmac(void **state)
{
	unsigned char key[131], digest[32];
	char hex[65];

	(void)state;
	memset(key, 0x0b, 20);
	sv_hmac_sha256(key, 20, "Hi There", 8, digest);
	sv_hex(digest, 32, hex);
	assert_string_equal(
		hex, "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
	sv_hmac_sha256("Jefe", 4, "what do ya want for nothing?", 28, digest);
	sv_hex(digest, 32, hex);
	assert_string_equal(
		hex, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
	memset(key, 0xaa, 131);
	sv_hmac_sha256(
		key, 131, "Test Using Larger Than Block-Size Key - Hash Key First", 54, digest);
	sv_hex(digest, 32, hex);
	assert_string_equal(
		hex, "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

static void pieces(void **state)
{
	struct sv_sha256 c;
	unsigned char digest[32];
	char text[65] = "", hex[65];

	(void)state;
	sv_sha256_init(&c);
	for (int i = 0; i < 100000; i++)
		sv_sha256_add(&c, "aaaaaaaaaa", 10);
	sv_sha256_end(&c, digest);
	for (int i = 0; i < 32; i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	assert_string_equal(
		text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	sv_sha256_hex(text, 64, hex);
	assert_string_not_equal(hex, text);
}

static void base64(void **state)
{
	static const char *const pairs[][2] = { { "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" },
		{ "foo", "Zm9v" }, { "foob", "Zm9vYg==" }, { "fooba", "Zm9vYmE=" },
		{ "foobar", "Zm9vYmFy" } };
	char text[32];
	unsigned char back[32];

	(void)state;
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
		size_t len = strlen(pairs[i][0]);

		assert_int_equal(sv_base64_encode(pairs[i][0], len, 1, text, sizeof(text)), 0);
		assert_string_equal(text, pairs[i][1]);
		assert_int_equal(sv_base64_decode(text, strlen(text), back, sizeof(back)), len);
		assert_memory_equal(back, pairs[i][0], len);
	}
	assert_int_equal(sv_base64_encode("fo", 2, 0, text, sizeof(text)), 0);
	assert_string_equal(text, "Zm8");
	assert_int_equal(sv_base64_decode("Zm8", 3, back, sizeof(back)), -1);
	assert_int_equal(sv_base64_decode("Z m8", 4, back, sizeof(back)), -1);
	assert_int_equal(sv_base64_decode("Zg=a", 4, back, sizeof(back)), -1);
	assert_int_equal(sv_base64_decode("Zm9v", 4, back, 2), -1);
	assert_int_equal(sv_base64_encode("foobar", 6, 1, text, 8), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hmac),
		cmocka_unit_test(vectors),
		cmocka_unit_test(pieces),
		cmocka_unit_test(base64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
