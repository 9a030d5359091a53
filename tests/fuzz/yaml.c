/* SPDX-License-Identifier: MIT */
/* Bodies as a person writes them: "KIND\n" and YAML. What is refused says why; what is read can be
 * checked and written. */
#include <starverse/kind.h>
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char name[64], *text = NULL;
	size_t at = first_line(data, size, name, sizeof(name));
	const struct sv_kind *kind = sv_kind_find(name);
	struct sv_error err;
	void *obj = NULL;

	if (!kind)
		return 0;
	memset(&err, 0, sizeof(err));
	if (sv_from_yaml(kind, "input.yaml", (const char *)data + at, size - at, &obj, &err)) {
		always(err.message[0] && !strchr(err.message, '\n'));
		return 0;
	}
	memset(&err, 0, sizeof(err));
	if (sv_check(kind, obj, SV_WALK_CREATE, &err))
		always(err.message[0]);
	always(sv_to_json(kind, obj, SV_WALK_CREATE, 0, &text) == SV_OK);
	came_deep();
	sv_free_text(text);
	sv_free(obj);
	return 0;
}
