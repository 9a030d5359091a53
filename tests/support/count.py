#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Adds up the test cases of meson's log folders: count.py DIR... prints "PASSED FAILED SKIPPED", failures on stderr.

A TAP program counts by its cases, any other test as one. A program that ends badly though none of its cases failed (a
leak found at exit, a crash before the last case) is one failure more.
"""
import json
import pathlib
import re
import sys

GOOD = {"OK", "EXPECTEDFAIL"}
CASE = re.compile(r"^(not )?ok\b *(\d*)(?: *-)? *(.*)$", re.M)


def verdict(bad, text):
    if re.search(r"# *(skip|todo)\b", text, re.I):
        return "skipped"
    return "failed" if bad else "passed"


def program(entry, total):
    out, result = entry.get("stdout", ""), entry["result"]
    cases = []
    if re.search(r"^1\.\.\d+", out, re.M):
        cases = [(verdict(bad, text), text) for bad, _, text in CASE.findall(out)]
    for v, _ in cases:
        total[v] += 1
    failed = [text for v, text in cases if v == "failed"]
    if result == "SKIP":
        total["skipped"] += not cases
    elif result in GOOD:
        total["passed"] += not cases
    else:
        total["failed"] += not failed
    if result not in GOOD and result != "SKIP" or failed:
        print(f"failed: {entry['name']} ({result.lower()})" + "".join(f"\n    {t}" for t in failed), file=sys.stderr)


def main():
    total = {"passed": 0, "failed": 0, "skipped": 0}
    for folder in sys.argv[1:]:
        for line in (pathlib.Path(folder) / "testlog.json").read_text(encoding="utf-8").splitlines():
            program(json.loads(line), total)
    print(*total.values())


if __name__ == "__main__":
    main()
