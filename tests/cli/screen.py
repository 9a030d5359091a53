#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What a terminal sees: tables with wide names, narrow screens, colour, pager, top, questions. Prints TAP."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import sys
import termios

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from terminal import Tap, Terminal, width  # noqa: E402

loader = importlib.machinery.SourceFileLoader("transcripts", str(HERE / "run"))
transcripts = importlib.util.module_from_spec(importlib.util.spec_from_loader("transcripts", loader))
loader.exec_module(transcripts)

sys.argv = [sys.argv[0], "none"]
spec = importlib.util.spec_from_file_location("peers", HERE.parent / "net" / "faults.py")
peers = importlib.util.module_from_spec(spec)
spec.loader.exec_module(peers)

NAMES = ["训练机-01", "job🚀", "e\u0301cole", "plain", "a-rather-long-name-that-takes-much-room"]
STOPPED = "plain"


def columns(text):
    return sum(width(c) for c in text)


class Screens:
    def __init__(self, world):
        self.world = world

    def run(self, command, columns_=100, rows=30, **env):
        """A command on a terminal of its own."""
        env = self.world.env | {"TERM": "xterm"} | env
        return Terminal(["bash", "-c", command], env, cwd=self.world.home, columns=columns_, rows=rows)

    @staticmethod
    def sane(t):
        """The terminal reads lines, shows what is typed, and makes signals."""
        want = termios.ECHO | termios.ICANON | termios.ISIG
        return t.modes()[3] & want == want

    @staticmethod
    def end(t):
        """The exit status, when all that was written is read."""
        while t.pump(0.2) and t.end() is None:
            pass
        for _ in range(100):
            if not t.pump(0.1):
                break
        return t.end()

    def done(self, command, want=0, **how):
        t = self.run(command, **how)
        assert self.end(t) == want, f"{command}: exit {t.status}\n{t.raw}"
        assert self.sane(t), command
        t.close()
        return t

    def aligned(self):
        p = self.world.run("svctl instance list --columns name,status,gpu")
        lines = p.stdout.decode().splitlines()
        at = lines[0].index("STATUS")
        for line in lines[1:]:
            word = "stopped" if "stopped" in line else "running"
            assert columns(line[:line.index(word)]) == at, line
        assert b"\x1b" not in p.stdout + p.stderr and b"\r" not in p.stdout

    def narrow(self):
        t = self.done("svctl gpu list", columns_=50, PAGER="")
        assert "too narrow for: max_count, free" in t.raw, t.raw
        rows = [x for x in t.raw.splitlines() if x and "too narrow" not in x]
        assert len(rows) >= 9 and all(columns(x) <= 50 for x in rows), rows
        t = self.done("svctl event list", columns_=80, PAGER="")
        rows = t.raw.splitlines()
        assert "MESSAGE" in rows[0] and rows[0].endswith("CREATED_AT") and "too narrow" not in t.raw, t.raw
        assert "\u2026" in t.raw and all(columns(x) <= 80 for x in rows), t.raw
        assert all(re.search(r" (\d+[smh] ago|now|in \d+s)$", x) for x in rows[1:]), t.raw
        t = self.done("svctl gpu list -q", columns_=50, PAGER="")
        assert "too narrow" not in t.raw
        t = self.done("svctl gpu list", columns_=200, PAGER="")
        assert "too narrow" not in t.raw and "AVAILABILITY" in t.raw
        t = self.done("svctl gpu list -o wide", columns_=100, PAGER="")
        lines = t.raw.splitlines()
        assert "too narrow" not in t.raw and lines[0].endswith("AVAILABILITY") and len(lines[0]) > 100, t.raw

    def colour(self):
        cases = [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False),
                 ({"TERM": ""}, False)]
        for env, want in cases:
            t = self.done("svctl instance list", PAGER="", **env)
            assert ("\x1b[32mrunning\x1b[0m" in t.raw and "\x1b[2mstopped\x1b[0m" in t.raw) == want, (env, t.raw)
            assert want or "\x1b" not in t.raw, (env, t.raw)
        t = self.done("svctl instance list --color always | cat; svctl instance list | cat", PAGER="")
        assert t.raw.count("\x1b[32m") == len(NAMES) - 1, t.raw

    def times(self):
        t = self.done("svctl key list --columns name,created_at", PAGER="")
        assert re.search(r"svctl +(\d+[smh] ago|now|in \d+s)", t.raw), t.raw

    def pager(self):
        see = "sh -c 'env > " + shlex.quote(self.world.home) + "/env; cat'"
        t = self.done("svctl gpu list", SVCTL_PAGER=see, STARVERSE_API_KEY=self.key())
        assert "rtx-4090" in t.raw
        env = pathlib.Path(self.world.home, "env").read_text(encoding="utf-8")
        assert "STARVERSE_API_KEY" not in env and "HOME=" in env
        pathlib.Path(self.world.home, "env").unlink()
        for command in ("svctl gpu list -o json", "svctl gpu list | cat", "svctl instance stop plain", "svctl version"):
            self.done(command, SVCTL_PAGER=see)
            assert not pathlib.Path(self.world.home, "env").exists(), command

    def key(self):
        text = pathlib.Path(self.world.home, "config/starverse/credentials.yaml").read_text(encoding="utf-8")
        return re.search(r"api_key: *['\"]?([^\s'\"]+)", text).group(1)

    def pager_charset(self):
        """less goes by a locale that may not be there: it is told what is written, unless somebody has."""
        see = "sh -c 'echo charset=$LESSCHARSET; cat'"
        for env, want in (({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, "utf-8"), ({"LC_ALL": "zh_XX.UTF-8"}, "utf-8"),
                          ({"LC_ALL": "C.UTF-8", "LESSCHARSET": "latin1"}, "latin1"), ({"LC_ALL": "C"}, "")):
            t = self.done("svctl help", SVCTL_PAGER=see, **env)
            assert f"charset={want}\r\n" in t.raw, (env, t.raw[:80])
        if shutil.which("less"):
            t = self.done("svctl --lang zh_CN help filters", LC_ALL="", LANG="")
            assert "<E5>" not in t.raw and "嵌套字段用点号" in t.raw, t.raw

    def hidden_titles(self):
        """In another language a column has its title beside the name that --columns takes."""
        if not shutil.which("msgfmt"):
            return
        t = self.done("svctl --lang zh_CN gpu list", columns_=50, PAGER="")
        assert re.search("宽度不足，未显示：[一-鿿]+ \\(max_count\\), ", t.raw), t.raw

    def pager_left(self):
        many = "for i in 1 2 3 4 5 6 7 8 9; do svctl help; done"
        t = self.done("svctl help; echo status $?", SVCTL_PAGER="head -1")
        assert "status 0" in t.raw and "write error" not in t.raw and "Broken" not in t.raw, t.raw
        t = self.done(many + "; echo status $?", SVCTL_PAGER="true")
        assert t.raw.strip() == "status 0", t.raw

    def pager_missing(self):
        for how in ({"SVCTL_PAGER": "nosuch-pager"}, {"SVCTL_PAGER": ""}, {"PAGER": "cat"}, {"SVCTL_PAGER": " "}):
            t = self.done("svctl gpu list -o name | cat; svctl gpu list", **how)
            assert t.raw.count("rtx-4090") == 2, t.raw

    def pager_killed(self):
        t = self.done("stty -a > before; svctl gpu list; echo status $?; stty -a > after",
                      SVCTL_PAGER="sh -c 'stty -echo -icanon </dev/tty; kill -9 $$'")
        home = pathlib.Path(self.world.home)
        assert (home / "before").read_text() == (home / "after").read_text(), t.raw
        assert "status 0" in t.raw, t.raw

    def top(self):
        t = self.run("svctl top --interval 1s", columns_=120, rows=20)
        t.wait(r"^训练机-01 +running", "the first instance")
        lines = t.screen.lines()
        head = next(x for x in lines if x.startswith("NAME"))
        at = columns(head[:head.index("STATUS")])
        for name in NAMES:
            line = next(x for x in lines if x.startswith(name[:3].replace("\u0301", "")))
            word = "stopped" if "stopped" in line else "running"
            assert columns(line[:line.index(word)]) == at, line
        assert "5 instances, 4 billed" in lines[0] and "NEXT STOP" in head
        assert re.search(r"in .*max_runtime", t.screen.text()), t.screen.text()
        t.resize(60, 20)
        t.signal(signal.SIGWINCH)
        t.wait(lambda: "NAME" in t.screen.text() and "NEXT STOP" not in t.screen.text(), "fewer columns")
        t.type("c")
        t.type("q")
        assert self.end(t) == 0 and t.raw.endswith("\x1b[?25h\x1b[?1049l"), t.raw[-80:]
        assert self.sane(t)
        t.close()

    def top_ended(self):
        for how, want in (("\x03", 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129)):
            t = self.run("exec svctl top")
            t.wait(r"^plain", "an instance")
            if isinstance(how, str):
                t.type(how)
            else:
                t.signal(how)
            assert self.end(t) == want, (how, t.status)
            assert t.raw.endswith("\x1b[?1049l") and self.sane(t), (how, t.raw[-80:])
            t.close()
        p = self.world.run("svctl top")
        assert p.returncode == 2 and b"none" in p.stderr and not p.stdout, p.stderr

    def top_of_many(self):
        """Every page counts, and a page that leads back is the last."""
        def page(n, cursor):
            items = [{"id": f"ins_{n}{i}", "name": f"p{n}-{i}", "status": "running", "gpu": "rtx-4090", "gpu_count": 1,
                      "price_per_hour": "1.000000", "cost": "0.500000", "billing_active": True} for i in range(3)]
            return peers.answer(200, json.dumps({"items": items, "next_cursor": cursor}))
        m = peers.Mock([page(1, "c2"), page(2, "c2"), page(1, "c2"), page(2, None)] * 20)
        t = self.run("svctl top --interval 1s", columns_=120, rows=20, STARVERSE_ENDPOINT=m.url, STARVERSE_API_KEY="k_1")
        t.wait(r"^p2-2 +running", "the last of the second page")
        assert "6 instances, 6 billed: 6.00 an hour, 3.00 so far" in t.screen.lines()[0], t.screen.text()
        t.wait(lambda: len(m.requests) > 2, "another round")
        t.type("q")
        assert self.end(t) == 0
        t.close()
        assert "limit=1000" in m.line(0) and "cursor=c2" in m.line(1) and "cursor" not in m.line(2), m.line(2)
        m = peers.Mock([page(n, "c2" if n % 2 else "c3") for n in range(1, 100)])
        t = self.run("svctl top --interval 1h", columns_=120, rows=40, STARVERSE_ENDPOINT=m.url, STARVERSE_API_KEY="k_1")
        t.wait(r"^p4-2 +running", "the last of the circle")
        t.type("q")
        assert self.end(t) == 0 and len(m.requests) < 9, len(m.requests)
        t.close()

    def questions(self):
        pathlib.Path(self.world.home, "d.yaml").write_text(
            "kind: disk\nname: one\nsize_gib: 1\n---\nkind: disk\nname: two\nsize_gib: 1\n", encoding="utf-8")
        self.done("svctl apply -f d.yaml -q")
        t = self.run("svctl delete -f d.yaml -o name")
        t.wait("Type 2 to go on:")
        t.type("n\n")
        assert self.end(t) == 12 and "nothing was done" in t.raw, t.raw
        t.close()
        t = self.run("svctl delete -f d.yaml -o name")
        t.wait("Type 2 to go on:")
        t.type("2\n")
        assert self.end(t) == 0, t.raw
        t.close()

    def progress(self):
        t = self.done("svctl instance restart job🚀", TERM="dumb")
        assert "\r\n" in t.raw and not re.search(r"\r[^\r\n]|\x1b", t.raw), t.raw
        t = self.done("svctl instance restart job🚀 -q", PAGER="")
        assert "job" in t.raw
        p = self.world.run("svctl instance restart job🚀 -o json")
        assert p.stdout.startswith(b"{") and b"\x1b" not in p.stderr and b"\r" not in p.stderr

    def interrupted(self):
        """While a start is waited for: phase, seconds and price in one line; what goes on, and what can be done."""
        def thing(status, **more):
            return peers.answer(200, json.dumps({"id": "ins_1", "name": "训练", "status": status, "version": 1,
                                                 "price_per_hour": "7.000000", "operation_id": None} | more))
        op = peers.answer(200, json.dumps({"id": "op_1", "type": "instance.start", "status": "running", "resource": "ins_1",
                                           "steps": [{"name": "boot", "status": "running"}], "version": 1}))
        m = peers.Mock([thing("stopped"), thing("starting", operation_id="op_1"), op, lambda c: c.recv(1) and None])
        t = self.run("stty -a > before; svctl instance start id:ins_1; echo status $?; stty -a > after",
                     STARVERSE_ENDPOINT=m.url, STARVERSE_API_KEY="k_1")
        t.wait(r"^训练: boot \(1s, 7\.00 an hour\)", "a line with the price, and time going on")
        t.type("\x03")
        t.wait(r"^status 130", "the exit status of an interrupt")
        seen = t.screen.text()
        assert "start of instance 训练 (ins_1) goes on, 7.00 an hour while it runs" in seen, seen
        assert "svctl operation wait op_1 waits again" in seen and "delete" not in seen, seen
        assert "boot (" not in seen and self.end(t) == 0, seen
        home = pathlib.Path(self.world.home)
        assert (home / "before").read_text() == (home / "after").read_text()
        t.close()


def main():
    tap, world = Tap(), transcripts.World()
    try:
        def run(command):
            p = world.run(command)
            assert not p.returncode, p.stderr
        run("svctl local start --engine none -q --get engine && svctl account register --email me@example.org -q")
        run("svctl account top-up --amount 1000 -q")
        for n in NAMES:
            run(f"svctl instance create --name={shlex.quote(n)} --gpu tpu-sim --image pytorch-2.2 --max-runtime 5h -q")
        run(f"svctl instance stop {STOPPED} -q")
        s = Screens(world)
        for name in ("aligned", "narrow", "colour", "times", "pager", "pager_charset",
                     "hidden_titles", "pager_left", "pager_missing", "pager_killed", "top",
                     "top_of_many", "top_ended", "questions", "progress", "interrupted"):
            tap.check(name.replace("_", " "), getattr(s, name))
    finally:
        world.close()
    return tap.finish()


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(main())
