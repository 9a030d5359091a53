# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# Cases of a shell test: check NAME COMMAND... is one case, and its output is shown when it fails; finish ends the program.
tap_n=0
tap_bad=0
tap_out=$(mktemp -d "${TMPDIR:-/tmp}/starverse-test.XXXXXX") || exit 2
trap 'rm -rf "$tap_out"' EXIT

pass() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1"
}

# fail NAME [FILE]: what is in FILE is the reason.
fail() {
	tap_n=$((tap_n + 1))
	tap_bad=$((tap_bad + 1))
	echo "not ok $tap_n - $1"
	[ $# -lt 2 ] || head -n 30 "$2" | sed 's/^/# /'
}

check() {
	local name=$1
	shift
	if "$@" >"$tap_out/check" 2>&1; then pass "$name"; else fail "$name" "$tap_out/check"; fi
}

skip() {
	tap_n=$((tap_n + 1))
	echo "ok $tap_n - $1 # SKIP $2"
}

finish() {
	echo "1..$tap_n"
	[ "$tap_bad" -eq 0 ] && [ "$tap_n" -gt 0 ]
	exit
}
