#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What answers.sh cannot see, since its judge passes no stream on: each event of a stream is what the document says, and
# logs come as the document says, whole or as they grow. prepare puts the judges below SV_TEST_NODE.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
modules=${SV_TEST_NODE:-}/node_modules
if [ ! -d "$modules/ajv-formats" ]; then
	echo "1..0 # SKIP no ajv below SV_TEST_NODE"
	exit 0
fi
for name in $(compgen -e | grep -E '^(STARVERSE|SVCTL|XDG)_'); do unset "$name"; done
home=$(mktemp -d /tmp/sv-streams.XXXXXX) || exit 2
export HOME=$home XDG_RUNTIME_DIR=$home/run LC_ALL=C.UTF-8 TERM=dumb PATH=$SV_BUILD/cli:$PATH
export STARVERSE_LOCAL_COMMAND=$SV_BUILD/cli/svctl-local
mkdir -m 700 "$home/run"
cd "$home" || exit 2
leave() {
	svctl local reset --yes >/dev/null 2>&1
	svctl local stop >/dev/null 2>&1
	rm -rf "$home" "$tap_out"
}
trap leave EXIT

svctl local start --engine "${SV_TEST_ENGINE:-sandbox}" -q >/dev/null 2>&1 || svctl local start --engine none -q >/dev/null || exit 2
svctl account register --email a@example.org -q >/dev/null
svctl account top-up 100 -q >/dev/null 2>&1
key=$(sed -n 's/.*api_key: *"\{0,1\}\([^" ]*\).*/\1/p' .config/starverse/credentials.yaml)
socket=$(svctl local status -q --get socket)
get() { curl -sN --max-time 60 --unix-socket "$socket" -H "Authorization: Bearer $key" "$@"; }
judge() { node "$SV_SOURCE/tests/contract/prism/streams.cjs" "$modules" "$@"; }
# Waits until a file has a line of it.
has() {
	for _ in $(seq 300); do
		grep -q -- "$2" "$1" 2>/dev/null && return 0
		sleep 0.1
	done
	echo "never: $2"
	tail -n 5 "$1"
	return 1
}
node "$SV_SOURCE/tests/contract/prism/strict.cjs" "$modules" "$SV_SOURCE/lib/openapi.yaml" >strict.yaml || exit 2

get 'http://local/v1/events?follow=true' >events &
pid=$!
check "a stream begins with a sign of life" has events '^: here'
svctl disk create d --size 1GiB -q >/dev/null
svctl instance create m --gpu rtx-4090:1 --image pytorch-2.2 --disk d:/data --label team=研究 -q >/dev/null
svctl job run j --instance m -q -- true >/dev/null
svctl instance stop m -q >/dev/null
svctl disk detach d -q >/dev/null 2>&1
svctl instance delete m --yes -q >/dev/null
svctl disk delete d --yes -q >/dev/null
check "it tells what happens" has events '^event: disk.deleted'
kill "$pid"
wait "$pid" 2>/dev/null
check "each event is as described" judge strict.yaml events /v1/events events
check "there were many of them" test "$(judge strict.yaml events /v1/events events)" -ge 10
sed 's/^data: {/data: {"more":1,/' events >wrong
check "one that is not is found" eval '! judge strict.yaml events /v1/events wrong'

# logs NAME QUERY: what the answer is as.
logs() { get -o "$1" -w '%{http_code} %{content_type}' "http://local/v1/jobs/$(svctl job get j -q --get id)/logs$2"; }
whole() {
	local status type
	read -r status type <<<"$(logs "$1" "$2")"
	judge strict.yaml answer '/v1/jobs/{id}/logs' "$status" "$type" "$1"
}
check "a log is as described" whole log ''
check "and as it grows" whole grown '?follow=true'
check "which is the same" cmp log grown
finish
