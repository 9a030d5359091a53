#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# From nothing to nothing: the platform answers before the base of its instances is made, a reset in the middle of that
# spoils neither, and a reset leaves nothing of anybody's work but keeps what was made of this machine's packages.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"

work=$(mktemp -d "${TMPDIR:-/tmp}/sv-reset.XXXXXX") || exit 2
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_RUNTIME_DIR XDG_CACHE_HOME
export HOME=$work PATH=$SV_BUILD/cli:$PATH
state=$work/.local/state/starverse/local

sv() { timeout 120 svctl "$@" 2>>"$work/err"; }
is() { [ "$1" = "$2" ] || { echo "$1, not $2"; tail -n 5 "$work/err"; return 1; }; }

check "registering starts it" is "$(sv account register --email a@example.com -o name)" a@example.com
check "a reset at once" sv local reset --yes
check "nothing of it is left" is "$(find "$state" -maxdepth 1 -name 'local.db*')" ""
sv account register --email b@example.com >/dev/null
id=$(sv instance create t --gpu rtx-4090:1 --image pytorch-2.2 -o id)
check "an instance runs" is "$(sv instance exec t -- hostname)" t
check "a reset ends it" sv local reset --yes
check "no files of it are left" is "$(find "$state" -path "*$id*" ! -path '*/locks/*')" ""
check "the base is kept" test -e "$state/base.version"
stamp=$(stat -c %Y "$state/base.version")
sv account register --email c@example.com >/dev/null
sv instance create t --gpu rtx-4090:1 --image pytorch-2.2 >/dev/null
check "and used again" is "$(sv instance exec t -- hostname) $(stat -c %Y "$state/base.version")" "t $stamp"
sv local reset --yes
rm -rf "$work" 2>/dev/null || chmod -R u+rwX "$work" && rm -rf "$work"
finish
