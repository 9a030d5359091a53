/* SPDX-License-Identifier: MIT */
/* YAML by libyaml. A string that some loader, of YAML 1.1 or 1.2, would take for something else is
 * quoted. */
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "out.h"

struct yaml {
	struct sv_writer w; /* first */
	yaml_emitter_t emitter;
	int failed;
};

static int write_out(void *data, unsigned char *s, size_t n)
{
	sink_add(data, s, n);
	return 1;
}

static int send(struct yaml *y, yaml_event_t *e, int made)
{
	if (!made || !yaml_emitter_emit(&y->emitter, e))
		y->failed = 1;
	return y->failed ? SV_NOMEM : SV_OK;
}

/* A word that begins with a letter and holds nothing special, unless it is one of those that mean
 * something. */
static int plain(const char *s)
{
	static const char *const words[] = { "y", "n", "yes", "no", "on", "off", "true", "false",
		"null", "nan", "inf" };
	size_t len = strlen(s);

	if (!len || !strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/", *s) ||
		s[len - 1] == ' ')
		return 0;
	if (strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+ ") !=
		len)
		return 0;
	for (size_t i = 0; i < COUNT(words); i++)
		if (!strcasecmp(s, words[i]))
			return 0;
	return 1;
}

static int scalar(struct yaml *y, const char *s, yaml_scalar_style_t style)
{
	yaml_event_t e;
	int bare = style == YAML_PLAIN_SCALAR_STYLE;

	return send(y, &e,
		yaml_scalar_event_initialize(&e, NULL, NULL, (yaml_char_t *)(uintptr_t)s,
			(int)strlen(s), bare, !bare, style));
}

static int begin(struct sv_writer *w, int list)
{
	struct yaml *y = (struct yaml *)w;
	yaml_event_t e;

	return send(y, &e,
		list ? yaml_sequence_start_event_initialize(
			       &e, NULL, NULL, 1, YAML_BLOCK_SEQUENCE_STYLE)
		     : yaml_mapping_start_event_initialize(
			       &e, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE));
}

static int end(struct sv_writer *w, int list)
{
	struct yaml *y = (struct yaml *)w;
	yaml_event_t e;

	return send(y, &e,
		list ? yaml_sequence_end_event_initialize(&e)
		     : yaml_mapping_end_event_initialize(&e));
}

static int string(struct sv_writer *w, const char *s)
{
	return scalar((struct yaml *)w, s,
		plain(s) ? YAML_PLAIN_SCALAR_STYLE : YAML_DOUBLE_QUOTED_SCALAR_STYLE);
}

static int key(struct sv_writer *w, const char *name, const struct sv_field *field)
{
	(void)field;
	return string(w, name);
}

/* Numbers come as their text: walks go over JSON. */
static int bare(struct sv_writer *w, const char *s)
{
	return scalar((struct yaml *)w, s, YAML_PLAIN_SCALAR_STYLE);
}

static int integer(struct sv_writer *w, int64_t v)
{
	struct text t = { 0 };
	int rc;

	text_fmt(&t, "%lld", (long long)v);
	rc = bare(w, text_of(&t));
	text_free(&t);
	return rc;
}

static int number(struct sv_writer *w, double v)
{
	struct text t = { 0 };
	int rc;

	text_fmt(&t, "%.17g", v);
	rc = bare(w, text_of(&t));
	text_free(&t);
	return rc;
}

static int boolean(struct sv_writer *w, int v)
{
	return bare(w, v ? "true" : "false");
}

static int null(struct sv_writer *w)
{
	return bare(w, "null");
}

static void open_document(struct yaml *y, struct sink *out, int marked)
{
	yaml_event_t e;

	y->w = (struct sv_writer){ begin, end, key, string, integer, number, boolean, null, bare };
	y->failed = !yaml_emitter_initialize(&y->emitter);
	if (y->failed)
		return;
	yaml_emitter_set_output(&y->emitter, write_out, out);
	yaml_emitter_set_unicode(&y->emitter, 1);
	yaml_emitter_set_width(&y->emitter, -1);
	send(y, &e, yaml_stream_start_event_initialize(&e, YAML_UTF8_ENCODING));
	send(y, &e, yaml_document_start_event_initialize(&e, NULL, NULL, NULL, !marked));
}

/* Once open_document() has failed there is no emitter to end. */
static void close_document(struct yaml *y, struct app *a)
{
	yaml_event_t e;

	send(y, &e, yaml_document_end_event_initialize(&e, 1));
	send(y, &e, yaml_stream_end_event_initialize(&e));
	yaml_emitter_flush(&y->emitter);
	yaml_emitter_delete(&y->emitter);
	if (y->failed && !a->out.error)
		a->out.error = ENOMEM;
}

int yaml_document(struct app *a, const struct text *json)
{
	struct yaml y = { .failed = 0 };

	open_document(&y, &a->out, 1);
	if (y.failed)
		return 1;
	y.failed |= sv_walk_json(text_of(json), json->n, &y.w) != SV_OK;
	close_document(&y, a);
	return a->out.error != 0;
}

static int yaml_begin(struct out *o)
{
	struct yaml *y = mem_new(1, sizeof(*y));

	o->state = y;
	open_document(y, &o->app->out, 0);
	if (y->failed)
		return 1;
	if (o->list)
		begin(&y->w, 1);
	return 0;
}

/* By way of JSON, so that numbers keep the digits they came with. */
static int yaml_item(struct out *o, const void *obj)
{
	struct yaml *y = o->state;
	struct text chosen = { 0 };
	char *text = NULL;

	if (o->call->opt[OPT_COLUMNS].n) {
		begin(&y->w, 0);
		for (size_t i = 0; i < o->n_columns; i++) {
			chosen.n = 0;
			column_json(&o->columns[i], obj, &chosen);
			key(&y->w, o->columns[i].name, NULL);
			y->failed |= sv_walk_json(text_of(&chosen), chosen.n, &y->w) != SV_OK;
		}
		end(&y->w, 0);
		text_free(&chosen);
	} else if (sv_to_json(o->kind, obj, out_mode(o), 0, &text) == SV_OK) {
		y->failed |= sv_walk_json(text, strlen(text), &y->w) != SV_OK;
	} else {
		y->failed = 1;
	}
	sv_free_text(text);
	return 0;
}

static int yaml_end(struct out *o)
{
	struct yaml *y = o->state;

	if (o->list)
		end(&y->w, 1);
	close_document(y, o->app);
	mem_free(y);
	o->state = NULL;
	return 0;
}

const struct out_format out_yaml = { "yaml", yaml_begin, yaml_item, yaml_end, 0 };
