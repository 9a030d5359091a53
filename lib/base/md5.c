/* SPDX-License-Identifier: MIT */
/* MD5 from the text of RFC 1321, its 64 steps written out: uploads wait for it. */
#include "base/md5.h"

#include <string.h>

#include "base/str.h"

#define F(x, y, z) ((z) ^ ((x) & ((y) ^ (z))))
#define G(x, y, z) ((y) ^ ((z) & ((x) ^ (y))))
#define H(x, y, z) ((x) ^ (y) ^ (z))
#define I(x, y, z) ((y) ^ ((x) | ~(z)))

/* One step of the standard: a = b + ((a + f(b, c, d) + word + k) <<< s). */
#define STEP(f, a, b, c, d, word, s, k) \
	a += f(b, c, d) + (word) + (k); \
	a = (b) + ((a) << (s) | (a) >> (32 - (s)));

/* The first two rounds. */
static void rounds_fg(uint32_t h[4], const uint32_t w[16])
{
	uint32_t a = h[0], b = h[1], c = h[2], d = h[3];

	STEP(F, a, b, c, d, w[0], 7, 0xd76aa478)
	STEP(F, d, a, b, c, w[1], 12, 0xe8c7b756)
	STEP(F, c, d, a, b, w[2], 17, 0x242070db)
	STEP(F, b, c, d, a, w[3], 22, 0xc1bdceee)
	STEP(F, a, b, c, d, w[4], 7, 0xf57c0faf)
	STEP(F, d, a, b, c, w[5], 12, 0x4787c62a)
	STEP(F, c, d, a, b, w[6], 17, 0xa8304613)
	STEP(F, b, c, d, a, w[7], 22, 0xfd469501)
	STEP(F, a, b, c, d, w[8], 7, 0x698098d8)
	STEP(F, d, a, b, c, w[9], 12, 0x8b44f7af)
	STEP(F, c, d, a, b, w[10], 17, 0xffff5bb1)
	STEP(F, b, c, d, a, w[11], 22, 0x895cd7be)
	STEP(F, a, b, c, d, w[12], 7, 0x6b901122)
	STEP(F, d, a, b, c, w[13], 12, 0xfd987193)
	STEP(F, c, d, a, b, w[14], 17, 0xa679438e)
	STEP(F, b, c, d, a, w[15], 22, 0x49b40821)
	STEP(G, a, b, c, d, w[1], 5, 0xf61e2562)
	STEP(G, d, a, b, c, w[6], 9, 0xc040b340)
	STEP(G, c, d, a, b, w[11], 14, 0x265e5a51)
	STEP(G, b, c, d, a, w[0], 20, 0xe9b6c7aa)
	STEP(G, a, b, c, d, w[5], 5, 0xd62f105d)
	STEP(G, d, a, b, c, w[10], 9, 0x02441453)
	STEP(G, c, d, a, b, w[15], 14, 0xd8a1e681)
	STEP(G, b, c, d, a, w[4], 20, 0xe7d3fbc8)
	STEP(G, a, b, c, d, w[9], 5, 0x21e1cde6)
	STEP(G, d, a, b, c, w[14], 9, 0xc33707d6)
	STEP(G, c, d, a, b, w[3], 14, 0xf4d50d87)
	STEP(G, b, c, d, a, w[8], 20, 0x455a14ed)
	STEP(G, a, b, c, d, w[13], 5, 0xa9e3e905)
	STEP(G, d, a, b, c, w[2], 9, 0xfcefa3f8)
	STEP(G, c, d, a, b, w[7], 14, 0x676f02d9)
	STEP(G, b, c, d, a, w[12], 20, 0x8d2a4c8a)
	h[0] = a;
	h[1] = b;
	h[2] = c;
	h[3] = d;
}

/* The last two. */
static void rounds_hi(uint32_t h[4], const uint32_t w[16])
{
	uint32_t a = h[0], b = h[1], c = h[2], d = h[3];

	STEP(H, a, b, c, d, w[5], 4, 0xfffa3942)
	STEP(H, d, a, b, c, w[8], 11, 0x8771f681)
	STEP(H, c, d, a, b, w[11], 16, 0x6d9d6122)
	STEP(H, b, c, d, a, w[14], 23, 0xfde5380c)
	STEP(H, a, b, c, d, w[1], 4, 0xa4beea44)
	STEP(H, d, a, b, c, w[4], 11, 0x4bdecfa9)
	STEP(H, c, d, a, b, w[7], 16, 0xf6bb4b60)
	STEP(H, b, c, d, a, w[10], 23, 0xbebfbc70)
	STEP(H, a, b, c, d, w[13], 4, 0x289b7ec6)
	STEP(H, d, a, b, c, w[0], 11, 0xeaa127fa)
	STEP(H, c, d, a, b, w[3], 16, 0xd4ef3085)
	STEP(H, b, c, d, a, w[6], 23, 0x04881d05)
	STEP(H, a, b, c, d, w[9], 4, 0xd9d4d039)
	STEP(H, d, a, b, c, w[12], 11, 0xe6db99e5)
	STEP(H, c, d, a, b, w[15], 16, 0x1fa27cf8)
	STEP(H, b, c, d, a, w[2], 23, 0xc4ac5665)
	STEP(I, a, b, c, d, w[0], 6, 0xf4292244)
	STEP(I, d, a, b, c, w[7], 10, 0x432aff97)
	STEP(I, c, d, a, b, w[14], 15, 0xab9423a7)
	STEP(I, b, c, d, a, w[5], 21, 0xfc93a039)
	STEP(I, a, b, c, d, w[12], 6, 0x655b59c3)
	STEP(I, d, a, b, c, w[3], 10, 0x8f0ccc92)
	STEP(I, c, d, a, b, w[10], 15, 0xffeff47d)
	STEP(I, b, c, d, a, w[1], 21, 0x85845dd1)
	STEP(I, a, b, c, d, w[8], 6, 0x6fa87e4f)
	STEP(I, d, a, b, c, w[15], 10, 0xfe2ce6e0)
	STEP(I, c, d, a, b, w[6], 15, 0xa3014314)
	STEP(I, b, c, d, a, w[13], 21, 0x4e0811a1)
	STEP(I, a, b, c, d, w[4], 6, 0xf7537e82)
	STEP(I, d, a, b, c, w[11], 10, 0xbd3af235)
	STEP(I, c, d, a, b, w[2], 15, 0x2ad7d2bb)
	STEP(I, b, c, d, a, w[9], 21, 0xeb86d391)
	h[0] = a;
	h[1] = b;
	h[2] = c;
	h[3] = d;
}

static void compress(uint32_t h[4], const unsigned char *block)
{
	uint32_t w[16], s[4];

	for (int i = 0; i < 16; i++)
		w[i] = (uint32_t)block[i * 4] | (uint32_t)block[i * 4 + 1] << 8 |
		       (uint32_t)block[i * 4 + 2] << 16 | (uint32_t)block[i * 4 + 3] << 24;
	memcpy(s, h, sizeof(s));
	rounds_fg(s, w);
	rounds_hi(s, w);
	for (int i = 0; i < 4; i++)
		h[i] += s[i];
}

void sv_md5_init(struct sv_md5 *c)
{
	static const uint32_t start[4] = { 0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476 };

	memcpy(c->h, start, sizeof(start));
	c->total = 0;
}

void sv_md5_add(struct sv_md5 *c, const void *data, size_t len)
{
	const unsigned char *p = data;
	size_t held = c->total % 64, room = 64 - held;

	c->total += len;
	if (held && len >= room) {
		memcpy(c->block + held, p, room);
		compress(c->h, c->block);
		p += room;
		len -= room;
		held = 0;
	}
	for (; !held && len >= 64; p += 64, len -= 64)
		compress(c->h, p);
	if (len)
		memcpy(c->block + held, p, len);
}

void sv_md5_end(struct sv_md5 *c, unsigned char digest[16])
{
	static const unsigned char pad[64] = { 0x80 };
	uint64_t bits = c->total * 8;
	unsigned char tail[8];

	for (int i = 0; i < 8; i++)
		tail[i] = (unsigned char)(bits >> (8 * i));
	sv_md5_add(c, pad, 1 + (119 - c->total % 64) % 64);
	sv_md5_add(c, tail, 8);
	for (int i = 0; i < 16; i++)
		digest[i] = (unsigned char)(c->h[i / 4] >> (8 * (i % 4)));
}

void sv_md5_hex(const void *data, size_t len, char hex[33])
{
	unsigned char digest[16];
	struct sv_md5 c;

	sv_md5_init(&c);
	sv_md5_add(&c, data, len);
	sv_md5_end(&c, digest);
	sv_hex(digest, sizeof(digest), hex);
}
