/* SPDX-License-Identifier: MIT */
/* The options that commands share. Those of a body or a filter come from the resource's own rows.
 */
#include "args.h"

const struct opt_row opts_global[] = {
	{ "cacert", 0, OPT_CACERT, "FILE", N_("certificates to trust"), 0 },
	{ "color", 0, OPT_COLOR, "WHEN", N_("auto, always or never"), 0 },
	{ "debug", 0, OPT_DEBUG, NULL, N_("show requests on stderr, secrets masked"), 0 },
	{ "endpoint", 0, OPT_ENDPOINT, "URL", N_("https://HOST, http://HOST, unix:/PATH or local:"),
		0 },
	{ "help", 'h', OPT_HELP, NULL, N_("show help"), 0 },
	{ "insecure", 0, OPT_INSECURE, NULL, N_("do not check certificates"), 0 },
	{ "lang", 0, OPT_LANG, "LANGUAGE", N_("language of messages: en or zh_CN"), 0 },
	{ "output", 'o', OPT_OUTPUT, "FORMAT",
		N_("table, wide, json, jsonl, yaml, csv, tsv, name or id"), 0 },
	{ "columns", 0, OPT_COLUMNS, "FIELD,...", N_("these columns, nested ones with dots"),
		OPT_LIST },
	{ "get", 0, OPT_GET, "FIELD", N_("this field's value alone"), 0 },
	{ "header", 0, OPT_HEADER, NULL, N_("--no-header leaves the header out"), 0 },
	{ "profile", 0, OPT_PROFILE, "NAME", N_("profile of the configuration"), 0 },
	{ "quiet", 'q', OPT_QUIET, NULL, N_("no progress and no remarks"), 0 },
	{ "request-timeout", 0, OPT_REQUEST_TIMEOUT, "DURATION",
		N_("how long one request may take"), 0 },
	{ "socket", 0, OPT_SOCKET, "PATH", N_("Unix socket to connect to"), 0 },
	{ "strict", 0, OPT_STRICT, NULL,
		N_("unknown fields in answers, and unknown keys of the configuration, are errors"),
		0 },
	{ "timeout", 0, OPT_TIMEOUT, "DURATION", N_("how long waiting may take"), 0 },
	{ "version", 0, OPT_VERSION, NULL, N_("show the version"), 0 },
	{ "yes", 'y', OPT_YES, NULL, N_("do not ask"), 0 },
	{ 0 },
};

/* Of every verb that is a call. */
const struct opt_row opts_call[] = {
	{ "curl", 0, OPT_CURL, NULL,
		N_("print the request as a command of curl instead of sending it"), 0 },
	{ 0 },
};

const struct opt_row opts_list[] = {
	{ "filter", 0, OPT_FILTER, "FIELD=VALUE", N_("only where it holds: = != < <= > >="),
		OPT_REPEAT },
	{ "limit", 0, OPT_LIMIT, "N",
		N_("at most so many, from the beginning of the list; --sort -created_at or -time "
		   "begins with the newest"),
		0 },
	{ "sort", 0, OPT_SORT, "FIELD,...",
		N_("by these fields, a minus before one for descending"), OPT_LIST },
	{ 0 },
};

const struct opt_row opts_change[] = {
	{ "dry-run", 'n', OPT_DRY_RUN, NULL,
		N_("show what would be sent, and its price; change nothing"), 0 },
	{ "file", 'f', OPT_FILE, "FILE", N_("read the body from YAML or JSON; options come on top"),
		0 },
	{ "skeleton", 0, OPT_SKELETON, NULL,
		N_("print the body as YAML to fill in, and nothing else"), 0 },
	{ 0 },
};

const struct opt_row opts_wait[] = {
	{ "rollback", 0, OPT_ROLLBACK, NULL, N_("release what a failed create left"), 0 },
	{ "wait", 'w', OPT_WAIT, "ssh",
		N_("wait until done (the default), or until one can log in"), OPT_MAYBE },
	{ 0 },
};
