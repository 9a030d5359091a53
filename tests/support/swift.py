# SPDX-License-Identifier: MIT
"""OpenStack Swift with its S3 face, out of Debian's packages: unpacked into a directory, never installed, four processes
that end with the test."""
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time

import s3mock

ACCESS, SECRET, BUCKET = "test:tester", "testing", "team"
PACKAGES = ("swift-proxy swift-account swift-container swift-object python3-swift swift python3-pastedeploy "
            "python3-pastedeploy-tpl python3-paste python3-tempita python3-pastescript python3-eventlet python3-greenlet "
            "python3-dnspython python3-netifaces python3-xattr python3-pyeclib liberasurecode1 python3-lxml "
            "python3-requests python3-cffi python3-cffi-backend python3-pycparser python3-ply python3-six "
            "python3-setuptools python3-pkg-resources python3-certifi python3-charset-normalizer python3-chardet "
            "python3-idna python3-urllib3 python3-cryptography").split()
START = """import runpy, sys
from swift.common import utils
utils.SWIFT_CONF_FILE = sys.argv[1] + "/swift.conf"
utils.set_swift_dir(sys.argv[1])
sys.argv = sys.argv[2:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
FILTERS = {"catch_errors": "", "proxy-logging": "", "cache": "memcache_servers = 127.0.0.1:1", "listing_formats": "",
           "s3api": "location = us-east-1", "tempauth": "user_test_tester = testing .admin", "copy": "", "slo": "",
           "dlo": "", "versioned_writes": ""}
NAMES = {"cache": "memcache", "proxy-logging": "proxy_logging"}


class Missing(Exception):
    """It cannot be had here."""


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Swift:
    def __init__(self):
        self.top = pathlib.Path(tempfile.mkdtemp(prefix="sv-swift-"))
        self.tree, self.etc = self.top / "tree", self.top / "etc"
        self.running = {}
        try:
            self.unpack()
            self.configure()
            for name in ("object", "container", "account", "proxy"):
                self.start(name)
            self.wait()
        except BaseException:
            self.close()
            raise

    def unpack(self):
        debs = self.top / "debs"
        debs.mkdir()
        if not shutil.which("apt-get") or not os.path.exists("/usr/bin/python3"):
            raise Missing("not a Debian system")
        got = subprocess.run(["apt-get", "-qq", "download", *PACKAGES], cwd=debs, capture_output=True, text=True, check=False)
        if got.returncode:
            raise Missing(f"apt-get download: {got.stderr.strip()[-200:]}")
        for deb in debs.glob("*.deb"):
            subprocess.run(["dpkg", "-x", deb, self.tree], check=True)
        self.env = {"PATH": os.environ["PATH"], "HOME": str(self.top), "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8",
                    "PYTHONPATH": f"{self.tree}/usr/lib/python3/dist-packages",
                    "LD_LIBRARY_PATH": ":".join(str(p) for p in self.tree.glob("usr/lib/*-linux-gnu"))}

    def configure(self):
        (self.top / "node" / "d1").mkdir(parents=True)
        self.etc.mkdir()
        (self.top / "start.py").write_text(START, encoding="utf-8")
        self.ports = dict(zip(("object", "container", "account", "proxy"), free_ports(4)))
        (self.etc / "swift.conf").write_text("[swift-hash]\nswift_hash_path_prefix = a\nswift_hash_path_suffix = b\n"
                                             "[storage-policy:0]\nname = gold\ndefault = yes\n", encoding="utf-8")
        for name, port in self.ports.items():
            pipe = f"{name}-server" if name != "proxy" else " ".join([*FILTERS, "proxy-logging", "proxy-server"])
            text = (f"[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = {port}\nuser = {self.user()}\n"
                    f"swift_dir = {self.etc}\ndevices = {self.top}/node\nmount_check = false\nworkers = 0\n"
                    f"log_udp_host = 127.0.0.1\nlog_udp_port = 9\n[pipeline:main]\npipeline = {pipe}\n"
                    f"[app:{name}-server]\nuse = egg:swift#{name}\n")
            if name == "proxy":
                text += "account_autocreate = true\nallow_account_management = true\n"
                text += "".join(f"[filter:{f}]\nuse = egg:swift#{NAMES.get(f, f)}\n{more}\n" for f, more in FILTERS.items())
            else:
                builder = self.etc / f"{name}.builder"
                for words in (["create", "4", "1", "1"], ["add", f"r1z1-127.0.0.1:{port}/d1", "1"], ["rebalance"]):
                    subprocess.run(["/usr/bin/python3", f"{self.tree}/usr/bin/swift-ring-builder", builder, *words],
                                   env=self.env, stdout=subprocess.DEVNULL, check=words[0] != "rebalance")
            (self.etc / f"{name}-server.conf").write_text(text, encoding="utf-8")

    @staticmethod
    def user():
        return subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()

    def start(self, name):
        with open(self.top / f"{name}.log", "ab") as log:
            self.running[name] = subprocess.Popen(
                ["/usr/bin/python3", self.top / "start.py", self.etc, f"{self.tree}/usr/bin/swift-{name}-server",
                 f"{self.etc}/{name}-server.conf"], env=self.env, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def kill(self, name):
        self.running[name].kill()
        self.running[name].wait()

    def wait(self):
        until, last = time.monotonic() + 120, ""
        while time.monotonic() < until:
            try:
                status, last = s3mock.make_bucket(f"127.0.0.1:{self.ports['proxy']}", BUCKET, ACCESS, SECRET)
                if status in (200, 409):
                    return
            except OSError as e:
                last = e
            for name, p in self.running.items():
                if p.poll() is not None:
                    raise Missing(f"{name} ended: {(self.top / f'{name}.log').read_text(encoding='utf-8')[-300:]}")
            time.sleep(0.3)
        raise Missing(f"it does not answer: {last}")

    @property
    def url(self):
        return f"http://127.0.0.1:{self.ports['proxy']}"

    def close(self):
        for p in self.running.values():
            p.kill()
            p.wait()
        shutil.rmtree(self.top, ignore_errors=True)

