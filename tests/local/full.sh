#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A disk that is full: said so, nothing half done, and all well when there is room again. The disk is a small tmpfs in a
# mount namespace of this test's own.
set -u
if [ "${SV_FULL_INSIDE:-}" != yes ]; then
	if ! unshare -m true 2>/dev/null; then
		echo "1..0 # SKIP a mount namespace needs root"
		exit 0
	fi
	SV_FULL_INSIDE=yes exec unshare -m "$0"
fi
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"

home=$(mktemp -d /tmp/sv-full.XXXXXX) || exit 2
mount -t tmpfs -o size=40m tmpfs "$home" || exit 2
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR XDG_CACHE_HOME
export HOME=$home PATH=$SV_BUILD/cli:$PATH

sv() { timeout 120 svctl "$@" >"$tap_out/out" 2>"$tap_out/err"; }
# ends STATUS TEXT COMMAND...: with that status and that text among what it says.
ends() {
	local want=$1 text=$2
	shift 2
	sv "$@"
	local got=$?
	[ "$got" = "$want" ] && { [ -z "$text" ] || cat "$tap_out/out" "$tap_out/err" | grep -qF "$text"; } && return
	echo "$got, not $want with \"$text\":"
	cat "$tap_out/out" "$tap_out/err"
	return 1
}

sv account register --email a@example.com
check "the base does not fit" ends 10 "the disk of this machine is full" \
	instance create x --gpu rtx-4090:1 --image pytorch-2.2
check "the instance says why" ends 0 "the disk of this machine is full" instance get x --columns status_reason
check "what was begun is gone" test ! -e "$home/.local/state/starverse/local/base.tmp"
head -c 90M /dev/zero >"$home/fill" 2>/dev/null
check "what bills is not sent unrecorded" ends 1 "nothing was sent" account top-up 5
check "reading goes on" ends 0 10.00 account get -o json
check "it can be stopped" ends 0 "" local stop
rm "$home/fill"
check "with room again it is as it was" ends 0 error instance list
check "and billing works" ends 0 15.000000 account top-up 5 -o json
check "it can be reset" ends 0 "" local reset --yes
finish
