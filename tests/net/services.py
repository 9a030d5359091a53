#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""svctl storage against whole services: the local platform, and, in the long run, OpenStack Swift, a judge that knows
nothing of this project: services.py local|swift SVCTL. Prints TAP."""
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

KIND = sys.argv.pop(1)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import storage  # noqa: E402  pylint: disable=wrong-import-position
import swift  # noqa: E402  pylint: disable=wrong-import-position

MIB, PART = storage.MIB, storage.PART


class Swift(storage.World):
    """A home whose storage is a bucket of Swift."""

    service = None

    def configure(self, secret=swift.SECRET, **more):
        with open(self.home + "/.config/starverse/config.yaml", "w", encoding="utf-8") as f:
            f.write(f"storages:\n  team:\n    endpoint: {self.service.url}\n    region: us-east-1\n"
                    f"    bucket: {swift.BUCKET}\n    access_key: {swift.ACCESS}\n"
                    f"    secret_key_command: [printf, '%s', '{secret}']\n")

    def spoil(self):
        self.configure(secret="wrong")

    def kill(self):
        self.service.kill("proxy")
        self.service.start("proxy")
        self.service.wait()

    def close(self):
        self.configure()
        self.run("rm", "-r", "team:/", "--yes", "-q")
        super().close()


class Local(storage.World):
    """A home with a local platform of its own, and a storage there."""

    def configure(self, **more):
        pass

    def __init__(self):
        super().__init__()
        self.env["STARVERSE_LOCAL_COMMAND"] = os.environ.get(
            "STARVERSE_LOCAL_COMMAND", os.path.join(os.path.dirname(storage.SVCTL), "svctl-local"))
        self.svctl("local", "start", "--engine", "none")
        self.svctl("account", "register", "--email", "s@example.org")
        self.svctl("storage", "create", "team", "--size", "2GiB")

    def svctl(self, *words):
        return subprocess.run([storage.SVCTL, *words], env=self.env, cwd=self.home, stdin=subprocess.DEVNULL, check=True,
                              capture_output=True, text=True, timeout=120).stdout.strip()

    def spoil(self):
        for f in pathlib.Path(self.home).glob(".local/state/starverse/storage-keys/*.json"):
            f.write_text(f.read_text(encoding="utf-8").replace('"secret_key":"', '"secret_key":"x'), encoding="utf-8")

    def kill(self):
        os.kill(int(self.svctl("local", "status", "--get", "pid")), signal.SIGKILL)
        self.svctl("local", "start", "--engine", "none")

    def close(self):
        self.svctl("local", "reset", "--yes")
        super().close()


def there_and_back(w):
    for size in (0, 1, 70000):
        digest = w.file("a", size)
        assert w.json("cp", "a", "team:/d/a b+c&é%2F.bin")[0]["etag"] == digest
        w.run("cp", "team:/d/a b+c&é%2F.bin", "back")
        assert w.md5("back") == digest
    assert keys(w) == ["d/a b+c&é%2F.bin"] and w.json("ls", "team:/")[0]["key"] == "d/"


def parts_and_copies(w):
    digest = w.file("big", 3 * PART + 17)
    row = w.json("cp", "big", "team:/big", "--part-size", "5MiB")[0]
    assert row["etag"].endswith("-4") and row["size_bytes"] == 3 * PART + 17, row
    w.run("cp", "team:/big", "team:/copy")
    w.run("cp", "team:/copy", "back")
    assert w.md5("back") == digest
    w.run("cp", "team:/big", "-")
    assert hashlib.md5(w.out).hexdigest() == digest


def keys(w):
    return [r["key"] for r in w.json("ls", "-r", "team:/")]


def killed(w, victim, times):
    digest = w.file("big", 20 * PART)
    words = ("cp", "big", "team:/big", "--part-size", "5MiB")
    resumed = 0
    for i in range(times):
        p = w.start(*words)
        while p.poll() is None and not w.records():
            time.sleep(0.01)
        path, want = w.records()[0], 2 * (i + 1)
        while p.poll() is None and path.exists() and path.read_text().count("part ") < want:
            time.sleep(0.01)
        assert p.poll() is None, p.communicate()
        if victim == "client":
            p.send_signal(signal.SIGKILL)
        else:
            w.kill()
        p.communicate(timeout=300)
        if victim != "client" and p.returncode == 0:
            break
        done = sum(int(x.split()[2]) for x in path.read_text().splitlines() if x.startswith("part "))
        assert done >= resumed, (done, resumed)
        resumed = done
    else:
        row = w.json(*words)[0]
        assert row["resumed_bytes"] >= resumed > 0 and row["sent_bytes"] == 20 * PART - row["resumed_bytes"], row
    w.run("cp", "team:/big", "back")
    assert w.md5("back") == digest and not w.records()


def client_killed(w):
    killed(w, "client", 5)


def service_killed(w):
    killed(w, "service", 3)


def lists_and_removal(w):
    for i in range(30):
        w.file(f"c/{i:02d}/x", 3, seed=i)
    w.run("sync", "c", "team:/c")
    assert w.json("sync", "c", "team:/c") == [] and len(keys(w)) == 30
    assert len(w.json("ls", "team:/c")) == 30 and w.json("ls", "team:/c")[0]["key"] == "c/00/"
    w.file("c/00/x", 3, seed=99)
    assert len(w.json("sync", "c", "team:/c")) == 1
    w.run("sync", "team:/c", "mirror")
    assert w.md5("mirror/29/x") == w.md5("c/29/x")
    w.run("rm", "-r", "team:/c", "--yes")
    assert keys(w) == []
    w.run("cp", "team:/c/00/x", "y", code=5)


def refused(w):
    w.file("a", 3)
    w.run("cp", "a", "team:/a")
    w.spoil()
    w.run("ls", "team:/", code=4)


def a_file_is_an_object(w):
    """What was stored lies in the storage's directory, and the other way round."""
    digest = w.file("a", 70000)
    w.run("cp", "a", "team:/dir/a")
    found = [p for p in pathlib.Path(w.home).rglob("dir/a") if p.is_file()]
    assert len(found) == 1 and hashlib.md5(found[0].read_bytes()).hexdigest() == digest, found
    (found[0].parent / "b").write_bytes(b"written here")
    w.run("cp", "team:/dir/b", "-")
    assert w.out == b"written here"


def the_key_is_kept(w):
    w.run("ls", "team:/", "--debug")
    asked = w.err
    kept = list(pathlib.Path(w.home).glob(".local/state/starverse/storage-keys/*.json"))
    assert len(kept) == 1 and kept[0].stat().st_mode & 0o777 == 0o600
    before = kept[0].read_text(encoding="utf-8")
    assert "/credentials" in asked and json.loads(before)["secret_key"] not in asked, asked
    w.run("ls", "team:/", "--debug")
    assert kept[0].read_text(encoding="utf-8") == before and "credentials" not in w.err, w.err


TESTS = [there_and_back, parts_and_copies, client_killed, service_killed, lists_and_removal, refused]


def skipped(why):
    print(f"1..0 # SKIP {why}".replace("\n", " "))
    return 0


def main():
    only = sys.argv[2:]
    tests = [t for t in TESTS + ([a_file_is_an_object, the_key_is_kept] if KIND == "local" else [])
             if not only or t.__name__ in only]
    if KIND == "local":
        return storage.run_all(tests, Local, {})
    if not os.environ.get("SV_TEST_LONG"):
        return skipped("only in the long run")
    try:
        Swift.service = swift.Swift()
    except swift.Missing as e:
        return skipped(e)
    try:
        return storage.run_all(tests, Swift, {})
    finally:
        Swift.service.close()


if __name__ == "__main__":
    sys.exit(main())
