/* SPDX-License-Identifier: MIT */
/* CRC-32C (Castagnoli, RFC 3720): the checksum of parts and of whole objects. */
#ifndef SV_BASE_CRC32C_H
#define SV_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Of what gave before (0 for nothing) followed by data. */
uint32_t sv_crc32c(uint32_t before, const void *data, size_t len);
/* A sum as S3 writes it: base64 of its four bytes, the high one first, and a NUL. */
void sv_crc32c_text(uint32_t crc, char text[12]);
/* sv_crc32c() by the table, whatever the processor can: tests compare both. */
uint32_t sv_crc32c_plain(uint32_t before, const void *data, size_t len);

#endif
