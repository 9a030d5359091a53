# SPDX-License-Identifier: MIT
"""A strict S3 service on raw sockets that judges its client: it computes the signature from the published description
alone, looks at how path and query are written, compares digests, and can misbehave by rules. Bodies are files."""
import base64
import binascii
import datetime
import email.utils
import hashlib
import hmac
import http.client
import os
import re
import socket
import tempfile
import threading
import time
import urllib.parse
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import escape

ACCESS, SECRET, REGION, BUCKET = "AKMOCK", "s3/mock+S3CRET", "test-1", "corpus"
PIECE = 1 << 18
TABLE = []
for one in range(256):
    for _ in range(8):
        one = one >> 1 ^ (0x82F63B78 if one & 1 else 0)
    TABLE.append(one)


def crc32c(data):
    c = 0xFFFFFFFF
    for b in data:
        c = c >> 8 ^ TABLE[(c ^ b) & 255]
    return base64.b64encode((c ^ 0xFFFFFFFF).to_bytes(4, "big")).decode()


def quoted(text):
    return urllib.parse.quote(text, safe="-._~")


class Refused(Exception):
    def __init__(self, status, code, message=""):
        super().__init__(code)
        self.status, self.code, self.message = status, code, message or code


class Closed(Exception):
    """The connection goes without an answer."""


class Rule:
    """What happens to the next requests that fit: times of them, after skipping some."""

    def __init__(self, method, part, action, times=1, skip=0):
        self.method, self.part, self.action, self.times, self.skip = method, part, action, times, skip

    def fits(self, method, target):
        if self.times <= 0 or self.method not in ("*", method) or self.part not in target:
            return False
        if self.skip:
            self.skip -= 1
            return False
        self.times -= 1
        return True


class Request:
    def __init__(self, head, connection, rest):
        line, *lines = head.decode("latin1").split("\r\n")
        self.method, self.target, _ = line.split(" ")
        self.headers = {}
        for h in lines:
            name, value = h.split(":", 1)
            assert name.lower() not in self.headers, f"header twice: {name}"
            self.headers[name.lower()] = value.strip()
        self.raw_path, _, self.raw_query = self.target.partition("?")
        self.path = urllib.parse.unquote(self.raw_path)
        self.query = dict(urllib.parse.parse_qsl(self.raw_query, keep_blank_values=True))
        self.length = int(self.headers.get("content-length", 0))
        self.connection, self.rest, self.taken = connection, rest, 0

    def pieces(self):
        while self.taken < self.length:
            data = self.rest or self.connection.recv(min(PIECE, self.length - self.taken))
            data, self.rest = data[:self.length - self.taken], data[self.length - self.taken:]
            if not data:
                raise Closed
            self.taken += len(data)
            yield data


class S3:
    def __init__(self, **how):
        self.how = {"list_parts": True, "echo": False, "page": 1000, "v2": True, "ranges": True, "delete": True, "sums": True} | how
        self.after_short = lambda: None
        self.dir = tempfile.mkdtemp(prefix="s3mock.")
        self.objects, self.uploads, self.rules, self.log, self.faults = {}, {}, [], [], []
        self.received = self.sent = self.count = 0
        self.lock = threading.RLock()
        self.most_at_once = self.at_once = 0
        self.server = socket.socket()
        self.server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.server.bind(("127.0.0.1", 0))
        self.server.listen(64)
        self.port = self.server.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self.accept, daemon=True).start()

    def rule(self, *args, **more):
        self.rules.append(Rule(*args, **more))

    def new_file(self):
        with self.lock:
            self.count += 1
            return f"{self.dir}/{self.count}"

    def put(self, key, data, etag=None):
        path = self.new_file()
        with open(path, "wb") as f:
            f.write(data)
        self.objects[key] = {"path": path, "size": len(data), "etag": etag or hashlib.md5(data).hexdigest(),
                             "time": time.time(), "meta": {}}

    def data(self, key):
        with open(self.objects[key]["path"], "rb") as f:
            return f.read()

    def md5(self, key):
        h = hashlib.md5()
        with open(self.objects[key]["path"], "rb") as f:
            while piece := f.read(PIECE):
                h.update(piece)
        return h.hexdigest()

    def accept(self):
        while True:
            try:
                c, _ = self.server.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(c,), daemon=True).start()

    def close(self):
        self.server.close()

    def serve(self, c):
        rest = b""
        with c:
            try:
                while True:
                    while b"\r\n\r\n" not in rest:
                        data = c.recv(65536)
                        if not data:
                            return
                        rest += data
                    head, rest = rest.split(b"\r\n\r\n", 1)
                    rest = self.one(Request(head, c, rest), c)
            except (Closed, OSError):
                return
            except AssertionError as e:
                self.faults.append(str(e))
            except Exception as e:  # pylint: disable=broad-except
                self.faults.append(repr(e))

    def one(self, r, c):
        with self.lock:
            self.log.append(f"{r.method} {r.target}")
            action = next((x.action for x in self.rules if x.fits(r.method, r.target)), None)
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            status, headers, body = self.answer(r, action)
            if action and action.startswith("late"):
                time.sleep(float(action[4:]))
        except Refused as e:
            for _ in r.pieces():
                pass
            status, headers = e.status, {"Content-Type": "application/xml"}
            body = (f"<?xml version='1.0'?><Error><Code>{e.code}</Code><Message>{escape(e.message)}</Message>"
                    f"<RequestId>mock-1</RequestId></Error>").encode()
        finally:
            with self.lock:
                self.at_once -= 1
                self.received += r.taken
        if action == "lost":
            raise Closed
        if isinstance(body, bytes):
            headers["Content-Length"] = headers.get("Content-Length", len(body))
        text = f"HTTP/1.1 {status} X\r\nx-amz-request-id: mock-1\r\nDate: {email.utils.formatdate(usegmt=True)}\r\n"
        c.sendall((text + "".join(f"{k}: {v}\r\n" for k, v in headers.items()) + "\r\n").encode())
        if r.method != "HEAD":
            self.send(c, body, int(action[5:]) if action and action.startswith("short") else None)
        return r.rest

    def send(self, c, body, most):
        if isinstance(body, bytes):
            c.sendall(body if most is None else body[:most])
            self.sent += len(body)
        else:
            path, at, size = body
            with open(path, "rb") as f:
                f.seek(at)
                left = size if most is None else min(most, size)
                while left:
                    piece = f.read(min(PIECE, left))
                    c.sendall(piece)
                    left -= len(piece)
                    self.sent += len(piece)
        if most is not None:
            self.after_short()
            raise Closed

    # The judge.

    def check(self, r):
        h = r.headers
        m = re.fullmatch(r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?"
                         r"Signature=([0-9a-f]{64})", h.get("authorization", ""))
        if not m:
            raise Refused(403, "AccessDenied", f"no signature: {h.get('authorization', '')[:30]}")
        access, day, region, names, signature = m.groups()
        names = names.split(";")
        assert names == sorted(names) and "host" in names, f"signed headers: {names}"
        for name in h:
            assert not name.startswith("x-amz-") or name in names, f"{name} is not signed"
        assert h["host"] == f"127.0.0.1:{self.port}", f"Host: {h['host']}"
        assert r.raw_path == urllib.parse.quote(r.path, safe="-._~/"), f"path as sent: {r.raw_path}"
        pairs = [p for p in r.raw_query.split("&") if p]
        assert all("=" in p for p in pairs) and pairs == sorted(pairs), f"query as sent: {r.raw_query}"
        assert all(quoted(urllib.parse.unquote(x)) == x for p in pairs for x in p.split("=")), f"query: {r.raw_query}"
        assert "expect" not in h and "te" not in h and "transfer-encoding" not in h, "headers nobody needs"
        assert h.get("accept-encoding") is None, "the body is wanted as it is"
        at = datetime.datetime.strptime(h["x-amz-date"], "%Y%m%dT%H%M%SZ").replace(tzinfo=datetime.timezone.utc)
        if abs(at.timestamp() - time.time()) > 900 or day != h["x-amz-date"][:8]:
            raise Refused(403, "RequestTimeTooSkewed")
        if access != ACCESS:
            raise Refused(403, "InvalidAccessKeyId")
        if region != REGION:
            raise Refused(400, "AuthorizationHeaderMalformed")
        canonical = "\n".join([r.method, r.raw_path, "&".join(sorted(pairs)),
                               *(f"{n}:{' '.join(h[n].split())}" for n in names), "", ";".join(names),
                               h["x-amz-content-sha256"]])
        scope = f"{day}/{region}/s3/aws4_request"
        text = "\n".join(["AWS4-HMAC-SHA256", h["x-amz-date"], scope, hashlib.sha256(canonical.encode()).hexdigest()])
        key = ("AWS4" + SECRET).encode()
        for part in scope.split("/"):
            key = hmac.new(key, part.encode(), hashlib.sha256).digest()
        if not hmac.compare_digest(hmac.new(key, text.encode(), hashlib.sha256).hexdigest(), signature):
            raise Refused(403, "SignatureDoesNotMatch")

    def body(self, r, path, limit=None):
        """The body into a file; its MD5."""
        sha, md5, small = hashlib.sha256(), hashlib.md5(), b""
        with open(path, "wb") as f:
            for piece in r.pieces():
                f.write(piece)
                sha.update(piece)
                md5.update(piece)
                if r.length <= 65536:
                    small += piece
                if limit is not None and r.taken >= limit:
                    raise Closed
        want = r.headers["x-amz-content-sha256"]
        if want != "UNSIGNED-PAYLOAD" and want != sha.hexdigest():
            raise Refused(400, "XAmzContentSHA256Mismatch")
        if "content-md5" in r.headers and base64.b64decode(r.headers["content-md5"]) != md5.digest():
            raise Refused(400, "BadDigest")
        crc = r.headers.get("x-amz-checksum-crc32c")
        if crc and r.length <= 65536:
            assert crc == crc32c(small), f"crc32c {crc}, not {crc32c(small)}"
        return md5.hexdigest()

    def answer(self, r, action):
        if action and action.startswith("delay"):
            time.sleep(float(action[5:]))
        self.check(r)
        if not self.how["sums"] and any(h.startswith("x-amz-checksum-") and h != "x-amz-checksum-mode" for h in r.headers):
            raise Refused(501, "NotImplemented", "unsupported header x-amz-checksum")
        if action == "503":
            raise Refused(503, "SlowDown", "please reduce your request rate")
        if action and action.startswith("refuse"):
            raise Refused(*action[6:].split(","))
        assert r.path == f"/{BUCKET}" or r.path.startswith(f"/{BUCKET}/"), r.path
        key = r.path[len(BUCKET) + 2:]
        limit = int(action[3:]) if action and action.startswith("cut") else None
        if not key:
            return self.list(r) if r.method == "GET" else self.delete_many(r)
        if "uploadId" in r.query or "uploads" in r.query:
            return self.multipart(r, key, limit, action)
        if r.method in ("GET", "HEAD"):
            return self.get(r, key, action)
        if r.method == "DELETE":
            self.objects.pop(key, None)
            return 204, {}, b""
        assert r.method == "PUT"
        return self.store(r, key, limit, action)

    def store(self, r, key, limit, action):
        if "x-amz-copy-source" in r.headers:
            source = urllib.parse.unquote(r.headers["x-amz-copy-source"])[len(BUCKET) + 2:]
            self.objects[key] = self.find(source) | {"time": time.time()}
            return 200, {}, f"<CopyObjectResult><ETag>\"{self.objects[key]['etag']}\"</ETag></CopyObjectResult>".encode()
        path = self.new_file()
        md5 = self.body(r, path, limit)
        self.objects[key] = {"path": path, "size": r.length, "etag": md5, "time": time.time(),
                             "meta": {k: v for k, v in r.headers.items() if k.startswith("x-amz-meta-")}}
        return 200, {"ETag": f'"{"0" * 32 if action == "lie" else md5}"'} | self.echo(r), b""

    def echo(self, r):
        crc = r.headers.get("x-amz-checksum-crc32c")
        return {"x-amz-checksum-crc32c": crc} if self.how["echo"] and crc else {}

    def find(self, key):
        if key not in self.objects:
            raise Refused(404, "NoSuchKey", "The specified key does not exist.")
        return self.objects[key]

    def get(self, r, key, action):
        o = self.find(key)
        if r.headers.get("if-match", f'"{o["etag"]}"') != f'"{o["etag"]}"':
            raise Refused(412, "PreconditionFailed")
        head = {"ETag": f'"{o["etag"]}"', "Last-Modified": email.utils.formatdate(o["time"], usegmt=True),
                "Content-Type": "application/octet-stream"} | o["meta"]
        m = re.fullmatch(r"bytes=(\d+)-(\d*)", r.headers.get("range", ""))
        at, end, status = 0, o["size"], 200
        if m and self.how["ranges"]:
            at, end, status = int(m[1]), min(o["size"], int(m[2]) + 1 if m[2] else o["size"]), 206
            if at >= o["size"]:
                raise Refused(416, "InvalidRange")
            head["Content-Range"] = f"bytes {at}-{end - 1}/{o['size']}"
        head["Content-Length"] = end - at
        return status, head, (o["path"], at, end - at)

    def list(self, r):
        q, prefix, delimiter = r.query, r.query.get("prefix", ""), r.query.get("delimiter", "")
        assert q["encoding-type"] == "url", "control characters in keys"
        after = bytes.fromhex(q.get("continuation-token", "")).decode() if self.how["v2"] else q.get("marker")
        keys, entries, more = sorted(k for k in self.objects if k.startswith(prefix)), [], ""
        for k in keys:
            cut = k.find(delimiter, len(prefix)) if delimiter else -1
            name = k[:cut + 1] if cut >= 0 else k
            if (after and name <= after) or (entries and entries[-1] == (name, cut >= 0)):
                continue
            if len(entries) == self.how["page"]:
                more = entries[-1][0]
                break
            entries.append((name, cut >= 0))
        text = ""
        for name, is_prefix in entries:
            if is_prefix:
                text += f"<CommonPrefixes><Prefix>{quoted(name)}</Prefix></CommonPrefixes>"
                continue
            o = self.objects[name]
            at = datetime.datetime.fromtimestamp(o["time"], datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")
            text += (f"<Contents><Key>{quoted(name)}</Key><LastModified>{at}</LastModified><ETag>&quot;{o['etag']}&quot;"
                     f"</ETag><Size>{o['size']}</Size></Contents>")
        if more and self.how["v2"]:
            text += f"<NextContinuationToken>{more.encode().hex()}</NextContinuationToken>"
        return 200, {"Content-Type": "application/xml"}, (
            f"<?xml version='1.0'?><ListBucketResult xmlns='http://s3.amazonaws.com/doc/2006-03-01/'><EncodingType>url"
            f"</EncodingType><IsTruncated>{str(bool(more)).lower()}</IsTruncated>{text}</ListBucketResult>").encode()

    def document(self, r):
        path = self.new_file()
        self.body(r, path)
        with open(path, encoding="utf-8") as f:
            text = f.read()
        return ElementTree.fromstring(re.sub(r' xmlns="[^"]+"', "", text))

    def delete_many(self, r):
        assert r.query == {"delete": ""} and "content-md5" in r.headers, "not as S3 wants a batch"
        root = self.document(r)
        if not self.how["delete"]:
            raise Refused(501, "NotImplemented")
        keys = [k.text for k in root.iter("Key")]
        assert 0 < len(keys) <= 1000, len(keys)
        errors = ""
        for k in keys:
            if k.endswith("locked"):
                errors += f"<Error><Key>{escape(k)}</Key><Code>AccessDenied</Code><Message>locked</Message></Error>"
            else:
                self.objects.pop(k, None)
        return 200, {}, f"<DeleteResult>{errors}</DeleteResult>".encode()

    # Uploads in parts.

    def multipart(self, r, key, limit, action):
        if r.method == "POST" and "uploads" in r.query:
            with self.lock:
                self.count += 1
                name = f"up {self.count}/+"
            self.uploads[name] = {"key": key, "parts": {},
                                  "meta": {k: v for k, v in r.headers.items() if k.startswith("x-amz-meta-")}}
            return 200, {}, (f"<InitiateMultipartUploadResult><UploadId>{name}</UploadId>"
                             f"</InitiateMultipartUploadResult>").encode()
        up = self.uploads.get(r.query["uploadId"])
        if not up or up["key"] != key:
            raise Refused(404, "NoSuchUpload")
        if r.method == "PUT":
            return self.part(r, up, limit, action)
        if r.method == "GET":
            return self.parts(up)
        if r.method == "DELETE":
            del self.uploads[r.query["uploadId"]]
            return 204, {}, b""
        return self.complete(r, up, key)

    def part(self, r, up, limit, action):
        path = self.new_file()
        md5 = self.body(r, path, limit)
        if action == "damage":
            with open(path, "r+b") as f:
                f.write(b"damage")
            with open(path, "rb") as f:
                md5 = hashlib.md5(f.read()).hexdigest()
        up["parts"][int(r.query["partNumber"])] = {"path": path, "size": r.length, "etag": md5}
        return 200, {"ETag": f'"{"f" * 32 if action == "lie" else md5}"'} | self.echo(r), b""

    def parts(self, up):
        if not self.how["list_parts"]:
            raise Refused(501, "NotImplemented")
        text = "".join(f"<Part><PartNumber>{n}</PartNumber><ETag>\"{p['etag']}\"</ETag><Size>{p['size']}</Size></Part>"
                       for n, p in sorted(up["parts"].items()))
        return 200, {}, f"<ListPartsResult><IsTruncated>false</IsTruncated>{text}</ListPartsResult>".encode()

    def complete(self, r, up, key):
        named = [(int(p.find("PartNumber").text), p.find("ETag").text.strip('"')) for p in
                 self.document(r).iter("Part")]
        path, md5, size = self.new_file(), b"", 0
        with open(path, "wb") as out:
            for i, (n, etag) in enumerate(named):
                p = up["parts"].get(n)
                if not p or p["etag"] != etag:
                    raise Refused(400, "InvalidPart")
                if i + 1 < len(named) and p["size"] < 5 << 20:
                    raise Refused(400, "EntityTooSmall")
                with open(p["path"], "rb") as f:
                    while piece := f.read(PIECE):
                        out.write(piece)
                size += p["size"]
                md5 += binascii.unhexlify(etag)
        assert [n for n, _ in named] == sorted(n for n, _ in named)
        etag = f"{hashlib.md5(md5).hexdigest()}-{len(named)}"
        self.objects[key] = {"path": path, "size": size, "etag": etag, "time": time.time(), "meta": up["meta"]}
        for name in [n for n, u in self.uploads.items() if u is up]:
            del self.uploads[name]
        for p in up["parts"].values():
            if os.path.exists(p["path"]):
                os.unlink(p["path"])
        return 200, {}, f"<CompleteMultipartUploadResult><ETag>\"{etag}\"</ETag></CompleteMultipartUploadResult>".encode()


def make_bucket(host, bucket, access, secret, region="us-east-1"):
    """PUT of a bucket, signed: for services whose buckets are not made by hand."""
    at = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    nothing, scope = hashlib.sha256(b"").hexdigest(), f"{at[:8]}/{region}/s3/aws4_request"
    head = {"host": host, "x-amz-content-sha256": nothing, "x-amz-date": at}
    names = ";".join(sorted(head))
    canonical = "\n".join(["PUT", f"/{bucket}", "", *(f"{k}:{head[k]}" for k in sorted(head)), "", names, nothing])
    text = "\n".join(["AWS4-HMAC-SHA256", at, scope, hashlib.sha256(canonical.encode()).hexdigest()])
    key = ("AWS4" + secret).encode()
    for part in scope.split("/"):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    signature = hmac.new(key, text.encode(), hashlib.sha256).hexdigest()
    head["authorization"] = f"AWS4-HMAC-SHA256 Credential={access}/{scope}, SignedHeaders={names}, Signature={signature}"
    c = http.client.HTTPConnection(host, timeout=60)
    c.request("PUT", f"/{bucket}", headers=head)
    answer = c.getresponse()
    return answer.status, answer.read()
