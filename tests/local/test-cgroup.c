/* SPDX-License-Identifier: MIT */
/* Limits by control groups of version 2, on a tree of files that looks like one, in a mount
 * namespace of this test's own: what is written where, and that nothing is said to be held which is
 * not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <local/engine/sandbox.h>
#include <starverse/common.h>

#define GROUPS "/sys/fs/cgroup"

struct world {
	struct engine e;
	char state[64], parent[512];
	int control; /* what was written to the parent's cgroup.subtree_control */
	int usable;
};

static const char *const files[] = { "cgroup.procs", "memory.max", "memory.swap.max", "cpu.max",
	"pids.max", "cgroup.freeze", "cgroup.events", NULL };

static int put(const char *path, const char *text)
{
	return sv_file_write(path, text, strlen(text), 0600);
}

/* A user namespace first where it takes one. */
static int set_apart(void)
{
	unsigned uid = getuid();

	if (uid) {
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS) || sv_map_write(getpid(), uid, 1, 1))
			return -1;
	} else if (unshare(CLONE_NEWNS)) {
		return -1;
	}
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	       mount("tmpfs", GROUPS, "tmpfs", 0, "mode=0755");
}

/* Beside this process's own group, as /proc/self/cgroup names it. */
static void find_parent(struct world *w)
{
	char text[8192], *own, *slash;

	assert_int_equal(sv_file_read("/proc/self/cgroup", text, sizeof(text), NULL), 0);
	own = strstr(text, "0::");
	own = own ? own + 3 : text + strlen(text);
	own[strcspn(own, "\n")] = '\0';
	slash = strrchr(own, '/');
	if (slash)
		*slash = '\0';
	snprintf(w->parent, sizeof(w->parent), GROUPS "%.400s", own);
}

static int set_up(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	char path[600];

	*state = w;
	snprintf(w->state, sizeof(w->state), "/tmp/cgroup-XXXXXX");
	assert_non_null(mkdtemp(w->state));
	w->e.state = w->state;
	w->usable = !set_apart();
	if (!w->usable)
		return 0;
	find_parent(w);
	assert_int_equal(sv_dirs_make(w->parent, 0755), 0);
	assert_int_equal(put(GROUPS "/cgroup.controllers", "memory cpu pids\n"), 0);
	snprintf(path, sizeof(path), "%s/cgroup.subtree_control", w->parent);
	assert_int_equal(mkfifo(path, 0600), 0);
	w->control = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	assert_true(w->control >= 0);
	return 0;
}

static int tear_down(void **state)
{
	struct world *w = *state;

	if (w->usable)
		close(w->control);
	sv_tree_remove(w->state);
	free(w);
	return 0;
}

/* A group that is there already, as the kernel would fill it, without (NULL: with) one file. */
static struct world *group(void **state, const char *id, const char *without)
{
	struct world *w = *state;
	char path[700];

	if (!w->usable) {
		print_message("# skipped: no mount namespace\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/instances/%s", w->state, id);
	assert_int_equal(sv_dirs_make(path, 0755), 0);
	for (size_t i = 0; files[i]; i++) {
		snprintf(path, sizeof(path), "%s/starverse-%s", w->parent, id);
		assert_int_equal(sv_dirs_make(path, 0755), 0);
		snprintf(path, sizeof(path), "%s/starverse-%s/%s", w->parent, id, files[i]);
		if (!without || strcmp(without, files[i]) != 0)
			assert_int_equal(put(path, ""), 0);
	}
	return w;
}

static void assert_file(const struct world *w, const char *id, const char *name, const char *want)
{
	char path[700], text[256];

	snprintf(path, sizeof(path), "%s/starverse-%s/%s", w->parent, id, name);
	assert_int_equal(sv_file_read(path, text, sizeof(text), NULL), 0);
	assert_string_equal(text, want);
}

static void holds_limits(void **state)
{
	struct world *w = group(state, "ins_a", NULL);
	struct engine_spec s = { .id = "ins_a", .ram_bytes = 64 << 20, .vcpus = 2 };
	char text[64] = "", pid[16];

	assert_int_equal(sv_cgroup_make(&w->e, &s), HELD_RAM | HELD_CPU | HELD_PIDS);
	assert_true(read(w->control, text, sizeof(text) - 1) > 0);
	assert_string_equal(text, "+memory+cpu+pids");
	assert_file(w, "ins_a", "memory.max", "67108864");
	assert_file(w, "ins_a", "memory.swap.max", "0");
	assert_file(w, "ins_a", "cpu.max", "200000 100000");
	assert_file(w, "ins_a", "pids.max", "16384");
	assert_int_equal(sv_cgroup_join(&w->e, "ins_a"), 0);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	assert_file(w, "ins_a", "cgroup.procs", pid);
	s.ram_bytes = 128 << 20;
	s.vcpus = 4;
	assert_int_equal(sv_cgroup_limit(&w->e, &s), SV_OK);
	assert_file(w, "ins_a", "memory.max", "134217728");
	assert_file(w, "ins_a", "cpu.max", "400000 100000");
}

static void freezes(void **state)
{
	struct world *w = group(state, "ins_f", NULL);
	struct engine_spec s = { .id = "ins_f", .ram_bytes = 64 << 20 };
	char path[700];

	sv_cgroup_make(&w->e, &s);
	snprintf(path, sizeof(path), "%s/starverse-ins_f/cgroup.events", w->parent);
	assert_int_equal(put(path, "populated 1\nfrozen 1\n"), 0);
	assert_int_equal(sv_cgroup_freeze(&w->e, "ins_f", 1), SV_OK);
	assert_file(w, "ins_f", "cgroup.freeze", "1");
	assert_int_equal(put(path, "populated 1\nfrozen 0\n"), 0);
	assert_int_equal(sv_cgroup_freeze(&w->e, "ins_f", 0), SV_OK);
	assert_file(w, "ins_f", "cgroup.freeze", "0");
}

/* What did not freeze in time is taken back: it would stand still for good, and be billed. */
static void takes_back_what_did_not_freeze(void **state)
{
	struct world *w = group(state, "ins_s", NULL);
	struct engine_spec s = { .id = "ins_s", .ram_bytes = 64 << 20 };
	char path[700];

	sv_cgroup_make(&w->e, &s);
	snprintf(path, sizeof(path), "%s/starverse-ins_s/cgroup.events", w->parent);
	assert_int_equal(put(path, "populated 1\nfrozen 0\n"), 0);
	assert_int_equal(sv_cgroup_freeze(&w->e, "ins_s", 1), SV_FAILED);
	assert_file(w, "ins_s", "cgroup.freeze", "0");
}

static char state_of(pid_t pid)
{
	char path[64], text[512] = "", *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	sv_file_read(path, text, sizeof(text), NULL);
	p = strrchr(text, ')');
	return p && p[1] ? p[2] : 0;
}

/* The first process of a PID namespace: another waits in it, until the first one ends. */
static pid_t make_inside(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, CLONE_NEWPID | SIGCHLD, 0, 0, 0, 0);

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (fork() >= 0)
			for (;;)
				pause();
		_exit(1);
	}
	return pid;
}

static void note_state(pid_t pid, void *data)
{
	char *worst = data, now = state_of(pid);

	if (now == 'T')
		*worst = now;
}

/* Signals are for where there is no freezer: a thaw through the group would not take them back. */
static void stops_in_one_way_only(void **state)
{
	struct world *w = group(state, "ins_w", NULL);
	struct engine_spec s = { .id = "ins_w", .ram_bytes = 64 << 20 };
	struct proc init = { .pid = make_inside() };
	char path[700], worst = 0;
	uint64_t ns;

	assert_true(init.pid > 0);
	ns = sv_proc_ns(init.pid, "pid");
	sv_cgroup_make(&w->e, &s);
	snprintf(path, sizeof(path), "%s/starverse-ins_w/cgroup.events", w->parent);
	assert_int_equal(put(path, "populated 1\nfrozen 0\n"), 0);
	assert_int_equal(sv_box_freeze(&w->e, "ins_w", &init, 1), SV_FAILED);
	assert_int_equal(sv_ns_each(ns, note_state, &worst), 2);
	assert_int_equal(worst, 0);
	kill(init.pid, SIGKILL);
	waitpid(init.pid, NULL, 0);
}

static void says_what_is_not_held(void **state)
{
	struct world *w = group(state, "ins_m", "memory.max");
	struct engine_spec s = { .id = "ins_m", .ram_bytes = 64 << 20, .vcpus = 1 };

	assert_int_equal(sv_cgroup_make(&w->e, &s), HELD_CPU | HELD_PIDS);
	/* Without a freezer, processes are held by signals. */
	group(state, "ins_n", "cgroup.freeze");
	s.id = "ins_n";
	sv_cgroup_make(&w->e, &s);
	assert_int_equal(sv_cgroup_freeze(&w->e, "ins_n", 1), SV_UNSUPPORTED);
}

/* The limits may be written and the group not be joined: they bind nobody then. */
static void tells_who_is_outside(void **state)
{
	struct world *w = group(state, "ins_o", "cgroup.procs");
	struct engine_spec s = { .id = "ins_o", .ram_bytes = 64 << 20 };
	char path[700];

	snprintf(path, sizeof(path), "%s/starverse-ins_o/cgroup.procs", w->parent);
	assert_int_equal(mkdir(path, 0755), 0);
	sv_cgroup_make(&w->e, &s);
	assert_int_not_equal(sv_cgroup_join(&w->e, "ins_o"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(holds_limits),
		cmocka_unit_test(freezes),
		cmocka_unit_test(takes_back_what_did_not_freeze),
		cmocka_unit_test(stops_in_one_way_only),
		cmocka_unit_test(says_what_is_not_held),
		cmocka_unit_test(tells_who_is_outside),
	};

	return cmocka_run_group_tests_name("cgroup", tests, set_up, tear_down);
}
