#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every example runs, against a platform of its own whose instances are records: the C programs, the README's and Python's.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
for name in $(compgen -e | grep -E '^(STARVERSE|SVCTL)_'); do unset "$name"; done
home=$(mktemp -d /tmp/starverse.XXXXXX) || exit 2
export HOME=$home XDG_CONFIG_HOME=$home XDG_STATE_HOME=$home XDG_CACHE_HOME=$home XDG_RUNTIME_DIR=$home
export STARVERSE_LOCAL_COMMAND=$SV_BUILD/cli/svctl-local PATH=$SV_BUILD/cli:$SV_BUILD/examples:$PATH
trap 'svctl local stop >/dev/null 2>&1; rm -rf "$home" "$tap_out"' EXIT

# says PATTERN COMMAND...: exit 0 and a line of stdout that fits.
says() {
	local pattern=$1
	shift
	"$@" >"$tap_out/said" 2>"$tap_out/talk" || { echo "exit $?"; cat "$tap_out/said" "$tap_out/talk"; return 1; }
	grep -Eq -- "$pattern" "$tap_out/said" || { cat "$tap_out/said" "$tap_out/talk"; return 1; }
}
# exits CODE COMMAND...
exits() {
	local code=$1 got=0
	shift
	"$@" >"$tap_out/said" 2>&1 || got=$?
	[ "$got" = "$code" ] || { echo "exit $got"; cat "$tap_out/said"; return 1; }
}

check "reflect" says '^instance ' example-reflect
check "reflect disk" says 'POST   /v1/disks/\{id\}/attach' example-reflect disk
check "reflect of what is not there" exits 5 example-reflect nonesuch
check "transport" says '^GET http://example.invalid/v1/disks$' example-transport

if [ ! -x "$SV_BUILD/cli/svctl-local" ]; then
	skip "the rest" "no local platform in this build"
	finish
fi
check "a platform" svctl local start --engine none --clock real
check "an account" svctl account register --email example@example.org
check "list, nothing there" exits 0 example-list
check "create-and-wait" says '^ins_[[:alnum:]]+ is running' example-create-and-wait rtx-4090 1 pytorch-2.2
check "create-and-wait, a card that is not there" exits 5 example-create-and-wait nonesuch 1 pytorch-2.2
check "create-and-wait, a count that is none" exits 2 example-create-and-wait rtx-4090 x pytorch-2.2
check "job" says '^job_[[:alnum:]]+ succeeded, exit code 0, cost [0-9]+ millionths$' example-job rtx-4090 pytorch-2.2 true
check "job, of a command that fails" exits 10 example-job rtx-4090 pytorch-2.2 false
check "job, without a command" exits 2 example-job rtx-4090 pytorch-2.2
check "two disks" sh -c 'svctl disk create a --size 1GiB && svctl disk create b --size 1GiB'
mapfile -t ids < <(svctl disk list -o json | python3 -c 'import json, sys; [print(d["id"]) for d in json.load(sys.stdin)]')
check "parallel" says '^dsk_' example-parallel disk "${ids[@]}"
check "parallel shows both" test "$(example-parallel disk "${ids[@]}" | wc -l)" -eq 2
check "parallel, one of them missing" exits 11 example-parallel disk "${ids[0]}" dsk_nonesuch
check "event-loop" says '^[1-9][0-9]* offers$' example-event-loop
check "an instance to list" svctl instance create listed --gpu rtx-4090:1 --image pytorch-2.2
check "list" says '^listed	running	1 x rtx-4090	[0-9]+\.[0-9]{6}$' example-list
check "bill" says '^all of it	[0-9]+\.[0-9]{6}$' example-bill
check "bill, what is owned" says '^to own	1226000\.000000$' example-bill
check "a storage" svctl storage create shared --size 1GiB
check "storage" says '^stored as [0-9a-f]{32}, 0 bytes' sh -c 'cd "$HOME" && echo hello >file && example-storage shared file'
check "storage, the same came back" cmp "$home/file" "$home/example-object"
check "storage, nothing is left" test "$(svctl storage ls shared:/ -o json)" = "[]"
check "storage, one that is not there is made" says '^stored as' sh -c 'cd "$HOME" && example-storage new file'
check "storage, a file that is not there" exits 1 example-storage shared "$home/nonesuch"
check "quote" says '^an hour	0\.700000$' example-quote a100-80g pytorch-2.2
check "quote, what is there to pay" says '^available	[0-9]+\.[0-9]{6}$' example-quote a100-80g pytorch-2.2
check "quote, a card that is not there" exits 5 example-quote nonesuch pytorch-2.2
mapfile -t ids < <(svctl job list -o id)
check "compare" says '^[a-z0-9-]+	1 x rtx-4090	[0-9]+ s	' example-compare "${ids[@]:0:2}"
check "compare, one job" exits 2 example-compare "${ids[0]}"

# Python loads the library itself; under ASan its runtime must come first.
preload=$(nm -D "$SV_BUILD/lib/libstarverse.so" | grep -q __asan_init && gcc -print-file-name=libasan.so)
python() {
	env ${preload:+LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0} LIBSTARVERSE="$SV_BUILD/lib/libstarverse.so" \
		PYTHONDONTWRITEBYTECODE=1 python3 "$SV_SOURCE/examples/python/$1" "${@:2}"
}
check "python" says '^from-python is running' python starverse.py
check "python lists offers" grep -qE '^rtx-4090 ' "$tap_out/said"
check "python, refused, as svctl ends" exits 2 python starverse.py --image nonesuch
check "python, why" grep -q '^starverse.py: .*nonesuch' "$tap_out/said"
# What it says of a real job, mission/library.py sees: here there are no logs.
check "jobs.py, where there are no logs" exits 9 python jobs.py run rtx-4090 pytorch-2.2 -- true
check "jobs.py, a card that is not there" exits 5 python jobs.py run nonesuch pytorch-2.2 -- true
check "storage.py" says '^example/file	6$' python storage.py shared "$home/file"
check "storage.py, a file that is not there" exits 1 python storage.py shared "$home/nonesuch"
check "billing.py" says '^to own	1226000\.000000$' python billing.py
# usage KIND PRICE SECONDS COST: what billing.py says of such an interval.
usage() {
	env ${preload:+LD_PRELOAD="$preload" ASAN_OPTIONS=detect_leaks=0} LIBSTARVERSE="$SV_BUILD/lib/libstarverse.so" \
		PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$SV_SOURCE/examples/python" python3 - "$@" <<-'END'
		import sys, types
		import billing
		row = dict(zip(("kind", "price_per_hour", "seconds", "cost"), sys.argv[1:]), name="n")
		row["seconds"] = int(row["seconds"])
		billing.usage(types.SimpleNamespace(run=lambda *_: [row]))
	END
}
check "billing.py, a price a month" says '^disk	n	2592000 s	0\.060000$' usage disk 0.000083 2592000 0.060000
check "billing.py, a cost that is wrong" says '^compute	n	3600 s	2\.000000, not 1\.000000$' usage compute 1.000000 3600 2.000000
check "billing.py, an image that does not fit" exits 2 python billing.py --gpu tpu-sim --image cuda-devel
finish
