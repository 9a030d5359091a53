/* SPDX-License-Identifier: MIT */
/* The platform's own storages: found by name, entered with a key pair that is kept. */
#include "api/bucket.h"
#include "base/err.h"

int sv_bucket_of_platform(sv_client *c, const char *name, sv_bucket **ret)
{
	(void)ret;
	sv_err(&c->error, SV_NOTFOUND, "no storage is called %s", name);
	sv_err_hint(&c->error, "svctl config set storages.%s.endpoint URL makes one known", name);
	return SV_NOTFOUND;
}
