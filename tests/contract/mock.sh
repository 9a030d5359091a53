#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# svctl against a mock that is made of the document alone: what that says is enough to be understood. prepare puts the mock,
# Prism, below SV_TEST_NODE.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
modules=${SV_TEST_NODE:-}/node_modules
if [ ! -x "$modules/.bin/prism" ]; then
	echo "1..0 # SKIP no Prism below SV_TEST_NODE"
	exit 0
fi
for name in $(compgen -e | grep -E '^(STARVERSE|SVCTL|XDG)_'); do unset "$name"; done
home=$(mktemp -d /tmp/sv-mock.XXXXXX) || exit 2
port=$(node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })')
export HOME=$home LC_ALL=C.UTF-8 TERM=dumb PATH=$SV_BUILD/cli:$PATH STARVERSE_API_KEY=k STARVERSE_ENDPOINT=http://127.0.0.1:$port
cd "$home" || exit 2
node "$modules/.bin/prism" mock "$SV_SOURCE/lib/openapi.yaml" -h 127.0.0.1 -p "$port" -v error >prism 2>&1 &
mock=$!
leave() {
	kill "$mock"
	rm -rf "$home" "$tap_out"
}
trap leave EXIT
for _ in $(seq 600); do
	curl -so /dev/null "http://127.0.0.1:$port/" && break
	kill -0 "$mock" 2>/dev/null || { cat prism; exit 2; }
	sleep 0.1
done

# says WHAT COMMAND...: it succeeds, and that is on its stdout.
says() {
	local what=$1
	shift
	svctl "$@" >said 2>err && grep -qE -- "$what" said && return 0
	cat said err
	return 1
}
# try WHAT COMMAND...
try() { check "svctl ${*:2}" says "$@"; }

# Every list of every noun, to its last page.
for noun in $(svctl help | sed -nE 's/^  ([a-z-]+) .*/\1/p' | sort -u); do
	svctl "$noun" list -h 2>/dev/null | grep -q "^Usage: svctl $noun list" || continue
	[ "$noun" = config ] || try '^\[' "$noun" list -o json
done
try '^rtx-4090 +nvidia +24GiB' gpu list
try '^trainer +running +rtx-4090' instance list --columns name,status,gpu
try '^running$' instance get id:ins_7c2q9x --get status
try '^ins_7c2q9x$' instance create a --gpu rtx-4090:4 --image id:img_1 --no-wait -o id
try '^ins_7c2q9x$' instance create a --gpu rtx-4090:4 --image id:img_1 -o id
try '^trainer$' instance stop id:ins_7c2q9x --no-wait -o name
try '^ins_7c2q9x$' instance switch id:ins_7c2q9x --gpu tpu-sim:4 --no-wait -o id
try '^ins_7c2q9x$' instance delete id:ins_7c2q9x --yes --no-wait -o id
try '^dsk_8f3k2m$' disk create d --size 1GiB --no-wait -o id
try '^dsk_8f3k2m$' disk delete id:dsk_8f3k2m --yes --no-wait -o id
try '^job_2w7p4e$' job run --instance id:ins_7c2q9x --no-wait -o id -- true
try '^job_2w7p4e$' job cancel id:job_2w7p4e --no-wait -o id
try '^0.50 +0.50' quote instance --gpu rtx-4090:4 --image id:img_1
try '^0.50 +0.50' billing balance
try '"available": "0.500000"' account get -o json
# It can fail: what the document does not have is no answer.
check "a path that is not there" eval '! svctl api GET /v1/nothing >said 2>err'
finish
