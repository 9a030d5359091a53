/* SPDX-License-Identifier: MIT */
/** @file bucket.h
 * Objects of cloud storage, over the S3 protocol: those of the platform's storages, and of any
 * other S3 service. Every call waits; sv_client_error() says what went wrong, sv_client_interrupt()
 * ends it early. Bodies are streamed: no call holds more of an object than a few parts of it. */
#ifndef STARVERSE_BUCKET_H
#define STARVERSE_BUCKET_H

#include <starverse/common.h>
#include <starverse/object.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A bucket that is open: its place, and whose key is used. Belongs to its client and must be
 * closed before it. */
typedef struct sv_bucket sv_bucket;

/** An object, or what many keys begin with. */
struct sv_bucket_object {
	struct sv_set set;
	const char *key;          /**< its name; a prefix ends with the delimiter */
	int64_t size_bytes;       /**< absent for a prefix */
	int64_t modified_at;      /**< seconds since the epoch, by the service's clock */
	const char *etag;         /**< without quotes */
	int prefix;               /**< 1: no object, but the beginning of some */
	const char *content_type; /**< only by sv_bucket_head() and sv_bucket_get() */
};

/** A page of objects. */
struct sv_bucket_object_list {
	size_t n;
	struct sv_bucket_object **v;
	const char *next; /**< cursor of the next page, or NULL after the last */
};

/** Where a bucket is that is not the platform's. */
struct sv_bucket_site {
	struct sv_set set;
	const char *endpoint; /**< "https://HOST[:PORT]" or "http://HOST[:PORT]" */
	const char *region;   /**< NULL: "us-east-1" */
	const char *bucket;
	const char *access_key;
	const char *secret_key;            /**< secret; or NULL: the command gives it */
	struct sv_strs secret_key_command; /**< program and arguments that print it */
};

/** How a transfer is to be done, and then how it was. */
struct sv_transfer {
	int fresh;          /**< 1: begins anew what could be resumed */
	int connections;    /**< parts under way at once, 1 to 16; 0: the library chooses */
	int64_t part_bytes; /**< 5 MiB to 5 GiB; 0: the library chooses */
	/** Called as bytes move, and once at the end; total is -1 when not known. Or NULL. */
	void (*progress)(void *data, int64_t done, int64_t total);
	/** Told what a person should know: that something was resumed, or begun anew and why. Or
	 * NULL. */
	void (*note)(void *data, const char *text);
	void *data;            /**< for both */
	int64_t sent_bytes;    /**< set: bytes of bodies that were sent or received */
	int64_t resumed_bytes; /**< set: bytes that an earlier attempt had moved */
};

/** Rows of struct sv_bucket_object. */
SV_API const struct sv_kind *sv_kind_bucket_object(void);
/** Rows of struct sv_bucket_site. */
SV_API const struct sv_kind *sv_kind_bucket_site(void);
/** A site with nothing set; ended by sv_free(). */
SV_API struct sv_bucket_site *sv_bucket_site_new(void);
/** A transfer with the library's own choices; ended by sv_free(). */
SV_API struct sv_transfer *sv_transfer_new(void);

/** Opens the bucket that a name means: one of the configuration's own (storages.NAME), else the
 * platform's storage of this name or id, for which a key pair is asked for once and kept in the
 * state directory. SV_NOTFOUND when it is neither. */
SV_API int sv_bucket_open(sv_client *c, const char *name, sv_bucket **ret);
/** Opens a bucket at a place; site is copied. Nothing is sent. */
SV_API int sv_bucket_open_at(sv_client *c, const struct sv_bucket_site *site, sv_bucket **ret);
/** Closes it; NULL is allowed. */
SV_API void sv_bucket_close(sv_bucket *b);

/** One page of the objects whose keys begin with prefix (NULL: all), in the order of keys. With a
 * delimiter ("/") keys that go on beyond it are told as one prefix. cursor NULL: the first page.
 * *ret is a root. */
SV_API int sv_bucket_list(sv_bucket *b, const char *prefix, const char *delimiter,
	const char *cursor, struct sv_bucket_object_list **ret);
/** What is known of one object; SV_NOTFOUND when there is none. *ret is a root. */
SV_API int sv_bucket_head(sv_bucket *b, const char *key, struct sv_bucket_object **ret);
/** Gives the bytes of an object from offset on, at most length of them (-1: to its end), to sink,
 * piece by piece; sink returns 0, or -1 to end it (SV_CANCELED). A connection that is lost is taken
 * up where it broke off, as long as the object is the same. *ret (or NULL) is a root. */
SV_API int sv_bucket_get(sv_bucket *b, const char *key, int64_t offset, int64_t length,
	int (*sink)(void *data, const void *bytes, size_t len), void *data,
	struct sv_bucket_object **ret);
/** Stores len bytes as an object, at most 5 GiB. *ret (or NULL) is a root. */
SV_API int sv_bucket_put(sv_bucket *b, const char *key, const void *bytes, size_t len,
	struct sv_bucket_object **ret);
/** Deletes n objects, by a thousand at once; those that are not there count as deleted. refused (or
 * NULL) is called for each that is still there; then the result is SV_FAILED. */
SV_API int sv_bucket_delete(sv_bucket *b, const char *const *keys, size_t n,
	void (*refused)(void *data, const char *key, const char *code, const char *message),
	void *data);
/** Copies an object to key, from where from_key is in bucket from (NULL: in b): by the service
 * itself where both are at one place, else through this machine, part by part. t may be NULL. *ret
 * (or NULL) is a root. */
SV_API int sv_bucket_copy(sv_bucket *b, const char *key, sv_bucket *from, const char *from_key,
	struct sv_transfer *t, struct sv_bucket_object **ret);
/** Stores a file. Beyond one part it is sent in parts, each with a checksum, and what a broken
 * attempt has sent is not sent again: a record in the state directory names the parts, as long as
 * file and target are the same. SV_CONFLICT when another process sends to the same target. *ret (or
 * NULL) is a root. */
SV_API int sv_bucket_upload(sv_bucket *b, const char *key, const char *path, struct sv_transfer *t,
	struct sv_bucket_object **ret);
/** Stores what read gives until it returns 0 (-1: give up, SV_CANCELED), of any length; it cannot
 * be resumed, and a failure leaves nothing behind. */
SV_API int sv_bucket_upload_from(sv_bucket *b, const char *key,
	int64_t (*read)(void *data, void *buf, size_t size), void *data, struct sv_transfer *t,
	struct sv_bucket_object **ret);
/** Fetches an object into a file: into a temporary one beside it, checked and renamed at the end. A
 * temporary file that a broken attempt has left is gone on with, as long as the object is the same.
 * *ret (or NULL) is a root. */
SV_API int sv_bucket_download(sv_bucket *b, const char *key, const char *path,
	struct sv_transfer *t, struct sv_bucket_object **ret);
/** Whether a file holds what an object does, as far as its etag tells: *ret is 1 or 0. Reads the
 * file; sends nothing. SV_CANCELED when sv_client_interrupt() ends it. */
SV_API int sv_bucket_same(
	sv_bucket *b, const char *path, const struct sv_bucket_object *object, int *ret);

#ifdef __cplusplus
}
#endif

#endif
