/* SPDX-License-Identifier: MIT */
/* The sandbox engine's disks, directories and snapshots. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox-world.h"

static void plugs_disks(void **state)
{
	struct world *w = world(state, ENGINE_HOTPLUG, "no hot-plug");
	struct engine_spec a = spec(w, "ins_a"), b = spec(w, "ins_b");
	struct engine_mount m = { .disk = "dsk_a", .path = "/data" },
			    ro = { .disk = "dsk_a", .path = "/mnt/x", .read_only = 1 };

	a.command = "while [ ! -e /data/flag ]; do sleep 0.05; done; echo seen > /data/seen";
	assert_int_equal(start(w, &a), 0);
	assert_int_equal(start(w, &b), 0);
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_a", 32 << 20, NULL, on_done, fresh(w))), 0);
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_a", 32 << 20, NULL, on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_equal(
		sh(w, "ins_a",
			"echo bytes > /data/f; touch /data/flag; "
			"until [ -s /data/seen ]; do sleep 0.02; done; cat /data/seen"),
		0);
	if (w->caps & ENGINE_DISK_LIMIT) {
		assert_int_not_equal(sh(w, "ins_a", "head -c 60000000 /dev/zero > /data/big"), 0);
		assert_non_null(strstr(w->reply.err, "No space left"));
		sh(w, "ins_a", "rm /data/big");
	}
	/* A second one reads the same bytes, and cannot write. */
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_b", &ro, on_done, fresh(w))), 0);
	assert_int_equal(sh(w, "ins_b", "cat /mnt/x/f"), 0);
	assert_string_equal(w->reply.out, "bytes\n");
	assert_int_not_equal(sh(w, "ins_b", "touch /mnt/x/no"), 0);
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_b", &ro, on_done, fresh(w))), 0);
	/* Busy: refused, with the culprit's name. */
	sh(w, "ins_a",
		"(cd /data; exec setsid sleep 50 >/dev/null 2>&1 </dev/null) & "
		"until [ \"$(cat /proc/$!/comm)\" = sleep ]; do :; done");
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_a", &m, on_done, fresh(w))), SV_CONFLICT);
	assert_string_equal(w->reply.r.wire, "disk_busy");
	assert_non_null(strstr(w->reply.r.message, "sleep"));
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_a", on_done, fresh(w))), SV_CONFLICT);
	sh(w, "ins_a", "pkill -x sleep; while pgrep -x sleep; do :; done");
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_not_equal(sh(w, "ins_a", "test -e /data/f"), 0);
	/* It grows, and goes on with its bytes, in the list of a start. */
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_a", 64 << 20, NULL, on_done, fresh(w))), 0);
	assert_int_equal(stop(w, "ins_b"), 0);
	b.mounts = &m;
	b.n_mounts = 1;
	assert_int_equal(start(w, &b), 0);
	assert_int_equal(sh(w, "ins_b", "cat /data/f && head -c 40000000 /dev/zero > /data/g"), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(destroy(w, "ins_b"), 0);
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_a", on_done, fresh(w))), 0);
}

static void plugs_directories(void **state)
{
	struct world *w = world(state, ENGINE_HOTPLUG, "no hot-plug");
	struct engine_spec s = spec(w, "ins_a");
	char dir[256], line[600], out[64];
	struct engine_mount m = { .source = dir, .path = "/storage" };

	snprintf(dir, sizeof(dir), "%s/shared", w->dir);
	assert_int_equal(mkdir(dir, 0700), 0);
	snprintf(line, sizeof(line), "umask 077; echo token > %s/token", dir);
	host(w, out, sizeof(out), line);
	s.run_dir = dir;
	assert_int_equal(start(w, &s), 0);
	assert_int_equal(sh(w, "ins_a", "cat /run/starverse/token && ! touch /run/starverse/x"), 0);
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_equal(sh(w, "ins_a", "cat /storage/token && echo back > /storage/back"), 0);
	snprintf(line, sizeof(line), "cat %s/back", dir);
	assert_int_equal(host(w, out, sizeof(out), line), 0);
	assert_string_equal(out, "back\n");
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
}

static void keeps_snapshots(void **state)
{
	struct world *w = world(state, ENGINE_SNAPSHOT, "no snapshots");
	struct engine_spec a = spec(w, "ins_a"), b = spec(w, "ins_b");
	const char *first[] = { "snp_a", NULL }, *second[] = { "snp_b", NULL };
	struct engine_mount m = { .disk = "dsk_b", .path = "/data" };

	assert_int_equal(start(w, &a), 0);
	assert_int_equal(sh(w, "ins_a",
				 "echo one > /root/f; ln /root/f /root/g; rm /etc/debian_version; "
				 "rm -rf /usr/share/doc/bash; "
				 "mkdir -p /opt/x && ln -s f /opt/x/l"),
		0);
	assert_int_equal(ended(w, w->o->snapshot(w->e, "ins_a", "snp_a", on_done, fresh(w))), 0);
	assert_true(w->reply.r.bytes > 0);
	assert_int_equal(status(w, "ins_a").state, ENGINE_RUNNING);
	assert_int_equal(sh(w, "ins_a", "echo later > /root/f"), 0);
	b.layers = first;
	assert_int_equal(start(w, &b), 0);
	assert_int_equal(sh(w, "ins_b",
				 "cat /root/f /root/g; readlink /opt/x/l; ls /etc/debian_version "
				 "/usr/share/doc/bash 2>&1 "
				 "| grep -c 'No such'"),
		0);
	assert_string_equal(w->reply.out, "one\none\nf\n2\n");
	assert_int_equal(sh(w, "ins_b",
				 "rm /root/g; echo two > /root/h; rm -r /opt/x; mkdir /opt/x; "
				 "touch /opt/x/new"),
		0);
	assert_int_equal(ended(w, w->o->snapshot(w->e, "ins_b", "snp_b", on_done, fresh(w))), 0);
	assert_int_equal(destroy(w, "ins_b"), 0);
	assert_int_equal(ended(w, w->o->layer_drop(w->e, "snp_a", on_done, fresh(w))), 0);
	b.layers = second; /* stands alone: what was below it is gone */
	assert_int_equal(start(w, &b), 0);
	assert_int_equal(sh(w, "ins_b",
				 "cat /root/f /root/h; ls /root/g 2>/dev/null; ls /opt/x; ls "
				 "/etc/debian_version 2>/dev/null"),
		2);
	assert_string_equal(w->reply.out, "one\ntwo\nnew\n");
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_a", 16 << 20, NULL, on_done, fresh(w))), 0);
	m.disk = "dsk_a";
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_b", &m, on_done, fresh(w))), 0);
	sh(w, "ins_b", "echo disk > /data/d");
	assert_int_equal(ended(w, w->o->snapshot(w->e, "dsk_a", "snp_d", on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->detach(w->e, "ins_b", &m, on_done, fresh(w))), 0);
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_b", 16 << 20, "snp_d", on_done, fresh(w))), 0);
	m.disk = "dsk_b";
	assert_int_equal(ended(w, w->o->attach(w->e, "ins_b", &m, on_done, fresh(w))), 0);
	assert_int_equal(sh(w, "ins_b", "cat /data/d"), 0);
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(destroy(w, "ins_b"), 0);
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_a", on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_b", on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->layer_drop(w->e, "snp_b", on_done, fresh(w))), 0);
	assert_int_equal(ended(w, w->o->layer_drop(w->e, "snp_d", on_done, fresh(w))), 0);
}

static void holds_a_system_disk(void **state)
{
	struct world *w = *state;
	struct engine_spec a = spec(w, "ins_a"), b = spec(w, "ins_b");
	const char *layers[] = { "snp_a", NULL };

	/* Not skip(): cmocka tells that as "not ok", and an ordinary user never has it. */
	if (!w->e || !(w->caps & ENGINE_SYSTEM_LIMIT)) {
		print_message("# skipped: system disks are not held\n");
		return;
	}
	a.system_disk_bytes = 64 << 20;
	assert_int_equal(start(w, &a), 0);
	assert_null(strstr(status(w, "ins_a").unheld, "disk"));
	assert_int_not_equal(sh(w, "ins_a", "head -c 100000000 /dev/zero > /root/big"), 0);
	assert_non_null(strstr(w->reply.err, "No space left"));
	assert_int_equal(sh(w, "ins_a", "rm /root/big && echo kept > /root/f"), 0);
	assert_int_equal(stop(w, "ins_a"), 0);
	assert_int_equal(ended(w, w->o->snapshot(w->e, "ins_a", "snp_a", on_done, fresh(w))), 0);
	/* Another daemon, and nothing was running meanwhile: what held the mounts has gone too. */
	w->o->close(w->e);
	assert_int_equal(open_engine(w), 0);
	assert_int_equal(start(w, &a), 0);
	assert_int_equal(sh(w, "ins_a", "cat /root/f"), 0);
	assert_string_equal(w->reply.out, "kept\n");
	assert_int_equal(destroy(w, "ins_a"), 0);
	/* More than this machine has: a directory, and it says so. */
	b.layers = layers;
	b.system_disk_bytes = INT64_C(1) << 60;
	assert_int_equal(start(w, &b), 0);
	assert_non_null(strstr(status(w, "ins_b").unheld, "disk"));
	assert_int_equal(sh(w, "ins_b", "cat /root/f"), 0);
	assert_int_equal(destroy(w, "ins_b"), 0);
	assert_int_equal(ended(w, w->o->layer_drop(w->e, "snp_a", on_done, fresh(w))), 0);
}

/* A disk that leaves one instance and comes to another at once, again and again: nothing that was
 * written is still on its way. */
static void moves_disks_whole(void **state)
{
	struct world *w = world(state, ENGINE_HOTPLUG, "no hot-plug");
	struct engine_spec a = spec(w, "ins_a");
	struct engine_mount m = { .disk = "dsk_m", .path = "/data" };
	char line[200];

	assert_int_equal(start(w, &a), 0);
	assert_int_equal(
		ended(w, w->o->disk_make(w->e, "dsk_m", 64 << 20, NULL, on_done, fresh(w))), 0);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(ended(w, w->o->attach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
		assert_int_equal(sh(w, "ins_a", "ls /data | wc -l"), 0);
		snprintf(line, sizeof(line), "%d\n", i * 50);
		assert_string_equal(w->reply.out, line);
		snprintf(line, sizeof(line),
			"for n in $(seq 50); do head -c 20000 /dev/zero > /data/%d.$n; done", i);
		assert_int_equal(sh(w, "ins_a", line), 0);
		assert_int_equal(ended(w, w->o->detach(w->e, "ins_a", &m, on_done, fresh(w))), 0);
	}
	assert_int_equal(destroy(w, "ins_a"), 0);
	assert_int_equal(ended(w, w->o->disk_drop(w->e, "dsk_m", on_done, fresh(w))), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plugs_disks),
		cmocka_unit_test(plugs_directories),
		cmocka_unit_test(keeps_snapshots),
		cmocka_unit_test(holds_a_system_disk),
		cmocka_unit_test(moves_disks_whole),
		cmocka_unit_test(leaves_nothing),
	};

	return cmocka_run_group_tests_name("sandbox-disk", tests, set_up, tear_down);
}
