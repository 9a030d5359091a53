/* SPDX-License-Identifier: MIT */
/* What the files of the sandbox engine share. The daemon's process keeps only descriptors and pids;
 * everything that enters a namespace or takes long runs in a forked job (job.c) that reads its
 * facts from the state directory. */
#ifndef SV_LOCAL_SANDBOX_H
#define SV_LOCAL_SANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <local/engine.h>

#include "tree.h"

#define BOX_ID_MAX     64         /* an id with its NUL */
#define BOX_PATH_MAX   1024       /* a path of the state directory, or one inside an instance */
#define BOX_SMALL_FILE 65536      /* a file of our own state */
#define BOX_LAYERS_MAX 64         /* layers under one instance */
#define BOX_MOUNTS_MAX 128        /* mounts of one instance, ours included */
#define BOX_KEYS_MAX   262144     /* all public keys of one instance */
#define BOX_ENV_MAX    262144     /* the whole environment of one instance */
#define BOX_EXEC_MAX   (16 << 20) /* highest ceiling of a captured stream */
#define BOX_PORT_FIRST \
	20000 /* below the ephemeral ports, so that nobody is given ours by chance \
	       */
#define BOX_PORT_LAST  29999
#define BOX_MAP_FIRST  100000 /* root: where root inside is outside */
#define BOX_MAP_COUNT  65536
#define BOX_TREE_DEPTH 200               /* of a copied tree */
#define BOX_LOG_MAX    ((off_t)64 << 20) /* of a start-up log; a start begins a full one anew */

/* What epoll answers with: whose descriptor it is. */
struct watch {
	void (*ready)(struct engine *e, struct watch *w);
	void *owner;
};

/* A process that outlives us: the pid alone could be somebody else's by now. */
struct proc {
	pid_t pid;      /* 0: none */
	uint64_t start; /* clock ticks since boot, from /proc/PID/stat */
};

struct box {
	char id[BOX_ID_MAX];
	struct proc init;
	int pidfd, listener; /* -1 when none */
	int port;
	int stopping; /* its end was asked for: not lost */
	struct watch on_exit, on_dial;
	int64_t cpu_ticks, cpu_at_ms; /* of the last metrics call; -1 when there was none */
	struct box *next;
};

/* Sums over the processes of one pid namespace. */
struct usage {
	uint64_t ns;
	int64_t ticks, waited_ns, ram, read, written;
	int processes;
};

struct holder {
	struct proc proc;
	unsigned map_count; /* ids that the user namespace has, 1 without subordinate ones */
};

struct job;
struct child;
struct task;

struct engine {
	char *state, *library;
	int64_t grace_ms;
	void (*lost)(void *data, const char *instance, const struct engine_status *status);
	void (*task_ended)(void *data, const char *task);
	void *data;
	int epoll;
	int as_root;
	int prepared; /* what the first start needs is made, or being made */
	struct holder holder;
	struct box *boxes;
	struct job *jobs;
	struct child *children; /* that serve ssh connections */
	struct task *tasks;     /* that are watched */
	struct usage *usage;
	size_t n_usage;
	int64_t usage_at_ms;
};

/* The arguments of every job; a fork copies what they point to. */
struct work {
	const char *id;
	const struct engine_spec *spec;
	const struct engine_mount *mount;
	const char *layer, *path;
	const struct engine_task *task;
	const char *const *argv;
	int64_t bytes, timeout_ms;
	size_t ceiling;
	int flag;
};

/* job.c */
typedef int job_body(struct engine *e, const struct work *w, struct engine_result *r);
typedef void job_after(struct engine *e, const char *id, struct engine_result *r);
struct job_kind {
	job_body *body;   /* in the child; its code becomes r->code */
	job_after *after; /* in the daemon, before done; or NULL */
	int queued;       /* waits for earlier queued jobs of the same id */
};
int sv_work_start(struct engine *e, const struct job_kind *kind, const struct work *w,
	engine_done *done, void *data);
void sv_works_drop(struct engine *e);
int sv_fail(struct engine_result *r, int code, const char *wire, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int sv_fail_errno(struct engine_result *r, const char *what);
/* Runs a program with its output thrown away; waits. 0, or -1 with errno, or its exit status. */
int sv_run_program(const char *const *argv);

/* path.c: ids, paths, small files */
int sv_id_valid(const char *id);
int sv_inside_path_valid(const char *path);
int sv_state_path(const struct engine *e, char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
int sv_file_read(const char *path, char *buf, size_t size, size_t *ret_len);
int sv_file_write(const char *path, const void *data, size_t len, mode_t mode);
int sv_dirs_make(const char *path, mode_t mode);
const char *sv_errno_text(int error);

/* proc.c */
int sv_proc_start(pid_t pid, uint64_t *ret);
int sv_proc_alive(const struct proc *p);
int sv_proc_read(const char *path, struct proc *ret, char *rest, size_t size);
int sv_proc_write(const char *path, const struct proc *p, const char *rest);
void sv_signal_ignore(int sig);
void sv_signals_default(void);
void sv_arguments_hide(void);
int sv_pidfd_open(pid_t pid);
int sv_pidfd_kill(int fd, int sig);
int sv_pidfd_wait(int fd, int64_t timeout_ms);
uint64_t sv_proc_ns(pid_t pid, const char *name);
/* Calls each process of a pid namespace; returns how many there were. */
int sv_ns_each(uint64_t ns, void (*each)(pid_t pid, void *data), void *data);

/* holder.c, usermap.c */
int sv_holder_open(struct engine *e, char *text, size_t size);
int sv_holder_enter(const struct engine *e);
void sv_holder_close(struct engine *e);
int sv_map_write(pid_t pid, unsigned first, unsigned count, int deny_groups);
int sv_map_own(pid_t pid, unsigned *ret_count);
int sv_map_instance(const struct engine *e, pid_t pid);
int sv_map_fd(const struct engine *e);
unsigned sv_map_root(const struct engine *e);

/* tree.c */
struct tree_options {
	int shift;   /* added to owners, for a copy of the host's files */
	int overlay; /* src is an overlay's upper layer: replace, whiteouts, opaque marks */
	int lenient; /* what may not be read is left out */
	uid_t all;   /* (uid_t)-1, or the owner of everything */
};
int sv_box_tree_drop(struct engine *e, const char *path, engine_done *done, void *data);
int sv_file_copy(const char *from, const char *to);
int sv_tree_copy(const char *src, const char *dst, const struct tree_options *o, int64_t *bytes);
int64_t sv_tree_size(const char *path);

/* base.c, etc.c */
int sv_base_ensure(const struct engine *e, struct engine_result *r);
void sv_base_prepare(struct engine *e);
int sv_etc_copy(const char *dst, const struct tree_options *o);
int sv_etc_write(const char *dst, int single);

/* mounts.c */
#define TREE_RO   1
#define TREE_MAP  2 /* host root is root inside */
#define TREE_DEEP 4 /* with the mounts below it */
#define TREE_DEV  8 /* a device node */
int sv_mount_clone(const char *path, int flags, int map_fd);
int sv_mount_place(int fd, const char *path);
int sv_mount_remount(const char *path, unsigned long flags);

/* root.c */
struct root_mount {
	int fd;
	int is_file;
	char path[BOX_PATH_MAX];
};
struct root_plan {
	int usr, base, disk, library, run, ssh, sshd; /* detached mounts, -1 when none */
	int dev[6];
	int layers[BOX_LAYERS_MAX];
	size_t n_layers, n_mounts;
	struct root_mount mounts[BOX_MOUNTS_MAX];
	const char *hostname;
	const char *const *env;
	int outbound;
};
int sv_root_make(const struct root_plan *p, char *text, size_t size);

/* init.c */
struct init_plan {
	struct root_plan root;
	const char *command;
	const char *const *env;
	int wait_fd, ready_fd, log_fd, status_fd, network_fd;
	int single, as_root;
};
void sv_init_run(struct init_plan *p) __attribute__((noreturn));

/* enter.c */
int sv_box_enter(const struct engine *e, const char *id, const struct proc *init);
int sv_box_confine(int single);
int sv_box_single(const struct engine *e);
void sv_exec_inside(const char *const *argv, const char *const *env, int single)
	__attribute__((noreturn));
const char *const *sv_env_load(const struct engine *e, const char *id);
int sv_env_save(const struct engine *e, const struct engine_spec *s);

/* seccomp.c */
int sv_seccomp_install(void);

/* box.c */
struct box *sv_box_find(struct engine *e, const char *id);
struct box *sv_box_take(struct engine *e, const char *id);
void sv_box_drop(struct engine *e, struct box *b);
int sv_box_read(
	const struct engine *e, const char *id, struct proc *ret, char *network, size_t size);
int sv_box_exists(const struct engine *e, const char *id);
int sv_box_adopt(struct engine *e, const char *id);
int sv_box_lock(const struct engine *e, const char *id, struct engine_result *r);
int sv_box_paused(const struct engine *e, const char *id);
void sv_box_forget_process(struct engine *e, struct box *b);
int sv_box_status(struct engine *e, const char *id, struct engine_status *ret);
int sv_watch_add(struct engine *e, int fd, struct watch *w);

/* life.c, start.c, stop.c */
int sv_box_create(struct engine *e, const struct engine_spec *s, engine_done *done, void *data);
int sv_box_start(struct engine *e, const struct engine_spec *s, engine_done *done, void *data);
int sv_box_stop(struct engine *e, const char *id, engine_done *done, void *data);
int sv_box_adjust(
	struct engine *e, const struct engine_spec *s, engine_done *done, void *data);
int sv_box_destroy(struct engine *e, const char *id, engine_done *done, void *data);
int sv_box_pause(struct engine *e, const char *id, int frozen, engine_done *done, void *data);
int sv_box_files(struct engine *e, const struct engine_spec *s, struct engine_result *r);
int sv_box_end(struct engine *e, const char *id, struct engine_result *r);

/* freeze.c */
int sv_box_freeze(const struct engine *e, const char *id, const struct proc *init, int frozen);

/* cgroup.c */
#define HELD_RAM  1
#define HELD_CPU  2
#define HELD_PIDS 4
#define HELD_DISK 8
unsigned sv_cgroup_caps(void);
int sv_cgroup_join(const struct engine *e, const char *id);
unsigned sv_cgroup_make(const struct engine *e, const struct engine_spec *s);
int sv_cgroup_limit(const struct engine *e, const struct engine_spec *s);
int sv_cgroup_freeze(const struct engine *e, const char *id, int frozen);
void sv_cgroup_drop(const struct engine *e, const char *id);

/* ssh.c, sshd.c */
int sv_sshd_find(const struct engine *e, char *tree, size_t size);
int sv_sshd_ensure(const struct engine *e, struct engine_result *r);
void sv_sshd_prepare(struct engine *e);
int sv_ssh_files(const struct engine *e, const struct engine_spec *s, struct engine_result *r);
int sv_ssh_keys(const struct engine *e, const char *id, const char *const *keys);
int sv_ssh_listen(struct engine *e, struct box *b, int wanted);
void sv_children_reap(struct engine *e);
void sv_children_drop(struct engine *e);
int sv_ssh_host_key(const struct engine *e, const char *id, char *buf, size_t size);
int sv_ssh_login(struct engine *e, const char *id, engine_done *done, void *data);
int sv_ssh_login_key(const struct engine *e);

/* exec.c */
int sv_box_exec(struct engine *e, const char *id, const char *const *argv, int64_t timeout_ms,
	size_t ceiling, engine_done *done, void *data);

/* task.c: what the daemon does of tasks */
int sv_task_start(struct engine *e, const char *id, const struct engine_task *t, engine_done *done,
	void *data);
int sv_task_stop(struct engine *e, const char *id, const char *task);
int sv_task_status(
	struct engine *e, const char *id, const char *task, struct engine_task_status *ret);
int sv_task_watch(struct engine *e, const char *id, const char *task);
int sv_task_path(struct engine *e, const char *task, const char *name, char *path, size_t size);
int sv_task_drop(struct engine *e, const char *task);
void sv_tasks_drop(struct engine *e);
/* task-run.c: the process inside that begins a task, looks after it, and writes down how it ended.
 * fds: log, metrics, run, exit, ready. */
enum { TASK_LOG, TASK_METRICS, TASK_RUN, TASK_EXIT, TASK_READY, TASK_FDS };
struct task_plan {
	const struct engine_task *task;
	const char *const *env;
	int fds[TASK_FDS];
	int single;
	int64_t grace_ms;
};
void sv_task_supervise(struct task_plan *p) __attribute__((noreturn));

/* task-watch.c: what it uses and what it measures, looked at from inside */
struct task_look {
	pid_t session;
	int64_t peak;      /* bytes, -1: nothing seen yet */
	const char *file;  /* of the lines to pass on */
	uint64_t inode;
	int64_t offset;
};
void sv_task_memory(struct task_look *l);
void sv_task_lines_begin(struct task_look *l);
/* All (1): what has no end is a line, too, since there will be no more. most: of the file's blocks;
 * 0: no ceiling. */
void sv_task_lines(struct task_look *l, int to, int64_t most, int all);

/* task-log.c */
struct task_log {
	int from, said; /* the pipe's ends */
	int to, metrics; /* metrics: -1: nothing is measured */
	int64_t size, most; /* bytes in the log, and its ceiling; 0: none */
	int over;           /* nobody is left to say anything */
	int full, lost;     /* at the ceiling; something could not be written */
	size_t n;           /* of a line behind the ceiling */
	int skip;           /* which is not one from its beginning on */
	char line[4096];
};
/* said is for the command alone: close it. */
int sv_task_log_open(struct task_log *l, int log, int metrics, int64_t most);
/* Takes what was said; returns when there is nothing more, or so that others have a turn. */
void sv_task_log_turn(struct task_log *l);
/* When the command has ended: what it has left running is listened to by a process of its own. */
void sv_task_log_rest(struct task_log *l);
/* 1 when the file may grow. */
int sv_task_room(int fd, int64_t most);

/* network.c */
int sv_network_usable(void);
int sv_network_start(const struct engine *e, pid_t pid, int exit_fd);
int sv_loopback_up(void);

/* ext4.c */
int sv_ext4_usable(const struct engine *e);
int sv_ext4_make(
	const char *file, int64_t bytes, uid_t owner, int grows, struct engine_result *r);
int sv_ext4_mount(const struct engine *e, const char *file, const char *at);
int sv_ext4_unmount(const struct engine *e, const char *file, const char *at);
int sv_ext4_grow_mounted(const char *at, int64_t bytes);
int sv_ext4_grow(const char *file);
int sv_is_mounted(const char *path);

/* system.c */
int sv_system_show(
	const struct engine *e, const char *id, int64_t bytes, struct engine_result *r);
int64_t sv_system_promised(const struct engine *e);
int sv_system_held(const struct engine *e, const char *id);
void sv_system_drop(const struct engine *e, const char *id);

/* disk.c, loop.c, attach.c */
int sv_box_disk_make(struct engine *e, const char *disk, int64_t bytes, const char *from,
	engine_done *done, void *data);
int sv_box_disk_drop(struct engine *e, const char *disk, engine_done *done, void *data);
int sv_disk_show(
	struct engine *e, const char *disk, char *path, size_t size, struct engine_result *r);
int sv_disk_exists(const struct engine *e, const char *disk);
void sv_disk_release(struct engine *e, const char *disk);
int sv_loop_attach(const char *image, char *device, size_t size);
int sv_loop_grow(const char *device);
int sv_mount_of(pid_t pid, const char *path, char *device, size_t size);
int sv_sees(pid_t pid, const char *device, const char *tail);
int sv_disk_seen(const struct engine *e, const char *disk, pid_t pid);
int sv_box_attach(struct engine *e, const char *id, const struct engine_mount *m, engine_done *done,
	void *data);
int sv_box_detach(struct engine *e, const char *id, const struct engine_mount *m, engine_done *done,
	void *data);
int sv_mount_source(
	struct engine *e, const struct engine_mount *m, int map_fd, struct engine_result *r);

/* layer.c */
int sv_layer_make(
	struct engine *e, const char *of, const char *layer, engine_done *done, void *data);
int sv_layer_drop(struct engine *e, const char *layer, engine_done *done, void *data);

/* metrics.c */
int sv_box_metrics(struct engine *e, const char *id, struct engine_metrics *ret);

/* probe.c */
int sv_sandbox_probe(unsigned *caps, char *text, size_t size);

#endif
