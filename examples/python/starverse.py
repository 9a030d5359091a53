#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libstarverse from Python, without a compiler: lists offers and launches an instance.

    python3 starverse.py [--gpu MODEL[:COUNT]] [--image NAME] [--name NAME] [--keep]

Every verb of every resource is one call of Client.run(); what it takes and answers is the contract's JSON. The endpoint
and the key come from the same configuration and environment as svctl's.
"""
import argparse
import ctypes
import ctypes.util
import json
import os
import sys


class Refused(Exception):
    """The service's own words; problem is its whole answer."""

    def __init__(self, code, problem):
        super().__init__(problem.get("detail") or problem.get("title") or f"code {code}")
        self.code, self.problem = code, problem


def library():
    """$LIBSTARVERSE, else the one that the system has."""
    path = os.environ.get("LIBSTARVERSE") or ctypes.util.find_library("starverse") or "libstarverse.so.0"
    lib = ctypes.CDLL(path)
    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    lib.sv_client_new.argtypes = [pointer, ctypes.POINTER(pointer)]
    lib.sv_client_free.argtypes = [pointer]
    lib.sv_client_free.restype = None
    lib.sv_run_json.argtypes = [pointer, text, text, ctypes.POINTER(text), text, ctypes.POINTER(pointer)]
    lib.sv_free_text.argtypes = [pointer]
    lib.sv_free_text.restype = None
    lib.sv_strerror.argtypes = [ctypes.c_int]
    lib.sv_strerror.restype = text
    return lib


class Client:
    """A connection; with Client() as c: c.run("gpu", "list")."""

    def __init__(self):
        self.lib, self.handle = library(), ctypes.c_void_p()
        code = self.lib.sv_client_new(None, ctypes.byref(self.handle))
        if code:
            raise Refused(code, {"detail": self.lib.sv_strerror(code).decode()})

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.lib.sv_client_free(self.handle)
        self.handle = None

    def run(self, kind, verb, *args, **body):
        """The answer as Python values; args fill the path, body is the body or, for a GET, the query."""
        path = (ctypes.c_char_p * (len(args) + 1))(*[a.encode() for a in args], None)
        sent = json.dumps(body).encode() if body else None
        answer = ctypes.c_void_p()
        code = self.lib.sv_run_json(self.handle, kind.encode(), verb.encode(), path, sent, ctypes.byref(answer))
        text = ctypes.string_at(answer.value).decode() if answer.value else "null"
        self.lib.sv_free_text(answer)
        value = json.loads(text)
        if code:
            raise Refused(code, value if isinstance(value, dict) else {"detail": self.lib.sv_strerror(code).decode()})
        return value

    def wait(self, thing, kind):
        """The newest form of what an answer names, once its operation has ended: long polls, no interval."""
        operation = thing.get("operation_id")
        while operation:
            seen = self.run("operation", "get", operation)
            while seen["status"] == "running":
                seen = self.run("operation", "get", operation, after_version=seen["version"], timeout_seconds=30)
            if seen["status"] != "succeeded":
                raise Refused(-17, {"detail": (seen.get("error") or {}).get("message", seen["status"])})
            operation = None
        return self.run(kind, "get", thing["id"])


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("--gpu", default="rtx-4090:1")
    p.add_argument("--image", default="pytorch-2.2")
    p.add_argument("--name", default="from-python")
    p.add_argument("--keep", action="store_true", help="do not release it again")
    a = p.parse_args()
    model, _, count = a.gpu.partition(":")
    with Client() as c:
        for offer in c.run("gpu", "list"):
            print(f"{offer['id']:16} {offer['unit_price_per_hour']:>12} a card-hour, {offer['free']} free")
        made = c.run("instance", "create", name=a.name, gpu=model, gpu_count=int(count or 1), image=a.image)
        made = c.wait(made, "instance")
        print(f"{made['name']} is {made['status']}, {made['price_per_hour']} an hour")
        if not a.keep:
            c.run("instance", "delete", made["id"])
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (Refused, OSError) as e:
        print(f"starverse.py: {e}", file=sys.stderr)
        sys.exit(1)
