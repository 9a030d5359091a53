/* SPDX-License-Identifier: MIT */
/* The only file that knows expat. */
#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "net/xml.h"

#define MOST_DEPTH 16
#define MOST_TEXT  SV_MAX_URL /* a key of 1,024 bytes, escaped, is 3,072 */
#define MOST_PATH  1024

struct reading {
	const struct sv_xml_reader *r;
	XML_Parser parser;
	struct sv_buf path, text;
	int depth, count;
	int leaf; /* nothing but text since the element began */
	const char *why;
};

static void stop(struct reading *x, const char *why)
{
	if (!x->why)
		x->why = why;
	XML_StopParser(x->parser, XML_FALSE);
}

static void XMLCALL begin(void *data, const XML_Char *name, const XML_Char **attributes)
{
	struct reading *x = data;
	const char *colon = strrchr(name, ':');

	(void)attributes;
	if (++x->depth > MOST_DEPTH) {
		stop(x, "it is nested too deeply");
		return;
	}
	if (++x->count > SV_MAX_ITEMS) {
		stop(x, "it has too many elements");
		return;
	}
	sv_buf_chr(&x->path, '/');
	sv_buf_str(&x->path, colon ? colon + 1 : name);
	sv_buf_reset(&x->text);
	x->leaf = 1;
	if (x->path.failed)
		stop(x, "its names are too long");
	else if (x->r->begin && x->r->begin(x->r->data, x->path.data))
		stop(x, "it holds what was not expected");
}

static void XMLCALL end(void *data, const XML_Char *name)
{
	struct reading *x = data;

	(void)name;
	x->depth--;
	if (x->why)
		return;
	if (x->r->end && x->r->end(x->r->data, x->path.data, x->leaf ? sv_buf_text(&x->text) : "",
				 x->leaf ? x->text.len : 0))
		stop(x, "it holds what was not expected");
	x->path.len = (size_t)(strrchr(x->path.data, '/') - x->path.data);
	x->path.data[x->path.len] = '\0';
	sv_buf_reset(&x->text);
	x->leaf = 0;
}

static void XMLCALL text(void *data, const XML_Char *s, int len)
{
	struct reading *x = data;

	if (!x->leaf)
		return;
	sv_buf_add(&x->text, s, (size_t)len);
	if (x->text.failed)
		stop(x, "a text in it is too long");
}

static void XMLCALL doctype(void *data, const XML_Char *name, const XML_Char *system_id,
	const XML_Char *public_id, int internal)
{
	(void)name, (void)system_id, (void)public_id, (void)internal;
	stop(data, "it declares a document type");
}

static void set_up(struct reading *x)
{
	XML_SetUserData(x->parser, x);
	XML_SetElementHandler(x->parser, begin, end);
	XML_SetCharacterDataHandler(x->parser, text);
	XML_SetStartDoctypeDeclHandler(x->parser, doctype);
	sv_buf_init(&x->path, MOST_PATH);
	sv_buf_init(&x->text, MOST_TEXT);
}

static int read_all(
	const char *data, size_t len, const struct sv_xml_reader *r, char *why, size_t size)
{
	struct reading x = { .r = r, .parser = XML_ParserCreate(NULL) };
	int ok;

	if (!x.parser || len > SV_MAX_REPLY) {
		snprintf(why, size, "%s", x.parser ? "it is too large" : "out of memory");
		XML_ParserFree(x.parser);
		return -1;
	}
	set_up(&x);
	ok = XML_Parse(x.parser, data, (int)len, 1) == XML_STATUS_OK && !x.why;
	if (!ok)
		snprintf(why, size, "%s (line %lu)",
			x.why ? x.why : XML_ErrorString(XML_GetErrorCode(x.parser)),
			(unsigned long)XML_GetCurrentLineNumber(x.parser));
	XML_ParserFree(x.parser);
	sv_buf_free(&x.path);
	sv_buf_free(&x.text);
	return ok ? 0 : -1;
}

const struct sv_xml_module sv_xml_module = { SV_XML_ABI, read_all };
