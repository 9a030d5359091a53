/* SPDX-License-Identifier: MIT */
/* YAML bodies: typed by rows, refused with their place. */
#include "unit.h"

#include "base/buf.h"
#include "model/json.h"
#include "model/yaml.h"
#include "sample.h"

static int read(const char *text, struct sample **ret, struct sv_error *e)
{
	void *obj = NULL;
	int r = sv_from_yaml(&sample_kind, "f.yaml", text, strlen(text), &obj, e);

	*ret = obj;
	return r;
}

static void typed(void **state)
{
	struct sv_error e;
	struct sample *s;

	(void)state;
	assert_int_equal(
		read("name: no\nsecret: 0123\nsize_gib: 40\nafter_seconds: 90\nprice: 1.90\ntags: "
		     "[on, 12:30, 1e10]\n"
		     "labels: {version: 1.20, zip: 0o17, t: ~}\nextra: {a: 1, b: 'x', c: no}\n"
		     "mounts:\n  - ckpt:/root/ckpt\n  - {disk: d, path: /x, read_only: "
		     "true}\nshare: null\n",
			&s, &e),
		SV_OK);
	assert_string_equal(s->name, "no");
	assert_string_equal(s->secret, "0123");
	assert_int_equal(s->size_gib, 40);
	assert_int_equal(s->after_seconds, 90);
	assert_int_equal(s->price, 1900000);
	assert_string_equal(s->tags.v[1], "12:30");
	assert_string_equal(sv_map_get(&s->labels, "version"), "1.20");
	assert_string_equal(sv_map_get(&s->labels, "t"), "~");
	assert_string_equal(s->extra, "{\"a\":1,\"b\":\"x\",\"c\":\"no\"}");
	assert_int_equal(s->mounts.n, 2);
	assert_string_equal(((struct sample_mount *)s->mounts.v[0])->disk, "ckpt");
	assert_true(sv_is_null(s, share));
	sv_free(s);
}

/* JSON is YAML, also where it writes one character as two escapes; elsewhere a backslash is one. */
static void surrogates(void **state)
{
	static const char *const all[][2] = {
		{ "{\"name\": \"a\\ud83d\\ude80b\"}", "a\xf0\x9f\x9a\x80" "b" },
		{ "name: \"\\uD83D\\uDE80\\uDBFF\\udfff\"",
			"\xf0\x9f\x9a\x80\xf4\x8f\xbf\xbf" },
		{ "name: '\\ud83d'", "\\ud83d" },
		{ "name: \\uD83D\\uDeFf", "\\uD83D\\uDeFf" },
		{ "name: \"\\\\uDE80 \\ud800\\udc00\"", "\\uDE80 \xf0\x90\x80\x80" },
		{ "name: \"\\ue000\"", "\xee\x80\x80" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		struct sv_error e;
		struct sample *s;

		if (read(all[i][0], &s, &e))
			fail_msg("%s: %s", all[i][0], e.message);
		assert_string_equal(s->name, all[i][1]);
		sv_free(s);
	}
}

static void refused(void **state)
{
	static const char *const bad[][2] = {
		{ "name: a\nname: b\n", "f.yaml:2:1: key name stands twice, first in line 1" },
		{ "name: a\ncuont: 1\n", "f.yaml:2:1: unknown key cuont; did you mean count?" },
		{ "name: a\nmain:\n  disk: d\n  paht: /x\n",
			"f.yaml:4:3: unknown key paht; did you mean path?" },
		{ "count: many\n", "f.yaml:1:1: count: must be an integer" },
		{ "count: [1]\n", "f.yaml:1:1: count: must be a single value" },
		{ "after_seconds: 1 hour\n", "f.yaml:1:1: after_seconds: must be a duration such "
					     "as 90s, 30m, 2h or 7d" },
		{ "a: 1\n---\nb: 2\n", "f.yaml:3:1: a second document, where one was expected" },
		{ "{\"name\": \"a\",\n \"secret\": \"x\\ud83d\"}",
			"f.yaml:2:12: half of a surrogate pair" },
		{ "secret: \"\\ude80\\ud83d\"", "f.yaml:1:9: half of a surrogate pair" },
		{ "# nothing\n", "f.yaml: holds no document" },
		{ "", "f.yaml: holds no document" },
		{ "a: &x [*x]\n", "f.yaml:1:8: alias *x contains itself" },
		{ "a: *nowhere\n", "f.yaml:1:4: unknown alias *nowhere" },
		{ "[1]: 2\n", "f.yaml:1:1: a key must be plain text" },
		{ "- name: a\n", "f.yaml:1:1: element: must be a map" },
	};
	struct sv_error e;
	struct sample *s;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(read(bad[i][0], &s, &e), SV_INVALID);
		assert_string_equal(e.message, bad[i][1]);
	}
	assert_int_equal(read("name:\tx\n\tcount: 1\n", &s, &e), SV_INVALID);
	assert_non_null(strstr(e.message, "f.yaml:2:"));
}

static void bombs(void **state)
{
	struct sv_buf b;
	struct sv_error e;
	struct sample *s;

	(void)state;
	sv_buf_init(&b, 1 << 20);
	sv_buf_str(&b, "a0: &a0 [x,x,x,x,x,x,x,x,x]\n");
	for (int i = 1; i < 10; i++)
		sv_buf_fmt(&b, "a%d: &a%d [*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d,*a%d]\n", i, i,
			i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
	assert_int_equal(read(sv_buf_text(&b), &s, &e), SV_INVALID);
	assert_non_null(strstr(e.message, "too many expanded nodes"));
	sv_buf_reset(&b);
	for (int i = 0; i < 100000; i++)
		sv_buf_chr(&b, '[');
	assert_int_equal(read(sv_buf_text(&b), &s, &e), SV_INVALID);
	assert_non_null(strstr(e.message, "nested deeper"));
	sv_buf_reset(&b);
	for (int i = 0; i < 100000; i++)
		sv_buf_str(&b, "- ");
	assert_int_equal(read(sv_buf_text(&b), &s, &e), SV_INVALID);
	sv_buf_free(&b);
	/* Used once, an anchor is what it says. */
	assert_int_equal(read("tags: &t [a, b]\nlabels: {}\nname: x\n", &s, &e), SV_OK);
	sv_free(s);
}

static void documents(void **state)
{
	const char *text = "--- # note\nname: a\n---\n---\nname: b\n...\n---\n# only this\n---\n";
	struct sv_error e;
	struct sv_yaml y;

	(void)state;
	assert_int_equal(sv_yaml_read(&y, "f", text, strlen(text), &e), SV_OK);
	assert_int_equal(y.n, 2);
	assert_string_equal(sv_node_get(y.docs[1], "name")->text, "b");
	assert_int_equal(sv_node_get(y.docs[1], "name")->key_line, 5);
	sv_yaml_free(&y);
}

struct given {
	char names[8][40];
	int lines[8];
	size_t n;
	int stop;
};

static int take(void *data, const struct sv_kind *kind, void *body, int line)
{
	struct given *g = data;
	const struct sv_field *name = sv_field_find(sv_verb_find(kind, "create")->in, "name");

	snprintf(g->names[g->n], sizeof(g->names[0]), "%s %s", kind->name,
		*(const char *const *)(const void *)((char *)body + name->offset));
	g->lines[g->n++] = line;
	sv_free(body);
	return g->stop;
}

static int give(const char *text, struct given *g, struct sv_error *e)
{
	*g = (struct given){ .stop = g->stop };
	return sv_read_documents("f", text, strlen(text), take, g, e);
}

static void read_documents(void **state)
{
	struct given g = { .stop = 0 };
	struct sv_error e;

	(void)state;
	assert_int_equal(give("# first\n--- # note\r\nkind: disk\r\nname: a\r\nsize_gib: 1\r\n---\n"
			      "---\nsize_gib: 2\nname: no\nkind: disks\n...\n---\n"
			      "{\"kind\": \"key\", \"name\": \"k\", \"public_key\": \"x\"}\n",
				 &g, &e),
		SV_OK);
	assert_int_equal(g.n, 3);
	assert_string_equal(g.names[0], "disk a");
	assert_string_equal(g.names[1], "disk no");
	assert_string_equal(g.names[2], "key k");
	assert_int_equal(g.lines[0], 3);
	assert_int_equal(g.lines[1], 8);
	assert_int_equal(give("", &g, &e), SV_OK);
	assert_int_equal(g.n, 0);
	g.stop = SV_CANCELED;
	assert_int_equal(give("{kind: disk, name: a, size_gib: 1}\n---\n"
			      "{kind: disk, name: b, size_gib: 1}\n",
				 &g, &e),
		SV_CANCELED);
	assert_int_equal(g.n, 1);
}

static void bad_documents(void **state)
{
	static const char *const bad[][2] = {
		{ "name: a\n", "f:1:1: kind: is required; such as kind: disk" },
		{ "kind: dsik\nname: a\n",
			"f:1:1: kind: \"dsik\": there is no such resource; did you mean disk" },
		{ "kind: gpu\nname: a\n", "f:1:1: kind: \"gpu\": cannot be created" },
		{ "- kind: disk\n", "f:1:1: a document must be a map" },
		{ "kind: disk\nname: a\n", "f:1:1: size_gib: is required" },
		{ "kind: disk\nname: a\nsize_gib: 0\n", "f:3:1: size_gib: must be at least 1 GiB" },
		{ "kind: disk\nname: a\nsize_gib: 1\nzone: x\n", "f:4:1: unknown key zone" },
		{ "kind: disk\nname: a\n<<: {size_gib: 1}\n",
			"f:3:1: merge keys (<<) are not taken: write the fields out" },
		{ "kind: disk\nname: \xff\n", "f:2:7: invalid leading UTF-8 octet" },
		{ "kind: disk\nname: \xe8\xae\xad\x01\n",
			"f:2:8: control characters are not allowed" },
		{ "kind: instance\nname: a\ngpu: g\nimage: i\nauto_stop:\n  max_cost: 0\n",
			"f:6:3: auto_stop.max_cost: must be more than 0" },
	};
	struct given g = { .stop = 0 };
	struct sv_error e;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		/* A good one before it is not given either. */
		assert_int_equal(give(bad[i][0], &g, &e), SV_INVALID);
		assert_string_equal(e.message, bad[i][1]);
		assert_int_equal(g.n, 0);
	}
	assert_int_equal(give("{kind: disk, name: a, size_gib: 1}\n---\nkind: disk\n", &g, &e),
		SV_INVALID);
	assert_int_equal(g.n, 0);
}

/* create -f takes such a document, too. */
static void said_kind(void **state)
{
	const struct sv_kind *in = sv_verb_find(sv_kind_find("disk"), "create")->in;
	const char *good = "kind: disk\nname: a\n", *bad = "kind: key\nname: a\n";
	struct sv_error e;
	void *obj = NULL;

	(void)state;
	assert_int_equal(sv_from_yaml(in, "f", good, strlen(good), &obj, &e), SV_OK);
	sv_free(obj);
	assert_int_equal(sv_from_yaml(in, "f", bad, strlen(bad), &obj, &e), SV_INVALID);
	assert_string_equal(e.message, "f:1:1: unknown key kind");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(typed),
		cmocka_unit_test(surrogates),
		cmocka_unit_test(refused),
		cmocka_unit_test(bombs),
		cmocka_unit_test(documents),
		cmocka_unit_test(read_documents),
		cmocka_unit_test(bad_documents),
		cmocka_unit_test(said_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
