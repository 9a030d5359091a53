/* SPDX-License-Identifier: MIT */
/* Making and starting an instance: everything that needs the host's view is opened here, then its
 * first process is cloned into namespaces of its own and builds the rest (root.c). */
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <starverse/common.h>

#define NAMESPACES \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWNET | \
		CLONE_NEWCGROUP)
#define READY_MS 20000

static const char *const devices[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/random",
	"/dev/urandom", "/dev/tty" };
static const char *const parts[] = { "root", "usr", "work.root", "work.usr" };

/* The directories of an instance; those of its system disk belong to root inside. */
int sv_box_files(struct engine *e, const struct engine_spec *s, struct engine_result *r)
{
	char path[BOX_PATH_MAX];
	uid_t root = sv_map_root(e);

	if (sv_state_path(e, path, sizeof(path), "instances/%s", s->id) || sv_dirs_make(path, 0700))
		return sv_fail_errno(r, "the instance's directory");
	if (sv_state_path(e, path, sizeof(path), "instances/%s/disk", s->id) ||
		sv_dirs_make(path, 0755) || chown(path, root, root))
		return sv_fail_errno(r, "the instance's system disk");
	if (sv_system_show(e, s->id, s->system_disk_bytes, r))
		return r->code;
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (sv_state_path(e, path, sizeof(path), "instances/%s/disk/%s", s->id, parts[i]) ||
			(mkdir(path, 0755) && errno != EEXIST) || chown(path, root, root))
			return sv_fail_errno(r, "the instance's system disk");
	return sv_ssh_files(e, s, r);
}

static int create_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	if (sv_box_lock(e, w->id, r))
		return r->code;
	return sv_box_files(e, w->spec, r);
}

static int open_state(struct engine *e, const struct engine_spec *s, const char *name, int flags)
{
	char path[BOX_PATH_MAX];

	if (sv_state_path(e, path, sizeof(path), "instances/%s/%s", s->id, name))
		return -1;
	return open(path, flags | O_CLOEXEC | O_CREAT, 0600);
}

static int plan_layers(
	struct engine *e, const struct engine_spec *s, struct root_plan *p, struct engine_result *r)
{
	char path[BOX_PATH_MAX];

	for (size_t i = 0; s->layers && s->layers[i]; i++) {
		if (i >= BOX_LAYERS_MAX)
			return sv_fail(r, SV_INVALID, NULL, "more than %d layers", BOX_LAYERS_MAX);
		if (!sv_id_valid(s->layers[i]))
			return sv_fail(
				r, SV_INVALID, NULL, "layers: '%.60s' is not an id", s->layers[i]);
		if (sv_state_path(e, path, sizeof(path), "layers/%s/root", s->layers[i]))
			return sv_fail(
				r, SV_INVALID, NULL, "the state directory's path is too long");
		path[strlen(path) - 5] = '\0';
		p->layers[p->n_layers] = sv_mount_clone(path, TREE_RO, -1);
		if (p->layers[p->n_layers] < 0)
			return sv_fail(r, SV_NOTFOUND, NULL, "layer %s is gone", s->layers[i]);
		p->n_layers++;
	}
	return SV_OK;
}

static int plan_mounts(struct engine *e, const struct engine_spec *s, struct root_plan *p, int map,
	struct engine_result *r)
{
	if (s->n_mounts > BOX_MOUNTS_MAX)
		return sv_fail(r, SV_INVALID, NULL, "more than %d mounts", BOX_MOUNTS_MAX);
	for (size_t i = 0; i < s->n_mounts; i++) {
		struct root_mount *m = &p->mounts[i];

		if (!sv_inside_path_valid(s->mounts[i].path))
			return sv_fail(r, SV_INVALID, NULL, "path: '%.200s' cannot be mounted on",
				s->mounts[i].path);
		m->fd = sv_mount_source(e, &s->mounts[i], map, r);
		if (m->fd < 0)
			return r->code;
		snprintf(m->path, sizeof(m->path), "%s", s->mounts[i].path);
		p->n_mounts++;
	}
	return SV_OK;
}

static int plan_state(struct engine *e, const char *name, int flags, int map)
{
	char path[BOX_PATH_MAX];

	return sv_state_path(e, path, sizeof(path), "%s", name) ? -1
								: sv_mount_clone(path, flags, map);
}

static int plan_root(
	struct engine *e, const struct engine_spec *s, struct root_plan *p, struct engine_result *r)
{
	char path[BOX_PATH_MAX], name[128];
	int map = sv_map_fd(e);

	p->usr = sv_mount_clone("/usr", TREE_RO | TREE_MAP, map);
	p->base = plan_state(e, "base", TREE_RO, -1);
	snprintf(name, sizeof(name), "instances/%s/disk", s->id);
	p->disk = plan_state(e, name, 0, -1);
	snprintf(name, sizeof(name), "instances/%s/ssh", s->id);
	p->ssh = plan_state(e, name, TREE_RO | TREE_MAP, map);
	p->sshd = p->library = p->run = -1;
	if (!sv_sshd_find(e, path, sizeof(path)) && path[0])
		p->sshd = sv_mount_clone(path, TREE_RO | TREE_MAP, map);
	if (e->library)
		p->library = sv_mount_clone(e->library, TREE_RO | TREE_MAP, map);
	if (s->run_dir)
		p->run = sv_mount_clone(s->run_dir, TREE_RO | TREE_MAP, map);
	if (p->usr < 0 || p->base < 0 || p->disk < 0 || p->ssh < 0 ||
		(e->library && p->library < 0) || (s->run_dir && p->run < 0))
		return sv_fail_errno(r, "opening the instance's parts");
	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
		p->dev[i] = sv_mount_clone(devices[i], TREE_DEV, -1);
		if (p->dev[i] < 0)
			return sv_fail_errno(r, devices[i]);
	}
	return plan_layers(e, s, p, r) || plan_mounts(e, s, p, map, r) ? r->code : SV_OK;
}

/* The daemon's child, not ours: it is there to reap it. */
static pid_t clone_init(int *ret_pidfd)
{
	struct clone_args a = { .flags = NAMESPACES | CLONE_PIDFD | CLONE_PARENT,
		.pidfd = (uint64_t)(uintptr_t)ret_pidfd };

	return (pid_t)syscall(SYS_clone3, &a, sizeof(a));
}

/* Init's answer: "" when it runs, else what failed. */
static int await(int fd, struct engine_result *r)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char text[256];
	ssize_t n;
	int got;

	while ((got = poll(&p, 1, READY_MS)) < 0 && errno == EINTR)
		;
	n = got > 0 ? read(fd, text, sizeof(text) - 1) : -1;
	if (n < 1)
		return sv_fail(r, SV_FAILED, NULL, "%s",
			got ? "the instance's first process died"
			    : "the instance's first process did not answer");
	text[n] = '\0';
	return text[0] ? sv_fail(r, SV_FAILED, NULL, "%s", text) : SV_OK;
}

static void put_unheld(const struct engine_spec *s, unsigned held, char *buf, size_t size)
{
	const struct {
		int wanted;
		const char *name;
	} limits[] = {
		{ s->ram_bytes > 0 && !(held & HELD_RAM), "ram" },
		{ s->vcpus > 0 && !(held & HELD_CPU), "cpu" },
		{ s->system_disk_bytes > 0 && !(held & HELD_DISK), "disk" },
	};
	size_t n = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++)
		if (limits[i].wanted)
			n += (size_t)snprintf(
				buf + n, size - n, "%s%s", n ? "," : "", limits[i].name);
}

static void forget(struct engine *e, const char *id, const char *name)
{
	char path[BOX_PATH_MAX];

	if (!sv_state_path(e, path, sizeof(path), "instances/%s/%s", id, name))
		unlink(path);
}

static void put_record(struct engine *e, const struct engine_spec *s, const struct proc *init,
	int outbound, unsigned held)
{
	char path[BOX_PATH_MAX], rest[96], unheld[64];

	put_unheld(s, held, unheld, sizeof(unheld));
	snprintf(rest, sizeof(rest), "%s %s", outbound ? "outbound" : "none", unheld);
	if (!sv_state_path(e, path, sizeof(path), "instances/%s/run", s->id))
		sv_proc_write(path, init, rest);
}

/* From the clone to the answer. The record is written before init goes on: no instance runs that
 * nobody knows of. */
static int run_init(
	struct engine *e, const struct engine_spec *s, struct init_plan *p, struct engine_result *r)
{
	int go[2], ready[2], gone[2], pidfd = -1;
	unsigned held = sv_cgroup_make(e, s);
	struct proc init;

	if (pipe2(go, O_CLOEXEC) || pipe2(ready, O_CLOEXEC) || pipe2(gone, O_CLOEXEC))
		return sv_fail_errno(r, "a pipe");
	p->wait_fd = go[0];
	p->ready_fd = ready[1];
	p->network_fd = gone[1];
	if (sv_cgroup_join(e, s->id))
		held = 0;
	held |= sv_system_held(e, s->id) ? HELD_DISK : 0;
	init.pid = clone_init(&pidfd);
	if (!init.pid) {
		close(go[1]);
		close(ready[0]);
		close(gone[0]);
		sv_init_run(p);
	}
	if (init.pid < 0)
		return sv_fail_errno(r, "new namespaces");
	close(go[0]);
	close(ready[1]);
	close(gone[1]);
	if (sv_map_instance(e, init.pid) || sv_proc_start(init.pid, &init.start)) {
		sv_fail_errno(r, "the instance's ids");
		goto fail;
	}
	put_record(e, s, &init, 0, held);
	if (write(go[1], "g", 1) != 1 || await(ready[0], r))
		goto fail;
	if (p->root.outbound)
		put_record(e, s, &init, !sv_network_start(e, init.pid, gone[0]), held);
	return SV_OK;
fail:
	sv_pidfd_kill(pidfd, SIGKILL);
	sv_pidfd_wait(pidfd, READY_MS);
	r->bytes = init.pid;
	forget(e, s->id, "run");
	sv_cgroup_drop(e, s->id);
	return r->code ? r->code
		       : sv_fail(r, SV_FAILED, NULL, "the instance's first process did not start");
}

/* A snapshot has to know what was below. */
static int put_layers(struct engine *e, const struct engine_spec *s)
{
	char path[BOX_PATH_MAX], list[BOX_LAYERS_MAX * BOX_ID_MAX] = "";
	size_t n = 0;

	for (size_t i = 0; s->layers && s->layers[i]; i++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, "%s\n", s->layers[i]);
	return sv_state_path(e, path, sizeof(path), "instances/%s/layers", s->id)
		       ? SV_INVALID
		       : sv_file_write(path, list, n, 0600);
}

static int open_log(struct engine *e, const struct engine_spec *s)
{
	int fd = open_state(e, s, "log", O_RDWR | O_APPEND);
	struct stat st;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size > BOX_LOG_MAX && ftruncate(fd, 0))
		return fd;
	return fd;
}

static int start_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	const struct engine_spec *s = w->spec;
	struct init_plan p = {
		.command = s->command, .single = sv_box_single(e), .as_root = e->as_root
	};
	struct proc init;

	/* Without sshd it runs all the same; a login then says what is missing. */
	sv_sshd_ensure(e, r);
	if (sv_base_ensure(e, r))
		return r->code;
	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	if (sv_box_lock(e, s->id, r))
		return r->code;
	if (!sv_box_read(e, s->id, &init, NULL, 0))
		return SV_OK;
	if (sv_box_files(e, s, r) || plan_root(e, s, &p.root, r))
		return r->code;
	p.env = sv_env_load(e, s->id);
	p.root.env = p.env;
	p.root.hostname = s->hostname;
	p.root.outbound = s->network && !strcmp(s->network, "outbound") && sv_network_usable();
	forget(e, s->id, "exit");
	forget(e, s->id, "ended");
	forget(e, s->id, "paused");
	p.log_fd = open_log(e, s);
	p.status_fd = open_state(e, s, "exit", O_RDWR);
	if (p.log_fd < 0 || p.status_fd < 0 || put_layers(e, s))
		return sv_fail_errno(r, "the instance's log");
	return run_init(e, s, &p, r);
}

static void start_after(struct engine *e, const char *id, struct engine_result *r)
{
	if (r->code) {
		if (r->bytes > 0) /* the first process of what did not come up */
			waitpid((pid_t)r->bytes, NULL, WNOHANG);
		r->bytes = -1;
		return;
	}
	if (sv_box_adopt(e, id))
		sv_fail(r, SV_FAILED, NULL,
			"the instance ended at once, or no port was free for its ssh");
}

static const struct job_kind create_job = { .body = create_body, .queued = 1 };
static const struct job_kind start_job = { .body = start_body, .after = start_after, .queued = 1 };

static int spec_valid(const struct engine_spec *s)
{
	return s && sv_id_valid(s->id) && s->hostname && s->hostname[0] &&
	       strlen(s->hostname) < 64 && !strpbrk(s->hostname, "/ \t\n");
}

int sv_box_create(struct engine *e, const struct engine_spec *s, engine_done *done, void *data)
{
	struct work w = { .id = s->id, .spec = s };

	return spec_valid(s) ? sv_work_start(e, &create_job, &w, done, data) : SV_INVALID;
}

int sv_box_start(struct engine *e, const struct engine_spec *s, engine_done *done, void *data)
{
	struct work w = { .id = s->id, .spec = s };
	struct box *b;

	if (!spec_valid(s))
		return SV_INVALID;
	b = sv_box_take(e, s->id);
	if (!b)
		return SV_NOMEM;
	b->stopping = 0;
	return sv_work_start(e, &start_job, &w, done, data);
}

static int adjust_body(struct engine *e, const struct work *w, struct engine_result *r)
{
	if (sv_holder_enter(e))
		return sv_fail_errno(r, "entering the engine's namespaces");
	if (sv_box_lock(e, w->id, r) || sv_ssh_files(e, w->spec, r))
		return r->code;
	return sv_cgroup_limit(e, w->spec) ? sv_fail(r, SV_CONFLICT, "conflict",
						     "it uses more than the new limits allow")
					   : SV_OK;
}

static const struct job_kind adjust_job = { .body = adjust_body, .queued = 1 };

int sv_box_adjust(struct engine *e, const struct engine_spec *s, engine_done *done, void *data)
{
	struct work w = { .id = s->id, .spec = s };

	return spec_valid(s) ? sv_work_start(e, &adjust_job, &w, done, data) : SV_INVALID;
}
