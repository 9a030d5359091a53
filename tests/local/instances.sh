#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Real instances through the real daemon's socket: logging in, commands, disks that come and go, files that stay, a
# switch, and the daemon killed in the middle of each. Runs as whoever calls it.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"

local=$SV_BUILD/cli/svctl-local
work=$(mktemp -d "${TMPDIR:-/tmp}/sv-inst.XXXXXX") || exit 2
pid=
key=

up() {
	"$local" --foreground --state "$work/state" --socket "$work/sock" --catalog "$work/catalog" >>"$work/log" 2>&1 &
	pid=$!
	for _ in $(seq 1200); do
		curl -s --unix-socket "$work/sock" http://l/v1/gpus >/dev/null && return 0
		kill -0 "$pid" 2>/dev/null || return 1
		sleep 0.05
	done
	return 1
}

crash() {
	kill -9 "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
}

# call METHOD PATH [BODY]: the answer on stdout, its status in $work/status.
call() {
	local data=()
	[ $# -lt 3 ] || data=(-d "$3")
	curl -sS --unix-socket "$work/sock" -X "$1" "http://l$2" -H "Authorization: Bearer $key" \
		-H 'Content-Type: application/json' -o - -w '%{stderr}%{http_code}' "${data[@]}" 2>"$work/status"
}

status() { cat "$work/status"; }
field() { jq -r "$1" <<<"$2"; }
of() { call GET "/v1/$1/$2" | jq -r "$3"; }

# Waits for the operation; its status on stdout.
over() {
	local state=
	for _ in $(seq 600); do
		state=$(of operations "$1" .status)
		[ "$state" = running ] || break
		sleep 0.05
	done
	echo "$state"
}

# settled ID STATE: waits for the state; the one it is in on stdout.
settled() {
	for _ in $(seq 600); do
		[ "$(of instances "$1" .status)" = "$2" ] && break
		sleep 0.05
	done
	of instances "$1" .status
}

# done_ METHOD PATH [BODY]: sends it and waits for its operation to succeed; the answer in $answer.
done_() {
	local op
	answer=$(call "$@")
	case $(status) in 2??) ;; *) echo "$* -> $(status) $answer"; return 1 ;; esac
	op=$(field '.operation_id // (if .type then .id else empty end) // empty' "$answer")
	[ -z "$op" ] || [ "$(over "$op")" = succeeded ] || { call GET "/v1/operations/$op"; return 1; }
}

run() { call POST "/v1/instances/$1/exec" "$(jq -cn --arg c "$2" '{command: ["sh", "-c", $c]}')"; }
said() { run "$1" "$2" | jq -r .stdout; }
code() { run "$1" "$2" | jq -r .exit_code; }

login() {
	local port
	port=$(of instances "$1" .ssh.port)
	shift
	timeout 20 ssh -F none -i "$work/id" -p "$port" -o StrictHostKeyChecking=no -o UserKnownHostsFile="$work/known" \
		-o BatchMode=yes -o LogLevel=ERROR root@127.0.0.1 "$@"
}

is() { [ "$1" = "$2" ] || { printf 'got "%s", not "%s"\n' "$1" "$2"; return 1; }; }

leave() {
	local id
	for id in $(call GET '/v1/instances' | jq -r '.items[].id'); do
		call DELETE "/v1/instances/$id" >/dev/null
	done
	for _ in $(seq 100); do
		[ "$(call GET /v1/instances | jq '.items | length')" = 0 ] && break
		sleep 0.1
	done
	for id in $(call GET '/v1/disks' | jq -r '.items[].id'); do
		done_ DELETE "/v1/disks/$id" >/dev/null
	done
	kill "$pid" 2>/dev/null
	wait "$pid" 2>/dev/null
	rm -rf "$work" "$tap_out"
}
trap leave EXIT

# A folder of the user's own in the catalogue.
mkdir -p "$work/mine/sub"
echo own >"$work/mine/sub/file"
chmod -R a+rX "$work/mine"
"$local" --print-catalog | sed "/^models:/a\\  - {name: mine, path: $work/mine, size_gib: 1}" >"$work/catalog"
sed "s,path: .*/mine,path: $work/nowhere," "$work/catalog" >"$work/catalog.bad"
answer=$("$local" --foreground --state "$work/bad" --socket "$work/bad.sock" --catalog "$work/catalog.bad" 2>&1)
check "a folder that is not there is refused, with its place" grep -q \
	"catalog.bad:[0-9]*:[0-9]*: .*$work/nowhere is no folder" <<<"$answer"
rm -rf "$work/bad"

up || { cat "$work/log"; echo "1..0 # SKIP the platform does not start here"; exit 0; }
answer=$(call POST /v1/account/register '{"email":"a@example.com"}')
key=$(field .api_key "$answer")
call POST /v1/account/top_up '{"amount":"1000.00"}' >/dev/null
ssh-keygen -q -t ed25519 -N '' -f "$work/id" -C test
check "a key is registered with ssh-keygen's fingerprint" is \
	"$(call POST /v1/keys "$(jq -cn --rawfile k "$work/id.pub" '{name: "k", public_key: $k}')" | jq -r .fingerprint)" \
	"$(ssh-keygen -lf "$work/id.pub" | cut -d' ' -f2)"

machine='{"name":"t","gpu":"rtx-4090","gpu_count":4,"image":"pytorch-2.2","models":["llama-3-8b"]}'
check "an instance is created" done_ POST /v1/instances "$machine"
done_ POST /v1/instances '{"name":"u","gpu":"rtx-4090","image":"pytorch-2.2"}'
u=$(field .id "$answer")
t=$(call GET '/v1/instances?name=t' | jq -r '.items[0].id')
check "it runs" is "$(of instances "$t" .status)" running
check "one can log in, and its name is its own" is "$(login "$t" hostname)" t
check "its host key is the one that is answered" grep -qF "$(of instances "$t" '.ssh.host_keys[0]' | cut -d' ' -f2)" \
	"$work/known"
check "a login sees the card" is "$(login "$t" 'echo $STARVERSE_BACKEND $STARVERSE_GPU $STARVERSE_GPU_COUNT')" \
	"cuda rtx-4090 4"
check "a command sees it too" is "$(said "$t" 'echo $STARVERSE_GPU_COUNT')" 4
# What holds its memory, where something does: 32 GiB a card.
held() { find /sys/fs/cgroup -name "starverse-$t" -type d 2>/dev/null | sed 's|$|/memory.max|; p; s|max$|limit_in_bytes|' |
	xargs -r cat 2>/dev/null | head -1; }
before=$(held)
check "it takes fewer cards while it runs" done_ POST "/v1/instances/$t/resize" '{"gpu_count":2}'
check "logins and commands see it" is "$(login "$t" 'echo $STARVERSE_GPU_COUNT') $(said "$t" 'echo $STARVERSE_GPU_COUNT')" "2 2"
[ -z "$before" ] || check "it is held to less memory" is "$before $(held)" "$((128 << 30)) $((64 << 30))"
check "and more again" done_ POST "/v1/instances/$t/resize" '{"gpu_count":4}'
[ -z "$before" ] || check "it is held to as much as before" is "$(held)" "$before"
check "exit codes come through" is "$(code "$t" 'exit 7')" 7
check "a signal is 128 and more" is "$(code "$t" 'kill -9 $$')" 137
check "a missing program is 127" is "$(call POST "/v1/instances/$t/exec" '{"command":["nope"]}' | jq -r .exit_code)" 127
check "a long stream is cut and says so" is \
	"$(run "$t" 'head -c 100000 /dev/zero | tr "\0" x' | jq -c '[.truncated, (.stdout | length)]')" "[true,65536]"
check "a model is copied" done_ POST "/v1/models/$(call GET '/v1/models?name=llama-3-8b' | jq -r '.items[0].id')/copy" \
	"$(jq -cn --arg i "$t" '{instance: $i, path: "/root/weights"}')"
check "its files are there" is "$(said "$t" 'cmp /library/models/llama-3-8b/weights.json /root/weights/weights.json && echo same')" \
	same
check "a folder of one's own is in the library" is "$(said "$t" 'ln -s /library/models/mine /root/m; cat /root/m/sub/file')" own
check "it cannot be written" is "$(code "$t" 'touch /library/models/mine/x 2>/dev/null')" 1
check "it is copied, verified, into a folder that is there" done_ POST \
	"/v1/models/$(call GET '/v1/models?name=mine' | jq -r '.items[0].id')/copy" \
	"$(jq -cn --arg i "$t" '{instance: $i, path: "/root/weights"}')"
check "and nothing else is left there" is "$(said "$t" 'cd /root/weights && find . -type f | sort | tr "\n" " "')" \
	"./README.md ./sample.txt ./sub/file ./tokenizer.json ./weights.json "

check "svctl inside shows the instance itself" is "$(said "$t" 'svctl instance get self --get id')" "$t"
check "and nothing else" is "$(said "$t" '(svctl instance list -o name; svctl disk list >/dev/null 2>&1; echo $?) |
	tr "\n" " "')" "t 4 "
check "its token is root's alone" is "$(said "$t" 'stat -c "%a %u" /run/starverse/token')" "600 0"
token=$(said "$t" 'cat /run/starverse/token')
try='svctl instance list >/dev/null 2>&1; echo $?'
check "another's token is refused there" is "$(said "$u" "STARVERSE_API_KEY=$token $try")" 4
check "the account's key, too" is "$(said "$t" "STARVERSE_API_KEY=$key $try")" 4
check "and the token outside" is "$(key=$token; call GET /v1/instances | jq -r .code)" forbidden

check "a disk is made" done_ POST /v1/disks '{"name":"d","size_gib":1}'
d=$(field .id "$answer")
run "$t" 'mkdir -p /root/w; (sleep 1.5; cat /data/x > /root/w/seen) >/dev/null 2>&1 & exit 0' >/dev/null
check "it is attached to what runs" done_ POST "/v1/disks/$d/attach" "$(jq -cn --arg i "$t" '{instance: $i, path: "/data"}')"
check "bytes are written" is "$(code "$t" 'echo checkpoint > /data/x && sync')" 0
sleep 2
check "a process from before sees them" is "$(said "$t" 'cat /root/w/seen')" checkpoint
run "$t" 'cd /data; (sleep 60) >/dev/null 2>&1 & exit 0' >/dev/null
answer=$(call POST "/v1/disks/$d/detach")
check "a busy disk is refused" is "$(status) $(field .code "$answer")" "409 disk_busy"
check "and stays attached" is "$(of disks "$d" .attachment.state)" attached
run "$t" 'pkill sleep; sleep 0.2' >/dev/null
check "it goes when nobody uses it" done_ POST "/v1/disks/$d/detach"
check "it is gone inside" is "$(code "$t" 'test -e /data/x')" 1
check "it comes to another" done_ POST "/v1/disks/$d/attach" "$(jq -cn --arg i "$u" '{instance: $i, path: "/mnt/d"}')"
check "with its bytes" is "$(said "$u" 'cat /mnt/d/x')" checkpoint
if [ "$(said "$u" 'df -k --output=size /mnt/d | tail -1')" -lt 1100000 ]; then
	check "a full disk is full" is "$(code "$u" 'head -c 1200m /dev/zero > /mnt/d/big')" 1
	run "$u" 'rm -f /mnt/d/big' >/dev/null
	if ! done_ POST "/v1/disks/$d/resize" '{"size_gib":2}' >/dev/null; then
		check "one that cannot grow while it is used says so" is "$(field .code "$answer")" disk_busy
		done_ POST "/v1/disks/$d/detach"
		check "it grows then" done_ POST "/v1/disks/$d/resize" '{"size_gib":2}'
		done_ POST "/v1/disks/$d/attach" "$(jq -cn --arg i "$u" '{instance: $i, path: "/mnt/d"}')"
	fi
	check "it is larger inside" is "$(said "$u" 'test $(df -k --output=size /mnt/d | tail -1) -gt 1600000 && echo yes')" yes
	check "with its bytes still" is "$(said "$u" 'cat /mnt/d/x')" checkpoint
else
	skip "a full disk is full" "disks hold no size here"
fi

run "$t" 'echo kept > /root/file; echo etc > /etc/mark; rm -f /usr/bin/mandb' >/dev/null
login "$t" svctl instance stop self >/dev/null 2>&1
check "it stops itself" is "$(settled "$t" stopped) $(of instances "$t" .stopped_by)" "stopped instance"
check "nobody can log in then" is "$(of instances "$t" .ssh)" null
check "its socket and token are gone" test ! -e "$work/state/inside/$t"
check "it starts" done_ POST "/v1/instances/$t/start" '{}'
check "with another token" is "$(said "$t" "$try") $(said "$t" "STARVERSE_API_KEY=$token $try")" "0 4"
check "files are kept" is "$(said "$t" 'cat /root/file /etc/mark | tr "\n" " "')" "kept etc "
check "a snapshot is made" done_ POST /v1/snapshots '{"name":"s","instance":"t"}'
check "an instance from it" done_ POST /v1/instances '{"name":"v","gpu":"tpu-sim","snapshot":"s"}'
v=$(field .id "$answer")
check "has the files" is "$(said "$v" 'cat /root/file /etc/mark | tr "\n" " "; echo $STARVERSE_BACKEND')" "kept etc tpu"
check "and its own name" is "$(login "$v" hostname)" v
check "an image is saved" done_ POST "/v1/instances/$v/save_image" '{"name":"mine"}'
check "an instance from it, over two layers" done_ POST /v1/instances '{"name":"w","gpu":"ascend-910b","image":"mine"}'
w=$(field .id "$answer")
check "has the files, too" is "$(said "$w" 'cat /root/file /etc/mark | tr "\n" " "')" "kept etc "
done_ DELETE "/v1/instances/$w"
check "a snapshot of a disk" done_ POST /v1/snapshots '{"name":"sd","disk":"d"}'
check "fills another" done_ POST /v1/disks '{"name":"e","size_gib":2,"snapshot":"sd"}'
e=$(field .id "$answer")
check "that comes to an instance" done_ POST "/v1/disks/$e/attach" "$(jq -cn --arg i "$v" '{instance: $i, path: "/e"}')"
check "with the bytes of the first" is "$(said "$v" 'cat /e/x')" checkpoint

check "it clones" done_ POST "/v1/instances/$t/clone" '{"name":"c"}'
c=$(field .id "$answer")
check "with its files" is "$(said "$c" 'cat /root/file')" kept
done_ DELETE "/v1/instances/$c"

check "the disk moves to the first" done_ POST "/v1/disks/$d/detach"
done_ POST "/v1/disks/$d/attach" "$(jq -cn --arg i "$t" '{instance: $i, path: "/data"}')"
run "$t" 'cd /data; (while :; do date +%s%N > /data/tick; sleep 0.1; done) >/dev/null 2>&1 & exit 0' >/dev/null
answer=$(call POST "/v1/instances/$t/switch" '{"gpu":"tpu-sim","gpu_count":4}')
op=$(field .operation_id "$answer")
check "a switch succeeds while a process stands in the disk" is "$(over "$op")" succeeded
new=$(of operations "$op" .resource)
check "the new one has the name" is "$(of instances "$new" .name) $(of instances "$t" .name)" "t t-1"
check "and the files, and the checkpoint" is "$(said "$new" 'cat /root/file /data/x | tr "\n" " "')" "kept checkpoint "
check "and its card" is "$(said "$new" 'echo $STARVERSE_BACKEND')" tpu
check "the old one is stopped" is "$(of instances "$t" '.status + " " + .switched_to')" "stopped $new"
check "and writes no more" is "$(said "$new" 'a=$(cat /data/tick); sleep 0.5; b=$(cat /data/tick); test "$a" = "$b" && echo still')" still
check "one can log in to the new one" is "$(login "$new" hostname)" t
check "the old one still starts" done_ POST "/v1/instances/$t/start" '{}'
check "with its files" is "$(said "$t" 'cat /root/file')" kept
done_ DELETE "/v1/instances/$t"

# The daemon dies right after it has acknowledged, a little later each time.
survive() {
	local name=$1 delay=$2 op
	shift 2
	answer=$(call "$@")
	op=$(field '.operation_id // empty' "$answer")
	sleep "$delay"
	crash
	up || return 1
	[ -n "$op" ] || { echo "$answer"; return 1; }
	outcome=$(over "$op")
	[ "$name" = switch ] || is "$outcome" succeeded || { call GET "/v1/operations/$op"; return 1; }
}

billed() { call GET '/v1/instances' | jq '[.items[] | select(.billing_active)] | length'; }

done_ POST "/v1/disks/$e/detach"
before=$(billed)
for delay in 0 0.01 0.05; do
	check "killed $delay s after create" survive create $delay POST /v1/instances \
		'{"name":"x","gpu":"rtx-4090","image":"pytorch-2.2"}'
	x=$(field .id "$answer")
	check "it runs, one more is billed" is "$(of instances "$x" .status) $(billed)" "running $((before + 1))"
	check "one can log in" is "$(login "$x" hostname)" x
	run "$x" 'echo here > /root/f' >/dev/null
	check "killed $delay s after stop" survive stop $delay POST "/v1/instances/$x/stop" '{}'
	check "it is stopped, not billed" is "$(of instances "$x" .status) $(billed)" "stopped $before"
	check "killed $delay s after start" survive start $delay POST "/v1/instances/$x/start" '{}'
	check "its file is there" is "$(said "$x" 'cat /root/f')" here
	check "killed $delay s after snapshot" survive snapshot $delay POST /v1/snapshots "{\"name\":\"k$delay\",\"instance\":\"$x\"}"
	check "it still runs, thawed" is "$(said "$x" 'echo on')" on
	check "killed $delay s after attach" survive attach $delay POST "/v1/disks/$e/attach" \
		'{"instance":"x","path":"/e"}'
	check "the disk is there" is "$(said "$x" 'cat /e/x')" checkpoint
	survive switch $delay POST "/v1/instances/$x/switch" '{"gpu":"tpu-sim"}'
	check "killed $delay s after switch: $outcome, one of them runs" is "$(billed)" $((before + 1))
	x=$(call GET '/v1/instances?name=x' | jq -r '.items[0].id')
	check "with file and disk" is "$(said "$x" 'cat /root/f /e/x | tr "\n" " "')" "here checkpoint "
	done_ POST "/v1/disks/$e/detach" >/dev/null
	check "killed $delay s after delete" survive delete $delay DELETE "/v1/instances/$x"
	check "it is released" is "$(of instances "$x" .status)" released
	old=$(call GET '/v1/instances?name=x-1' | jq -r '.items[0].id // empty')
	[ -z "$old" ] || done_ DELETE "/v1/instances/$old"
done

# What runs goes on running while there is no daemon.
run "$new" '(while :; do date +%s%N > /root/new && mv /root/new /root/tick; sleep 0.05; done) >/dev/null 2>&1 & sleep 0.3' \
	>/dev/null
a=$(said "$new" 'cat /root/tick')
crash
sleep 0.5
up
check "it ran on without the daemon" is "$(said "$new" "test \$(cat /root/tick) -gt $((a + 400000000)) && echo yes")" yes
check "and can be logged in to" is "$(login "$new" hostname)" t
check "its own socket answers again" is "$(said "$new" 'svctl instance list -o name')" t

answer=$(call POST /v1/instances '{"name":"bad","gpu":"cambricon","image":"nope"}')
check "what is wrong is refused by name" is "$(status) $(field '.errors[0].field' "$answer")" "422 image"
finish
