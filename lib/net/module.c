/* SPDX-License-Identifier: MIT */
/* Loads what knows libcurl and expat when first needed: what sends nothing pays for neither. */
#include "net/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "net/client.h"
#include "net/curl.h"
#include "net/xml.h"

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

static const void *find_curl(struct sv_error *err)
{
	(void)err;
	return &sv_curl_module;
}

static const void *find_xml(struct sv_error *err)
{
	(void)err;
	return &sv_xml_module;
}

#else

static const void *find(const char *file, const char *symbol, struct sv_error *err)
{
	char path[PATH_MAX + 32], dir[PATH_MAX];
	const void *m;
	void *handle;

	if (sv_module_dir(dir, sizeof(dir))) {
		sv_err(err, SV_UNSUPPORTED,
			"cannot tell where libstarverse lies, so its modules are not found");
		return NULL;
	}
	snprintf(path, sizeof(path), "%s/starverse/%s.so", dir, file);
	handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
	m = handle ? dlsym(handle, symbol) : NULL;
	if (!m)
		sv_err(err, SV_UNSUPPORTED, "the module for %s cannot be loaded: %s",
			!strcmp(file, "curl") ? "libcurl" : file, dlerror());
	return m;
}

static const void *find_curl(struct sv_error *err)
{
	return find("curl", "sv_curl_module", err);
}

static const void *find_xml(struct sv_error *err)
{
	return find("expat", "sv_xml_module", err);
}

#endif

int sv_curl_load(struct sv_transport **ret, struct sv_error *err)
{
	const struct sv_curl_module *m = find_curl(err);

	return m ? make(m, ret, err) : SV_UNSUPPORTED;
}

int sv_xml_read(const char *text, size_t len, const struct sv_xml_reader *r, struct sv_error *err)
{
	const struct sv_xml_module *m = find_xml(err);
	char why[200];

	if (!m)
		return SV_UNSUPPORTED;
	if (m->abi != SV_XML_ABI)
		return sv_err(err, SV_UNSUPPORTED, "the module for expat is of another release");
	if (!m->read(text, len, r, why, sizeof(why)))
		return SV_OK;
	return sv_err(err, SV_PROTO, "the answer's XML cannot be read: %s", why);
}

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
