#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Webhooks against receivers that fail, hold, and check signatures by themselves. Prints TAP."""
import base64
import hashlib
import hmac
import http.server
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

BUILD = pathlib.Path(os.environ["SV_BUILD"])
CEILING = 40  # seconds; only a test that fails waits so long


class Receiver(http.server.BaseHTTPRequestHandler):
    """Each path has its own script of answers, by default all are taken."""

    def do_POST(self):
        path = urllib.parse.urlsplit(self.path)
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        s = self.server
        with s.lock:
            s.now[path.path] = s.now.get(path.path, 0) + 1
            s.most[path.path] = max(s.most.get(path.path, 0), s.now[path.path])
            script = s.scripts.setdefault(path.path, [])
            status, answer = script.pop(0) if script else s.otherwise.get(path.path, (200, "{}"))
            s.came.append((path.path, path.query, dict(self.headers), body, status))
        s.gates.setdefault(path.path, s.open).wait(CEILING)
        with s.lock:
            s.now[path.path] -= 1
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    def __init__(self):
        super().__init__(("127.0.0.1", 0), Receiver)
        self.lock, self.open = threading.Lock(), threading.Event()
        self.open.set()
        self.now, self.most, self.scripts, self.otherwise, self.gates, self.came = {}, {}, {}, {}, {}, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def at(self, path):
        with self.lock:
            return [c for c in self.came if c[0] == path]

    def taken(self, path):
        return [json.loads(c[3]) for c in self.at(path) if c[4] == 200]


class World:
    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="svhook.", dir="/tmp")
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("STARVERSE_", "SVCTL_", "XDG_"))}
        self.env |= {"HOME": self.home, "LC_ALL": "C.UTF-8", "PATH": f"{BUILD}/cli:{os.environ['PATH']}",
                     "STARVERSE_LOCAL_COMMAND": f"{BUILD}/cli/svctl-local"}
        self.server = Server()
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def run(self, *args):
        return subprocess.run(["svctl", *args], env=self.env, cwd=self.home, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=CEILING, check=False)

    def ok(self, *args):
        r = self.run(*args)
        if r.returncode:
            raise AssertionError(f"svctl {' '.join(args)}: {r.returncode} {r.stderr}")
        return r.stdout

    def json(self, *args):
        return json.loads(self.ok(*args, "-q", "-o", "json"))

    def hook(self, name, *args):
        return self.json("webhook", "create", name, "--url", f"{self.url}/{name}", *args)

    def disk(self, name):
        self.ok("disk", "create", name, "--size", "1GiB", "-q")

    def kill(self):
        pid = int(self.ok("local", "status", "--get", "pid"))
        os.kill(pid, signal.SIGKILL)
        wait(lambda: gone(pid))

    def close(self):
        self.run("local", "reset", "--yes")
        self.run("local", "stop", "-q")
        shutil.rmtree(self.home, ignore_errors=True)


def gone(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0] in "ZX"
    except FileNotFoundError:
        return True


def wait(what):
    end = time.monotonic() + CEILING
    while not what():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.05)


def mac(key, text):
    return base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()


def generic_mac(secret, came):
    _, _, head, body, _ = came
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return "v1," + mac(key, f"{head['webhook-id']}.{head['webhook-timestamp']}.{body}")


def in_order(w):
    """An answer is bad: nothing is lost, nothing overtakes, and all of it is signed."""
    w.server.scripts["/a"] = [(302, "")]
    secret = w.hook("a", "--event", "disk.created")["secret"]
    for name in ("one", "two", "three"):
        w.disk(name)
    wait(lambda: len(w.server.taken("/a")) == 3)
    came = w.server.at("/a")
    assert [e["type"] for e in w.server.taken("/a")] == ["disk.created"] * 3
    ids = [e["id"] for e in w.server.taken("/a")]
    assert ids == sorted(set(ids)), ids
    assert [json.loads(c[3])["id"] for c in came[:2]] == [ids[0]] * 2
    for c in came:
        assert c[2]["webhook-signature"] == generic_mac(secret, c)
        assert abs(int(c[2]["webhook-timestamp"]) - time.time()) < 2 * CEILING
        assert c[2]["webhook-id"] == json.loads(c[3])["id"]
    listed = {e["id"]: e for e in w.json("event", "list", "--type", "disk.created")}
    assert [listed[i] for i in ids] == w.server.taken("/a")
    hook = w.json("webhook", "get", "a")
    assert hook["status"] == "active" and hook["pending"] == 0, hook
    assert hook["last_delivery"]["status"] == "delivered" and hook["last_delivery"]["attempt"] == 1, hook
    assert "secret" not in hook


def crash(w):
    """A daemon that dies between two tries goes on with the next."""
    w.server.otherwise["/b"] = (503, "")
    w.hook("b", "--event", "disk.*")
    w.disk("four")
    wait(lambda: w.json("webhook", "get", "b")["last_delivery"] is not None)
    hook = w.json("webhook", "get", "b")
    assert hook["status"] == "failing" and hook["last_delivery"]["http_status"] == 503, hook
    assert hook["next_attempt_at"] and hook["pending"] >= 1, hook
    w.kill()
    del w.server.otherwise["/b"]
    w.ok("webhook", "list")
    wait(lambda: w.json("webhook", "get", "b")["pending"] == 0)
    assert w.json("webhook", "get", "b")["status"] == "active"
    first = w.server.taken("/b")[0]
    assert first["type"] == "disk.created" and len({c[3] for c in w.server.at("/b")}) < len(w.server.at("/b"))


def held(w):
    """One that holds its answer back holds nobody else, and is sent no more meanwhile."""
    w.server.gates["/c"] = threading.Event()
    w.hook("c", "--event", "disk.*")
    w.hook("d", "--event", "disk.*")
    w.disk("five")
    w.disk("six")
    wait(lambda: len(w.server.at("/c")) == 1)
    wait(lambda: len(w.server.taken("/d")) >= 2)
    w.ok("instance", "list")
    assert len(w.server.at("/c")) == 1 and w.json("webhook", "get", "c")["last_delivery"] is None
    w.server.gates["/c"].set()
    wait(lambda: w.json("webhook", "get", "c")["pending"] == 0)
    assert w.server.most["/c"] == 1, w.server.most


def robots(w):
    """Each robot's own signature; and what it says in its body counts."""
    w.server.otherwise["/feishu"] = (200, '{"code":0,"msg":"success","data":{}}')
    w.server.scripts["/dingtalk"] = [(200, '{"errcode":310000,"errmsg":"sign not match"}')]
    w.server.otherwise["/dingtalk"] = (200, '{"errcode":0,"errmsg":"ok"}')
    w.server.otherwise["/wecom"] = (200, '{"errcode":0,"errmsg":"ok"}')
    for name, args in (("feishu", ["--secret", "fs-secret"]), ("dingtalk", ["--secret", "SECding"]), ("wecom", [])):
        hook = w.hook(name, "--format", name, "--event", "disk.created", *args)
        assert hook.get("secret") == (args[1] if args else None), hook
    w.disk("磁盘-7")
    wait(lambda: all(len([c for c in w.server.at(f"/{n}")]) for n in ("feishu", "dingtalk", "wecom")))
    body = json.loads(w.server.at("/feishu")[0][3])
    assert body["sign"] == mac(f"{body['timestamp']}\nfs-secret".encode(), ""), body
    assert body["msg_type"] == "text" and "disk.created" in body["content"]["text"], body
    wait(lambda: w.json("webhook", "get", "dingtalk")["status"] == "failing")
    assert "310000" in w.json("webhook", "get", "dingtalk")["last_delivery"]["message"]
    wait(lambda: len(w.server.at("/dingtalk")) == 2)
    for c in w.server.at("/dingtalk"):
        query = dict(urllib.parse.parse_qsl(c[1]))
        assert len(query["timestamp"]) == 13
        assert query["sign"] == mac(b"SECding", f"{query['timestamp']}\nSECding"), query
        assert json.loads(c[3])["msgtype"] == "text"
    came = w.server.at("/wecom")[0]
    assert came[1] == "" and json.loads(came[3])["text"]["content"].startswith("[Starverse] disk.created")


def rotated(w):
    """For a day both secrets sign."""
    old = w.hook("e", "--event", "disk.deleted")["secret"]
    new = w.json("webhook", "rotate", "e")["secret"]
    assert old != new
    w.ok("webhook", "test", "e", "-q")
    came = w.server.at("/e")[0]
    assert came[2]["webhook-signature"].split() == [generic_mac(new, came), generic_mac(old, came)], came
    r = w.run("webhook", "rotate", "wecom")
    assert r.returncode == 2 and "secret" in r.stderr, r.stderr
    r = w.run("webhook", "rotate", "feishu")
    assert r.returncode == 2 and "secret" in r.stderr, r.stderr
    w.ok("webhook", "rotate", "feishu", "--secret", "other")


def reformatted(w):
    """No format signs with the secret of another, and generic is never unsigned."""
    w.server.otherwise["/g"] = (200, '{"code":0,"errcode":0}')
    w.hook("g", "--format", "feishu", "--event", "disk.deleted", "--secret", "fs-secret")
    assert w.json("webhook", "update", "g", "--format", "feishu").get("secret") is None
    w.json("webhook", "update", "g", "--format", "dingtalk")
    w.ok("webhook", "test", "g", "-q")
    came = w.server.at("/g")[-1]
    assert came[1] == "" and json.loads(came[3])["msgtype"] == "text", came
    secret = w.json("webhook", "update", "g", "--format", "generic")["secret"]
    w.ok("webhook", "test", "g", "-q")
    came = w.server.at("/g")[-1]
    assert came[2]["webhook-signature"] == generic_mac(secret, came), came
    assert w.json("webhook", "get", "g").get("secret") is None
    # What it is already changes no secret.
    assert w.json("webhook", "update", "g", "--format", "generic").get("secret") is None
    w.ok("webhook", "test", "g", "-q")
    came = w.server.at("/g")[-1]
    assert came[2]["webhook-signature"] == generic_mac(secret, came), came


def tests(w):
    """A test that is not taken fails, and says why; one to nobody too."""
    w.server.scripts["/e"] = [(404, "")]
    r = w.run("webhook", "test", "e")
    assert r.returncode == 10 and "HTTP status 404" in r.stderr, r.stderr
    last = w.json("webhook", "get", "e")["last_delivery"]
    assert last["status"] == "failed" and last["type"] == "webhook.test", last
    w.ok("webhook", "create", "nobody", "--url", "http://127.0.0.1:1/", "-q")
    r = w.run("webhook", "test", "nobody", "-q", "-o", "json")
    assert r.returncode == 10 and json.loads(r.stderr)["error"]["exit_code"] == 10, r.stderr
    assert w.json("operation", "list", "--filter", "type=webhook.test", "--status", "failed")


def ended(w):
    """One that is deleted is sent nothing; one that is changed is sent what it now wants, where it now is."""
    w.ok("webhook", "delete", "d", "--yes")
    before = len(w.server.at("/d"))
    w.ok("webhook", "update", "nobody", "--url", f"{w.url}/f", "--event", "key.*", "-q")
    w.disk("eight")
    wait(lambda: w.json("webhook", "get", "b")["pending"] == 0)
    assert len(w.server.at("/d")) == before
    assert all(e["type"].startswith("key.") for e in w.server.taken("/f"))


def main():
    w, failed = World(), 0
    cases = (in_order, crash, held, robots, rotated, reformatted, tests, ended)
    print(f"1..{len(cases)}")
    try:
        w.ok("local", "start", "--engine", "none", "-q")
        w.ok("account", "register", "--email", "a@example.com", "-q")
        for i, case in enumerate(cases, 1):
            try:
                case(w)
                print(f"ok {i} - {case.__doc__.split('.')[0]}")
            except Exception as e:  # pylint: disable=broad-except
                failed = 1
                print(f"not ok {i} - {case.__doc__.split('.')[0]}\n# {type(e).__name__} {str(e)[:2000]!r}")
    finally:
        w.close()
    return failed


if __name__ == "__main__":
    sys.exit(main())
