/* SPDX-License-Identifier: MIT */
/* What options hold: switches, numbers, durations, files. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "command.h"
#include "errors.h"

#define FILE_MAX ((size_t)4 << 20)

const char *opt_value(const struct call *call, int id)
{
	return call->opt[id].n ? call->opt[id].v[call->opt[id].n - 1] : NULL;
}

int opt_on(const struct call *call, int id)
{
	const char *v = opt_value(call, id);

	return v && strcmp(v, "0") != 0;
}

int opt_off(const struct call *call, int id)
{
	const char *v = opt_value(call, id);

	return v && !strcmp(v, "0");
}

/* Numbers and durations are read by the same rows as any field. */
struct number {
	struct sv_set set;
	int64_t count, seconds;
};

static const struct sv_field number_fields[] = {
	{ .name = "count", .offset = offsetof(struct number, count), .type = SV_INT },
	{ .name = "seconds", .offset = offsetof(struct number, seconds), .type = SV_SECONDS },
};
static const struct sv_kind number_kind = {
	.name = "number", .fields = number_fields, .n = 2, .size = sizeof(struct number)
};

/* Without the field's name: the option was named already. */
static const char *why(const struct sv_error *err)
{
	return err->n_errors ? err->errors[0].message : err->message;
}

int64_t duration_of(const char *text, struct sv_error *err)
{
	struct number *x = sv_new(&number_kind);
	int64_t v = -1;

	if (x && sv_field_parse(x, x, &number_fields[1], text, err) == SV_OK)
		v = x->seconds;
	sv_free(x);
	return v;
}

static const char *called(const struct call *call, int id)
{
	const struct opt_row *tables[] = { call->command ? call->command->opts : NULL, opts_wait,
		opts_change, opts_list, opts_call, opts_global };

	for (size_t i = 0; i < COUNT(tables); i++)
		for (const struct opt_row *o = tables[i]; o && o->name; o++)
			if (o->id == id)
				return o->name;
	return "";
}

int opt_seconds(const struct call *call, int id, int64_t otherwise, int64_t *ret)
{
	const char *v = opt_value(call, id);
	struct sv_error err = { 0 };

	*ret = v ? duration_of(v, &err) : otherwise;
	return v && *ret < 0 ? usage_error(call, "--%s %s: %s", called(call, id), v, why(&err)) : 0;
}

int opt_int(const struct call *call, int id, int64_t otherwise, int64_t *ret)
{
	const char *v = opt_value(call, id);
	struct number *x;
	struct sv_error err = { 0 };
	int rc = 0;

	*ret = otherwise;
	if (!v)
		return 0;
	x = sv_new(&number_kind);
	if (x && sv_field_parse(x, x, &number_fields[0], v, &err) == SV_OK)
		*ret = x->count;
	else
		rc = usage_error(call, "--%s %s: %s", called(call, id), v, why(&err));
	sv_free(x);
	return rc;
}

int read_whole(struct app *a, const char *name, struct text *ret)
{
	int fd = strcmp(name, "-") != 0 ? open(name, O_RDONLY | O_CLOEXEC) : STDIN_FILENO;
	char buf[8192];
	ssize_t k = 0;
	int why = errno;

	while (fd >= 0 && ret->n <= FILE_MAX && (k = read(fd, buf, sizeof(buf))) != 0) {
		if (k > 0)
			text_add(ret, buf, (size_t)k);
		else if (errno != EINTR)
			break;
	}
	if (k < 0)
		why = errno;
	if (fd > STDIN_FILENO)
		close(fd);
	errno = why;
	if (fd < 0 || k < 0)
		return fail_text(a, EXIT_USAGE, "%s: %s", name, i18n_errno(errno));
	if (ret->n > FILE_MAX)
		return fail_text(a, EXIT_USAGE, _("%s: larger than 4 MiB"), name);
	return 0;
}
