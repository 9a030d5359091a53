#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The style that a tool can see: lengths, columns, comments, banned functions, licence lines. Prints TAP."""
import os
import pathlib
import re
import sys

SOURCE = pathlib.Path(os.environ["SV_SOURCE"])
FUNCTION, FILE, COLUMNS = 60, 500, 100
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
# Where: what is refused there, outside of the files that are the exception.
EVERYWHERE = "strcpy strcat sprintf vsprintf strtok atoi atol atoll atof strtol strtoll strtoul strtoull strtod scanf sscanf " \
    "fscanf gets localtime gmtime system rand srand setlocale"
# Its counter of allocations, for tests; readline's hooks, which carry no data.
STATEFUL = ("lib/base/arena.c", "cli/readline.c")
BANNED = [
    ("lib", EVERYWHERE, r"lib/base/"),
    ("lib", "malloc calloc realloc free strdup strndup asprintf vasprintf reallocarray", r"lib/base/"),
    ("lib", "printf vprintf puts putchar perror exit abort atexit strerror", r"lib/base/str\.c"),
    ("lib", "signal sigaction", r"lib/local/(engine/|daemon\.c)"),  # in processes of its own
    ("lib", "getenv secure_getenv", r"lib/api/config[\w-]*\.c|lib/base/"),
    ("cli", EVERYWHERE.replace(" setlocale", ""), r"cli/base/"),
    ("cli", "malloc calloc realloc strdup strndup asprintf vasprintf reallocarray", r"cli/mem\.c"),
    ("cli", "exit abort atexit", r"cli/(main|svctl-local)\.c"),
    ("cli", "getenv secure_getenv", r"cli/(main|svctl-local)\.c"),
    ("examples", EVERYWHERE, r""),
]


def code_of(text):
    """The text with comments and strings blanked, lines kept."""
    def blank(m):
        kept = re.sub(r"[^\n]", " ", m.group())
        return m.group()[0] + kept[1:-1] + m.group()[-1] if m.group()[0] in "\"'" else kept
    return TOKEN.sub(blank, text)


class File:
    def __init__(self, path):
        self.name = str(path.relative_to(SOURCE))
        self.text = path.read_text(encoding="utf-8")
        self.lines = self.text.splitlines()
        self.code = code_of(self.text)
        self.code_lines = self.code.splitlines()


def functions(f):
    """(first line, last line) of each body, braces included: in this style both stand alone in the first column."""
    begun = None
    for i, line in enumerate(f.code_lines, 1):
        if line.rstrip() == "{":
            begun = i
        elif line.startswith("}") and begun:
            yield begun, i
            begun = None


def long_functions(f):
    return [f"{f.name}:{a}: {b - a - 1} lines" for a, b in functions(f) if b - a - 1 > FUNCTION]


def long_file(f):
    return [f"{f.name}: {len(f.lines)} lines"] if len(f.lines) > FILE else []


def wide(f):
    return [f"{f.name}:{i}: {len(s.expandtabs(8))} columns" for i, s in enumerate(f.lines, 1)
            if len(s.expandtabs(8)) > COLUMNS]


def spaces(f):
    found = [f"{f.name}:{i}: blank at the end" for i, s in enumerate(f.lines, 1) if s != s.rstrip()]
    found += [f"{f.name}:{i}: indented by blanks" for i, s in enumerate(f.code_lines, 1) if re.match(r" {4,}[^ *]", s)]
    return found + ([] if f.text.endswith("\n") and not f.text.endswith("\n\n") else [f"{f.name}: end of file"])


def comments(f):
    stripped = TOKEN.sub(lambda m: m.group() if m.group().startswith("//") else " ", f.text)
    return [f"{f.name}: {m.strip()[:60]}" for m in re.findall(r"(?<!:)//[^\n]*", stripped)]


def licence(f):
    return [] if f.lines and f.lines[0] == "/* SPDX-License-Identifier: MIT */" else [f"{f.name}: no SPDX line"]


def backwards(f):
    found = []
    for a, b in functions(f):
        labels = {m.group(1): i for i in range(a, b) if (m := re.match(r"(\w+):\s*$", f.code_lines[i - 1]))}
        for i in range(a, b):
            for to in re.findall(r"\bgoto\s+(\w+)\s*;", f.code_lines[i - 1]):
                if labels.get(to, i + 1) <= i:
                    found.append(f"{f.name}:{i}: goto {to} goes back")
    return found


def statics(f):
    """State that outlives a call: a static that is neither const, nor a function, nor _Thread_local by need."""
    if not re.match(r"(lib|cli)/", f.name) or f.name in STATEFUL:
        return []
    found = []
    for i, line in enumerate(f.code_lines, 1):
        m = re.match(r"\s*static\s+(?!inline\b)(.*)$", line)
        if not m or re.search(r"\bconst\b|\(", m.group(1).split("=")[0]) or "pthread_once_t" in line:
            continue
        if re.search(r"[=;]\s*$|[=;]", m.group(1)):
            found.append(f"{f.name}:{i}: {line.strip()[:70]}")
    return found


def banned(f):
    found = []
    for where, words, but in BANNED:
        if not f.name.startswith(where + "/") or but and re.match(but, f.name):
            continue
        pattern = re.compile(r"(?<![\w.>])(" + "|".join(words.split()) + r")\s*\(")
        for i, line in enumerate(f.code_lines, 1):
            found += [f"{f.name}:{i}: {m.group(1)}" for m in pattern.finditer(line)]
    return found


RULES = [(f"functions of at most {FUNCTION} lines", long_functions), (f"files of at most {FILE} lines", long_file),
         (f"at most {COLUMNS} columns", wide), ("tabs, and no blanks at the end", spaces), ("no // comments", comments),
         ("a licence line first", licence), ("goto goes forwards", backwards), ("no state in statics", statics),
         ("no banned function", banned)]


def main():
    files = [File(p) for top in ("include", "lib", "cli", "examples", "tests") for p in
             sorted((SOURCE / top).glob("**/*.[ch]"))]
    print(f"1..{len(RULES) + 1}")
    print(f"{'ok' if len(files) > 50 else 'not ok'} 1 - {len(files)} files")
    bad = len(files) <= 50
    for i, (name, rule) in enumerate(RULES, 2):
        faults = [x for f in files for x in rule(f)]
        bad = bad or bool(faults)
        print(f"{'not ok' if faults else 'ok'} {i} - {name}")
        print("".join(f"# {x}\n" for x in faults), end="")
    return bad


if __name__ == "__main__":
    sys.exit(main())
