/* SPDX-License-Identifier: MIT */
/* config list, get, set, unset, use. */
#include <stdint.h>
#include <string.h>

#include <starverse/bucket.h>
#include <starverse/config.h>

#include "command.h"
#include "errors.h"
#include "out.h"

/* One setting, as a row of a table. */
struct setting {
	struct sv_set set;
	const char *name, *value, *origin;
};

static const struct sv_field setting_fields[] = {
	{ .name = "name",
		.help = "setting",
		.offset = offsetof(struct setting, name),
		.type = SV_STR,
		.flags = SV_COL | SV_NAME },
	{ .name = "value",
		.help = "its value",
		.offset = offsetof(struct setting, value),
		.type = SV_STR,
		.flags = SV_COL },
	{ .name = "origin",
		.help = "where it came from",
		.offset = offsetof(struct setting, origin),
		.type = SV_STR,
		.flags = SV_COL | SV_PROSE },
};
static const struct sv_kind setting_kind = { .name = "setting",
	.help = "a setting",
	.fields = setting_fields,
	.n = 3,
	.size = sizeof(struct setting) };
static const struct sv_kind plain_kind = { .name = "setting",
	.help = "a setting",
	.fields = setting_fields,
	.n = 2,
	.size = sizeof(struct setting) };

/* What a flag of this very command set, whatever the file says. */
static const char *flag_of(const struct call *call, const char *name)
{
	static const struct {
		const char *name;
		int id;
	} flags[] = { { "cacert", OPT_CACERT }, { "endpoint", OPT_ENDPOINT },
		{ "insecure", OPT_INSECURE }, { "output", OPT_OUTPUT }, { "profile", OPT_PROFILE },
		{ "request_timeout", OPT_REQUEST_TIMEOUT }, { "timeout", OPT_TIMEOUT } };

	if (!strcmp(name, "endpoint") && opt_value(call, OPT_SOCKET))
		return "flag --socket";
	for (size_t i = 0; i < COUNT(flags); i++)
		if (!strcmp(flags[i].name, name) && opt_value(call, flags[i].id))
			return "flag";
	return NULL;
}

static int row(struct out *o, const struct call *call, const struct sv_config *config,
	const struct sv_field *f)
{
	struct column c = { .way = { f }, .n = 1 };
	struct text value = { 0 };
	struct setting *s;
	int rc = 0;

	if (!column_text(&c, config, &value)) {
		text_free(&value);
		return 0;
	}
	s = sv_new(&setting_kind);
	s->name = f->name;
	s->value = text_of(&value);
	s->origin = flag_of(call, f->name);
	if (!s->origin)
		s->origin = sv_config_origin(config, f->name);
	if (!strcmp(f->name, "output") && !opt_value(call, OPT_OUTPUT) && call->app->env.output) {
		s->value = call->app->env.output;
		s->origin = "environment SVCTL_OUTPUT";
	}
	for (size_t i = 0; i < COUNT(setting_fields); i++)
		sv_field_mark(&setting_fields[i], s);
	rc = out_item(o, s);
	sv_free(s);
	text_free(&value);
	return rc;
}

int cmd_config_list(struct call *call)
{
	const struct sv_kind *kind = sv_kind_config();
	int status = 0, rc;
	const struct sv_config *config = app_config(call->app, &status);
	struct out o;

	if (!config)
		return status;
	rc = out_open(&o, call, opt_on(call, OPT_SHOW_ORIGIN) ? &setting_kind : &plain_kind, 1);
	if (rc)
		return rc;
	for (uint32_t i = 0; !rc && i < kind->n; i++)
		rc = row(&o, call, config, &kind->fields[i]);
	if (!rc)
		return out_close(&o);
	out_drop(&o);
	return rc;
}

/* The name of what was not found: a key that is a secret is never shown. */
int cmd_config_get(struct call *call)
{
	char *json = NULL;
	struct sv_error err = { 0 };
	size_t len;
	int rc;

	if (call->plain.n != 1)
		return usage_error(call, _("which key?"));
	rc = sv_config_read(NULL, call->plain.v[0], &json, &err);
	if (rc == SV_NOTFOUND)
		return fail_text(call->app, EXIT_MISSING, _("the configuration file has no %s"),
			call->plain.v[0]);
	if (rc)
		return fail(call->app, &err, NULL);
	len = strlen(json);
	/* A string is shown as it is, unless JSON was asked for. */
	if (!call->app->json_errors && len > 1 && *json == '"' && !strchr(json, '\\'))
		sink_fmt(&call->app->out, "%.*s\n", (int)len - 2, json + 1);
	else
		sink_fmt(&call->app->out, "%s\n", json);
	sv_free_text(json);
	return 0;
}

static int set(struct call *call, const char *key, const char *value)
{
	struct sv_error err = { 0 };
	int rc = sv_config_set(NULL, key, value, &err);

	if (rc == SV_NOTFOUND)
		return fail_text(
			call->app, EXIT_MISSING, _("the configuration file has no %s"), key);
	app_reset(call->app);
	return rc ? fail(call->app, &err, NULL) : 0;
}

/* Keys that mean something: how many words they are of, at least and at most, as names of one's own
 * may hold dots; and what the last word names. */
static const struct {
	const char *name, *form;
	size_t least, most;
	const struct sv_kind *(*kind)(void);
} known[] = { { "aliases", "aliases.NAME", 2, SIZE_MAX, NULL },
	{ "current_profile", "current_profile", 1, 1, NULL },
	{ "defaults", "defaults.SETTING", 2, 2, sv_kind_config },
	{ "profiles", "profiles.NAME.SETTING", 3, SIZE_MAX, sv_kind_config },
	{ "storages", "storages.NAME.SETTING", 3, 3, sv_kind_bucket_site },
	{ "version", "version", 1, 1, NULL } };

static int word_unknown(struct call *call, const struct sv_kind *kind, const char *word)
{
	struct nearest near = { .word = word };

	if (!kind || sv_field_find(kind, word))
		return 0;
	for (uint32_t i = 0; i < kind->n; i++)
		if (kind->fields[i].flags & SV_IN)
			nearest_offer(&near, kind->fields[i].name);
	return usage_near(call, near.best, _("no such setting: %s"), word);
}

/* Nobody would read another one. "x-" begins keys of other programs. */
static int key_unknown(struct call *call, const char *key)
{
	size_t len = strcspn(key, "."), words = 1, i = 0;
	char *first = mem_dup(key, len);
	struct nearest near = { .word = first };
	int rc = 0;

	for (const char *dot = key; (dot = strchr(dot, '.')) != NULL; dot++)
		words++;
	for (; i < COUNT(known) && strcmp(first, known[i].name) != 0; i++)
		nearest_offer(&near, known[i].name);
	if (i == COUNT(known) && strncmp(key, "x-", 2) != 0)
		rc = usage_near(call, near.best, _("no such key: %s"), key);
	else if (i < COUNT(known) && (words < known[i].least || words > known[i].most))
		rc = usage_error(call, _("no such key: %s; the form is %s"), key, known[i].form);
	else if (i < COUNT(known) && known[i].kind)
		rc = word_unknown(call, known[i].kind(), strrchr(key, '.') + 1);
	mem_free(first);
	return rc;
}

/* The formats are svctl's own; the other values are held against their rows by the library. */
static int output_unknown(const struct call *call, const char *key, const char *value)
{
	const char *last = strrchr(key, '.');
	int setting = !strncmp(key, "defaults.", 9) || !strncmp(key, "profiles.", 9);

	return setting && !strcmp(last, ".output") ? out_known(call, value) : 0;
}

int cmd_config_set(struct call *call)
{
	const struct sv_kind *kind;
	int rc;

	if (call->plain.n != 2)
		return usage_error(call, _("a key and its value are needed"));
	rc = key_unknown(call, call->plain.v[0]);
	if (rc)
		return rc;
	if (!strncmp(call->plain.v[0], "aliases.", 8) && noun_find(call->plain.v[0] + 8, &kind))
		return usage_error(call, _("%s: svctl has a command of this name itself"),
			call->plain.v[0] + 8);
	rc = output_unknown(call, call->plain.v[0], call->plain.v[1]);
	return rc ? rc : set(call, call->plain.v[0], call->plain.v[1]);
}

int cmd_config_unset(struct call *call)
{
	if (call->plain.n != 1)
		return usage_error(call, _("which key?"));
	return set(call, call->plain.v[0], NULL);
}

int cmd_config_use(struct call *call)
{
	struct text key = { 0 };
	struct sv_error err = { 0 };
	char *json = NULL;
	int rc;

	if (call->plain.n != 1 || strchr(call->plain.v[0], '.'))
		return usage_error(call, _("which profile?"));
	text_fmt(&key, "profiles.%s", call->plain.v[0]);
	rc = sv_config_read(NULL, text_of(&key), &json, &err);
	sv_free_text(json);
	text_free(&key);
	if (rc == SV_NOTFOUND && strcmp(call->plain.v[0], "local") != 0)
		return fail_hint(call->app, EXIT_MISSING,
			_("svctl config set profiles.NAME.endpoint URL makes one"),
			_("there is no profile %s"), call->plain.v[0]);
	if (rc && rc != SV_NOTFOUND)
		return fail(call->app, &err, NULL);
	return set(call, "current_profile", call->plain.v[0]);
}
