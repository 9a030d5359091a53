/* SPDX-License-Identifier: MIT */
#include "local/instance-plan.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "local/catalog.h"
#include "local/storage.h"
#include "model/json.h"

static int check_status(struct call *c, const char *what, const char *name, const char *status)
{
	if (!status || !strcmp(status, "ready"))
		return SV_OK;
	return sv_err_wire(&c->err, "invalid_state", "%s %s is %s", what, name, status);
}

static void take_strs(void *root, struct sv_strs *to, const struct sv_strs *from)
{
	for (size_t k = 0; !to->n && k < from->n; k++)
		sv_strs_add(root, to, from->v[k]);
}

/* What the app says stands where the body says nothing. */
static int from_app(struct plan *p)
{
	struct sv_instance_create_body *b = p->body;
	const struct sv_app *a;
	int own_card = b->gpu != NULL, more = b->models.n == 0 && b->datasets.n == 0;
	void *obj = NULL;
	int rc = doc_find(p->c, &sv_app_kind, b->app, "app", &obj);

	if (rc)
		return rc;
	a = p->app = obj;
	if (!own_card) {
		b->gpu = a->gpu;
		if (!b->gpu_count)
			b->gpu_count = a->gpu_count;
	}
	if (!b->backend && (!own_card || (a->gpu && !strcmp(b->gpu, a->gpu))))
		b->backend = a->backend;
	if (more) {
		take_strs(b, &b->models, &a->models);
		take_strs(b, &b->datasets, &a->datasets);
	}
	if (!b->command)
		b->command = a->command;
	if (!b->system_disk_gib)
		b->system_disk_gib = a->disk_gib;
	rc = doc_find(p->c, &sv_image_kind, a->image, "app", &obj);
	if (!rc)
		p->image = obj;
	return rc;
}

static int from_image(struct plan *p)
{
	void *obj = NULL;
	int rc = doc_find(p->c, &sv_image_kind, p->body->image, "image", &obj);

	if (rc)
		return rc;
	p->image = obj;
	return check_status(p->c, "image", p->image->name, p->image->status);
}

static int from_snapshot(struct plan *p)
{
	char image[64];
	void *obj = NULL;
	int rc = doc_find(p->c, &sv_snapshot_kind, p->body->snapshot, "snapshot", &obj);

	if (rc)
		return rc;
	p->snapshot = obj;
	if (!p->snapshot->instance)
		return sv_err_field(
			&p->c->err, "snapshot", "kind", "is of a data disk: create a disk from it");
	doc_fact(p->c->p, p->snapshot->id, "image", image, sizeof(image));
	if (image[0] && !doc_get(p->c->p, &sv_image_kind, image, &obj))
		p->image = obj;
	return check_status(p->c, "snapshot", p->snapshot->name, p->snapshot->status);
}

static int find_source(struct plan *p)
{
	if (p->body->app)
		return from_app(p);
	return p->body->image ? from_image(p) : from_snapshot(p);
}

static int env_name_ok(const char *s)
{
	if (!*s || sv_is_digit(*s))
		return 0;
	for (; *s; s++)
		if (!sv_is_alnum(*s) && *s != '_')
			return 0;
	return 1;
}

void plan_env(struct call *c, const struct sv_map *env)
{
	for (size_t k = 0; k < env->n; k++) {
		if (!env_name_ok(env->keys[k]))
			sv_err_field(&c->err, "env", "name",
				"\"%.60s\" is no name of a variable", env->keys[k]);
		else if (!strncmp(env->keys[k], "STARVERSE_", 10))
			sv_err_field(&c->err, "env", "name",
				"\"%.60s\": STARVERSE_ names are the platform's", env->keys[k]);
		else if (env->values[k] && strchr(env->values[k], '\n'))
			sv_err_field(&c->err, "env", "value", "\"%.60s\" has a line break",
				env->keys[k]);
	}
}

int plan_auto_stop(struct call *c, const struct sv_instance_auto_stop *a, int simulated)
{
	if (!a)
		return SV_OK;
	if (sv_has(a, stop_at) && !sv_is_null(a, stop_at) && a->stop_at <= c->now)
		return sv_err_field(&c->err, "auto_stop.stop_at", "range", "is in the past");
	if (a->idle && sv_has(a->idle, gpu_util_below) && simulated) {
		sv_err_field(&c->err, "auto_stop.idle.gpu_util_below", "unsupported",
			"simulated cards have no utilisation");
		sv_err_hint(&c->err, "use cpu_util_below");
		return SV_INVALID;
	}
	return SV_OK;
}

void instance_mounts_price(
	struct platform *p, const struct sv_instance *i, struct quote_ask *ask)
{
	for (size_t k = 0; k < i->mounts.n; k++) {
		const struct sv_instance_mount *m = i->mounts.v[k];

		if (!strcmp(m->kind, "disk"))
			ask->existing_per_month += disk_price_per_month(p, m->id);
		else if (!strcmp(m->kind, "storage"))
			ask->storage_per_month += storage_price_per_month(p, m->id);
	}
}

/* The card and the price. Capacity and money come last, when all else is well. */
static int ask(struct plan *p, int check)
{
	struct sv_instance_create_body *b = p->body;
	struct quote_ask a = { .account = p->c->account,
		.gpu = b->gpu,
		.gpu_count = b->gpu_count ? b->gpu_count : 1,
		.backend = b->backend,
		.image = p->image ? p->image->id : NULL,
		.system_disk_gib = p->system_gib,
		.max_price_per_hour = -1,
		.max_cost = -1,
		.check = check };
	int rc;

	if (sv_has(b, max_price_per_hour) && !sv_is_null(b, max_price_per_hour))
		a.max_price_per_hour = b->max_price_per_hour;
	if (b->auto_stop && sv_has(b->auto_stop, max_cost) && !sv_is_null(b->auto_stop, max_cost))
		a.max_cost = b->auto_stop->max_cost;
	instance_mounts_price(p->c->p, p->i, &a);
	if (!check)
		return quote_ask(p->c->p, &a, &p->quote, &p->c->err);
	rc = choices_ask(p->c->p, &a, &p->choices, &p->quote, &p->c->err);
	if (rc != SV_CAPACITY || !b->wait_capacity)
		return rc;
	/* Later; but what it may cost must be right already. */
	sv_err_clear(&p->c->err);
	p->queued = a;
	a.check = QUOTE_MONEY;
	return quote_ask(p->c->p, &a, &p->quote, &p->c->err);
}

static int system_size(struct plan *p)
{
	const struct catalog_settings *s = catalog_settings(p->c->p->catalog);
	int64_t least = p->snapshot ? p->snapshot->size_gib : p->image && p->image->visibility &&
		!strcmp(p->image->visibility, "private") ? p->image->size_gib : 1;

	p->system_gib = p->body->system_disk_gib ? p->body->system_disk_gib :
		least > s->system_disk_gib ? least : s->system_disk_gib;
	if (p->system_gib < least)
		return sv_err_field(&p->c->err, "system_disk_gib", "range",
			"must be at least %lld GiB, the size of its source", (long long)least);
	if (s->disk_max_gib > 0 && p->system_gib > s->disk_max_gib)
		return sv_err_field(&p->c->err, "system_disk_gib", "range",
			"must be at most %lld GiB", (long long)s->disk_max_gib);
	return SV_OK;
}

/* "llama-3-8b-pretrain", "rtx-4090-2": an app's own name, else the next number that the account has
 * not had. */
static int make_name(struct plan *p)
{
	struct call *c = p->c;
	const char *base = p->app ? p->app->name : p->body->gpu;
	char fact[80], name[128], last[24];
	int64_t n = 0;
	int rc;

	if (p->app && !doc_named(c->p, &sv_instance_kind, c->account, base)) {
		p->body->name = base; /* lives as long as the plan */
		return SV_OK;
	}
	snprintf(fact, sizeof(fact), "named.%.60s", base);
	doc_fact(c->p, c->account, fact, last, sizeof(last));
	if (last[0] && sv_parse_int(last, &n))
		n = 0;
	do
		snprintf(name, sizeof(name), "%.90s-%lld", base, (long long)++n);
	while (doc_named(c->p, &sv_instance_kind, c->account, name));
	snprintf(last, sizeof(last), "%lld", (long long)n);
	rc = store_fact_set(c->p->store, c->account, fact, last);
	p->body->name = rc ? NULL : sv_strdup_in(p->body, name);
	return rc ? rc : p->body->name ? SV_OK : SV_NOMEM;
}

static int check_name(struct plan *p)
{
	const char *wrong = p->body->name ? doc_name_wrong(p->body->name) : NULL;

	if (wrong)
		sv_err_field(&p->c->err, "name", "value", "%s", wrong);
	return p->body->name || !p->body->gpu ? SV_OK : make_name(p);
}

int plan_make(struct plan *p, struct call *c, struct sv_instance_create_body *body)
{
	int rc;

	memset(p, 0, sizeof(*p));
	p->c = c;
	p->body = body;
	sv_buf_init(&p->authorized, 256 << 10);
	p->i = sv_new(&sv_instance_kind);
	if (!p->i)
		return SV_NOMEM;
	rc = find_source(p);
	if (rc)
		return rc;
	rc = check_name(p);
	if (rc)
		return rc;
	plan_env(c, &body->env);
	system_size(p);
	rc = plan_mounts(p);
	if (!rc)
		rc = plan_keys(p);
	if (!rc && body->command && strlen(body->command) > 65536)
		sv_err_field(&c->err, "command", "length", "is longer than 64 KiB");
	if (rc || c->err.code)
		return rc ? rc : c->err.code;
	rc = choices_read(
		c, body->gpu, body->gpu_count ? body->gpu_count : 1, &body->fallback, &p->choices);
	if (!rc)
		rc = ask(p, 0);
	if (!rc)
		rc = plan_auto_stop(c, body->auto_stop, p->quote.simulated);
	return rc ? rc : ask(p, QUOTE_ALL);
}

void plan_free(struct plan *p)
{
	sv_free(p->i);
	sv_free(p->image);
	sv_free(p->snapshot);
	sv_free(p->app);
	sv_buf_free(&p->authorized);
}
