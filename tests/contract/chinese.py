#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""chinese.py ENGLISH CHINESE: two documents, pages or READMEs, of one structure, with no sentence of English in the other."""
import re
import sys
from pathlib import Path

SENTENCE = re.compile(r"(?<![`\w./-])(?:[a-z]{2,} ){4,}[a-z]{2,}")


def markdown(text):
    """Headings by depth, and blocks of code without their comments."""
    blocks = re.findall(r"^```(.*?)^```", text, re.M | re.S)
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    code = [[re.sub(r"(^|\s)#(?!include).*", "", line).rstrip() for line in b.splitlines()] for b in blocks]
    return [("heading", len(h)) for h in re.findall(r"^(#+) ", prose, re.M)], code, re.sub(r"`[^`]*`", "", prose)


def mdoc(text):
    """Sections, options and macros that name things; literal text; and what is left."""
    literal = r"^\.Bd -literal.*?^\.Ed"
    lines = re.sub(literal, "", text, flags=re.M | re.S).splitlines()
    names = (re.match(r"\.(Sh|Ss|It|Fn|Pa|Ev|Dl|D1|Xr)\b", line) for line in lines)
    told = [line for line in lines if not re.match(r"\.(\\\"|Fn|Fd|In|Ft|It|Dl|D1|Cm|Xr|Ql|Pa)", line)]
    return sorted(m[1] for m in names if m), re.findall(literal, text, re.M | re.S), "\n".join(told)


def main(english, chinese):
    read = markdown if english.endswith(".md") else mdoc
    texts = [Path(p).read_text(encoding="utf-8") for p in (english, chinese)]
    one, other = (read(t) for t in texts)
    faults = [f"{what} differ" for what, a, b in zip(("the parts", "the blocks of code"), one, other) if a != b]
    faults += [f"in English: {s}" for s in SENTENCE.findall(other[2].replace("\\-", "-"))]
    if not re.search("[\u4e00-\u9fff]", texts[1]):
        faults.append("no Chinese")
    for f in faults:
        print(f"{chinese}: {f}", file=sys.stderr)
    return bool(faults)


sys.exit(main(*sys.argv[1:]))
