#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The shell on a terminal: editing, completion, history, signals, jobs. Prints TAP."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import signal
import stat
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from peer import Peer, page  # noqa: E402
from terminal import Tap, Terminal  # noqa: E402

loader = importlib.machinery.SourceFileLoader("transcripts", str(HERE / "run"))
transcripts = importlib.util.module_from_spec(importlib.util.spec_from_loader("transcripts", loader))
loader.exec_module(transcripts)

EVIL = "x\x1b[2J\x1b]0;pwn\x07\x1b]52;c;ZXZpbA==\x07\x9b31m\r\nFAKE  running"


class Shell:
    """svctl shell on a terminal of its own."""

    def __init__(self, world, *options, columns=80, rows=24, prompt="svctl:local", **env):
        self.t = Terminal(["svctl", *options, "shell"], world.env | {"TERM": "xterm"} | env, cwd=world.home,
                          columns=columns, rows=rows)
        self.prompt = prompt
        self.ready()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.t.close()

    def ready(self, status=0, more=""):
        want = f"{self.prompt}{more}{f' [{status}]' if status else ''}> "
        self.t.wait(lambda: self.t.line() == want, want)

    def say(self, line, status=0, more=""):
        """Types a line; when the prompt is there again, what stands between."""
        self.t.screen.feed("\x1b[2J\x1b[H")
        self.t.raw = ""
        self.t.type(line + "\r")
        self.t.wait(lambda: self.t.raw.count("\n") > 0, "the end of the line")
        self.ready(status, more)
        return self.t.screen.text()

    def leave(self):
        self.t.type("\x04")
        return self.t.end()


def same(a, b):
    assert a == b, f"{a!r} is not {b!r}"


def runs(world):
    with Shell(world) as s:
        assert "? shows what fits" in s.t.screen.text()
        assert "svctl 0." in s.say("version")
        s.say("nosuch", 2)
        s.say("version")
        same(s.leave(), 0)


def alone_is_shell(world):
    t = Terminal(["svctl"], world.env | {"TERM": "xterm"}, cwd=world.home)
    t.wait(r"^svctl:local>$")
    t.type("nosuch\r")
    t.wait(r"^svctl:local \[2\]>$")
    t.type("\x04")
    same(t.end(), 2)
    t.close()


def completes(world):
    with Shell(world) as s:
        s.t.type("inst\t")
        s.t.wait(lambda: s.t.line().endswith("> instance "))
        s.t.type("st\t")
        s.t.wait(r"^stop +stop a running instance")
        s.t.wait(lambda: s.t.line().endswith("> instance st"))
        for typed, want in (("op my\t", "instance stop my\\ name "), ("'it\t", "instance stop my\\ name 'it'\\''s' "),
                            ("训\t", "instance stop my\\ name 'it'\\''s' 训练 "), (">da\t", None)):
            s.t.type(typed)
            if want:
                s.t.wait(lambda w=want: s.t.line().endswith("> " + w), want)
        s.t.type("\x15disk attach x my\t")
        s.t.wait(lambda: s.t.line().endswith("> disk attach x my\\ name:"))
        s.t.type("\x15version; watch 2 instance li\t")
        s.t.wait(lambda: s.t.line().endswith("; watch 2 instance list "))
        s.t.type("\x15use l\t")
        s.t.wait(lambda: s.t.line().endswith("> use local "))
        s.t.type("\x15version > some\t")
        s.t.wait(lambda: s.t.line().endswith("> version > something "))


def question(world):
    with Shell(world) as s:
        s.t.type("instance ?")
        s.t.wait(r"^save-image +make a private image")
        s.t.wait(lambda: s.t.line().endswith("> instance "))
        s.t.type("stop wh?t 'a ?")
        s.t.wait(lambda: s.t.line().endswith("> instance stop wh?t 'a ?"), "an ordinary letter inside words and quotes")
        s.t.type("\x15!ls ?")
        s.t.wait(lambda: s.t.line().endswith("> !ls ?"))


def quotes(world):
    with Shell(world) as s:
        s.t.type("!printf '%s|' 'a b' \"c\r")
        s.ready()
        s.t.type("version 'a\r")
        s.t.wait(lambda: s.t.line() == "> ", "more is asked for")
        s.t.type("\x03")
        s.ready(130)
        assert "svctl 0." in s.say("version -o 'ta'\"ble\"")
        s.t.type("version \\\r")
        s.t.wait(lambda: s.t.line() == "> ", "more is asked for")
        s.t.type("-o json\r")
        s.t.wait(r'^\{"version":|"version":')
        s.ready()


def redirects(world):
    with Shell(world) as s:
        s.say("version > v1; version >> v1")
        same(pathlib.Path(world.home, "v1").read_text(encoding="utf-8").count("svctl"), 2)
        assert "2" in s.say("!wc -l < v1")
        assert "SVCTL" in s.say("version | tr a-z A-Z | head -1")
        s.say("version | exit 7", 7)


def interrupts_line(world):
    with Shell(world) as s:
        s.t.type("instance list")
        s.t.wait(lambda: s.t.line().endswith("instance list"))
        s.t.type("\x03")
        s.ready(130)
        s.t.type("\x12xy")  # amid a search
        s.t.wait(lambda: "xy" in s.t.line())
        s.t.type("\x03")
        s.ready(130)
        assert "svctl 0." in s.say("version")


def interrupts_request(world):
    go = threading.Event()
    peer = Peer(lambda method, path: (go.wait(60) and None) if "slow" in path else page([]))
    with Shell(world, "--endpoint", peer.url, prompt=f"svctl:{peer.place}", STARVERSE_API_KEY="sv_x") as s:
        for _ in range(2):
            n = len(peer.requests)
            s.t.type("api GET /v1/slow\r")
            s.t.wait(lambda n=n: len(peer.requests) > n, "the request")
            s.t.type("\x03")
            s.ready(130)
        assert "NAME" in s.say("key list") or not s.t.raw.count("unreachable")
        same(s.leave(), 0)
    go.set()
    peer.close()


def interrupts_question(world):
    """What is typed after Ctrl-C is no answer any more."""
    with Shell(world) as s:
        s.say("disk create kept --size 1GiB -q -o name")
        s.t.type("disk delete kept\r")
        s.t.wait(r"Type kept to go on:")
        s.t.type("\x03")
        s.ready(130)
        s.t.type("kept\r")
        s.ready(2)
        assert "kept" in s.say("disk list -o name"), "it was deleted"


def lives_on(world):
    """The platform dies and comes back, a request is given up: all in one session, and one reconnects once."""
    sock = world.run("svctl local status --get socket").stdout.decode().strip()
    with Shell(world, "--socket", sock, prompt=f"svctl:{sock}") as s:
        s.say("key list")
        world.run("svctl local stop -q")
        s.say("key list", 9, " (disconnected)")
        s.say("version", more=" (disconnected)")
        world.run("svctl local start -q --engine none --clock stepped")
        s.say("key list")
    with Shell(world) as s:
        s.say("key list -o name")
        pid = int(world.run("svctl local status --get pid").stdout)
        os.kill(pid, signal.SIGKILL)
        s.say("key list -o name")
        assert int(world.run("svctl local status --get pid").stdout) != pid


def history(world):
    file = pathlib.Path(world.home, "state/starverse/history")
    with Shell(world) as s:
        s.say("version -o json")
        s.say("api GET /v1/x?api_key=sv_1", 5)
        s.say("version --quiet")
        s.say(" version -q")
        s.say("!echo sv_0123456789abcdef0123456789")
        s.t.type("\x1b[A\x1b[A")
        s.t.wait(lambda: s.t.line().endswith("> version -o json"))
    same(stat.S_IMODE(file.stat().st_mode), 0o600)
    text = file.read_text(encoding="utf-8")
    assert "version --quiet\n" in text and "sv_" not in text and "\n version" not in text, text
    with Shell(world) as s:
        s.t.type("\x1b[A")
        s.t.wait(lambda: s.t.line().endswith("> version --quiet"), "the last line of the session before")


def history_at_once(world):
    """Several shells append, and one shortens: no line is lost or cut."""
    file = pathlib.Path(world.home, "state/starverse/history")
    file.write_text("".join(f"old {i}\n" for i in range(4100)), encoding="utf-8")
    shells = [Shell(world) for _ in range(4)]
    for i in range(10):
        for k, s in enumerate(shells):
            s.t.type(f"version --filter=s{k}n{i}\r")
    for k, s in enumerate(shells):
        s.t.wait(lambda k=k, s=s: s.t.raw.count(f"=s{k}n9") > 0 and s.t.line().endswith("> "), "the last")
        s.leave()
        s.t.close()
    lines = file.read_text(encoding="utf-8").splitlines()
    assert len(lines) < 2100, len(lines)
    for k in range(4):
        same([x for x in lines if f"=s{k}n" in x], [f"version --filter=s{k}n{i}" for i in range(10)])


def background(world):
    """A job that ends while a line is typed is told of above it, and the line stands as it was."""
    fifo = os.path.join(world.home, "fifo")
    os.mkfifo(fifo)
    with Shell(world) as s:
        s.t.type("version | cat - fifo &\r")
        s.t.wait(r"^\[1\] \d+$")
        s.ready()
        assert "cat - fifo" in s.say("jobs")
        s.t.type("instance list --col\x1b[D\x1b[D\x1b[D")
        s.t.wait(lambda: s.t.line().endswith("instance list --"))
        with open(fifo, "w", encoding="utf-8") as f:
            f.write("through\n")
        s.t.wait(r"^\[1\] done: version \| cat - fifo\nsvctl 0.*\nthrough\nsvctl:local> instance list --col$", "the news above")
        s.t.wait(lambda: s.t.line().endswith("> instance list --"), "the cursor where it was")
        s.t.type("\x05X")
        s.t.wait(lambda: s.t.line().endswith("> instance list --colX"))
        s.t.type("\x03")
        s.ready(130)
        s.t.type("nosuch &\r")
        s.t.wait(r"^\[1\] exit 2: nosuch$")


def jobs_and_leaving(world):
    fifo = os.path.join(world.home, "fifo2")
    os.mkfifo(fifo)
    with Shell(world) as s:
        s.t.type("version | cat - fifo2 &\r")
        s.t.wait(r"^\[1\] \d+$")
        s.ready()
        s.t.type("wait\r")
        s.t.wait(r"> wait$")

        typed = [0.0]

        def interrupted():  # one that comes before the waiting has begun ends nothing; a prompt answers each later one
            there = s.t.line() == "svctl:local [130]> "
            if not there and time.monotonic() - typed[0] > 0.5:
                typed[0] = time.monotonic()
                s.t.type("\x03")
            return there
        s.t.wait(interrupted, "the prompt again")
        s.t.type("\x04")
        s.t.wait(r"1 still under way")
        s.t.type("\x04")
        same(s.t.end(), 130)
    with open(fifo, "w", encoding="utf-8") as f:
        f.write("x")


def watches(world):
    count = pathlib.Path(world.home, "count")
    with Shell(world) as s:
        s.t.type("watch 0.1 version\r")
        s.t.wait(lambda: s.t.raw.count("\x1b[H\x1b[2J") >= 3, "three screens")
        assert "watch 0.1 version" in s.t.screen.text() and "svctl 0." in s.t.screen.text()
        s.t.type("\x03")
        s.ready()
        s.say("watch 0.1 nosuch", 2)
        s.say("watch 0.2 version >> count &")
        s.t.wait(lambda: count.exists() and count.read_text(encoding="utf-8").count("svctl") > 2, "it goes on")
        pid = int(re.search(r"^\[1\] (\d+)$", s.say("jobs").replace(" watch", "\n watch"), re.M).group(1))
        os.kill(pid, signal.SIGTERM)
        s.t.type("\r")
        s.t.wait(r"^\[1\] exit 143: watch")


def resizes(world):
    with Shell(world, columns=100) as s:
        line = "instance list --columns " + ",".join(f"field{i}" for i in range(12))
        s.t.type(line)
        s.t.wait(lambda: s.t.screen.text().replace("\n", "").endswith(line[-30:]))
        s.t.resize(50, 24)
        s.t.type("\x0c")
        want = "svctl:local> " + line
        s.t.wait(lambda: s.t.screen.text() == "\n".join(want[i:i + 50] for i in range(0, len(want), 50)), "laid out anew")
        s.t.type("\x03")
        s.ready(130)
        s.say("gpu list")
        wide = max(len(x) for x in s.t.screen.text().splitlines())
        assert wide <= 50, wide
        s.t.resize(100, 24)
        s.say("gpu list")
        assert 50 < max(len(x) for x in s.t.screen.text().splitlines()) <= 100


def stops_and_goes_on(world):
    t = Terminal(["bash", "--norc", "--noprofile", "-i"], world.env | {"TERM": "xterm", "PS1": "sh> ", "HISTFILE": "/dev/null"},
                 cwd=world.home)
    t.wait(r"^sh>$")
    t.type("stty -a > before; svctl shell\r")
    t.wait(r"^svctl:local>$")
    t.type("half a li")
    t.wait(r"half a li$")
    t.type("\x1a")
    t.wait(r"Stopped")
    t.wait(r"^sh>$")
    t.type("stty -a > after; cmp before after && fg\r")
    t.wait(lambda: t.screen.text().count("> half a li") == 2 and t.line().endswith("> half a li"), "the line again")
    t.type("\x03")
    t.wait(r"^svctl:local \[130\]>$")
    t.type("version\r")
    t.wait(r"^svctl 0\.")
    t.wait(lambda: t.line() == "svctl:local> ", "the prompt: an end of file before it is lost")
    t.type("\x04")
    t.wait(lambda: t.line() == "sh> ")
    t.close()


def ends_by_signal(world):
    for number in (signal.SIGTERM, signal.SIGHUP):
        with Shell(world) as s:
            s.t.type("half")
            s.t.wait(r"half$")
            s.t.signal(number)
            same(s.t.end(), -number)
    go = threading.Event()
    peer = Peer(lambda method, path: go.wait(60) and None)
    with Shell(world, "--endpoint", peer.url, prompt=f"svctl:{peer.place}", STARVERSE_API_KEY="sv_x") as s:
        s.t.type("api GET /v1/slow\r")
        s.t.wait(lambda: peer.requests, "the request")
        s.t.signal(signal.SIGTERM)
        same(s.t.end(), 143)
    go.set()
    peer.close()


def harmless(world):
    """What a service says never reaches the terminal as it is: not in a list, not by TAB, not in the prompt."""
    item = {"id": "key_1", "name": EVIL, "public_key": EVIL, "fingerprint": "SHA256:x", "version": 1}
    peer = Peer(lambda method, path: page([item]))
    with Shell(world, "--endpoint", peer.url, prompt=f"svctl:{peer.place}", STARVERSE_API_KEY="sv_x") as s:
        s.say("key list")
        s.t.type("key get \t")
        s.t.wait(r"> key get key_1 ?$")
        s.t.type("\x03")
        s.ready(130)
        assert "pwn" not in "".join(s.t.screen.titles) and "\x9b" not in s.t.raw and "\x1b[2J" not in s.t.raw, s.t.raw
    peer.close()


TESTS = [("runs, shows failures, leaves", runs), ("svctl alone on a terminal is the shell", alone_is_shell),
         ("TAB", completes), ("?", question), ("quotes, and lines that go on", quotes), ("files and pipes", redirects),
         ("Ctrl-C ends the line", interrupts_line), ("Ctrl-C ends the request", interrupts_request), ("Ctrl-C at a question", interrupts_question),
         ("the platform dies and returns", lives_on), ("history without secrets", history),
         ("history of several at once", history_at_once), ("a job is told of above the line", background),
         ("leaving with jobs under way", jobs_and_leaving), ("watch", watches), ("resize", resizes),
         ("Ctrl-Z and fg", stops_and_goes_on), ("SIGTERM and SIGHUP", ends_by_signal), ("names with controls", harmless)]


def main():
    tap, world = Tap(), transcripts.World()
    only = sys.argv[1:]
    try:
        for command in ("svctl local start -q --engine none --clock stepped",
                        "svctl account register --email me@example.org -q && svctl account top-up --amount 1000 -q",
                        *(f"svctl instance create --name=\"{n}\" --gpu rtx-4090:1 --image pytorch-2.2 -y -q"
                          for n in ("my name", "it's", "训练"))):
            p = world.run(command)
            assert not p.returncode, p.stderr
        pathlib.Path(world.home, "something").write_text("", encoding="utf-8")
        for name, fn in TESTS:
            if not only or fn.__name__ in only:
                tap.check(name, lambda f=fn: f(world))
    finally:
        world.close()
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
