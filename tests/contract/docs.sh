#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Every row, verb and command has its text, the manual pages are well formed, openapi.yaml is the tables'.
set -u
# shellcheck source=tests/support/tap.sh
. "$SV_SOURCE/tests/support/tap.sh"
svctl=$SV_BUILD/cli/svctl
export HOME=$tap_out XDG_CONFIG_HOME=$tap_out XDG_STATE_HOME=$tap_out XDG_CACHE_HOME=$tap_out

check "the tables pass their own test" "$svctl" __selftest
check "openapi.yaml is fresh" sh -c '"$1" | diff -u "$2" -' sh "$SV_BUILD/tests/openapi-print" \
	"$SV_SOURCE/lib/openapi.yaml"

helped() {
	"$svctl" help "$@" >"$tap_out/help" && [ "$(wc -l <"$tap_out/help")" -ge 2 ]
}
mapfile -t nouns < <(cd "$SV_SOURCE/lib/kinds" && for f in [a-z]*.c; do
	grep -q '\.verbs' "$f" && echo "${f%.c}"; done)
for noun in "${nouns[@]}"; do
	check "help $noun" helped "$noun"
done
check "help of what is not there fails" sh -c '! "$1" help nonesuch' sh "$svctl"

# The phrase of the name is a paragraph of its own where it comes again: what follows is no part of it.
apart() {
	awk '/^\.Nd / { phrase = substr($0, 5); next } said && !/^\./ { bad = 1 }
		{ said = $0 == phrase } END { exit bad }' "$1"
}
# A Chinese page has Chinese headings, which mandoc takes for misplaced ones.
well_formed() {
	case $1 in
	*/zh_CN/*) ! mandoc -T lint -W warning "$1" | grep -vE 'first section is not "NAME"|outside NAME section' ;;
	*) mandoc -T lint -W warning "$1" ;;
	esac
}
if command -v mandoc >/dev/null; then
	pages=0
	while IFS= read -r page; do
		pages=$((pages + 1))
		check "${page##*/man/} is well formed" well_formed "$page"
		check "${page##*/man/} keeps phrases apart" apart "$page"
	done < <(find "$SV_SOURCE/man" "$SV_BUILD/man" -name '*.[1357]' | sort)
	check "there are manual pages" test "$pages" -ge 4
else
	skip "manual pages" "no mandoc"
fi
for page in svctl.1 starverse.3 starverse.5; do
	check "$page is there" sh -c 'find "$1" "$2" -name "$3" | grep -q .' sh "$SV_SOURCE/man" "$SV_BUILD/man" "$page"
done

# Every English page has a Chinese one, in which nothing is left in English but what is typed.
for page in "$SV_SOURCE"/man/*.[1357] "$SV_BUILD"/man/*.[1357]; do
	check "${page##*/} in Chinese" python3 "$SV_SOURCE/tests/contract/chinese.py" "$page" "${page%/*}/zh_CN/${page##*/}"
done
check "README.zh-CN.md is README.md" python3 "$SV_SOURCE/tests/contract/chinese.py" "$SV_SOURCE/README.md" "$SV_SOURCE/README.zh-CN.md"

if command -v msgfmt >/dev/null && command -v xgettext >/dev/null; then
	check "every text has its translation" "$SV_SOURCE/cli/po/update" --check "$SV_BUILD"
	for po in "$SV_SOURCE"/cli/po/*.po; do
		check "$(basename "$po") takes the same arguments" msgfmt --check-format -o /dev/null "$po"
	done
else
	skip "translations" "no gettext"
fi
if command -v shellcheck >/dev/null; then
	mapfile -t scripts < <(cd "$SV_SOURCE" && find .ci examples tests -type f | while IFS= read -r f; do
		head -n 1 "$f" | grep -qE '^#!.*\b(bash|sh)$' && echo "$SV_SOURCE/$f"; done)
	check "shell scripts" shellcheck -S warning -x -P "$SV_SOURCE" "${scripts[@]}"
else
	skip "shell scripts" "no shellcheck"
fi
# The project speaks of itself alone, and its root holds what was agreed.
if git -C "$SV_SOURCE" rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	check "the root holds what was agreed" sh -c '! git -C "$1" ls-files | cut -d/ -f1 | sort -u | grep -vE \
		"^(lib|cli|include|examples|man|tests|meson\.build|LICENSE|README(\.[A-Za-z-]+)?\.md|\..*)$"' sh "$SV_SOURCE"
fi
finish
