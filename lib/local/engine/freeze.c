/* SPDX-License-Identifier: MIT */
/* Holding all processes of an instance: by its control group, else by signals until nothing new
 * appears. */
#include "sandbox.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <base/time.h>
#include <starverse/common.h>

#define FREEZE_MS 10000 /* on a busy machine a process notices a signal when it is its turn */

struct halting {
	pid_t init;
	int sig, busy;
};

/* The state letter of a process; 0 when it is gone. */
static char state_of(pid_t pid)
{
	char path[64], buf[512], *p;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (sv_file_read(path, buf, sizeof(buf), NULL))
		return 0;
	p = strrchr(buf, ')');
	return p && p[1] ? p[2] : 0;
}

static void halt_one(pid_t pid, void *data)
{
	struct halting *h = data;
	char state;

	if (pid == h->init && h->sig == SIGSTOP)
		return; /* it only waits; and a stop must reach it */
	state = state_of(pid);
	if (h->sig == SIGSTOP && (state == 'T' || state == 't' || state == 'Z' || !state))
		return;
	h->busy++;
	kill(pid, h->sig);
}

static int freeze_by_signals(const struct proc *init, int frozen)
{
	uint64_t ns = sv_proc_ns(init->pid, "pid");
	struct halting h = { .init = init->pid, .sig = frozen ? SIGSTOP : SIGCONT };

	if (!ns)
		return SV_FAILED;
	for (int64_t end = sv_mono_ms() + FREEZE_MS; sv_mono_ms() < end;) {
		h.busy = 0;
		sv_ns_each(ns, halt_one, &h);
		if (!frozen || !h.busy)
			return SV_OK;
		usleep(2000);
	}
	if (frozen) { /* the others must not stand still for the one that does not */
		h.sig = SIGCONT;
		sv_ns_each(ns, halt_one, &h);
	}
	return SV_FAILED;
}

int sv_box_freeze(const struct engine *e, const char *id, const struct proc *init, int frozen)
{
	int code = sv_cgroup_freeze(e, id, frozen);

	/* One way only: what both had stopped, one alone would not thaw. */
	return code == SV_UNSUPPORTED ? freeze_by_signals(init, frozen) : code;
}
