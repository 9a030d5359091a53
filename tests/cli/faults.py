#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""svctl against a service that says strange things, and streams that fail. Prints TAP."""
import csv
import functools
import http.server
import importlib.util
import io
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unicodedata

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["SV_BUILD"])
sys.argv = [sys.argv[0], "none"]
spec = importlib.util.spec_from_file_location("peers", HERE.parent / "net" / "faults.py")
peers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(peers)
answer, Mock = peers.answer, peers.Mock

EVIL = "x\x1b[2J\x1b]0;pwn\x07\x1b]52;c;ZXZpbA==\x07\u009b31m\r\nFAKE  running"
NAMES = ["训练机-01", "a", "e\u0301cole", "job🚀", "👩\u200d💻 flag 🇨🇳", EVIL, "l1\nl2", "n" * 300, 'say "x"', "a,b",
         '=HYPERLINK("http://x")', "-5", "\u202eevil"]


class Got:
    def __init__(self, p):
        self.code, self.out, self.err = p.returncode, p.stdout, p.stderr
        self.text, self.said = p.stdout.decode("utf-8"), p.stderr.decode("utf-8", "replace")


class Home:
    def __init__(self):
        self.path = tempfile.mkdtemp(prefix="svfaults.", dir="/tmp")
        keep = {k: v for k, v in os.environ.items() if not re.match(r"(?i)(starverse|svctl|xdg_|lc_|lang|.*_proxy$)", k)}
        self.env = keep | {"HOME": self.path, "PATH": f"{BUILD}/cli:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
                           "TERM": "dumb", "STARVERSE_API_KEY": "k_S3CRET", "STARVERSE_RETRIES": "0"}

    def run(self, command, url="http://127.0.0.1:1", **env):
        argv = command if isinstance(command, list) else ["bash", "-c", command]
        return Got(subprocess.run(argv, env=self.env | {"STARVERSE_ENDPOINT": url} | env, cwd=self.path, check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60))

    def close(self):
        shutil.rmtree(self.path, ignore_errors=True)


HOME = Home()


def page(items):
    return answer(200, json.dumps({"items": items, "next_cursor": None}))


def instances(names=tuple(NAMES)):
    return page([{"id": f"ins_{i}", "name": n, "status": "running", "gpu": "tpu-sim", "gpu_count": 1,
                  "price_per_hour": "7.000000", "cost": "0.430000", "version": 1} for i, n in enumerate(names)])


def ask(words, reply, **env):
    m = Mock([reply] * 9)
    return HOME.run(["svctl", *words], m.url, **env), m


def columns(text):
    total = 0
    i = 0
    while i < len(text):
        c = text[i]
        if "\U0001f1e6" <= c <= "\U0001f1ff" and i + 1 < len(text):
            total, i = total + 2, i + 2
        elif i + 2 < len(text) and text[i + 1] == "\u200d":
            total, i = total + 2, i + 3
        else:
            total += 0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
            i += 1
    return total


def tables_stay_aligned():
    got, _ = ask(["instance", "list", "--columns", "name,status"], instances())
    lines = got.text.split("\n")[:-1]
    assert got.code == 0 and len(lines) == len(NAMES) + 1, got.text
    at = columns(lines[0][:lines[0].index("STATUS")])
    for line in lines[1:]:
        assert columns(line[:line.rindex("running")]) == at, line
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", got.text)
    assert "\\x1b[2J" in got.text and "l1\\nl2" in got.text


def a_plain_locale_cuts_no_character():
    for locale in ("C", "POSIX", "nosuch"):
        got, _ = ask(["instance", "list"], instances(), LC_ALL=locale)
        assert got.code == 0 and "训练机-01" in got.text, got.said


def programs_get_names_exactly():
    got, _ = ask(["instance", "list", "-o", "json"], instances())
    assert [x["name"] for x in json.loads(got.text)] == NAMES
    assert b"\x1b" not in got.out and b"\x7f" not in got.out and "\u009b" not in got.text
    got, _ = ask(["instance", "list", "-o", "jsonl"], instances())
    assert [json.loads(x)["name"] for x in got.text.splitlines()] == NAMES
    got, _ = ask(["instance", "list", "-o", "csv", "--columns", "name,cost"], instances())
    rows = list(csv.reader(io.StringIO(got.text, newline="")))
    assert [r[0][1:] if r[0][:1] == "'" else r[0] for r in rows[1:]] == NAMES, rows
    assert {r[1] for r in rows[1:]} == {"0.43"}, rows
    assert rows[1 + NAMES.index("-5")][0] == "'-5" and rows[1 + NAMES.index("a,b")][0] == "a,b"
    got, _ = ask(["instance", "list", "-o", "tsv", "--no-header", "--columns", "name,status"], instances())
    assert len(got.text.splitlines()) == len(NAMES) and "l1\\nl2\trunning" in got.text


@functools.lru_cache(maxsize=None)
def nouns_with_lists():
    nouns = re.findall(r"^  ([a-z-]+) ", HOME.run("svctl help").text, re.M)
    return [n for n in dict.fromkeys(nouns) if n != "config" and
            HOME.run(["svctl", n, "list", "-h"]).text.startswith(f"Usage: svctl {n} list")]


def empty_lists_are_lists():
    nouns = nouns_with_lists()
    assert "instance" in nouns and "key" in nouns and len(nouns) >= 9, nouns
    for noun in nouns:
        for body in ('{"items":[]}', '{"items":null}', "{}"):
            for form, want in (("json", "[]\n"), ("yaml", "[]\n"), ("name", ""), ("jsonl", "")):
                got, _ = ask([noun, "list", "-o", form], answer(200, body))
                assert (got.code, got.text) == (0, want), (noun, body, form, got.text, got.said)
        got, _ = ask([noun, "list", "-o", "csv"], answer(200, '{"items":[]}'))
        assert got.code == 0 and got.text.endswith("\r\n") and got.text.count("\n") == 1, (noun, got.text)
        got, _ = ask([noun, "list", "-o", "json"], answer(404, '{"code":"not_found","detail":"none"}'))
        assert got.code == 5 and not got.out and got.err, (noun, got.text, got.said)


FREE = ("name", "title", "summary", "message", "reason", "description", "license", "zone", "actor", "resource", "model", "url")


def data(noun, names):
    """The list that was written by hand, an item for each name, which stands in every free text."""
    items = json.loads((HERE.parent / "data" / noun / "list.json").read_text(encoding="utf-8"))["items"]
    return page([items[0] | {k: n for k in FREE if isinstance(items[0].get(k), str)} for n in names])


def spread(line):
    """A character for each column of the terminal."""
    out = []
    for i, c in enumerate(line):
        width = columns(line[:i + 1])  # what is joined takes less than its parts
        out = out[:width] + [c] * (width - len(out))
    return out


def every_noun_keeps_names():
    for noun in nouns_with_lists():
        reply = data(noun, NAMES)
        want = [x.get("name", "") for x in json.loads(reply.split(b"\r\n\r\n", 1)[1])["items"]]
        got, _ = ask([noun, "list"], reply)
        lines = got.text.split("\n")[:-1]
        assert got.code == 0 and len(lines) == len(NAMES) + 1, (noun, got.said, got.text)
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", got.text), noun
        starts = [m.start() for m in re.finditer(r"(?<=   )\S", lines[0])]
        for line in map(spread, lines[1:]):
            assert all(line[at - 3:at] == [" "] * 3 and line[at] != " " for at in starts), (noun, "".join(line), lines[0])
        for form, read in (("json", json.loads), ("jsonl", lambda t: [json.loads(x) for x in t.splitlines()])):
            got, _ = ask([noun, "list", "-o", form], reply)
            assert [x.get("name", "") for x in read(got.text)] == want and b"\x1b" not in got.out, (noun, form)
        if any(want):
            got, _ = ask([noun, "list", "-o", "csv", "--columns", "name", "--no-header"], reply)
            rows = [r[0] for r in csv.reader(io.StringIO(got.text, newline=""))]
            assert [r[1:] if r[:1] == "'" else r for r in rows] == want, (noun, rows)


def every_noun_minds_its_output():
    for noun in nouns_with_lists():
        many = data(noun, [f"n{i}" for i in range(2000)])
        for form in ("table", "json", "csv"):
            m = Mock([many] * 9)
            got = HOME.run(f"svctl {noun} list -o {form} > /dev/full", m.url)
            assert got.code == 1 and "No space left on device" in got.said, (noun, form, got.code, got.said)
            got = HOME.run(f"set -o pipefail; svctl {noun} list -o {form} | head -1 | wc -l; echo ${{PIPESTATUS[0]}}", m.url)
            assert got.text in ("1\n0\n", "1\n141\n") and not got.err, (noun, form, got.text, got.said)


def readers_that_leave():
    many = instances([f"n{i}" for i in range(1000)])
    for command in ("svctl instance list | head -1", "set -o pipefail; svctl instance list -o json | head -1 || true",
                    "trap '' PIPE; svctl instance list | :", "svctl instance list -o csv | true"):
        m = Mock([many] * 3)
        got = HOME.run(command, m.url)
        assert got.code == 0 and not got.err, (command, got.said)


def full_disks():
    for form in ("table", "wide", "json", "jsonl", "yaml", "csv", "tsv", "name", "id"):
        m = Mock([instances()] * 3)
        got = HOME.run(f"svctl instance list -o {form} > /dev/full", m.url)
        assert got.code == 1 and "write error: No space left on device" in got.said, (form, got.code, got.said)
        got = HOME.run(f"svctl instance list -o {form} >&-", m.url)
        assert got.code == 1 and "write error" in got.said, (form, got.code, got.said)
    for words in ("version", "--help", "help exit-codes", "explain disk", "disk create --skeleton"):
        got = HOME.run(f"svctl {words} > /dev/full")
        assert got.code == 1 and "write error" in got.said, (words, got.said)
        assert HOME.run(f"svctl {words} > /dev/full 2> /dev/full").code == 1


def no_word_among_json():
    got, _ = ask(["instance", "list", "-o", "json", "--debug"], instances())
    assert len(json.loads(got.text)) == len(NAMES) and "GET" in got.said and "S3CRET" not in got.said


def nothing_is_asked_unasked():
    m = Mock([])
    for words in (["version"], ["help"], ["explain", "disk"], ["disk", "create", "--skeleton"], ["config", "list"]):
        got = HOME.run(["svctl", *words], m.url, HTTPS_PROXY="http://127.0.0.1:1", https_proxy="http://127.0.0.1:1")
        assert got.code == 0, (words, got.said)
    assert m.connections == 0


def numbers_are_never_rounded():
    for field, value, kind in (("id", 959298, "instance"), ("name", 1234567890123460, "disk"),
                               ("size_gib", 9007199254740993, "disk"), ("size_gib", 18446744073709551615, "disk"),
                               ("price_per_gib_month", 0.5, "disk"), ("size_gib", 1.5, "disk")):
        for form in ("table", "json", "yaml", "csv"):
            got, _ = ask([kind, "list", "-o", form], answer(200, '{"items":[{"%s":%s}]}' % (field, value)))
            assert got.code != 0 and field in got.said and not re.search(r"\d", got.text), (field, form, got.text)
        got, _ = ask(["api", "GET", "/v1/x"], answer(200, '{"%s": %s}' % (field, value)))
        assert got.text.strip() == '{"%s": %s}' % (field, value)


def malformed_answers():
    for body in (b"", b'"', b'"\\u12', b'{"a":', b"nul", b"1e", b"\xff\xfe", b" " * 100000, b'{"items":[]}\x00', b"[" * 100000,
                 b"<html>", b'{"items":{}}', b'{"items":[1]}', b'[]'):
        got, _ = ask(["disk", "list", "-o", "json"], answer(200, body))
        assert got.code in (1, 9) and not got.out and got.err, (body[:20], got.code, got.text)
        assert got.said.count("\n") <= 6 and not re.search(r"[\x00-\x09\x0b-\x1f]", got.said), got.said
    got, _ = ask(["disk", "list", "-o", "json", "--columns", "name"], answer(200, '{"items":[{"name":"a","name":"b"}]}'))
    assert json.loads(got.text)[0]["name"] == "a", got.text


def sums_that_no_number_holds():
    most = {"cost": "9000000000000.000000", "seconds": 1}
    sums = page([{"key": k, "started_at": "2026-11-01T00:00:00Z"} | most for k in ("a", "b")])
    lines = page([{"id": k, "resource": "ins_1", "kind": "compute", "price_per_hour": "1"} | most for k in ("a", "b")])
    for words, reply in ((["billing", "usage", "--by", "gpu", "--chart"], sums), (["billing", "report", "--html", "-"], sums),
                         (["billing", "statement", "--month", "2026-11"], lines)):
        got, _ = ask(words, reply)
        assert (got.code, got.text) == (9, "") and "the amounts are too large" in got.said, (words, got.code, got.said)
    got, _ = ask(["billing", "report", "--html", "-", "-o", "json"], sums)
    assert json.loads(got.said)["error"]["exit_code"] == 9, got.said


def comparisons_of_other_jobs():
    jobs = [answer(200, json.dumps({"id": f"job_{i}", "name": f"j{i}", "version": 1})) for i in (1, 2)]
    for n in (0, 1, 3, 9, 200):
        all = [{"id": f"job_{i}", "name": f"j{i}", "series": [{"name": "loss", "last": 1.0, "points": []}]} for i in range(n)]
        for more in ([], ["--chart"], ["--html", "-"], ["-o", "json"]):
            m = Mock(jobs + [answer(200, json.dumps({"jobs": all}))])
            got = HOME.run(["svctl", "job", "compare", "id:job_1", "id:job_2", *more], m.url)
            assert (got.code, got.text) == (9, ""), (n, more, got.code, got.text[:200], got.said)
            assert f"the answer has {n} jobs, not 2" in got.said, (n, more, got.said)


def points_stay_points():
    for locale in ("de_DE.UTF-8", "fr_FR.UTF-8"):
        got, _ = ask(["instance", "list", "-o", "csv", "--columns", "cost"], instances(["a"]), LC_ALL=locale)
        assert "0.43" in got.text and "0,43" not in got.text


def objects_fit_in_a_cell():
    for metrics, cell in (({"loss": 0.3}, "loss=0.3"), ({"loss": 0.3, "step": 80}, "loss=0.3,step=80"), ({}, "-"),
                          ({"dir": "C:\\", "note": "a b"}, r"dir=C:\\,note=a b"),
                          ({"q": 'say "x: y"', "z": 1}, r'q=say \"x: y\",z=1'), ({"a": {"b": 1}}, '{"a":{"b":1}}')):
        got, _ = ask(["job", "list", "--columns", "metrics", "--no-header"], page([{"id": "job_1", "metrics": metrics}]))
        assert got.text.rstrip("\n") == cell, (metrics, got.text, got.said)


def pages_in_a_circle():
    circle = [answer(200, json.dumps({"items": [{"id": f"dsk_{i}", "name": f"n{i}"}], "next_cursor": "AB"[i % 2]}))
              for i in range(99)]
    for words in (["disk", "list"], ["disk", "list", "--sort", "name"], ["disk", "get", "none"],
                  ["__complete", "--", "disk", "get", ""]):
        m = Mock(circle)
        got = HOME.run(["svctl", *words], m.url, SVCTL_COMPLETION_MS="20000")
        assert 2 < len(m.requests) < 20, (words, len(m.requests), got.said)
        assert words[0] == "__complete" or got.code == 9, (words, got.code, got.said)


def part(i, more):
    return answer(200, json.dumps({"items": [{"id": f"dsk_{i}{k:03d}", "name": "n" * 1000} for k in range(500)],
                                   "next_cursor": f"c{i}" if more else None}))


def next_pages_meanwhile():
    """The next one is asked for before this one is read; anew when reading takes longer than a request may."""
    m = Mock([part(0, True), part(1, True), part(1, True), part(2, False), part(2, False)])
    with subprocess.Popen(["svctl", "disk", "list", "-o", "jsonl", "--request-timeout", "1s"], cwd=HOME.path,
                          env=HOME.env | {"STARVERSE_ENDPOINT": m.url}, stdout=subprocess.PIPE) as p:
        end = time.monotonic() + 30
        while len(m.requests) < 2:
            time.sleep(0.01)
            assert time.monotonic() < end and p.poll() is None
        time.sleep(1.5)
        out = p.communicate(timeout=60)[0]
    ids = [json.loads(line)["id"] for line in out.splitlines()]
    assert p.returncode == 0 and ids == [f"dsk_{i}{k:03d}" for i in range(3) for k in range(500)], (p.returncode, len(ids))
    assert [re.search(r"cursor=(\w+)|$", m.line(i))[1] for i in range(4)] == [None, "c0", "c0", "c1"]
    m = Mock([part(0, True)] * 3)
    assert HOME.run(["svctl", "disk", "list", "--limit", "3"], m.url).code == 0 and len(m.requests) == 1


def canonical_names():
    nfc, nfd = "caf\u00e9", "cafe\u0301"
    for typed, there in ((nfc, nfd), (nfd, nfc)):
        m = Mock([answer(404, '{"code":"not_found"}'), page([])] + [instances([there])] * 4)
        got = HOME.run(["svctl", "instance", "get", typed], m.url)
        assert got.code == 5 and "ins_0" in got.said, got.said
    got, _ = ask(["instance", "list", "--columns", "name,status"], instances([nfc, nfd]))
    lines = got.text.splitlines()
    assert lines[1].split()[0] == nfc and lines[2].split()[0] == nfd
    assert columns(lines[1]) == columns(lines[2])


def durations():
    for value in ("999999w", "9223372036854775807d", "-1s", "0.4ms", "1e400", "nan", "inf", "30", "5 m", "0x10", " 5s", "",
                  "9999999999999999999s"):
        m = Mock([instances()] * 3)
        got = HOME.run(["svctl", "instance", "get", "a", f"--timeout={value}"], m.url)
        assert got.code == 2 and not m.requests and "--timeout" in got.said, (value, got.code, got.said)
        assert "timeout: timeout" not in got.said, got.said


def no_option_of_ssh():
    """What the service says of a login is a host, a port and a user, and nothing that ssh would obey."""
    made = pathlib.Path(HOME.path, "made")
    ssh = {"host": "127.0.0.1", "port": 1, "user": "root", "host_keys": ["ssh-ed25519 AAAA\n* ssh-ed25519 AAAB"]}
    for login in ({"host": "-oProxyCommand=touch made"}, {"user": "root -oProxyCommand=touch made"}, {"user": "-lroot"},
                  {"host": "h;touch made"}, {"host": "h\nProxyCommand touch made"}, {"host": "$(touch made)"},
                  {"user": "a@b"}, {"host": "a@b"}):
        item = json.dumps({"id": "ins_1", "name": "a", "status": "running", "ssh": ssh | login})
        for words in (["ssh", "id:ins_1"], ["exec", "id:ins_1", "--", "true"], ["cp", "key", "id:ins_1:/x"]):
            got = HOME.run(["svctl", "instance", *words], Mock([answer(200, item)] * 4).url)
            assert got.code not in (0, 255) and not made.exists(), (login, words, got.code, got.said)
    item = json.dumps({"id": "ins_1", "name": "a", "status": "running", "ssh": ssh})
    got = HOME.run(["svctl", "instance", "ssh", "id:ins_1"], Mock([answer(200, item)] * 4).url)
    kept = [p for p in pathlib.Path(HOME.path).rglob("ins_1*") if p.is_file()]
    assert got.code == 255 and kept and not any("*" in p.read_text(encoding="utf-8") for p in kept), (got.code, kept)


def strictness():
    more = answer(200, '{"items":[{"id":"dsk_1","name":"a","attachment":{"instance":"i","colour":"red"}}]}')
    assert ask(["disk", "list"], more)[0].code == 0
    got, _ = ask(["disk", "list", "--strict"], more)
    assert got.code != 0 and "items[0].attachment.colour" in got.said and not got.out, got.said
    got, _ = ask(["disk", "list", "-o", "name"], more, STARVERSE_STRICT="true")
    assert got.code != 0 and "colour" in got.said
    known = answer(200, '{"items":[{"id":"dsk_1","name":"a"}],"next_cursor":null}')
    assert ask(["disk", "list", "--strict"], known)[0].code == 0


def broken_off():
    """Whoever waited is told what there is now, or how that is seen when nobody answers."""
    def thing(status, **more):
        return answer(200, json.dumps({"id": "ins_1", "name": "one", "status": status, "gpu": "rtx-4090", "version": 1,
                                       "price_per_hour": "7.000000", "operation_id": None} | more))

    def op(status, **more):
        return answer(200, json.dumps({"id": "op_1", "status": status, "resource": "ins_1", "version": 1} | more))
    begun = [thing("running"), thing("switching", operation_id="op_1")]
    m = Mock(begun + [op("failed", error={"code": "internal", "message": "stopped in the middle of boot"})] + [thing("running")] * 2)
    got = HOME.run(["svctl", "instance", "switch", "id:ins_1", "--gpu", "tpu-sim"], m.url)
    assert got.code == 10 and "stopped in the middle of boot" in got.said and not got.out, got.said
    assert "instance one (ins_1, rtx-4090) is running, 7.00 an hour" in got.said, got.said
    assert "svctl instance get ins_1 shows it" in got.said, got.said
    gone = answer(501, "{}")
    m = Mock(begun + [op("running")] + [gone] * 2)
    got = HOME.run(["svctl", "instance", "switch", "id:ins_1", "--gpu", "tpu-sim"], m.url)
    assert got.code == 9 and "svctl instance get ins_1 shows what there is now" in got.said, (got.code, got.said)
    assert "leaves the old instance as it was" in got.said and "svctl operation wait op_1 waits again" in got.said, got.said
    disk = answer(202, '{"id":"dsk_1","name":"d","status":"creating","operation_id":"op_1","version":1}')
    got = HOME.run(["svctl", "disk", "create", "d", "--size", "1"], Mock([disk, op("running")] + [gone] * 2).url)
    assert got.code == 9 and "disk d (dsk_1) goes on" in got.said, (got.code, got.said)
    assert "svctl disk delete dsk_1 ends it" in got.said, got.said


CODES = [(401, "unauthenticated", 4), (403, "forbidden", 4), (403, "not_verified", 4), (403, "quota_exceeded", 7),
         (402, "insufficient_balance", 7), (402, "budget_exceeded", 7), (422, "price_exceeds_limit", 7), (404, "not_found", 5),
         (409, "invalid_state", 6), (409, "conflict", 6), (409, "idempotency_key_conflict", 6), (409, "disk_busy", 6),
         (409, "insufficient_capacity", 7), (422, "incompatible", 2), (422, "validation_failed", 2), (400, "", 2),
         (429, "rate_limited", 9), (500, "internal", 9), (503, "unavailable", 9)]


def exit_codes():
    for status, code, want in CODES:
        body = json.dumps({"code": code or None, "detail": "as asked", "status": status})
        got, _ = ask(["disk", "create", "a", "--size", "1"], answer(status, body, "Content-Type: application/problem+json\r\n"))
        assert got.code == want and not got.out, (status, code, got.code, got.said)
        got, _ = ask(["disk", "create", "a", "--size", "1", "-o", "json"], answer(status, body))
        said = json.loads(got.said.splitlines()[-1])["error"]
        assert said["exit_code"] == want and said["http_status"] == status, said
    assert HOME.run(["svctl", "disk", "list"]).code == 9
    assert HOME.run(["svctl", "nosuch"]).code == 2
    assert HOME.run(["svctl", "disk", "list"], STARVERSE_API_KEY="").code == 3
    assert HOME.run(["svctl", "disk", "delete", "a"]).code == 2


def refused_fields_are_options():
    body = {"code": "validation_failed", "detail": "two fields are refused",
            "errors": [{"field": "size_gib", "code": "range", "message": "is too large"},
                       {"field": "labels", "code": "value", "message": "are too many"}]}
    got, _ = ask(["disk", "create", "a", "--size", "1"], answer(422, json.dumps(body)))
    assert got.code == 2 and "--size: is too large" in got.said and "--label: are too many" in got.said, got.said
    assert got.said.count("\n") <= 6


def keys_are_not_told():
    for text in (b"tok\x1bS3C", "tok\u200bS3C".encode(), b"a\r\nX-Evil: S3C", b"", b"\n", b"x" * 70000, b"a b S3C"):
        path = pathlib.Path(HOME.path, "key")
        path.write_bytes(text)
        got = HOME.run("svctl login --api-key-file key", STARVERSE_API_KEY="")
        assert got.code in (2, 3) and "S3C" not in got.said + got.text, (text[:20], got.code, got.said)
    path.write_bytes(b"\x1b[200~ good_key_123 \x1b[201~\r\n")
    got = HOME.run("svctl login --api-key-file key", STARVERSE_API_KEY="")
    kept = pathlib.Path(HOME.path, ".config/starverse/credentials.yaml")
    assert "good_key_123" in kept.read_text(encoding="utf-8"), got.said
    assert oct(kept.stat().st_mode & 0o777) == "0o600" and "good_key" not in got.said + got.text


def configurations():
    path = pathlib.Path(HOME.path, ".config/starverse/config.yaml")
    path.parent.mkdir(parents=True, exist_ok=True)
    bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{i}: &a{i} [" + ",".join([f"*a{i - 1}"] * 9) + "]\n" for i in range(1, 10))
    for text in (bomb, "[" * 100000, "- " * 100000, "current_profile: a\ncurrent_profile: b\n", "a: \xff\n", "\tx: 1\n"):
        path.write_text(text, encoding="latin-1")
        got = HOME.run("ldd $(command -v svctl) | grep -q asan || ulimit -v 500000; ulimit -s 256; "
                       "timeout 5 svctl config list")
        assert got.code == 3 and re.search(r"config\.yaml:\d+:\d+", got.said), (text[:20], got.code, got.said)
    path.unlink()
    got = HOME.run("for i in $(seq 20); do svctl config set aliases.a$i 'instance list' & done; wait; svctl config get aliases")
    assert all(f"a{i}" in got.text for i in range(1, 21)), got.text + got.said
    real = pathlib.Path(HOME.path, "dotfiles.yaml")
    path.rename(real)
    path.symlink_to("../../dotfiles.yaml")
    assert HOME.run("svctl config set defaults.output json").code == 0
    assert path.is_symlink() and "json" in real.read_text(encoding="utf-8")
    path.unlink()
    path.symlink_to("config.yaml")
    assert HOME.run("svctl config set defaults.output json").code == 3 and path.is_symlink()
    path.unlink()


def certificates_that_are_none():
    for words, env in ((["--cacert", "nosuch.pem"], {}), ([], {"STARVERSE_CACERT": "nosuch.pem"})):
        got = HOME.run(["svctl", *words, "disk", "list"], "https://127.0.0.1:1", **env)
        assert got.code == 3 and "cacert nosuch.pem: No such file" in got.said, (got.code, got.said)


def formats_that_are_none():
    for key in ("defaults.output", "profiles.a.output"):
        got = HOME.run(["svctl", "config", "set", key, "nonsense"])
        assert got.code == 2 and "not one of table" in got.said, (key, got.code, got.said)
        assert HOME.run(["svctl", "config", "get", key]).code == 5
        assert HOME.run(["svctl", "config", "set", key, "tsv"]).code == 0
        assert HOME.run(["svctl", "config", "unset", key]).code == 0


def a_platform_that_is_stuck():
    """It listens and says nothing: asking how it is and ending it are over soon, and change nothing for what comes next."""
    with tempfile.TemporaryDirectory(prefix="svstuck.", dir="/tmp") as run:
        m = Mock([lambda c: c.recv(1)] * 9, socket.AF_UNIX, run + "/s")
        for action in ("stop", "status"):
            begun = time.monotonic()
            got = HOME.run(["svctl", "local", action], m.url)
            assert got.code == 9 and "not answering" in got.said and "::" not in got.said, (action, got.code, got.said)
            assert time.monotonic() - begun < 30, action
        (pathlib.Path(run) / "s").unlink()
        got = HOME.run("printf 'local status\nconfig list --show-origin -o tsv\n' | svctl shell", m.url)
        kept = re.search(r"^request_timeout\t(\w+)\tdefault", got.text, re.M)
        assert "not running" in got.said and kept and kept.group(1) != "5s", (got.code, got.text, got.said)


class Silent(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass


def certificates_of_others():
    with tempfile.TemporaryDirectory(prefix="svcert.", dir="/tmp") as d:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", d + "/key", "-out", d + "/cert",
                        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
                       check=True, capture_output=True, timeout=60)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(d + "/cert", d + "/key")
        server = http.server.HTTPServer(("127.0.0.1", 0), Silent)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"https://localhost:{server.server_port}"
        got = HOME.run(["svctl", "disk", "list"], url)
        assert got.code == 9 and "certificate" in got.said and "--cacert FILE" in got.said, (got.code, got.said)
        got = HOME.run(["svctl", "--cacert", d + "/cert", "disk", "list"], url)
        assert "--cacert" not in got.said and "501" in got.said, (got.code, got.said)
        server.shutdown()


def files_that_may_not_grow():
    """A limit on files is an error that names the file, and nothing is changed by it."""
    folder = pathlib.Path(HOME.path, ".config/starverse")
    assert HOME.run("svctl config set aliases.kept 'instance list'").code == 0
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    for command, name in (("svctl config set aliases.more 'disk list'", "config.yaml"),
                          ("echo sv_key_1234567890 | svctl login --api-key-file -", "credentials.yaml")):
        got = HOME.run(f"ulimit -f 0; {command}", STARVERSE_API_KEY="")
        assert got.code == 3 and name in got.said and "File too large" in got.said, (command, got.code, got.said)
    after = {p.name: p.read_bytes() for p in folder.iterdir() if not p.name.endswith(".lock")}
    assert after.items() <= before.items(), (before, after)
    got = HOME.run("ulimit -f 0; svctl help > big")
    assert got.code == 1 and "write error: File too large" in got.said, (got.code, got.said)


TESTS = [tables_stay_aligned, a_plain_locale_cuts_no_character, programs_get_names_exactly, empty_lists_are_lists,
         every_noun_keeps_names, every_noun_minds_its_output, no_option_of_ssh, readers_that_leave, full_disks,
         no_word_among_json, nothing_is_asked_unasked, numbers_are_never_rounded, malformed_answers,
         sums_that_no_number_holds, comparisons_of_other_jobs, points_stay_points, objects_fit_in_a_cell,
         pages_in_a_circle, next_pages_meanwhile, canonical_names, durations, strictness, broken_off, exit_codes,
         refused_fields_are_options, keys_are_not_told, configurations,
         certificates_that_are_none, certificates_of_others, formats_that_are_none, a_platform_that_is_stuck,
         files_that_may_not_grow]


def main():
    print(f"1..{len(TESTS)}")
    bad = 0
    for i, t in enumerate(TESTS, 1):
        try:
            t()
            print(f"ok {i} - {t.__name__}", flush=True)
        except Exception as e:  # pylint: disable=broad-except
            bad += 1
            print(f"not ok {i} - {t.__name__}")
            print("".join(f"# {line}\n" for line in f"{type(e).__name__}: {e}"[:3000].splitlines()), end="", flush=True)
    HOME.close()
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
