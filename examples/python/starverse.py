#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""libstarverse from Python, without a compiler: lists offers and launches an instance.

    python3 starverse.py [--gpu MODEL[:COUNT]] [--image NAME] [--name NAME] [--keep]

Every verb of every resource is one call of Client.run(); what it takes and answers is the contract's JSON. What has no
JSON, such as files in cloud storage, is a typed call on the library's structs: Bucket, Client.follow(). The endpoint and
the key come from the same configuration and environment as svctl's. jobs.py, storage.py and billing.py beside this file
are built on it.
"""
import argparse
import ctypes
import ctypes.util
import json
import os
import sys
from ctypes import POINTER, c_char, c_char_p, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p


class Refused(Exception):
    """The service's own words; problem is its whole answer, status what svctl would exit with."""

    def __init__(self, code, problem, status=1):
        super().__init__(problem.get("detail") or problem.get("title") or f"code {code}")
        self.code, self.problem, self.status = code, problem, status


class Error(ctypes.Structure):
    """struct sv_error, as far as it is read here: the library's own, which may be longer."""
    _fields_ = [("code", c_int), ("http_status", c_int), ("retryable", c_int), ("outcome_unknown", c_int),
                ("retry_after_ms", c_int64), ("wire", c_char * 48), ("message", c_char * 512)]


class Verb(ctypes.Structure):
    """struct sv_verb."""
    _fields_ = [("name", c_char_p), ("method", c_int), ("path", c_char_p), ("help", c_char_p), ("query", c_void_p),
                ("body", c_void_p), ("out", c_void_p), ("flags", c_uint32)]


class Object(ctypes.Structure):
    """struct sv_bucket_object."""
    _fields_ = [("set", c_uint64 * 8), ("key", c_char_p), ("size_bytes", c_int64), ("modified_at", c_int64),
                ("etag", c_char_p), ("prefix", c_int), ("content_type", c_char_p)]


class Page(ctypes.Structure):
    """struct sv_bucket_object_list."""
    _fields_ = [("n", c_size_t), ("v", POINTER(POINTER(Object))), ("next", c_char_p)]


PROGRESS = ctypes.CFUNCTYPE(None, c_void_p, c_int64, c_int64)
RECORD = ctypes.CFUNCTYPE(c_int, c_void_p, c_char_p, c_char_p, POINTER(c_char), c_size_t)


class Transfer(ctypes.Structure):
    """struct sv_transfer."""
    _fields_ = [("fresh", c_int), ("connections", c_int), ("part_bytes", c_int64), ("progress", PROGRESS),
                ("note", c_void_p), ("data", c_void_p), ("sent_bytes", c_int64), ("resumed_bytes", c_int64)]


# What each call gives and takes. ctypes believes it, so it has to be the header's.
CALLS = {
    "sv_client_new": (c_int, c_void_p, POINTER(c_void_p)),
    "sv_client_free": (None, c_void_p),
    "sv_client_error": (POINTER(Error), c_void_p),
    "sv_run_json": (c_int, c_void_p, c_char_p, c_char_p, POINTER(c_char_p), c_char_p, POINTER(c_void_p)),
    "sv_free_text": (None, c_void_p),
    "sv_free": (None, c_void_p),
    "sv_strerror": (c_char_p, c_int),
    "sv_exit_code": (c_int, c_int),
    "sv_kind_find": (c_void_p, c_char_p),
    "sv_verb_find": (POINTER(Verb), c_void_p, c_char_p),
    "sv_from_yaml": (c_int, c_void_p, c_char_p, c_char_p, c_size_t, POINTER(c_void_p), c_void_p),
    "sv_stream": (c_void_p, c_void_p, POINTER(Verb), POINTER(c_char_p), c_void_p, RECORD, c_void_p, c_void_p),
    "sv_pump": (c_int, c_void_p, c_int),
    "sv_op_done": (c_int, c_void_p),
    "sv_op_error": (POINTER(Error), c_void_p),
    "sv_finish": (c_int, c_void_p, c_void_p),
    "sv_bucket_open": (c_int, c_void_p, c_char_p, POINTER(c_void_p)),
    "sv_bucket_close": (None, c_void_p),
    "sv_bucket_list": (c_int, c_void_p, c_char_p, c_char_p, c_char_p, POINTER(POINTER(Page))),
    "sv_bucket_upload": (c_int, c_void_p, c_char_p, c_char_p, POINTER(Transfer), POINTER(POINTER(Object))),
    "sv_bucket_download": (c_int, c_void_p, c_char_p, c_char_p, POINTER(Transfer), c_void_p),
    "sv_bucket_delete": (c_int, c_void_p, POINTER(c_char_p), c_size_t, c_void_p, c_void_p),
    "sv_transfer_new": (POINTER(Transfer),),
}


def library():
    """$LIBSTARVERSE, else the one that the system has."""
    path = os.environ.get("LIBSTARVERSE") or ctypes.util.find_library("starverse") or "libstarverse.so.0"
    lib = ctypes.CDLL(path)
    for name, (gives, *takes) in CALLS.items():
        call = getattr(lib, name)
        call.restype, call.argtypes = gives, takes
    return lib


def words(*values):
    """A NULL-ended array of strings."""
    return (c_char_p * (len(values) + 1))(*[v.encode() for v in values], None)


class Client:
    """A connection; with Client() as c: c.run("gpu", "list")."""

    def __init__(self):
        self.lib, self.handle = library(), c_void_p()
        code = self.lib.sv_client_new(None, ctypes.byref(self.handle))
        if code:
            raise Refused(code, {"detail": self.lib.sv_strerror(code).decode()}, self.lib.sv_exit_code(code))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.lib.sv_client_free(self.handle)
        self.handle = None

    def check(self, code, error=None):
        """Raises what a typed call did wrong."""
        if code:
            e = (error or self.lib.sv_client_error(self.handle)).contents
            raise Refused(code, {"code": e.wire.decode(), "detail": e.message.decode()}, self.lib.sv_exit_code(code))

    def run(self, kind, verb, /, *args, **body):
        """The answer as Python values; args fill the path, body is the body or, for a GET, the query."""
        sent = json.dumps(body).encode() if body else None
        answer = c_void_p()
        code = self.lib.sv_run_json(self.handle, kind.encode(), verb.encode(), words(*args), sent, ctypes.byref(answer))
        text = ctypes.string_at(answer.value).decode() if answer.value else "null"
        self.lib.sv_free_text(answer)
        value = json.loads(text)
        if code:
            problem = value if isinstance(value, dict) else {"detail": self.lib.sv_strerror(code).decode()}
            raise Refused(code, problem, self.lib.sv_exit_code(code))
        return value

    def wait(self, thing, kind):
        """The newest form of what an answer names, once its operation has ended: long polls, no interval."""
        operation = thing.get("operation_id")
        if operation:
            seen = self.until("operation", operation, lambda o: o["status"] != "running")
            if seen["status"] != "succeeded":
                raise Refused(-17, {"detail": (seen.get("error") or {}).get("message", seen["status"])})
        return self.run(kind, "get", thing["id"])

    def until(self, kind, ident, ready):
        """A resource as soon as ready says so of it: the service answers when it has changed."""
        seen = self.run(kind, "get", ident)
        while not ready(seen):
            seen = self.run(kind, "get", ident, after_version=seen["version"], timeout_seconds=30)
        return seen

    def follow(self, kind, verb, /, *args, **query):
        """Writes a stream, such as a job's log, as it comes; query as for run()."""
        v = self.lib.sv_verb_find(self.lib.sv_kind_find(kind.encode()), verb.encode())
        text, asked = json.dumps(query).encode(), c_void_p()

        @RECORD
        def write(_data, _id, _type, text, length):
            sys.stdout.write(text[:length].decode(errors="replace"))
            sys.stdout.flush()
            return 0

        code = self.lib.sv_from_yaml(v.contents.query, b"query", text, len(text), ctypes.byref(asked), None)
        if code:
            raise Refused(code, {"detail": self.lib.sv_strerror(code).decode()}, self.lib.sv_exit_code(code))
        op = self.lib.sv_stream(self.handle, v, words(*args), asked, write, None, None)
        self.lib.sv_free(asked)
        if not op:
            self.check(self.lib.sv_client_error(self.handle).contents.code)
        while not self.lib.sv_op_done(op):
            self.lib.sv_pump(self.handle, -1)
        failed = self.lib.sv_op_error(op)
        try:
            self.check(failed.contents.code, failed)
        finally:
            self.lib.sv_finish(op, None)


class Bucket:
    """The files of a cloud storage; with Bucket(client, "name") as b: b.upload("file", "key")."""

    def __init__(self, client, name, progress=None):
        self.client, self.lib, self.handle = client, client.lib, c_void_p()
        # Kept here: the library calls it for as long as the bucket is open.
        self.progress = PROGRESS(lambda _data, done, total: progress(done, total)) if progress else PROGRESS()
        client.check(self.lib.sv_bucket_open(client.handle, name.encode(), ctypes.byref(self.handle)))

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.lib.sv_bucket_close(self.handle)
        self.handle = None

    def list(self, prefix=""):
        """[(key, bytes)], all pages of it."""
        found, cursor = [], None
        while True:
            page = POINTER(Page)()
            self.client.check(self.lib.sv_bucket_list(self.handle, prefix.encode(), None, cursor, ctypes.byref(page)))
            p = page.contents
            found += [(p.v[i].contents.key.decode(), p.v[i].contents.size_bytes) for i in range(p.n)]
            cursor = p.next and bytes(p.next)
            self.lib.sv_free(page)
            if not cursor:
                return found

    def _move(self, call, key, path, made):
        t = self.lib.sv_transfer_new()
        t.contents.progress = self.progress
        try:
            self.client.check(call(self.handle, key.encode(), os.fsencode(path), t, made))
            return t.contents.resumed_bytes
        finally:
            self.lib.sv_free(t)

    def upload(self, path, key):
        """Stores a file: (etag, bytes that an earlier attempt had sent already)."""
        made = POINTER(Object)()
        resumed = self._move(self.lib.sv_bucket_upload, key, path, ctypes.byref(made))
        etag = made.contents.etag.decode()
        self.lib.sv_free(made)
        return etag, resumed

    def download(self, key, path):
        """Fetches an object into a file, going on where an earlier attempt broke off."""
        return self._move(self.lib.sv_bucket_download, key, path, None)

    def delete(self, *keys):
        """Deletes objects; those that are not there count as deleted."""
        self.client.check(self.lib.sv_bucket_delete(self.handle, words(*keys), len(keys), None, None))


def card(text):
    """"rtx-4090:4" as what a create body holds."""
    model, _, count = text.partition(":")
    return {"gpu": model, "gpu_count": int(count or 1)}


def script(main):
    """Runs a script's main; what is refused is one line, and svctl's exit status."""
    try:
        sys.exit(main())
    except (Refused, OSError) as e:
        print(f"{os.path.basename(sys.argv[0])}: {e}", file=sys.stderr)
        sys.exit(getattr(e, "status", 1))


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    p.add_argument("--gpu", default="rtx-4090:1", type=card)
    p.add_argument("--image", default="pytorch-2.2")
    p.add_argument("--name", default="from-python")
    p.add_argument("--keep", action="store_true", help="do not release it again")
    a = p.parse_args()
    with Client() as c:
        for offer in c.run("gpu", "list"):
            print(f"{offer['id']:16} {offer['unit_price_per_hour']:>12} a card-hour, {offer['free']} free")
        made = c.wait(c.run("instance", "create", name=a.name, image=a.image, **a.gpu), "instance")
        print(f"{made['name']} is {made['status']}, {made['price_per_hour']} an hour")
        if not a.keep:
            c.run("instance", "delete", made["id"])
    return 0


if __name__ == "__main__":
    script(main)
