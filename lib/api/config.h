/* SPDX-License-Identifier: MIT */
/* The configuration behind its public face. */
#ifndef SV_API_CONFIG_H
#define SV_API_CONFIG_H

#include <starverse/config.h>
#include <starverse/kind.h>

#include "base/buf.h"

#define SV_CONFIG_ROWS 64

/* What stands behind every struct sv_config. */
struct sv_config_full {
	struct sv_config now;    /* what the program sees and may change */
	struct sv_config loaded; /* as it was loaded: what differs came from the program */
	const char *origin[SV_CONFIG_ROWS];
	struct sv_strs warnings;
};

static inline struct sv_config_full *sv_config_full(const struct sv_config *c)
{
	return (struct sv_config_full *)(uintptr_t)c;
}

/* NULL when out of memory. */
struct sv_config *sv_config_copy(const struct sv_config *from);
/* Fills what is not set and needs no environment. */
void sv_config_defaults(struct sv_config *c);
/* Says where row f of c came from. */
int sv_config_from(struct sv_config *c, const struct sv_field *f, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* The key by file or command where it is not there as it is; *ret NULL when there is none, ended by
 * sv_mfree(). *source is static or the configuration's. */
int sv_config_key(const struct sv_config *c, char **ret, const char **source, struct sv_error *err);

/* What a program prints, up to b's ceiling; what: the setting's name, for messages. */
int sv_secret_command(
	const struct sv_strs *command, const char *what, struct sv_buf *b, struct sv_error *err);

/* "$NAME", absent or empty: NULL. The one place that reads the environment. */
const char *sv_config_env(const char *name);
/* path, or where the file is when path is NULL; SV_CONFIG when there is no home. */
int sv_config_path(const char *path, struct sv_buf *ret, struct sv_error *err);
/* credentials.yaml beside the configuration. */
int sv_credentials_path(const char *config_path, struct sv_buf *ret);

/* Reads a whole file. SV_NOTFOUND when there is none; else SV_CONFIG. private_to_user: refused when
 * others may read it. */
int sv_file_read(const char *path, int private_to_user, struct sv_buf *ret, struct sv_error *err);
/* Reads, lets edit change the text, and puts the result in the file's place: under a lock, through
 * symbolic links, whole or not at all. *text is the old one ("" for none); edit replaces it. mode
 * 0: keeps the file's, 0600 for a new one. */
int sv_file_edit(const char *path, unsigned mode,
	int (*edit)(void *data, struct sv_buf *text, struct sv_error *err), void *data,
	struct sv_error *err);
/* Makes a directory and those above it, 0700. 0 or errno. */
int sv_dir_make(const char *path);
/* Puts text into a new file at path, synced, its name too. 0 or errno; nothing is left behind by a
 * failure. */
int sv_file_create(const char *path, unsigned mode, const char *text, size_t len);
/* Syncs the directory that holds path. */
void sv_dir_sync(const char *path);

/* Sets the value at keys (n of them, from the top), or removes it (value NULL; SV_NOTFOUND). value
 * is YAML of one line. */
int sv_yaml_edit(struct sv_buf *text, const char *name, const char *const *keys, size_t n,
	const char *value, struct sv_error *err);
/* s as a YAML scalar of one line: as it is where that is safe, else quoted. */
void sv_yaml_scalar(struct sv_buf *b, const char *s);

#endif
