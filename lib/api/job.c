/* SPDX-License-Identifier: MIT */
#include <starverse/job.h>

#include "api/typed.h"
#include "kinds/kinds.h"

struct sv_job *sv_job_new(void)
{
	return sv_new(&sv_job_kind);
}

struct sv_job_filter *sv_job_filter_new(void)
{
	return sv_new(&sv_job_filter_kind);
}

struct sv_job_create_body *sv_job_create_body_new(void)
{
	return sv_new(&sv_job_create_body_kind);
}

struct sv_job_metrics_query *sv_job_metrics_query_new(void)
{
	return sv_new(&sv_job_metrics_query_kind);
}

struct sv_job_checkpoint *sv_job_checkpoint_new_in(void *root)
{
	return sv_new_in(root, &sv_job_checkpoint_kind);
}

int sv_job_list(sv_client *c, const struct sv_job_filter *filter, struct sv_job_list **ret)
{
	return sv_typed(c, sv_verb_find(&sv_job_kind, "list"), NULL, filter, ret);
}

int sv_job_get(sv_client *c, const char *id, struct sv_job **ret)
{
	return sv_typed(c, sv_verb_find(&sv_job_kind, "get"), id, NULL, ret);
}

int sv_job_create(sv_client *c, const struct sv_job_create_body *body, struct sv_job **ret)
{
	return sv_typed(c, sv_verb_find(&sv_job_kind, "create"), NULL, body, ret);
}

int sv_job_update(sv_client *c, const char *id, const struct sv_job *changes, struct sv_job **ret)
{
	return sv_typed(c, sv_verb_find(&sv_job_kind, "update"), id, changes, ret);
}

int sv_job_start(sv_client *c, const char *id, struct sv_job **ret)
{
	return sv_typed(c, sv_verb_find(&sv_job_kind, "start"), id, NULL, ret);
}

int sv_job_cancel(sv_client *c, const char *id, struct sv_job **ret)
{
	return sv_typed(c, sv_verb_find(&sv_job_kind, "cancel"), id, NULL, ret);
}

int sv_job_metrics(sv_client *c, const char *id, const struct sv_job_metrics_query *query,
	struct sv_job_metrics **ret)
{
	return sv_typed(c, sv_verb_find(&sv_job_kind, "metrics"), id, query, ret);
}

int sv_job_compare(sv_client *c, const char *const *ids, struct sv_job_comparison **ret)
{
	struct sv_job_compare_query *q = sv_new(&sv_job_compare_query_kind);
	int r = q ? SV_OK : SV_NOMEM;

	for (size_t i = 0; !r && ids[i]; i++)
		r = sv_strs_add(q, &q->id, ids[i]);
	if (!r)
		r = sv_typed(c, sv_verb_find(&sv_job_kind, "compare"), NULL, q, ret);
	sv_free(q);
	return r;
}
