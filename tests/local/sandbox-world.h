/* SPDX-License-Identifier: MIT */
/* What the tests of the sandbox engine share: an engine with a state of its own, calls that are
 * waited for, commands inside and outside. Included after cmocka. */
#ifndef SV_TEST_SANDBOX_WORLD_H
#define SV_TEST_SANDBOX_WORLD_H

#include <base/time.h>
#include <local/engine.h>
#include <starverse/common.h>

struct reply {
	int over;
	struct engine_result r;
	char out[65536], err[4096];
};

struct world {
	const struct engine_ops *o;
	struct engine *e;
	unsigned caps;
	char dir[128], state[160], text[512], key[192], key_text[512], sentinel[256];
	struct reply reply;
	char lost[64];
	int n_lost;
};

void on_done(void *data, const struct engine_result *r);
void on_lost(void *data, const char *id, const struct engine_status *s);
void turn(struct world *w, int ms);
int ended(struct world *w, int code);
struct reply *fresh(struct world *w);
struct engine_spec spec(struct world *w, const char *id);
int start(struct world *w, const struct engine_spec *s);
int stop(struct world *w, const char *id);
int destroy(struct world *w, const char *id);
int sh(struct world *w, const char *id, const char *line);
struct engine_status status(struct world *w, const char *id);
int host(struct world *w, char *out, size_t size, const char *line);
int ssh(struct world *w, const char *id, char *out, size_t size, const char *format);
int open_engine(struct world *w);
int set_up(void **state);
int tear_down(void **state);
struct world *world(void **state, unsigned caps, const char *what);
void leaves_nothing(void **state);

#endif
