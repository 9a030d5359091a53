#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes a C table of files: pack.py OUT ROOT FILE..., each named by its path below ROOT."""
import os
import sys


def main(out, root, files):
    lines = ["/* SPDX-License-Identifier: MIT */", "/* Made by pack.py. */", '#include "local/pack.h"', ""]
    for i, name in enumerate(files):
        with open(name, "rb") as f:
            data = f.read()
        lines.append(f"static const unsigned char data_{i}[] = {{")
        lines += ["\t" + "".join(f"{b}," for b in data[at:at + 24]) for at in range(0, len(data), 24)]
        lines += ["\t0", "};"]
    lines.append("const struct packed packed[] = {")
    for i, name in enumerate(files):
        path = os.path.relpath(name, root).replace(os.sep, "/")
        lines.append(f'\t{{ "{path}", data_{i}, sizeof(data_{i}) - 1 }},')
    lines += ["\t{ 0 },", "};", ""]
    with open(out, "w", encoding="ascii") as f:
        f.write("\n".join(lines))


main(sys.argv[1], sys.argv[2], sys.argv[3:])
