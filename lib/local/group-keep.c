/* SPDX-License-Identifier: MIT */
/* What keeps groups as they should be. An instance's document and its place in the group's are
 * written in one transaction, and the engine is asked only after that: a platform that dies has
 * made it wholly or not at all, and looks again when it is back. */
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/str.h"
#include "kinds/kinds.h"
#include "local/doc.h"
#include "local/due.h"
#include "local/group.h"
#include "local/instance-inside.h"
#include "model/json.h"

#define DIRTY         "groups.look" /* whose facts name the groups to look at */
#define ROUNDS        16            /* in one turn, while there is something to do at once */
#define MEMBERS_MAX   2048
#define FORGET        600           /* a failure so long ago does not count any more */
#define AGAIN         5             /* seconds until the second try; then twice as long ... */
#define AGAIN_MAX     600

/* What a member's state means to its group. */
enum standing { RUNS, COMES, RESTS, FAILED, LEAVES, GONE };

struct member {
	char id[64];
	enum standing is;
};

struct keeper {
	struct platform *p;
	const char *account;
	struct sv_group *g;
	struct member v[MEMBERS_MAX];
	size_t n, count[GONE + 1];
	int64_t now;
	int acted;
	struct sv_error why; /* what could not be created */
};

int64_t group_fact(struct platform *p, const char *group, const char *name)
{
	char text[32];
	int64_t v = 0;

	return sv_parse_int(doc_fact(p, group, name, text, sizeof(text)), &v) ? 0 : v;
}

int group_fact_set(struct platform *p, const char *group, const char *name, int64_t v)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", (long long)v);
	return store_fact_set(p->store, group, name, v ? text : NULL);
}

int group_look(struct platform *p, const char *group)
{
	p->groups = GROUPS_LOOK;
	return store_fact_set(p->store, DIRTY, group, "1");
}

void group_touch(struct platform *p, const char *instance)
{
	char group[64];

	if (p->groups && doc_fact(p, instance, "group", group, sizeof(group))[0])
		group_look(p, group);
}

int group_due(struct platform *p, const char *group, int64_t at)
{
	(void)at;
	return group_look(p, group);
}

static enum standing standing_of(const struct sv_instance *i, int anew)
{
	static const struct {
		const char *status;
		enum standing is;
	} rows[] = { { "running", RUNS }, { "resizing", RUNS }, { "saving_image", RUNS },
		{ "switching", RUNS }, { "error", FAILED }, { "releasing", LEAVES },
		{ "released", GONE } };

	for (size_t k = 0; k < sizeof(rows) / sizeof(rows[0]); k++)
		if (instance_is(i, rows[k].status))
			return rows[k].is;
	if (!instance_is(i, "stopped") && !instance_is(i, "suspended"))
		return COMES;
	/* What the platform lost has failed; what was stopped on purpose rests. */
	return anew || (i->stopped_by && !strcmp(i->stopped_by, "platform")) ? FAILED : RESTS;
}

/* Where a switch put another in its place, that one is the member. */
static int follow(struct keeper *k, const char *id, struct sv_instance **ret)
{
	int rc = instance_get(k->p, id, ret);

	if (rc || !(*ret)->switched_to)
		return rc;
	id = (*ret)->switched_to;
	rc = store_fact_set(k->p->store, (*ret)->id, "group", NULL);
	if (!rc)
		rc = store_fact_set(k->p->store, id, "group", k->g->id);
	if (!rc)
		rc = group_fact_set(k->p, k->g->id, "spent",
			group_fact(k->p, k->g->id, "spent") +
				ledger_cost(k->p->ledger, (*ret)->id, k->now));
	if (!rc) {
		struct sv_instance *old = *ret;

		rc = instance_get(k->p, id, ret);
		sv_free(old);
	}
	return rc;
}

/* The members as they are now; what is gone leaves its cost and goes. */
static int take_stock(struct keeper *k)
{
	int anew = group_fact(k->p, k->g->id, "anew") != 0, rc = SV_OK;

	k->n = 0;
	memset(k->count, 0, sizeof(k->count));
	for (size_t j = 0; !rc && j < k->g->instances.n && k->n < MEMBERS_MAX; j++) {
		struct member *m = &k->v[k->n];
		struct sv_instance *i = NULL;

		rc = follow(k, k->g->instances.v[j], &i);
		if (rc == SV_NOTFOUND) {
			rc = SV_OK;
			continue;
		}
		if (rc)
			break;
		snprintf(m->id, sizeof(m->id), "%s", i->id);
		m->is = standing_of(i, anew);
		k->count[m->is]++;
		sv_free(i);
		if (m->is == GONE)
			rc = group_fact_set(k->p, k->g->id, "spent",
				group_fact(k->p, k->g->id, "spent") +
					ledger_cost(k->p->ledger, m->id, k->now));
		else
			k->n++;
	}
	return rc;
}

static int write_members(struct keeper *k)
{
	int rc = SV_OK;

	k->g->instances = (struct sv_strs){ 0 };
	sv_mark(k->g, instances);
	for (size_t j = 0; !rc && j < k->n; j++)
		rc = sv_strs_add(k->g, &k->g->instances, k->v[j].id);
	return rc;
}

/* One that an operation holds leaves when that is over, which is seen then. */
static int release(struct keeper *k, struct member *m, const char *why)
{
	const struct flow *f = flow_of(k->p, m->id, 1);
	struct sv_error ignored;

	k->count[m->is]--;
	m->is = LEAVES;
	k->count[LEAVES]++;
	if (f) {
		flow_cancel(k->p, f->id, &ignored);
		return SV_OK;
	}
	k->acted = 1;
	return instance_release_at(k->p, m->id, k->now, "group", why);
}

/* Another failure: how long the next creation has to wait. */
static int back_off(struct keeper *k, int refused)
{
	const char *id = k->g->id;
	int64_t tries = group_fact(k->p, id, "tries"), wait = 0;
	int rc;

	if (group_fact(k->p, id, "failed_at") + FORGET < k->now)
		tries = 0;
	if (tries || refused)
		wait = AGAIN << (tries > 7 ? 7 : tries);
	rc = group_fact_set(k->p, id, "tries", tries + 1);
	if (!rc)
		rc = group_fact_set(k->p, id, "failed_at", k->now);
	if (rc || !wait)
		return rc;
	return due_set(
		k->p->store, id, "group", k->now + (wait < AGAIN_MAX ? wait : AGAIN_MAX));
}

static int replace_failed(struct keeper *k)
{
	int rc = SV_OK, any = 0;

	for (size_t j = 0; !rc && j < k->n; j++)
		if (k->v[j].is == FAILED) {
			rc = release(k, &k->v[j], "it failed, and its group replaces it");
			any = 1;
		}
	return rc || !any ? rc : back_off(k, 0);
}

/* Those that do least go first, and of those the newest. */
static struct member *least(struct keeper *k)
{
	static const enum standing order[] = { RESTS, COMES, RUNS };

	for (size_t o = 0; o < sizeof(order) / sizeof(order[0]); o++)
		for (size_t j = k->n; j-- > 0;)
			if (k->v[j].is == order[o])
				return &k->v[j];
	return NULL;
}

static int add_one(struct keeper *k)
{
	int64_t number = group_fact(k->p, k->g->id, "number") + 1;
	struct sv_instance_create_body *b = NULL;
	struct member *m = &k->v[k->n];
	char name[128];
	int rc = instance_body_copy(k->g->template_, &b);

	if (rc)
		return rc;
	snprintf(name, sizeof(name), "%.100s-%lld", b->name ? b->name : k->g->name,
		(long long)number);
	b->name = name;
	rc = instance_make(k->p, k->account, b, m->id, sizeof(m->id), &k->why);
	sv_free(b);
	if (!rc)
		rc = store_fact_set(k->p->store, m->id, "group", k->g->id);
	if (!rc)
		rc = group_fact_set(k->p, k->g->id, "number", number);
	if (rc)
		return rc;
	m->is = COMES;
	k->count[COMES]++;
	k->n++;
	k->acted = 1;
	return SV_OK;
}

/* Whole or not at all. What is refused is no failure of ours: why says it. */
static int try_one(struct keeper *k)
{
	int rc = store_mark(k->p->store), left;

	if (rc)
		return rc;
	rc = add_one(k);
	left = store_release(k->p->store, rc == SV_OK);
	if (rc && !k->why.code)
		sv_err(&k->why, rc, "the instance could not be made");
	return left;
}

static int approach(struct keeper *k)
{
	size_t want = (size_t)k->g->desired;
	int rc = replace_failed(k);

	for (; !rc && k->count[RUNS] + k->count[COMES] + k->count[RESTS] > want;)
		rc = release(k, least(k), "its group was scaled down");
	if (due_at(k->p->store, k->g->id, "group") >= k->now)
		return rc;
	while (!rc && !k->why.code && k->n < MEMBERS_MAX &&
		k->count[RUNS] + k->count[COMES] + k->count[RESTS] < want)
		rc = try_one(k);
	if (!rc && k->why.code)
		rc = back_off(k, 1);
	if (!rc)
		rc = group_fact_set(k->p, k->g->id, "anew", 0);
	return rc;
}

static void reason(struct keeper *k, const char *code, const char *message)
{
	struct sv_group *g = k->g;

	g->status_reason = doc_part(g, &sv_group_kind, "status_reason");
	if (!g->status_reason)
		return;
	doc_put(g, status_reason, g->status_reason);
	doc_text(g, g->status_reason, code, code);
	doc_text(g, g->status_reason, message, message);
}

/* While it waits for another try, it keeps saying why. */
static void judge(struct keeper *k)
{
	struct sv_group *g = k->g;
	int waits = due_at(k->p->store, g->id, "group") >= 0;
	char text[160];

	if (k->why.code) {
		doc_text(g, g, status, "error");
		reason(k, k->why.wire, k->why.message);
	} else if (k->acted || k->count[COMES] || k->count[LEAVES]) {
		doc_text(g, g, status, "scaling");
		if (!waits)
			doc_null(g, status_reason);
	} else if (k->count[RESTS]) {
		doc_text(g, g, status, "error");
		snprintf(text, sizeof(text), "%zu of %lld are stopped", k->count[RESTS],
			(long long)g->desired);
		reason(k, "stopped", text);
	} else if (waits) {
		doc_text(g, g, status, "error");
		if (!g->status_reason)
			reason(k, "failed",
				"its instances failed several times; it is tried again");
	} else {
		doc_text(g, g, status, "ready");
		doc_null(g, status_reason);
	}
}

static int end(struct keeper *k)
{
	int rc = SV_OK;

	for (size_t j = 0; !rc && j < k->n; j++)
		if (k->v[j].is != LEAVES)
			rc = release(k, &k->v[j], "its group is deleted");
	if (rc || k->n)
		return rc;
	doc_text(k->g, k->g, status, "deleted");
	rc = due_clear(k->p->store, k->g->id, NULL);
	return rc ? rc
		  : platform_event(k->p, k->account, "group.deleted", "platform", k->g->id,
			    "%s is deleted", k->g->name);
}

static int changed(struct keeper *k, const struct sv_buf *was)
{
	struct sv_buf is;
	int differs;

	sv_buf_init(&is, SV_MAX_BODY);
	sv_write_json(&is, &sv_group_kind, k->g, SV_WALK_WIRE, 0);
	differs = is.len != was->len || memcmp(is.data, was->data, is.len) != 0;
	sv_buf_free(&is);
	return differs;
}

static int keep(struct keeper *k)
{
	int ending = !strcmp(k->g->status, "deleting");
	struct sv_buf was;
	int rc;

	sv_buf_init(&was, SV_MAX_BODY);
	rc = sv_write_json(&was, &sv_group_kind, k->g, SV_WALK_WIRE, 0);
	if (!rc)
		rc = take_stock(k);
	if (!rc)
		rc = ending ? end(k) : approach(k);
	if (!rc)
		rc = write_members(k);
	if (!rc && !ending)
		judge(k);
	if (!rc && changed(k, &was))
		rc = store_put(k->p->store, &sv_group_kind, k->account, k->g, k->now);
	sv_buf_free(&was);
	return rc;
}

/* One look. 1 when there may be more to do at once. */
static int look(struct platform *p, const char *id)
{
	struct keeper *k = sv_malloc(sizeof(*k));
	char account[64];
	void *obj = NULL;
	int acted = 0;

	if (!k)
		return 0;
	memset(k, 0, sizeof(*k));
	sv_err_clear(&k->why);
	if (!doc_get(p, &sv_group_kind, id, &obj) &&
		!store_owner(p->store, id, account, sizeof(account))) {
		k->p = p;
		k->g = obj;
		k->account = account;
		k->now = platform_now(p);
		if (strcmp(k->g->status, "deleted") != 0 && store_mark(p->store) == SV_OK) {
			int rc = keep(k);

			store_release(p->store, rc == SV_OK);
			if (rc)
				platform_log(p, "group %s cannot be looked after: %s", id,
					sv_strerror(rc));
			acted = !rc && k->acted;
		}
	}
	sv_free(obj);
	sv_mfree(k);
	return acted;
}

/* One that is to be looked at, which is not any more. */
static int next(struct platform *p, char id[64])
{
	sqlite3_stmt *st = store_stmt(p->store, "SELECT name FROM fact WHERE id=? LIMIT 1");
	int found;

	if (!st)
		return 0;
	sqlite3_bind_text(st, 1, DIRTY, -1, SQLITE_STATIC);
	found = sqlite3_step(st) == SQLITE_ROW;
	if (found)
		snprintf(id, 64, "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_reset(st);
	return found && !store_fact_set(p->store, DIRTY, id, NULL);
}

void groups_turn(struct platform *p)
{
	char id[64];

	for (int i = 0; p->groups == GROUPS_LOOK && i < ROUNDS; i++) {
		if (!next(p, id)) {
			p->groups = GROUPS_REST;
			return;
		}
		if (look(p, id))
			group_look(p, id);
	}
}

static int add(void *data, const char *account, void *obj)
{
	(void)account;
	return strcmp(((const struct sv_group *)obj)->status, "deleted") != 0 &&
	       group_look(data, ((const struct sv_group *)obj)->id);
}

int groups_open(struct platform *p)
{
	return store_each(p->store, &sv_group_kind, NULL, NULL, add, p);
}
