/* SPDX-License-Identifier: MIT */
/* MD5 (RFC 1321). It protects nothing; S3 names objects' contents by it. */
#ifndef SV_BASE_MD5_H
#define SV_BASE_MD5_H

#include <stddef.h>
#include <stdint.h>

struct sv_md5 {
	uint32_t h[4];
	uint64_t total;
	unsigned char block[64];
};

void sv_md5_init(struct sv_md5 *c);
void sv_md5_add(struct sv_md5 *c, const void *data, size_t len);
void sv_md5_end(struct sv_md5 *c, unsigned char digest[16]);
/* Of one piece, as 32 hex digits and a NUL. */
void sv_md5_hex(const void *data, size_t len, char hex[33]);

#endif
