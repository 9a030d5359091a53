/* SPDX-License-Identifier: MIT */
/* Stores a file in a storage (made when it is not there), lists, fetches it again and deletes it:
 * storage NAME FILE. After a break it goes on where it was. */
#include <inttypes.h>
#include <stdio.h>
#include <starverse.h>

static const char *const key = "example/object";

static int make(sv_client *c, const char *name, sv_bucket **ret)
{
	const struct sv_storage_create_body want = { .name = name, .size_gib = 1 };
	int r = sv_storage_create(c, &want, NULL);

	return r ? r : sv_bucket_open(c, name, ret);
}

static int run(sv_bucket *b, const char *file, struct sv_transfer *t)
{
	struct sv_bucket_object_list *page = NULL;
	struct sv_bucket_object *o = NULL;
	int r = sv_bucket_upload(b, key, file, t, &o);

	if (!r)
		printf("stored as %s, %" PRId64 " bytes were there before\n", o->etag,
			t->resumed_bytes);
	sv_free(o);
	if (!r)
		r = sv_bucket_list(b, "example/", "/", NULL, &page);
	for (size_t i = 0; !r && i < page->n; i++)
		printf("%s\t%" PRId64 "\n", page->v[i]->key, page->v[i]->size_bytes);
	sv_free(page);
	if (!r)
		r = sv_bucket_download(b, key, "example-object", t, NULL);
	return r ? r : sv_bucket_delete(b, &key, 1, NULL, NULL);
}

int main(int argc, char **argv)
{
	struct sv_transfer *t = sv_transfer_new();
	sv_bucket *b = NULL;
	sv_client *c = NULL;
	int r = argc == 3 && t ? sv_client_new(NULL, &c) : SV_INVALID;

	if (!r)
		r = sv_bucket_open(c, argv[1], &b);
	if (r == SV_NOTFOUND)
		r = make(c, argv[1], &b);
	if (!r)
		r = run(b, argv[2], t);
	if (r)
		fprintf(stderr, "storage: %s\n", c ? sv_client_error(c)->message : sv_strerror(r));
	sv_bucket_close(b);
	sv_client_free(c);
	sv_free(t);
	return sv_exit_code(r);
}
