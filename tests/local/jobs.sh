#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Jobs on real instances, from the command line: files that are sent, logs that are followed, measurements, limits, and
# the client and the daemon killed in the middle. Runs as whoever calls it.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
for name in $(compgen -e | grep -E '^(STARVERSE|SVCTL|XDG)_'); do unset "$name"; done
home=$(mktemp -d /tmp/sv-jobs.XXXXXX) || exit 2
export HOME=$home XDG_RUNTIME_DIR=$home/run LC_ALL=C.UTF-8 TERM=dumb PATH=$SV_BUILD/cli:$PATH
export STARVERSE_LOCAL_COMMAND=$SV_BUILD/cli/svctl-local STARVERSE_PROFILE=local
mkdir -m 700 "$home/run"
cd "$home" || exit 2

leave() {
	svctl local reset --yes >/dev/null 2>&1
	svctl local stop >/dev/null 2>&1
	rm -rf "$home" "$tap_out"
}
trap leave EXIT

is() { [ "$1" = "$2" ] || { printf 'got "%s", not "%s"\n' "$1" "$2"; return 1; }; }
# exits CODE COMMAND...
exits() {
	local code=$1 got=0
	shift
	"$@" >said 2>err || got=$?
	[ "$got" = "$code" ] || { echo "exit $got, not $code"; cat said err; return 1; }
}
of() { svctl "$1" get "$2" -q --get "$3"; }
# Waits until a command succeeds.
until_() {
	for _ in $(seq 600); do
		"$@" >/dev/null 2>&1 && return 0
		sleep 0.1
	done
	echo "never: $*"
	return 1
}
reads() { [ "$(of "$1" "$2" "$3")" = "$4" ]; }
says() { svctl job logs "$1" -q | grep -q -- "$2"; }
crash() { kill -9 "$(svctl local status -q --get pid)"; }

sed 's/\(job_log_max_bytes:\).*/\1 20000/' "$SV_SOURCE/lib/local/catalog.yaml" >catalog.yaml
svctl local start --catalog catalog.yaml -q >/dev/null 2>err || { cat err; echo "1..0 # SKIP the platform does not start here"; exit 0; }
svctl account register --email a@example.org -q >/dev/null
svctl account top-up 1000 -q >/dev/null 2>&1
svctl disk create ckpt --size 1GiB -q >/dev/null
mkdir -p code/sub
cat >code/train.sh <<'SH'
for i in 1 2 3; do
	echo "step $i of $(cat sub/name)"
	echo "::metric loss=$((5 - i)).25 step=$((i * 10))"
done
echo "{\"step\": 30, \"accuracy\": 0.5}" >>metrics.jsonl
echo "$STARVERSE_JOB" >"$STARVERSE_CHECKPOINT/last"
exit "${CODE:-0}"
SH
echo one >code/sub/name

new=(--gpu rtx-4090:1 --image pytorch-2.2)
check "a job on a machine of its own, its files sent, its log followed" exits 0 svctl job run first "${new[@]}" \
	--send code --checkpoint ckpt:/root/ckpt --follow -- sh train.sh
check "what it said is stdout and nothing else" is "$(cat said)" "$(printf '%s\n' 'step 1 of one' \
	'::metric loss=4.25 step=10' 'step 2 of one' '::metric loss=3.25 step=20' 'step 3 of one' '::metric loss=2.25 step=30')"
check "its files were sent" grep -q 'files sent: 2' err
check "it succeeded" is "$(of job first status)" succeeded
check "its measurements are kept" is "$(of job first metrics)" '{"accuracy":0.5,"loss":2.25,"step":30}'
check "they are a table" is "$(svctl job metrics first -q --columns name,count,last --no-header -o tsv)" \
	$'accuracy\t1\t0.5\nloss\t3\t2.25'
check "and points" is "$(svctl job metrics first --name loss -q -o json | jq -c '[.[0].points[] | [.step, .value]]')" \
	'[[10,4.25],[20,3.25],[30,2.25]]'
machine=$(of job first instance)
check "its machine stops" until_ reads instance "$machine" status stopped
check "the bill ends with it" is "$(svctl billing usage --kind compute -o json -q | jq -r --arg i "$machine" \
	'[.[] | select(.resource == $i)] | .[0].ended_at')" "$(of job first finished_at)"
check "the job costs what its machine does" is "$(of job first cost)" "$(of instance "$machine" cost)"
svctl instance delete "$machine" --yes -q >/dev/null
check "its log is there when the machine is not" is "$(svctl job logs first -q | head -1)" 'step 1 of one'
check "and from any byte on" is "$(svctl job logs first -q --offset 7 | head -1)" 'of one'

svctl instance create m "${new[@]}" -q >/dev/null
check "a job on a machine that runs" exits 3 sh -c 'svctl job run second --instance m -q -o json -- sh -c "exit 3" || exit 3'
check "a failure is 10" exits 10 svctl job run second --instance m -q -o json -- sh -c 'echo out; exit 3'
check "and says why" is "$(jq -r '[.status, .reason, .exit_code, .then] | map(tostring) | join(" ")' said)" \
	"failed exit_code 3 keep"
check "its machine runs on" is "$(of instance m status)" running
check "the disk holds what the first one left" is "$(svctl disk attach ckpt m:/root/ckpt -q >/dev/null 2>&1
	svctl job run look --instance m -q --follow -- cat /root/ckpt/last)" "$(of job first id)"
check "only what has changed is sent again" exits 0 sh -c 'svctl job run a --instance m --send code -- true -q >/dev/null
	echo two >code/sub/name; svctl job run b --instance m --send code --follow -- cat sub/name'
check "one file of two" grep -q 'files sent: 1$' err
check "as it now is" is "$(tail -n 1 said)" two
check "a directory that is not there" exits 2 svctl job run c --instance m --send nowhere -- true
check "what cannot be begun says so" exits 10 svctl job run d --instance m -q -- no-such-program
check "in its log" says d 'no-such-program: '
check "the environment, the working directory" is \
	"$(svctl job run e --instance m -q --env A=b --workdir /root/x --follow -- sh -c 'echo $A $STARVERSE_GPU; pwd')" \
	$'b rtx-4090\n/root/x'

check "a job that says too much" exits 0 svctl job run loud --instance m -q -- sh -c 'seq 100000; echo "::metric late=1 step=2"'
check "its log has a ceiling" test "$(svctl job logs loud -q | wc -c)" -lt 20200
check "which its last line tells" is "$(svctl job logs loud -q | tail -n 1)" \
	'[truncated: the log has reached its 20000 bytes; the job and its measurements go on]'
check "and it is measured on" is "$(of job loud metrics)" '{"late":1,"step":2}'
check "how much that is stands among the limits" is "$(svctl account get -q -o json | jq .limits.job_log_max_bytes)" 20000

# A line arrives as it is said, long before the next one.
svctl job run slow --instance m -q --detach -o id -- sh -c 'for i in 1 2 3; do date +%s%N; sleep 1; done' >id
check "detached is an id at once" grep -q '^job_' id
check "the job is there" until_ reads job slow status running
late=$(svctl job logs slow -q --follow | while read -r at; do echo $((($(date +%s%N) - at) / 1000000)); done | sort -n | head -1)
check "a line comes soon after it is said ($late ms)" test "$late" -lt 400

check "a job that goes on" exits 0 svctl job run long --instance m -q --detach -- sh -c \
	'trap "echo told; exit 5" TERM; echo begun; while :; do sleep 0.05; done'
check "it has begun" until_ says long begun
crash
check "it goes on without the daemon" says long begun
check "which knows it again" is "$(of job long status)" running
check "cancelled" exits 0 svctl job cancel long -q
check "is what it then is" is "$(svctl job get long -q -o json | jq -r '[.status, .reason, .exit_code] | map(tostring) | join(" ")')" \
	"cancelled cancelled 5"
check "it could say goodbye" says long told
check "waiting for it is 10" exits 10 svctl job wait long -q

# Nobody is there when it ends: what it asked for is done all the same, as of its own second.
check "a job that ends alone" exits 0 svctl job run alone "${new[@]}" -q --detach --then release -- sh -c \
	'until test -e /root/go; do sleep 0.05; done; echo end; exit 7'
check "it runs" until_ reads job alone status running
svctl instance exec "$(of job alone instance)" -- sh -c '(sleep 0.5; touch /root/go) >/dev/null 2>&1 &' >/dev/null 2>&1
crash
sleep 2
check "it failed" until_ reads job alone status failed
check "as it did" is "$(of job alone exit_code)" 7
check "its machine is released" until_ reads instance "$(of job alone instance)" status released
check "billed to its second" is "$(svctl billing usage --kind compute -o json -q | jq -r --arg i "$(of job alone instance)" \
	'[.[] | select(.resource == $i)] | .[0].ended_at')" "$(of job alone finished_at)"

check "a job that costs too much" exits 10 svctl job run dear --gpu rtx-4090:4 --image pytorch-2.2 -q --max-cost 0.10 \
	--then release -- sleep 600
check "ends at second 6" is "$(of job dear cost)" 0.093333
check "and says why" is "$(of job dear message)" "the cost limit of 0.10 is reached"
check "a job that takes too long" exits 10 svctl job run late --instance m -q --max-runtime 1s -- sleep 600
check "says so" is "$(of job late reason)" max_runtime

begun=$(date +%s%N)
svctl job run quick --instance m -q -- true >/dev/null
check "a job adds little to its command ($((($(date +%s%N) - begun) / 1000000)) ms)" test \
	$((($(date +%s%N) - begun) / 1000000)) -lt 3000
check "two of them side by side" exits 0 svctl job compare first dear -q
check "in a column each" grep -q '^JOB .*first .*dear' said
check "the measured memory is there" test "$(of job look peak_memory_bytes)" != 0
finish
