#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Storage against a strict mock that breaks: svctl storage as a user has it. Prints TAP."""
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import s3mock  # noqa: E402  pylint: disable=wrong-import-position
from terminal import Terminal  # noqa: E402  pylint: disable=wrong-import-position

SVCTL = os.path.abspath(sys.argv[1])
EXAMPLE = os.path.abspath(sys.argv[1] + "/../../examples/example-storage")
MIB = 1 << 20
PART = 5 * MIB
LONG = bool(os.environ.get("SV_TEST_LONG"))


class World:
    """A home with one storage of its own, and a mock behind it."""

    def __init__(self, **how):
        self.home = tempfile.mkdtemp(prefix="sv-storage-")
        self.s3 = s3mock.S3(**how)
        os.makedirs(self.home + "/.config/starverse")
        self.configure()
        self.env = {k: v for k, v in os.environ.items() if not re.match(r"(?i)(starverse|svctl|xdg_|.*_proxy$)", k)}
        # LeakSanitizer of gcc 12 takes the size of a dlopened library's thread-local block from whatever lies before it.
        self.env.update(HOME=self.home, LC_ALL="C.UTF-8", TERM="dumb", LSAN_OPTIONS="use_tls=0:print_suppressions=0")

    def configure(self, secret=s3mock.SECRET, url=None, region=s3mock.REGION, access=s3mock.ACCESS):
        with open(self.home + "/.config/starverse/config.yaml", "w", encoding="utf-8") as f:
            f.write(f"storages:\n  team:\n    endpoint: {url or self.s3.url}\n    region: {region}\n"
                    f"    bucket: {s3mock.BUCKET}\n    access_key: {access}\n"
                    f"    secret_key_command: [printf, '%s', '{secret}']\n"
                    f"  other:\n    endpoint: {self.s3.url}/\n    region: {s3mock.REGION}\n"
                    f"    bucket: {s3mock.BUCKET}\n    access_key: {s3mock.ACCESS}\n"
                    f"    secret_key_command: [printf, '%s', '{secret}']\n")

    def start(self, *words, **more):
        return subprocess.Popen([SVCTL, "storage", *words], env=self.env, cwd=self.home, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, **more)

    def run(self, *words, code=0, data=None, env=None):
        p = subprocess.run([SVCTL, "storage", *words], env=self.env | (env or {}), cwd=self.home, input=data,
                           stdin=None if data is not None else subprocess.DEVNULL, capture_output=True, timeout=120,
                           check=False)
        self.out, self.err = p.stdout, p.stderr.decode()
        assert p.returncode == code, (p.returncode, self.out[-300:], self.err[-600:], self.s3.faults)
        assert s3mock.SECRET not in self.err and not self.s3.faults, (self.err, self.s3.faults)
        return self.out.decode("utf-8", "replace")

    def json(self, *words, **more):
        return json.loads(self.run(*words, "-o", "json", **more))

    def file(self, name, size, seed=1):
        path = pathlib.Path(self.home, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        r, h = random.Random(seed), hashlib.md5()
        with open(path, "wb") as f:
            for at in range(0, size, MIB):
                piece = r.randbytes(min(MIB, size - at))
                f.write(piece)
                h.update(piece)
        return h.hexdigest()

    def md5(self, name):
        h = hashlib.md5()
        with open(pathlib.Path(self.home, name), "rb") as f:
            while piece := f.read(MIB):
                h.update(piece)
        return h.hexdigest()

    def settled(self):
        """Bytes that came in, once the service is done with all requests."""
        while self.s3.at_once:
            time.sleep(0.01)
        return self.s3.received

    def records(self):
        return sorted(pathlib.Path(self.home).glob(".local/state/starverse/uploads/*"))

    def close(self):
        self.s3.close()
        shutil.rmtree(self.home, ignore_errors=True)
        shutil.rmtree(self.s3.dir, ignore_errors=True)


def small_file_there_and_back(w):
    digest = w.file("a.bin", 12345)
    row = w.json("cp", "a.bin", "team:/dir/a b+c&é.bin")[0]
    assert row["action"] == "upload" and row["size_bytes"] == 12345 and row["etag"] == digest, row
    assert w.s3.md5("dir/a b+c&é.bin") == digest
    w.run("cp", "team:/dir/a b+c&é.bin", "back.bin")
    assert w.md5("back.bin") == digest and not list(pathlib.Path(w.home).glob(".*.part"))
    assert not any(x.startswith("POST") for x in w.s3.log), w.s3.log


def empty_file(w):
    w.file("none", 0)
    w.run("cp", "none", "team:/none")
    w.run("cp", "team:/none", "none2")
    assert w.md5("none2") == hashlib.md5().hexdigest()


def a_mime_less_put_keeps_the_time(w):
    w.file("t", 10)
    os.utime(w.home + "/t", (1700000000, 1700000000))
    w.run("cp", "t", "team:/t")
    assert w.s3.objects["t"]["meta"] == {"x-amz-meta-mtime": "1700000000.000000000"}


def parts(w):
    digest = w.file("big", 3 * PART + 17)
    row = w.json("cp", "big", "team:/big", "--part-size", "5MiB")[0]
    assert row["etag"].endswith("-4") and w.s3.md5("big") == digest, row
    assert w.s3.received < 3 * PART + MIB and not w.records(), w.s3.received
    w.run("cp", "team:/big", "big2")
    assert w.md5("big2") == digest


def parallel_parts(w):
    digest = w.file("big", 8 * PART)
    for _ in range(4):
        w.s3.rule("PUT", "partNumber", "delay0.4")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", "--parallel", "4")
    assert w.s3.md5("big") == digest and 3 <= w.s3.most_at_once <= 4, w.s3.most_at_once


def answers_are_not_waited_for(w):
    """On one machine the bodies go one after the other, but not their answers."""
    digest = w.file("big", 6 * PART)
    w.s3.rule("PUT", "partNumber", "late1", times=6)
    w.run("cp", "big", "team:/big", "--part-size", "5MiB")
    assert w.s3.md5("big") == digest and w.s3.most_at_once >= 3, w.s3.most_at_once


def interrupted_ten_times(w):
    """kill -9 of the client ten times, once in each tenth: less than one part is sent again each time."""
    size = (1024 if LONG else 120) * MIB
    part = 16 * MIB if LONG else PART
    digest = w.file("big", size)
    words = ("cp", "big", "team:/big", "--part-size", f"{part // MIB}MiB")
    for i in range(10):
        before, want = w.settled(), size // 10
        # Slow enough to be met on the way, whatever the machine is doing.
        w.s3.rule("PUT", "partNumber", "delay0.05", times=10000)
        p = w.start(*words)
        while p.poll() is None and w.s3.received - before < want - part:
            time.sleep(0.005)
        assert p.poll() is None, (i, p.communicate())
        p.send_signal(signal.SIGKILL)
        p.wait()
        w.s3.rules.clear()
        p.stdout.close()
        p.stderr.close()
    row = w.json("cp", "big", "team:/big", "--part-size", f"{part // MIB}MiB")[0]
    assert w.s3.md5("big") == digest and row["resumed_bytes"] > 0, row
    assert w.s3.received - size < 10 * part, (w.s3.received - size, part)
    assert not w.records() and not w.s3.uploads
    assert os.path.getsize(w.home + "/big") == size


def connections_cut_ten_times(w):
    digest = w.file("big", 10 * PART)
    for i in range(1, 11):
        w.s3.rule("PUT", f"partNumber={i}&", f"cut{i * 400000}")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB")
    assert w.s3.md5("big") == digest and w.s3.received < 10 * PART + 10 * 11 * 400000 // 2 + 12 * MIB


def service_restarts(w):
    """What the service lost is sent again, what it has is not."""
    digest = w.file("big", 6 * PART)
    w.s3.rule("PUT", "partNumber=5", "refuse400,InvalidRequest")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", code=2)
    assert len(w.records()) == 1 and (w.records()[0].stat().st_mode & 0o777) == 0o600
    up = next(iter(w.s3.uploads.values()))
    assert {1, 2, 3} <= set(up["parts"]), up["parts"].keys()
    del up["parts"][2]
    before = w.settled()
    have = sum(p["size"] for p in up["parts"].values())
    row = w.json("cp", "big", "team:/big")[0]
    assert row["resumed_bytes"] == have and w.s3.received - before < 6 * PART - have + MIB, row
    assert w.s3.md5("big") == digest


def a_part_whose_answer_was_lost(w):
    digest = w.file("big", 4 * PART)
    w.s3.rule("PUT", "partNumber=3", "lost")
    w.s3.rule("PUT", "partNumber=3", "refuse400,InvalidRequest")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", code=2)
    before = w.settled()
    have = sum(p["size"] for p in next(iter(w.s3.uploads.values()))["parts"].values())
    assert w.json("cp", "big", "team:/big")[0]["resumed_bytes"] == have >= 3 * PART
    assert w.s3.received - before < 4 * PART - have + MIB and w.s3.md5("big") == digest


def a_part_that_is_anothers(w):
    """What stands there under a number, and is not what the file has there, does not count."""
    digest = w.file("big", 4 * PART)
    w.s3.rule("PUT", "partNumber=4", "refuse400,InvalidRequest")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", code=2)
    other = random.Random(77).randbytes(PART)
    pathlib.Path(w.home, "other").write_bytes(other)
    next(iter(w.s3.uploads.values()))["parts"][4] = {"path": w.home + "/other", "size": PART,
                                                     "etag": hashlib.md5(other).hexdigest()}
    w.run("cp", "big", "team:/big")
    assert w.s3.md5("big") == digest


def object_changed_in_the_middle(w):
    new = random.Random(6).randbytes(9 * MIB)
    w.s3.put("big", random.Random(5).randbytes(9 * MIB))
    w.s3.rule("GET", "big", f"short{3 * MIB}")
    w.s3.after_short = lambda: w.s3.put("big", new)
    w.run("cp", "team:/big", "big")
    assert w.md5("big") == hashlib.md5(new).hexdigest() and "starting over" in w.err, w.err
    w.s3.put("big", random.Random(5).randbytes(9 * MIB))
    w.s3.rule("GET", "big", f"short{3 * MIB}")
    w.run("cp", "team:/big", "-", code=6)
    assert "changed" in w.err, w.err


def no_list_of_parts(w):
    digest = w.file("big", 4 * PART)
    w.s3.rule("PUT", "partNumber=4", "refuse400,InvalidRequest")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", code=2)
    assert w.json("cp", "big", "team:/big")[0]["resumed_bytes"] == 3 * PART
    assert w.s3.md5("big") == digest


def file_changed_in_between(w):
    w.file("big", 4 * PART)
    w.s3.rule("PUT", "partNumber=3", "refuse400,InvalidRequest")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", code=2)
    digest = w.file("big", 4 * PART, seed=2)
    row = w.json("cp", "big", "team:/big", "--part-size", "5MiB")[0]
    assert row["resumed_bytes"] == 0 and w.s3.md5("big") == digest and not w.s3.uploads, row
    w.s3.rule("PUT", "partNumber=3", "refuse400,InvalidRequest")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", code=2)
    w.file("big", 4 * PART, seed=3)
    w.run("cp", "big", "team:/big", "--part-size", "5MiB")
    assert "starting over" in w.err, w.err


def no_resume(w):
    digest = w.file("big", 4 * PART)
    w.s3.rule("PUT", "partNumber=3", "refuse400,InvalidRequest")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", code=2)
    assert w.json("cp", "big", "team:/big", "--no-resume", "--part-size", "5MiB")[0]["resumed_bytes"] == 0
    assert w.s3.md5("big") == digest and not w.s3.uploads


def upload_that_is_forgotten(w):
    digest = w.file("big", 4 * PART)
    w.s3.rule("PUT", "partNumber=3", "refuse400,InvalidRequest")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", code=2)
    w.s3.uploads.clear()
    w.run("cp", "big", "team:/big", "--part-size", "5MiB")
    assert "starting over" in w.err and w.s3.md5("big") == digest, w.err


def completion_whose_answer_was_lost(w):
    digest = w.file("big", 3 * PART)
    w.s3.rule("POST", "uploadId", "lost")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB")
    assert w.s3.md5("big") == digest and not w.records()


def killed_while_it_was_completed(w):
    """The object was made, and nobody heard of it: nothing is sent again, and all of it counts as an earlier attempt's."""
    digest = w.file("big", 3 * PART)
    w.s3.rule("POST", "uploadId", "late60")
    p = w.start("cp", "big", "team:/big", "--part-size", "5MiB")
    while "big" not in w.s3.objects:
        assert p.poll() is None, p.communicate()
        time.sleep(0.01)
    p.send_signal(signal.SIGKILL)
    p.communicate()
    before = w.s3.received
    row = w.json("cp", "big", "team:/big", "--part-size", "5MiB")[0]
    assert row["resumed_bytes"] == 3 * PART and row["sent_bytes"] == 0, row
    assert w.s3.md5("big") == digest and w.s3.received == before and not w.records()


def an_error_behind_a_good_status(w):
    """Its code decides; the status is told as it came."""
    w.file("big", 3 * PART)
    w.s3.rule("POST", "uploadId", "refuse200,InvalidPart")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", "-o", "json", code=6)
    told = json.loads(w.err)["error"]
    assert told["code"] == "conflict" and told["http_status"] == 200, told


def damaged_on_the_way(w):
    digest = w.file("big", 3 * PART)
    w.s3.rule("PUT", "partNumber=2", "damage")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB")
    assert w.s3.md5("big") == digest and sum("partNumber=2" in x for x in w.s3.log) == 2


def a_service_that_lies(w):
    w.file("big", 3 * PART)
    w.s3.rule("PUT", "partNumber=2", "lie", times=99)
    w.run("cp", "big", "team:/big", "--part-size", "5MiB", code=9, env={"STARVERSE_RETRIES": "1"})
    assert "not what was sent" in w.err and "big" not in w.s3.objects, w.err
    w.file("small", 99)
    w.s3.rule("PUT", "small", "lie", times=99)
    w.run("cp", "small", "team:/small", code=9, env={"STARVERSE_RETRIES": "1"})
    assert "not what was sent" in w.err, w.err


def busy_service(w):
    digest = w.file("big", 3 * PART)
    w.s3.rule("*", "", "503", times=3)
    w.s3.rule("PUT", "partNumber=2", "503", times=2)
    w.run("cp", "big", "team:/big", "--part-size", "5MiB")
    assert w.s3.md5("big") == digest
    w.s3.rule("*", "", "503", times=99)
    w.run("ls", "team:/", code=9, env={"STARVERSE_RETRIES": "1"})
    assert "SlowDown" in w.err, w.err


def download_resumes(w):
    data = random.Random(5).randbytes(20 * MIB)
    w.s3.put("big", data)
    w.s3.rule("GET", "big", f"short{6 * MIB}")
    w.s3.rule("GET", "big", f"short{6 * MIB}", skip=1)
    w.run("cp", "team:/big", "big")
    assert w.md5("big") == hashlib.md5(data).hexdigest() and w.s3.sent < 21 * MIB, w.s3.sent
    # Killed in between: the temporary file is gone on with.
    w.s3.sent = 0
    w.s3.rule("GET", "big", f"short{7 * MIB}", times=99)
    w.run("cp", "team:/big", "again", code=9, env={"STARVERSE_RETRIES": "0"})
    assert not os.path.exists(w.home + "/again") and len(list(pathlib.Path(w.home).glob(".again.*.part"))) == 1
    w.s3.rules.clear()
    w.s3.sent = 0
    row = w.json("cp", "team:/big", "again")[0]
    assert row["resumed_bytes"] >= 6 * MIB and w.s3.sent <= 14 * MIB, (row, w.s3.sent)
    assert w.md5("again") == hashlib.md5(data).hexdigest() and not list(pathlib.Path(w.home).glob(".again*"))


def what_is_left_of_a_download_is_no_file(w):
    w.s3.put("d/big", random.Random(5).randbytes(9 * MIB))
    w.s3.put("d/small", b"x")
    w.s3.rule("GET", "big", f"short{3 * MIB}")
    w.run("cp", "-r", "team:/d", "d", code=9, env={"STARVERSE_RETRIES": "0"})
    assert "same command goes on" in w.err and len(os.listdir(w.home + "/d")) == 1, w.err
    assert w.json("cp", "d", "team:/again") == []


def targets_that_are_no_files(w):
    w.s3.put("x", b"new")
    w.run("cp", "team:/x", "/dev/null", code=2)
    assert not os.path.isfile("/dev/null")
    os.mkfifo(w.home + "/pipe")
    w.run("cp", "team:/x", "pipe", code=2)
    w.file("old", 5)
    os.symlink("old", w.home + "/link")
    w.run("cp", "team:/x", "link")
    assert os.path.islink(w.home + "/link") and pathlib.Path(w.home, "old").read_bytes() == b"new"


def object_changed_in_between(w):
    w.s3.put("big", random.Random(5).randbytes(9 * MIB))
    w.s3.rule("GET", "big", f"short{3 * MIB}")
    w.run("cp", "team:/big", "big", code=9, env={"STARVERSE_RETRIES": "0"})
    data = random.Random(6).randbytes(9 * MIB)
    w.s3.put("big", data)
    assert w.json("cp", "team:/big", "big")[0]["resumed_bytes"] == 0
    assert w.md5("big") == hashlib.md5(data).hexdigest()


def download_of_what_is_damaged(w):
    w.s3.put("x", b"what it is not", etag="0" * 32)
    w.run("cp", "team:/x", "x", code=9)
    assert "not what" in w.err and not os.path.exists(w.home + "/x") and not list(pathlib.Path(w.home).glob(".x*"))


def no_ranges(w):
    data = random.Random(7).randbytes(3 * MIB)
    w.s3.put("x", data)
    w.s3.rule("GET", "x", f"short{MIB}")
    w.run("cp", "team:/x", "x")
    assert w.md5("x") == hashlib.md5(data).hexdigest()


def streams(w):
    data = random.Random(8).randbytes(2 * PART + 99)
    w.run("cp", "-", "team:/s", "--part-size", "5MiB", data=data)
    assert w.s3.data("s") == data and not w.s3.uploads
    w.run("cp", "team:/s", "-")
    assert w.out == data
    w.run("cp", "-", "team:/empty", data=b"")
    assert w.s3.data("empty") == b""
    w.s3.rule("PUT", "partNumber=2", "refuse400,InvalidRequest")
    w.run("cp", "-", "team:/t", "--part-size", "5MiB", data=data, code=2)
    assert "t" not in w.s3.objects and not w.s3.uploads


def trees(w):
    for name in ("c/a.txt", "c/b/x", "c/b.txt", "c/z/ü"):
        w.file(name, 10)
    os.symlink("a.txt", w.home + "/c/link")
    os.symlink(".", w.home + "/c/loop")
    w.run("cp", "c", "team:/corpus")
    assert sorted(w.s3.objects) == ["corpus/a.txt", "corpus/b.txt", "corpus/b/x", "corpus/link", "corpus/z/ü"], w.s3.objects
    w.run("cp", "c", "team:/deep/")
    assert "deep/c/b/x" in w.s3.objects
    w.run("cp", "-r", "team:/corpus", "out")
    assert sorted(os.listdir(w.home + "/out")) == ["a.txt", "b", "b.txt", "link", "z"]
    w.run("cp", "c/a.txt", "c/b.txt", "team:/two/")
    assert {"two/a.txt", "two/b.txt"} <= set(w.s3.objects)
    w.run("cp", "c/a.txt", "c/b.txt", "team:/two", code=2)
    w.run("cp", "-r", "team:/corpus", "team:/copied")
    assert "copied/z/ü" in w.s3.objects
    w.run("cp", "team:/corpus/a.txt", "other:/through")
    assert w.s3.data("through") == w.s3.data("corpus/a.txt")
    w.run("cp", "-r", "c/a.txt", "team:/single")
    w.run("cp", "-r", "team:/single", "c/b.txt", "team:/into/")
    assert {"single", "into/single", "into/b.txt"} <= set(w.s3.objects), w.s3.objects
    w.run("cp", "-r", "team:/single", "single")
    assert w.md5("single") == w.md5("c/a.txt")
    w.run("cp", "team:/nosuch", "x", code=5)
    w.run("cp", "-r", "team:/nosuch", "x", code=5)
    w.run("cp", "team:/corpus/", "x", code=2)


def keys_that_are_no_paths(w):
    w.s3.put("t/../../evil", b"x")
    w.s3.put("t//abs", b"x")
    w.s3.put("t/good", b"x")
    w.run("cp", "-r", "team:/t", "down/here", code=11)
    assert os.listdir(w.home + "/down/here") == ["good"] and not os.path.exists(w.home + "/evil")


def lists(w):
    for i in range(25):
        w.s3.put(f"d/{i:02d}\x01%+ é", b"x" * i)
    w.s3.put("e", b"x")
    rows = w.json("ls", "team:/")
    assert [r["key"] for r in rows] == ["d/", "e"] and rows[0].get("size_bytes") is None, rows
    rows = w.json("ls", "team:/d")
    assert len(rows) == 25 and rows[3]["key"] == "d/03\x01%+ é" and rows[3]["size_bytes"] == 3, rows[3]
    assert len(w.json("ls", "-r", "team:/")) == 26
    assert w.json("ls", "team:/e")[0]["size_bytes"] == 1
    w.run("ls", "team:/nosuch", code=5)
    assert w.json("ls", "team:/nosuch/") == []
    assert "\x01" not in w.run("ls", "team:/d")


def removal(w):
    for i in range(2500):
        w.s3.put(f"d/{i}", b"")
    w.s3.put("d/x\x02", b"")
    w.s3.put("one", b"")
    w.run("rm", "team:/one")
    assert "one" not in w.s3.objects
    w.run("rm", "-r", "team:/d", code=2)
    assert "--yes" in w.err and len(w.s3.objects) == 2501
    assert len(w.json("rm", "-r", "team:/d", "--dry-run")) == 2501 and len(w.s3.objects) == 2501
    w.run("rm", "-r", "team:/d", "--yes", "-q")
    assert not w.s3.objects
    w.s3.put("k/locked", b"")
    w.s3.put("k/open", b"")
    w.run("rm", "-r", "team:/k", "--yes", code=11)
    assert list(w.s3.objects) == ["k/locked"] and "locked" in w.err, w.err
    w.run("rm", "team:/", code=2)


def removal_of_what_is_not_there(w):
    w.run("rm", "team:/nosuch", code=5)
    assert "no object is called nosuch" in w.err and not w.out, (w.err, w.out)
    w.run("rm", "team:/nosuch", "--dry-run", code=5)
    w.run("rm", "-r", "team:/nosuch", "--yes", code=5)
    w.run("rm", "-r", "team:/nosuch/", "--yes", code=5)
    assert "nothing lies below" in w.err and not any(x.startswith(("DELETE", "POST")) for x in w.s3.log), w.s3.log
    assert w.json("rm", "-r", "team:/", "--yes") == []
    w.s3.put("one", b"")
    w.s3.put("two", b"")
    rows = json.loads(w.run("rm", "team:/one", "team:/nosuch", "team:/two", "--yes", "-o", "json", code=11))
    assert [r["source"] for r in rows] == ["team:/one", "team:/two"] and not w.s3.objects, rows
    w.s3.put("single", b"")
    assert w.json("rm", "-r", "team:/single", "--yes")[0]["source"] == "team:/single" and not w.s3.objects
    # Who may delete need not be one who may look.
    w.s3.put("one", b"")
    w.s3.rule("HEAD", "one", "refuse403,AccessDenied")
    assert len(w.json("rm", "team:/one")) == 1 and not w.s3.objects


def only_what_was_deleted_is_told(w):
    os.mkdir(w.home + "/none")
    for i in range(2500):
        w.s3.put(f"d/{i}", b"")
    before = {f"team:/{k}" for k in w.s3.objects}
    w.s3.rule("POST", "delete", "refuse500,InternalError", skip=1)
    rows = json.loads(w.run("sync", "none", "team:/d", "--delete", "--yes", "-o", "json", code=11,
                            env={"STARVERSE_RETRIES": "0"}))
    told, left = {r["source"] for r in rows}, {f"team:/{k}" for k in w.s3.objects}
    assert told == before - left and len(left) == 1000, (len(told), len(left))


def no_batches(w):
    for i in range(5):
        w.s3.put(f"d/{i}", b"")
    w.run("rm", "-r", "team:/d", "--yes")
    assert not w.s3.objects and sum(x.startswith("DELETE") for x in w.s3.log) == 5


def no_sums(w):
    """Services that know no CRC-32C: MD5 is compared all the same."""
    digest = w.file("big", 3 * PART)
    w.s3.rule("PUT", "partNumber=2", "damage")
    w.run("cp", "big", "team:/big", "--part-size", "5MiB")
    assert w.s3.md5("big") == digest
    digest = w.file("small", 10)
    w.run("cp", "small", "team:/small")
    assert w.s3.md5("small") == digest
    # An upload that goes on finds out with its parts.
    w.s3.how["sums"] = True
    digest = w.file("more", 6 * PART)
    w.s3.rule("PUT", "partNumber=2", "refuse400,InvalidRequest")
    w.run("cp", "more", "team:/more", "--part-size", "5MiB", code=2)
    w.s3.how["sums"] = False
    assert w.json("cp", "more", "team:/more", "--parallel", "3")[0]["resumed_bytes"] > 0
    assert w.s3.md5("more") == digest


def old_lists(w):
    for i in range(25):
        w.s3.put(f"d/{i:02d}", b"")
    assert len(w.json("ls", "-r", "team:/")) == 25


def sync(w):
    for name in ("c/a", "c/b/x", "c/b.txt"):
        w.file(name, 100)
        os.utime(w.home + "/" + name, (1700000000, 1700000000))
    w.s3.put("p/old", b"x")
    plan = w.json("sync", "c", "team:/p", "--delete", "--dry-run")
    assert [(r["action"], r.get("target") or r["source"]) for r in plan] == \
        [("upload", "team:/p/a"), ("upload", "team:/p/b.txt"), ("upload", "team:/p/b/x"), ("delete", "team:/p/old")], plan
    assert len(w.s3.objects) == 1
    w.run("sync", "c", "team:/p")
    assert sorted(w.s3.objects) == ["p/a", "p/b.txt", "p/b/x", "p/old"]
    assert w.json("sync", "c", "team:/p") == []
    w.file("c/a", 100, seed=9)
    assert [r["source"] for r in w.json("sync", "c", "team:/p")] == ["c/a"]
    os.utime(w.home + "/c/a")
    assert w.json("sync", "c", "team:/p") == [], "only touched"
    w.file("c/b/x", 100, seed=9)
    os.utime(w.home + "/c/b/x", (1700000000, 1700000000))
    assert w.json("sync", "c", "team:/p") == []
    assert [r["source"] for r in w.json("sync", "c", "team:/p", "--checksum")] == ["c/b/x"]
    w.run("sync", "c", "team:/p", "--delete", code=2)
    w.run("sync", "c", "team:/p", "--delete", "--yes")
    assert sorted(w.s3.objects) == ["p/a", "p/b.txt", "p/b/x"]
    w.run("sync", "team:/p", "mirror")
    assert w.md5("mirror/b/x") == w.s3.md5("p/b/x")
    assert w.json("sync", "team:/p", "mirror") == []
    w.file("mirror/extra", 5)
    w.run("sync", "team:/p", "mirror", "--delete", "--yes")
    assert not os.path.exists(w.home + "/mirror/extra")


def wrong_secrets(w):
    w.configure(secret="wrong")
    w.run("ls", "team:/", code=4)
    assert "SignatureDoesNotMatch" in w.err
    w.configure(access="AKOTHER")
    w.run("ls", "team:/", code=4)
    w.configure(region="elsewhere")
    w.run("ls", "team:/", code=3)
    assert "region" in w.err, w.err
    w.configure(secret="two words")
    w.run("ls", "team:/", code=3)
    w.configure(url="http://u:S3CRET@127.0.0.1:1")
    w.run("ls", "team:/", code=3)
    assert "S3CRET" not in w.err
    w.configure(url="http://127.0.0.1:1")
    w.run("ls", "team:/", code=9, env={"STARVERSE_RETRIES": "0"})


def no_secret_in_the_trace(w):
    w.file("x", 10)
    w.run("cp", "x", "team:/x", "--debug")
    assert "> PUT" in w.err and "Authorization: ***" in w.err and "Signature=" not in w.err, w.err


def interrupted_by_the_keyboard(w):
    w.file("big", 8 * PART)
    w.s3.rule("PUT", "partNumber", "delay0.3", times=99)
    p = w.start("cp", "big", "team:/big", "--part-size", "5MiB")
    while not w.records() or w.s3.received < 2 * PART:
        time.sleep(0.01)
        assert p.poll() is None, p.communicate()
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=60)
    assert p.returncode == 130 and b"same command" in err and not out, (p.returncode, out, err)
    w.s3.rules.clear()
    assert w.json("cp", "big", "team:/big")[0]["resumed_bytes"] > 0


def sync_is_stopped(w):
    for i in range(12):
        w.file(f"c/{i:02d}", 1000)
    w.s3.rule("PUT", "", "delay0.4", times=99)
    p = w.start("sync", "c", "team:/p")
    while len(w.s3.objects) < 2:
        time.sleep(0.01)
        assert p.poll() is None, p.communicate()
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=60)
    assert p.returncode == 130 and len(w.s3.objects) < 5, (p.returncode, err, w.s3.objects.keys())
    assert re.search(rb"stopped: \d done, \d+ of 12 files", err) and b"same command" in err, err
    assert 2 <= len(out.splitlines()) - 1 <= len(w.s3.objects), (out, w.s3.objects.keys())
    w.s3.rules.clear()
    have = len(w.s3.objects)
    # The service may still have been storing one when svctl had ended.
    again = len(w.json("sync", "c", "team:/p"))
    assert 11 - have <= again <= 12 - len(out.splitlines()) + 1 and len(w.s3.objects) == 12, (again, have, out)
    # While it compares: the larger the file, the longer.
    os.mkdir(w.home + "/d")
    with open(w.home + "/d/big", "wb") as f:
        f.truncate(64 << 30)
    w.s3.put("q/big", b"")
    w.s3.objects["q/big"]["size"] = 64 << 30
    w.s3.log.clear()
    p = w.start("sync", "d", "team:/q", "--checksum")
    while int(re.search(r"rchar: (\d+)", pathlib.Path(f"/proc/{p.pid}/io").read_text(encoding="ascii"))[1]) < 50 * MIB:
        time.sleep(0.01)
        assert p.poll() is None, p.communicate()
    p.send_signal(signal.SIGINT)
    out, err = p.communicate(timeout=10)
    assert p.returncode == 130 and b"1 of 1 files" in err and not any(x.startswith("PUT") for x in w.s3.log), (p.returncode, err)


def on_a_terminal(w):
    env = w.env | {"TERM": "xterm"}
    w.file("big", 8 * PART)
    w.s3.rule("PUT", "partNumber", "delay0.3", times=99)
    t = Terminal([SVCTL, "storage", "cp", "big", "team:/big", "--part-size", "5MiB"], env, w.home)
    t.wait(r"team:/big \[#* *\] +[0-9]+% [0-9.]+ MiB of 40.0 MiB, [0-9.]+ [KM]iB/s, [0-9]+:[0-9][0-9] left")
    t.wait(lambda: w.records() and "part " in w.records()[0].read_text(encoding="utf-8"))
    t.type("\x03")
    t.wait("stopped: team:/big: .* of 40.0 MiB")
    t.wait("The same command goes on from there")
    assert t.end() == 130, t.status
    t.close()
    w.s3.rules.clear()
    assert w.json("cp", "big", "team:/big")[0]["resumed_bytes"] > 0
    for typed, code in (("team:/big", 12), ("team:/", 0)):
        w.s3.put("small", b"")
        t = Terminal([SVCTL, "storage", "rm", "-r", "team:/"], env, w.home)
        t.wait(r"team:/ \(2 objects\)")
        t.wait("Type team:/ to go on:")
        assert len(w.s3.objects) == 2
        t.type(typed + "\r")
        assert t.end() == code, (t.status, t.screen.text())
        t.close()
    assert not w.s3.objects


def two_at_once(w):
    w.file("big", 6 * PART)
    w.s3.rule("PUT", "partNumber=3", "delay3")
    p = w.start("cp", "big", "team:/big", "--part-size", "5MiB")
    while not any("partNumber=3" in x for x in w.s3.log):
        time.sleep(0.01)
        assert p.poll() is None, p.communicate()
    w.run("cp", "big", "team:/big", code=6)
    assert "another process" in w.err
    p.communicate(timeout=60)
    assert p.returncode == 0


def stalled(w):
    w.s3.put("x", b"1234")
    w.s3.rule("HEAD", "x", "delay4")
    w.run("cp", "team:/x", "x", "--request-timeout", "1s")
    assert w.md5("x") == hashlib.md5(b"1234").hexdigest() and sum(x.startswith("HEAD") for x in w.s3.log) == 2, w.s3.log


def full_disk(w):
    w.s3.put("x", b"1" * MIB)
    w.run("cp", "team:/x", "/dev/full/x", code=1)
    p = subprocess.run(["sh", "-c", f"{SVCTL} storage cp team:/x - >/dev/full"], env=w.env, cwd=w.home,
                       capture_output=True, check=False)
    assert p.returncode == 1 and b"No space" in p.stderr, p


def example(w):
    digest = w.file("x", 99)
    p = subprocess.run([EXAMPLE, "team", "x"], env=w.env, cwd=w.home, capture_output=True, text=True, check=False)
    assert p.returncode == 0 and f"stored as {digest}" in p.stdout and "example/object\t99" in p.stdout, p
    assert w.md5("example-object") == digest
    assert subprocess.run([EXAMPLE, "team", "nosuch"], env=w.env, cwd=w.home, capture_output=True, check=False).returncode == 1


def usage(w):
    for words in (["ls"], ["ls", "x"], ["cp", "a"], ["cp", "a", "b"], ["sync", "a", "b"], ["rm"], ["rm", "x"],
                  ["cp", "-", "team:/"], ["cp", "a", "team:/x", "--parallel", "99"],
                  ["cp", "a", "team:/x", "--part-size", "x"]):
        w.run(*words, code=2)
    w.run("cp", "nosuch", "team:/x", code=1)
    w.file("a", 1)
    w.run("cp", "a", "team:/x", "--part-size", "1MiB", code=2)
    assert not w.s3.log


WORLDS = {no_list_of_parts: {"list_parts": False}, lists: {"page": 10}, removal: {"page": 900}, no_batches: {"delete": False},
          old_lists: {"v2": False, "page": 10}, no_ranges: {"ranges": False}, no_sums: {"sums": False}, parts: {"echo": True}}
TESTS = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == "__main__"
         and not isinstance(f, type)]


def run_all(tests, world, how):
    print(f"1..{len(tests)}")
    bad = 0
    for i, t in enumerate(tests, 1):
        w = world(**how.get(t, {}))
        begun = time.monotonic()
        try:
            t(w)
            assert not w.s3.faults, w.s3.faults
            print(f"ok {i} - {t.__name__} ({time.monotonic() - begun:.1f} s)", flush=True)
        except Exception as e:  # pylint: disable=broad-except
            bad += 1
            print(f"not ok {i} - {t.__name__}")
            print("".join(f"# {line}\n" for line in f"{type(e).__name__}: {e}".splitlines()), end="", flush=True)
        finally:
            w.close()
    return bad > 0


if __name__ == "__main__":
    sys.exit(run_all([t for t in TESTS if not sys.argv[2:] or t.__name__ in sys.argv[2:]], World, WORLDS))
