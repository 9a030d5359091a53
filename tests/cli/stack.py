#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Stacks of documents that are cut off: by Ctrl-C, by the death of svctl or of the platform, in the middle of a record.
What a second run makes of it is there once, and a third finds nothing to do. A platform of its own (engine none) behind a
relay that sees every request and can stop it. Rounds are random; SV_TEST_SEED repeats them, SV_TEST_LONG makes more.
Prints TAP."""
import base64
import json
import os
import pathlib
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

BUILD = pathlib.Path(os.environ["SV_BUILD"])
SEED = int(os.environ.get("SV_TEST_SEED") or random.SystemRandom().randrange(1 << 32))
ROUNDS = 40 if os.environ.get("SV_TEST_LONG") else 6
CEILING = 60
SECRET = "whsec_" + "A" * 32


class Relay:
    """Between svctl and the platform. stop(method, path, answered) is asked before a request goes on and before its answer
    does; what it returns is called, and nothing goes on after that on this connection."""

    def __init__(self, path, to):
        self.to, self.seen, self.stop = to, [], None
        self.lock = threading.Lock()
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            c, _ = self.server.accept()
            threading.Thread(target=self.serve, args=(c,), daemon=True).start()

    @staticmethod
    def message(f):
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            line = f.readline()
            if not line:
                return None
            head += line
        m = re.search(rb"(?i)\ncontent-length: *(\d+)", head)
        return head + (f.read(int(m.group(1))) if m else b"")

    def asked(self, method, path, answered):
        with self.lock:
            if not answered:
                self.seen.append((method, path))
            return self.stop(method, path, answered) if self.stop else None

    def one(self, c, up, request):
        method, path = request.split(b" ", 2)[:2]
        action = self.asked(method.decode(), path.decode(), False)
        if action:
            return action(request)
        up.sendall(request)
        answer = self.message(up.makefile("rb"))
        if answer is None:
            return True
        action = self.asked(method.decode(), path.decode(), True)
        return action(request) if action else c.sendall(answer)

    def serve(self, c):
        try:
            with c, socket.socket(socket.AF_UNIX) as up, c.makefile("rb") as f:
                up.connect(self.to)
                while (request := self.message(f)) is not None:
                    if self.one(c, up, request):
                        return
        except OSError:
            pass

    def send(self, request):
        with socket.socket(socket.AF_UNIX) as up:
            up.connect(self.to)
            up.sendall(request)
            return self.message(up.makefile("rb"))

    def changes(self):
        return [s for s in self.seen if s[0] != "GET" and s[1] != "/v1/billing/quote"]


class World:
    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="svstack.", dir="/tmp")
        os.mkdir(self.home + "/run", 0o700)
        keep = {k: v for k, v in os.environ.items() if not re.match("STARVERSE_|SVCTL_|XDG_", k)}
        self.env = keep | {"HOME": self.home, "LC_ALL": "C.UTF-8", "TERM": "dumb", "XDG_RUNTIME_DIR": self.home + "/run",
                           "PATH": f"{BUILD}/cli:{os.environ['PATH']}",
                           "STARVERSE_LOCAL_COMMAND": f"{BUILD}/cli/svctl-local"}
        self.random = random.Random(SEED)
        self.start()
        self.ok("account", "register", "--email", "me@example.org")
        self.ok("account", "top-up", "--amount", "10000")
        self.relay = Relay(self.home + "/relay", self.home + "/run/starverse/local.sock")
        self.env["STARVERSE_ENDPOINT"] = f"unix:{self.home}/relay"

    def start(self):
        env = {k: v for k, v in self.env.items() if k != "STARVERSE_ENDPOINT"}
        subprocess.run(["svctl", "local", "start", "--engine", "none", "--clock", "stepped", "-q"], env=env, cwd=self.home,
                       stdin=subprocess.DEVNULL, capture_output=True, timeout=CEILING, check=True)

    def slay(self):
        """Until it is gone it has its lock and its socket."""
        pid, end = self.pid(), time.monotonic() + CEILING
        os.kill(pid, signal.SIGKILL)
        while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
            time.sleep(0.01)

    def begin(self, *args):
        return subprocess.Popen(["svctl", *args], env=self.env, cwd=self.home, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    @staticmethod
    def end(p):
        out, err = p.communicate(timeout=CEILING)
        return p.returncode, out, err

    def run(self, *args):
        return self.end(self.begin(*args))

    def ok(self, *args):
        code, out, err = self.run(*args)
        assert code == 0, f"svctl {' '.join(args)}: {code} {err}"
        return out

    def apply(self, name="s.yaml", *more):
        """Actions by kind and name."""
        out = self.ok("apply", "-f", name, "-q", "-o", "json", *more)
        return {(r["kind"], r["name"]): r["action"] for r in json.loads(out)}

    def write(self, docs, name="s.yaml"):
        text = "".join("---\n" + json.dumps(d, ensure_ascii=False) + "\n" for d in docs)
        pathlib.Path(self.home, name).write_text(text, encoding="utf-8")

    def there(self, docs):
        """How often what a document describes is there."""
        count = {}
        for kind in {d["kind"] for d in docs}:
            names = [o["name"] for o in json.loads(self.ok(kind, "list", "-o", "json"))]
            for d in docs:
                if d["kind"] == kind:
                    count[kind, d["name"]] = names.count(d["name"])
        return count

    def record(self, name="s"):
        found = list(pathlib.Path(self.home, ".local/state/starverse/apply/local").glob(name + "-*.jsonl"))
        assert len(found) == 1, found
        return found[0]

    def pid(self):
        return int(pathlib.Path(self.home, ".local/state/starverse/local/lock").read_text(encoding="ascii"))

    def close(self):
        self.env.pop("STARVERSE_ENDPOINT", None)
        self.run("local", "stop", "-q")
        shutil.rmtree(self.home, ignore_errors=True)


W = World()


def stack(tag):
    docs = [{"kind": "disk", "name": f"{tag}-d{i}", "size_gib": 1} for i in range(6)]
    docs += [{"kind": "storage", "name": f"{tag}-s", "size_gib": 1}]
    docs += [{"kind": "webhook", "name": f"{tag}-w", "url": "http://127.0.0.1:9/", "secret": SECRET}]
    docs += [{"kind": "instance", "name": f"{tag}-i{i}", "gpu": "tpu-sim", "image": "pytorch-2.2", "keys": [],
              "disks": [{"disk": f"{tag}-d{i}", "path": "/d"}], "storages": [{"storage": f"{tag}-s", "path": "/s"}]}
             for i in range(3)]
    docs += [{"kind": "group", "name": f"{tag}-g", "desired": 1, "template": {
        "gpu": "rtx-4090", "image": "pytorch-2.2", "storages": [{"storage": f"{tag}-s", "path": "/s"}]}}]
    W.random.shuffle(docs)
    return docs


def is_change(method, path):
    return method != "GET" and path != "/v1/billing/quote"


def at(n, answered, action):
    """Stops the n-th change, and whatever comes after it."""
    count = 0

    def stop(method, path, now):
        nonlocal count
        if not is_change(method, path) or now != answered:
            return None
        count += 1
        return action if count >= n else None
    return stop


def converges(docs, what):
    W.relay.stop = None
    W.apply()
    assert set(W.there(docs).values()) == {1}, f"{what}: {W.there(docs)}"
    again = W.apply()
    assert set(again.values()) == {"none"}, f"{what}: {again}"
    assert not list(pathlib.Path(W.home, ".local/state/starverse/spool").glob("*")), what


def rid(docs):
    W.relay.stop = None
    W.ok("delete", "-f", "s.yaml", "--yes", "-q")
    assert set(W.there(docs).values()) == {0}, W.there(docs)


def svctl_is_killed():
    for i in range(ROUNDS):
        docs = stack(f"k{i}")
        W.write(docs)
        n, answered = W.random.randint(1, len(docs)), W.random.random() < .5
        p = W.begin("apply", "-f", "s.yaml", "-q")
        W.relay.stop = at(n, answered, lambda request, p=p: p.kill() or True)
        code, _, _ = W.end(p)
        assert code == -signal.SIGKILL, code
        converges(docs, f"killed at change {n}, answered {answered}")
        rid(docs)


def what_svctl_died_over_is_its_own():
    docs = [{"kind": "disk", "name": "own", "size_gib": 1},
            {"kind": "webhook", "name": "own", "url": "http://127.0.0.1:9/", "secret": SECRET}]
    W.write(docs)
    p = W.begin("apply", "-f", "s.yaml", "-q")
    W.relay.stop = at(1, True, lambda _: p.kill() or True)
    W.end(p)
    converges(docs, "before it is pruned")
    W.write([docs[0], docs[1] | {"secret": SECRET[:-1] + "B"}])
    assert W.apply()["webhook", "own"] == "update"
    W.write([{"kind": "disk", "name": "other", "size_gib": 1}])
    assert list(W.apply("s.yaml", "--prune", "--yes").values()) == ["create", "delete", "delete"]
    rid([{"kind": "disk", "name": "other"}])


def pruned(*docs, others=True):
    """What apply --prune deletes once the file has something else in it."""
    W.write([{"kind": "disk", "name": "other", "size_gib": 1}] if others else list(docs))
    done = W.apply("s.yaml", "--prune", "--yes")
    if others:
        rid([{"kind": "disk", "name": "other"}])
    return sorted(k for k, action in done.items() if action == "delete")


def everything_svctl_died_over_is_its_own():
    docs = stack("e")
    W.write(docs)
    p = W.begin("apply", "-f", "s.yaml", "-q")
    W.relay.stop = at(W.random.randint(1, len(docs)), True, lambda _: p.kill() or True)
    W.end(p)
    W.relay.stop = None
    made = sorted(k for k, n in W.there(docs).items() if n)
    assert made and pruned() == made, made


def what_others_make_meanwhile_is_not():
    W.write([{"kind": "disk", "name": "theirs", "size_gib": 1}])
    p = W.begin("apply", "-f", "s.yaml", "-q")
    W.relay.stop = at(1, False, lambda _: p.kill() or True)
    W.end(p)
    W.relay.stop = None
    W.ok("disk", "create", "theirs", "--size", "1GiB")
    assert W.apply() == {("disk", "theirs"): "none"}
    assert not pruned()
    W.ok("disk", "delete", "theirs", "--yes")


def a_plan_does_not_disturb_what_runs():
    docs, plan = [{"kind": "disk", "name": "calm", "size_gib": 1}], []
    W.write(docs)

    def look(request):
        W.relay.stop = None
        plan.append(W.run("diff", "-f", "s.yaml", "--prune", "-o", "id"))
        W.relay.send(request)
        return True
    W.relay.stop = at(1, False, look)
    W.ok("apply", "-f", "s.yaml", "-q")
    assert [p[0] for p in plan] == [0], plan
    converges(docs, "a plan meanwhile")
    rid(docs)


def what_has_another_name_is_not_pruned():
    W.write([{"kind": "disk", "name": "before", "size_gib": 1}])
    W.apply()
    W.ok("disk", "update", "before", "--name", "after")
    assert not pruned({"kind": "disk", "name": "after", "size_gib": 1}, others=False)
    assert pruned() == [("disk", "after")]


def what_others_have_done_on_it_is_not_waited_for():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        hook = {"kind": "webhook", "name": "hook", "url": f"http://127.0.0.1:{silent.getsockname()[1]}/"}
        W.write([hook])
        W.apply()
        W.ok("webhook", "test", "hook", "--no-wait")
        silent.settimeout(CEILING)
        with silent.accept()[0]:
            assert json.loads(W.ok("webhook", "get", "hook", "-o", "json"))["operation_id"]
            W.relay.seen.clear()
            assert W.apply() == {("webhook", "hook"): "none"}
            assert not [p for _, p in W.relay.seen if p.startswith("/v1/operations/")], W.relay.seen
    rid([hook])


def queued(name):
    return {"kind": "instance", "name": name, "gpu": "tpu-sim", "gpu_count": 8, "image": "pytorch-2.2", "keys": [],
            "wait_capacity": True}


def ctrl_c_while_waiting_for_an_earlier_run():
    docs = [queued(f"q{i}") for i in range(9)] # one more than there are cards for
    W.write(docs)
    W.apply("s.yaml", "--no-wait")
    p = W.begin("apply", "-f", "s.yaml")
    once, over = threading.Lock(), threading.Event()

    def interrupt(_):
        if once.acquire(blocking=False):
            p.send_signal(signal.SIGINT)
        return over.wait(CEILING)
    W.relay.stop = lambda method, path, _: interrupt if path.startswith("/v1/operations/") else None
    code, _, err = W.end(p)
    over.set()
    W.relay.stop = None
    assert code == 130 and re.search(r"^svctl: goes on: instance q\d \(ins_", err, re.M), (code, err)
    rid(docs)


def what_was_refused_is_not():
    W.write([{"kind": "disk", "name": "mine", "size_gib": 1}])
    W.ok("local", "fault", "POST /v1/disks", "403", "1")
    assert W.run("apply", "-f", "s.yaml", "-q")[0] == 4
    W.ok("disk", "create", "mine", "--size", "1GiB")
    assert W.apply() == {("disk", "mine"): "none"}
    W.write([{"kind": "disk", "name": "other", "size_gib": 1}])
    assert W.apply("s.yaml", "--prune", "--yes") == {("disk", "other"): "create"}
    rid([{"kind": "disk", "name": "other"}])
    W.ok("disk", "delete", "mine", "--yes")


def a_late_arrival_makes_nothing():
    docs, late = stack("l"), []
    W.write(docs)
    p = W.begin("apply", "-f", "s.yaml", "-q")
    W.relay.stop = at(3, False, lambda request: late.append(request) or p.kill() or True)
    W.end(p)
    converges(docs, "late")
    for request in late:
        status = int(W.relay.send(request).split()[1])
        assert status == 409, status
    converges(docs, "after it")
    rid(docs)


def the_platform_is_killed():
    for i in range(ROUNDS):
        docs, once = stack(f"p{i}"), threading.Lock()
        W.write(docs)

        def die(_, once=once):
            if once.acquire(blocking=False):
                W.slay()
                W.relay.stop = None
                W.start()
            return True
        n, answered = W.random.randint(1, len(docs)), W.random.random() < .5
        W.relay.stop = at(n, answered, die)
        W.run("apply", "-f", "s.yaml", "-q")
        assert once.locked()
        converges(docs, f"platform killed at change {n}, answered {answered}")
        rid(docs)


def ctrl_c_stops():
    docs = [{"kind": "disk", "name": f"c{i}", "size_gib": 1} for i in range(40)]
    docs += [{"kind": "instance", "name": "ci", "gpu": "tpu-sim", "image": "pytorch-2.2", "keys": [], "disks": ["c0:/d"]}]
    W.write(docs)
    W.relay.seen.clear()
    over = threading.Event()
    p = W.begin("apply", "-f", "s.yaml", "-o", "json")
    once = threading.Lock()

    def interrupt(_):
        if once.acquire(blocking=False):
            p.send_signal(signal.SIGINT)
        return over.wait(CEILING)
    W.relay.stop = at(5, False, interrupt)
    code, out, err = W.end(p)
    sent, W.relay.stop = len(W.relay.changes()), None
    over.set()
    assert code == 130, (code, err)
    rows = json.loads(out)
    assert len(rows) <= 4 and {r["action"] for r in rows} <= {"create"}, rows
    said = dict(re.findall(r"^svctl: ([a-z, ]+): ((?:disk|instance) .*)$", err, re.M))
    name = {k: set(re.findall(r"(?:disk|instance) (\S+?)(?=,| \(|$)", v)) for k, v in said.items()}
    assert set(said) - {"done", "goes on"} == {"sent, the answer not awaited", "not begun"}, err
    assert name.get("done", set()) == {r["name"] for r in rows}, (rows, err)
    assert len(name["not begun"]) <= 41 - sent, err
    assert "ci" in name["not begun"] and sum(map(len, name.values())) == 41, err
    assert sent <= 32 and "code" not in err, err
    converges(docs, "Ctrl-C")
    rid(docs)


def ctrl_c_while_waiting():
    docs = stack("w")
    W.write(docs)
    p = W.begin("apply", "-f", "s.yaml", "-o", "csv", "--columns", "kind,name")
    over, once = threading.Event(), threading.Lock()

    def interrupt(_):
        if once.acquire(blocking=False):
            p.send_signal(signal.SIGINT)
        return over.wait(CEILING)

    def stop(method, path, _):
        return interrupt if path.startswith("/v1/operations/") else None
    W.relay.stop = stop
    code, out, err = W.end(p)
    over.set()
    assert code == 130 and {"storage,w-s", "webhook,w-w"} == set(out.split()[1:]), (code, out)
    assert re.search(r"^svctl: done: .*storage w-s", err, re.M), err
    assert re.search(r"^svctl: goes on: .*disk w-d\d \(dsk_", err, re.M), err
    assert re.search(r"^svctl: not begun: .*instance w-i0", err, re.M), err
    converges(docs, "Ctrl-C in a wait")
    rid(docs)


def a_cut_record_loses_nothing():
    docs = [{"kind": "disk", "name": f"r{i}", "size_gib": 1} for i in range(3)]
    W.write(docs[:2])
    W.apply()
    record = W.record()
    whole = record.read_bytes()
    for cut in (1, 10, len(whole.splitlines()[-1]) - 1):
        record.write_bytes(whole[:-cut])
        W.write(docs)
        W.apply()
        W.write(docs[:2])
        gone = W.apply("s.yaml", "--prune", "--yes")
        assert gone.get(("disk", "r2")) == "delete", (cut, gone)
        assert set(W.there(docs).values()) == {0, 1}
    rid(docs)


def prune_deletes_what_was_made_last_first():
    docs = stack("o")
    W.write(docs)
    W.apply()
    labelled = [d | {"labels": {"a": "b"}} if d["kind"] == "disk" else d for d in docs]
    W.write(labelled)
    changed = W.apply()
    assert changed["disk", "o-d0"] == "update", changed
    W.write([d for d in labelled if d["name"] == "o-w"])
    W.relay.seen.clear()
    left = W.apply("s.yaml", "--prune", "--yes", "--no-wait")
    assert list(left.values()).count("delete") == len(docs) - 1, left
    order = [path.split("/")[2] for _, path in W.relay.changes()]
    assert max(i for i, k in enumerate(order) if k in ("instances", "groups")) < \
        min(i for i, k in enumerate(order) if k in ("disks", "storages")), order
    rid(docs)


def a_secret_has_a_call_of_its_own():
    hook = {"kind": "webhook", "name": "told", "url": "http://127.0.0.1:9/", "secret": SECRET}
    W.write([hook])
    W.apply()
    W.relay.seen.clear()
    W.write([hook | {"secret": "whsec_" + "B" * 32, "url": "http://127.0.0.1:9/b"}])
    W.ok("local", "fault", "POST /v1/webhooks/{id}/rotate", "403", "1")
    W.relay.seen.clear()
    assert W.run("apply", "-f", "s.yaml", "-q")[0] == 4
    assert [m for m, _ in W.relay.changes()] == ["PATCH", "POST"], W.relay.changes()
    W.relay.seen.clear()
    assert W.apply() == {("webhook", "told"): "update"}
    assert [p.rsplit("/", 1)[1] for _, p in W.relay.changes()] == ["rotate"], W.relay.changes()
    assert W.apply() == {("webhook", "told"): "none"}
    rid([hook])


def another_format_is_told_its_secret():
    hook = {"kind": "webhook", "name": "robot", "url": "http://127.0.0.1:9/", "format": "feishu", "secret": "abc"}
    W.write([hook])
    W.apply()
    W.relay.seen.clear()
    W.write([hook | {"format": "dingtalk"}])
    assert W.apply() == {("webhook", "robot"): "update"}
    assert [m for m, _ in W.relay.changes()] == ["PATCH", "POST"], W.relay.changes()
    assert W.apply() == {("webhook", "robot"): "none"}
    del hook["secret"]
    W.write([hook | {"format": "generic"}])
    told = json.loads(W.ok("apply", "-f", "s.yaml", "-q", "-o", "json"))
    assert told[0]["secret"].startswith("whsec_"), told
    rid([hook])


def nothing_is_pruned_for_what_failed():
    W.write([{"kind": "disk", "name": "old", "size_gib": 1}])
    W.apply()
    W.write([{"kind": "disk", "name": "new", "size_gib": 1}])
    W.ok("local", "fault", "POST /v1/disks", "403", "1")
    code, out, err = W.run("apply", "-f", "s.yaml", "--prune", "--yes", "-o", "name")
    assert code and not out and "not deleted, since something failed: disk old" in err, (code, out, err)
    assert W.apply("s.yaml", "--prune", "--yes") == {("disk", "new"): "create", ("disk", "old"): "delete"}
    rid([{"kind": "disk", "name": "new"}])


def ssh_key(n):
    def part(b):
        return len(b).to_bytes(4, "big") + b
    return "ssh-ed25519 " + base64.b64encode(part(b"ssh-ed25519") + part(bytes([n] * 32))).decode()


def described(n, name):
    mounts = {"storages": [{"storage": name, "path": "/s"}]}
    labels = {"labels": {"a": name, "b": "no"}}
    return [{"kind": "disk", "name": name, "size_gib": 1} | labels,
            {"kind": "storage", "name": name, "size_gib": 1} | labels,
            {"kind": "key", "name": name, "public_key": ssh_key(n)},
            {"kind": "webhook", "name": name, "url": "http://127.0.0.1:9/", "events": ["instance.*"]},
            {"kind": "budget", "name": name, "amount": "9.50", "period": "month"},
            {"kind": "token", "name": name, "scopes": ["read"]},
            {"kind": "instance", "name": name, "gpu": "tpu-sim", "image": "pytorch-2.2", "keys": [name], "env": {"A": name},
             "command": "echo " + name, "disks": [{"disk": name, "path": "/d"}]} | mounts | labels,
            {"kind": "snapshot", "name": name, "disk": name},
            {"kind": "group", "name": name, "desired": 1, "maximum": 2,
             "template": {"gpu": "rtx-4090", "image": "pytorch-2.2", "env": {"B": name}} | mounts}]


def what_is_exported_is_no_change():
    names = ["训练机-01", "job🚀", "a: b", "#x", "no", "0123", "e\u0301cole", "- d", "a\"b'c", "~", "1e3", "{x}", "*a", "12:30"]
    docs = [d for n, name in enumerate(names) for d in described(n, name)]
    W.write(docs)
    W.apply()
    assert set(W.apply().values()) == {"none"}
    kinds = [d["kind"] for d in docs[:len(docs) // len(names)]]
    text = "".join(W.ok("export", kind, "-q") for kind in kinds)
    pathlib.Path(W.home, "exported.yaml").write_text(text, encoding="utf-8")
    rows = json.loads(W.ok("diff", "-f", "exported.yaml", "-o", "json"))
    assert {r["action"] for r in rows} == {"none"}, [r for r in rows if r["action"] != "none"]
    assert {(d["kind"], d["name"]) for d in docs} <= {(r["kind"], r["name"]) for r in rows}
    rid(docs)


CASES = [what_svctl_died_over_is_its_own, everything_svctl_died_over_is_its_own, what_others_make_meanwhile_is_not,
         a_plan_does_not_disturb_what_runs, what_has_another_name_is_not_pruned,
         what_others_have_done_on_it_is_not_waited_for, ctrl_c_while_waiting_for_an_earlier_run, what_was_refused_is_not,
         what_is_exported_is_no_change, svctl_is_killed, a_late_arrival_makes_nothing, the_platform_is_killed,
         ctrl_c_stops, ctrl_c_while_waiting, a_secret_has_a_call_of_its_own, another_format_is_told_its_secret,
         a_cut_record_loses_nothing, prune_deletes_what_was_made_last_first, nothing_is_pruned_for_what_failed]


def main():
    print(f"1..{len(CASES)}\n# seed {SEED}", flush=True)
    failed = 0
    try:
        for i, case in enumerate(CASES, 1):
            try:
                case()
                said = ""
            except (AssertionError, subprocess.SubprocessError, OSError, ValueError, KeyError) as e:
                said = "".join(f"\n# {line}" for line in f"{type(e).__name__}: {e}".splitlines())
                failed = 1
                W.relay.stop = None
            print(f"{'not ok' if said else 'ok'} {i} - {case.__name__.replace('_', ' ')}{said}", flush=True)
    finally:
        W.close()
    return failed


if __name__ == "__main__":
    sys.exit(main())
