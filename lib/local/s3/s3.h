/* SPDX-License-Identifier: MIT */
/* What the files of the S3 server share. It is a process of its own beside the daemon: transfers
 * and disks may be slow, and a thread of a connection may wait for them. It reads keys from the
 * store and serves the directories of storages; nothing it keeps in memory matters after its death.
 */
#ifndef SV_LOCAL_S3_H
#define SV_LOCAL_S3_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/sigv4.h"

#define S3_KEY_MAX      1024 /* bytes of an object's key */
#define S3_NAME_MAX     255  /* of one part of it */
#define S3_META_MAX     3072 /* of all that is kept of an object beside its bytes */
#define S3_USER_MAX     2048 /* of x-amz-meta- headers */
#define S3_HEADERS_MAX  128
#define S3_XML_MAX      ((size_t)4 << 20)  /* a body that is read as XML */
#define S3_OUT_MAX      ((size_t)32 << 20) /* an answer that is XML */
#define S3_PUT_MAX      ((int64_t)5 << 30) /* one part, or one body */
#define S3_OBJECT_MAX   ((int64_t)5 << 40)
#define S3_PARTS_MAX    10000
#define S3_LIST_MAX     1000
#define S3_DELETE_MAX   1000
#define S3_SKEW_SECONDS 900
#define S3_LINE_MAX     8192 /* of aws-chunked */
#define S3_PATH_MAX     4096

struct s3_request;

/* key.c: who signs, and for what. */
struct s3_key {
	char access[129], secret[129], storage[65], account[65], name[256];
	int64_t size_gib, created;
	int named; /* no other storage of the account has the name */
};

/* used.c: what each storage holds, so that none holds more than its size. */
struct s3_used;

struct s3 {
	const char *state_dir;
	struct sqlite3 *db;
	pthread_mutex_t db_lock, commit_lock, used_lock, trust_lock;
	pthread_mutex_t claim_lock; /* claims, and which names of parts are there */
	pthread_cond_t claim_given;
	struct s3_used *used;
	struct s3_claim *claims;
	char boot[40]; /* names the machine's start */
};

/* sum.c */
enum s3_sum { S3_MD5, S3_SHA1, S3_SHA256, S3_CRC32, S3_CRC32C, S3_CRC64, S3_SUMS };
struct s3_sums {
	unsigned wanted; /* bits */
	void *md[3];     /* EVP_MD_CTX of the first three */
	uint32_t crc32, crc32c;
	uint64_t crc64;
};
int s3_sums_init(struct s3_sums *s, unsigned wanted);
void s3_sums_add(struct s3_sums *s, const void *data, size_t len);
/* Its bytes, at most 32, and how many. Once for each. */
size_t s3_sum_end(struct s3_sums *s, int which, unsigned char digest[32]);
void s3_sums_free(struct s3_sums *s);
/* "x-amz-checksum-crc32" -> S3_CRC32, else -1; and the other way round (NULL for MD5). */
int s3_sum_of_header(const char *name);
const char *s3_sum_header(int which);
size_t s3_sum_size(int which);

/* body.c: the body as it comes, with whatever S3 wraps it in. */
enum s3_wrap { S3_PLAIN, S3_CHUNKED, S3_CHUNKED_SIGNED };
struct s3_body {
	enum s3_wrap wrap;
	int state, has_trailer;
	int64_t expected;  /* bytes of the object, -1: not said */
	int64_t got, left; /* left: of the chunk that is being read */
	char line[S3_LINE_MAX];
	size_t line_len;
	char chunk_signature[65], sha256[65]; /* of the whole, where it was said beforehand */
	struct sv_sigv4_chain chain;
	struct s3_sums chunk, sums;
	struct sv_buf trailer;   /* lines, as they are signed */
	char given[S3_SUMS][96]; /* base64 as announced, or "" */
	int (*sink)(struct s3_request *rq, const char *data, size_t len);
};
int s3_body_init(struct s3_request *rq);
int s3_body_add(struct s3_request *rq, const char *data, size_t len);
int s3_body_end(struct s3_request *rq); /* also fills meta.etag */
void s3_body_free(struct s3_body *b);
/* Is it what the request's head says? 0, or -1 with the answer made. */
int s3_sum_compare(struct s3_request *rq, struct s3_sums *sums, int which);

/* meta.c: what is kept of an object beside its bytes, as an extended attribute of the file that
 * says for which state of it it is true. */
struct s3_meta {
	char etag[80];             /* without quotes */
	char headers[S3_META_MAX]; /* "Name: value\n" ..., as they are answered */
};
void s3_meta_read(int fd, const struct stat *st, struct s3_meta *m);
/* After the last write. */
int s3_meta_write(int fd, const struct s3_meta *m);
/* What the request says of its object. -1 with the answer made. */
int s3_meta_of_request(struct s3_request *rq, struct s3_meta *m);
int s3_meta_add(struct s3_meta *m, const char *name, const char *value);

struct s3_op;
/* One request. */
struct s3_request {
	struct s3 *s;
	const char *method, *uri, *path, *query;
	struct sv_sigv4_header headers[S3_HEADERS_MAX];
	size_t n_headers;
	struct s3_key key;
	char id[24];
	char bucket[256], object[S3_KEY_MAX + 1];
	const struct s3_op *op;
	int64_t content_length; /* -1: not said */
	struct s3_body body;
	struct sv_buf text; /* a body that is small */
	struct sv_sigv4_chain chain;
	const char *payload;
	/* A file that grows in the storage's work directory, and goes with the request, unless it
	 * is shared: an upload's. */
	int fd, shared, old; /* old: what it replaces */
	char temp[64];
	int64_t at; /* where in an upload's file the part begins; -1: it has a file of its own */
	struct s3_claim *claim;
	int64_t taken; /* bytes of the storage that are promised to this request */
	struct s3_meta meta;
	char upload[40];
	int part;
	/* The answer: */
	int status;
	struct sv_buf out, out_headers; /* headers: "Name: value\n" */
	int file;                       /* or a file's part; -1 */
	int64_t from, length;
	/* What takes long: called until it says so, while blanks go out. 1: again; 0: done, out is
	 * the answer; -1: out is an error. */
	int (*more)(struct s3_request *rq);
	void *work;
	void (*work_free)(void *work);
};

/* A row of what is served: level 0 the service, 1 a bucket, 2 an object. word: a name in the query.
 */
struct s3_op {
	const char *method;
	int level;
	const char *word;
	const char *header;                  /* that must have come, or NULL */
	int (*begin)(struct s3_request *rq); /* headers are there; may set the body's sink */
	int (*end)(struct s3_request *rq);   /* the body too */
	int sums_what_comes; /* checksums in the head are of the object that is made, not the body's
			      */
};

/* request.c */
/* 0: the body may come. -1: the answer is there. */
int s3_begin(struct s3_request *rq);
int s3_data(struct s3_request *rq, const char *data, size_t len);
void s3_end(struct s3_request *rq);
void s3_request_init(struct s3_request *rq, struct s3 *s);
void s3_request_free(struct s3_request *rq);
/* Gives back what only this request could have: room and a part's place. */
void s3_release(struct s3_request *rq);
const char *s3_header(const struct s3_request *rq, const char *name); /* or NULL */
/* The decoded value of a query's field: 1, 0 where it is not there, -1 where it is too long. */
int s3_query(const struct s3_request *rq, const char *name, char *buf, size_t size);
int s3_sink_text(struct s3_request *rq, const char *data, size_t len);
/* Into the request's file. */
int s3_sink_file(struct s3_request *rq, const char *data, size_t len);
/* A file in work/ for it. */
int s3_temp_make(struct s3_request *rq);

/* error.c: makes the answer an error of the table; -1. */
int s3_fail(struct s3_request *rq, const char *code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int s3_fail_errno(struct s3_request *rq);
void s3_answer_header(struct s3_request *rq, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Appends text for XML; as_url: percent-encoded before. */
void s3_xml(struct sv_buf *b, const char *text, int as_url);
void s3_xml_begin(struct s3_request *rq);
void s3_time_xml(int64_t t, char buf[32]);
void s3_time_http(int64_t t, char buf[40]);
int s3_time_parse_http(const char *text, int64_t *ret);

/* auth.c */
int s3_authenticate(struct s3_request *rq);
/* key.c: SV_OK, SV_NOTFOUND or SV_SERVER */
int s3_key_find(struct s3 *s, const char *access, struct s3_key *ret);
int s3_keys_open(struct s3 *s);
void s3_keys_close(struct s3 *s);

/* path.c: keys are paths below a storage's data/. */
/* NULL, or what is wrong; *code gets the S3 code. */
const char *s3_key_wrong(const char *key, const char **code);
/* O_PATH of data/ or work/. */
int s3_dir(const struct s3_request *rq, const char *which);
int s3_dir_of(const struct s3 *s, const char *storage, const char *which);
/* An object: opened, nothing but a file or (for a key that ends in '/') a directory; -1 with errno.
 */
int s3_open(int data, const char *key, int flags, struct stat *st);
/* The directory that holds the key's last part, made where asked; *last is that part. */
int s3_parent(int data, const char *key, int make, const char **last);
/* Removes directories that only S3 made and that are empty now, upwards from the key's own. */
void s3_prune(int data, const char *key);
/* A directory below dir, made where it is missing, marked then. */
int s3_dir_make(int dir, const char *name);
/* Takes the mark away: it stays when it is empty. */
void s3_dir_keep(int dir);

/* put.c */
int s3_put_begin(struct s3_request *rq);
int s3_put_end(struct s3_request *rq);
/* The temporary file takes its place under the key: conditions, owner, meta. */
int s3_commit(struct s3_request *rq, const char *key);
/* Room for so many bytes instead of what is under the key, or beside it for a part; held until the
 * request ends. */
int s3_quota(struct s3_request *rq, int64_t more);
void s3_quota_end(struct s3_request *rq);
int s3_marker_make(struct s3_request *rq, const char *key);
/* copy.c: bytes from one file into the request's, some at a time. */
struct s3_copier {
	int from, hash;
	int64_t at, left;
	struct s3_sums sums;
};
#define S3_STEP  ((int64_t)64 << 20)
#define S3_PIECE ((size_t)1 << 20) /* read at once */
/* Up to so many bytes: 0, or -1 with the answer made. */
int s3_copier_step(struct s3_request *rq, struct s3_copier *c, int64_t most);
int s3_copy_begin(struct s3_request *rq), s3_copy_end(struct s3_request *rq);
int s3_part_copy_begin(struct s3_request *rq), s3_part_copy_end(struct s3_request *rq);
/* get.c */
int s3_get(struct s3_request *rq), s3_head(struct s3_request *rq);
/* conditions on what is there (st NULL: nothing): 0, or -1 with the answer; prefix
 * "x-amz-copy-source-" or
 * "". */
int s3_conditions(struct s3_request *rq, const char *prefix, const char *etag,
	const struct stat *st, int reading);
/* delete.c */
int s3_delete(struct s3_request *rq), s3_delete_many_begin(struct s3_request *rq),
	s3_delete_many(struct s3_request *rq);
/* list.c, tree.c */
int s3_list(struct s3_request *rq), s3_list_buckets(struct s3_request *rq);
struct s3_walk {
	int data;
	const char *prefix, *after; /* keys beyond this one alone */
	/* One object, which lies in dir as name: 0 to go on, 1 to end. */
	int (*object)(struct s3_walk *w, const char *key, int dir, const char *name,
		const struct stat *st);
	/* A directory, by its key with the '/': 0 to enter it, 1 when it was taken whole, 2 to end.
	 */
	int (*directory)(struct s3_walk *w, const char *key);
	void *caller;
};
/* Every object in the order of keys. 0, 1 when ended, -1 with errno. */
int s3_walk(struct s3_walk *w);
/* multi.c and complete.c */
int s3_multi_create(struct s3_request *rq), s3_multi_put_begin(struct s3_request *rq),
	s3_multi_put_end(struct s3_request *rq), s3_multi_abort(struct s3_request *rq),
	s3_multi_parts(struct s3_request *rq), s3_multi_list(struct s3_request *rq),
	s3_complete_begin(struct s3_request *rq), s3_complete(struct s3_request *rq);
/* The upload's directory, -1 with the answer made. */
int s3_upload_dir(struct s3_request *rq, struct s3_meta *meta);
/* Takes partNumber and finds the upload. */
int s3_part_number(struct s3_request *rq);
/* parts.c: an upload's directory. */
#define S3_UPLOAD_RECORD "upload" /* what it will be */
#define S3_UPLOAD_DATA   "data"   /* what becomes the object */
struct s3_part {
	int number;
	int64_t size, modified, at; /* at: in the upload's file, or -1 */
	char md5[33], file[96];
};
int s3_parts_begin(const struct s3 *s, int dir);
/* After a boot what was acknowledged need not be on the disk: it is looked at again, once. -1: the
 * upload has come to its end. */
int s3_parts_trust(struct s3 *s, int dir);
/* The parts that are there, by number; *n of them, ended by sv_mfree(). Whole where claim_lock is
 * held, or the upload's completion. */
int s3_parts_read(int dir, struct s3_part **ret, size_t *n);
/* How large an upload's parts are that lie in their place; -1: not known yet. */
int64_t s3_parts_size(int dir);
/* A place for the request's part of so many bytes (-1: not known). */
int s3_part_place(struct s3_request *rq, int64_t size);
int s3_part_keep(struct s3_request *rq, const char *md5);
void s3_upload_remove(struct s3_request *rq);
/* Bytes of the parts that wait in a storage's work directory. */
int64_t s3_parts_count(int work);
/* claim.c: who writes where. 1: the part is this request's alone, or with 0 the completion. */
struct s3_claim;
int s3_claim(struct s3_request *rq, int number);
/* Until the one before has come to its end, or some time has gone by. */
int s3_claim_wait(struct s3_request *rq, int number);
/* For who completes: 1 where nobody writes into the upload's file, and nobody will. */
int s3_claim_file(struct s3_request *rq);
/* With claim_lock held: does another request complete this one's upload? */
int s3_is_completing(const struct s3_request *rq);
void s3_unclaim(struct s3_request *rq);
/* used.c: 0: so many bytes are promised, -1: they would be more than limit. */
int s3_used_take(struct s3 *s, const char *storage, int64_t bytes, int64_t limit);
void s3_used_give(struct s3 *s, const char *storage, int64_t bytes);
void s3_used_add(struct s3 *s, const char *storage, int64_t bytes);
/* read-xml.c */
/* Each element's text by its path: "/Delete/Object/Key". 0, or -1 with the answer made. */
int s3_read_xml(struct s3_request *rq, const char *text, size_t len,
	int (*element)(struct s3_request *rq, const char *path, const char *text, int ends));

#endif
