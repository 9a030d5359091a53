/* SPDX-License-Identifier: MIT */
/** @file key.h
 * SSH public keys. */
#ifndef STARVERSE_KEY_H
#define STARVERSE_KEY_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A public key. */
struct sv_key {
	struct sv_set set;
	const char *id;
	const char *name;
	const char *public_key;  /**< one line, "ssh-ed25519 AAAA... comment" */
	const char *fingerprint; /**< "SHA256:..." */
	struct sv_map labels;
	int64_t created_at;
	int64_t updated_at;
	int64_t version;
};

/** A page of keys. */
struct sv_key_list {
	size_t n;
	struct sv_key **v;
	const char *next;
};

/** What a list is narrowed to. */
struct sv_key_filter {
	struct sv_set set;
	int64_t limit;
	const char *cursor, *sort;
	struct sv_strs name, fingerprint;
	struct sv_map labels;
};

/** A new, empty key or filter; NULL when out of memory; ended by sv_free(). */
SV_API struct sv_key *sv_key_new(void);
SV_API struct sv_key_filter *sv_key_filter_new(void); /**< see sv_key_new() */

/** One page; filter NULL for all. Results, errors and ownership as for sv_instance_list(). */
SV_API int sv_key_list(sv_client *c, const struct sv_key_filter *filter, struct sv_key_list **ret);
/** One key by its id. */
SV_API int sv_key_get(sv_client *c, const char *id, struct sv_key **ret);
/** Registers one: name and public_key of want. */
SV_API int sv_key_create(sv_client *c, const struct sv_key *want, struct sv_key **ret);
/** Sends exactly the marked members of changes: name, labels. */
SV_API int sv_key_update(
	sv_client *c, const char *id, const struct sv_key *changes, struct sv_key **ret);
/** Forgets it; instances that know it keep it. */
SV_API int sv_key_delete(sv_client *c, const char *id, struct sv_key **ret);

#ifdef __cplusplus
}
#endif

#endif
