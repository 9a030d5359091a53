/* SPDX-License-Identifier: MIT */
/* What a TCP listener lets through: the pages of a browser on this machine can reach it, too. */
#ifndef SV_LOCAL_GATE_H
#define SV_LOCAL_GATE_H

#include "local/platform.h"

struct gate {
	char host[80];  /* "127.0.0.1:8080", "[::1]:8080": exactly what Host must be */
	char other[80]; /* "localhost:8080" for a loopback address, else "" */
	int any;        /* 1: all addresses, or TLS, whose certificate names the host */
};

/* SV_OK, or SV_DENIED with *err filled. */
int gate_check(const struct gate *g, const struct request *rq, struct sv_error *err);

#endif
