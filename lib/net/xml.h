/* SPDX-License-Identifier: MIT */
/* XML answers, told element by element. What a peer may send is bounded: depth, text, number of
 * elements; a document type, and with it every entity of its own, is refused. */
#ifndef SV_NET_XML_H
#define SV_NET_XML_H

#include <stddef.h>

#include <starverse/error.h>

/* Raised when the struct of the module changes. */
#define SV_XML_ABI 1

/* Who hears. Each returns 0, or anything else to end the reading. */
struct sv_xml_reader {
	/* An element begins: "/ListBucketResult/Contents", names without their prefixes. */
	int (*begin)(void *data, const char *path);
	/* It ends; text is what stood directly in it, NUL-ended, blanks kept. */
	int (*end)(void *data, const char *path, const char *text, size_t len);
	void *data;
};

struct sv_xml_module {
	unsigned abi;
	/* 0, or -1 with a phrase in why. */
	int (*read)(const char *text, size_t len, const struct sv_xml_reader *r, char *why,
		size_t size);
};

SV_API extern const struct sv_xml_module sv_xml_module;

/* SV_OK, or SV_PROTO with the reason in *err; SV_UNSUPPORTED when the module cannot be loaded. */
int sv_xml_read(const char *text, size_t len, const struct sv_xml_reader *r, struct sv_error *err);

#endif
