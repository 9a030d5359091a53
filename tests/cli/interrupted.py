#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an interrupt must not leave behind: what svctl began, and nobody else would end, is ended, and what stays is told
with its price. Prints TAP."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ["SV_BUILD"])
sys.path.insert(0, str(HERE.parent / "support"))
from peer import Peer, page  # noqa: E402
from terminal import Tap  # noqa: E402

IMAGE = {"id": "img_1", "name": "pytorch-2.2", "version": 1}


class Service:
    """Answers as a platform would on which a job waits for its instance; the signal comes while that is waited for."""

    def __init__(self, refuses=()):
        self.refuses, self.child, self.sent = refuses, None, threading.Event()
        self.status, self.peer = "queued", Peer(self.answer)

    def job(self):
        return {"id": "job_1", "name": "sft", "status": self.status, "instance": "ins_1", "workdir": "/root/x",
                "then": "stop", "version": 1}

    def instance(self):
        billed = self.status != "cancelled"
        return {"id": "ins_1", "name": "sft", "status": "provisioning" if billed else "stopping", "version": 2,
                "billing_active": billed, "price_per_hour": "56.000000", "residual_price_per_day": "0.800000",
                "operation_id": None}

    def interrupt(self):
        if not self.sent.is_set():
            self.sent.set()
            os.kill(self.child.pid, signal.SIGINT)
            threading.Event().wait(5)  # longer than the client waits after a signal

    def answer(self, method, path):
        place = path.split("?")[0]
        if (method, place) in self.refuses:
            return 503, {"code": "unavailable", "detail": "not now", "status": 503, "title": "x", "type": "x"}
        if place.startswith("/v1/images"):
            return 200, IMAGE
        if place == "/v1/keys":
            return page([]) if method == "GET" else (201, {"id": "key_1", "name": "k", "version": 1})
        if method == "GET" and "after_version" in path:
            self.interrupt()
            return None
        if place == "/v1/jobs/job_1/cancel":
            self.status = "cancelled"
        if method == "DELETE":
            self.status = "cancelled"
        if place.startswith("/v1/jobs"):
            return 202 if method == "POST" else 200, self.job()
        return 202 if method != "GET" else 200, self.instance()


def run(words, refuses=()):
    """Its exit status, what it said, and what it asked for after the signal."""
    service, home = Service(refuses), tempfile.mkdtemp(prefix="svint.", dir="/tmp")
    keep = {k: v for k, v in os.environ.items() if not re.match(r"(?i)(starverse|svctl|xdg_|lc_|lang|.*_proxy$)", k)}
    env = keep | {"HOME": home, "LC_ALL": "C.UTF-8", "TERM": "dumb", "STARVERSE_API_KEY": "k", "STARVERSE_RETRIES": "0",
                  "STARVERSE_ENDPOINT": service.peer.url}
    os.mkdir(home + "/x")
    service.child = subprocess.Popen([str(BUILD / "cli/svctl"), *words], env=env, cwd=home, stdin=subprocess.DEVNULL,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, restore_signals=True)
    try:
        out, err = service.child.communicate(timeout=60)
    finally:
        service.child.kill()
        service.peer.close()
        shutil.rmtree(home, ignore_errors=True)
    asked = [r for r in service.peer.requests if "after_version" not in r[1]]
    assert service.sent.is_set(), f"it never waited: {out}{err}{asked}"
    return service.child.returncode, out + err, asked


JOB = ["job", "run", "sft", "--gpu", "rtx-4090:4", "--image", "id:img_1", "--send", "x", "--", "true"]


def job_is_cancelled():
    code, said, asked = run(JOB)
    assert code == 130, (code, said)
    assert ("POST", "/v1/jobs/job_1/cancel") in asked, asked
    assert "job job_1 is cancelled" in said, said
    assert "instance sft is turned off; its disks go on costing 0.80 a day; svctl instance delete ins_1 ends that" in said, said


def job_that_stays_is_told():
    code, said, asked = run(JOB, {("POST", "/v1/jobs/job_1/cancel")})
    assert code == 130, (code, said)
    assert ("POST", "/v1/jobs/job_1/cancel") in asked, asked
    assert "job job_1 could not be cancelled: not now" in said and "svctl job cancel job_1 ends it" in said, said
    assert "instance sft goes on, 56.00 an hour; svctl instance delete ins_1 ends it" in said, said


def job_goes_on():
    words = JOB[:JOB.index("--send")] + JOB[JOB.index("--"):]
    code, said, asked = run(words)
    assert code == 130, (code, said)
    assert ("POST", "/v1/jobs/job_1/cancel") not in asked, asked
    assert "job sft (job_1) goes on" in said and "svctl job cancel job_1 ends it" in said, said
    assert "given up" not in said and "canceled" not in said, said


def create_is_rolled_back():
    code, said, asked = run(["instance", "create", "sft", "--gpu", "rtx-4090:4", "--image", "id:img_1", "--rollback"])
    assert code == 130, (code, said)
    assert ("DELETE", "/v1/instances/ins_1") in asked, asked
    assert "ins_1 is released" in said and "goes on" not in said, said


tap = Tap()
tap.check("a job that waits for its files is cancelled, and what it leaves is told", job_is_cancelled)
tap.check("one that cannot be cancelled is told, with its price", job_that_stays_is_told)
tap.check("one that needs nobody here goes on, and nothing says that it was cancelled", job_goes_on)
tap.check("a create that is to be rolled back is", create_is_rolled_back)
sys.exit(tap.finish())
