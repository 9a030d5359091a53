/* SPDX-License-Identifier: MIT */
/* Reads *.t records and makes each call over a transport in memory: the exact method, path, query,
 * headers and body that leave, and what becomes of the answer. A record, ended by an empty line:
 *
 *   KIND VERB [ARGUMENT...]        "" for an empty one
 *   > {"name":"scratch"}           the body, or a query as an object; data/FILE for a golden one
 *   POST /v1/disks                 the request; without it none may be made
 *     Idempotency-Key: *           a header: * any value, - not there
 *     {"name":"scratch"}           the body, byte for byte; data/FILE to compare its value
 *   < 201 data/disk/get.json       the answer: a status and a file or text
 *   = id=dsk_1 attachment.path=/x  fields of the result; n and next of a page, N.field of its
 * items; text ! disk_busy field=path         instead of =: the contract's code, and the error's
 * field
 */
#include "unit.h"

#include <cjson/cJSON.h>
#include <starverse.h>

#define ENDPOINT  "http://wire.test"
#define N_RECORDS 400
#define N_LINES   12

struct record {
	char title[160];
	const struct sv_kind *kind;
	const struct sv_verb *verb;
	const char *args[4];
	char *input, *method, *path, *body, *reply, *error;
	char *headers[N_LINES], *results[N_LINES];
	size_t n_headers, n_results;
	int status;
	const char *file;
	int line;
};

struct all {
	struct record v[N_RECORDS];
	size_t n;
};

/* What left, and what comes back. */
struct world {
	const struct record *r;
	int requests;
	size_t n_events;
	char last_event[80];
};

static char *copy(const char *s, size_t n)
{
	char *to = malloc(n + 1);

	assert_non_null(to);
	memcpy(to, s, n);
	to[n] = '\0';
	return to;
}

static char *slurp(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text;
	long size;

	if (!f)
		fail_msg("%s is not there", path);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	rewind(f);
	text = malloc((size_t)size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, f), size);
	text[size] = '\0';
	fclose(f);
	return text;
}

/* "data/disk/get.json" or the text itself. */
static char *content(const char *s)
{
	char path[512];

	if (strncmp(s, "data/", 5) != 0)
		return copy(s, strlen(s));
	snprintf(path, sizeof(path), "%s/%s", getenv("SV_TEST_DATA"), s + 5);
	return slurp(path);
}

static void title(struct record *r, char *line)
{
	char *word = strtok(line, " "), *verb = strtok(NULL, " ");
	size_t n = 0;

	r->kind = word ? sv_kind_find(word) : NULL;
	r->verb = r->kind && verb ? sv_verb_find(r->kind, verb) : NULL;
	if (!r->verb)
		fail_msg("%s:%d: no such verb", r->file, r->line);
	while ((word = strtok(NULL, " ")) && n < 3)
		r->args[n++] = strcmp(word, "\"\"") ? copy(word, strlen(word)) : "";
}

static void request_line(struct record *r, const char *line)
{
	const char *space = strchr(line, ' ');

	if (!space || r->method)
		fail_msg("%s:%d: malformed", r->file, r->line);
	r->method = copy(line, (size_t)(space - line));
	r->path = copy(space + 1, strlen(space + 1));
}

static void take(struct record *r, const char *line)
{
	char **to = NULL;

	switch (*line) {
	case '>': r->input = content(line + 2); return;
	case '<':
		r->status = atoi(line + 2);
		line = strchr(line + 2, ' ');
		r->reply = line ? content(line + 1) : copy("", 0);
		return;
	case '!': r->error = copy(line + 2, strlen(line + 2)); return;
	case '=':
		assert_true(r->n_results < N_LINES);
		to = &r->results[r->n_results++];
		break;
	case ' ':
		if (line[2] == '{' || !strncmp(line + 2, "data/", 5)) {
			to = &r->body;
			break;
		}
		assert_true(r->n_headers < N_LINES);
		to = &r->headers[r->n_headers++];
		break;
	default: request_line(r, line); return;
	}
	*to = copy(line + 2, strlen(line + 2));
}

static void read_file(struct all *all, const char *path)
{
	char *text = slurp(path), *next = text, *line;
	struct record *r = NULL;
	int n = 0;

	while ((line = strsep(&next, "\n"))) {
		n++;
		if (!*line)
			r = NULL;
		if (!*line || *line == '#')
			continue;
		if (r) {
			r->line = n;
			take(r, line);
			continue;
		}
		assert_true(all->n < N_RECORDS);
		r = &all->v[all->n++];
		r->file = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
		r->line = n;
		snprintf(r->title, sizeof(r->title), "%s:%d %s", r->file, n, line);
		title(r, line);
	}
	free(text);
}

static const char *header(const struct sv_xfer *x, const char *name, size_t len)
{
	for (const struct sv_header *h = x->headers; h && h->name; h++)
		if (strlen(h->name) == len && !strncasecmp(h->name, name, len))
			return h->value;
	return NULL;
}

static void header_fits(const struct record *r, const struct sv_xfer *x, const char *want)
{
	const char *colon = strstr(want, ": ");
	const char *got = colon ? header(x, want, (size_t)(colon - want)) : NULL;

	if (!colon) {
		fail_msg("%s: malformed header %s", r->title, want);
		return;
	}
	if (!strcmp(colon + 2, "-") ? got != NULL
				    : !got || (strcmp(colon + 2, "*") && strcmp(colon + 2, got)))
		fail_msg("%s: wanted %s, got %s", r->title, want, got ? got : "none");
}

static void body_fits(const struct record *r, const struct sv_xfer *x)
{
	char *got = copy(x->body ? x->body : "", x->body ? x->body_len : 0), *want;
	cJSON *a, *b;

	if (!r->body || strncmp(r->body, "data/", 5) != 0) {
		assert_string_equal(got, r->body ? r->body : "");
	} else {
		want = content(r->body);
		a = cJSON_Parse(want);
		b = cJSON_Parse(got);
		assert_non_null(a);
		if (!cJSON_Compare(a, b, 1))
			fail_msg("%s: sent %s", r->title, got);
		cJSON_Delete(a);
		cJSON_Delete(b);
		free(want);
	}
	free(got);
}

/* What every request has. */
static void always(const struct record *r, const struct sv_xfer *x)
{
	const char *type = header(x, "Content-Type", 12), *agent = header(x, "User-Agent", 10);
	const char *accept = header(x, "Accept", 6);

	if (!(r->verb->flags & SV_NOKEY))
		header_fits(r, x, "Authorization: Bearer wire-key");
	assert_int_equal(!!(r->verb->flags & SV_KEYED), !!header(x, "Idempotency-Key", 15));
	assert_true(agent && strstr(agent, "libstarverse/" SV_VERSION));
	assert_true(accept && *accept);
	assert_int_equal(x->body != NULL && x->body_len, type != NULL);
	if (type)
		assert_string_equal(type, "application/json");
}

static void handle(void *data, struct sv_xfer *x)
{
	struct world *w = data;
	const struct record *r = w->r;
	const char *type = *r->reply != '{' ? "text/plain" : "application/json";
	struct sv_header headers[] = { { "Content-Type", NULL }, { "X-Request-Id", "req_wire" },
		{ NULL, NULL } };

	if (!r->method)
		fail_msg("%s: %s %s left", r->title, x->method, x->url);
	/* A stream that has ended is asked for again: that goes on behind the last event. */
	if (w->requests++ && w->n_events) {
		sv_mem_reply(x, 410, NULL, "", 0);
		return;
	}
	assert_string_equal(x->method, r->method);
	assert_memory_equal(x->url, ENDPOINT, strlen(ENDPOINT));
	assert_string_equal(x->url + strlen(ENDPOINT), r->path);
	always(r, x);
	for (size_t i = 0; i < r->n_headers; i++)
		header_fits(r, x, r->headers[i]);
	body_fits(r, x);
	if (r->status >= 400)
		type = "application/problem+json";
	else if (!strncmp(r->reply, "id: ", 4))
		type = "text/event-stream";
	headers[0].value = type;
	assert_int_equal(sv_mem_reply(x, r->status, headers, r->reply, strlen(r->reply)), SV_OK);
}

static int field_of(
	const struct sv_kind *k, const void *obj, const char *path, char *cell, size_t size)
{
	const char *dot = strchr(path, '.');
	char *name = copy(path, dot ? (size_t)(dot - path) : strlen(path));
	const struct sv_field *f = sv_field_find(k, name);
	const void *m = f ? (const char *)obj + f->offset : NULL;
	const struct sv_list *l = m;
	int found = f && sv_field_has(f, obj);

	if (found && dot && f->type == SV_OBJ) {
		found = field_of(f->kind, *(void *const *)m, dot + 1, cell, size);
	} else if (found && dot && f->type == SV_LIST) {
		size_t at = strtoul(dot + 1, NULL, 10);

		dot = strchr(dot + 1, '.');
		found = dot && at < l->n && field_of(f->kind, l->v[at], dot + 1, cell, size);
	} else if (found) {
		sv_cell(f, obj, cell, size);
	}
	free(name);
	return found;
}

static int value_of(const struct record *r, const struct world *w, void *result, const char *name,
	char *cell, size_t size)
{
	const struct sv_page *p = result;
	const char *dot = strchr(name, '.');
	size_t at = strtoul(name, NULL, 10);

	*cell = '\0';
	if (r->verb->flags & SV_STREAM && !result) {
		snprintf(cell, size, "%s", w->last_event);
		if (!strcmp(name, "n"))
			snprintf(cell, size, "%zu", w->n_events);
		return 1;
	}
	if (r->verb->flags & SV_TEXT) {
		snprintf(cell, size, "%s", (const char *)result);
		return 1;
	}
	if (!(r->verb->flags & SV_MANY))
		return field_of(r->verb->out, result, name, cell, size);
	if (!strcmp(name, "n"))
		snprintf(cell, size, "%zu", p->n);
	else if (!strcmp(name, "next"))
		snprintf(cell, size, "%s", p->next ? p->next : "");
	else
		return dot && at < p->n && field_of(r->verb->out, p->v[at], dot + 1, cell, size);
	return 1;
}

/* Where a value ends: before the next word that is a name and '='. */
static char *value_end(char *s)
{
	for (s = strchr(s, ' '); s; s = strchr(s + 1, ' ')) {
		size_t n = strspn(s + 1, "abcdefghijklmnopqrstuvwxyz0123456789_.");

		if (n && s[1 + n] == '=')
			return s;
	}
	return NULL;
}

/* "a=1 b=two words c=3". A line's end in a value is written as '|'. */
static void results_fit(const struct record *r, const struct world *w, void *result, char *line)
{
	char cell[2048];

	while (line) {
		char *value = strchr(line, '='), *end;

		if (!value)
			fail_msg("%s: malformed result %s", r->title, line);
		*value++ = '\0';
		end = *value == ' ' ? value : value_end(value);
		if (end)
			*end++ = '\0';
		if (!value_of(r, w, result, line, cell, sizeof(cell)))
			fail_msg("%s: no %s in the result", r->title, line);
		for (char *nl = cell; (nl = strchr(nl, '\n')); nl++)
			*nl = '|';
		if (strcmp(cell, value) != 0)
			fail_msg("%s: %s is \"%s\", not \"%s\"", r->title, line, cell, value);
		line = end;
	}
}

static void error_fits(const struct record *r, const struct sv_error *e)
{
	const char *field = strstr(r->error, " field=");
	size_t n = *r->error == '-' ? 0 : strcspn(r->error, " ");

	if (strlen(e->wire) != n || strncmp(e->wire, r->error, n) != 0)
		fail_msg("%s: the error is %s (%s)", r->title, e->wire, e->message);
	if (field)
		assert_string_equal(e->field, field + 7);
	if (r->status)
		assert_int_equal(e->http_status, r->status);
}

static int event(void *data, const char *id, const char *type, const char *text, size_t len)
{
	struct world *w = data;

	(void)type;
	assert_true(len > 0 && text[0] == '{');
	snprintf(w->last_event, sizeof(w->last_event), "%s", id ? id : "");
	w->n_events++;
	return 0;
}

static int stream(sv_client *c, struct world *w, const void *in)
{
	sv_op *op = sv_stream(c, w->r->verb, w->r->args, in, event, NULL, w);

	assert_non_null(op);
	for (int i = 0; i < 100 && !sv_op_done(op) && w->requests < 2; i++)
		sv_pump(c, 100);
	sv_finish(op, NULL);
	return SV_OK;
}

static sv_client *client(struct world *w)
{
	struct sv_config *config = sv_config_new();
	struct sv_transport *t = sv_transport_mem(handle, w);
	sv_client *c = NULL;

	assert_non_null(config);
	assert_non_null(t);
	config->endpoint = ENDPOINT;
	config->api_key = "wire-key";
	config->retries = 0;
	sv_mark(config, retries);
	assert_int_equal(sv_client_new_with(config, t, &c), SV_OK);
	sv_free(config);
	return c;
}

static void run(void **state)
{
	struct world w = { .r = *state };
	const struct record *r = w.r;
	const struct sv_kind *in_kind = r->verb->method == SV_GET ? r->verb->query : r->verb->in;
	int streams = r->verb->flags & SV_STREAM && r->input && strstr(r->input, "\"follow\":true");
	struct sv_error err = { 0 };
	void *in = NULL, *result = NULL;
	sv_client *c = client(&w);
	int rc;

	if (r->input && sv_from_json(in_kind, r->input, strlen(r->input), &in, &err))
		fail_msg("%s: %s", r->title, err.message);
	rc = streams ? stream(c, &w, in) : sv_run(c, r->verb, r->args, in, &result);
	if (!r->error && rc)
		fail_msg("%s: %s", r->title, sv_client_error(c)->message);
	if (r->error)
		assert_true(rc < 0);
	if (r->error)
		error_fits(r, sv_client_error(c));
	assert_int_equal(w.requests > 0, r->method != NULL);
	for (size_t i = 0; i < r->n_results; i++)
		results_fit(r, &w, result, r->results[i]);
	sv_free(result);
	sv_free(in);
	sv_client_free(c);
}

/* A verb without a record, and a kind whose refusals nobody looked at, are holes. */
static void covered(void **state)
{
	const struct all *all = *state;
	const struct sv_kind *k;
	int holes = 0;

	for (size_t i = 0; (k = sv_kinds(i)); i++) {
		int refused = 0;

		for (const struct sv_verb *v = k->verbs; v->name; v++) {
			size_t n = 0;

			for (size_t j = 0; j < all->n; j++) {
				n += all->v[j].verb == v;
				refused += all->v[j].kind == k && all->v[j].error;
			}
			if (!n)
				print_error("no record of %s %s\n", k->name, v->name);
			holes += !n;
		}
		if (!refused)
			print_error("no record of a refused %s\n", k->name);
		holes += !refused;
	}
	assert_int_equal(holes, 0);
}

int main(int argc, char **argv)
{
	static struct all all;
	static struct CMUnitTest tests[N_RECORDS + 1];
	size_t n = 0;

	for (int i = 1; i < argc; i++)
		read_file(&all, argv[i]);
	for (size_t i = 0; i < all.n; i++)
		tests[n++] = (struct CMUnitTest){ all.v[i].title, run, NULL, NULL, &all.v[i] };
	if (argc > 2)
		tests[n++] =
			(struct CMUnitTest){ "every verb has a record", covered, NULL, NULL, &all };
	return _cmocka_run_group_tests("wire", tests, n, NULL, NULL);
}
