#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which folder may include what, and which one file may know which third party. Prints TAP."""
import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["SV_SOURCE"])
# Layer: what of ours it may include. <starverse/...> is open to all.
LAYERS = {
    "include": set(),
    "lib/base": {"base"},
    "lib/model": {"base", "model", "kinds"},  # kinds: its list of tables, for the registry
    "lib/kinds": {"base", "model", "kinds"},
    "lib/net": {"base", "model", "kinds", "net"},
    "lib/api": {"base", "model", "kinds", "net", "api"},
    "lib/local": {"base", "model", "kinds", "local"},
    "cli": set(),
    "examples": set(),
}
# The programs that host the platform and send for it stand on the layers, not on the public headers.
PROGRAMS = {"svctl-local.c": {"base", "local"}, "svctl-courier.c": {"base", "kinds", "net"}}
# Third party header: the files that may know it.
PARTIES = {
    r"curl/": r"lib/net/curl\.c",
    r"expat\.h": r"lib/net/expat\.c|lib/local/s3/read-xml\.c",
    r"microhttpd\.h": r"lib/local/(http|listen|reply|tls|s3/http)[\w-]*\.[ch]",
    r"readline/": r"cli/readline\.c",
    r"sqlite3\.h": r"lib/local/(store|schema|ledger|document|wipe|s3/key)[\w-]*\.[ch]",
    r"cJSON\.h|cjson/": r"lib/model/\w+\.[ch]",
    r"yaml\.h": r"lib/model/yaml\.c|lib/api/config[\w-]*\.c|cli/[\w-]+\.c",
    r"uni(width|str|case|norm)\.h|unistring": r"cli/[\w-]+\.c|lib/local/fold\.c",
}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.M)
OURS = {"base", "model", "kinds", "net", "api", "local", "cli"}


def layer_faults(layer, files):
    for f in files:
        for quote, name in INCLUDE.findall(f.read_text(encoding="utf-8")):
            top = name.split("/")[0]
            ours = top in OURS and any((SOURCE / d / name).exists() for d in ("lib", "."))
            allowed = PROGRAMS.get(f.name, LAYERS[layer])
            if "/" in name and ours and top not in allowed:
                yield f"{f.relative_to(SOURCE)} includes {name}"
            elif quote == '"' and (".." in name or layer == "include"):
                yield f"{f.relative_to(SOURCE)} includes \"{name}\""
            elif layer == "include" and "/" in name and top != "starverse":
                yield f"{f.relative_to(SOURCE)} includes {name}"


def party_faults(pattern, allowed, files):
    for f in files:
        path = str(f.relative_to(SOURCE))
        for _, name in INCLUDE.findall(f.read_text(encoding="utf-8")):
            if re.match(pattern, name) and not re.fullmatch(allowed, path):
                yield f"{path} includes {name}"


def main():
    results = []
    for layer in LAYERS:
        files = sorted((SOURCE / layer).glob("**/*.[ch]"))
        results.append((f"{layer} includes what it may", list(layer_faults(layer, files)) if files else ["no files"]))
    files = [f for top in ("include", "lib", "cli") for f in sorted((SOURCE / top).glob("**/*.[ch]"))]
    for pattern, allowed in PARTIES.items():
        results.append((f"{pattern} is known where it may be", list(party_faults(pattern, allowed, files))))
    print(f"1..{len(results)}")
    for i, (name, faults) in enumerate(results, 1):
        print(f"{'not ok' if faults else 'ok'} {i} - {name}")
        print("".join(f"# {f}\n" for f in faults), end="")
    return any(faults for _, faults in results)


if __name__ == "__main__":
    sys.exit(main())
