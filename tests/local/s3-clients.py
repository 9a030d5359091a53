#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Storages by the clients that people have: Debian's awscli, rclone and s3cmd. With SV_TEST_LONG alone. Prints TAP."""
import filecmp
import os
import pathlib
import shutil
import subprocess
import sys

from s3world import Tap, World

BIG = 23_000_000  # beyond what each of them sends in one piece


def tree(top):
    (top / "d/e").mkdir(parents=True)
    (top / "d/e/f").write_text("1")
    (top / "中文 dir").mkdir()
    (top / "中文 dir/a b+c&d.txt").write_text("2")
    (top / "empty").touch()
    (top / "big").write_bytes(os.urandom(BIG))


def same(a, b):
    c = filecmp.dircmp(a, b)
    assert not c.left_only and not c.right_only and not c.funny_files, (c.left_only, c.right_only)
    _, different, errors = filecmp.cmpfiles(a, b, c.common_files, shallow=False)
    assert not different and not errors, (different, errors)
    for d in c.common_dirs:
        same(a / d, b / d)


class Tool:
    def __init__(self, w, c):
        self.w, self.c, self.src = w, c, w.dir / "src"
        self.env = {"PATH": "/usr/bin:/bin", "HOME": str(w.dir), "LC_ALL": "C.UTF-8", "AWS_ACCESS_KEY_ID": c.access,
                    "AWS_SECRET_ACCESS_KEY": c.secret, "AWS_DEFAULT_REGION": "us-east-1",
                    "AWS_EC2_METADATA_DISABLED": "true"}
        (w.dir / "rclone.conf").write_text(
            f"[t]\ntype = s3\nprovider = Other\naccess_key_id = {c.access}\nsecret_access_key = {c.secret}\n"
            f"endpoint = http://{c.host}\nregion = us-east-1\nchunk_size = 5Mi\nupload_cutoff = 10Mi\n")
        (w.dir / "s3cfg").write_text(
            f"[default]\naccess_key = {c.access}\nsecret_key = {c.secret}\nhost_base = {c.host}\nhost_bucket = {c.host}\n"
            "use_https = False\nsignature_v2 = False\nbucket_location = us-east-1\nprogress_meter = False\n"
            "multipart_chunk_size_mb = 5\n")

    def run(self, *words, ok=True):
        r = subprocess.run([str(x) for x in words], env=self.env, capture_output=True, timeout=240)
        assert (r.returncode == 0) == ok, f"{words}: {r.returncode} {r.stdout[-400:]} {r.stderr[-800:]}"
        return r.stdout

    def aws(self, *words, ok=True):
        return self.run("/usr/bin/aws", "--endpoint-url", f"http://{self.c.host}", *words, ok=ok)

    def rclone(self, *words, ok=True):
        return self.run("/usr/bin/rclone", "--config", self.w.dir / "rclone.conf", *words, ok=ok)

    def s3cmd(self, *words, ok=True):
        return self.run("/usr/bin/s3cmd", "-c", self.w.dir / "s3cfg", *words, ok=ok)

    def back(self):
        there = self.w.dir / "back"
        shutil.rmtree(there, ignore_errors=True)
        return there


def aws(t):
    t.aws("s3", "cp", "--recursive", "--no-progress", t.src, "s3://team/aws")
    same(t.src, t.w.data / "aws")
    assert not t.aws("s3", "sync", "--no-progress", t.src, "s3://team/aws").strip(), "everything is there already"
    there = t.back()
    t.aws("s3", "sync", "--no-progress", "s3://team/aws", there)
    same(t.src, there)
    assert t.aws("s3", "cp", "s3://team/aws/big", "-") == (t.src / "big").read_bytes()
    t.aws("s3", "mv", "s3://team/aws/d/e/f", "s3://team/aws/moved")
    t.aws("s3api", "put-object", "--bucket", "team", "--key", "sum", "--body", t.src / "big", "--checksum-algorithm",
          "CRC32C")
    t.aws("s3api", "head-object", "--bucket", "team", "--key", "sum")
    t.aws("s3", "mb", "s3://team")
    t.aws("s3api", "get-bucket-versioning", "--bucket", "team", ok=False)
    t.aws("s3", "rm", "--recursive", "s3://team/aws")
    assert not (t.w.data / "aws").exists()


def rclone(t):
    t.rclone("copy", t.src, "t:team/rc")
    t.rclone("check", t.src, "t:team/rc")
    t.rclone("check", "--download", t.src, "t:team/rc")
    same(t.src, t.w.data / "rc")
    os.utime(t.src / "empty", (1577836800, 1577836800))
    t.rclone("sync", t.src, "t:team/rc")  # a copy of it onto itself, for the time alone
    assert b"2020-01-01" in t.rclone("lsl", "t:team/rc/empty")
    t.rclone("copyto", "t:team/rc/big", "t:team/rc/big2")
    t.rclone("moveto", "t:team/rc/d/e/f", "t:team/rc/d/e/g")
    there = t.back()
    t.rclone("sync", t.src, "t:team/rc")
    t.rclone("copy", "t:team/rc", there)
    same(t.src, there)
    assert b"team" in t.rclone("lsd", "t:")
    t.rclone("purge", "t:team/rc")
    assert not (t.w.data / "rc").exists()


def s3cmd(t):
    t.s3cmd("sync", f"{t.src}/", "s3://team/sc/")
    there = t.back()
    there.mkdir()
    t.s3cmd("sync", "s3://team/sc/", f"{there}/")
    same(t.src, there)
    t.s3cmd("info", "s3://team/sc/big")
    t.s3cmd("info", "s3://team")
    t.s3cmd("cp", "s3://team/sc/d/e/f", "s3://team/sc/g")
    t.s3cmd("mv", "s3://team/sc/g", "s3://team/sc/h")
    t.s3cmd("modify", "--add-header=Cache-Control: max-age=1", "s3://team/sc/h")
    assert t.c.get("sc/h").headers["cache-control"] == "max-age=1"
    t.s3cmd("setacl", "--acl-public", "s3://team/sc/h", ok=False)
    t.s3cmd("del", "--recursive", "--force", "s3://team/sc/")
    assert not (t.w.data / "sc").exists()


def main():
    if not os.environ.get("SV_TEST_LONG"):
        print("1..0 # SKIP only in long runs")
        return 0
    tap, w = Tap(), World()
    try:
        t = Tool(w, w.client())
        tree(t.src)
        for name, fn in (("aws", aws), ("rclone", rclone), ("s3cmd", s3cmd)):
            if pathlib.Path(f"/usr/bin/{name}").exists():
                tap.case(name, fn, t)
            else:
                tap.case(f"{name} # SKIP not installed", lambda t: None, t)
    finally:
        w.end()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
