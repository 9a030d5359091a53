/* SPDX-License-Identifier: MIT */
/* Answers of the service: "KIND\n" and JSON. What was decoded is written, and read back as the
 * same. */
#include <starverse/kind.h>
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[64], *first = NULL, *second = NULL;
	size_t at = first_line(data, size, name, sizeof(name));
	const struct sv_kind *kind = sv_kind_find(name);
	struct sv_error err;
	void *obj = NULL, *again = NULL;

	if (!kind || sv_from_json(kind, (const char *)data + at, size - at, &obj, &err))
		return 0;
	always(sv_to_json(kind, obj, SV_WALK_WIRE, 0, &first) == SV_OK);
	always(sv_from_json(kind, first, strlen(first), &again, &err) == SV_OK);
	always(sv_to_json(kind, again, SV_WALK_WIRE, 0, &second) == SV_OK);
	always(strcmp(first, second) == 0);
	came_deep();
	sv_free_text(first);
	sv_free_text(second);
	sv_free(obj);
	sv_free(again);
	return 0;
}
