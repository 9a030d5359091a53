#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Faults that other command lines had on a terminal: secret prompts, coloured prompts, prompts that name the wrong
place, pagers that leave the terminal broken. Prints TAP."""
import contextlib
import os
import pathlib
import re
import signal
import socket
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from shell import Shell, same, transcripts  # noqa: E402
from peer import Peer, page  # noqa: E402
from terminal import Tap, Terminal, width  # noqa: E402

ROWS = 5000


def bash(world, **env):
    t = Terminal(["bash", "--norc", "--noprofile", "-i"],
                 world.env | {"TERM": "xterm", "PS1": "sh> ", "HISTFILE": "/dev/null"} | env, cwd=world.home)
    t.wait(r"^sh>$")
    return t


def fresh(t):
    t.screen.feed("\x1b[2J\x1b[H")
    t.raw = ""


def does(t, command, want=None):
    """One line of bash; its output, when the prompt is there again."""
    fresh(t)
    t.type(command + "\r")
    t.wait(lambda: "\n" in t.raw and t.line() == "sh> ", "the prompt again")
    if want:
        assert re.search(want, t.screen.text(), re.M), t.screen.text()
    return t.screen.text()


def modes(t):
    """As stty says, of a terminal that a shell waits at: told by stty itself."""
    return "\n".join(does(t, "stty -a; stty -g").splitlines()[1:-1])


def asks(t, command):
    fresh(t)
    t.type(command + "\r")
    t.wait(r"API key: *$")
    t.type("abc")


def secret_prompt(world, key, status):
    """Typed letters, then a key: the terminal is as it was."""
    t = bash(world)
    before = modes(t)
    asks(t, "svctl login")
    t.type(key)
    t.wait(lambda: t.line() == "sh> ", "the prompt again")
    assert "abc" not in t.raw.replace("svctl login", ""), t.raw
    does(t, "echo status $?", f"^status {status}$")
    same(modes(t), before)
    t.close()


def secret_captured(world):
    """x=$(svctl login): the prompt is no part of the answer."""
    t = bash(world)
    before = modes(t)
    asks(t, "x=$(svctl login)")
    t.type("\x03")
    t.wait(lambda: t.line() == "sh> ", "the prompt again")
    does(t, 'echo "<$x>"', "^<>$")
    same(modes(t), before)
    t.close()


def secret_stopped(world):
    t = bash(world)
    before = modes(t)
    asks(t, "svctl login")
    t.type("\x1a")
    t.wait(r"Stopped")
    t.wait(lambda: t.line() == "sh> ", "the prompt again")
    same(modes(t), before)
    fresh(t)
    t.type("fg\r")
    t.wait(lambda: "svctl login" in t.screen.text())
    child = int(pathlib.Path(f"/proc/{t.pid}/task/{t.pid}/children").read_text(encoding="utf-8").split()[0])
    echo = lambda: t.modes()[3] & 0o10  # noqa: E731
    t.wait(lambda: not echo(), "echo goes off again")
    os.kill(child, signal.SIGTERM)
    t.wait(lambda: t.line() == "sh> ", "the prompt again")
    same(modes(t), before)
    t.close()


def secret_killed(world):
    for number in (signal.SIGTERM, signal.SIGHUP):
        t = bash(world)
        before = modes(t)
        asks(t, "svctl login")
        child = int(pathlib.Path(f"/proc/{t.pid}/task/{t.pid}/children").read_text(encoding="utf-8").split()[0])
        os.kill(child, number)
        t.wait(lambda t=t: t.line() == "sh> ", "the prompt again")
        same(modes(t), before)
        t.close()


def secret_in_shell(world):
    with Shell(world) as s:
        s.t.type("login\r")
        s.t.wait(r"API key: *$")
        s.t.type("abc\x03")
        s.ready(130)
        assert "svctl 0." in s.say("version")


def laid_out(text, columns):
    """How a line stands on a terminal so wide: its rows, and the cursor behind it."""
    rows, x = [""], 0
    for c in text:
        if x + width(c) > columns:
            rows, x = rows + [""], 0
        rows[-1] += c
        x += width(c)
    return rows


def coloured_prompt(world):
    """120 letters on 40 columns behind a coloured prompt with wide letters: the cursor is where readline thinks."""
    world.run("svctl config set profiles.训练项目.endpoint local:")
    prompt = "svctl:训练项目> "
    with Shell(world, "--profile", "训练项目", columns=40, rows=20, prompt=prompt[:-2]) as s:
        assert "\x1b[32m训练项目\x1b[0m" in s.t.raw, s.t.raw
        line = "".join(chr(97 + i % 26) for i in range(120))
        fresh(s.t)
        s.t.type("\x0c" + line)
        s.t.wait(lambda: s.t.screen.text().split("\n") == laid_out(prompt + line, 40), "the line on four rows")
        s.t.type("\x01X")
        s.t.wait(lambda: s.t.screen.text().split("\n") == laid_out(prompt + "X" + line, 40), "a letter at its beginning")
        s.t.wait(lambda: (s.t.screen.y, s.t.screen.x) == (0, sum(map(width, prompt)) + 1), "the cursor behind it")
        s.t.type("\x05Y")
        s.t.wait(lambda: s.t.screen.text().split("\n") == laid_out(prompt + "X" + line + "Y", 40), "and at its end")
        s.t.type("\x15")
        s.t.wait(lambda: s.t.screen.text() == prompt.rstrip(), "nothing left of it")
        s.t.type("version # " + "long " * 20 + "1\r")
        s.ready()
        s.t.type("version # short\r")
        s.ready()
        fresh(s.t)
        s.t.type("\x0c\x1b[A\x1b[A\x1b[B")
        s.t.wait(lambda: s.t.screen.text() == prompt + "version # short", "the short line alone")


def plain_prompt(world):
    for env in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        with Shell(world, **env) as s:
            s.say("nosuch", 2)
            assert "\x1b[3" not in s.t.raw, s.t.raw


def prompt_of_place(world):
    """Socket, profile, host: what is in use, whatever was before."""
    world.run("svctl config set profiles.b.endpoint local:; ln -s \"$(svctl local status --get socket)\" s.sock")
    with Shell(world, "--socket", "./s.sock", prompt="svctl:./s.sock") as s:
        s.say("key list")
        s.prompt = "svctl:b"
        s.say("use b")
        s.say("use nosuch", 3)
        s.say("version")
    if not socket.has_ipv6:
        return
    peer = Peer(lambda method, path: page([]), socket.AF_INET6)
    with Shell(world, "--endpoint", peer.url, prompt=f"svctl:[::1]:{peer.port}", STARVERSE_API_KEY="sv_x") as s:
        s.say("key list")
        peer.close()
    with Shell(world, prompt="svctl:?", STARVERSE_PROFILE="\x1b[2Jx") as s:
        assert "\x1b[2J" not in s.t.raw


def keys(method, path):
    n = int(re.search(r"cursor=(\d+)", path).group(1)) if "cursor=" in path else 0
    if "/keys" not in path:
        return 404, {"code": "not_found", "detail": "no"}
    items = [{"id": f"key_{i}", "name": f"name{i}", "public_key": "ssh-ed25519 A", "fingerprint": "SHA256:x", "version": 1}
             for i in range(n, min(n + 500, ROWS))]
    return 200, {"items": items, "next_cursor": str(n + 500) if n + 500 < ROWS else None}


def paged(world, pager, during, want=r"^status (0|141)$", options=""):
    """A long list through a pager that something happens to: the prompt and the modes are there again."""
    peer = Peer(keys)
    env = {"STARVERSE_API_KEY": "sv_x", "STARVERSE_ENDPOINT": peer.url} | ({"PAGER": pager} if pager is not None else {})
    t = bash(world, LESS="", **env)
    before = modes(t)
    fresh(t)
    t.type(f"svctl key list {options}\r")
    during(t)
    t.wait(lambda: t.line().endswith("sh> "), "the prompt again")
    does(t, "echo status $?", want)
    same(modes(t), before)
    t.close()
    peer.close()


def pager_left(world):
    def during(t):
        t.wait(lambda: t.line() == ":", "the pager's prompt")
        t.type("q")
    paged(world, "less", during)


def pager_interrupted(world):
    def during(t):
        t.wait(lambda: t.line() == ":", "the pager's prompt")
        fresh(t)
        t.type("\x03")
        t.wait(lambda: t.raw, "the pager's answer")

        def redrawn():  # it may answer with the bell alone
            t.type("r")
            return t.line() == ":"
        t.wait(redrawn, "the pager is still there")
        t.type("q")
    paged(world, "less -R", during)


def pager_killed(world):
    def during(t):
        t.wait(lambda: t.line() == ":", "the pager's prompt")
        svctl = int(pathlib.Path(f"/proc/{t.pid}/task/{t.pid}/children").read_text(encoding="utf-8").split()[0])
        pid = int(pathlib.Path(f"/proc/{svctl}/task/{svctl}/children").read_text(encoding="utf-8").split()[0])
        for child in [*pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split(), pid]:
            with contextlib.suppress(ProcessLookupError):  # sh ends with what it runs
                os.kill(int(child), signal.SIGKILL)
    paged(world, "less", during)


def pager_plain(world):
    """Missing, empty, a command with arguments; and no pager for a program's format."""
    ends = lambda t: t.wait(lambda: f"name{ROWS - 1}" in t.raw, "the last row")  # noqa: E731
    for pager, options in (("/nosuch/pager", ""), ("", ""), ("sh -c 'sed s/name/NAME/'", ""), ("less", "-o json")):
        if "sed" in pager:
            paged(world, pager, lambda t: t.wait(lambda: f"NAME{ROWS - 1}" in t.raw, "the last row"), "^status 0$")
        else:
            paged(world, pager, ends, "^status 0$", options)


TESTS = [("SHL-01 Ctrl-C at a secret prompt", lambda w: secret_prompt(w, "\x03", 130)),
         ("SHL-01 Ctrl-\\ at a secret prompt", lambda w: secret_prompt(w, "\x1c", 131)),
         ("SHL-01 a captured answer", secret_captured), ("SHL-01 Ctrl-Z and fg", secret_stopped),
         ("SHL-01 SIGTERM and SIGHUP", secret_killed), ("SHL-01 in the shell", secret_in_shell),
         ("SHL-03 a coloured prompt", coloured_prompt), ("SHL-03 no colour", plain_prompt),
         ("SHL-06 the prompt says where", prompt_of_place), ("SHL-09 the pager is left early", pager_left),
         ("SHL-09 Ctrl-C in the pager", pager_interrupted), ("SHL-09 the pager is killed", pager_killed),
         ("SHL-09 no pager", pager_plain)]


def main():
    tap, world = Tap(), transcripts.World()
    only = sys.argv[1:]
    try:
        p = world.run("svctl local start -q --engine none --clock stepped && svctl account register --email me@example.org -q")
        assert not p.returncode, p.stderr
        for name, fn in TESTS:
            if not only or any(o in name for o in only):
                tap.check(name, lambda f=fn: f(world))
    finally:
        world.close()
    return tap.finish()


if __name__ == "__main__":
    sys.exit(main())
