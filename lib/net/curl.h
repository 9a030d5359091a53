/* SPDX-License-Identifier: MIT */
/* What the library and the module that knows libcurl say to each other. */
#ifndef SV_NET_CURL_H
#define SV_NET_CURL_H

#include <starverse/transport.h>

/* Raised when the struct below, or struct sv_xfer, changes. */
#define SV_CURL_ABI 2

struct sv_curl_module {
	unsigned abi;
	/* NULL when out of memory, or libcurl is too old: then *why says so. */
	struct sv_transport *(*make)(const char **why);
};

SV_API extern const struct sv_curl_module sv_curl_module;

#endif
