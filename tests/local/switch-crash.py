#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Switches with the daemon killed at a random moment of each: real instances, real time. No checkpoint is lost, never
are two instances billed for one, and the bill is exact. A few rounds; twenty with SV_TEST_LONG. Prints TAP."""
import datetime
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD = pathlib.Path(os.environ["SV_BUILD"])
ROUNDS = 20 if os.environ.get("SV_TEST_LONG") else 3
SEED = int(os.environ.get("SV_TEST_SEED") or random.SystemRandom().randrange(1 << 32))
CARDS = ("rtx-4090", "tpu-sim", "a100-80g", "ascend-910b")
STEPS = ("freeze", "snapshot", "create", "boot", "verify", "take_over", "halt_old")
CEILING = 120


class World:
    def __init__(self):
        self.home = tempfile.mkdtemp(prefix="svcrash.", dir="/tmp")
        self.env = {k: v for k, v in os.environ.items() if not k.startswith(("STARVERSE_", "SVCTL_", "XDG_"))}
        self.env |= {"HOME": self.home, "LC_ALL": "C.UTF-8", "PATH": f"{BUILD}/cli:{os.environ['PATH']}",
                     "STARVERSE_LOCAL_COMMAND": f"{BUILD}/cli/svctl-local"}
        self.random = random.Random(SEED)
        self.card = CARDS[0]

    def run(self, *args):
        return subprocess.run(["svctl", *args], env=self.env, cwd=self.home, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=CEILING, check=False)

    def ok(self, *args):
        r = self.run(*args)
        assert r.returncode == 0, f"svctl {' '.join(args)}: {r.returncode} {r.stderr}"
        return r.stdout

    def json(self, *args):
        return json.loads(self.ok(*args, "-q", "-o", "json"))

    def pid(self):
        return int(pathlib.Path(self.home, ".local/state/starverse/local/lock").read_text(encoding="ascii"))

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
    while not (got := what()):
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
    return got


def at_step(w, op, step):
    """Whether the operation has come to the step, or is over."""
    o = w.json("operation", "get", op)
    reached = [s["status"] for s in o["steps"] if s["name"] == step]
    return o["status"] != "running" or reached[0] != "pending"


def kill(w, op):
    """At a random step, and some moments into it."""
    step, pause = w.random.choice(STEPS), w.random.uniform(0, 0.15)
    wait(lambda: at_step(w, op, step))
    time.sleep(pause)
    pid = w.pid()
    os.kill(pid, signal.SIGKILL)
    wait(lambda: gone(pid))
    return step


def round_of(w, n):
    mark = f"step-{n}"
    w.ok("instance", "exec", "t", "--", "sh", "-c", f"echo {mark} > /root/ckpt/last && echo {mark} > /root/own && sync")
    card = w.random.choice([c for c in CARDS if c != w.card])
    op = w.json("instance", "switch", "t", "--gpu", f"{card}:2", "--no-wait")["operation_id"]
    step = kill(w, op)
    over = wait(lambda: (o := w.json("operation", "get", op))["status"] != "running" and o)
    assert over["status"] in ("succeeded", "failed"), over
    if over["status"] == "succeeded":
        w.card = card
    t = wait(lambda: (i := w.json("instance", "get", "t"))["status"] == "running" and i)
    assert t["gpu"] == w.card and t["gpu_count"] == 2, t
    billed = [i["id"] for i in w.json("instance", "list", "--all") if i["billing_active"]]
    assert billed == [t["id"]], billed
    running = [i["id"] for i in w.json("instance", "list") if i["status"] == "running"]
    assert running == [t["id"]], running
    seen = w.ok("instance", "exec", "t", "--", "cat", "/root/ckpt/last", "/root/own").split()
    assert seen == [mark, mark], seen
    disk = w.json("disk", "get", "ckpt")
    assert disk["attachment"]["instance"] == t["id"], disk
    return f"{step}: {over['status']}"


def micro(text):
    sign = -1 if text.startswith("-") else 1
    whole, _, part = text.lstrip("-").partition(".")
    return sign * (int(whole) * 1000000 + int((part + "000000")[:6]))


def seconds(text):
    return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())


def bill(w):
    """Every second of compute once at most, each interval rounded once, and nothing besides."""
    w.ok("instance", "delete", "t", "--yes", "-q")
    for i in w.json("instance", "list"):
        w.ok("instance", "delete", f"id:{i['id']}", "--yes", "-q")
    w.ok("disk", "delete", "ckpt", "--yes", "-q")
    usage = w.json("billing", "usage")
    compute = sorted((u for u in usage if u["kind"] == "compute"), key=lambda u: u["started_at"])
    last = 0
    for u in compute:
        begin, end = seconds(u["started_at"]), seconds(u["ended_at"])
        assert begin >= last, f"billed twice: {u}"
        last = end
        assert u["seconds"] == end - begin, u
        exact = (2 * micro(u["price_per_hour"]) * u["seconds"] + 3600) // 7200
        assert micro(u["cost"]) == exact, f"{u}: {exact}"
    assert all(u["ended_at"] for u in usage), usage
    charges = w.json("billing", "charges")
    balance = w.json("account", "get")["balance"]
    left = micro(balance["cash"]) + micro(balance["credit"])
    assert sum(micro(c["amount"]) for c in charges) == left, balance
    spent = sum(micro(c["amount"]) for c in charges if c["kind"] == "usage")
    assert -spent == sum(micro(u["cost"]) for u in usage), spent
    return f"{len(compute)} intervals"


def check(number, name, what, *args):
    try:
        print(f"ok {number} - {name}, {what(*args)}", flush=True)
        return 0
    except Exception as e:  # pylint: disable=broad-except
        print(f"not ok {number} - {name}\n# {type(e).__name__} {str(e)[:2000]!r}", flush=True)
        return 1


def main():
    w = World()
    print(f"1..{ROUNDS + 1}\n# SV_TEST_SEED={SEED}", flush=True)
    try:
        w.ok("account", "register", "--email", "a@example.com", "-q")
        w.ok("account", "top-up", "1000", "-q")
        w.ok("disk", "create", "ckpt", "--size", "1GiB", "-q")
        w.ok("instance", "create", "t", "--gpu", f"{w.card}:2", "--image", "pytorch-2.2", "--disk", "ckpt:/root/ckpt",
             "-q")
        for n in range(1, ROUNDS + 1):
            if check(n, f"round {n}", round_of, w, n):
                return 1
        return check(ROUNDS + 1, "the bill", bill, w)
    finally:
        w.close()


if __name__ == "__main__":
    sys.exit(main())
