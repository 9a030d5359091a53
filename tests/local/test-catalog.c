/* SPDX-License-Identifier: MIT */
/* The catalogue: the built-in one, users' own, and what is refused with its place. */
#include "unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include <starverse/app.h>
#include <starverse/gpu.h>
#include <starverse/image.h>
#include <starverse/model.h>

#include "kinds/kinds.h"
#include "local/capacity.h"
#include "local/catalog.h"
#include "local/platform.h"

static char folder[64];

static int setup(void **state)
{
	(void)state;
	snprintf(folder, sizeof(folder), "/tmp/sv-catalog.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
	char command[128];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return system(command);
}

static struct platform *opened(struct platform *p, const char *file)
{
	char message[300] = "";

	*p = (struct platform){ .clock = { .stepped = 1, .at = 1790000000 } };
	if (catalog_read(file, &p->catalog, message, sizeof(message)) != SV_OK)
		fail_msg("%s", message);
	assert_int_equal(store_open(NULL, &p->store, message, sizeof(message)), SV_OK);
	assert_int_equal(catalog_publish(p, p->catalog), SV_OK);
	return p;
}

static void closed(struct platform *p)
{
	catalog_free(p->catalog);
	store_close(p->store);
}

static struct sv_gpu *offer(struct platform *p, const char *id)
{
	void *obj = NULL;

	assert_int_equal(store_get(p->store, &sv_gpu_kind, "acc_any", id, &obj), SV_OK);
	return obj;
}

static void the_built_in_one_has_what_it_must(void **state)
{
	static const struct {
		const char *id, *vendor, *backend;
		int64_t price, minimum;
	} rows[] = {
		{ "rtx-4090", "nvidia", "cuda", 14000000, 0 },
		{ "a100-80g", "nvidia", "cuda", 1900000, 0 },
		{ "h100-80g", "nvidia", "cuda", 4800000, 3600 },
		{ "mi300x", "amd", "rocm", 3600000, 0 },
		{ "ascend-910b", "huawei", "ascend", 6000000, 0 },
		{ "mlu370-x8", "cambricon", "mlu", 4200000, 0 },
		{ "enflame-s60", "enflame", "gcu", 3900000, 0 },
		{ "tpu-sim", "starverse", "tpu", 7000000, 0 },
	};
	struct platform p;

	(void)state;
	opened(&p, NULL);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sv_gpu *g = offer(&p, rows[i].id);

		assert_string_equal(g->vendor, rows[i].vendor);
		assert_string_equal(g->backends.v[0], rows[i].backend);
		assert_int_equal(g->unit_price_per_hour, rows[i].price);
		assert_int_equal(g->minimum_seconds, rows[i].minimum);
		assert_string_equal(g->availability, "high");
		assert_true(g->simulated && sv_has(g, promo) && sv_has(g, minimum_seconds));
		if (!strcmp(rows[i].id, "a100-80g")) {
			assert_int_equal(g->promo->unit_price_per_hour, 700000);
			assert_int_equal(g->promo->max_cards, 1);
		} else {
			assert_null(g->promo);
		}
		sv_free(g);
	}
	assert_int_equal(catalog_settings(p.catalog)->trial_credit, 10000000);
	closed(&p);
}

struct seen {
	int n;
	char image[64];
	int64_t version;
};

static int see(void *data, const char *account, void *obj)
{
	struct seen *s = data;
	struct sv_app *a = obj;

	assert_string_equal(account, "");
	s->n++;
	if (!strcmp(a->name, "llama-3-8b-pretrain")) {
		snprintf(s->image, sizeof(s->image), "%s", a->image);
		s->version = a->version;
	}
	return 0;
}

static void publishing_again_changes_nothing(void **state)
{
	struct platform p;
	struct seen a = { 0 }, b = { 0 };
	struct sv_image *image = NULL;
	struct catalog *again;
	char message[300];

	(void)state;
	opened(&p, NULL);
	assert_int_equal(store_each(p.store, &sv_app_kind, NULL, NULL, see, &a), SV_OK);
	p.clock.at += 1000;
	assert_int_equal(catalog_read(NULL, &again, message, sizeof(message)), SV_OK);
	assert_int_equal(catalog_publish(&p, again), SV_OK);
	catalog_free(again);
	assert_int_equal(store_each(p.store, &sv_app_kind, NULL, NULL, see, &b), SV_OK);
	assert_int_equal(a.n, 2);
	assert_int_equal(b.n, 2);
	assert_string_equal(a.image, b.image);
	assert_int_equal(b.version, 1);
	assert_int_equal(store_get(p.store, &sv_image_kind, NULL, a.image, (void **)&image), SV_OK);
	assert_string_equal(image->name, "pytorch-2.3");
	assert_string_equal(image->visibility, "public");
	assert_string_equal(image->status, "ready");
	assert_int_equal(image->backends.n, 6);
	assert_string_equal(sv_map_get(&image->plugins, "torch_npu"), "2.3.1");
	sv_free(image);
	closed(&p);
}

static void cards_are_counted(void **state)
{
	struct platform p;
	struct sv_gpu *g;

	(void)state;
	opened(&p, NULL);
	assert_int_equal(capacity_free(&p, "rtx-4090", NULL), 64);
	assert_int_equal(capacity_hold(&p, "acc_1", "ins_1", "rtx-4090", 8), SV_OK);
	assert_int_equal(capacity_hold(&p, "acc_2", "ins_2", "rtx-4090", 42), SV_OK);
	assert_int_equal(capacity_free(&p, "rtx-4090", NULL), 14);
	assert_int_equal(capacity_free(&p, "rtx-4090", "ins_1"), 22);
	g = offer(&p, "rtx-4090");
	assert_int_equal(g->free, 14);
	assert_string_equal(g->availability, "low");
	sv_free(g);
	/* It moves to other cards, then it is off. */
	assert_int_equal(capacity_hold(&p, "acc_2", "ins_2", "tpu-sim", 64), SV_OK);
	assert_int_equal(capacity_held(&p, "acc_2", NULL), 64);
	assert_int_equal(capacity_held(&p, "acc_2", "ins_2"), 0);
	g = offer(&p, "rtx-4090");
	assert_int_equal(g->free, 56);
	sv_free(g);
	g = offer(&p, "tpu-sim");
	assert_string_equal(g->availability, "none");
	sv_free(g);
	assert_int_equal(capacity_hold(&p, "acc_2", "ins_2", NULL, 0), SV_OK);
	g = offer(&p, "tpu-sim");
	assert_int_equal(g->free, 64);
	sv_free(g);
	assert_int_equal(capacity_free(&p, "no-such", NULL), 0);
	closed(&p);
}

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static const char *written(const char *text)
{
	const char *path = path_of("c.yaml");
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

static void size_of(const char *path, int64_t least, int mode)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	assert_true(st.st_size >= least);
	assert_int_equal(st.st_mode & 0777, mode);
}

static void the_library_is_installed(void **state)
{
	struct catalog *c;
	char message[300] = "";
	FILE *f;

	(void)state;
	assert_int_equal(catalog_read(NULL, &c, message, sizeof(message)), SV_OK);
	assert_null(catalog_library(c));
	assert_int_equal(catalog_install(c, folder, message, sizeof(message)), SV_OK);
	assert_string_equal(catalog_library(c), path_of("library"));
	size_of(path_of("library/models/llama-3-8b/sample.txt"), 20000, 0444);
	size_of(path_of("library/models/llama-3-8b/weights.json"), 10000, 0444);
	size_of(path_of("library/datasets/fineweb-edu/corpus.txt"), 30000, 0444);
	/* What was changed by hand is put right. */
	assert_int_equal(unlink(path_of("library/models/llama-3-8b/sample.txt")), 0);
	f = fopen(path_of("library/models/llama-3-8b/sample.txt"), "w");
	assert_non_null(f);
	fclose(f);
	assert_int_equal(catalog_install(c, folder, message, sizeof(message)), SV_OK);
	size_of(path_of("library/models/llama-3-8b/sample.txt"), 20000, 0444);
	assert_int_equal(catalog_install(c, "/proc/nowhere", message, sizeof(message)), SV_IO);
	assert_non_null(strstr(message, "/proc/nowhere/library"));
	catalog_free(c);
}

#define SETTINGS \
	"settings: {zone: z, trial_credit: 1, trial_credit_seconds: null, system_disk_gib: 1," \
	" system_disk_price: 0.1, data_disk_price: 0.1, storage_price: 0.1, snapshot_price: 0," \
	" disk_max_gib: 10, instances_max: 2, gpus_max: 3, disks_max: 4, storage_max_gib: 5," \
	" storages_max: 6, disk_retention_seconds: 60, no_gpu_price_per_hour: 0.1," \
	" no_gpu_vcpus: 1, no_gpu_ram_gib: 1}\n"
#define OFFER \
	"gpus:\n- {name: g, model: G, vendor: v, memory_gib: 1, backends: [cuda], max_count: 1," \
	" free: 1, unit_price_per_hour: 1, vcpus_per_card: 1, ram_gib_per_card: 1}\n"

static void a_folder_of_ones_own(void **state)
{
	char text[2000], message[300] = "";
	const char *path = NULL;
	struct sv_model *m = NULL;
	struct platform p;
	sqlite3_stmt *st;

	(void)state;
	snprintf(text, sizeof(text), SETTINGS "models:\n- {name: mine, path: %s, size_gib: 1}\n",
		folder);
	opened(&p, written(text));
	assert_int_equal(catalog_settings(p.catalog)->trial_credit_seconds, -1);
	assert_string_equal(catalog_own(p.catalog, 0, &path), folder);
	assert_string_equal(path, "/library/models/mine");
	assert_null(catalog_own(p.catalog, 1, &path));
	assert_int_equal(catalog_install(p.catalog, folder, message, sizeof(message)), SV_OK);
	size_of(path_of("library/models/mine"), 0, 0755);
	st = store_stmt(p.store, "SELECT id FROM doc WHERE kind = 'model'");
	assert_int_equal(sqlite3_step(st), SQLITE_ROW);
	snprintf(text, sizeof(text), "%s", (const char *)sqlite3_column_text(st, 0));
	sqlite3_reset(st);
	assert_int_equal(store_get(p.store, &sv_model_kind, NULL, text, (void **)&m), SV_OK);
	assert_string_equal(m->path, "/library/models/mine");
	sv_free(m);
	closed(&p);
}

static void what_is_wrong_has_its_place(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "settings: [", "c.yaml:" },
		{ "gpus: []\n", "settings are missing" },
		{ SETTINGS "colours: []\n", "c.yaml:2:1: unknown key colours" },
		{ SETTINGS "gpus: 3\n", "c.yaml:2:1: gpus must be a list" },
		{ SETTINGS "gpus:\n- {name: g}\n", "c.yaml:3:3: vendor is missing" },
		{ SETTINGS "gpus:\n- {nmae: g}\n",
			"c.yaml:3:4: unknown key nmae; did you mean name?" },
		{ SETTINGS OFFER "- {name: g}\n", "g stands twice, first in line 3" },
		{ SETTINGS "gpus:\n- {name: g, vendor: v, memory_gib: x}\n",
			"c.yaml:3:24: memory_gib" },
		{ SETTINGS
			"gpus:\n- {name: a/b, model: m, vendor: v, memory_gib: 1, backends: [cuda],"
			" max_count: 1, free: 1, unit_price_per_hour: 1, vcpus_per_card: 1,"
			" ram_gib_per_card: 1}\n",
			"name may hold letters" },
		{ SETTINGS
			"gpus:\n- {name: g, model: m, vendor: v, memory_gib: 1, backends: [coda],"
			" max_count: 1, free: 1, unit_price_per_hour: 1, vcpus_per_card: 1,"
			" ram_gib_per_card: 1}\n",
			"unknown backend coda" },
		{ SETTINGS "gpus:\n- {name: g, unit_price_per_hour: 1.0000001}\n",
			"unit_price_per_hour" },
		{ SETTINGS OFFER "apps:\n- {name: a, gpu: g, image: i}\n", "there is no image i" },
		{ SETTINGS OFFER "images:\n- {name: i, backends: [cuda], status: ready}\n",
			"status is said by the platform" },
		{ SETTINGS "models:\n- {name: nowhere}\n", "nowhere has no built-in files" },
		{ SETTINGS "models:\n- {name: x, path: relative}\n", "path must be absolute" },
		{ SETTINGS "models:\n- {name: x, path: /no/such}\n", "/no/such is no folder" },
		{ "settings: {zone: z}\n", "trial_credit is missing" },
	};
	struct catalog *c;
	char message[300];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		*message = '\0';
		assert_int_equal(catalog_read(written(rows[i].text), &c, message, sizeof(message)),
			SV_INVALID);
		if (!strstr(message, rows[i].want))
			fail_msg("row %zu says: %s; not: %s", i, message, rows[i].want);
	}
	assert_int_equal(catalog_read("/no/such", &c, message, sizeof(message)), SV_NOTFOUND);
	assert_non_null(strstr(message, "/no/such: no such file"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_built_in_one_has_what_it_must),
		cmocka_unit_test(publishing_again_changes_nothing),
		cmocka_unit_test(cards_are_counted),
		cmocka_unit_test_setup_teardown(the_library_is_installed, setup, teardown),
		cmocka_unit_test_setup_teardown(a_folder_of_ones_own, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_wrong_has_its_place, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
