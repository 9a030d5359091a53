/* SPDX-License-Identifier: MIT */
/* From an instance's document and facts to what the engine boots. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/str.h"
#include "local/catalog.h"
#include "local/inside.h"
#include "local/instance-inside.h"
#include "local/storage.h"

#define GIB ((int64_t)1 << 30)

static void host_name(const struct sv_instance *i, const char *name, char *buf, size_t size)
{
	size_t n = 0;

	for (const char *s = name ? name : ""; *s && n + 1 < size && n < 63; s++) {
		char ch = sv_is_alnum(*s) ? *s : '-';

		if (ch != '-' || (n && buf[n - 1] != '-'))
			buf[n++] = ch;
	}
	while (n && buf[n - 1] == '-')
		n--;
	buf[n] = '\0';
	if (n)
		return;
	snprintf(buf, size, "%s", i->id);
	for (char *s = buf; *s; s++)
		if (*s == '_')
			*s = '-';
}

/* What makes collective libraries use the fabric without being told. */
static const struct {
	const char *in_fabric, *key, *value;
} fabric_env[] = {
	{ "nvlink", "NCCL_P2P_LEVEL", "NVL" },
	{ "rdma", "NCCL_IB_DISABLE", "0" },
	{ "rdma", "NCCL_NET_GDR_LEVEL", "PHB" },
	{ "rdma", "NCCL_SOCKET_IFNAME", "^lo,docker0" },
	{ "hccs", "HCCL_INTRA_ROCE_ENABLE", "0" },
};

void spec_environment(
	const struct platform *p, const struct sv_instance *i, void *root, struct sv_map *env)
{
	char count[24];

	snprintf(count, sizeof(count), "%lld", (long long)i->gpu_count);
	/* Without cards there is nothing to say which. */
	if (i->backend && i->gpu_count)
		sv_map_set(root, env, "STARVERSE_BACKEND", i->backend);
	if (i->gpu && i->gpu_count)
		sv_map_set(root, env, "STARVERSE_GPU", i->gpu);
	sv_map_set(root, env, "STARVERSE_GPU_COUNT", count);
	if (inside_is(p)) {
		sv_map_set(root, env, "STARVERSE_ENDPOINT", INSIDE_ENDPOINT);
		sv_map_set(root, env, "STARVERSE_API_KEY_FILE", INSIDE_TOKEN);
	}
	for (size_t k = 0; i->fabric && k < sizeof(fabric_env) / sizeof(fabric_env[0]); k++)
		if (strcasestr(i->fabric, fabric_env[k].in_fabric) &&
			!sv_map_get(env, fabric_env[k].key))
			sv_map_set(root, env, fabric_env[k].key, fabric_env[k].value);
}

/* The strings with a NULL after them. */
static const char *const *ended(void *root, const struct sv_strs *strs)
{
	const char **v = sv_arena_alloc(sv_root_arena(root), (strs->n + 1) * sizeof(*v));

	for (size_t k = 0; v && k < strs->n; k++)
		v[k] = strs->v[k];
	return v;
}

static const char *const *environment(
	const struct platform *p, void *root, const struct sv_instance *i)
{
	struct sv_map env = { 0 };
	struct sv_strs lines = { 0 };
	struct sv_buf line;

	for (size_t k = 0; k < i->env.n; k++)
		sv_map_set(root, &env, i->env.keys[k], i->env.values[k]);
	spec_environment(p, i, root, &env);
	sv_buf_init(&line, 1 << 20);
	for (size_t k = 0; k < env.n; k++) {
		sv_buf_reset(&line);
		sv_buf_fmt(&line, "%s=%s", env.keys[k], env.values[k] ? env.values[k] : "");
		sv_strs_add(root, &lines, sv_buf_text(&line));
	}
	sv_buf_free(&line);
	return ended(root, &lines);
}

static const char *fact_in(struct platform *p, void *root, const char *id, const char *name)
{
	struct sv_buf b;
	const char *text = NULL;

	sv_buf_init(&b, 1 << 20);
	if (!store_fact_get(p->store, id, name, &b) && b.len)
		text = sv_strdup_in(root, sv_buf_text(&b));
	sv_buf_free(&b);
	return text;
}

static const char *const *key_lines(void *root, const char *text)
{
	struct sv_strs lines = { 0 };
	char line[9000];

	while (text && *text) {
		size_t len = strcspn(text, "\n");

		snprintf(line, sizeof(line), "%.*s", (int)len, text);
		if (len)
			sv_strs_add(root, &lines, line);
		text += len + (text[len] == '\n');
	}
	return ended(root, &lines);
}

/* The library is seen by all instances as it is; disks and storages have to be brought. */
static int add_mount(struct platform *p, const struct sv_instance_mount *from, struct spec *ret,
	struct engine_mount *m)
{
	char dir[PATH_MAX];

	*m = (struct engine_mount){ .path = sv_strdup_in(ret->root, from->path),
		.read_only = from->read_only };
	if (from->kind && !strcmp(from->kind, "disk"))
		m->disk = sv_strdup_in(ret->root, from->id);
	else if (from->kind && !strcmp(from->kind, "storage") &&
		 !storage_dir(p, from->id, dir, sizeof(dir)))
		m->source = sv_strdup_in(ret->root, dir);
	return m->disk || m->source;
}

static int add_mounts(struct platform *p, const struct sv_instance *i, struct spec *ret)
{
	struct engine_mount *m;
	const char *source, *path;
	size_t own = 0;

	while (catalog_own(p->catalog, own, &path))
		own++;
	m = sv_arena_alloc(sv_root_arena(ret->root), (i->mounts.n + own + 1) * sizeof(*m));
	if (!m)
		return SV_NOMEM;
	ret->s.mounts = m;
	/* Like the rest of the library, a user's own folders are seen by all. */
	for (size_t k = 0; (source = catalog_own(p->catalog, k, &path)); k++)
		if (!access(source, R_OK | X_OK))
			m[ret->s.n_mounts++] = (struct engine_mount){
				.source = source, .path = path, .read_only = 1
			};
		else
			platform_log(p, "%s: %s cannot be read", path, source);
	for (size_t k = 0; k < i->mounts.n; k++)
		ret->s.n_mounts += add_mount(p, i->mounts.v[k], ret, &m[ret->s.n_mounts]);
	return SV_OK;
}

static int64_t system_bytes(struct platform *p, const struct sv_instance *i)
{
	struct sv_disk *d = NULL;
	int64_t bytes = 0;

	if (i->system_disk && !disk_get(p, i->system_disk, &d))
		bytes = d->size_gib * GIB;
	sv_free(d);
	return bytes;
}

int spec_make(struct platform *p, const struct sv_instance *i, struct spec *ret)
{
	struct sv_strs layers = { 0 };
	const char *name;
	char run[PATH_MAX];
	int64_t port = 0;
	int rc;

	memset(ret, 0, sizeof(*ret));
	ret->root = sv_new(&sv_instance_kind);
	if (!ret->root)
		return SV_NOMEM;
	name = fact_in(p, ret->root, i->id, "hostname");
	host_name(i, name ? name : i->name, ret->hostname, sizeof(ret->hostname));
	rc = layers_get(p->store, i->id, ret->root, &layers);
	if (!rc)
		rc = add_mounts(p, i, ret);
	ret->s.id = sv_strdup_in(ret->root, i->id);
	ret->s.hostname = ret->hostname;
	ret->s.layers = ended(ret->root, &layers);
	ret->s.env = environment(p, ret->root, i);
	ret->s.authorized = key_lines(ret->root, fact_in(p, ret->root, i->id, "authorized"));
	ret->s.command = fact_in(p, ret->root, i->id, "command");
	ret->s.network = fact_in(p, ret->root, i->id, "network");
	if (!ret->s.network)
		ret->s.network = p->caps & ENGINE_NETWORK ? "outbound" : "none";
	if (inside_is(p))
		ret->s.run_dir = sv_strdup_in(ret->root, inside_dir(p, i->id, run, sizeof(run)));
	ret->s.vcpus = (int)i->vcpus;
	ret->s.ram_bytes = i->ram_gib * GIB;
	ret->s.system_disk_bytes = system_bytes(p, i);
	if (!sv_parse_int(fact_in(p, ret->root, i->id, "port")
				  ? fact_in(p, ret->root, i->id, "port")
				  : "",
		    &port))
		ret->s.ssh_port = (int)port;
	if (rc || !ret->s.id || !ret->s.layers || !ret->s.env || !ret->s.authorized) {
		spec_free(ret);
		return rc ? rc : SV_NOMEM;
	}
	return SV_OK;
}

void spec_free(struct spec *s)
{
	sv_free(s->root);
	s->root = NULL;
}
