#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""TAB in the real shells: bash, zsh and fish on a pty, with names that need quotes. Prints TAP."""
import importlib.machinery
import importlib.util
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "support"))
from peer import Peer  # noqa: E402
from terminal import Tap, Terminal  # noqa: E402

loader = importlib.machinery.SourceFileLoader("transcripts", str(HERE / "run"))
transcripts = importlib.util.module_from_spec(importlib.util.spec_from_loader("transcripts", loader))
loader.exec_module(transcripts)

NAMES = ["my name", "a:b", "it's", 'q"uote', "x$y", "训练", "🚀 go", "-dash"]
# What is typed, and what the line is after TAB.
CASES = [
    ("a noun", "svctl inst", "svctl instance "),
    ("a verb", "svctl instance save", "svctl instance save-image "),
    ("a name with a blank", "svctl instance stop my", "svctl instance stop my\\ name "),
    ("a name in single quotes", "svctl instance stop 'my", "svctl instance stop 'my name' "),
    ("a name in double quotes", 'svctl instance stop "my', 'svctl instance stop "my name" '),
    ("a name with a colon", "svctl instance stop a", "svctl instance stop a:b "),
    ("a name with a colon, from there", "svctl instance stop a:", "svctl instance stop a:b "),
    ("a name with an apostrophe", "svctl instance stop it", "svctl instance stop it\\'s "),
    ("a name with a quote", "svctl instance stop q", 'svctl instance stop q\\"uote '),
    ("a name with a dollar", "svctl instance stop x", "svctl instance stop x\\$y "),
    ("a name in Chinese", "svctl instance stop 训", "svctl instance stop 训练 "),
    ("a name with an emoji", "svctl instance stop 🚀", "svctl instance stop 🚀\\ go "),
    ("only what is stopped can start", "svctl instance start ", "svctl instance start halted "),
    ("a value behind =", "svctl instance create --gpu=a1", "svctl instance create --gpu=a100-80g "),
    ("a pair, no blank behind its colon", "svctl disk attach x my", "svctl disk attach x my\\ name:"),
    ("a filter", "svctl instance list --filter status=ru", "svctl instance list --filter status=running "),
    ("a list", "svctl instance list --columns name,stopped", "svctl instance list --columns name,stopped_by "),
    ("an object's fields, no blank behind the dot", "svctl instance create --auto", "svctl instance create --auto-stop."),
    ("a file", "svctl instance create -f bod", "svctl instance create -f body.yaml "),
    ("behind another command", "true; svctl inst", "true; svctl instance "),
]


class Shell:
    def __init__(self, world, name):
        env = world.env | {"TERM": "xterm", "PS1": "> ", "HISTFILE": "/dev/null", "ZDOTDIR": world.home}
        home = pathlib.Path(world.home)
        if name == "bash":
            (home / "rc").write_text("PS1='> '\nsource <(svctl completion bash)\n", encoding="utf-8")
            argv = ["bash", "--noprofile", "--rcfile", str(home / "rc"), "-i"]
        elif name == "zsh":
            (home / ".zshrc").write_text("PS1='> '\nunsetopt beep promptsp\nautoload -Uz compinit\ncompinit -u -D\n"
                                         "source <(svctl completion zsh)\n", encoding="utf-8")
            argv = ["zsh", "-d", "-i"]
        else:
            (home / "config" / "fish").mkdir(parents=True, exist_ok=True)
            (home / "config" / "fish" / "config.fish").write_text(
                "function fish_prompt; echo '> '; end\nfunction fish_greeting; end\nset -g fish_autosuggestion_enabled 0\n"
                "svctl completion fish | source\n", encoding="utf-8")
            argv = ["fish", "-i"]
        self.name, self.t = name, Terminal(argv, env, cwd=world.home, columns=110, rows=30)
        self.t.wait(lambda: self.t.line() == "> ", "the prompt")

    def clear(self):
        """To the end, the line away, the screen away."""
        self.t.type("\x05\x15\x0c")
        self.t.wait(lambda: self.t.line() == "> " and self.t.screen.text() == ">", "an empty screen")

    def completes(self, typed, want):
        self.t.type(typed + "\t")
        try:
            self.t.wait(lambda: self.t.line() == "> " + want, want)
        finally:
            self.clear()

    def lists(self):
        self.t.type("svctl instance s\t\t")
        self.t.wait(r"save-image.*make a private image", "a description")
        self.clear()


def silent(world):
    """The deadline holds as it is by default; that it is short is for the bench to say."""
    go = threading.Event()
    peer = Peer(lambda method, path: go.wait(60) and None)
    env = {k: v for k, v in world.env.items() if k != "SVCTL_COMPLETION_MS"} | {"STARVERSE_API_KEY": "sv_x"}
    for _ in range(2):
        p = subprocess.run(["svctl", "__complete", "--", "--endpoint", peer.url, "instance", "get", ""], env=env,
                           capture_output=True, timeout=30, check=False)
        assert (p.returncode, p.stdout, p.stderr) == (0, b"", b""), p
    assert len(peer.requests) == 2, "nothing is kept of what was not answered"
    go.set()
    peer.close()


def main():
    tap, world = Tap(), transcripts.World()
    try:
        def run(command):
            p = world.run(command)
            assert not p.returncode, p.stderr
        run("svctl account register --email me@example.org -q && svctl account top-up --amount 1000 -q")
        for n in [*NAMES, "halted"]:
            run(f"svctl instance create --name={shlex.quote(n)} --gpu rtx-4090:1 --image pytorch-2.2 -y -q")
        run("svctl instance stop halted -q")
        pathlib.Path(world.home, "body.yaml").write_text("", encoding="utf-8")
        tap.check("a platform that does not answer is not waited for", lambda: silent(world))
        for name in ("bash", "zsh", "fish"):
            if not shutil.which(name):
                tap.check(f"{name} # SKIP not installed", lambda: None)
                continue
            shell = Shell(world, name)
            for title, typed, want in CASES:
                tap.check(f"{name}: {title}", lambda t=typed, w=want: shell.completes(t, w))
            tap.check(f"{name}: descriptions", shell.lists)
            shell.t.close()
    finally:
        world.close()
    return tap.finish()


if __name__ == "__main__":
    os.environ.setdefault("LC_ALL", "C.UTF-8")
    sys.exit(main())
