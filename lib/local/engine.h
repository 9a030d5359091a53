/* SPDX-License-Identifier: MIT */
/*
 * What makes an instance real. The platform above knows an engine only by this table. An engine
 * keeps no money, no names and no account: ids, layers, mounts, processes. Every call is safe to
 * repeat after a crash of the daemon: making what exists, removing what is gone and starting what
 * runs succeed.
 */
#ifndef SV_LOCAL_ENGINE_H
#define SV_LOCAL_ENGINE_H

#include <stddef.h>
#include <stdint.h>

struct engine;

/* Capability bits: what the command line may promise before it tries. */
enum engine_cap {
	ENGINE_SSH = 1 << 0,        /* one can log in */
	ENGINE_EXEC = 1 << 1,       /* commands run inside */
	ENGINE_HOTPLUG = 1 << 2,    /* disks come and go while it runs */
	ENGINE_SNAPSHOT = 1 << 3,   /* layers can be copied */
	ENGINE_DISK_LIMIT = 1 << 4, /* a data disk holds its size */
	ENGINE_CPU_LIMIT = 1 << 5,  /* vcpus are held */
	ENGINE_RAM_LIMIT = 1 << 6,  /* ram is held */
	ENGINE_NETWORK = 1 << 7,    /* "outbound" is possible */
	ENGINE_PAUSE = 1 << 8,      /* processes can be frozen */
	ENGINE_SYSTEM_LIMIT = 1 << 10, /* a system disk holds its size */
	ENGINE_INSTANT = 1 << 9,    /* every call is complete when it returns (engine "none") */
};

/* One thing seen inside an instance. A disk is named by its engine id; everything else is a host
 * directory. */
struct engine_mount {
	const char *disk;   /* disk id, or NULL */
	const char *source; /* host directory, or NULL when disk is set */
	const char *path;   /* absolute path inside */
	int read_only;
};

/* What an instance is, complete at every start. Borrowed for the length of the call. */
struct engine_spec {
	const char *id;            /* instance id, [a-z0-9_]+ */
	const char *hostname;      /* a valid host name made from the instance's name */
	const char *const *layers; /* snapshot/image layer ids under the fresh upper one, top first;
				      NULL-ended */
	const char *const *env;    /* "KEY=value", NULL-ended; also seen by ssh logins and exec */
	const char *const *authorized; /* public key lines, NULL-ended */
	const struct engine_mount *mounts;
	size_t n_mounts;
	const char *command; /* start-up command for sh -c, or NULL */
	const char *network; /* "outbound" or "none" */
	const char *run_dir; /* host directory seen as /run/starverse (read-only inside), or NULL */
	int vcpus;           /* 0: no limit */
	int64_t ram_bytes;   /* 0: no limit */
	int64_t system_disk_bytes; /* 0: no limit */
	int ssh_port;              /* port it had before, or 0 */
};

enum engine_state {
	ENGINE_ABSENT,  /* no files */
	ENGINE_STOPPED, /* files, no process */
	ENGINE_RUNNING, /* init runs */
	ENGINE_PAUSED,  /* frozen */
};

struct engine_status {
	int state;
	int ssh_port;       /* 0 when none */
	char host_key[512]; /* "ssh-ed25519 AAAA...", or "" */
	char network[16];   /* what it really has: "outbound" or "none" */
	char unheld[128];   /* limits that are not held, comma separated: "ram,cpu,disk", or "" */
	int64_t pid;        /* init's pid in the host's view, or 0 */
	int64_t exited_at;  /* when init ended, seconds, or 0 when not known */
	int exit_status;    /* wait status of the start-up command, or -1 */
};

/* A figure that is not measured is -1. */
struct engine_metrics {
	double cpu_percent; /* of one core, since the last call */
	int64_t ram_bytes;
	int64_t read_bytes, write_bytes;
	int processes;
	int64_t cpu_ms; /* of its processes since they began; what ended without a parent is lost */
	int64_t wait_ms; /* so long they could have run, and others did: on a full host */
};
#define ENGINE_UNMEASURED { -1, -1, -1, -1, -1, -1, -1 }

/* How a call ended. code 0 is success; otherwise a negative enum sv_code (SV_CONFLICT with wire
 * "disk_busy" when a disk is in use, SV_INVALID, SV_NOTFOUND, SV_FAILED ...), and message says what
 * happened in the user's words. */
struct engine_result {
	int code;
	char wire[40];
	char message[240];
	int64_t bytes;   /* size of what was made, or -1 */
	int exit_code;   /* exec: 0-255, 128+n after a signal */
	char *out, *err; /* exec: captured, NUL-ended, owned by the engine until done returns */
	size_t out_len, err_len;
	int truncated; /* exec: a stream was longer than its ceiling, or the time ran out */
};

/* Called exactly once for each accepted call, from tick (or before the call returns, for
 * ENGINE_INSTANT). */
typedef void engine_done(void *data, const struct engine_result *result);

/* A command that runs inside under the engine's care, whoever is there to see its end. Borrowed for
 * the length of the call. */
struct engine_task {
	const char *id; /* [a-z0-9_]+ */
	const char *const *argv, *const *env; /* env: on top of the instance's own, NULL-ended */
	const char *workdir;                  /* made when it is not there */
	const char *keep; /* directory that is written to its disk from time to time, or NULL */
	int keep_seconds;
	int64_t log_most; /* bytes that its log keeps, and so many of what it measures and nobody
			     has read yet; 0: no ceiling */
};

enum engine_task_state {
	ENGINE_TASK_ABSENT,  /* was never begun */
	ENGINE_TASK_RUNNING, /* its command runs */
	ENGINE_TASK_ENDED,   /* with exit_code, or, when that is -1, with its instance */
};

struct engine_task_status {
	int state;
	int exit_code;                /* 0-255, 128+n after a signal, -1: not known */
	int64_t started_at, ended_at; /* seconds, 0: not known */
	int64_t peak_bytes;           /* most memory in use at once, -1: not measured */
	int64_t lasts; /* a record's length in seconds, known beforehand; -1: it ends by itself */
};

struct engine_config {
	const char *state_dir; /* everything the engine keeps lies below it */
	const char *library;   /* read-only public models and datasets, bound at /library inside; or
				  NULL */
	int64_t grace_ms;      /* between TERM and KILL; 0: 3000 */
	/* Says that an instance ended, or that its processes are gone, without anybody asking. */
	void (*lost)(void *data, const char *instance, const struct engine_status *status);
	/* Says that a watched task has ended: task_status tells the rest. */
	void (*task_ended)(void *data, const char *task);
	void *data;
};

struct engine_ops {
	const char *name;

	/* Really tries what the engine needs, in a child. 0, or a negative code with text naming
	 * what is missing and what would bring it. Also fills caps. */
	int (*probe)(unsigned *caps, char *text, size_t size);

	int (*open)(
		const struct engine_config *config, struct engine **ret, char *text, size_t size);
	void (*close)(struct engine *e); /* instances go on running */

	/* Life cycle. Each returns 0 when accepted, and done follows; else a negative code and done
	 * is not called. */
	int (*create)(struct engine *e, const struct engine_spec *s, engine_done *done,
		void *data); /* files only */
	int (*start)(struct engine *e, const struct engine_spec *s, engine_done *done, void *data);
	int (*stop)(struct engine *e, const char *id, engine_done *done, void *data);
	/* What runs takes other limits, and what enters it from now on another environment. NULL:
	 * only a start does. */
	int (*adjust)(struct engine *e, const struct engine_spec *s, engine_done *done, void *data);
	int (*destroy)(struct engine *e, const char *id, engine_done *done, void *data);
	int (*pause)(struct engine *e, const char *id, int frozen, engine_done *done, void *data);
	int (*login)(struct engine *e, const char *id, engine_done *done,
		void *data); /* a real ssh login works */
	int (*status)(struct engine *e, const char *id, struct engine_status *ret); /* at once */
	int (*adopt)(struct engine *e,
		const char *id); /* after a restart: watch it again; SV_NOTFOUND when gone */

	int (*exec)(struct engine *e, const char *id, const char *const *argv, int64_t timeout_ms,
		size_t ceiling, engine_done *done, void *data);
	int (*authorize)(struct engine *e, const char *id,
		const char *const *keys); /* replace the public keys */

	int (*disk_make)(struct engine *e, const char *disk, int64_t bytes, const char *from_layer,
		engine_done *done, void *data); /* also grows an existing one to bytes */
	int (*disk_drop)(struct engine *e, const char *disk, engine_done *done, void *data);
	int (*attach)(struct engine *e, const char *id, const struct engine_mount *m,
		engine_done *done, void *data);
	int (*detach)(struct engine *e, const char *id, const struct engine_mount *m,
		engine_done *done, void *data);

	/* Layers: the frozen copy of an instance's system disk, or of a data disk. */
	int (*snapshot)(struct engine *e, const char *id_or_disk, const char *layer,
		engine_done *done, void *data);
	int (*layer_drop)(struct engine *e, const char *layer, engine_done *done, void *data);

	/* Removes a host directory that instances wrote to, whoever owns what is in it. */
	int (*tree_drop)(struct engine *e, const char *path, engine_done *done, void *data);
	/* For a process that was forked for it: from here on it may do with such files what their
	 * owners may. 0, or a negative code. NULL: nothing is needed. */
	int (*enter)(struct engine *e);

	int (*metrics)(struct engine *e, const char *id, struct engine_metrics *ret);
	int (*log_path)(struct engine *e, const char *id, char *path,
		size_t size); /* start-up and boot log */

	/* Tasks. Beginning one that runs, or has ended, succeeds and changes nothing. */
	int (*task_start)(struct engine *e, const char *id, const struct engine_task *t,
		engine_done *done, void *data);
	int (*task_stop)(struct engine *e, const char *id,
		const char *task); /* TERM at once, KILL after the grace; see task_ended */
	int (*task_status)(struct engine *e, const char *id, const char *task,
		struct engine_task_status *ret); /* at once */
	int (*task_watch)(struct engine *e, const char *id,
		const char *task); /* SV_NOTFOUND when it does not run */
	/* The file of what it said ("log") or measured ("metrics"); stays when the instance goes.
	 */
	int (*task_path)(
		struct engine *e, const char *task, const char *name, char *path, size_t size);
	int (*task_drop)(struct engine *e, const char *task); /* its files */

	/* The daemon's loop polls fd for reading and then calls tick; tick also runs at least once
	 * a second. */
	int (*fd)(struct engine *e);
	void (*tick)(struct engine *e);
};

extern const struct engine_ops sv_engine_sandbox, sv_engine_none;

#endif
