/* SPDX-License-Identifier: MIT */
/* Both sides list what they have, by type, size, time and mode; what the other side does not have
 * as it is here goes through one tar. */
#include "send.h"

#include "errors.h"
#include "generic.h"
#include "ssh.h"

/* $1 directory, $2 the other side's, quoted, $3 what to say before the number of files, or nothing,
 * then how to run a line there. */
static const char script[] =
	"dir=$1 to=$2 sent=$3; shift 3\n"
	"exec >&2\n"
	"LC_ALL=C; export LC_ALL\n"
	"t=$(mktemp -d) || exit 1\n"
	"trap 'rm -rf \"$t\"' EXIT\n"
	"list='find . -mindepth 1 \\( -type f -o -type l -o -type d -empty \\)"
	" -printf \"%y %s %T@ %m %P\\0\" | LC_ALL=C sort -z'\n"
	"(cd -- \"$dir\" && eval \"$list\") >\"$t/here\" || exit 1\n"
	"\"$@\" \"mkdir -p $to && cd $to && $list\" >\"$t/there\" </dev/null || exit 1\n"
	"comm -z -23 \"$t/here\" \"$t/there\" | cut -z -d' ' -f5- >\"$t/files\" || exit 1\n"
	"n=$(tr -dc '\\0' <\"$t/files\" | wc -c)\n"
	"if [ \"$n\" -gt 0 ]; then\n"
	"\t{ tar -C \"$dir\" --format=posix --no-recursion --null -T \"$t/files\" -cf - ||"
	" echo failed >\"$t/failed\"; } |\n"
	"\t\"$@\" \"tar -C $to --no-same-owner -xpf -\" || exit 1\n"
	"\t[ ! -e \"$t/failed\" ] || exit 1\n"
	"fi\n"
	"[ -z \"$sent\" ] || echo \"$sent$n\"\n";

int send_files(struct call *call, const char *instance, const char *dir, const char *to)
{
	struct text word = { 0 }, quoted = { 0 }, host = { 0 };
	struct words argv = { 0 };
	struct login l;
	int rc;

	text_fmt(&word, "id:%s", instance);
	rc = login_find(call, text_of(&word), &l);
	text_free(&word);
	if (rc)
		return rc;
	shell_quote(&quoted, to);
	text_fmt(&host, "%s@%s", l.user, l.host);
	words_push(&argv, "sh");
	words_push(&argv, "-c");
	words_push(&argv, script);
	words_push(&argv, "sh");
	words_push(&argv, dir);
	words_push(&argv, text_of(&quoted));
	words_push(&argv, call->app->given.quiet ? "" : _("files sent: "));
	words_push(&argv, "ssh");
	words_push(&argv, "-T");
	login_options(&l, &argv);
	words_push(&argv, "--");
	words_push(&argv, text_of(&host));
	rc = run_program(call->app, argv.v);
	if (rc)
		rc = fail_text(
			call->app, rc > 128 ? rc : 1, _("%s could not be sent to %s"), dir, to);
	words_free(&argv);
	text_free(&quoted);
	text_free(&host);
	login_free(&l);
	return rc;
}
