/* SPDX-License-Identifier: MIT */
/* The typed calls: each makes its verb's request with its arguments in their places. */
#include "unit.h"

#include <starverse.h>

#define ENDPOINT "http://typed.test"

struct world {
	const char *reply;
	char seen[1024]; /* "METHOD PATH BODY" */
	sv_client *c;
};

static void handle(void *data, struct sv_xfer *x)
{
	struct world *w = data;

	snprintf(w->seen, sizeof(w->seen), "%s %s %.*s", x->method, x->url + strlen(ENDPOINT),
		x->body ? (int)x->body_len : 0, x->body ? (const char *)x->body : "");
	sv_mem_reply(x, 200, NULL, w->reply, strlen(w->reply));
}

static int setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	struct sv_config *config = sv_config_new();

	assert_non_null(w);
	assert_non_null(config);
	config->endpoint = ENDPOINT;
	config->api_key = "typed-key";
	assert_int_equal(sv_client_new_with(config, sv_transport_mem(handle, w), &w->c), SV_OK);
	sv_free(config);
	w->reply = "{\"id\":\"x_1\",\"version\":3}";
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	struct world *w = *state;

	sv_client_free(w->c);
	free(w);
	return 0;
}

/* The call went well and this left. */
static void left(struct world *w, int rc, const char *expected)
{
	size_t n = strlen(w->seen);

	if (rc)
		fail_msg("%s: %s", expected, sv_client_error(w->c)->message);
	if (n && w->seen[n - 1] == ' ')
		w->seen[n - 1] = '\0';
	assert_string_equal(w->seen, expected);
	w->seen[0] = '\0';
}

static void instances(void **state)
{
	struct world *w = *state;
	struct sv_instance_create_body *b = sv_instance_create_body_new();
	struct sv_instance_start_body *s = sv_instance_start_body_new();
	struct sv_instance *i = NULL, *change = sv_instance_new();
	struct sv_disk_mount *m = sv_disk_mount_new_in(b);
	struct sv_storage_mount *st = sv_storage_mount_new_in(b);

	b->name = "t";
	b->gpu = "rtx-4090";
	b->image = "pytorch-2.2";
	m->disk = "ckpt";
	m->path = "/c";
	st->storage = "team";
	st->path = "/t";
	sv_list_add(b, &b->disks, m);
	sv_list_add(b, &b->storages, st);
	b->auto_stop = sv_instance_auto_stop_new_in(b);
	b->auto_stop->idle = sv_instance_idle_new_in(b);
	b->auto_stop->idle->after_seconds = 60;
	b->auto_stop->max_cost = 1;
	left(w, sv_instance_create(w->c, b, &i),
		"POST /v1/instances {\"name\":\"t\",\"gpu\":\"rtx-4090\",\"image\":\"pytorch-2.2\","
		"\"disks\":[{\"disk\":\"ckpt\",\"path\":\"/"
		"c\"}],\"storages\":[{\"storage\":\"team\","
		"\"path\":\"/t\"}],\"auto_stop\":{\"idle\":{\"after_seconds\":60},"
		"\"max_cost\":\"0.000001\"}}");
	assert_string_equal(i->id, "x_1");
	assert_int_equal(i->version, 3);
	sv_free(i);
	sv_free(b);
	s->gpu_count = 2;
	left(w, sv_instance_start(w->c, "i", s, NULL),
		"POST /v1/instances/i/start {\"gpu_count\":2}");
	sv_free(s);
	change->name = "u";
	sv_mark(change, name);
	change->cost = 5; /* not to be changed, so not sent */
	left(w, sv_instance_update(w->c, "i", change, NULL),
		"PATCH /v1/instances/i {\"name\":\"u\"}");
	sv_free(change);
}

static void instance_actions(void **state)
{
	static const char *const argv[] = { "ls", "-l", NULL };
	struct world *w = *state;
	struct sv_exec_result *e = NULL;

	left(w, sv_instance_get(w->c, "i", NULL), "GET /v1/instances/i");
	left(w, sv_instance_delete(w->c, "i", NULL), "DELETE /v1/instances/i");
	left(w, sv_instance_stop(w->c, "i", "img", NULL),
		"POST /v1/instances/i/stop {\"save_image\":\"img\"}");
	left(w, sv_instance_resize(w->c, "i", 0, NULL),
		"POST /v1/instances/i/resize {\"gpu_count\":0}");
	left(w, sv_instance_switch(w->c, "i", "tpu-sim", 4, 0, NULL),
		"POST /v1/instances/i/switch {\"gpu\":\"tpu-sim\",\"gpu_count\":4}");
	left(w, sv_instance_switch(w->c, "i", "tpu-sim", 0, 1, NULL),
		"POST /v1/instances/i/switch {\"gpu\":\"tpu-sim\",\"release_old\":true}");
	left(w, sv_instance_save_image(w->c, "i", "n", NULL),
		"POST /v1/instances/i/save_image {\"name\":\"n\"}");
	left(w, sv_instance_extend(w->c, "i", 60, NULL),
		"POST /v1/instances/i/extend {\"seconds\":60}");
	left(w, sv_instance_clone(w->c, "i", "n", NULL),
		"POST /v1/instances/i/clone {\"name\":\"n\"}");
	w->reply = "{\"exit_code\":7,\"stdout\":\"a\",\"stderr\":\"b\",\"truncated\":true}";
	left(w, sv_instance_exec(w->c, "i", argv, 5, &e),
		"POST /v1/instances/i/exec {\"command\":[\"ls\",\"-l\"],\"timeout_seconds\":5}");
	assert_int_equal(e->exit_code, 7);
	assert_string_equal(e->out, "a");
	assert_string_equal(e->err, "b");
	sv_free(e);
}

static void disks(void **state)
{
	struct world *w = *state;
	struct sv_disk_create_body *b = sv_disk_create_body_new();
	struct sv_disk *change = sv_disk_new();
	struct sv_disk_filter *f = sv_disk_filter_new();
	struct sv_disk_list *l = NULL;

	b->name = "d";
	b->size_gib = 5;
	left(w, sv_disk_create(w->c, b, NULL), "POST /v1/disks {\"name\":\"d\",\"size_gib\":5}");
	left(w, sv_disk_get(w->c, "d", NULL), "GET /v1/disks/d");
	sv_mark(change, labels);
	left(w, sv_disk_update(w->c, "d", change, NULL), "PATCH /v1/disks/d {\"labels\":{}}");
	left(w, sv_disk_delete(w->c, "d", NULL), "DELETE /v1/disks/d");
	left(w, sv_disk_attach(w->c, "d", "i", "/x", 1, NULL),
		"POST /v1/disks/d/attach {\"instance\":\"i\",\"path\":\"/x\",\"read_only\":true}");
	left(w, sv_disk_detach(w->c, "d", NULL), "POST /v1/disks/d/detach");
	left(w, sv_disk_resize(w->c, "d", 9, NULL), "POST /v1/disks/d/resize {\"size_gib\":9}");
	sv_strs_add(f, &f->name, "a b");
	f->all = 1;
	w->reply = "{\"items\":[{\"id\":\"dsk_1\"},{\"id\":\"dsk_2\"}],\"next_cursor\":\"c\"}";
	left(w, sv_disk_list(w->c, f, &l), "GET /v1/disks?name=a%20b&all=true");
	assert_int_equal(l->n, 2);
	assert_string_equal(l->v[1]->id, "dsk_2");
	assert_string_equal(l->next, "c");
	sv_free(l);
	sv_free(f);
	sv_free(change);
	sv_free(b);
}

static void smaller_kinds(void **state)
{
	struct world *w = *state;
	struct sv_snapshot_create_body *s = sv_snapshot_create_body_new();
	struct sv_snapshot *snapshot = sv_snapshot_new();
	struct sv_image *image = sv_image_new();
	struct sv_key *k = sv_key_new();
	struct sv_instance_create_body *b = sv_instance_create_body_new();

	s->name = "s";
	s->disk = "d";
	left(w, sv_snapshot_create(w->c, s, NULL),
		"POST /v1/snapshots {\"name\":\"s\",\"disk\":\"d\"}");
	left(w, sv_snapshot_get(w->c, "s", NULL), "GET /v1/snapshots/s");
	snapshot->name = "t";
	sv_mark(snapshot, name);
	left(w, sv_snapshot_update(w->c, "s", snapshot, NULL),
		"PATCH /v1/snapshots/s {\"name\":\"t\"}");
	left(w, sv_snapshot_delete(w->c, "s", NULL), "DELETE /v1/snapshots/s");
	image->name = "t";
	sv_mark(image, name);
	left(w, sv_image_get(w->c, "m", NULL), "GET /v1/images/m");
	left(w, sv_image_update(w->c, "m", image, NULL), "PATCH /v1/images/m {\"name\":\"t\"}");
	left(w, sv_image_delete(w->c, "m", NULL), "DELETE /v1/images/m");
	k->name = "k";
	k->public_key = "ssh-ed25519 A";
	left(w, sv_key_create(w->c, k, NULL),
		"POST /v1/keys {\"name\":\"k\",\"public_key\":\"ssh-ed25519 A\"}");
	left(w, sv_key_get(w->c, "k", NULL), "GET /v1/keys/k");
	sv_mark(k, name);
	left(w, sv_key_update(w->c, "k", k, NULL), "PATCH /v1/keys/k {\"name\":\"k\"}");
	left(w, sv_key_delete(w->c, "k", NULL), "DELETE /v1/keys/k");
	b->gpu = "g";
	left(w, sv_app_deploy(w->c, "a", b, NULL), "POST /v1/apps/a/deploy {\"gpu\":\"g\"}");
	left(w, sv_app_get(w->c, "a", NULL), "GET /v1/apps/a");
	left(w, sv_model_get(w->c, "m", NULL), "GET /v1/models/m");
	left(w, sv_model_copy(w->c, "m", "i", "/w", NULL),
		"POST /v1/models/m/copy {\"instance\":\"i\",\"path\":\"/w\"}");
	left(w, sv_dataset_get(w->c, "d", NULL), "GET /v1/datasets/d");
	left(w, sv_gpu_get(w->c, "rtx-4090", NULL), "GET /v1/gpus/rtx-4090");
	left(w, sv_operation_get(w->c, "o", NULL), "GET /v1/operations/o");
	left(w, sv_operation_cancel(w->c, "o", NULL), "POST /v1/operations/o/cancel");
	sv_free(s);
	sv_free(snapshot);
	sv_free(image);
	sv_free(k);
	sv_free(b);
}

static void jobs(void **state)
{
	static const char *const ids[] = { "a", "b", NULL };
	struct world *w = *state;
	struct sv_job_create_body *b = sv_job_create_body_new();
	struct sv_job_metrics_query *q = sv_job_metrics_query_new();
	struct sv_job_filter *f = sv_job_filter_new();
	struct sv_job *change = sv_job_new();

	b->instance = "i";
	sv_strs_add(b, &b->command, "true");
	b->checkpoint = sv_job_checkpoint_new_in(b);
	b->checkpoint->disk = "d";
	b->checkpoint->path = "/c";
	left(w, sv_job_create(w->c, b, NULL),
		"POST /v1/jobs {\"instance\":\"i\",\"command\":[\"true\"],"
		"\"checkpoint\":{\"disk\":\"d\",\"path\":\"/c\"}}");
	left(w, sv_job_get(w->c, "j", NULL), "GET /v1/jobs/j");
	change->name = "k";
	sv_mark(change, name);
	left(w, sv_job_update(w->c, "j", change, NULL), "PATCH /v1/jobs/j {\"name\":\"k\"}");
	left(w, sv_job_start(w->c, "j", NULL), "POST /v1/jobs/j/start");
	left(w, sv_job_cancel(w->c, "j", NULL), "POST /v1/jobs/j/cancel");
	q->points = 7;
	sv_strs_add(q, &q->name, "loss");
	left(w, sv_job_metrics(w->c, "j", q, NULL), "GET /v1/jobs/j/metrics?name=loss&points=7");
	left(w, sv_job_compare(w->c, ids, NULL), "GET /v1/jobs/compare?id=a&id=b");
	w->reply = "{\"items\":[],\"next_cursor\":null}";
	sv_strs_add(f, &f->instance, "i");
	left(w, sv_job_list(w->c, f, NULL), "GET /v1/jobs?instance=i");
	sv_free(b);
	sv_free(q);
	sv_free(f);
	sv_free(change);
}

static void lists(void **state)
{
	struct world *w = *state;
	struct sv_gpu_filter *g = sv_gpu_filter_new();
	struct sv_usage_filter *u = sv_usage_filter_new();
	struct sv_page_query *p = sv_page_query_new();

	w->reply = "{\"items\":[],\"next_cursor\":null}";
	g->min_memory_gib = 40;
	u->since = 1;
	p->limit = 7;
	left(w, sv_instance_list(w->c, NULL, NULL), "GET /v1/instances");
	left(w, sv_snapshot_list(w->c, NULL, NULL), "GET /v1/snapshots");
	left(w, sv_image_list(w->c, NULL, NULL), "GET /v1/images");
	left(w, sv_app_list(w->c, NULL, NULL), "GET /v1/apps");
	left(w, sv_model_list(w->c, NULL, NULL), "GET /v1/models");
	left(w, sv_dataset_list(w->c, NULL, NULL), "GET /v1/datasets");
	left(w, sv_gpu_list(w->c, g, NULL), "GET /v1/gpus?min_memory_gib=40");
	left(w, sv_key_list(w->c, NULL, NULL), "GET /v1/keys");
	left(w, sv_event_list(w->c, NULL, NULL), "GET /v1/events");
	left(w, sv_operation_list(w->c, NULL, NULL), "GET /v1/operations");
	left(w, sv_billing_usage(w->c, u, NULL),
		"GET /v1/billing/usage?since=1970-01-01T00%3A00%3A01Z");
	left(w, sv_billing_charges(w->c, NULL, NULL), "GET /v1/billing/charges");
	left(w, sv_billing_vouchers(w->c, p, NULL), "GET /v1/billing/vouchers?limit=7");
	left(w, sv_billing_budgets(w->c, NULL, NULL), "GET /v1/billing/budgets");
	left(w, sv_billing_invoices(w->c, NULL, NULL), "GET /v1/billing/invoices");
	sv_free(g);
	sv_free(u);
	sv_free(p);
}

static void money(void **state)
{
	struct world *w = *state;
	struct sv_account_register_body *r = sv_account_register_body_new();
	struct sv_account *change = sv_account_new(), *a = NULL;
	struct sv_billing *b = NULL;

	r->email = "me@example.com";
	left(w, sv_account_register(w->c, r, NULL),
		"POST /v1/account/register {\"email\":\"me@example.com\"}");
	left(w, sv_account_get(w->c, &a), "GET /v1/account");
	change->name = "n";
	sv_mark(change, name);
	left(w, sv_account_update(w->c, change, NULL), "PATCH /v1/account {\"name\":\"n\"}");
	left(w, sv_account_top_up(w->c, 12500000, NULL),
		"POST /v1/account/top_up {\"amount\":\"12.500000\"}");
	left(w, sv_billing_quote(w->c, "disk", "{\"size_gib\":1}", NULL),
		"POST /v1/billing/quote {\"kind\":\"disk\",\"body\":{\"size_gib\":1}}");
	w->reply = "{\"balance\":{\"cash\":\"1\"},\"runway_seconds\":null}";
	left(w, sv_billing_balance(w->c, &b), "GET /v1/account");
	assert_int_equal(b->balance->cash, 1000000);
	assert_true(sv_is_null(b, runway_seconds));
	sv_free(a);
	sv_free(b);
	sv_free(r);
	sv_free(change);
}

/* An id that is missing or empty is refused before anything leaves; *ret stays as it was. */
static void no_id(void **state)
{
	struct world *w = *state;
	struct sv_instance *i = (void *)w;

	assert_int_equal(sv_instance_get(w->c, NULL, &i), SV_INVALID);
	assert_int_equal(sv_instance_get(w->c, "", &i), SV_INVALID);
	assert_int_equal(sv_client_error(w->c)->code, SV_INVALID);
	assert_ptr_equal(i, w);
	assert_string_equal(w->seen, "");
}

/* What is no JSON does not leave as part of a body. */
static void quote_of_no_json(void **state)
{
	struct world *w = *state;

	assert_int_equal(sv_billing_quote(w->c, "disk", "{\"size_gib\":1", NULL), SV_INVALID);
	assert_int_equal(sv_billing_quote(w->c, "disk", "1} , {", NULL), SV_INVALID);
	assert_string_equal(w->seen, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(instances, setup, teardown),
		cmocka_unit_test_setup_teardown(instance_actions, setup, teardown),
		cmocka_unit_test_setup_teardown(disks, setup, teardown),
		cmocka_unit_test_setup_teardown(smaller_kinds, setup, teardown),
		cmocka_unit_test_setup_teardown(jobs, setup, teardown),
		cmocka_unit_test_setup_teardown(lists, setup, teardown),
		cmocka_unit_test_setup_teardown(money, setup, teardown),
		cmocka_unit_test_setup_teardown(no_id, setup, teardown),
		cmocka_unit_test_setup_teardown(quote_of_no_json, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
