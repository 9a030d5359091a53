/* SPDX-License-Identifier: MIT */
/* The S3 server as a process: what the daemon starts, and what is run in it. */
#ifndef SV_LOCAL_S3_SERVE_H
#define SV_LOCAL_S3_SERVE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct platform;
struct s3;

/* Where the daemon listens for S3. The server itself is started by the first connection, and again
 * when it died. */
struct s3_door {
	struct platform *p;
	int fd, epoll; /* fd: the listening socket, or -1 */
	pid_t pid; /* 0: nobody is behind it, -1: not yet again */
	int64_t begun_ms;
	const char *state_dir;
};

/* On the port of before, or another; sets p->s3_port, or leaves it 0 where there is none. SV_OK, or
 * the store's code. */
int s3_door_open(struct s3_door *door);
/* Lets the daemon's loop wake up when somebody knocks, for as long as nobody is behind the door. */
int s3_door_watch(struct s3_door *door, int epoll);
/* In each turn: starts the server where somebody knocks, and sees whether it lives. */
void s3_door_turn(struct s3_door *door);
void s3_door_close(struct s3_door *door);

/* In the server's process; the listening socket is descriptor 3. Does not come back but with a
 * code. */
int s3_serve(const char *state_dir);
int s3_http_serve(struct s3 *s, int listener);

#endif
