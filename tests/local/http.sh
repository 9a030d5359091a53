#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The daemon itself, driven by curl: sockets, modes, locks, crashes, signals, streams, TCP. Prints TAP.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
local=$SV_BUILD/cli/svctl-local
work=$tap_out/w
mkdir -p "$work"
sock=$work/run/local.sock
state=$work/state
trap 'end_all; rm -rf "$tap_out"' EXIT
# Every daemon's pid is in its lock.
end_all() {
	local f pid
	for f in "$work"/*/lock; do
		[ -s "$f" ] && pid=$(cat "$f") && kill "$pid" 2>/dev/null
	done
	for f in "$work"/*/holder; do
		[ -s "$f" ] && kill -9 "$(cut -d ' ' -f 1 "$f")" 2>/dev/null
	done
}
begin() { "$local" --daemon --state "$state" --socket "$sock" --engine none "$@"; }
pid() { cat "$state/lock"; }
gone() { # gone PID: it has ended, within 10 s
	local i
	for i in $(seq 100); do kill -0 "$1" 2>/dev/null || return 0; sleep 0.1; done
	return 1
}
end() { local p; p=$(pid) && [ -n "$p" ] && kill "$p" && gone "$p"; }
ask() { curl -sS --max-time 20 --unix-socket "$sock" -H "Authorization: Bearer $key" "$@"; }
status() { ask -o /dev/null -w '%{http_code}' "$@"; }
is() { [ "$1" = "$2" ] || { echo "is '$1', not '$2'"; return 1; }; }
mode() { stat -c %a "$1"; }
register() { curl -sS --unix-socket "$sock" -X POST http://l/v1/account/register -d "{\"email\":\"$1\"}" |
	sed 's/.*"api_key":"\([^"]*\)".*/\1/'; }
rename() { status -X PATCH http://l/v1/account -d "{\"name\":\"$1\"}"; }
name() { ask http://l/v1/account | sed 's/.*"name":"\([^"]*\)".*/\1/'; }
version() { ask http://l/v1/account | sed 's/.*"version":\([0-9]*\).*/\1/'; }

# --- beginning
begun() { (umask 000; begin); }
check "begins in the background" begun
key=$(register a@example.com)
check "answers at once" is "$(status http://l/v1/account)" 200
modes() { is "$(mode "$sock")" 600 && is "$(mode "$work/run")" 700 && is "$(mode "$state")" 700 &&
	is "$(mode "$state/local.db")" 600 && is "$(mode "$state/log")" 600; }
check "modes are private under umask 000" modes
second() { begin 2>"$work/err"; is $? 6 && grep -q "already running (pid $(pid))" "$work/err" && is "$(name)" "a@example.com"; }
check "a second daemon is refused, the first goes on" second
no_secret() { [ ${#key} -gt 20 ] && [ -s "$state/local.db" ] && ! grep -rqF "$key" "$state"; }
check "the key is nowhere in the state" no_secret

# --- durability
durable() { is "$(rename survivor)" 200; kill -9 "$(pid)"; gone "$(pid)"; begin && is "$(name)" survivor; }
check "what was acknowledged survives kill -9, over the stale socket" durable
removed() { [ -S "$sock" ] && end && [ ! -e "$sock" ]; }
check "SIGTERM removes the socket" removed
for kind in file dir link; do
	case $kind in
	file) echo keep >"$sock" ;;
	dir) mkdir "$sock" ;;
	link) ln -s "$work/nowhere" "$sock" ;;
	esac
	stays() { begin 2>"$work/err"; is $? 6 && grep -q "no socket" "$work/err" && [ -e "$sock" ] || [ -L "$sock" ]; }
	check "a $kind in the socket's place stays" stays
	rm -rf "$sock"
done
long() { "$local" --daemon --state "$state" --engine none --socket "/tmp/$(printf 'x%.0s' $(seq 110))" 2>"$work/err"
	is $? 2 && grep -q 'at most 107' "$work/err"; }
check "a socket path beyond 107 bytes is refused" long
foreign() { begin || return; "$local" --daemon --state "$work/other" --socket "$sock" --engine none 2>"$work/err"
	is $? 6 && grep -q "another program listens" "$work/err" && is "$(name)" survivor; }
check "a living socket of another daemon is left alone" foreign
unsafe() { mkdir -p "$work/open" && chmod 777 "$work/open"
	"$local" --daemon --state "$work/third" --socket "$work/open/s" --engine none 2>"$work/err"; is $? 3; }
check "a directory that everybody may write is refused" unsafe
bad() { "$local" "$@" 2>"$work/err"; is $? 2; }
check "an unknown option is a usage error" bad --nope
check "a bad clock is a usage error" bad --clock sundial
check "an unknown engine is a usage error" bad --daemon --state "$work/fourth" --socket "$work/f.sock" --engine magic

# --- requests
refused() { is "$(ask -o "$work/out" -w '%{http_code}' "${@:3}")" "$1" && { grep -q "$2" "$work/out" || { cat "$work/out"; false; }; }; }
check "an unknown field is named" refused 422 '"field":"nmae"' -X PATCH http://l/v1/account -d '{"nmae":1}'
check "a path is cut before it is decoded" refused 404 not_found --path-as-is 'http://l/v1/keys/..%2Faccount'
check "dots are refused" refused 422 validation_failed --path-as-is http://l/v1/keys/../account
check "the wrong method is 405" refused 405 'possible: GET' -X DELETE http://l/v1/gpus
large() { head -c 5000000 /dev/zero | tr '\0' ' ' >"$work/large"
	refused 413 validation_failed -X PATCH http://l/v1/account --data-binary "@$work/large" &&
	refused 413 validation_failed -H 'Transfer-Encoding: chunked' -X PATCH http://l/v1/account --data-binary "@$work/large"; }
check "a large body is 413, however it comes" large
headers() { ask -D "$work/h" -o /dev/null http://l/v1/gpus && grep -qi '^x-request-id: req_' "$work/h"; }
check "every answer has X-Request-Id" headers
replay() { ask -o "$work/1" -H 'Idempotency-Key: k-1234567' -X POST http://l/v1/account/top_up -d '{"amount":"3.00"}'
	ask -D "$work/h" -o "$work/2" -H 'Idempotency-Key: k-1234567' -X POST http://l/v1/account/top_up -d '{"amount":"3.00"}'
	grep -qi '^idempotency-replayed: true' "$work/h" && cmp "$work/1" "$work/2"; }
check "the same key gives the first answer again" replay
replay_after_crash() { kill -9 "$(pid)"; gone "$(pid)"; begin &&
	ask -D "$work/h" -o "$work/2" -H 'Idempotency-Key: k-1234567' -X POST http://l/v1/account/top_up -d '{"amount":"3.00"}' &&
	grep -qi '^idempotency-replayed: true' "$work/h" && cmp "$work/1" "$work/2"; }
check "also after a crash" replay_after_crash
# The work is done and its answer lost: the retry must not do it again.
lost() { ask -X POST http://l/local/fault -d '{"method":"POST","path":"/v1/account/top_up","status":0,"times":1}'
	ask -o /dev/null -H 'Idempotency-Key: k-lost-0001' -X POST http://l/v1/account/top_up -d '{"amount":"1.00"}' 2>/dev/null
	is $? 52 || return
	is "$(status -H 'Idempotency-Key: k-lost-0001' -X POST http://l/v1/account/top_up -d '{"amount":"1.00"}')" 200
	is "$(ask 'http://l/v1/billing/charges?limit=1000' | grep -o '"amount":"1.000000"' | wc -l)" 1; }
check "an answer that is lost is not work done twice" lost
fault() { is "$(status -X POST http://l/local/fault -d '{"method":"GET","path":"/v1/gpus","status":503,"times":1}')" 204; }
check "a fault that is asked for" fault
check "answers its status, and Retry-After" sh -c 'curl -sS --unix-socket "$1" -D - -o /dev/null http://l/v1/gpus | grep -i "^retry-after: 1"' sh "$sock"
check "a real clock cannot be stepped" refused 409 invalid_state -X POST http://l/local/step -d '{"seconds":1}'

# --- waiting
poll() { local v; v=$(version)
	ask "http://l/v1/account?after_version=$v&timeout_seconds=15" >"$work/poll" &
	local p=$! at; sleep 0.3; at=$(date +%s%N); rename "waited$v" >/dev/null; wait $p
	[ $((($(date +%s%N) - at) / 1000000)) -lt 2000 ] && grep -q "waited$v" "$work/poll"; }
check "a long poll answers when the version grows" poll
idle_poll() { local at; at=$(date +%s); refused 200 '"version"' "http://l/v1/account?after_version=999999&timeout_seconds=1" &&
	[ $(($(date +%s) - at)) -le 3 ]; }
check "and when its time is up" idle_poll
follow() { curl -sSN --unix-socket "$sock" -H "Authorization: Bearer $key" "$@" 'http://l/v1/events?follow=true' >"$work/sse" &
	sse=$!; sleep 0.4; }
stop_follow() { kill $sse; wait $sse 2>/dev/null; }
stream() { follow; rename followed >/dev/null; sleep 0.5; stop_follow
	grep -q '^event: account.updated' "$work/sse" && grep -q '^id: evt_' "$work/sse" && grep -q '^data: {' "$work/sse"; }
check "events are followed as they happen" stream
resume() { local last; last=$(grep '^id: ' "$work/sse" | tail -n 1 | cut -c5-)
	rename missed1 >/dev/null; rename missed2 >/dev/null; follow -H "Last-Event-ID: $last"; stop_follow
	is "$(grep -c '^event: account.updated' "$work/sse")" 2; }
check "Last-Event-ID resumes without loss" resume
# A follower that leaves is noticed: nothing is left waiting.
left() { follow; stop_follow; sleep 0.5; curl -sS --unix-socket "$sock" http://l/local/status | grep -q '"waiting":0'; }
check "a follower that leaves is forgotten" left

# --- many and slow
crowd() { python3 - "$sock" <<'PY'
import socket, sys, time
idle = []
for i in range(300):
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    if i % 2:
        s.send(b"GET /v1/gpus HT")
    idle.append(s)
began = time.time()
s = socket.socket(socket.AF_UNIX)
s.connect(sys.argv[1])
s.send(b"GET /local/status HTTP/1.1\r\nHost: l\r\nConnection: close\r\n\r\n")
data = b""
while True:
    part = s.recv(65536)
    if not part:
        break
    data += part
assert b"200 OK" in data, data[:100]
assert time.time() - began < 2
PY
}
check "300 idle and half-sent connections stop nobody" crowd
parallel() { local i; for i in $(seq 40); do rename "p$i" >"$work/p$i" & pids="${pids:-} $!"; done
	# shellcheck disable=SC2086
	wait $pids; cat "$work"/p[0-9]* | tr -d '\n' | grep -qE '^(200){40}$'; }
check "40 writers at once are all served" parallel
busy() { sqlite3 "$state/local.db" 'begin immediate; select 1;' '.system sleep 2' 'commit;' >/dev/null & local p=$!; sleep 0.4
	is "$(rename patient)" 200; wait $p; }
if command -v sqlite3 >/dev/null; then check "another's lock on the database is waited for" busy
else skip "another's lock on the database is waited for" "no sqlite3"; fi

# --- leaving
drain() { local v p q; v=$(version); p=$(pid)
	ask "http://l/v1/account?after_version=$v&timeout_seconds=30" >"$work/poll" & q=$!
	sleep 0.3; kill "$p"; kill "$p"; wait $q || return; gone "$p" && grep -q '"version"' "$work/poll" && [ ! -e "$sock" ]; }
check "SIGTERM, twice, answers what waits and leaves" drain
check "begins again" begin --clock stepped
check "a stepped clock is stepped" refused 200 '"clock":"stepped"' -X POST http://l/local/step -d '{"seconds":60}'
clock_stays() { local t; t=$(ask http://l/local/status | grep -o '"time":"[^"]*"') || return; end; begin --clock stepped
	is "$(ask http://l/local/status | grep -o '"time":"[^"]*"')" "$t"; }
check "and goes on where it was" clock_stays
stop() { local p; p=$(pid); is "$(status -X POST http://l/local/stop)" 202 && gone "$p"; }
check "POST /local/stop ends it" stop
idle() { begin --idle 1 && gone "$(pid)"; }
check "leaves when idle" idle

# --- TCP
port=$((21000 + RANDOM % 8000))
check "begins with TCP" begin --listen "127.0.0.1:$port"
tcp() { is "$(curl -sS -o "$work/out" -w '%{http_code}' --max-time 5 "${@:2}")" "$1"; }
url=http://127.0.0.1:$port
auth="Authorization: Bearer $key"
check "TCP needs the key" tcp 401 "$url/v1/account"
check "and takes it" tcp 200 -H "$auth" "$url/v1/account"
check "localhost is a name of it" tcp 200 -H "$auth" -H "Host: localhost:$port" "$url/v1/account"
for host in evil.example 127.evil.example "127.0.0.1.evil.example:$port" "[::1]:$port" 127.0.0.1; do
	check "Host $host is foreign" tcp 403 -H "$auth" -H "Host: $host" "$url/v1/account"
done
check "no Host is foreign" tcp 403 --http1.0 -H "$auth" -H 'Host:' "$url/v1/account"
check "a foreign Origin is refused" tcp 403 -H "$auth" -H 'Origin: https://evil.example' "$url/v1/account"
check "a form is no JSON" tcp 415 -H "$auth" -X PATCH -H 'Content-Type: text/plain' -d '{}' "$url/v1/account"
check "JSON is" tcp 200 -H "$auth" -X PATCH -H 'Content-Type: application/json' -d '{"name":"t"}' "$url/v1/account"
check "the owner's requests are not on TCP" tcp 404 "$url/local/status"
check "nor with a key" tcp 404 -H "$auth" "$url/local/status"
taken() { "$local" --daemon --state "$work/fifth" --socket "$work/5.sock" --engine none --listen "127.0.0.1:$port" 2>"$work/err"
	is $? 6 && grep -q -- "--listen 127.0.0.1:$port" "$work/err" && [ ! -e "$work/5.sock" ]; }
check "a busy port is said, and nothing is left" taken
# A process that only holds namespaces, and the copy of the host's files, would stay for good.
taken_box() { "$local" --daemon --state "$work/taken" --socket "$work/7.sock" --engine sandbox --listen "127.0.0.1:$port" 2>"$work/err"
	is $? 6 && [ -s "$work/taken/holder" ] && gone "$(cut -d ' ' -f 1 "$work/taken/holder")" &&
		is "$(find "$work/taken" -maxdepth 1 -name 'base*')" ""; }
if "$local" --daemon --state "$work/box" --socket "$work/box.sock" --engine sandbox 2>/dev/null; then
	check "nor a process of the sandbox" taken_box
	kill "$(cat "$work/box/lock")"
else
	skip "nor a process of the sandbox" "no sandbox here"
fi
clear_text() { "$local" --daemon --state "$work/sixth" --socket "$work/6.sock" --engine none --listen 0.0.0.0:0 2>"$work/err"; is $? 3; }
check "a key never travels in clear beyond this machine" clear_text
end
if command -v openssl >/dev/null; then
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
		-addext 'subjectAltName=IP:127.0.0.1,DNS:localhost' -keyout "$work/key.pem" -out "$work/cert.pem" 2>/dev/null
	check "begins with TLS" begin --listen "127.0.0.1:$port" --tls-cert "$work/cert.pem" --tls-key "$work/key.pem"
	check "TLS answers" tcp 200 --cacert "$work/cert.pem" -H "$auth" "https://127.0.0.1:$port/v1/account"
	end
	wrong() { echo nothing >"$work/no.pem"; begin --listen "127.0.0.1:$port" --tls-cert "$work/no.pem" --tls-key "$work/key.pem" 2>"$work/err"
		is $? 3 && [ ! -e "$sock" ]; }
	check "a certificate that is none is said" wrong
else
	skip "TLS" "no openssl"
fi
finish
