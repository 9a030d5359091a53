/* SPDX-License-Identifier: MIT */
/* The configuration: a kind like any other, so file, environment, flags and `config set` read the
 * same rows. */
#include <starverse/config.h>

#include "kinds/kinds.h"

typedef struct sv_config config;

static const struct sv_field fields[] = {
	SV_FIELD(config, profile, STR, "name of the profile", SV_NOARG),
	SV_FIELD(config, endpoint, STR, "https://HOST, http://HOST, unix:/PATH or local:", SV_IN,
		.example = "local:"),
	SV_FIELD(config, api_key, STR, "API key", SV_IN | SV_SECRET | SV_NOARG),
	SV_FIELD(config, api_key_file, STR, "file that holds the API key", SV_IN),
	SV_FIELD(config, api_key_command, STRS, "program and arguments that print the API key",
		SV_IN),
	SV_FIELD_AS(config, protected_profile, "protected", BOOL, "destructive commands always ask",
		SV_IN),
	SV_FIELD(config, cacert, STR, "file of certificates to trust", SV_IN),
	SV_FIELD(config, insecure, BOOL, "certificates are not checked", SV_IN),
	SV_FIELD(config, timeout, SECONDS, "how long waiting may take", SV_IN, .example = "15m"),
	SV_FIELD(config, request_timeout, SECONDS,
		"how long one request may take, retries included", SV_IN, .example = "60s"),
	SV_FIELD(config, connect_timeout, SECONDS, "how long connecting may take", SV_IN,
		.example = "10s"),
	SV_FIELD(config, retries, INT, "most attempts after the first", SV_IN, .example = "4"),
	SV_FIELD(config, state_dir, STR,
		"directory of what was sent and not yet answered, and of SSH keys", SV_IN),
	SV_FIELD(config, cache_dir, STR, "directory of names for completion", SV_IN),
	SV_FIELD(config, local_command, STR, "path of svctl-local", SV_IN),
	SV_FIELD(config, local_state, STR, "state directory of the local platform", SV_IN),
	SV_FIELD(config, local_socket, STR, "socket of the local platform", SV_IN),
	SV_FIELD(config, output, STR, "default output format", SV_IN, .example = "table"),
	SV_FIELD(config, user_agent, STR, "put before the library's own", SV_IN | SV_NOARG),
	SV_FIELD(config, strict, BOOL, "unknown fields in answers are errors", SV_IN),
	SV_FIELD(config, config_file, STR, "where the settings came from", SV_NOARG),
	SV_FIELD(config, credentials_file, STR, "where keys are kept", SV_NOARG),
};

SV_KIND(sv_config_kind, struct sv_config, "config", "settings of one profile", fields,
	.plural = NULL);

const struct sv_kind *sv_kind_config(void)
{
	return &sv_config_kind;
}
