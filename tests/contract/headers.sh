#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Each public header compiles alone, as C99, C11 and C++17, with every warning an error.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
flags=(-Wall -Wextra -Wpedantic -Werror -Wundef -fsyntax-only -I "$SV_SOURCE/include")
cd "$SV_SOURCE/include" || exit 2

# alone COMPILER LANGUAGE STANDARD HEADER: twice included, so that its guard is tried too.
alone() {
	printf '#include <%s>\n#include <%s>\nextern int here;\nint here;\n' "$4" "$4" | "$1" "${flags[@]}" -x "$2" -std="$3" -
}

for cc in gcc clang; do
	if ! command -v "$cc" >/dev/null; then
		skip "headers with $cc" "no $cc"
		continue
	fi
	for h in starverse.h starverse/*.h; do
		check "$h, C99, $cc" alone "$cc" c c99 "$h"
		check "$h, C11, $cc" alone "$cc" c c11 "$h"
		check "$h, C++17, $cc" alone "$cc" c++ c++17 "$h"
	done
done
finish
