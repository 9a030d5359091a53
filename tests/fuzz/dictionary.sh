#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The dictionary is libFuzzer's form and holds what the contract names.
words=$("$1") || exit 1
for word in instance gpu_count save_image running; do
	grep -qx "\"$word\"" <<<"$words" || { echo "not there: $word"; exit 1; }
done
! grep -vE '^"([^"\\]|\\x[0-9A-F]{2})+"$' <<<"$words"
