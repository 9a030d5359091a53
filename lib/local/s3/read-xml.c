/* SPDX-License-Identifier: MIT */
/* XML bodies. Their size, depth and names are bounded; a document type is refused, and with it
 * every entity of its own. */
#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "local/s3/s3.h"

#define MOST_DEPTH 8
#define MOST_NAME  64

struct reading {
	struct s3_request *rq;
	int (*element)(struct s3_request *rq, const char *path, const char *text, int ends);
	XML_Parser parser;
	char path[MOST_DEPTH * (MOST_NAME + 1) + 1];
	struct sv_buf text;
	int depth, bad;
};

static void stop(struct reading *x, int told)
{
	if (!x->bad && !told)
		s3_fail(x->rq, "MalformedXML", "the XML of the body is not what is expected here");
	x->bad = 1;
	XML_StopParser(x->parser, XML_FALSE);
}

static void XMLCALL begin(void *data, const XML_Char *name, const XML_Char **attributes)
{
	struct reading *x = data;
	const char *colon = strrchr(name, ':');
	size_t len = strlen(x->path);

	(void)attributes;
	name = colon ? colon + 1 : name;
	if (++x->depth > MOST_DEPTH || strlen(name) > MOST_NAME) {
		stop(x, 0);
		return;
	}
	snprintf(x->path + len, sizeof(x->path) - len, "/%s", name);
	sv_buf_reset(&x->text);
	if (x->element(x->rq, x->path, "", 0))
		stop(x, 1);
}

static void XMLCALL end(void *data, const XML_Char *name)
{
	struct reading *x = data;
	char *slash;

	(void)name;
	if (x->bad)
		return;
	x->depth--;
	if (x->element(x->rq, x->path, sv_buf_text(&x->text), 1))
		stop(x, 1);
	slash = strrchr(x->path, '/');
	if (slash)
		*slash = '\0';
	sv_buf_reset(&x->text);
}

static void XMLCALL text(void *data, const XML_Char *s, int len)
{
	struct reading *x = data;

	sv_buf_add(&x->text, s, (size_t)len);
	if (x->text.failed)
		stop(x, 0);
}

static void XMLCALL doctype(void *data, const XML_Char *name, const XML_Char *system_id,
	const XML_Char *public_id, int internal)
{
	(void)name, (void)system_id, (void)public_id, (void)internal;
	stop(data, 0);
}

int s3_read_xml(struct s3_request *rq, const char *body, size_t len,
	int (*element)(struct s3_request *rq, const char *path, const char *text, int ends))
{
	struct reading x = { .rq = rq, .element = element, .parser = XML_ParserCreate(NULL) };

	if (!x.parser)
		return s3_fail(rq, "SlowDown", "out of memory");
	sv_buf_init(&x.text, S3_KEY_MAX * 2);
	XML_SetUserData(x.parser, &x);
	XML_SetElementHandler(x.parser, begin, end);
	XML_SetCharacterDataHandler(x.parser, text);
	XML_SetStartDoctypeDeclHandler(x.parser, doctype);
	if (XML_Parse(x.parser, body, (int)len, 1) != XML_STATUS_OK && !x.bad) {
		s3_fail(rq, "MalformedXML", "%s, line %lu",
			XML_ErrorString(XML_GetErrorCode(x.parser)),
			(unsigned long)XML_GetCurrentLineNumber(x.parser));
		x.bad = 1;
	}
	XML_ParserFree(x.parser);
	sv_buf_free(&x.text);
	return x.bad ? -1 : 0;
}
