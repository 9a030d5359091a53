#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Independent judges: the OpenAPI document is valid, and every answer that the platform gives to the transcripts of tests/cli
# is one that the document describes, down to the last field. prepare puts the judges below SV_TEST_NODE.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"

modules=${SV_TEST_NODE:-}/node_modules
if [ ! -x "$modules/.bin/prism" ]; then
	echo "1..0 # SKIP no Prism below SV_TEST_NODE"
	exit 0
fi
here=$SV_SOURCE/tests/contract/prism

# judged DOCUMENT TRANSCRIPT: what Prism refused is on stdout.
judged() {
	SV_THROUGH="node $here/through.cjs $modules $1" timeout 240 "$SV_SOURCE/tests/cli/run" "$2" >"$tap_out/run" 2>"$tap_out/prism"
	grep -F 'errors#VIOLATIONS' "$tap_out/prism"
}

# Nothing refused, and most went as it goes without a proxy: so the requests did pass.
accepted() {
	judged "$tap_out/strict.yaml" "$1" && return 1
	local good bad
	good=$(grep -c '^ok' "$tap_out/run") bad=$(grep -c '^not ok' "$tap_out/run")
	[ "$good" -gt $((bad * 3)) ] && return 0
	cat "$tap_out/prism"
	grep -A6 '^not ok' "$tap_out/run"
	return 1
}

check "the document is valid OpenAPI 3.1" node "$modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js" \
	"$SV_SOURCE/lib/openapi.yaml"
node "$here/strict.cjs" "$modules" "$SV_SOURCE/lib/openapi.yaml" >"$tap_out/strict.yaml" || exit 2
for t in "$SV_SOURCE"/tests/cli/*.t; do
	case ${t##*/} in
	usage.t | start.t | shell.t | language.t | complete.t) continue ;; # these speak of svctl, not of resources
	esac
	check "answers in ${t##*/} are as described" accepted "$t"
done
node "$here/strict.cjs" "$modules" "$SV_SOURCE/lib/openapi.yaml" Disk.size_gib >"$tap_out/wrong.yaml" || exit 2
check "a field that is not described is found" judged "$tap_out/wrong.yaml" "$SV_SOURCE/tests/cli/disk.t"
finish
