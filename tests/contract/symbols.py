#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What the headers declare, the maps list and the shared libraries export is one set. Prints TAP."""
import os
import pathlib
import re
import subprocess
import sys

SOURCE, BUILD = pathlib.Path(os.environ["SV_SOURCE"]), pathlib.Path(os.environ["SV_BUILD"])


def declared(headers):
    names = set()
    for h in headers:
        text = re.sub(r"/\*.*?\*/", "", h.read_text(encoding="utf-8"), flags=re.S)
        text = re.sub(r"^\s*#.*(?:\\\n.*)*$", "", text, flags=re.M)
        for d in re.findall(r"\bSV_API\b(.*?);", text, re.S):
            names.add(re.search(r"(\w+)\s*(?:\(|$)", d).group(1))
    return names


def mapped(path):
    text = re.sub(r"/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.S)
    return {n for part in re.findall(r"global:(.*?)(?:local:|\})", text, re.S) for n in re.findall(r"([\w*]+)\s*;", part)}


def exported(library):
    out = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    found = (line.split() for line in out.splitlines())
    # A version node is itself an absolute symbol.
    return {f[2].split("@")[0] for f in found if len(f) == 3 and f[1] != "A"}


def compare(name, first, second):
    only = sorted(first ^ second)
    lines = [f"# {n}: only in the {'first' if n in first else 'second'}" for n in only]
    return name, lines


def library(base, headers):
    found = sorted(BUILD.glob(f"lib/**/lib{base}.so"))
    names = declared(headers)
    assert names, headers
    yield compare(f"{base}: headers and library", names, {n for n in exported(found[0]) if not n.startswith("__")})
    for m in SOURCE.glob(f"lib/**/{base}.map"):
        yield compare(f"{base}: headers and map", names, mapped(m))
    yield f"{base}: names begin with sv_", [f"# {n}" for n in sorted(names) if not n.startswith("sv_")]


def main():
    public = sorted((SOURCE / "include").glob("**/*.h"))
    local = [h for h in public if h.name == "local.h"]
    results = list(library("starverse", [h for h in public if h not in local]))
    if list(BUILD.glob("lib/**/libstarverse-local.so")):
        results += library("starverse-local", local)
    print(f"1..{len(results)}")
    for i, (name, lines) in enumerate(results, 1):
        print(f"{'not ok' if lines else 'ok'} {i} - {name}")
        print("".join(f"{line}\n" for line in lines), end="")
    return any(lines for _, lines in results)


if __name__ == "__main__":
    sys.exit(main())
