/* SPDX-License-Identifier: MIT */
/* SHA-256 straight from the standard's text, and base64. Not for secrets that a neighbour may time.
 */
#include "base/sha256.h"

#include <string.h>

#include "base/str.h"

static const uint32_t round_k[64] = {
	0x428a2f98,
	0x71374491,
	0xb5c0fbcf,
	0xe9b5dba5,
	0x3956c25b,
	0x59f111f1,
	0x923f82a4,
	0xab1c5ed5,
	0xd807aa98,
	0x12835b01,
	0x243185be,
	0x550c7dc3,
	0x72be5d74,
	0x80deb1fe,
	0x9bdc06a7,
	0xc19bf174,
	0xe49b69c1,
	0xefbe4786,
	0x0fc19dc6,
	0x240ca1cc,
	0x2de92c6f,
	0x4a7484aa,
	0x5cb0a9dc,
	0x76f988da,
	0x983e5152,
	0xa831c66d,
	0xb00327c8,
	0xbf597fc7,
	0xc6e00bf3,
	0xd5a79147,
	0x06ca6351,
	0x14292967,
	0x27b70a85,
	0x2e1b2138,
	0x4d2c6dfc,
	0x53380d13,
	0x650a7354,
	0x766a0abb,
	0x81c2c92e,
	0x92722c85,
	0xa2bfe8a1,
	0xa81a664b,
	0xc24b8b70,
	0xc76c51a3,
	0xd192e819,
	0xd6990624,
	0xf40e3585,
	0x106aa070,
	0x19a4c116,
	0x1e376c08,
	0x2748774c,
	0x34b0bcb5,
	0x391c0cb3,
	0x4ed8aa4a,
	0x5b9cca4f,
	0x682e6ff3,
	0x748f82ee,
	0x78a5636f,
	0x84c87814,
	0x8cc70208,
	0x90befffa,
	0xa4506ceb,
	0xbef9a3f7,
	0xc67178f2,
};

static uint32_t rotate(uint32_t x, int n)
{
	return (x >> n) | (x << (32 - n));
}

static void schedule(const unsigned char *block, uint32_t w[64])
{
	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[i * 4] << 24 | (uint32_t)block[i * 4 + 1] << 16 |
		       (uint32_t)block[i * 4 + 2] << 8 | block[i * 4 + 3];
	for (int i = 16; i < 64; i++) {
		uint32_t a = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
		uint32_t b = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);

		w[i] = w[i - 16] + a + w[i - 7] + b;
	}
}

static void compress(uint32_t h[8], const unsigned char *block)
{
	uint32_t w[64], s[8];

	schedule(block, w);
	memcpy(s, h, sizeof(s));
	for (int i = 0; i < 64; i++) {
		uint32_t e = rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25);
		uint32_t choose = (s[4] & s[5]) ^ (~s[4] & s[6]);
		uint32_t t1 = s[7] + e + choose + round_k[i] + w[i];
		uint32_t a = rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22);
		uint32_t most = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);

		memmove(s + 1, s, 7 * sizeof(s[0]));
		s[4] += t1;
		s[0] = t1 + a + most;
	}
	for (int i = 0; i < 8; i++)
		h[i] += s[i];
}

void sv_sha256_init(struct sv_sha256 *c)
{
	static const uint32_t start[8] = {
		0x6a09e667,
		0xbb67ae85,
		0x3c6ef372,
		0xa54ff53a,
		0x510e527f,
		0x9b05688c,
		0x1f83d9ab,
		0x5be0cd19,
	};

	memset(c, 0, sizeof(*c));
	memcpy(c->h, start, sizeof(start));
}

void sv_sha256_add(struct sv_sha256 *c, const void *data, size_t len)
{
	const unsigned char *p = data;

	while (len) {
		size_t at = c->total % 64, n = 64 - at < len ? 64 - at : len;

		memcpy(c->block + at, p, n);
		c->total += n;
		p += n;
		len -= n;
		if (c->total % 64 == 0)
			compress(c->h, c->block);
	}
}

void sv_sha256_end(struct sv_sha256 *c, unsigned char digest[32])
{
	static const unsigned char pad[64] = { 0x80 };
	uint64_t bits = c->total * 8;
	unsigned char tail[8];

	for (int i = 0; i < 8; i++)
		tail[i] = (unsigned char)(bits >> (56 - 8 * i));
	sv_sha256_add(c, pad, 1 + (119 - c->total % 64) % 64);
	sv_sha256_add(c, tail, 8);
	for (int i = 0; i < 32; i++)
		digest[i] = (unsigned char)(c->h[i / 4] >> (24 - 8 * (i % 4)));
}

void sv_sha256_hex(const void *data, size_t len, char hex[65])
{
	unsigned char digest[32];
	struct sv_sha256 c;

	sv_sha256_init(&c);
	sv_sha256_add(&c, data, len);
	sv_sha256_end(&c, digest);
	sv_hex(digest, sizeof(digest), hex);
}

/* One of HMAC's two passes: the key crossed with a byte, then the data. */
static void pass(const unsigned char block[64], unsigned char cross, const void *data, size_t len,
	unsigned char digest[32])
{
	unsigned char crossed[64];
	struct sv_sha256 c;

	for (int i = 0; i < 64; i++)
		crossed[i] = block[i] ^ cross;
	sv_sha256_init(&c);
	sv_sha256_add(&c, crossed, sizeof(crossed));
	sv_sha256_add(&c, data, len);
	sv_sha256_end(&c, digest);
}

void sv_hmac_sha256(
	const void *key, size_t key_len, const void *data, size_t len, unsigned char digest[32])
{
	unsigned char block[64] = { 0 }, inner[32];
	struct sv_sha256 c;

	if (key_len > sizeof(block)) {
		sv_sha256_init(&c);
		sv_sha256_add(&c, key, key_len);
		sv_sha256_end(&c, block);
	} else if (key_len) {
		memcpy(block, key, key_len);
	}
	pass(block, 0x36, data, len, inner);
	pass(block, 0x5c, inner, sizeof(inner), digest);
}

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int sv_base64_encode(const void *data, size_t len, int padded, char *buf, size_t size)
{
	const unsigned char *p = data;
	size_t out = 0;

	for (size_t i = 0; i < len; i += 3) {
		size_t n = len - i < 3 ? len - i : 3;
		uint32_t v = (uint32_t)p[i] << 16 | (n > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
			     (n > 2 ? p[i + 2] : 0);

		if (out + 5 > size)
			return -1;
		for (size_t k = 0; k < 4; k++) {
			if (k <= n)
				buf[out++] = alphabet[v >> (18 - 6 * k) & 63];
			else if (padded)
				buf[out++] = '=';
		}
	}
	if (out >= size)
		return -1;
	buf[out] = '\0';
	return 0;
}

int64_t sv_base64_decode(const char *text, size_t len, unsigned char *buf, size_t size)
{
	size_t out = 0, end = len;
	uint32_t v = 0;

	if (len % 4)
		return -1;
	while (end && len - end < 2 && text[end - 1] == '=')
		end--;
	for (size_t i = 0; i < end; i++) {
		const char *at = text[i] ? strchr(alphabet, text[i]) : NULL;

		if (!at)
			return -1;
		v = v << 6 | (uint32_t)(at - alphabet);
		if (i % 4 == 0)
			continue;
		if (out == size)
			return -1;
		buf[out++] = (unsigned char)(v >> (6 - i % 4 * 2) & 255);
	}
	return (int64_t)out;
}
