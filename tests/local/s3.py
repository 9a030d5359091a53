#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Storages by S3, over real sockets and real files. Prints TAP."""
import base64
import hashlib
import http.client
import os
import pathlib
import random
import shutil
import socket
import sys
import threading
import time
import urllib.parse
import zlib

from s3world import EMPTY, UNSIGNED, Tap, World, digest, wait


def md5(data):
    return hashlib.md5(data).hexdigest()


def b64(data):
    return base64.b64encode(data).decode()


def is_(got, want):
    assert got == want, f"{got!r}, not {want!r}"


def crc32(data):
    return b64(zlib.crc32(data).to_bytes(4, "big"))


def refused(answer, status, code):
    assert answer.status == status and (not code or answer.code == code), f"{answer.status} {answer.body[:400]}"


# --- signatures
def signed_only(w, c):
    is_(c.send("GET", "/team", {"Host": c.host}).status, 403)
    refused(c.send("GET", "/team/x", {"Host": c.host, "Authorization": "Bearer x"}), 400, "AuthorizationHeaderMalformed")
    bad = w.client()
    bad.secret = "wrong"
    refused(bad.list(), 403, "SignatureDoesNotMatch")
    bad.access = "svnobody"
    refused(bad.list(), 403, "InvalidAccessKeyId")
    wire, headers, _ = c.head("GET", "x")
    headers["X-Amz-Copy-Source"] = "/team/secret"
    refused(c.send("GET", wire, headers), 403, "AccessDenied")
    wire, headers, _ = c.head("GET", "x")
    refused(c.send("DELETE", wire, headers), 403, "SignatureDoesNotMatch")
    refused(c.send("GET", wire + "y", headers), 403, "SignatureDoesNotMatch")


def clocks(w, c):
    late = w.client()
    for shift in (-1000, 1000):
        late.shift = shift
        refused(late.list(), 403, "RequestTimeTooSkewed")
    late.shift = -600
    is_(late.list().status, 200)


def presigned(w, c):
    is_(c.put("link.txt", b"by link").status, 200)
    got = c.send("GET", c.presign("GET", "link.txt", query=[("response-content-type", "text/x")]), {"Host": c.host})
    is_((got.status, got.body, got.headers["content-type"]), (200, b"by link", "text/x"))
    is_(c.send("PUT", c.presign("PUT", "link2.txt"), {"Host": c.host}, b"up").status, 200)
    is_(c.get("link2.txt").body, b"up")
    refused(c.send("PUT", c.presign("GET", "link.txt"), {"Host": c.host}, b"up"), 403, "SignatureDoesNotMatch")
    c.shift = -100
    refused(c.send("GET", c.presign("GET", "link.txt", 60), {"Host": c.host}), 403, "AccessDenied")
    c.shift = 0


def one_key_one_storage(w, c):
    other = w.client(w.api("POST", "/v1/storages", {"name": "other", "size_gib": 1}))
    is_(other.put("mine", b"1").status, 200)
    other.bucket = "team"
    refused(other.list(), 404, "NoSuchBucket")
    refused(other.ask("PUT"), 403, "AccessDenied")
    refused(other.ask("PUT", "x", headers={"x-amz-copy-source": "/team/link.txt"}), 404, "NoSuchBucket")
    other.bucket = "other"
    refused(other.ask("PUT", "x", headers={"x-amz-copy-source": "/team/link.txt"}), 403, "AccessDenied")
    other.bucket = w.api("GET", "/v1/storages?name=other")["items"][0]["id"]
    is_(other.get("mine").body, b"1")
    other.bucket = "other"
    w.api("POST", "/v1/storages", {"name": "other", "size_gib": 1})
    refused(other.get("mine"), 404, "NoSuchBucket")  # the name is two storages' now: the id alone is good


# --- objects and files
def both_ways(w, c):
    is_(c.put("a/b/c.txt", b"hello").headers["etag"], f'"{md5(b"hello")}"')
    is_((w.data / "a/b/c.txt").read_bytes(), b"hello")
    (w.data / "a/by-hand").write_bytes(b"from inside")
    got = c.get("a/by-hand")
    is_((got.status, got.body), (200, b"from inside"))
    assert "-" in got.headers["etag"]
    is_(c.list().all("Contents/Key")[:2], ["a/b/c.txt", "a/by-hand"])
    (w.data / "a/b/c.txt").write_bytes(b"changed")
    got = c.get("a/b/c.txt")
    is_(got.body, b"changed")
    assert got.headers["etag"] != f'"{md5(b"hello")}"'
    is_(c.ask("DELETE", "a/b/c.txt").status, 204)
    assert not (w.data / "a/b").exists(), "a directory that only a key made goes with it"
    is_(c.ask("DELETE", "a/b/c.txt").status, 204)
    refused(c.get("a/b/c.txt"), 404, "NoSuchKey")
    (w.data / "kept").mkdir()
    is_(c.put("kept/x", b"1").status, 200)
    is_(c.ask("DELETE", "kept/x").status, 204)
    assert (w.data / "kept").is_dir(), "a directory that an instance made stays"
    (w.data / "kept").rmdir()


def headers_are_kept(w, c):
    is_(c.put("meta", b"x", Content_Type="text/plain", Cache_Control="no-cache", x_amz_meta_owner="a  b",
              Content_Encoding="aws-chunked,gzip").status, 200)
    h = c.ask("HEAD", "meta").headers
    is_([h[k] for k in ("content-type", "cache-control", "content-encoding", "x-amz-meta-owner", "content-length")],
        ["text/plain", "no-cache", "gzip", "a  b", "1"])
    refused(c.put("meta2", b"x", x_amz_meta_a="v" * 2100), 400, "MetadataTooLarge")
    os.setxattr(w.data / "meta", "user.starverse.object", b"1 nonsense\nX: y\r\nEvil: 1\n")
    is_(c.get("meta").status, 200)


def ranges(w, c):
    c.put("r", b"0123456789")
    for want, status, body in (("bytes=0-3", 206, b"0123"), ("bytes=8-", 206, b"89"), ("bytes=-2", 206, b"89"),
                               ("bytes=5-500", 206, b"56789"), ("bytes=3-2", 200, b"0123456789"), ("bytes=x", 200, None),
                               ("bytes=0-1,3-4", 200, None), ("bytes=10-", 416, None), ("bytes=-0", 416, None)):
        got = c.get("r", Range=want)
        is_(got.status, status)
        assert body is None or got.body == body, want
    is_(c.get("r", Range="bytes=2-4").headers["content-range"], "bytes 2-4/10")
    c.put("empty")
    is_(c.get("empty", Range="bytes=0-").status, 416)


def conditions(w, c):
    tag = c.put("c", b"1").headers["etag"]
    when = c.get("c").headers["last-modified"]
    is_(c.get("c", If_None_Match=tag).status, 304)
    is_(c.get("c", If_None_Match='"x"').status, 200)
    is_(c.get("c", If_Match=tag).status, 200)
    refused(c.get("c", If_Match='"x"'), 412, "PreconditionFailed")
    is_(c.get("c", If_Modified_Since=when).status, 304)
    is_(c.get("c", If_Modified_Since="Fri, 24 May 2013 00:00:00 GMT").status, 200)
    is_(c.get("c", If_Unmodified_Since="Fri, 24 May 2013 00:00:00 GMT").status, 412)
    refused(c.put("c", b"2", If_None_Match="*"), 412, "PreconditionFailed")
    is_(c.put("new-one", b"2", If_None_Match="*").status, 200)
    refused(c.put("c", b"2", If_Match='"x"'), 412, "PreconditionFailed")
    is_(c.put("c", b"2", If_Match=tag).status, 200)
    refused(c.put("nowhere", b"2", If_Match=tag), 404, "NoSuchKey")
    is_(c.get("c").body, b"2")
    is_(list(w.work.iterdir()), [])


def one_of_many_creates(w, c):
    won = []

    def race(i):
        if w.client().put("race", str(i).encode(), If_None_Match="*").status == 200:
            won.append(i)
    threads = [threading.Thread(target=race, args=(i,)) for i in range(12)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    is_(len(won), 1)
    is_(c.get("race").body, str(won[0]).encode())


def checksums(w, c):
    body = b"checked" * 1000
    is_(c.put("s", body, Content_MD5=b64(hashlib.md5(body).digest())).status, 200)
    refused(c.put("s", body, Content_MD5=b64(hashlib.md5(b"").digest())), 400, "BadDigest")
    refused(c.put("s", body, Content_MD5="nonsense"), 400, "InvalidDigest")
    for name, good in (("crc32", crc32(body)), ("sha1", b64(hashlib.sha1(body).digest())),
                       ("sha256", b64(hashlib.sha256(body).digest()))):
        got = c.ask("PUT", "s", body=body, headers={f"x-amz-checksum-{name}": good})
        is_((got.status, got.headers.get(f"x-amz-checksum-{name}")), (200, good))
        is_(c.get("s", x_amz_checksum_mode="ENABLED").headers[f"x-amz-checksum-{name}"], good)
        assert f"x-amz-checksum-{name}" not in c.get("s").headers
        wrong = b64(b"\0" * len(base64.b64decode(good)))
        refused(c.ask("PUT", "s", body=body, headers={f"x-amz-checksum-{name}": wrong}), 400, "BadDigest")
    # The check values that everybody publishes for "123456789".
    for name, good in (("crc32c", 0xe3069283), ("crc64nvme", 0xae8b14860a799888)):
        value = b64(good.to_bytes(8 if "64" in name else 4, "big"))
        is_(c.ask("PUT", "s", body=b"123456789", headers={f"x-amz-checksum-{name}": value}).status, 200)
        refused(c.ask("PUT", "s", body=b"12345678", headers={f"x-amz-checksum-{name}": value}), 400, "BadDigest")
    refused(c.ask("PUT", "s", body=b"x", payload=digest(b"y")), 400, "XAmzContentSHA256Mismatch")
    is_(c.ask("PUT", "s", body=b"x", payload=UNSIGNED).status, 200)
    is_(c.get("s").body, b"x")


def chunked(w, c):
    pieces = [os.urandom(65536), os.urandom(65536), b"rest"]
    whole = b"".join(pieces)
    is_(c.chunked("k", pieces).headers["etag"], f'"{md5(whole)}"')
    is_(c.get("k").body, whole)
    assert "content-encoding" not in c.get("k").headers
    crc = ("x-amz-checksum-crc32", crc32(whole))
    for signed in (True, False):
        is_(c.chunked("k2", pieces, crc, signed).status, 200)
        is_(c.get("k2").body, whole)
        refused(c.chunked("k2", pieces, (crc[0], crc32(b"")), signed), 400, "BadDigest")
    refused(c.chunked("k", pieces, bend=lambda n, p: p[:-1] + b"!" if n == 1 else p), 403, "SignatureDoesNotMatch")
    refused(c.chunked("k", pieces, crc, bend=lambda n, p: p[::-1] if n == 0 else p), 403, "SignatureDoesNotMatch")
    is_(c.get("k").body, whole)
    is_(c.chunked("k3", []).status, 200)
    is_(c.get("k3").body, b"")


def chunked_nonsense(w, c):
    """What claims to be aws-chunked and is not: refused, whatever it is, and nothing is kept."""
    rnd = random.Random(7)
    head = {"Content-Encoding": "aws-chunked", "x-amz-decoded-content-length": 5}
    good = b"5\r\nhello\r\n0\r\n\r\n"
    bodies = [b"", b"5", b"5\r\nhell", b"5\r\nhello0\r\n\r\n", b"ffffffffffffffff\r\nhello", b"-5\r\nhello\r\n0\r\n\r\n",
              b"x" * 10000, b"5;chunk-signature=abc\r\nhello\r\n0\r\nevil: 1\r\n\r\n", good + b"more",
              b"6\r\nhello!\r\n0\r\n\r\n", b"4\r\nhell\r\n0\r\n\r\n"]
    bodies += [bytes(rnd.randrange(256) for _ in range(rnd.randrange(40))) for _ in range(30)]
    wire, headers, _ = c.head("PUT", "n", (), {**head, "x-amz-trailer": "x-amz-checksum-crc32"},
                              "STREAMING-UNSIGNED-PAYLOAD-TRAILER")
    for body in bodies:
        assert c.send("PUT", wire, headers, body).status in (400, 403), body
    refused(c.get("n"), 404, "NoSuchKey")
    refused(c.ask("PUT", "n", payload="STREAMING-AWS4-HMAC-SHA256-PAYLOAD"), 411, "MissingContentLength")


def keys(w, c):
    for bad in ("../x", "a/../../x", "a//b", "/x", "a/./b", "..", "x/.."):
        refused(c.put(bad, b"1"), 400, "InvalidArgument")
        is_(c.get(bad).status, 400)
    for bad in ("n" * 256, "d/" + "n" * 256 + "/x", "k/" * 513):
        refused(c.put(bad, b"1"), 400, "KeyTooLongError")
    wire, headers, _ = c.head("GET", "x%00y")
    assert c.send("GET", "/team/x%00y", headers).status in (400, 403)
    assert not (w.data.parent / "x").exists() and not (w.state / "x").exists()
    odd = ["n" * 255, "a b+c%20&=?#;:@'\"<>\\", "数据/训练 集.txt", "e\u0301", "-rf", "~", "d" * 200 + "/" + "e" * 200,
           "tab\tand\x01control"]
    for key in odd:
        is_(c.put(key, key.encode()).status, 200)
        is_(c.get(key).body, key.encode())
    got = [urllib.parse.unquote(k) for k in c.list(encoding_type="url").all("Contents/Key")]
    assert set(odd) <= set(got), set(odd) - set(got)
    for key in odd:
        is_(c.ask("DELETE", key).status, 204)
    for raw in ("/team/a%2f..%2f..%2fx", "/team/%2e%2e/x"):
        assert c.send("GET", raw, c.head("GET", "x")[1]).status in (400, 403)


def in_the_way(w, c):
    is_(c.put("file", b"1").status, 200)
    refused(c.put("file/below", b"1"), 409, "ObjectInTheWay")
    is_(c.put("dir/x", b"1").status, 200)
    refused(c.put("dir", b"1"), 409, "ObjectInTheWay")
    is_((w.data / "dir/x").read_bytes(), b"1")
    refused(c.get("file/below"), 404, "NoSuchKey")
    refused(c.get("dir"), 404, "NoSuchKey")


def markers(w, c):
    is_(c.put("m/").status, 200)
    assert (w.data / "m").is_dir()
    is_(c.ask("HEAD", "m/").status, 200)
    is_(c.list(prefix="m/").all("Contents/Key"), ["m/"])
    refused(c.put("m/", b"bytes"), 400, "InvalidArgument")
    is_(c.put("m/x", b"1").status, 200)
    is_(c.list(prefix="m/").all("Contents/Key"), ["m/x"])
    is_(c.ask("DELETE", "m/").status, 204)
    is_(c.get("m/x").status, 200)
    is_(c.ask("DELETE", "m/x").status, 204)
    is_(c.list(prefix="m/").all("Contents/Key"), ["m/"])
    is_(c.ask("DELETE", "m/").status, 204)
    refused(c.get("m/"), 404, "NoSuchKey")


def no_way_out(w, c):
    """Links and pipes that somebody made inside an instance."""
    secret = w.dir / "secret"
    secret.write_text("secret")
    os.symlink(secret, w.data / "link")
    os.symlink(w.dir, w.data / "linkdir")
    os.mkfifo(w.data / "pipe")
    for key in ("link", "linkdir/secret", "pipe"):
        refused(c.get(key), 404, "NoSuchKey")
    refused(c.put("linkdir/new", b"1"), 409, "ObjectInTheWay")
    assert not (w.dir / "new").exists()
    is_(c.ask("DELETE", "linkdir/secret").status, 204)
    is_(c.ask("DELETE", "link").status, 204)
    is_(secret.read_text(), "secret")
    assert os.path.islink(w.data / "link")
    assert not {"link", "linkdir/secret", "pipe"} & set(c.list().all("Contents/Key"))
    is_(c.put("link", b"mine").status, 200)
    is_((secret.read_text(), c.get("link").body), ("secret", b"mine"))
    os.unlink(w.data / "linkdir")
    os.unlink(w.data / "pipe")


# --- lists
def model_list(keys_, prefix, delimiter, after, most):
    """What S3 says a list is, over a plain sorted list."""
    out, groups = [], []
    for k in sorted(keys_, key=str.encode):
        if not k.startswith(prefix) or k <= after:
            continue
        at = k.find(delimiter, len(prefix)) if delimiter else -1
        entry = (k[:at + len(delimiter)], True) if at >= 0 else (k, False)
        if entry[1] and (entry[0] in groups or entry[0] == after):
            continue
        if len(out) == most:
            return out, True
        out.append(entry)
        if entry[1]:
            groups.append(entry[0])
    return out, False


def lists(w, c):
    l = w.client(w.api("POST", "/v1/storages", {"name": "lists", "size_gib": 1}))
    rnd = random.Random(int(os.environ.get("SV_SEED", "5")))
    words = ["a", "a.b", "a-b", "ab", "b", "0", "z", "中", "x y"]
    names = {"/".join(rnd.choice(words) for _ in range(rnd.randrange(1, 4))) for _ in range(160)}
    names = {n for n in names if not any(o.startswith(n + "/") for o in names)}
    for n in names:
        is_(l.put(n, b"1").status, 200)
    is_(l.list().all("Contents/Key"), sorted(names, key=str.encode))
    for _ in range(60):
        prefix = rnd.choice(["", "a", "a/", "b/a", "中/", "a.b/", "nope", "x"])
        delimiter = rnd.choice(["", "/", "/", "b", "-"])
        most = rnd.choice([1, 2, 7, 1000])
        after = rnd.choice(["", "", rnd.choice(sorted(names)), "b", "a/"])
        second = rnd.random() < 0.7
        query = {"prefix": prefix, "max-keys": str(most)}
        if delimiter:
            query["delimiter"] = delimiter
        seen, want, pages = [], [], 0
        at, token = after, None
        while True:
            page, more = model_list(names, prefix, delimiter, at, most)
            want += page
            q = [("list-type", "2")] if second else []
            q += list(query.items()) + ([("continuation-token", token)] if token and second else
                                        [("start-after" if second else "marker", at)] if at else [])
            got = l.ask("GET", query=q)
            is_(got.status, 200)
            seen += [(k, False) for k in got.all("Contents/Key")]
            seen += [(k, True) for k in got.all("CommonPrefixes/Prefix")]
            is_(got.text("IsTruncated"), "true" if more else "false")
            if not more or pages > 400:
                break
            at, pages = page[-1][0], pages + 1
            token = got.text("NextContinuationToken")
            if not second:
                is_(got.text("NextMarker"), at)
        is_(sorted(seen), sorted(want))
    refused(l.list(max_keys="x"), 400, "InvalidArgument")
    refused(l.list(continuation_token="!"), 400, "InvalidArgument")
    is_(l.list(max_keys="0").text("IsTruncated"), "false")
    is_(l.list(fetch_owner="true").text("Contents/Owner/ID") is not None, True)


def many_in_one_directory(w, c):
    big = w.client(w.api("POST", "/v1/storages", {"name": "big", "size_gib": 1}))
    where = w.state / "storages" / w.api("GET", "/v1/storages?name=big")["items"][0]["id"] / "data/d"
    where.mkdir()
    want = [f"d/{i:05d}" for i in range(2500)]
    for k in want:
        (where.parent / k).touch()
    seen, token = [], None
    while True:
        got = big.list(**({"continuation_token": token} if token else {}))
        seen += got.all("Contents/Key")
        token = got.text("NextContinuationToken")
        if not token:
            break
    is_(seen, want)
    is_(big.list(delimiter="/").all("CommonPrefixes/Prefix"), ["d/"])


# --- more than one
def deletes(w, c):
    for i in range(5):
        c.put(f"del/{i}", b"1")
    body = b"<Delete xmlns='http://s3.amazonaws.com/doc/2006-03-01/'>" + b"".join(
        f"<Object><Key>del/{k}</Key></Object>".encode() for k in (0, 1, "none", "../x")) + b"</Delete>"
    got = c.ask("POST", query=[("delete", "")], body=body)
    is_((got.status, got.all("Deleted/Key"), got.all("Error/Key")),
        (200, ["del/0", "del/1", "del/none"], ["del/../x"]))
    quiet = b"<Delete><Object><Key>del/2</Key></Object><Quiet>true</Quiet></Delete>"
    got = c.ask("POST", query=[("delete", "")], body=quiet)
    is_((got.status, got.all("Deleted/Key")), (200, []))
    is_(c.list(prefix="del/").all("Contents/Key"), ["del/3", "del/4"])
    for bad in (b"", b"<Delete>", b"<Other/>", b"<Delete><Object><Key>del/3</Key></Object>",
                b"<!DOCTYPE x [<!ENTITY a 'b'>]><Delete><Object><Key>del/3</Key></Object></Delete>",
                b"<Delete>" + b"<a>" * 100, b"<Delete>" + b"<Object><Key>del/3</Key></Object>" * 1001 + b"</Delete>"):
        refused(c.ask("POST", query=[("delete", "")], body=bad), 400, "MalformedXML")
    is_(c.get("del/3").status, 200)


def copies(w, c):
    c.put("src", b"copy me", Content_Type="text/a", x_amz_meta_k="1")
    got = c.ask("PUT", "dst é", headers={"x-amz-copy-source": "/team/src"})
    is_((got.status, got.text("ETag")), (200, f'"{md5(b"copy me")}"'))
    h = c.get("dst é").headers
    is_((h["content-type"], h["x-amz-meta-k"]), ("text/a", "1"))
    is_(c.ask("PUT", "dst2", headers={"x-amz-copy-source": "team/dst%20%C3%A9",
                                      "x-amz-metadata-directive": "REPLACE", "x-amz-meta-k": "2"}).status, 200)
    is_(c.get("dst2").headers["x-amz-meta-k"], "2")
    is_(c.ask("PUT", "src", headers={"x-amz-copy-source": "/team/src", "x-amz-metadata-directive": "REPLACE",
                                     "Content-Type": "text/b"}).status, 200)
    got = c.get("src")
    is_((got.body, got.headers["content-type"], got.headers["etag"]), (b"copy me", "text/b", f'"{md5(b"copy me")}"'))
    refused(c.ask("PUT", "x", headers={"x-amz-copy-source": "/team/nope"}), 404, "NoSuchKey")
    refused(c.ask("PUT", "x", headers={"x-amz-copy-source": "/team/../secret"}), 400, "InvalidArgument")
    refused(c.ask("PUT", "x", headers={"x-amz-copy-source": "/team/src", "x-amz-copy-source-if-match": "x"}), 412, None)


def start_upload(c, key, **headers):
    got = c.ask("POST", key, query=[("uploads", "")], headers={k.replace("_", "-"): v for k, v in headers.items()})
    is_(got.status, 200)
    return got.text("UploadId")


def put_part(c, key, upload, n, body, headers=None):
    return c.ask("PUT", key, query=[("partNumber", str(n)), ("uploadId", upload)], body=body, headers=headers)


def complete(c, key, upload, parts, headers=None):
    body = "<CompleteMultipartUpload>" + "".join(
        f"<Part><PartNumber>{n}</PartNumber><ETag>{tag}</ETag></Part>" for n, tag in parts) + "</CompleteMultipartUpload>"
    return c.ask("POST", key, query=[("uploadId", upload)], body=body.encode(), headers=headers)


def uploads(w, c):
    parts = [os.urandom(300000), os.urandom(200000), b"end"]
    up = start_upload(c, "big/one", Content_Type="text/big", x_amz_meta_a="b")
    is_(c.ask("GET", query=[("uploads", "")]).all("Upload/UploadId"), [up])
    tags = {}
    for n in (3, 1, 2):
        is_(put_part(c, "big/one", up, n, b"first try").status, 200)
        tags[n] = put_part(c, "big/one", up, n, parts[n - 1]).headers["etag"]
        is_(tags[n], f'"{md5(parts[n - 1])}"')
    got = c.ask("GET", "big/one", query=[("uploadId", up), ("max-parts", "2")])
    is_((got.all("Part/PartNumber"), got.text("IsTruncated")), (["1", "2"], "true"))
    got = c.ask("GET", "big/one", query=[("uploadId", up), ("part-number-marker", "2")])
    is_((got.all("Part/Size"), got.text("IsTruncated")), (["3"], "false"))
    refused(c.get("big/one"), 404, "NoSuchKey")
    refused(complete(c, "big/one", up, [(2, tags[2]), (1, tags[1])]), 400, "InvalidPartOrder")
    refused(complete(c, "big/one", up, [(1, tags[2])]), 400, "InvalidPart")
    refused(complete(c, "big/one", up, [(9, tags[2])]), 400, "InvalidPart")
    refused(complete(c, "big/one", up, []), 400, "MalformedXML")
    refused(complete(c, "other", up, [(1, tags[1])]), 404, "NoSuchUpload")
    w.kill()  # what was acknowledged is there whoever dies
    w.begin()
    got = complete(c, "big/one", up, sorted(tags.items()))
    joined = hashlib.md5(b"".join(hashlib.md5(p).digest() for p in parts)).hexdigest()
    is_((got.status, got.text("ETag")), (200, f'"{joined}-3"'))
    got = c.get("big/one")
    is_((got.body == b"".join(parts), got.headers["content-type"], got.headers["x-amz-meta-a"], got.headers["etag"]),
        (True, "text/big", "b", f'"{joined}-3"'))
    refused(complete(c, "big/one", up, sorted(tags.items())), 404, "NoSuchUpload")
    is_(c.list(prefix="big/").text("Contents/ETag"), f'"{joined}-3"')


def upload_ends(w, c):
    up = start_upload(c, "gone")
    put_part(c, "gone", up, 1, b"1")
    is_(c.ask("DELETE", "gone", query=[("uploadId", up)]).status, 204)
    refused(put_part(c, "gone", up, 1, b"1"), 404, "NoSuchUpload")
    refused(c.ask("DELETE", "gone", query=[("uploadId", "../../data")]), 404, "NoSuchUpload")
    is_(list(w.work.iterdir()), [])
    up = start_upload(c, "part/copy")
    for n in ("0", "10001", "x", ""):
        got = c.ask("PUT", "part/copy", query=[("partNumber", n), ("uploadId", up)], body=b"1")
        refused(got, 400, "InvalidArgument")
    c.put("src", b"0123456789")
    tags = []
    for n, span in ((1, "bytes=0-4"), (2, "bytes=7-9")):
        got = c.ask("PUT", "part/copy", query=[("partNumber", str(n)), ("uploadId", up)],
                    headers={"x-amz-copy-source": "/team/src", "x-amz-copy-source-range": span})
        is_(got.status, 200)
        tags.append((n, got.text("ETag")))
    got = c.ask("PUT", "part/copy", query=[("partNumber", "3"), ("uploadId", up)],
                headers={"x-amz-copy-source": "/team/src", "x-amz-copy-source-range": "bytes=5-10"})
    refused(got, 400, "InvalidArgument")
    is_(complete(c, "part/copy", up, tags).status, 200)
    is_(c.get("part/copy").body, b"01234789")


def large_upload(w, c):
    """Beyond what is put together at once: blanks go out meanwhile, and the object is whole."""
    part = os.urandom(1 << 20) * 40
    up = start_upload(c, "large")
    tags = [(n, put_part(c, "large", up, n, part).headers["etag"]) for n in (1, 2)]
    got = complete(c, "large", up, tags)
    is_(got.status, 200)
    assert got.text("ETag").endswith('-2"'), got.body
    is_((w.data / "large").stat().st_size, 80 << 20)
    got = c.ask("PUT", "large2", headers={"x-amz-copy-source": "/team/large"})
    is_((got.status, got.text("ETag")), (200, f'"{md5(part * 2)}"'))
    for k in ("large", "large2"):
        is_(c.ask("DELETE", k).status, 204)


def in_their_place(w, c):
    """Parts of one size are written once, where the object has them."""
    def begun(sizes, order):
        up = start_upload(c, "lay")
        data = {n: os.urandom(size) for n, size in enumerate(sizes, 1)}
        return up, data, {n: put_part(c, "lay", up, n, data[n]).headers["etag"] for n in order}

    def whole(up, data, tags, moved):
        there = (w.work / f"up-{up}/data").stat().st_ino
        is_(complete(c, "lay", up, sorted(tags.items())).status, 200)
        is_(c.get("lay").body == b"".join(data[n] for n in sorted(tags)), True)
        is_((w.data / "lay").stat().st_ino != there, moved)
        is_(list(w.work.iterdir()), [])
    up, data, tags = begun([100000] * 3 + [17], [2, 4, 1, 3])
    is_(sum(p.lstat().st_size for p in (w.work / f"up-{up}").glob("0*")), 0)
    whole(up, data, tags, moved=False)
    # The short one first, other sizes, numbers left out: copied together.
    whole(*begun([100000, 100000, 17], [3, 1, 2]), moved=True)
    whole(*begun([100000, 70000, 100000], [1, 2, 3]), moved=True)
    up, data, tags = begun([1000] * 7, [1, 3, 7])
    whole(up, data, tags, moved=True)
    up, data, tags = begun([1000] * 4, [1, 2, 3, 4])
    whole(up, data, {n: tags[n] for n in (1, 2)}, moved=True)
    # One that is larger than the first lies for itself, and so does what comes anew.
    whole(*begun([1000, 2000], [1, 2]), moved=True)
    up, data, tags = begun([1000] * 3, [1, 2, 3])
    got = put_part(c, "lay", up, 2, b"spoilt" * 100, {"Content-MD5": b64(hashlib.md5(b"other").digest())})
    refused(got, 400, "BadDigest")
    refused(complete(c, "lay", up, sorted(tags.items()), {"If-None-Match": "*"}), 412, "PreconditionFailed")
    w.kill()
    w.begin()
    is_(c.ask("GET", "lay", query=[("uploadId", up)]).all("Part/Size"), ["1000"] * 3)
    data[2] = os.urandom(1000)
    tags[2] = put_part(c, "lay", up, 2, data[2]).headers["etag"]
    whole(up, data, tags, moved=False)


class Stalled:
    """A part that comes as far as one likes, over a connection of its own."""

    def __init__(self, c, key, upload, n, body):
        wire, headers, _ = c.head("PUT", key, [("partNumber", str(n)), ("uploadId", upload)], payload=UNSIGNED)
        head = "".join(f"{k}: {v}\r\n" for k, v in {**headers, "Content-Length": len(body)}.items())
        self.body, self.host = body, c.host
        self.socket = socket.create_connection(c.host.split(":"), timeout=30)
        self.socket.sendall(f"PUT {wire} HTTP/1.1\r\n{head}Expect: 100-continue\r\n\r\n".encode())
        assert b"100 Continue" in self.socket.recv(100)  # it has its place
        self.socket.sendall(body[:len(body) // 2])

    def finish(self):
        self.socket.sendall(self.body[len(self.body) // 2:])
        with self.socket:
            return self.socket.recv(4096)

    def cut(self):
        self.socket.close()


def two_write_one_part(w, c):
    """Half a part stalls while another of its number is acknowledged: that one stays, whatever becomes of the first."""
    size = 300000
    for how in ("cut", "late", "finish", "same"):
        for other in (size, size // 2):
            up = start_upload(c, "twice")
            part = {n: os.urandom(size) for n in (1, 2, 3)}
            part[3] = b"end"
            tags = {1: put_part(c, "twice", up, 1, part[1]).headers["etag"]}
            first = Stalled(c, "twice", up, 2, part[2] if how == "same" else os.urandom(size))
            here = w.work / f"up-{up}/data"
            wait(lambda: here.stat().st_size > size)
            part[2] = part[2] if how == "same" else os.urandom(other)
            for n in (2, 3):
                tags[n] = put_part(c, "twice", up, n, part[n]).headers["etag"]
            if how == "cut":
                first.cut()
            elif how != "late":
                got = first.finish()
                assert got.startswith(b"HTTP/1.1 200"), got
                if how == "finish":
                    part[2], tags[2] = first.body, f'"{md5(first.body)}"'
            got = c.ask("GET", "twice", query=[("uploadId", up)])
            is_(got.all("Part/ETag"), [tags[n] for n in (1, 2, 3)])
            is_(complete(c, "twice", up, sorted(tags.items())).status, 200)
            is_(c.get("twice").body == b"".join(part[n] for n in (1, 2, 3)), True)
            if how == "late":
                assert b" 404 " in first.finish()
            is_(list(w.work.iterdir()), [])


def parts_that_end_at_once(w, c):
    """Each ends while the other does: one of them is there."""
    up = start_upload(c, "pair")
    body = [os.urandom(1000), os.urandom(1000)]
    for _ in range(40):
        both = [Stalled(c, "pair", up, 1, b) for b in body]
        threads = [threading.Thread(target=s.finish) for s in both]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        got = c.ask("GET", "pair", query=[("uploadId", up)]).all("Part/ETag")
        assert len(got) == 1 and got[0] in [f'"{md5(b)}"' for b in body], got
    is_(complete(c, "pair", up, [(1, got[0])]).status, 200)


def two_complete_one_upload(w, c):
    """The second waits for the first, and then there is no such upload: never half an object, nor a part that is gone."""
    part = os.urandom(1 << 20) * 40
    for moved in (False, True):
        up = start_upload(c, "once")
        tags = [(n, put_part(c, "once", up, n, part).headers["etag"]) for n in (1, 2, 3)]
        stalled = Stalled(c, "once", up, 4, b"x" * 100) if moved else None  # so that the parts have to be copied
        answers = []
        threads = [threading.Thread(target=lambda: answers.append(complete(w.client(), "once", up, tags))) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        made = [a for a in answers if b"<ETag>" in a.body]
        is_([len(made), sorted({a.code for a in answers if a not in made})], [1, ["NoSuchUpload"]])
        is_(md5(c.get("once").body), md5(part * 3))
        if stalled:
            stalled.cut()
    wait(lambda: not list(w.work.iterdir()))
    is_(c.ask("DELETE", "once").status, 204)


def after_the_machine_died(w, c):
    """What was acknowledged and did not come to the disk is not taken for what it was."""
    up = start_upload(c, "cut")
    part = [os.urandom(200000) for _ in range(3)]
    tags = [(n, put_part(c, "cut", up, n, p).headers["etag"]) for n, p in enumerate(part, 1)]
    w.kill()
    here = w.work / f"up-{up}"
    with open(here / "data", "r+b") as f:
        f.seek(300000)
        f.write(b"\0" * 50000)
    (here / "boot").unlink()
    (here / "boot").symlink_to("another")
    w.begin()
    refused(complete(c, "cut", up, tags), 400, "InvalidPart")
    is_(c.ask("GET", "cut", query=[("uploadId", up)]).all("Part/PartNumber"), ["1", "3"])
    is_(put_part(c, "cut", up, 2, part[1]).headers["etag"], tags[1][1])
    is_(complete(c, "cut", up, tags).status, 200)
    is_(c.get("cut").body == b"".join(part), True)
    # It died between the object's place and the upload's end.
    up = start_upload(c, "cut")
    tag = put_part(c, "cut", up, 1, b"1").headers["etag"]
    (w.work / f"up-{up}/data").unlink()
    refused(complete(c, "cut", up, [(1, tag)]), 404, "NoSuchUpload")
    is_(c.ask("DELETE", "cut", query=[("uploadId", up)]).status, 404)
    shutil.rmtree(w.work / f"up-{up}")


def sums_of_the_whole(w, c):
    """A checksum at the completion is of the object, not of the document that completes it."""
    part = [os.urandom(100000), b"end"]
    for key, whole, want in (("right", b"".join(part), 200), ("wrong", part[0], 400)):
        up = start_upload(c, key)
        tags = [(n, put_part(c, key, up, n, p).headers["etag"]) for n, p in enumerate(part, 1)]
        got = complete(c, key, up, tags, {"x-amz-checksum-crc32": crc32(whole)})
        is_((got.status, got.code), (want, None if want == 200 else "BadDigest"))
    is_(c.ask("HEAD", "right", headers={"x-amz-checksum-mode": "ENABLED"}).headers["x-amz-checksum-crc32"],
        crc32(b"".join(part)))
    refused(c.get("wrong"), 404, "NoSuchKey")
    is_(complete(c, "wrong", up, tags).status, 200)


# --- what is not here, and limits
def not_here(w, c):
    for method, key, query in (("GET", None, "versioning"), ("PUT", None, "versioning"), ("GET", None, "acl"),
                               ("GET", "src", "acl"), ("PUT", "src", "tagging"), ("GET", None, "policy"),
                               ("GET", None, "lifecycle"), ("GET", None, "versions"), ("POST", "src", "select")):
        refused(c.ask(method, key, query=[(query, "")]), 501, "NotImplemented")
    refused(c.put("x", b"1", x_amz_acl="public-read"), 501, "NotImplemented")
    refused(c.put("x", b"1", x_amz_server_side_encryption="AES256"), 501, "NotImplemented")
    is_(c.put("x", b"1", x_amz_acl="private").status, 200)
    is_(c.ask("PUT").status, 200)
    is_(c.ask("PUT").status, 200)
    is_(c.ask("HEAD").status, 200)
    refused(c.ask("DELETE"), 403, "AccessDenied")
    is_(c.ask("GET", query=[("location", "")]).status, 200)


def full_storages(w, c):
    full = w.client(w.api("POST", "/v1/storages", {"name": "full", "size_gib": 1}))
    where = w.state / "storages" / w.api("GET", "/v1/storages?name=full")["items"][0]["id"] / "data"
    with open(where / "hole", "wb") as f:
        f.truncate((1 << 30) - 100)
    refused(full.put("x", b"x" * 200), 403, "QuotaExceeded")
    is_(full.put("x", b"x" * 50).status, 200)
    wire, headers, _ = full.head("PUT", "z", payload=UNSIGNED)
    got = full.send("PUT", wire, {**headers, "Transfer-Encoding": "chunked"}, iter([b"x" * 200, b"x"]))
    refused(got, 403, "QuotaExceeded")
    wait(lambda: w.api("GET", f"/v1/storages/{where.parent.name}")["used_bytes"] > 1 << 29)
    w.api("PATCH", f"/v1/storages/{where.parent.name}", {"size_gib": 2})
    is_(full.put("y", b"x" * 200).status, 200)
    w.api("DELETE", f"/v1/storages/{where.parent.name}")
    refused(full.list(), 403, "InvalidAccessKeyId")
    wait(lambda: not where.exists())


def nearly_full(w, c):
    """What waits, what is on its way and what is replaced count as what they are."""
    tight = w.client(w.api("POST", "/v1/storages", {"name": "tight", "size_gib": 1}))
    id_ = w.api("GET", "/v1/storages?name=tight")["items"][0]["id"]
    where = w.state / "storages" / id_ / "data"
    with open(where / "hole", "wb") as f:
        f.truncate((1 << 30) - 1000)
    up = start_upload(tight, "parts")
    tag = put_part(tight, "parts", up, 1, b"x" * 600).headers["etag"]
    refused(put_part(tight, "parts", up, 2, b"x" * 600), 403, "QuotaExceeded")
    refused(tight.put("x", b"x" * 600), 403, "QuotaExceeded")
    is_(put_part(tight, "parts", up, 1, b"y" * 300).status, 200)
    is_(tight.put("x", b"x" * 600).status, 200)
    refused(complete(tight, "parts", up, [(1, tag)]), 400, "InvalidPart")
    is_(tight.ask("DELETE", "parts", query=[("uploadId", up)]).status, 204)
    is_(tight.put("x", b"x" * 900).status, 200)
    refused(tight.put("x", b"x" * 1100), 403, "QuotaExceeded")
    is_(tight.ask("PUT", "x", headers={"x-amz-copy-source": "/tight/x", "x-amz-metadata-directive": "REPLACE"}).status, 200)
    is_(tight.ask("DELETE", "x").status, 204)
    wire, headers, _ = tight.head("PUT", "slow", payload=UNSIGNED)
    text = "".join(f"{k}: {v}\r\n" for k, v in {**headers, "Content-Length": 800, "Expect": "100-continue"}.items())
    with socket.create_connection(tight.host.split(":"), timeout=30) as s:
        s.sendall(f"PUT {wire} HTTP/1.1\r\n{text}\r\n".encode())
        assert b"100 Continue" in s.recv(100)
        refused(tight.put("x", b"x" * 800), 403, "QuotaExceeded")
    wait(lambda: tight.put("x", b"x" * 800).status == 200)
    w.api("PATCH", f"/v1/storages/{id_}", {"size_gib": 2})
    if os.geteuid():  # nothing is shut to root
        (where / "shut").mkdir(mode=0)
        wait(lambda: w.api("GET", f"/v1/storages/{id_}")["used_bytes"] is None)
        is_(w.api("PATCH", f"/v1/storages/{id_}", {"size_gib": 1}, 422)["errors"][0]["field"], "size_gib")
        (where / "shut").rmdir()
    w.api("DELETE", f"/v1/storages/{id_}")


def deeply_full(w, c):
    """What lies deep counts as what lies above, and so does what is beside a directory that nobody may enter."""
    made = w.api("POST", "/v1/storages", {"name": "deep", "size_gib": 1})
    where = w.state / "storages" / made["id"] / "data"
    at = os.open(where, os.O_RDONLY)
    for _ in range(200):  # far beyond the longest path
        os.mkdir("d" * 200, dir_fd=at)
        below = os.open("d" * 200, os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    hole = os.open("hole", os.O_CREAT | os.O_WRONLY, dir_fd=at)
    os.truncate(hole, (1 << 30) - 100)
    os.close(hole)
    os.close(at)
    (where / "shut").mkdir(mode=0)
    deep = w.client(made)
    refused(deep.put("x", b"x" * 200), 403, "QuotaExceeded")
    is_(deep.put("x", b"x" * 50).status, 200)
    (where / "shut").rmdir()
    wait(lambda: w.api("GET", f"/v1/storages/{made['id']}")["used_bytes"] == (1 << 30) - 50)
    w.api("DELETE", f"/v1/storages/{made['id']}")
    wait(lambda: not where.exists())


def raw(c, text, seconds=30):
    with socket.create_connection(c.host.split(":"), timeout=seconds) as s:
        s.sendall(text)
        return s.recv(4096)


def expects(w, c):
    """100 Continue before the body; a refusal instead of it."""
    wire, headers, _ = c.head("PUT", "e", payload=UNSIGNED)
    head = "".join(f"{k}: {v}\r\n" for k, v in {**headers, "Content-Length": 5, "Expect": "100-continue"}.items())
    with socket.create_connection(c.host.split(":"), timeout=30) as s:
        s.sendall(f"PUT {wire} HTTP/1.1\r\n{head}\r\n".encode())
        assert s.recv(4096).startswith(b"HTTP/1.1 100"), "no leave to send"
        s.sendall(b"hello")
        assert s.recv(4096).startswith(b"HTTP/1.1 200")
    bad = head.replace("Signature=", "Signature=0")
    assert raw(c, f"PUT {wire} HTTP/1.1\r\n{bad}\r\n".encode()).startswith(b"HTTP/1.1 4")


# --- what must never be seen
def whole_or_not(w, c):
    """Who reads while it is written sees one object or another, whole."""
    sizes = [1, 200000, 3000000]
    bodies = {md5(bytes([65 + i]) * n): bytes([65 + i]) * n for i, n in enumerate(sizes)}
    c.put("whole", next(iter(bodies.values())))
    stop, wrong, reads = threading.Event(), [], [0]

    def read():
        mine = w.client()
        while not stop.is_set():
            got = mine.get("whole")
            reads[0] += 1
            if got.status != 200 or md5(got.body) not in bodies or got.headers["etag"] != f'"{md5(got.body)}"':
                wrong.append((got.status, len(got.body), got.headers.get("etag")))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for t in readers:
        t.start()
    for i in range(45):
        is_(c.put("whole", list(bodies.values())[i % 3]).status, 200)
    wait(lambda: reads[0] > 20 or wrong)
    stop.set()
    for t in readers:
        t.join()
    is_(wrong, [])


def killed_in_the_middle(w, c):
    is_(c.put("safe", b"old").status, 200)
    wire, headers, _ = c.head("PUT", "safe", payload=UNSIGNED)
    head = "".join(f"{k}: {v}\r\n" for k, v in {**headers, "Content-Length": 10 << 20}.items())
    with socket.create_connection(c.host.split(":"), timeout=30) as s:
        s.sendall(f"PUT {wire} HTTP/1.1\r\n{head}\r\n".encode() + b"x" * (1 << 20))
        wait(lambda: any(p.stat().st_size for p in w.work.glob("tmp-*")))
        w.kill()
    w.begin()
    is_((c.get("safe").body, list(w.work.iterdir())), (b"old", []))
    with socket.create_connection(c.host.split(":"), timeout=30) as s:  # a client that goes away
        wire, headers, _ = c.head("PUT", "safe", payload=UNSIGNED)
        head = "".join(f"{k}: {v}\r\n" for k, v in {**headers, "Content-Length": 10 << 20}.items())
        s.sendall(f"PUT {wire} HTTP/1.1\r\n{head}\r\n".encode() + b"x" * (1 << 20))
        wait(lambda: any(w.work.glob("tmp-*")))
    wait(lambda: not any(w.work.glob("tmp-*")))
    is_(c.get("safe").body, b"old")


def server_pids(w):
    found = []
    for p in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            name, rest = p.read_text().split("(", 1)[1].rsplit(")", 1)
        except (OSError, IndexError):
            continue
        if name == "svctl-local-s3" and int(rest.split()[1]) == w.pid():
            found.append(int(p.parent.name))
    return found


def server_dies(w, c):
    """The same door, another server behind it; it does not outlive its daemon."""
    is_(c.list().status, 200)
    first = server_pids(w)
    is_(len(first), 1)
    os.kill(first[0], 9)
    wait(lambda: server_pids(w) != first)
    is_(c.list().status, 200)
    second = server_pids(w)
    w.kill()
    wait(lambda: not pathlib.Path(f"/proc/{second[0]}").exists())
    w.begin()
    is_(c.list().status, 200)


def bounded_memory(w, c):
    """A large body goes through: the server grows by far less."""
    c.list()
    pid = server_pids(w)[0]

    def peak():
        return int(next(s for s in open(f"/proc/{pid}/status") if s.startswith("VmHWM")).split()[1])
    before, piece = peak(), b"m" * (1 << 20)
    wire, headers, _ = c.head("PUT", "huge", payload=UNSIGNED)
    conn = http.client.HTTPConnection(c.host, timeout=300)
    conn.putrequest("PUT", wire, skip_host=True, skip_accept_encoding=True)
    for k, v in {**headers, "Content-Length": 300 << 20}.items():
        conn.putheader(k, str(v))
    conn.endheaders()
    for _ in range(300):
        conn.send(piece)
    is_(conn.getresponse().status, 200)
    conn.close()
    assert peak() - before < 30000, f"{peak() - before} KiB more"
    is_(c.ask("DELETE", "huge").status, 204)


CASES = [
    ("nothing is served unsigned, or signed otherwise", signed_only),
    ("a request of another hour is none", clocks),
    ("links work for their time, their method and their key", presigned),
    ("a key opens its own storage alone", one_key_one_storage),
    ("objects are files, and files objects", both_ways),
    ("headers of an object are kept, within bounds", headers_are_kept),
    ("a part of an object", ranges),
    ("conditions", conditions),
    ("of many that must be first one is", one_of_many_creates),
    ("checksums of six kinds are verified and kept", checksums),
    ("bodies in chunks, signed and not, with what trails", chunked),
    ("nonsense in chunks is refused", chunked_nonsense),
    ("keys that are no paths are refused, odd ones are not", keys),
    ("a file and a directory do not take each other's place", in_the_way),
    ("directories are keys that end in a slash", markers),
    ("nothing leads out of a storage", no_way_out),
    ("lists are what a plain model says", lists),
    ("a directory of thousands, page by page", many_in_one_directory),
    ("many are deleted at once, after all was read", deletes),
    ("copies", copies),
    ("uploads in parts survive kill -9", uploads),
    ("uploads end, and parts are copied", upload_ends),
    ("a large upload is put together", large_upload),
    ("parts lie where the object has them", in_their_place),
    ("a part that was acknowledged stays, whoever else writes it", two_write_one_part),
    ("of two parts that end at once one is there", parts_that_end_at_once),
    ("an upload is completed once", two_complete_one_upload),
    ("parts that a power cut spoilt are not there", after_the_machine_died),
    ("a checksum at the completion is the object's", sums_of_the_whole),
    ("what is not here says so", not_here),
    ("a storage is full at its size", full_storages),
    ("nothing gets past a storage's size", nearly_full),
    ("a storage is as full however deep its files lie", deeply_full),
    ("a body waits for leave", expects),
    ("whoever reads sees one object, whole", whole_or_not),
    ("kill -9 and a lost client leave the old object", killed_in_the_middle),
    ("the server comes back, and goes with its daemon", server_dies),
    ("memory does not grow with bodies", bounded_memory),
]


def main():
    tap, w = Tap(), World()
    try:
        c = w.client()
        for name, fn in CASES:
            if not sys.argv[1:] or fn.__name__ in sys.argv[1:]:
                tap.case(name, fn, w, c)
    finally:
        w.end()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
