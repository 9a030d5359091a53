/* SPDX-License-Identifier: MIT */
/* The sandbox engine by hand: sandbox-try STATE COMMAND [ARG...], one command a run; `serve` stays and answers ssh. */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/time.h>
#include <local/engine.h>

struct waiting {
	int over, code;
};

static void done(void *data, const struct engine_result *r)
{
	struct waiting *w = data;

	w->over = 1;
	w->code = r->code;
	if (r->code)
		printf("code %d wire '%s': %s\n", r->code, r->wire, r->message);
	if (r->bytes >= 0)
		printf("bytes %lld\n", (long long)r->bytes);
	if (r->out && r->out_len)
		fwrite(r->out, 1, r->out_len, stdout);
	if (r->err && r->err_len)
		fwrite(r->err, 1, r->err_len, stderr);
	if (r->exit_code)
		printf("exit %d%s\n", r->exit_code, r->truncated ? " truncated" : "");
}

static void lost(void *data, const char *id, const struct engine_status *s)
{
	(void)data;
	printf("lost %s (status of its command: %d)\n", id, s->exit_status);
	fflush(stdout);
}

static int wait_for(const struct engine_ops *o, struct engine *e, int code, struct waiting *w)
{
	int64_t begin = sv_mono_ms();

	if (code) {
		printf("refused: %d\n", code);
		return 1;
	}
	while (!w->over) {
		struct pollfd p = { .fd = o->fd(e), .events = POLLIN };

		poll(&p, 1, 1000);
		o->tick(e);
	}
	printf("# %lld ms\n", (long long)(sv_mono_ms() - begin));
	return w->code != 0;
}

static void show(const struct engine_ops *o, struct engine *e, const char *id)
{
	struct engine_status s;

	if (!o->status(e, id, &s))
		printf("state %d port %d key %s network %s unheld '%s' pid %lld ended %lld exit %d\n", s.state, s.ssh_port,
			s.host_key, s.network, s.unheld, (long long)s.pid, (long long)s.exited_at, s.exit_status);
}

static int run(const struct engine_ops *o, struct engine *e, int argc, char **argv)
{
	const char *command = argv[0], *id = argc > 1 ? argv[1] : "box_1";
	const char *env[] = { "STARVERSE_GPU=rtx-4090", "STARVERSE_GPU_COUNT=4", "STARVERSE_BACKEND=cuda", "A=b \"c\" $d", NULL };
	const char *keys[] = { getenv("TRY_KEY") ? getenv("TRY_KEY") : "", NULL };
	const char *layers[] = { getenv("TRY_LAYER"), NULL };
	struct engine_mount m = { .disk = argc > 2 ? argv[2] : NULL, .path = argc > 3 ? argv[3] : NULL };
	struct engine_spec s = { .id = id, .hostname = id, .env = env, .authorized = keys, .network = "outbound",
		.layers = layers, .run_dir = getenv("TRY_RUN"), .command = getenv("TRY_COMMAND"), .vcpus = 2, .ram_bytes = 256 << 20 };
	struct waiting w = { 0 };
	struct engine_metrics x;

	if (m.disk && m.disk[0] == '/') {
		m.source = m.disk;
		m.disk = NULL;
	}
	o->adopt(e, id);
	if (!strcmp(command, "create"))
		return wait_for(o, e, o->create(e, &s, done, &w), &w);
	if (!strcmp(command, "start")) {
		int bad = wait_for(o, e, o->start(e, &s, done, &w), &w);

		show(o, e, id);
		return bad;
	}
	if (!strcmp(command, "stop"))
		return wait_for(o, e, o->stop(e, id, done, &w), &w);
	if (!strcmp(command, "destroy"))
		return wait_for(o, e, o->destroy(e, id, done, &w), &w);
	if (!strcmp(command, "pause") || !strcmp(command, "thaw"))
		return wait_for(o, e, o->pause(e, id, command[0] == 'p', done, &w), &w);
	if (!strcmp(command, "login"))
		return wait_for(o, e, o->login(e, id, done, &w), &w);
	if (!strcmp(command, "exec"))
		return wait_for(o, e, o->exec(e, id, (const char *const *)argv + 2, 60000, 65536, done, &w), &w);
	if (!strcmp(command, "disk"))
		return wait_for(o, e, o->disk_make(e, id, (argc > 2 ? atoll(argv[2]) : 16) << 20, getenv("TRY_LAYER"), done, &w), &w);
	if (!strcmp(command, "drop"))
		return wait_for(o, e, o->disk_drop(e, id, done, &w), &w);
	if (!strcmp(command, "attach"))
		return wait_for(o, e, o->attach(e, id, &m, done, &w), &w);
	if (!strcmp(command, "detach"))
		return wait_for(o, e, o->detach(e, id, &m, done, &w), &w);
	if (!strcmp(command, "snapshot"))
		return wait_for(o, e, o->snapshot(e, id, argv[2], done, &w), &w);
	if (!strcmp(command, "status"))
		show(o, e, id);
	if (!strcmp(command, "metrics")) {
		o->metrics(e, id, &x);
		usleep(600000);
		if (!o->metrics(e, id, &x))
			printf("cpu %.1f ram %lld read %lld written %lld processes %d\n", x.cpu_percent, (long long)x.ram_bytes,
				(long long)x.read_bytes, (long long)x.write_bytes, x.processes);
	}
	if (!strcmp(command, "serve")) {
		for (int i = 2; i < argc; i++)
			o->adopt(e, argv[i]);
		for (;;) {
			struct pollfd p = { .fd = o->fd(e), .events = POLLIN };

			poll(&p, 1, 1000);
			o->tick(e);
		}
	}
	return 0;
}

int main(int argc, char **argv)
{
	const struct engine_ops *o = &sv_engine_sandbox;
	struct engine_config c = { .state_dir = argc > 1 ? argv[1] : NULL, .lost = lost, .library = getenv("TRY_LIBRARY") };
	char text[512] = "";
	struct engine *e;
	unsigned caps = 0;
	int64_t begin = sv_mono_ms();
	int code;

	if (argc < 3) {
		fprintf(stderr, "usage: sandbox-try STATE probe|create|start|stop|destroy|exec|... [ID] [ARG...]\n");
		return 2;
	}
	if (!strcmp(argv[2], "probe")) {
		code = o->probe(&caps, text, sizeof(text));
		printf("%d caps %x %s\n", code, caps, text);
		return code != 0;
	}
	code = o->open(&c, &e, text, sizeof(text));
	if (code) {
		printf("open: %d %s\n", code, text);
		return 1;
	}
	printf("# open %lld ms\n", (long long)(sv_mono_ms() - begin));
	code = run(o, e, argc - 2, argv + 2);
	o->close(e);
	return code;
}
