/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4) and base64 (RFC 4648): digests of bodies and keys. */
#ifndef SV_BASE_SHA256_H
#define SV_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct sv_sha256 {
	uint32_t h[8];
	uint64_t total;
	unsigned char block[64];
};

void sv_sha256_init(struct sv_sha256 *c);
void sv_sha256_add(struct sv_sha256 *c, const void *data, size_t len);
void sv_sha256_end(struct sv_sha256 *c, unsigned char digest[32]);
/* Of one piece, as 64 hex digits and a NUL. */
void sv_sha256_hex(const void *data, size_t len, char hex[65]);
/* HMAC (RFC 2104) over it; digest may be the key's own memory. */
void sv_hmac_sha256(
	const void *key, size_t key_len, const void *data, size_t len, unsigned char digest[32]);

/* Text for len bytes, padded or not, NUL-ended; 0, or -1 when it does not fit. */
int sv_base64_encode(const void *data, size_t len, int padded, char *buf, size_t size);
/* Standard alphabet, padding required where the length asks for it. Bytes written, or -1. */
int64_t sv_base64_decode(const char *text, size_t len, unsigned char *buf, size_t size);

#endif
