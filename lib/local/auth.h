/* SPDX-License-Identifier: MIT */
/* Who asks: API keys, kept as SHA-256 only. */
#ifndef SV_LOCAL_AUTH_H
#define SV_LOCAL_AUTH_H

#include "local/platform.h"

#define AUTH_HASH 32
#define AUTH_KEY  64 /* room for a key and its NUL */

void auth_sha256(const void *data, size_t len, unsigned char hash[AUTH_HASH]);
/* SHA-256 as 64 lower-case hex digits and the NUL: for files. */
void auth_hex(const unsigned char hash[AUTH_HASH], char buf[65]);
/* A new key of the account; only its hash stays. */
int auth_key_new(struct platform *p, const char *account, char key[AUTH_KEY]);
/* A key of fewer rights, whose scopes and end stand in the document of that id; and its end. */
int auth_scoped_new(struct platform *p, const char *account, const char *id, char key[AUTH_KEY]);
int auth_scoped_drop(struct platform *p, const char *id);
/* When it was last used, to the minute; -1: never. */
int64_t auth_scoped_used(struct platform *p, const char *id);
/* A token that is good for one instance's own affairs only; ends those given before. */
int auth_token_new(
	struct platform *p, const char *account, const char *instance, char token[AUTH_KEY]);
int auth_token_drop(struct platform *p, const char *instance);
/* The account of a request's Authorization header, by its key, and the scopes into rq. SV_AUTH or
 * SV_DENIED with *err filled. */
int auth_account(struct platform *p, struct request *rq, char *account, size_t size,
	struct sv_error *err);

#endif
