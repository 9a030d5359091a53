#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Cloud storage from Python: makes a storage, stores a file, lists, fetches it again, deletes it.

    python3 storage.py NAME FILE [--size GIB] [--keep]

A storage that is there already is used. No instance runs for any of this. After a break it goes on where it was.
"""
import argparse
import os
import sys

from starverse import Bucket, Client, script


def progress(done, total):
    print(f"\r{done} of {total} bytes", end="", file=sys.stderr)


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("name")
    p.add_argument("file")
    p.add_argument("--size", type=int, default=1, help="GiB of a new storage (default: %(default)s)")
    p.add_argument("--keep", action="store_true", help="leave the object where it is")
    a = p.parse_args()
    with Client() as c:
        if not c.run("storage", "list", name=[a.name]):
            made = c.run("storage", "create", name=a.name, size_gib=a.size)
            print(f"made {made['name']}, {made['price_per_gib_month']} a GiB and month")
        with Bucket(c, a.name, progress) as b:
            key = "example/" + os.path.basename(a.file)
            etag, resumed = b.upload(a.file, key)
            print(f"stored as {etag}, {resumed} bytes were there before")
            for found, size in b.list("example/"):
                print(f"{found}\t{size}")
            b.download(key, a.file + ".back")
            if not a.keep:
                b.delete(key)
                print(f"{len(b.list(key))} left of it")
    return 0


if __name__ == "__main__":
    script(main)
