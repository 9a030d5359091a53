#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The pages that svctl writes: whole HTML with everything inside, its figures those of the platform. Where there is a
chromium, it draws them, too. Prints TAP."""
import html.parser
import http.server
import importlib.machinery
import importlib.util
import json
import pathlib
import shutil
import subprocess
import sys
import threading

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


def job(name, gpu, price, speed, loss):
    """A job of 200 steps, as the contract answers it among those that are compared."""
    points = [{"step": s, "value": None if s == 100 else loss + 6 / (1 + s * speed / 20), "time": "2026-11-30T08:00:00Z"}
              for s in range(0, 201, 10)]
    series = [{"name": n, "count": 21, "last": points[-1]["value"], "minimum": loss, "maximum": loss + 6, "points": points}
              for n in ("loss", "<b>norm</b>")]
    return {"id": f"job_{name}", "name": name, "status": "succeeded", "gpu": gpu, "gpu_count": 4, "seconds": int(200 / speed),
            "steps": 200, "steps_per_second": speed, "metrics": {"loss": loss}, "peak_memory_bytes": 10 ** 9,
            "price_per_hour": price, "cost": "1.000000", "cost_per_1000_steps": "5.000000", "difference": None,
            "series": series, "created_at": "2026-11-30T08:00:00Z"}


class Jobs(http.server.BaseHTTPRequestHandler):
    """Two jobs, whatever is asked for."""
    JOBS = [job("cuda", "rtx-4090", "56.000000", 1.0, 2.5), job("tpu", "tpu-sim", "28.000000", 1.2, 2.48)]

    def do_GET(self):
        path = self.path.partition("?")[0]
        if path == "/v1/jobs/compare":
            answer = {"jobs": self.JOBS}
        elif path.endswith("/metrics"):
            answer = {"job": "job_cuda", "name": "cuda", "series": self.JOBS[0]["series"]}
        elif path.startswith("/v1/jobs/"):
            answer = next(j for j in self.JOBS if path.endswith(j["id"]))
        else:
            answer = {"items": [], "next_cursor": None}
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args):
        pass


def compare(w, results):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Jobs)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    w.env |= {"STARVERSE_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "STARVERSE_API_KEY": "k"}
    page, faults = structure(w, "job compare job_cuda job_tpu")
    results.append(("jobs side by side are a whole page", faults))
    results.append(("with bars and curves", [] if page.tags.count("svg") == 6 and page.tags.count("path") == 4
                    else [str(page.tags)]))
    results.append(("what is measured is text", [] if "<b>norm</b>" in page.texts.get("figcaption", [])
                    else [str(page.texts)]))
    results.append(("a browser draws it, too" + ("" if chromium() else " # SKIP no chromium"),
                    drawn(w) if chromium() else []))
    r = w.run("svctl job compare job_cuda job_tpu --chart | tail -n +15")
    text = r.stdout.decode()
    wanted = ["price an hour, from 0\n", "does not begin at 0\n", "  o cuda   x tpu\n", "tpu  │"]
    results.append(("the same in a terminal", [f"no {x!r} in {text}" for x in wanted if x not in text]))
    r = w.run("LC_ALL=C svctl job metrics job_cuda --chart")
    results.append(("a curve in ASCII", [] if r.returncode == 0 and r.stdout.isascii() and b" |o" in r.stdout else [str(r)]))
    r = w.run("svctl job compare job_cuda job_tpu --chart -o json")
    results.append(("a picture is no JSON", [] if r.returncode == 2 and not r.stdout else [str(r)]))
    server.shutdown()


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
        compare(w, results)
    finally:
        w.env.pop("STARVERSE_ENDPOINT", None)
        w.close()
        subprocess.run(["rm", "-rf", w.home], check=False)
    print(f"1..{len(results)}")
    for i, (name, faults) in enumerate(results, 1):
        print(f"{'not ok' if faults else 'ok'} {i} - {name}")
        print("".join(f"# {f}\n" for f in faults), end="")
    return any(faults for _, faults in results)


if __name__ == "__main__":
    sys.exit(main())
