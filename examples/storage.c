/* SPDX-License-Identifier: MIT */
/* Stores a file, lists, fetches it again: storage NAME FILE. After a break it goes on where it was.
 */
#include <inttypes.h>
#include <stdio.h>
#include <starverse.h>

static void progress(void *data, int64_t done, int64_t total)
{
	(void)data;
	fprintf(stderr, "\r%" PRId64 " of %" PRId64 " bytes", done, total);
}

static int list(sv_bucket *b)
{
	struct sv_bucket_object_list *page = NULL;
	int r = sv_bucket_list(b, "example/", "/", NULL, &page);

	for (size_t i = 0; r == SV_OK && i < page->n; i++)
		printf("%s\t%" PRId64 "\n", page->v[i]->key, page->v[i]->size_bytes);
	sv_free(page);
	return r;
}

static int run(sv_bucket *b, const char *file)
{
	struct sv_transfer *t = sv_transfer_new();
	struct sv_bucket_object *o = NULL;
	int r;

	t->progress = progress;
	r = sv_bucket_upload(b, "example/object", file, t, &o);
	if (r == SV_OK)
		printf("stored as %s, %" PRId64 " bytes were there before\n", o->etag,
			t->resumed_bytes);
	sv_free(o);
	if (r == SV_OK)
		r = list(b);
	if (r == SV_OK)
		r = sv_bucket_download(b, "example/object", "example-object", t, NULL);
	sv_free(t);
	return r;
}

int main(int argc, char **argv)
{
	sv_bucket *b = NULL;
	sv_client *c = NULL;
	int r = argc == 3 ? sv_client_new(NULL, &c) : SV_INVALID;

	if (r == SV_OK)
		r = sv_bucket_open(c, argv[1], &b);
	if (r == SV_OK)
		r = run(b, argv[2]);
	if (r)
		fprintf(stderr, "storage: %s\n", c ? sv_client_error(c)->message : sv_strerror(r));
	sv_bucket_close(b);
	sv_client_free(c);
	return sv_exit_code(r);
}
