#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What sends nothing loads nothing: version, help and completion map neither libcurl nor readline, nor TLS.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
svctl=$SV_BUILD/cli/svctl
export HOME=$tap_out XDG_CONFIG_HOME=$tap_out XDG_STATE_HOME=$tap_out XDG_CACHE_HOME=$tap_out
heavy='libcurl|libreadline|libssl|libcrypto|libmicrohttpd|libsqlite|libexpat|starverse/(curl|expat|readline)\.so'

# light WORDS...: the loader's own account of what was opened.
light() {
	LD_DEBUG=files LD_DEBUG_OUTPUT=$tap_out/ld "$svctl" "$@" >/dev/null 2>"$tap_out/err" </dev/null || {
		cat "$tap_out/err"
		return 1
	}
	cat "$tap_out"/ld.* >"$tap_out/loaded"
	rm -f "$tap_out"/ld.*
	grep -q 'libstarverse.so' "$tap_out/loaded" || { echo "the loader said nothing"; return 1; }
	! grep -E "file=[^ ]*($heavy)" "$tap_out/loaded"
}

check "version" light version
check "--version" light --version
check "help" light help
check "help of a verb" light help instance create
check "--help of a noun" light instance --help
check "completion of nouns" light __complete --cword 0 -- ins
check "completion of options" light __complete -- instance create --g
check "completion of names, nobody there" light __complete -- instance stop ""
check "the completion script" light completion bash
check "svctl links neither" sh -c '! readelf -d "$1" | grep -E "NEEDED.*(curl|readline|ssl)"' sh "$svctl"
check "libstarverse links no curl" sh -c '! readelf -d "$1" | grep -E "NEEDED.*(curl|expat|ssl)"' sh "$SV_BUILD/lib/libstarverse.so"
# Hardened: position independent, read-only relocations, no executable stack, canaries.
for f in "$svctl" "$SV_BUILD/lib/libstarverse.so" "$SV_BUILD"/cli/svctl-local; do
	[ -e "$f" ] || continue
	check "$(basename "$f") is position independent" sh -c 'readelf -h "$1" | grep -q "Type:.*DYN"' sh "$f"
	check "$(basename "$f") binds at once" sh -c 'readelf -d "$1" | grep -qE "BIND_NOW|Flags:.*NOW"' sh "$f"
	check "$(basename "$f") has read-only relocations" sh -c 'readelf -lW "$1" | grep -q GNU_RELRO' sh "$f"
	check "$(basename "$f") has no executable stack" sh -c 'readelf -lW "$1" | grep GNU_STACK | grep -qv RWE' sh "$f"
done
finish
