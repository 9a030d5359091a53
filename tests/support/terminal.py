# SPDX-License-Identifier: MIT
"""A terminal of one's own: a program on a pty, and the screen that it makes of it. Everything waits for what is to be
seen, nothing for time to pass."""
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
import unicodedata

CEILING = 60  # seconds that anything may take on a machine with other things to do
ESCAPE = re.compile(r"\x1b(?:\[([?>=]?)([0-9;]*)([ -/]*)([@-~])|\]([^\x07\x1b]*)(?:\x07|\x1b\\)|([()][0-9A-Za-z])|([=>78cDEHM]))")


def width(c):
    if unicodedata.combining(c) or c in "\u200d\ufe0f":
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


class Screen:
    """As much of a VT100 as line editors use."""

    def __init__(self, columns, rows):
        self.columns, self.rows, self.x, self.y, self.rest, self.titles = columns, rows, 0, 0, "", []
        self.cells = [[" "] * columns for _ in range(rows)]

    def resize(self, columns, rows):
        old, self.columns, self.rows = self.cells, columns, rows
        self.cells = [(row + [" "] * columns)[:columns] for row in old[-rows:]]
        self.cells += [[" "] * columns for _ in range(rows - len(self.cells))]
        self.x, self.y = min(self.x, columns - 1), min(self.y, rows - 1)

    def down(self):
        if self.y + 1 < self.rows:
            self.y += 1
        else:
            self.cells = self.cells[1:] + [[" "] * self.columns]

    def put(self, c):
        w = width(c)
        if not w:
            return
        if self.x + w > self.columns:
            self.x = 0
            self.down()
        self.cells[self.y][self.x] = c
        if w == 2:
            self.cells[self.y][self.x + 1] = ""
        self.x += w

    def control(self, c):
        if c == "\r":
            self.x = 0
        elif c == "\n":
            self.down()
        elif c == "\b":
            self.x = max(0, min(self.x, self.columns - 1) - 1)
        elif c == "\t":
            self.x = min(self.columns - 1, (self.x // 8 + 1) * 8)

    def csi(self, mark, numbers, final):
        n = [int(x) if x else 0 for x in numbers.split(";")] if numbers else []
        one = max(1, n[0]) if n else 1
        row = self.cells[self.y]
        if mark:
            return
        if final in "ABCD":
            x, y = {"A": (0, -one), "B": (0, one), "C": (one, 0), "D": (-one, 0)}[final]
            self.x, self.y = min(max(self.x + x, 0), self.columns - 1), min(max(self.y + y, 0), self.rows - 1)
        elif final == "G":
            self.x = min(one, self.columns) - 1
        elif final in "Hf":
            self.y, self.x = min(one, self.rows) - 1, min(max(1, n[1] if len(n) > 1 else 1), self.columns) - 1
        elif final == "K":
            a, b = {0: (self.x, self.columns), 1: (0, self.x + 1), 2: (0, self.columns)}[n[0] if n else 0]
            row[a:b] = [" "] * (b - a)
        elif final == "J":
            first = self.y + 1 if not n or not n[0] else 0
            if first:
                row[self.x:] = [" "] * (self.columns - self.x)
            for i in range(first, self.rows):
                self.cells[i] = [" "] * self.columns
        elif final == "P":
            self.cells[self.y] = (row[:self.x] + row[self.x + one:] + [" "] * one)[:self.columns]
        elif final == "@":
            self.cells[self.y] = (row[:self.x] + [" "] * one + row[self.x:])[:self.columns]

    def feed(self, text):
        text, self.rest, i = self.rest + text, "", 0
        while i < len(text):
            if text[i] != "\x1b":
                (self.put if text[i] >= " " and text[i] != "\x7f" else self.control)(text[i])
                i += 1
                continue
            m = ESCAPE.match(text, i)
            if not m:
                self.rest = text[i:]
                return
            if m.group(4):
                self.csi(m.group(1), m.group(2), m.group(4))
            elif m.group(5) is not None:
                self.titles.append(m.group(5))
            i = m.end()

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]

    def text(self):
        return "\n".join(self.lines()).rstrip()


class Terminal:
    def __init__(self, argv, env, cwd=None, columns=80, rows=24):
        self.screen, self.raw, self.status = Screen(columns, rows), "", None
        self.pid, self.fd = pty.fork()
        if not self.pid:
            try:
                self.size(0, columns, rows)
                if cwd:
                    os.chdir(cwd)
                os.execvpe(argv[0], argv, env)
            finally:
                os._exit(99)
        self.size(self.fd, columns, rows)
        self.pending = b""

    @staticmethod
    def size(fd, columns, rows):
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(columns, rows)
        self.size(self.fd, columns, rows)

    def pump(self, seconds):
        """Takes what is there; False at the end."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        if not data:
            return False
        data = self.pending + data
        text = data.decode("utf-8", "ignore") if self.whole(data) else data[:self.cut(data)].decode("utf-8", "ignore")
        self.pending = b"" if self.whole(data) else data[self.cut(data):]
        self.raw += text
        self.screen.feed(text)
        return True

    @staticmethod
    def cut(data):
        """Where a character begins that is not all there."""
        for back in range(1, min(4, len(data)) + 1):
            b = data[-back]
            if b >= 0xc0:
                need = 2 if b < 0xe0 else 3 if b < 0xf0 else 4
                return len(data) - back if need > back else len(data)
            if b < 0x80:
                break
        return len(data)

    def whole(self, data):
        return self.cut(data) == len(data)

    def wait(self, what, why=""):
        """Until the screen's text has it (a pattern), or it holds (a function)."""
        holds = what if callable(what) else lambda: re.search(what, self.screen.text(), re.M)
        until = time.monotonic() + CEILING
        while not holds():
            if not self.pump(0.2) and not holds():
                raise AssertionError(f"ended before {why or what!r} was seen:\n{self.screen.text()}")
            if time.monotonic() > until:
                raise AssertionError(f"not seen: {why or what!r}; seen:\n{self.screen.text()}\nraw: {self.raw[-500:]!r}")
        return True

    def type(self, text):
        os.write(self.fd, text.encode())

    def line(self):
        """The cursor's line up to the cursor."""
        return "".join(self.screen.cells[self.screen.y][:self.screen.x])

    def modes(self):
        return termios.tcgetattr(self.fd)

    def signal(self, number):
        os.kill(self.pid, number)

    def end(self):
        """Waits for the program's own end; its exit status as a shell has it."""
        until = time.monotonic() + CEILING
        while self.status is None and time.monotonic() < until:
            self.pump(0.1)
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = -signal.SIGKILL
        os.close(self.fd)


class Tap:
    """Runs functions as tests."""

    def __init__(self):
        self.n, self.failed = 0, 0

    def check(self, name, fn):
        self.n += 1
        try:
            fn()
            print(f"ok {self.n} - {name}", flush=True)
        except Exception as e:  # a test may fail in any way
            self.failed += 1
            print(f"not ok {self.n} - {name}", flush=True)
            print("\n".join("# " + s for s in f"{type(e).__name__}: {e}".splitlines()), flush=True)

    def finish(self):
        print(f"1..{self.n}")
        return int(bool(self.failed))
