#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Installed under DESTDIR: pkg-config, the README's program and the C examples, against the shared and the static library.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
root=$tap_out/root
check "meson install with DESTDIR" env DESTDIR="$root" meson install -C "$SV_BUILD" --no-rebuild --quiet
pc=$(find "$root" -name starverse.pc)
libdir=${pc%/pkgconfig/starverse.pc}
prefix=$(sed -n 's/^prefix=//p' "$pc")
export PKG_CONFIG_PATH=${pc%/*}

# The tree was moved to $root: the libraries of the system stay where they are.
flags() {
	pkg-config --define-variable=prefix="$root$prefix" "$@" starverse
}
compile() {
	# shellcheck disable=SC2046
	"${CC:-cc}" -Wall -Wextra -Werror "${sanitize[@]}" "$1" -o "$2" $(flags --cflags --libs)
}
# The archive instead of the shared library; what is behind it is the system's, shared.
compile_static() {
	local words
	words=$(flags --static --libs) || return 1
	# shellcheck disable=SC2046,SC2086
	"${CC:-cc}" -Wall -Wextra -Werror "${sanitize[@]}" $(flags --cflags) "$1" -o "$2" \
		${words/-lstarverse/-Wl,-Bstatic -lstarverse -Wl,-Bdynamic}
}
sanitize=()
if nm -D "$libdir/libstarverse.so" | grep -q __asan_init; then
	# shellcheck disable=SC2054
	sanitize=(-fsanitize=address,undefined)
fi

check "pkg-config knows starverse" flags --exists --print-errors
check "its version is svctl's" sh -c 'test "$(pkg-config --modversion starverse)" = \
	"$(LD_LIBRARY_PATH=$2 "$1"/svctl version 2>/dev/null | grep -oE "[0-9]+\.[0-9]+\.[0-9]+" | head -n 1)"' sh "$root$prefix/bin" "$libdir"
check "the SDK does not ask for readline or the platform's libraries" \
	sh -c '! grep -E "readline|microhttpd|sqlite" "$1"' sh "$pc"
check "every public header is installed" sh -c 'cd "$1" && for h in starverse.h starverse/*.h; do
	cmp "$h" "$2/$h" || exit 1; done' sh "$SV_SOURCE/include" "$root$prefix/include"
for place in bash-completion/completions/svctl:bash zsh/site-functions/_svctl:zsh fish/vendor_completions.d/svctl.fish:fish; do
	check "the completion of ${place#*:} is installed, and what svctl prints" sh -c '"$1" completion "$2" | cmp - "$3"' \
		sh "$SV_BUILD/cli/svctl" "${place#*:}" "$root$prefix/share/${place%:*}"
done
check "nothing is installed outside of the prefix" \
	sh -c 'test -z "$(find "$1" -type f ! -path "$1$2/*")"' sh "$root" "$prefix"

# The program in the README, as it stands there.
sed -n '/^```c$/,/^```$/{/^```/!p;}' "$SV_SOURCE/README.md" >"$tap_out/readme.c"
check "the README has a program of at most 12 lines" \
	sh -c 'n=$(grep -c . "$1"); [ "$n" -ge 5 ] && [ "$n" -le 12 ]' sh "$tap_out/readme.c"
for source in "$tap_out/readme.c" "$SV_SOURCE"/examples/*.c; do
	name=$(basename "$source" .c)
	check "$name compiles, shared" compile "$source" "$tap_out/$name"
	check "$name compiles, static" compile_static "$source" "$tap_out/$name-static"
done
finish
