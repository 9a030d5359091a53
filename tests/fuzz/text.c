/* SPDX-License-Identifier: MIT */
/* Fields as a person types them: "KIND FIELD\n" and the text. A cell that was printed is read as
 * the same. */
#include <starverse/kind.h>
#include "fuzz.h"

static void round_trip(const struct sv_kind *kind, const struct sv_field *f, const void *obj)
{
	char cell[512], again[512];
	struct sv_error err;
	void *copy;

	if (f->flags & SV_SECRET || sv_cell(f, obj, cell, sizeof(cell)) >= sizeof(cell))
		return;
	/* Only these have one spelling; a bare duration, say, is refused on purpose. */
	if (f->type != SV_INT && f->type != SV_MONEY && f->type != SV_TIME && f->type != SV_BOOL &&
		f->type != SV_PERCENT)
		return;
	copy = sv_new(kind);
	always(copy != NULL);
	always(sv_field_parse(copy, copy, f, cell, &err) == SV_OK);
	always(sv_cell(f, copy, again, sizeof(again)) < sizeof(again));
	always(strcmp(cell, again) == 0);
	came_deep();
	sv_free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char line[128], text[1024], *space;
	size_t at = first_line(data, size, line, sizeof(line)), n = size - at;
	const struct sv_kind *kind;
	const struct sv_field *f;
	struct sv_error err;
	void *obj;

	space = strchr(line, ' ');
	if (!space || n >= sizeof(text))
		return 0;
	*space = '\0';
	if (n)
		memcpy(text, data + at, n);
	text[n] = '\0';
	kind = sv_kind_find(line);
	f = kind ? sv_field_find(kind, space + 1) : NULL;
	if (!f)
		return 0;
	obj = sv_new(kind);
	always(obj != NULL);
	memset(&err, 0, sizeof(err));
	if (sv_field_parse(obj, obj, f, text, &err) == SV_OK)
		round_trip(kind, f, obj);
	else
		always(err.message[0]);
	sv_free(obj);
	return 0;
}
