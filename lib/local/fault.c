/* SPDX-License-Identifier: MIT */
/* Failures on demand. A path may hold {id} or * where any one segment stands. */
#include "local/fault.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "local/platform.h"

#define N_FAULTS 64

struct fault {
	char method[12], path[200];
	int status;
	int64_t times;
	struct fault *next;
};

int fault_set(struct platform *p, const char *method, const char *path, int status, int64_t times)
{
	struct fault **at = &p->faults, *f;
	size_t n = 0;

	for (; *at && (strcmp((*at)->method, method) != 0 || strcmp((*at)->path, path) != 0);
		at = &(*at)->next)
		n++;
	f = *at;
	if (!f) {
		if (n >= N_FAULTS || strlen(path) >= sizeof(f->path) ||
			strlen(method) >= sizeof(f->method))
			return SV_INVALID;
		f = sv_malloc(sizeof(*f));
		if (!f)
			return SV_NOMEM;
		memset(f, 0, sizeof(*f));
		snprintf(f->method, sizeof(f->method), "%s", method);
		snprintf(f->path, sizeof(f->path), "%s", path);
		*at = f;
	}
	f->status = status;
	f->times = times;
	return SV_OK;
}

static int fits(const char *pattern, const char *path)
{
	while (*pattern && *path) {
		size_t n = strcspn(pattern, "/"), m = strcspn(path, "/");
		int any = *pattern == '{' || (*pattern == '*' && n == 1);

		if (!any && (n != m || memcmp(pattern, path, n) != 0))
			return 0;
		pattern += n;
		path += m;
		if (*pattern == '/' && *path == '/') {
			pattern++;
			path++;
		}
	}
	return !*pattern && !*path;
}

int fault_take(struct platform *p, const char *method, const char *path, int *status)
{
	for (struct fault *f = p->faults; f; f = f->next) {
		if (!f->times || strcmp(f->method, method) != 0 || !fits(f->path, path))
			continue;
		if (f->times > 0)
			f->times--;
		*status = f->status;
		return 1;
	}
	return 0;
}

void fault_free(struct platform *p)
{
	while (p->faults) {
		struct fault *f = p->faults;

		p->faults = f->next;
		sv_mfree(f);
	}
}
