#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages that svctl writes: whole HTML with everything inside, its figures those of the platform. Where there is a
chromium, it draws them, too. Prints TAP."""
import html.parser
import importlib.machinery
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
loader = importlib.machinery.SourceFileLoader("transcripts", str(HERE / "run"))
transcripts = importlib.util.module_from_spec(importlib.util.spec_from_loader("transcripts", loader))
loader.exec_module(transcripts)
VOID = {"meta"}
NAME = "a<b>&\"c'"


class Page(html.parser.HTMLParser):
    """Every tag is closed in its turn; texts by the element they stand in."""

    def __init__(self, text):
        super().__init__()
        self.open, self.faults, self.texts, self.tags = [], [], {}, []
        self.feed(text)
        self.faults += [f"{t} is not closed" for t in self.open]

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag not in VOID:
            self.open.append(tag)
        self.faults += [f"{tag} has {k}={v}" for k, v in attrs if k in ("src", "href", "onload") or "://" in (v or "")]

    def handle_startendtag(self, tag, attrs):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"{tag} is closed out of turn")

    def handle_data(self, data):
        if self.open and data.strip():
            self.texts.setdefault(self.open[-1], []).append(data.strip())


def fill(w):
    for command in ("local start --engine none --clock stepped", "account register --email me@example.org",
                    "account top-up 3000", "instance create trainer --gpu rtx-4090:4 --image pytorch-2.2",
                    "local step 18h", "instance stop trainer", "disk create ckpt --size 500GiB",
                    "local step 30h", "account top-up 500"):
        r = w.run(f"svctl {command} -q")
        assert r.returncode == 0, (command, r.stderr)
    r = w.run(f"svctl instance create {json.dumps(NAME)} --gpu a100-80g:2 --image pytorch-2.2 -q; svctl local step 14h -q")
    assert r.returncode == 0, r.stderr


def structure(w, command):
    r = w.run(f"svctl {command} --html page.html && svctl {command} --html - | cmp - page.html && cat page.html && ! ls page.html.*")
    text = r.stdout.decode("utf-8")
    page = Page(text)
    faults = page.faults + ([f"exit {r.returncode}: {r.stderr.decode()}"] if r.returncode else [])
    faults += [f"there is a {t}" for t in page.tags if t in ("script", "link", "img", "iframe", "object")]
    return page, faults


def chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser")


def drawn(w):
    """What the browser made of it: the pictures have a size, and no request left it."""
    browser = f"{chromium()} --headless --no-sandbox --disable-gpu --user-data-dir={w.home}/chromium --window-size=900,1600"
    r = w.run(f"timeout 60 {browser} --screenshot=page.png file://{w.home}/page.html 2>/dev/null; stat -c %s page.png")
    size = int((r.stdout.split() or [b"0"])[-1])
    return [] if size > 10000 else [f"the picture has {size} bytes"]


def main():
    w, results = transcripts.World(), []
    try:
        fill(w)
        page, faults = structure(w, "billing statement")
        total = w.run("svctl billing usage --by kind --get cost").stdout.split()
        cells = page.texts.get("td", [])
        spent = f"{sum(int(float(c) * 1e6 + .5) for c in total) / 1e6:.6f}".rstrip("0")
        results.append(("the statement is a whole page", faults))
        results.append(("names are text", [] if any(NAME in c for c in cells) else [str(cells)]))
        page, faults = structure(w, "billing report")
        results.append(("the report is a whole page", faults))
        results.append(("it has its pictures", [] if page.tags.count("svg") == 5 else [str(page.tags.count("svg"))]))
        results.append(("it says what was spent", [] if any(d.startswith(spent) for d in page.texts.get("dd", []))
                        else [spent, str(page.texts.get("dd"))]))
        r = w.run("svctl billing report --html /nowhere/page.html")
        results.append(("a file that cannot be is said", [] if r.returncode == 1 and b"/nowhere/page.html" in r.stderr
                        else [str(r)]))
        r = w.run("svctl billing report")
        results.append(("a page needs a file", [] if r.returncode == 2 else [str(r.returncode)]))
        results.append(("a browser draws it" + ("" if chromium() else " # SKIP no chromium"), drawn(w) if chromium() else []))
    finally:
        w.close()
        subprocess.run(["rm", "-rf", w.home], check=False)
    print(f"1..{len(results)}")
    for i, (name, faults) in enumerate(results, 1):
        print(f"{'not ok' if faults else 'ok'} {i} - {name}")
        print("".join(f"# {f}\n" for f in faults), end="")
    return any(faults for _, faults in results)


if __name__ == "__main__":
    sys.exit(main())
