/* SPDX-License-Identifier: MIT */
/* The digests and checksums that S3 knows. */
#include <openssl/evp.h>
#include <string.h>
#include <strings.h>

#include "base/crc32c.h"
#include "local/s3/s3.h"
#include "starverse/common.h"

static const struct {
	const char *header;
	size_t size;
} rows[S3_SUMS] = {
	[S3_MD5] = { NULL, 16 },
	[S3_SHA1] = { "x-amz-checksum-sha1", 20 },
	[S3_SHA256] = { "x-amz-checksum-sha256", 32 },
	[S3_CRC32] = { "x-amz-checksum-crc32", 4 },
	[S3_CRC32C] = { "x-amz-checksum-crc32c", 4 },
	[S3_CRC64] = { "x-amz-checksum-crc64nvme", 8 },
};

/* Reflected polynomials. */
#define POLY_CRC32  UINT64_C(0xedb88320)
#define POLY_CRC64  UINT64_C(0x9a6c9329ac4bc9b5)

#define SLICES 8
struct table {
	uint64_t v[SLICES][256];
};

static struct {
	pthread_once_t once;
	struct table crc32, crc64;
} tables = { .once = PTHREAD_ONCE_INIT };

static void fill(struct table *t, uint64_t poly)
{
	for (int i = 0; i < 256; i++) {
		uint64_t c = (uint64_t)i;

		for (int k = 0; k < 8; k++)
			c = c & 1 ? c >> 1 ^ poly : c >> 1;
		t->v[0][i] = c;
	}
	for (int k = 1; k < SLICES; k++)
		for (int i = 0; i < 256; i++)
			t->v[k][i] = t->v[k - 1][i] >> 8 ^ t->v[0][t->v[k - 1][i] & 255];
}

static void fill_all(void)
{
	fill(&tables.crc32, POLY_CRC32);
	fill(&tables.crc64, POLY_CRC64);
}

/* Eight bytes at a time, by as many tables. */
static uint64_t crc(const struct table *t, uint64_t c, const unsigned char *p, size_t len)
{
	for (; len >= 8; len -= 8, p += 8) {
		uint64_t x = 0;

		for (int i = 7; i >= 0; i--)
			x = x << 8 | p[i];
		x ^= c;
		c = 0;
		for (int i = 0; i < 8; i++)
			c ^= t->v[7 - i][x >> (8 * i) & 255];
	}
	while (len--)
		c = t->v[0][(c ^ *p++) & 255] ^ c >> 8;
	return c;
}

int s3_sums_init(struct s3_sums *s, unsigned wanted)
{
	const EVP_MD *const of[] = { EVP_md5(), EVP_sha1(), EVP_sha256() };

	pthread_once(&tables.once, fill_all);
	*s = (struct s3_sums){ .wanted = wanted,
		.crc32 = ~UINT32_C(0),
		.crc32c = ~UINT32_C(0),
		.crc64 = ~UINT64_C(0) };
	for (int i = 0; i < 3; i++) {
		if (!(wanted & 1U << i))
			continue;
		s->md[i] = EVP_MD_CTX_new();
		if (!s->md[i] || !EVP_DigestInit_ex(s->md[i], of[i], NULL))
			return SV_NOMEM;
	}
	return SV_OK;
}

void s3_sums_add(struct s3_sums *s, const void *data, size_t len)
{
	for (int i = 0; i < 3; i++)
		if (s->md[i])
			EVP_DigestUpdate(s->md[i], data, len);
	if (s->wanted & 1U << S3_CRC32)
		s->crc32 = (uint32_t)crc(&tables.crc32, s->crc32, data, len);
	if (s->wanted & 1U << S3_CRC32C)
		s->crc32c = ~sv_crc32c(~s->crc32c, data, len);
	if (s->wanted & 1U << S3_CRC64)
		s->crc64 = crc(&tables.crc64, s->crc64, data, len);
}

size_t s3_sum_end(struct s3_sums *s, int which, unsigned char digest[32])
{
	size_t size = rows[which].size;
	uint64_t v = which == S3_CRC32 ? s->crc32 : which == S3_CRC32C ? s->crc32c : s->crc64;

	if (which <= S3_SHA256) {
		if (s->md[which])
			EVP_DigestFinal_ex(s->md[which], digest, NULL);
		return s->md[which] ? size : 0;
	}
	v = ~v;
	for (size_t i = 0; i < size; i++)
		digest[i] = (unsigned char)(v >> (8 * (size - 1 - i)));
	return size;
}

void s3_sums_free(struct s3_sums *s)
{
	for (int i = 0; i < 3; i++) {
		EVP_MD_CTX_free(s->md[i]);
		s->md[i] = NULL;
	}
}

int s3_sum_of_header(const char *name)
{
	for (int i = 0; i < S3_SUMS; i++)
		if (rows[i].header && !strcasecmp(rows[i].header, name))
			return i;
	return -1;
}

const char *s3_sum_header(int which)
{
	return rows[which].header;
}

size_t s3_sum_size(int which)
{
	return rows[which].size;
}
