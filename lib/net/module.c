/* SPDX-License-Identifier: MIT */
/* Loads what knows libcurl, at the first request: what sends nothing does not pay for it. */
#include "net/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "net/client.h"
#include "net/curl.h"

int sv_module_dir(char *buf, size_t size)
{
	char real[PATH_MAX];
	Dl_info info;
	char *slash;

	if (!dladdr((const void *)(uintptr_t)sv_module_dir, &info) || !info.dli_fname)
		return -1;
	if (!realpath(info.dli_fname, real))
		return -1;
	slash = strrchr(real, '/');
	if (!slash || (size_t)(slash - real) >= size)
		return -1;
	*slash = '\0';
	snprintf(buf, size, "%s", real);
	return 0;
}

static int make(const struct sv_curl_module *m, struct sv_transport **ret, struct sv_error *err)
{
	const char *why = "out of memory";

	if (m->abi != SV_CURL_ABI)
		return sv_err(err, SV_UNSUPPORTED, "the module for libcurl is of another release");
	*ret = m->make(&why);
	return *ret ? SV_OK : sv_err(err, SV_NOMEM, "libcurl: %s", why);
}

#ifdef SV_STATIC

int sv_curl_load(struct sv_transport **ret, struct sv_error *err)
{
	return make(&sv_curl_module, ret, err);
}

#else

int sv_curl_load(struct sv_transport **ret, struct sv_error *err)
{
	char path[PATH_MAX + 32], dir[PATH_MAX];
	const struct sv_curl_module *m;
	void *handle;

	if (sv_module_dir(dir, sizeof(dir)))
		return sv_err(err, SV_UNSUPPORTED,
			"cannot tell where libstarverse lies, so its modules are not found");
	snprintf(path, sizeof(path), "%s/starverse/curl.so", dir);
	handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	m = handle ? dlsym(handle, "sv_curl_module") : NULL;
	if (!m)
		return sv_err(err, SV_UNSUPPORTED, "the module for libcurl cannot be loaded: %s",
			dlerror());
	return make(m, ret, err);
}

#endif

int sv_client_transport(sv_client *c, struct sv_error *err)
{
	struct sv_transport *t = NULL;
	int r;

	if (c->transport)
		return SV_OK;
	r = sv_curl_load(&t, err);
	if (!r)
		__atomic_store_n(&c->transport, t, __ATOMIC_SEQ_CST);
	return r;
}
