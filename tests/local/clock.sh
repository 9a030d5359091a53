#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A stepped second is kept: the daemon dies between two steps, is started on demand with the engine and the clock it had,
# and an hour's, a second's and the balance's last second cost what the contract says.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
svctl=$SV_BUILD/cli/svctl
export HOME=$tap_out XDG_CONFIG_HOME=$tap_out/c XDG_STATE_HOME=$tap_out/s XDG_CACHE_HOME=$tap_out/k
unset XDG_RUNTIME_DIR
trap '"$svctl" local stop >/dev/null 2>&1; rm -rf "$tap_out"' EXIT

is() {
	local want=$1
	shift
	[ "$("$@" 2>/dev/null)" = "$want" ]
}
die() {
	kill -9 "$("$svctl" local status --get pid)"
	sleep 0.3
}
sum() {
	"$svctl" billing charges -o json | python3 -c 'import json, sys
from decimal import Decimal as D
print(sum(D(x["amount"]) for x in json.load(sys.stdin)))'
}

check "start" "$svctl" local start --engine none --clock stepped
check "register" "$svctl" account register --phone +8613800000000
check "create" "$svctl" instance create t --gpu rtx-4090:4 --image pytorch-2.2
check "one second" "$svctl" local step 1s
check "costs 0.015556" is 0.015556 "$svctl" instance get t --get cost
check "two more" "$svctl" local step 2s
die
check "second 3 outlived the daemon" is 0.046667 "$svctl" instance get t --get cost
check "the engine did, too" is none "$svctl" local status --get engine
check "four more" "$svctl" local step 4s
check "cost 0.108889" is 0.108889 "$svctl" instance get t --get cost
check "an hour" "$svctl" local step 1h
check "ends at 9.986667" is 9.986667 "$svctl" instance get t --get cost
check "says why" is arrears "$svctl" instance get t --get stopped_by
check "the ledger is what is left" is 0.013333 sum
check "top up" "$svctl" account top-up 100
check "start again" "$svctl" instance start t
check "one hour" "$svctl" local step 1h
check "stop" "$svctl" instance stop t
check "costs exactly 56 more" is 65.986667 "$svctl" instance get t --get cost
check "a day off" "$svctl" local step 1d
check "costs nothing" is 65.986667 "$svctl" instance get t --get cost
check "and takes nothing" is 44.013333 sum
finish
