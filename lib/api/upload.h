/* SPDX-License-Identifier: MIT */
/* Uploads in parts: what files, streams and copies share. */
#ifndef SV_API_UPLOAD_H
#define SV_API_UPLOAD_H

#include <sys/stat.h>

#include "api/bucket.h"

#define SV_UPLOAD_ID 1100 /* bytes of an upload's id, the NUL among them */

/* A part that the service has. */
struct sv_part {
	int64_t size; /* 0: it has none of this number */
	char etag[SV_ETAG_SIZE];
	char crc32c[12]; /* base64, where the service confirmed it; or "" */
};

/* An upload that is under way. */
struct sv_multipart {
	sv_bucket *bucket;
	const char *key;
	char id[SV_UPLOAD_ID];
	struct sv_part *parts; /* by number, from 1 at [0] */
	int n, room;
};

/* One part, or a whole object (number 0), being sent. */
struct sv_sending {
	struct sv_s3_do request;
	sv_op *op; /* NULL: this place is free */
	struct sv_multipart *upload;
	sv_bucket *bucket;
	const char *key;
	int number;
	int fd; /* -1: from bytes */
	const char *bytes;
	int64_t offset, size, at; /* at: how much of it has left */
	int summed;               /* a checksum went ahead of it */
	struct sv_part got;
	struct sv_bucket_object *o; /* number 0: a root */
	char mtime[40], number_text[12], crc32c[12], sha256[65];
};

/* Room for parts up to number n, zeroed. SV_OK or SV_NOMEM with the client's error. */
int sv_multipart_room(struct sv_multipart *m, int n);
/* Begins one; mtime (or NULL) goes with it. */
int sv_multipart_create(struct sv_multipart *m, const char *mtime);
/* What the service has of it, into parts (those beyond n are passed over). SV_NOTFOUND when it
 * knows no such upload, SV_UNSUPPORTED when it cannot tell. */
int sv_multipart_look(struct sv_multipart *m, int n);
/* Makes an object of parts 1 to n. *ret (or NULL) is a root. */
int sv_multipart_complete(
	struct sv_multipart *m, int n, int64_t size, struct sv_bucket_object **ret);
/* Gives it up, as well as that goes; the client's error stays as it was. */
void sv_multipart_abort(struct sv_multipart *m);
void sv_multipart_end(struct sv_multipart *m);
/* The etag that S3 gives what was made of n parts; "" when it cannot be told. */
void sv_multipart_etag(const struct sv_multipart *m, int n, char etag[SV_ETAG_SIZE]);

/* Starts sending what s says (upload, bucket, key, number, fd or bytes, offset, size); its checksum
 * goes ahead of it. NULL op and a code when it could not be started. */
int sv_sending_start(struct sv_sending *s, sv_done *done, void *data);
/* The same, waited for. */
int sv_sending_run(struct sv_sending *s);
/* 1 when a request may have failed because of its checksum (summed: it had one): it is made again
 * without. Some services
 * answer that it is not implemented. */
int sv_sums_refused(sv_bucket *b, int code, int summed);
/* 1 when the service's part is the one that s would send. */
int sv_sending_same(struct sv_sending *s, const struct sv_part *there);
/* "1700000000.123456789", as rclone keeps it. */
void sv_sending_mtime(const struct stat *st, char text[40]);

/* How large parts are for a total, or -1. */
int64_t sv_part_size(const struct sv_transfer *t, int64_t total);
void sv_transfer_tell(const struct sv_transfer *t, int64_t done, int64_t total);
void sv_transfer_note(const struct sv_transfer *t, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* The record of an upload: a file in the state directory, locked while it is open. */
struct sv_record_file {
	int fd; /* -1: nothing is kept */
	char path[4200];
	char target[1600], file[5200]; /* whose record it is */
	int64_t part_size;             /* of the upload that it names; 0: none */
	int other_file;                /* it is of another state of the file */
};

/* Opens the record of a target and reads it into *m where it is of this file. SV_OK, also when
 * there is none; SV_CONFLICT when another process holds it. */
int sv_record_open(
	struct sv_record_file *f, struct sv_multipart *m, const char *path, const struct stat *st);
/* Begins it anew. */
int sv_record_begin(struct sv_record_file *f, const struct sv_multipart *m, int64_t part_size);
void sv_record_part(struct sv_record_file *f, const struct sv_multipart *m, int number);
/* done: it goes. */
void sv_record_close(struct sv_record_file *f, int done);

#endif
