#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A storage seen by two instances and by S3 at once, with real mounts. Prints TAP."""
import os
import sys
import time

from s3world import Tap, World, wait

START = {"gpu": "rtx-4090", "image": "pytorch-2.3"}


def is_(got, want):
    assert got == want, f"{got!r}, not {want!r}"


def running(w, name, path):
    i = w.api("POST", "/v1/instances", {**START, "name": name, "storages": [{"storage": "team", "path": path}]})
    end = time.monotonic() + 120
    while i["status"] != "running":
        assert i["status"] in ("provisioning", "starting") and time.monotonic() < end, i
        i = w.api("GET", f"/v1/instances/{i['id']}?after_version={i['version']}&timeout_seconds=20")
    return i["id"]


def sh(w, instance, line):
    r = w.api("POST", f"/v1/instances/{instance}/exec", {"command": ["sh", "-c", line], "timeout_seconds": 60})
    assert r["exit_code"] == 0, r
    return r["stdout"]


def seen_by_all(w, c, a, b):
    is_(c.put("dir/x", b"by s3").status, 200)
    is_(sh(w, a, "cat /team/dir/x"), "by s3")
    is_(sh(w, b, "cat /root/team/dir/x; echo by b >> /root/team/dir/x; echo new > /root/team/dir/y"), "by s3")
    is_(c.get("dir/x").body, b"by s3by b\n")
    is_(c.list().all("Contents/Key"), ["dir/x", "dir/y"])
    is_(sh(w, a, "cat /team/dir/y; stat -c '%u %g' /team/dir/x; rm /team/dir/y; rmdir /team/dir 2>/dev/null || true"),
        "new\n0 0\n")
    is_(c.get("dir/y").status, 404)
    is_(c.ask("DELETE", "dir/x").status, 204)
    is_(sh(w, a, "ls -A /team"), "")


def overwritten_while_open(w, c, a):
    """A process that has it open goes on with what it had."""
    c.put("open", b"old")
    sh(w, a, "(exec 3</team/open; : >/team/ready; until [ -e /team/go ]; do sleep 0.05; done; cat <&3 >/team/kept)"
       " >/dev/null 2>&1 &")
    wait(lambda: c.get("ready").status == 200)
    c.put("open", b"new")
    c.put("go")
    wait(lambda: c.get("kept").body == b"old")
    is_(sh(w, a, "cat /team/open"), "new")


def an_ordinary_owner(w, c, a):
    """A file of an ordinary user inside: read and replaced by S3, it stays that user's."""
    owner = sh(w, a, "mkdir -p /team/u; echo mine >/team/u/f; chown 1:1 /team/u/f; chmod 600 /team/u/f;"
               " stat -c %u /team/u/f").strip()
    is_(c.get("u/f").body, b"mine\n")
    is_(c.put("u/f", b"theirs").status, 200)
    is_(sh(w, a, "cat /team/u/f; stat -c ' %u %a' /team/u/f"), f"theirs {owner} 600\n")


def links_lead_nowhere(w, c, a):
    sh(w, a, "ln -s /etc/shadow /team/l; ln -s / /team/d; mkfifo /team/p")
    for key in ("l", "d/etc/passwd", "p"):
        is_(c.get(key).status, 404)
    is_(c.put("d/etc/x", b"1").status, 409)
    assert not os.path.exists("/etc/x")
    sh(w, a, "rm /team/l /team/d /team/p")


def not_while_mounted(w, c, a, b):
    path = f"/v1/storages/{w.storage['id']}"
    is_(w.api("DELETE", path, status=409)["code"], "invalid_state")
    for i in (a, b):
        w.api("DELETE", f"/v1/instances/{i}", status=202)
        wait(lambda i=i: w.api("GET", f"/v1/instances/{i}")["status"] == "released", 120)
    c.put("left", b"1")
    w.api("DELETE", path)
    wait(lambda: not w.data.parent.exists())


def main():
    tap = Tap()
    try:
        w = World("sandbox")
    except Exception as e:
        print(f"1..0 # SKIP no sandbox here: {e}")
        return 0
    try:
        c = w.client()
        a, b = running(w, "a", "/team"), running(w, "b", "/root/team")
        tap.case("two instances and S3 see the same files", seen_by_all, w, c, a, b)
        tap.case("a new object takes the old one's place inside too", overwritten_while_open, w, c, a)
        tap.case("an ordinary user's file stays that user's", an_ordinary_owner, w, c, a)
        tap.case("links made inside lead nowhere", links_lead_nowhere, w, c, a)
        tap.case("a storage goes when nobody mounts it any more", not_while_mounted, w, c, a, b)
    finally:
        w.end()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
