/* SPDX-License-Identifier: MIT */
/* What an S3 service may answer: "CALL STATUS\n" and the document, as bytes. The call ends, with a
 * result or with an error; what a list gives has keys below what was asked for, and ends. */
#include "api/upload.h"
#include "peer.h"

static const struct sv_header headers[] = { { "Content-Type", "application/xml" },
	{ "ETag", "\"x\"" }, { NULL, NULL } };

static sv_bucket *bucket_of(sv_client *c)
{
	struct sv_bucket_site *site = sv_bucket_site_new();
	sv_bucket *b = NULL;

	always(site != NULL);
	site->endpoint = "http://peer.invalid";
	site->bucket = "b";
	site->access_key = "a";
	site->secret_key = "s";
	always(sv_bucket_open_at(c, site, &b) == SV_OK);
	sv_free(site);
	return b;
}

static int list(sv_bucket *b)
{
	struct sv_bucket_object_list *page = NULL;
	int r = sv_bucket_list(b, "p", "/", "tx", &page);

	always((r == SV_OK) == (page != NULL));
	for (size_t i = 0; page && i < page->n; i++)
		always(page->v[i]->key && *page->v[i]->key == 'p' && page->v[i]->size_bytes >= 0);
	always(!page || !page->next || strcmp(page->next, "tx") != 0);
	sv_free(page);
	return r;
}

static int parts(sv_bucket *b)
{
	struct sv_multipart m = { .bucket = b, .key = "k", .id = "u" };
	int r = sv_multipart_look(&m, 3);

	for (int i = 0; !r && i < 3; i++)
		always(m.parts[i].size >= 0 && strlen(m.parts[i].crc32c) <= 8);
	sv_multipart_end(&m);
	return r;
}

static int complete(sv_bucket *b)
{
	struct sv_multipart m = { .bucket = b, .key = "k" };
	int r = sv_multipart_room(&m, 1);

	if (!r)
		r = sv_multipart_create(&m, "1.5");
	always(r || *m.id);
	if (!r)
		r = sv_multipart_complete(&m, 1, 3, NULL);
	sv_multipart_end(&m);
	return r;
}

static int removal(sv_bucket *b)
{
	static const char *const keys[] = { "a", "b&<", "c" };

	return sv_bucket_delete(b, keys, 3, NULL, NULL);
}

static int copy(sv_bucket *b)
{
	return sv_bucket_copy(b, "k", NULL, "from", NULL, NULL);
}

static const struct {
	const char *name;
	int (*run)(sv_bucket *b);
} calls[] = { { "list", list }, { "parts", parts }, { "complete", complete }, { "delete", removal },
	{ "copy", copy } };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char line[128], name[64];
	struct answer a = { 200, headers, NULL, 0 };
	size_t at = first_line(data, size, line, sizeof(line));

	if (sscanf(line, "%63s %3d", name, &a.status) != 2 || a.status < 100 || a.status > 599)
		return 0;
	a.body = data + at;
	a.size = size - at;
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		sv_client *c;
		sv_bucket *b;
		int r;

		if (strcmp(name, calls[i].name) != 0)
			continue;
		c = client_of(&a);
		b = bucket_of(c);
		r = calls[i].run(b);
		always(r <= 0);
		came_deep();
		sv_bucket_close(b);
		sv_client_free(c);
	}
	return 0;
}
