/* SPDX-License-Identifier: MIT */
/* The commands written by hand, sorted by noun and verb. */
#include <string.h>

#include "command.h"

static const struct opt_row api_opts[] = {
	{ "body", 0, OPT_BODY, "FILE", N_("send this file's text, - for stdin"), 0 },
	{ "field", 0, OPT_FIELD, "KEY=VALUE",
		N_("a member of the body: a string, or with := any JSON"), OPT_REPEAT },
	{ "paginate", 0, OPT_PAGINATE, NULL, N_("fetch all pages, each answer as received"), 0 },
	{ 0 },
};
#define FILES_ROW \
	{ "file", 'f', OPT_FILE, "FILE", N_("documents in YAML or JSON, - for stdin"), OPT_REPEAT }
#define STACK_ROW \
	{ "stack", 0, OPT_STACK, "NAME", \
		N_("name of the record of what was made, from the files' names when not given"), 0 }
#define DRY_ROW { "dry-run", 'n', OPT_DRY_RUN, NULL, N_("show the plan, change nothing"), 0 }
#define PRUNE_ROW \
	{ "prune", 0, OPT_PRUNE, NULL, \
		N_("delete what an earlier apply made and no document names any more"), 0 }
#define WAIT_ROW { "wait", 'w', OPT_WAIT, NULL, N_("wait until done; --no-wait does not"), 0 }
static const struct opt_row apply_opts[] = {
	DRY_ROW,
	FILES_ROW,
	PRUNE_ROW,
	STACK_ROW,
	WAIT_ROW,
	{ 0 },
};
static const struct opt_row delete_opts[] = {
	DRY_ROW,
	FILES_ROW,
	STACK_ROW,
	WAIT_ROW,
	{ 0 },
};
static const struct opt_row diff_opts[] = {
	{ "exit-code", 0, OPT_EXIT_CODE, NULL, N_("end with 16 when something differs"), 0 },
	FILES_ROW,
	PRUNE_ROW,
	STACK_ROW,
	{ 0 },
};
static const struct opt_row complete_opts[] = {
	{ "breaks", 0, OPT_BREAKS, "CHARACTERS", N_("where bash ends words"), OPT_BLANK },
	{ "cword", 0, OPT_CWORD, "N", N_("which of the words stands at the cursor"), 0 },
	{ "line", 0, OPT_LINE, "LINE", N_("a line up to the cursor, as it was typed"), OPT_BLANK },
	{ "menu", 0, OPT_MENU, NULL, N_("with descriptions, for reading"), 0 },
	{ 0 },
};
static const struct opt_row compare_opts[] = {
	{ "chart", 0, OPT_CHART, NULL, N_("draw bars and curves below the table"), 0 },
	{ "html", 0, OPT_HTML, "FILE", N_("write a page with pictures here, - for stdout"), 0 },
	{ 0 },
};
static const struct opt_row config_opts[] = {
	{ "show-origin", 0, OPT_SHOW_ORIGIN, NULL, N_("say where each setting came from"), 0 },
	{ 0 },
};
static const struct opt_row cp_opts[] = {
	{ "recursive", 'r', OPT_RECURSIVE, NULL,
		N_("copy directories (done anyway where the source is one)"), 0 },
	{ 0 },
};
static const struct opt_row exec_opts[] = {
	{ "tty", 't', OPT_TTY, NULL, N_("give the command a terminal"), 0 },
	{ 0 },
};
static const struct opt_row local_opts[] = {
	{ "catalog", 0, OPT_CATALOG, "FILE", N_("offers, images, apps and prices"), 0 },
	{ "clock", 0, OPT_CLOCK, "real|stepped", N_("whose time it goes by"), 0 },
	{ "engine", 0, OPT_ENGINE, "sandbox|none", N_("what makes instances real"), 0 },
	{ "foreground", 0, OPT_FOREGROUND, NULL, N_("stay in the foreground"), 0 },
	{ "listen", 0, OPT_LISTEN, "ADDR:PORT", N_("listen on TCP, too"), 0 },
	{ "state", 0, OPT_STATE, "DIR", N_("where its state is kept"), 0 },
	{ "tls-cert", 0, OPT_TLS_CERT, "FILE", N_("certificate"), 0 },
	{ "tls-key", 0, OPT_TLS_KEY, "FILE", N_("its key"), 0 },
	{ 0 },
};
static const struct opt_row login_opts[] = {
	{ "api-key-file", 0, OPT_KEY_FILE, "FILE", N_("take the key from this file, - for stdin"),
		0 },
	{ 0 },
};
static const struct opt_row logs_opts[] = {
	{ "follow", 0, OPT_FOLLOW, NULL, N_("go on as it grows"), 0 },
	{ "offset", 0, OPT_OFFSET, "BYTES", N_("where to begin"), 0 },
	{ 0 },
};
static const struct opt_row run_opts[] = {
	{ "detach", 0, OPT_DETACH, NULL, N_("do not wait: print the job and leave"), 0 },
	{ "dry-run", 'n', OPT_DRY_RUN, NULL, N_("show what would be sent; change nothing"), 0 },
	{ "file", 'f', OPT_FILE, "FILE", N_("read the body from YAML or JSON; options come on top"),
		0 },
	{ "follow", 0, OPT_FOLLOW, NULL, N_("print what it says, as it says it"), 0 },
	{ "send", 0, OPT_SEND, "DIR",
		N_("send this directory's files first, those that have changed"), 0 },
	{ "wait", 'w', OPT_WAIT, NULL, N_("wait until it has ended (the default)"), 0 },
	{ 0 },
};
static const struct opt_row shell_opts[] = {
	{ "stop", 'e', OPT_STOP_ON_ERROR, NULL, N_("stop at the first command that fails"), 0 },
	{ 0 },
};
static const struct opt_row ssh_config_opts[] = {
	{ "install", 0, OPT_INSTALL, NULL, N_("put the Include line into ~/.ssh/config"), 0 },
	{ 0 },
};
#define OPT_ROW_DRY \
	{ "dry-run", 'n', OPT_DRY_RUN, NULL, N_("show what would be done; change nothing"), 0 }
#define OPT_ROWS_PARTS \
	{ "parallel", 0, OPT_PARALLEL, "N", N_("so many parts under way at once, 1 to 16"), 0 }, \
	{ "part-size", 0, OPT_PART_SIZE, "SIZE", N_("size of a part, from 5MiB on"), 0 }, \
	{ "resume", 0, OPT_RESUME, NULL, \
		N_("go on where an earlier attempt broke off (the default)"), 0 }
static const struct opt_row storage_cp_opts[] = {
	OPT_ROW_DRY,
	OPT_ROWS_PARTS,
	{ "recursive", 'r', OPT_RECURSIVE, NULL,
		N_("copy all below (done anyway where the source is a directory)"), 0 },
	{ 0 },
};
static const struct opt_row storage_ls_opts[] = {
	{ "recursive", 'r', OPT_RECURSIVE, NULL, N_("list all below, too"), 0 },
	{ 0 },
};
static const struct opt_row storage_rm_opts[] = {
	OPT_ROW_DRY,
	{ "recursive", 'r', OPT_RECURSIVE, NULL, N_("delete all below"), 0 },
	{ 0 },
};
static const struct opt_row storage_sync_opts[] = {
	{ "checksum", 0, OPT_CHECKSUM, NULL, N_("compare contents, not times"), 0 },
	{ "delete", 0, OPT_DELETE, NULL, N_("delete from the target what the source lacks"), 0 },
	OPT_ROW_DRY,
	OPT_ROWS_PARTS,
	{ 0 },
};
static const struct opt_row top_opts[] = {
	{ "interval", 0, OPT_INTERVAL, "DURATION", N_("how often to look, 2s when not given"), 0 },
	{ 0 },
};
static const struct opt_row metrics_opts[] = {
	{ "chart", 0, OPT_CHART, NULL, N_("draw each as a curve"), 0 },
	{ 0 },
};
static const struct opt_row report_opts[] = {
	{ "html", 0, OPT_HTML, "FILE", N_("write the page here, - for stdout"), 0 },
	{ 0 },
};
static const struct opt_row statement_opts[] = {
	{ "html", 0, OPT_HTML, "FILE", N_("write a page to print here, - for stdout"), 0 },
	{ "month", 0, OPT_MONTH, "YYYY-MM", N_("this month, not the last one with usage"), 0 },
	{ 0 },
};
static const struct opt_row usage_opts[] = {
	{ "chart", 0, OPT_CHART, NULL, N_("draw the sums as bars; by day where --by is not given"),
		0 },
	{ "by", 0, OPT_BY, "WORD",
		N_("sum up by hour, day, month, instance, resource, name, job, gpu, kind or "
		   "label:KEY"),
		0 },
	{ 0 },
};
static const struct opt_row wait_opts[] = {
	{ "for", 0, OPT_FOR, "STATE", N_("wait for this state, not for any settled one"), 0 },
	{ 0 },
};

static const struct command commands[] = {
	{ "__complete", "", N_("[--cword N] -- WORD... | --line LINE"), N_("say what fits"),
		complete_opts, NULL, NULL, CMD_NOTARGET | CMD_KEYLESS, cmd_complete },
	{ "__man", "", N_("NOUN"), N_("print a manual page"), NULL, NULL, NULL, CMD_NOTARGET,
		cmd_man },
	{ "__selftest", "", "", N_("check the tables"), NULL, NULL, NULL, CMD_NOTARGET, selftest },
	{ "__texts", "", "", N_("print what tables say, to be translated"), NULL, NULL, NULL,
		CMD_NOTARGET, cmd_texts },
	{ "account", "register", N_("--email ADDRESS | --phone NUMBER"),
		N_("register by e-mail or phone, and keep the key"), NULL, "register", NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_account_register },
	{ "api", "", N_("METHOD PATH [--body FILE | --field KEY=VALUE...] [--paginate]"),
		N_("send any request, print the answer as received"), api_opts, NULL, NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_api, "GET|POST|PATCH|DELETE API-PATH ." },
	{ "apply", "", N_("-f FILE... [--dry-run] [--prune] [--stack NAME]"),
		N_("make what files describe"), apply_opts, NULL, NULL, CMD_NOTARGET, cmd_apply },
	{ "billing", "balance", "", N_("show what can be spent"), NULL, NULL, NULL, CMD_NOTARGET,
		cmd_billing_balance },
	{ "billing", "budgets", "", N_("list budgets: the same as budget list"), NULL, "list",
		"budget", CMD_NOTARGET | CMD_OUTPUT, cmd_billing_budgets },
	{ "billing", "report", N_("--html FILE [--since TIME] [--until TIME]"),
		N_("write a page of what was spent on what"), report_opts, "usage", NULL,
		CMD_NOTARGET, cmd_billing_report },
	{ "billing", "statement", N_("[--month YYYY-MM] [--html FILE]"),
		N_("a month's lines and totals"), statement_opts, NULL, NULL, CMD_NOTARGET,
		cmd_billing_statement },
	{ "billing", "tco", N_("--own-capex AMOUNT --price AMOUNT [--cards N] [--use PERCENT] ..."),
		N_("compare owning with renting"), NULL, "tco", NULL, CMD_NOTARGET,
		cmd_billing_tco },
	{ "billing", "usage", N_("[--since TIME] [--by WORD]"), N_("list every metered second"),
		usage_opts, "usage", NULL, CMD_NOTARGET | CMD_OUTPUT, cmd_billing_usage },
	{ "completion", "", N_("bash|zsh|fish"), N_("print the completion script of a shell"), NULL,
		NULL, NULL, CMD_NOTARGET | CMD_KEYLESS, cmd_completion, "bash|zsh|fish ." },
	{ "config", "get", N_("KEY"), N_("show one key of the configuration file"), NULL, NULL,
		NULL, CMD_NOTARGET, cmd_config_get, "KEY ." },
	{ "config", "list", "[--show-origin]", N_("show the settings in force"), config_opts, NULL,
		NULL, CMD_NOTARGET, cmd_config_list },
	{ "config", "set", N_("KEY VALUE"), N_("set one key of the configuration file"), NULL, NULL,
		NULL, CMD_NOTARGET, cmd_config_set, "KEY ." },
	{ "config", "unset", N_("KEY"), N_("remove one key of the configuration file"), NULL, NULL,
		NULL, CMD_NOTARGET, cmd_config_unset, "KEY ." },
	{ "config", "use", N_("PROFILE"), N_("make a profile the current one"), NULL, NULL, NULL,
		CMD_NOTARGET, cmd_config_use, "PROFILE ." },
	{ "delete", "", N_("-f FILE... [--dry-run] [--stack NAME]"),
		N_("delete what files describe"), delete_opts, NULL, NULL, CMD_NOTARGET,
		cmd_delete },
	{ "diff", "", N_("-f FILE... [--exit-code] [--prune] [--stack NAME]"),
		N_("show what apply would do"), diff_opts, NULL, NULL, CMD_NOTARGET, cmd_diff },
	{ "doctor", "", "", N_("look at what svctl stands on, and say what is wrong"), NULL, NULL,
		NULL, CMD_NOTARGET | CMD_KEYLESS, cmd_doctor },
	{ "event", "follow", "", N_("show events as they happen"), NULL, "follow", NULL,
		CMD_NOTARGET, cmd_event_follow },
	{ "explain", "", N_("NOUN[.FIELD]"), N_("tell of a resource's fields"), NULL, NULL, NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_explain, "KIND" },
	{ "export", "", N_("NOUN [NAME...]"), N_("write what is there as YAML for apply"), NULL,
		NULL, NULL, 0, cmd_export, "KIND NAMES" },
	{ "help", "", N_("[NOUN [VERB] | exit-codes | filters | formats | environment]"),
		N_("show help"), NULL, NULL, NULL, CMD_NOTARGET, cmd_help, "HELP" },
	{ "instance", "cp", N_("SOURCE... TARGET   (one side is NAME:PATH)"),
		N_("copy files to or from an instance"), cp_opts, NULL, NULL, 0, cmd_instance_cp,
		"COPY" },
	{ "instance", "exec", N_("NAME [--tty] -- COMMAND [ARGUMENT...]"),
		N_("run a command in an instance"), exec_opts, NULL, NULL, CMD_REST,
		cmd_instance_exec, "instance/exec ." },
	{ "instance", "logs", N_("NAME [--follow]"), N_("show the output of the start-up command"),
		logs_opts, NULL, NULL, 0, cmd_logs, "instance/logs ." },
	{ "instance", "ssh", N_("NAME [SSH-OPTION...] [-- COMMAND...]"),
		N_("log in to an instance"), NULL, NULL, NULL, CMD_REST, cmd_instance_ssh,
		"instance/exec ." },
	{ "instance", "wait", N_("NAME... [--for STATE]"), N_("wait until instances are settled"),
		wait_opts, NULL, NULL, 0, cmd_wait },
	{ "job", "compare", N_("JOB JOB... [--chart] [--html FILE]"), N_("put jobs side by side"),
		compare_opts, NULL, NULL, 0, cmd_job_compare },
	{ "job", "create",
		N_("[NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- "
		   "COMMAND..."),
		N_("the same as job run"), run_opts, "create", NULL, CMD_NOTARGET | CMD_DASHES,
		cmd_job_run },
	{ "job", "logs", N_("NAME [--follow]"), N_("show what a job has said"), logs_opts, NULL,
		NULL, 0, cmd_logs },
	{ "job", "metrics", N_("NAME [--name METRIC] [--chart]"),
		N_("show what a job has measured"), metrics_opts, "metrics", NULL, 0,
		cmd_job_metrics },
	{ "job", "run",
		N_("[NAME] [--instance INSTANCE | --gpu MODEL[:COUNT] --image IMAGE ...] -- "
		   "COMMAND..."),
		N_("run a command on a new or an existing instance"), run_opts, "create", NULL,
		CMD_NOTARGET | CMD_DASHES, cmd_job_run },
	{ "job", "wait", N_("NAME... [--for STATE]"), N_("wait until jobs have ended"), wait_opts,
		NULL, NULL, 0, cmd_wait },
	{ "local", "doctor", "", N_("say what the engine needs and has"), NULL, NULL, NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_local },
	{ "local", "fault", N_("'METHOD PATH' STATUS [TIMES]"),
		N_("make requests fail, to see what happens"), NULL, NULL, NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_local },
	{ "local", "reset", "", N_("stop the local platform and delete all its state"), NULL, NULL,
		NULL, CMD_NOTARGET | CMD_KEYLESS, cmd_local },
	{ "local", "start", N_("[--engine sandbox|none] [--clock real|stepped] ..."),
		N_("start the local platform"), local_opts, NULL, NULL, CMD_NOTARGET | CMD_KEYLESS,
		cmd_local },
	{ "local", "status", "", N_("show whether the local platform runs"), NULL, NULL, NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_local },
	{ "local", "step", N_("DURATION"), N_("let time pass on a stepped clock"), NULL, NULL, NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_local },
	{ "local", "stop", "", N_("stop the local platform; instances go on"), NULL, NULL, NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_local },
	{ "login", "", N_("[--api-key-file FILE|-]"), N_("keep an API key for the profile"),
		login_opts, NULL, NULL, CMD_NOTARGET, cmd_login },
	{ "operation", "wait", N_("ID..."), N_("wait until operations have ended"), wait_opts, NULL,
		NULL, 0, cmd_wait },
	{ "quote", "disk", N_("[NAME] --size SIZE ..."), N_("price a disk without creating it"),
		NULL, "create", "disk", CMD_NOTARGET, cmd_quote },
	{ "quote", "group", N_("[NAME] --desired N --gpu MODEL[:COUNT] --image IMAGE ..."),
		N_("price a scaling group without creating it"), NULL, "create", "group",
		CMD_NOTARGET, cmd_quote },
	{ "quote", "instance", N_("[NAME] --gpu MODEL[:COUNT] --image IMAGE ..."),
		N_("price an instance without creating it"), NULL, "create", "instance",
		CMD_NOTARGET, cmd_quote },
	{ "quote", "job", N_("--app APP | --gpu MODEL[:COUNT] --image IMAGE [-- COMMAND...]"),
		N_("price a job without running it"), NULL, "create", "job",
		CMD_NOTARGET | CMD_DASHES, cmd_quote },
	{ "quote", "storage", N_("[NAME] --size SIZE ..."),
		N_("price a storage without creating it"), NULL, "create", "storage", CMD_NOTARGET,
		cmd_quote },
	{ "shell", "", "[-e]", N_("run commands line by line"), shell_opts, NULL, NULL,
		CMD_NOTARGET, cmd_shell },
	{ "ssh-config", "", "[--install]",
		N_("let ssh, scp, rsync and editors reach instances by name"), ssh_config_opts,
		NULL, NULL, CMD_NOTARGET, cmd_ssh_config },
	{ "storage", "cp", N_("SOURCE... TARGET   (here, NAME:/PATH, or -)"),
		N_("copy files to and from a storage, and between storages"), storage_cp_opts, NULL,
		NULL, CMD_NOTARGET | CMD_KEYLESS, cmd_storage_cp, "OBJECT-OR-FILE" },
	{ "storage", "ls", N_("NAME:/[PATH]"), N_("list what a storage holds"), storage_ls_opts,
		NULL, NULL, CMD_NOTARGET | CMD_KEYLESS, cmd_storage_ls, "OBJECT" },
	{ "storage", "rm", N_("NAME:/PATH..."), N_("delete objects"), storage_rm_opts, NULL, NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_storage_rm, "OBJECT" },
	{ "storage", "sync", N_("SOURCE TARGET   (one side is NAME:/PATH)"),
		N_("make the target what the source is"), storage_sync_opts, NULL, NULL,
		CMD_NOTARGET | CMD_KEYLESS, cmd_storage_sync, "OBJECT-OR-FILE" },
	{ "top", "", N_("[--interval DURATION]"), N_("watch what instances use and cost"), top_opts,
		NULL, NULL, CMD_NOTARGET, cmd_top },
	{ "version", "", "", N_("show the version"), NULL, NULL, NULL, CMD_NOTARGET, cmd_version },
};

const struct command *command_at(size_t i)
{
	return i < COUNT(commands) ? &commands[i] : NULL;
}

const struct command *command_find(const char *noun, const char *verb)
{
	for (size_t i = 0; i < COUNT(commands); i++)
		if (same_name(commands[i].noun, noun) && same_name(commands[i].verb, verb))
			return &commands[i];
	return NULL;
}

/* Help of the nouns that are no resource and have verbs. */
static const struct {
	const char *noun, *help;
} groups[] = {
	{ "config", N_("the configuration file") },
	{ "local", N_("the platform on this machine") },
	{ "quote", N_("prices, before anything is created") },
};

const char *noun_find(const char *word, const struct sv_kind **kind)
{
	*kind = sv_kind_find(word);
	for (size_t i = 0; !*kind && sv_kinds(i); i++)
		if (same_name(sv_kinds(i)->name, word) ||
			(sv_kinds(i)->plural && same_name(sv_kinds(i)->plural, word)))
			*kind = sv_kinds(i);
	if (*kind)
		return (*kind)->name;
	for (size_t i = 0; i < COUNT(commands); i++)
		if (same_name(commands[i].noun, word))
			return commands[i].noun;
	return NULL;
}

const char *verb_alias(const char *word)
{
	static const struct {
		const char *typed, *is;
	} aliases[] = { { "add", "create" }, { "describe", "get" }, { "ls", "list" },
		{ "remove", "delete" }, { "rm", "delete" }, { "search", "list" },
		{ "show", "get" } };

	for (size_t i = 0; i < COUNT(aliases); i++)
		if (!strcmp(aliases[i].typed, word))
			return aliases[i].is;
	return word;
}

/* Kinds and commands are both sorted: the i-th of their union. */
const char *noun_at(size_t i, const struct sv_kind **kind, const char **help)
{
	size_t k = 0, c = 0;

	for (const char *last = "";; i--) {
		const struct sv_kind *next;
		const char *name;

		while (command_at(c) &&
			(!strncmp(commands[c].noun, "__", 2) || !strcmp(commands[c].noun, last)))
			c++;
		next = sv_kinds(k);
		if (!next && !command_at(c))
			return NULL;
		if (!next || (command_at(c) && strcmp(commands[c].noun, next->name) < 0))
			next = NULL;
		name = next ? next->name : commands[c].noun;
		if (kind)
			*kind = next;
		if (help)
			*help = next ? next->help : commands[c].help;
		for (size_t g = 0; help && !next && g < COUNT(groups); g++)
			if (!strcmp(groups[g].noun, name))
				*help = groups[g].help;
		if (!i)
			return name;
		k += next != NULL;
		last = name;
	}
}

static void insert(struct action *all, size_t *n, size_t max, struct action one)
{
	size_t at = *n;

	for (size_t i = 0; i < *n; i++)
		if (!strcmp(all[i].name, one.name))
			return;
	if (*n == max)
		return;
	while (at && strcmp(all[at - 1].name, one.name) > 0) {
		all[at] = all[at - 1];
		at--;
	}
	all[at] = one;
	++*n;
}

size_t actions_of(const char *noun, const struct sv_kind *kind, struct action *ret, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < COUNT(commands); i++)
		if (!strcmp(commands[i].noun, noun) && *commands[i].verb)
			insert(ret, &n, max,
				(struct action){
					commands[i].verb, commands[i].help, NULL, &commands[i] });
	for (const struct sv_verb *v = kind ? kind->verbs : NULL; v && v->name; v++)
		if (!(v->flags & SV_HAND))
			insert(ret, &n, max, (struct action){ v->name, v->help, v, NULL });
	return n;
}
