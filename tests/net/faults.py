#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What real peers do to HTTP: a mock on raw sockets, and the library through the program `try`. Prints TAP."""
import gzip
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zlib

TRY = sys.argv[1]
JSON = "Content-Type: application/json\r\n"
DISK = '{"id":"dsk_1","name":"d","version":1}'
CREATE = ["disk", "create", "", '{"name":"d","size_gib":1}']
GET = ["disk", "get", "dsk_1"]


def answer(status, body="", head=JSON, length=None):
    body = body.encode() if isinstance(body, str) else body
    size = len(body) if length is None else length
    return f"HTTP/1.1 {status} X\r\n{head}Content-Length: {size}\r\n\r\n".encode() + body


class Mock:
    """Answers each request by the next of the script: bytes; None closes; a function gets the connection."""

    def __init__(self, script, family=socket.AF_INET, path=None):
        self.script, self.requests, self.connections, self.times = list(script), [], 0, []
        self.server = socket.socket(family)
        self.server.bind(path or ("::1" if family == socket.AF_INET6 else "127.0.0.1", 0))
        self.server.listen(16)
        self.port = None if path else self.server.getsockname()[1]
        self.url = f"unix:{path}" if path else \
            f"http://[::1]:{self.port}" if family == socket.AF_INET6 else f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                c, _ = self.server.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self.serve, args=(c,), daemon=True).start()

    @staticmethod
    def request(c):
        text = b""
        while b"\r\n\r\n" not in text:
            try:
                part = c.recv(65536)
            except OSError:
                return None
            if not part:
                return None
            text += part
        head, body = text.split(b"\r\n\r\n", 1)
        m = re.search(rb"(?i)content-length: (\d+)", head)
        while m and len(body) < int(m.group(1)):
            body += c.recv(65536)
        return head.decode("latin1"), body.decode()

    def serve(self, c):
        with c:
            while True:
                got = self.request(c)
                if got is None:
                    return
                self.times.append(time.monotonic())
                self.requests.append(got)
                step = self.script.pop(0) if self.script else None
                if callable(step):
                    step = step(c)
                if step is None:
                    return
                c.sendall(step)

    def header(self, i, name):
        m = re.search(rf"(?im)^{name}: (.*?)\r?$", self.requests[i][0])
        return m.group(1) if m else None

    def line(self, i):
        return self.requests[i][0].split("\r\n")[0]


class Run:
    def __init__(self, url, *words, options=(), **env):
        home = tempfile.mkdtemp(prefix="sv-net-")
        keep = {k: v for k, v in os.environ.items() if not re.match(r"(?i)(starverse|xdg_|.*_proxy$)", k)}
        keep.update(HOME=home, STARVERSE_ENDPOINT=url, STARVERSE_API_KEY="k_S3CRET", **env)
        begun = time.monotonic()
        p = subprocess.run([TRY, *options, *words], env=keep, capture_output=True, text=True, timeout=60)
        self.took, self.all = time.monotonic() - begun, p.stdout + p.stderr
        self.rows = [json.loads(line) for line in p.stdout.splitlines()]
        self.first = self.rows[0] if self.rows else {}
        answer_ = self.first.get("answer")
        self.detail = (answer_ or {}).get("detail") or "" if isinstance(answer_, dict) else ""
        self.hint = (answer_ or {}).get("suggestion") or "" if isinstance(answer_, dict) else ""
        self.code = self.first.get("code")
        self.spool = os.listdir(home + "/.local/state/starverse/spool") \
            if os.path.isdir(home + "/.local/state/starverse/spool") else []
        shutil.rmtree(home)


NONE = {"STARVERSE_RETRIES": "0"}


def compressed_error():
    body = gzip.compress(b'{"code":"validation_failed","detail":"size is too small","request_id":"req_z"}')
    m = Mock([answer(422, body, JSON + "Content-Encoding: gzip\r\n")])
    r = Run(m.url, *GET)
    assert r.code == -2 and r.detail == "size is too small", r.all
    assert "gzip" in m.header(0, "Accept-Encoding")


def broken_compression():
    m = Mock([answer(422, b"\x00\x01garbage\x1b[2J", JSON + "Content-Encoding: gzip\r\n")])
    r = Run(m.url, *GET)
    assert r.code == -14 and "unreadable" in r.detail and r.first["http"] == 422, r.all
    assert "\x1b" not in r.all and len(m.requests) == 1


def compressed_without_saying():
    m = Mock([answer(200, gzip.compress(DISK.encode()))])
    r = Run(m.url, *GET)
    assert r.code == -14 and "where JSON was expected" in r.detail or "malformed" in r.detail, r.all


def bomb():
    c = zlib.compressobj(9, wbits=31)
    body = b"".join(c.compress(bytes(1 << 20)) for _ in range(100)) + c.flush()
    m = Mock([answer(200, body, JSON + "Content-Encoding: gzip\r\n")])
    r = Run(m.url, *GET)
    assert r.code == -14 and "larger than" in r.detail, r.all
    assert len(m.requests) == 1


def waits_for_retry_after():
    m = Mock([answer(429, "{}", JSON + "Retry-After: 1\r\n"), answer(200, DISK)])
    r = Run(m.url, *GET)
    assert r.code == 0 and 1.0 <= m.times[1] - m.times[0] < 2, (r.all, m.times)


def one_key_for_all_attempts():
    m = Mock([None, None, answer(503, ""), answer(202, DISK)])
    r = Run(m.url, *CREATE, "+", *CREATE)
    keys = [m.header(i, "Idempotency-Key") for i in range(5)]
    assert r.code == 0 and len(set(keys[:4])) == 1 and keys[0] and keys[4] != keys[0], (r.all, keys)
    assert len({q[1] for q in m.requests[:4]}) == 1


def lost_answer_is_told_and_kept():
    m = Mock([])
    r = Run(m.url, *CREATE, STARVERSE_RETRIES="1")
    assert r.code == -12 and r.first["unknown"] == 1 and "not known" in r.detail, r.all
    assert len(m.requests) == 2 and len(r.spool) == 1, r.spool


def refused_connection_is_not_unknown():
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    r = Run(f"http://127.0.0.1:{s.getsockname()[1]}", *CREATE, **NONE)
    assert r.code == -12 and r.first["unknown"] == 0 and not r.spool, r.all


def closed_idle_connection():
    """The peer handles the POST on a kept connection and closes without a byte."""
    m = Mock([answer(200, DISK), None, answer(202, DISK)])
    r = Run(m.url, *GET, "+", *CREATE)
    assert [x["code"] for x in r.rows[:2]] == [0, 0], r.all
    assert m.header(1, "Idempotency-Key") == m.header(2, "Idempotency-Key") and m.requests[1][1] == m.requests[2][1]


def change_is_never_sent_twice():
    """PATCH has no key: a fresh connection, and no second try."""
    m = Mock([answer(200, DISK), None])
    r = Run(m.url, *GET, "+", "disk", "update", "dsk_1", '{"name":"x"}')
    assert r.rows[1]["code"] == -12 and r.rows[1]["unknown"] == 1, r.all
    assert len(m.requests) == 2 and m.connections == 2


def connection_is_kept():
    m = Mock([answer(200, DISK)] * 5)
    r = Run(m.url, *(GET + ["+"]) * 4, *GET)
    assert [x["code"] for x in r.rows[:5]] == [0] * 5 and m.connections == 1, (r.all, m.connections)


def cut_short():
    m = Mock([lambda c: c.sendall(answer(200, DISK, length=1000))])
    r = Run(m.url, *GET, **NONE)
    assert r.code == -12 and "cut short" in r.detail, r.all


def not_http():
    m = Mock([b"SSH-2.0-OpenSSH_9.2\r\n"])
    r = Run(m.url, *GET)
    assert r.code == -14, r.all


def html_page():
    page = "<!doctype html><title>502 Bad Gateway</title>" + "x" * 50000
    for status, code in ((502, -15), (200, -14), (403, -4)):
        m = Mock([answer(status, page, "Content-Type: text/html\r\nX-Request-Id: ray-1\r\n")])
        r = Run(m.url, *GET, **NONE)
        assert r.code == code and str(status) in r.detail and "text/html" in r.detail and "ray-1" in r.detail, r.all
        assert f"127.0.0.1:{m.port}" in r.detail and "502 Bad Gateway" in r.detail and "proxy" in r.hint, r.all


def ids_on_the_request_line():
    ids = {"../billing/topup": "..%2Fbilling%2Ftopup", "a/b": "a%2Fb", "a?force=true": "a%3Fforce%3Dtrue",
           "a#x": "a%23x", "a%2fb": "a%252fb", "a b": "a%20b", "é": "%C3%A9", "\n": None, "..": None, ".": None}
    for given, sent in ids.items():
        m = Mock([answer(200, DISK)])
        r = Run(m.url, "disk", "get", given)
        if sent:
            assert m.line(0) == f"GET /v1/disks/{sent} HTTP/1.1", m.line(0)
        else:
            assert r.code == -2 and not m.requests, (given, r.all)


def endpoints():
    m = Mock([answer(200, DISK)] * 2, socket.AF_INET6)
    assert Run(m.url, *GET).code == 0
    assert m.header(0, "Host") == f"[::1]:{m.port}"
    assert Run(m.url + "/api//", *GET).code == 0
    assert m.line(1) == "GET /api/v1/disks/dsk_1 HTTP/1.1", m.line(1)
    for bad in ("::1", "ftp://h", "file:///etc/passwd", "https://u:PASSW@h", "https://h/?x=1", "h:80"):
        r = Run(bad, *GET)
        assert r.code == -16 and "endpoint" in r.first["refused"] and "PASSW" not in r.all, r.all


def proxies():
    dead = "http://u:PASSW@127.0.0.1:1"
    for no in ("127.0.0.1,localhost", "localhost,127.0.0.1,::1", "localhost,127.0.0.1"):
        m = Mock([answer(200, DISK)])
        assert Run(m.url, *GET, http_proxy=dead, NO_PROXY=no, **NONE).code == 0, no
    m = Mock([answer(200, DISK)])
    for proxy in (dead, "http://u:PASSW@127.0.0.1:1/x", "http://u:PA/SSW@127.0.0.1:1", "nonsense://u:PASSW@h"):
        r = Run(m.url, *GET, options=["-t"], http_proxy=proxy, **NONE)
        assert r.code != 0 and "PASSW" not in r.all and "SSW" not in r.all, r.all
    assert not m.requests
    seen = Mock([answer(407, "no", "Proxy-Authenticate: Basic\r\n")])
    r = Run("http://h.invalid", *GET, options=["-t"], http_proxy=f"http://u:PASSW@127.0.0.1:{seen.port}", **NONE)
    assert r.code != 0 and "PASSW" not in r.all and "dTpQQVNTVw" not in r.all, r.all
    with tempfile.TemporaryDirectory() as d:
        m = Mock([answer(200, DISK)], socket.AF_UNIX, d + "/s")
        assert Run(m.url, *GET, http_proxy=dead, ALL_PROXY=dead).code == 0


def silent_peer():
    with tempfile.TemporaryDirectory() as d:
        for m in (Mock([lambda c: time.sleep(20)]), Mock([lambda c: time.sleep(20)], socket.AF_UNIX, d + "/s")):
            r = Run(m.url, *GET, STARVERSE_REQUEST_TIMEOUT="1s", **NONE)
            assert r.code == -12 and "not answering" in r.detail and 0.9 < r.took < 4, (r.took, r.all)
        assert str(os.getpid()) in r.detail, r.detail


def redirects():
    other = Mock([answer(200, DISK)])
    m = Mock([answer(302, "", f"Location: {other.url}/\r\n")])
    r = Run(m.url, *GET)
    assert r.code == -14 and not other.requests, r.all


def no_secret_in_the_trace():
    m = Mock([answer(200, '{"id":"acc_1","api_key":"k_S3CRET"}', JSON + "Set-Cookie: s=S3CRET\r\n")])
    r = Run(m.url, "account", "get", options=["-t"])
    assert r.code == 0 and "S3CRET" not in r.all and "> GET" in r.all, r.all


def first_heads_do_not_count():
    extra = b"HTTP/1.1 100 Continue\r\nX-Request-Id: early\r\n\r\n"
    body = '{"code":"not_found","detail":"gone"}'
    m = Mock([extra + answer(404, body, JSON + "X-Request-Id: late\r\n")])
    r = Run(m.url, *GET)
    assert r.code == -5 and r.first["answer"]["request_id"] == "late", r.all


def chunks():
    body = b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in (DISK.encode()[:7], DISK.encode()[7:])) + b"0\r\nX-T: 1\r\n\r\n"
    m = Mock([b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n" + body])
    r = Run(m.url, *GET)
    assert r.code == 0 and r.first["answer"]["name"] == "d", r.all


def signals_are_the_programs():
    m = Mock([None, None, answer(202, DISK)])
    r = Run(m.url, *CREATE)
    assert r.rows[-1] == {"signals": 0, "kept": 1}, r.all


TESTS = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == "__main__"
         and not isinstance(f, type) and f is not answer]


def main():
    print(f"1..{len(TESTS)}")
    bad = 0
    for i, t in enumerate(TESTS, 1):
        try:
            t()
            print(f"ok {i} - {t.__name__}")
        except Exception as e:  # pylint: disable=broad-except
            bad += 1
            print(f"not ok {i} - {t.__name__}")
            print("".join(f"# {line}\n" for line in f"{type(e).__name__}: {e}".splitlines()), end="")
    return bad > 0


TESTS = [t for t in TESTS if t is not main]

if __name__ == "__main__":
    sys.exit(main())
