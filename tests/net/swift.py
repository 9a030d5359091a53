#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""svctl storage against OpenStack Swift, in the long run alone: a judge that knows nothing of this project. Prints TAP."""
import hashlib
import os
import pathlib
import signal
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import storage  # noqa: E402  pylint: disable=wrong-import-position
import swift  # noqa: E402  pylint: disable=wrong-import-position

MIB, PART = storage.MIB, storage.PART


class World(storage.World):
    """The same home, and Swift in the mock's place."""

    service = None

    def configure(self, secret=swift.SECRET, **more):
        with open(self.home + "/.config/starverse/config.yaml", "w", encoding="utf-8") as f:
            for name in ("team", "other"):
                f.write(f"{'storages:' if name == 'team' else ''}\n  {name}:\n    endpoint: {World.service.url}\n"
                        f"    region: us-east-1\n    bucket: {swift.BUCKET}\n    access_key: {swift.ACCESS}\n"
                        f"    secret_key_command: [printf, '%s', '{secret}']\n")

    def keys(self):
        return [r["key"] for r in self.json("ls", "-r", "team:/")]

    def close(self):
        self.run("rm", "-r", "team:/", "--yes", "-q")
        super().close()


def there_and_back(w):
    for size in (0, 1, 70000):
        digest = w.file("a", size)
        assert w.json("cp", "a", "team:/d/a b+c&é%2F.bin")[0]["etag"] == digest
        w.run("cp", "team:/d/a b+c&é%2F.bin", "back")
        assert w.md5("back") == digest
    assert w.keys() == ["d/a b+c&é%2F.bin"] and w.json("ls", "team:/")[0]["key"] == "d/"


def parts_and_copies(w):
    digest = w.file("big", 3 * PART + 17)
    row = w.json("cp", "big", "team:/big", "--part-size", "5MiB")[0]
    assert row["etag"].endswith("-4") and row["size_bytes"] == 3 * PART + 17, row
    w.run("cp", "team:/big", "team:/copy")
    w.run("cp", "team:/copy", "back")
    assert w.md5("back") == digest
    w.run("cp", "team:/big", "-")
    assert hashlib.md5(w.out).hexdigest() == digest


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
            World.service.kill(victim)
            World.service.start(victim)
            World.service.wait()
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


def proxy_killed(w):
    killed(w, "proxy", 3)


def lists_and_removal(w):
    for i in range(30):
        w.file(f"c/{i:02d}/x", 3, seed=i)
    w.run("sync", "c", "team:/c")
    assert w.json("sync", "c", "team:/c") == [] and len(w.keys()) == 30
    assert len(w.json("ls", "team:/c")) == 30 and w.json("ls", "team:/c")[0]["key"] == "c/00/"
    w.file("c/00/x", 3, seed=99)
    assert len(w.json("sync", "c", "team:/c")) == 1
    w.run("sync", "team:/c", "mirror")
    assert w.md5("mirror/29/x") == w.md5("c/29/x")
    w.run("rm", "-r", "team:/c", "--yes")
    assert w.keys() == []
    w.run("cp", "team:/c/00/x", "y", code=5)


def refused(w):
    w.configure(secret="wrong")
    w.run("ls", "team:/", code=4)
    w.configure()


TESTS = [there_and_back, parts_and_copies, client_killed, proxy_killed, lists_and_removal, refused]


def main():
    if not os.environ.get("SV_TEST_LONG"):
        print("1..0 # SKIP only in the long run")
        return 0
    try:
        World.service = swift.Swift()
    except swift.Missing as e:
        print(f"1..0 # SKIP {e}".replace("\n", " "))
        return 0
    try:
        return storage.run_all(TESTS, World, {})
    finally:
        World.service.close()


if __name__ == "__main__":
    sys.exit(main())
