/* SPDX-License-Identifier: MIT */
/* RFC 4253's public keys: what is taken into an authorized_keys file must be one whole key and
 * nothing else. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/sha256.h"
#include "base/str.h"
#include "local/key.h"

/* parts: how many strings the blob has, its name included. */
static const struct { const char *type; int parts; } types[] = {
	{ "ssh-ed25519", 2 },
	{ "ssh-rsa", 3 },
	{ "ecdsa-sha2-nistp256", 3 },
	{ "ecdsa-sha2-nistp384", 3 },
	{ "ecdsa-sha2-nistp521", 3 },
	{ "sk-ssh-ed25519@openssh.com", 3 },
	{ "sk-ecdsa-sha2-nistp256@openssh.com", 4 },
};

static int parts_of(const char *type, size_t len)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strlen(types[i].type) == len && !memcmp(types[i].type, type, len))
			return types[i].parts;
	return 0;
}

/* 1 when the blob is exactly so many length-prefixed strings, the first being the type. */
static int blob_whole(
	const unsigned char *blob, size_t len, const char *type, size_t type_len, int parts)
{
	size_t at = 0;

	for (int i = 0; i < parts; i++) {
		size_t n;

		if (len - at < 4)
			return 0;
		n = (size_t)blob[at] << 24 | (size_t)blob[at + 1] << 16 |
		    (size_t)blob[at + 2] << 8 | blob[at + 3];
		at += 4;
		if (!n || n > len - at)
			return 0;
		if (!i && (n != type_len || memcmp(blob + at, type, n) != 0))
			return 0;
		at += n;
	}
	return at == len;
}

static const char *plain_line(const char *text, size_t *ret)
{
	size_t len = strlen(text);

	while (len && sv_is_space(text[len - 1]))
		len--;
	if (!len)
		return "is empty";
	if (len > 8000)
		return "is longer than 8000 bytes";
	if (!sv_utf8_valid(text, len))
		return "is not valid UTF-8";
	if (strstr(text, "PRIVATE KEY"))
		return "is a private key; the public one is the file that ends in .pub";
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] < 32 || text[i] == 127)
			return "must be one line without control characters";
	*ret = len;
	return NULL;
}

const char *key_text_read(
	const char *text, char *line, size_t line_size, char *fingerprint, size_t size)
{
	unsigned char blob[6000], digest[32];
	struct sv_sha256 sha;
	size_t len, type_len, b64_len;
	const char *wrong, *b64;
	int64_t n;
	int parts;

	while (sv_is_space(*text))
		text++;
	wrong = plain_line(text, &len);
	if (wrong)
		return wrong;
	type_len = strcspn(text, " ");
	parts = parts_of(text, type_len);
	if (!parts)
		return "does not begin with a known key type (ssh-ed25519, ssh-rsa, "
		       "ecdsa-sha2-nistp256 ...)";
	b64 = text + type_len + strspn(text + type_len, " ");
	b64_len = strcspn(b64, " \r\n\t");
	n = sv_base64_decode(b64, b64_len, blob, sizeof(blob));
	if (n <= 0 || !blob_whole(blob, (size_t)n, text, type_len, parts))
		return "is not a whole public key of its type";
	sv_sha256_init(&sha);
	sv_sha256_add(&sha, blob, (size_t)n);
	sv_sha256_end(&sha, digest);
	snprintf(line, line_size, "%.*s", (int)len, text);
	snprintf(fingerprint, size, "SHA256:");
	sv_base64_encode(digest, sizeof(digest), 0, fingerprint + 7, size - 7);
	return NULL;
}
