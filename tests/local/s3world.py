# SPDX-License-Identifier: MIT
"""A platform of one's own with one storage, and an S3 client written from the public description alone: it shares
nothing with the code that it judges."""
import datetime
import hashlib
import hmac
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.parse
import xml.etree.ElementTree

SERVER = pathlib.Path(os.environ["SV_BUILD"]) / "cli/svctl-local"
EMPTY = hashlib.sha256(b"").hexdigest()
UNSIGNED = "UNSIGNED-PAYLOAD"


def quote(text, safe="-._~"):
    return urllib.parse.quote(text, safe=safe)


def digest(data):
    return hashlib.sha256(data).hexdigest()


class World:
    def __init__(self, engine="none"):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="starverse-s3."))
        self.state, self.socket, self.engine = self.dir / "state", self.dir / "s", engine
        self.key = None
        self.begin()
        self.key = self.api("POST", "/v1/account/register", {"email": "a@example.com"})["api_key"]
        self.storage = self.api("POST", "/v1/storages", {"name": "team", "size_gib": 1})
        self.data = self.state / "storages" / self.storage["id"] / "data"
        self.work = self.data.parent / "work"

    def begin(self):
        subprocess.run([SERVER, "--daemon", "--state", self.state, "--socket", self.socket, "--engine", self.engine],
                       check=True, timeout=60)

    def pid(self):
        return int((self.state / "lock").read_text())

    def kill(self, sig=signal.SIGKILL):
        pid = self.pid()
        os.kill(pid, sig)
        wait(lambda: not pathlib.Path(f"/proc/{pid}").exists())

    def api(self, method, path, body=None, status=None):
        """A call of the contract: what it answers, or (where a status is expected) the problem."""
        with socket.socket(socket.AF_UNIX) as s:
            s.settimeout(60)
            s.connect(str(self.socket))
            text = json.dumps(body).encode() if body is not None else b""
            head = f"{method} {path} HTTP/1.1\r\nHost: l\r\nConnection: close\r\nContent-Type: application/json\r\n"
            head += f"Content-Length: {len(text)}\r\n" + (f"Authorization: Bearer {self.key}\r\n" if self.key else "")
            s.sendall(head.encode() + b"\r\n" + text)
            answer = http.client.HTTPResponse(s)
            answer.begin()
            got = answer.read()
        if answer.status != (status or answer.status) or (not status and answer.status >= 300):
            raise AssertionError(f"{method} {path}: {answer.status} {got[:600]}")
        return json.loads(got)

    def client(self, storage=None):
        c = self.api("POST", f"/v1/storages/{(storage or self.storage)['id']}/credentials", {})
        assert c["bucket"].startswith("sto_"), c
        name = self.api("GET", f"/v1/storages/{c['bucket']}")["name"]
        return Client(c["endpoint"], c["access_key"], c["secret_key"], name)

    def end(self):
        try:
            self.api("POST", "/local/reset", {})  # instances would outlive us
            self.kill(signal.SIGTERM)
        except (OSError, ValueError, AssertionError):
            pass
        shutil.rmtree(self.dir, ignore_errors=True)


def wait(done, seconds=60):
    end = time.monotonic() + seconds
    while not done():
        if time.monotonic() > end:
            raise AssertionError("waited in vain")
        time.sleep(0.02)


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def code(self):
        return self.text("Code")

    def xml(self):
        root = xml.etree.ElementTree.fromstring(self.body)
        for e in root.iter():
            e.tag = e.tag.split("}")[-1]
        return root

    def text(self, path):
        root = self.xml()
        return root.findtext(path) if root is not None else None

    def all(self, path):
        return [e.text or "" for e in self.xml().findall(path)]


class Client:
    def __init__(self, endpoint, access, secret, bucket, region="us-east-1"):
        self.host, self.access, self.secret, self.bucket = endpoint.split("//")[1], access, secret, bucket
        self.region, self.shift = region, 0

    def now(self):
        return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=self.shift)

    def day_key(self, day):
        key = ("AWS4" + self.secret).encode()
        for part in (day, self.region, "s3", "aws4_request"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        return key

    def sign(self, method, path, query, headers, payload, stamp):
        """Authorization, and what chunks need: the signature and a function that signs a text."""
        scope = f"{stamp[:8]}/{self.region}/s3/aws4_request"
        names = sorted(k.lower() for k in headers)
        lower = {k.lower(): " ".join(str(v).split()) for k, v in headers.items()}
        fields = sorted((quote(k), quote(v)) for k, v in query)
        canonical = "\n".join([method, path, "&".join(f"{k}={v}" for k, v in fields),
                               *[f"{n}:{lower[n]}" for n in names], "", ";".join(names), payload])

        def text(s):
            return hmac.new(self.day_key(stamp[:8]), s.encode(), hashlib.sha256).hexdigest()
        signature = text(f"AWS4-HMAC-SHA256\n{stamp}\n{scope}\n{digest(canonical.encode())}")
        return f"AWS4-HMAC-SHA256 Credential={self.access}/{scope}, SignedHeaders={';'.join(names)}, " \
            f"Signature={signature}", signature, text, scope

    def head(self, method, key, query=(), headers=None, payload=EMPTY):
        """The path on the wire and all headers, signed."""
        path = f"/{self.bucket}" + (f"/{quote(key, '-._~/')}" if key is not None else "")
        stamp = self.now().strftime("%Y%m%dT%H%M%SZ")
        all_headers = {"Host": self.host, "x-amz-date": stamp, "x-amz-content-sha256": payload, **(headers or {})}
        authorization, signature, sign, scope = self.sign(method, path, list(query), all_headers, payload, stamp)
        all_headers["Authorization"] = authorization
        wire = path + ("?" + "&".join(f"{quote(k)}={quote(v)}" for k, v in query) if query else "")
        return wire, all_headers, (signature, sign, stamp, scope)

    def send(self, method, wire, headers, body=b""):
        c = http.client.HTTPConnection(self.host, timeout=120)
        try:
            c.request(method, wire, body=body, headers=headers, encode_chunked="Transfer-Encoding" in headers)
            r = c.getresponse()
            return Answer(r.status, {k.lower(): v for k, v in r.getheaders()}, r.read())
        finally:
            c.close()

    def ask(self, method, key=None, query=(), body=b"", headers=None, payload=None):
        wire, all_headers, _ = self.head(method, key, query, headers, payload or digest(body))
        return self.send(method, wire, all_headers, body)

    def put(self, key, body=b"", **headers):
        return self.ask("PUT", key, body=body, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def get(self, key, **headers):
        return self.ask("GET", key, headers={k.replace("_", "-"): v for k, v in headers.items()})

    def list(self, **query):
        return self.ask("GET", query=[("list-type", "2")] + [(k.replace("_", "-"), v) for k, v in query.items()])

    def presign(self, method, key, seconds=60, query=()):
        path = f"/{self.bucket}/{quote(key, '-._~/')}"
        stamp = self.now().strftime("%Y%m%dT%H%M%SZ")
        scope = f"{stamp[:8]}/{self.region}/s3/aws4_request"
        fields = [*query, ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"), ("X-Amz-Credential", f"{self.access}/{scope}"),
                  ("X-Amz-Date", stamp), ("X-Amz-Expires", str(seconds)), ("X-Amz-SignedHeaders", "host")]
        signature = self.sign(method, path, fields, {"Host": self.host}, UNSIGNED, stamp)[1]
        return path + "?" + "&".join(f"{quote(k)}={quote(v)}" for k, v in fields) + f"&X-Amz-Signature={signature}"

    def chunked(self, key, pieces, trailer=None, signed=True, bend=lambda n, body: body):
        """A body in aws-chunked; trailer: (name, value). bend may spoil the n-th chunk after it was signed."""
        word = ("STREAMING-AWS4-HMAC-SHA256-PAYLOAD" if signed else "STREAMING-UNSIGNED-PAYLOAD") + \
            ("-TRAILER" if trailer else "")
        headers = {"Content-Encoding": "aws-chunked", "x-amz-decoded-content-length": sum(map(len, pieces))}
        if trailer:
            headers["x-amz-trailer"] = trailer[0]
        wire, all_headers, (last, sign, stamp, scope) = self.head("PUT", key, (), headers, word)
        body = b""
        for n, piece in enumerate([*pieces, b""]):
            line = f"{len(piece):x}"
            if signed:
                last = sign(f"AWS4-HMAC-SHA256-PAYLOAD\n{stamp}\n{scope}\n{last}\n{EMPTY}\n{digest(piece)}")
                line += f";chunk-signature={last}"
            body += f"{line}\r\n".encode() + (bend(n, piece) + b"\r\n" if piece else b"")
        if trailer:
            body += f"{trailer[0]}:{trailer[1]}\r\n".encode()
        if trailer and signed:
            lines = f"{trailer[0]}:{trailer[1]}\n".encode()
            last = sign(f"AWS4-HMAC-SHA256-TRAILER\n{stamp}\n{scope}\n{last}\n{digest(lines)}")
            body += f"x-amz-trailer-signature:{last}\r\n".encode()
        return self.send("PUT", wire, all_headers, body + b"\r\n")


class Tap:
    def __init__(self):
        self.n = self.bad = 0

    def case(self, name, fn, *args):
        self.n += 1
        try:
            fn(*args)
            print(f"ok {self.n} - {name}", flush=True)
        except Exception as e:  # a case that breaks is a case that fails
            self.bad += 1
            print(f"not ok {self.n} - {name}", flush=True)
            at = e.__traceback__
            while at.tb_next and at.tb_next.tb_frame.f_code.co_filename.endswith("s3.py"):
                at = at.tb_next
            print(f"# line {at.tb_lineno}: {type(e).__name__} {e}"[:1500].replace("\n", "\n# "), flush=True)

    def end(self):
        print(f"1..{self.n}")
        return 1 if self.bad else 0
