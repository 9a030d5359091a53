/* SPDX-License-Identifier: MIT */
/** @file token.h
 * Tokens: keys for programs, which may do less than the account's own and can end. */
#ifndef STARVERSE_TOKEN_H
#define STARVERSE_TOKEN_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A token. Used in the place of an API key. */
struct sv_token {
	struct sv_set set;
	const char *id;
	const char *name;
	struct sv_strs scopes; /**< what it may do; see the words of the field */
	int64_t expires_at;    /**< null: never */
	int64_t last_used_at;  /**< to the minute; null: never */
	const char *secret;    /**< only in the answer to its creation, never again */
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of tokens. */
struct sv_token_list {
	size_t n;
	struct sv_token **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_token_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs name, scope;
	struct sv_map labels;
};

/** A new, empty token or filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_token *sv_token_new(void);
SV_API struct sv_token_filter *sv_token_filter_new(void); /**< see sv_token_new() */

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_token_list(
	sv_client *c, const struct sv_token_filter *filter, struct sv_token_list **ret);
/** One token by its id, without its secret. */
SV_API int sv_token_get(sv_client *c, const char *id, struct sv_token **ret);
/** Makes one: name, scopes, expires_at and labels of want. The answer alone holds the secret. */
SV_API int sv_token_create(sv_client *c, const struct sv_token *want, struct sv_token **ret);
/** Sends exactly the marked members of changes: name, labels. */
SV_API int sv_token_update(
	sv_client *c, const char *id, const struct sv_token *changes, struct sv_token **ret);
/** Ends it: its next request is refused. */
SV_API int sv_token_delete(sv_client *c, const char *id, struct sv_token **ret);

#ifdef __cplusplus
}
#endif

#endif
