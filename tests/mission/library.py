#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The rows of run again, by programs that use the library: Python's (examples/python) and C's, against a platform of their
own; what they say is what svctl says. Prints TAP. library.py [N...] tries these rows alone."""
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from decimal import Decimal

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parents[1] / "examples" / "python"
BUILD = pathlib.Path(os.environ.get("SV_BUILD") or HERE.parents[1] / "build").resolve()
LIBRARY = BUILD / "lib" / "libstarverse.so"


def load(name, path):
    spec = importlib.util.spec_from_loader(name, importlib.machinery.SourceFileLoader(name, str(path)))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def sanitizer():
    """The runtime that has to come first in a program that loads a library built with ASan, or ""."""
    symbols = subprocess.run(["nm", "-D", str(LIBRARY)], stdout=subprocess.PIPE, check=True).stdout
    if b"__asan_init" not in symbols:
        return ""
    found = subprocess.run(["gcc", "-print-file-name=libasan.so"], stdout=subprocess.PIPE, check=True)
    return found.stdout.decode().strip()


mission = load("mission", HERE / "run")
same, within, Failed = mission.same, mission.within, mission.Failed


class World(mission.World):
    """The mission's, with a client of the library in this process and the examples as programs."""

    def __init__(self, preload):
        super().__init__()
        self.env.pop("LD_PRELOAD", None)
        self.preload = {"LD_PRELOAD": preload, "ASAN_OPTIONS": "detect_leaks=0"} if preload else {}
        self.client = None

    def open(self):
        for name in [n for n in os.environ if re.match("STARVERSE_|SVCTL_|XDG_", n)]:
            del os.environ[name]
        for name in ("HOME", "XDG_RUNTIME_DIR", "STARVERSE_LOCAL_COMMAND"):
            os.environ[name] = self.env[name]
        os.environ["LIBSTARVERSE"] = str(LIBRARY)
        self.client = load("starverse", EXAMPLES / "starverse.py").Client()

    def close(self):
        if self.client:
            self.client.__exit__()
        super().close()

    def call(self, *words, **body):
        return self.client.run(*words, **body)

    def made(self, kind, /, *words, **body):
        """What a call makes or changes, once that is done."""
        return self.client.wait(self.call(kind, *words, **body), kind)

    def gone(self, *things):
        for kind, thing in things:
            self.made(kind, "delete", thing["id"])

    def refused(self, *words, **body):
        """(the contract's code, what svctl would exit with) of a call that is refused."""
        try:
            self.call(*words, **body)
        except sys.modules["starverse"].Refused as e:
            return e.problem.get("code"), e.status
        raise Failed(f"{words} was not refused")

    def shell(self, instance, line, code=0):
        done = self.call("instance", "exec", instance["id"], command=["sh", "-c", line])
        same(f"exit of {line!r}", (done["exit_code"], done["stderr"] if code == 0 else ""), (code, ""))
        return done["stdout"].strip()

    def program(self, *words, env=None, code=0):
        p = subprocess.run([str(w) for w in words], env=self.env | (env or {}), cwd=self.home, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
        if p.returncode != code:
            raise Failed(f"{words}: exit {p.returncode}, not {code}: {p.stderr.decode()}{p.stdout.decode()}")
        return p.stdout.decode()

    def python(self, script, *words, code=0):
        return self.program("python3", EXAMPLES / script, *words, code=code,
                            env=self.preload | {"LIBSTARVERSE": str(LIBRARY), "PYTHONDONTWRITEBYTECODE": "1"})

    def c(self, name, *words, code=0):
        return self.program(BUILD / "examples" / f"example-{name}", *words, code=code)

    def agree(self, kind, thing):
        """What the library answers of a thing is what svctl does, but for what goes on meanwhile."""
        passing = {"cost", "updated_at", "version", "release_at", "uptime_seconds"}
        ours, theirs = self.call(kind, "get", thing["id"]), self.json(kind, "get", thing["id"])
        for name in (set(ours) | set(theirs)) - passing:
            same(f"{name} of {thing['id']}", ours.get(name), theirs.get(name))


def cells(text):
    """{first cell of a line: the second}"""
    return {line.split("\t")[0]: line.split("\t")[1] for line in text.splitlines() if "\t" in line}


def row_1(w):
    i = w.made("instance", "create", gpu="a100-80g", gpu_count=8, image="PyTorch 2.3 + Llama-4 70B")
    w.agree("instance", i)
    within("the fabric", "rdma", i["fabric"])
    same("inside", w.shell(i, "echo $STARVERSE_GPU_COUNT $NCCL_IB_DISABLE"), "8 0")
    w.gone(("instance", i))
    return f"{i['name']}: {i['gpu_count']} x {i['gpu']} over {i['fabric']}"


def row_2(w):
    same("the offers", w.call("gpu", "list"), w.json("gpu", "list"))
    i = w.made("instance", "create", name="elastic", gpu="tpu-sim", gpu_count=2, image="pytorch-2.2")
    i = w.made("instance", "resize", i["id"], gpu_count=4)
    same("cards", w.shell(i, "echo $STARVERSE_GPU_COUNT"), "4")
    g = w.call("group", "create", name="web", desired=1,
               template={"gpu": "tpu-sim", "gpu_count": 1, "image": "pytorch-2.2"})
    for n in (3, 1):
        w.call("group", "scale", g["id"], desired=n)
        w.client.until("group", g["id"], lambda x, n=n: x["status"] == "ready" and len(x["instances"]) == n)
    w.gone(("group", g), ("instance", i))
    return f"{len(w.call('gpu', 'list'))} offers; 2 -> 4 cards; a group of 1 -> 3 -> 1"


def row_3(w):
    vendors = {g["vendor"] for g in w.call("gpu", "list")}
    same("missing vendors", {"enflame", "cambricon", "huawei"} - vendors, set())
    image = {i["name"]: i for i in w.call("image", "list")}["pytorch-2.2"]
    same("plug-ins", image["plugins"], w.json("image", "get", "pytorch-2.2")["plugins"])
    i = w.made("instance", "create", gpu="ascend-910b", gpu_count=4, image="pytorch-2.2")
    same("inside", w.shell(i, "echo $STARVERSE_BACKEND"), "ascend")
    w.gone(("instance", i))
    return f"{', '.join(sorted(vendors))}; plug-ins {', '.join(image['plugins'])}"


def row_4(w):
    before = len(w.call("billing", "usage"))
    why = w.refused("instance", "create", gpu="tpu-sim", gpu_count=1, image="cuda-devel")
    w.run("instance", "create", "--gpu", "tpu-sim:1", "--image", "cuda-devel", code=why[1])
    same("what is metered", len(w.call("billing", "usage")), before)
    return f"refused: {why[0]}, exit {why[1]}; nothing metered"


def row_5(w):
    d = w.made("disk", "create", name="moves", size_gib=1)
    i = w.made("instance", "create", name="mover", gpu="rtx-4090", gpu_count=4, image="pytorch-2.2",
               disks=[{"disk": "moves", "path": "/root/ckpt"}])
    w.shell(i, "echo system > /root/file; echo step-100 > /root/ckpt/state; sync")
    w.made("instance", "switch", i["id"], gpu="tpu-sim", gpu_count=4)
    new = w.json("instance", "get", "mover")
    seen = w.shell(new, "cat /root/file /root/ckpt/state; echo $STARVERSE_BACKEND").split()
    same("the new one", seen, ["system", "step-100", "tpu"])
    w.gone(*(("instance", x) for x in w.call("instance", "list")), ("disk", d))
    return "cuda -> tpu with files and checkpoint"


def row_6(w):
    d = w.made("disk", "create", name="plug", size_gib=1)
    a = w.made("instance", "create", gpu="rtx-4090", gpu_count=1, image="pytorch-2.2")
    w.made("disk", "attach", d["id"], instance=a["id"], path="/data")
    w.agree("disk", d)
    w.shell(a, "echo x > /data/x; cd /data; sleep 100 >/dev/null 2>&1 &")
    try:
        w.made("disk", "detach", d["id"])
        raise Failed("a busy disk was detached")
    except sys.modules["starverse"].Refused as e:
        within("the refusal", "uses", str(e).replace("stands in", "uses").replace("has a file", "uses"))
        why = str(e)
    w.shell(a, "pkill sleep; while pgrep sleep; do :; done")
    w.made("disk", "detach", d["id"])
    w.gone(("instance", a), ("disk", d))
    return why


def row_7(w):
    data = pathlib.Path(w.home, "data")
    data.write_bytes(os.urandom(300_000))
    said = w.python("storage.py", "team", "data", "--keep")
    within("what Python says", "example/data\t300000", said)
    objects = w.json("storage", "ls", "team:/example/")
    same("what svctl lists", [o["size_bytes"] for o in objects], [300_000])
    same("Python's copy", pathlib.Path(w.home, "data.back").read_bytes(), data.read_bytes())
    within("what C says", "example/object\t300000", w.c("storage", "team", "data"))
    same("C's copy", pathlib.Path(w.home, "example-object").read_bytes(), data.read_bytes())
    within("what is left of Python's", "0 left", w.python("storage.py", "team", "data"))
    same("what is left", w.json("storage", "ls", "team:/example/"), [])
    w.call("storage", "delete", w.json("storage", "get", "team")["id"])
    return said.splitlines()[-1].replace("\t", ", ") + " bytes; the same by C"


def row_8(w):
    sets = {d["name"]: d for d in w.call("dataset", "list")}
    within("models that redpajama-v2 fits", "llama-3-8b", sets["redpajama-v2"]["aligned_models"])
    same("datasets", w.call("dataset", "list"), w.json("dataset", "list"))
    i = w.made("instance", "create", gpu="tpu-sim", gpu_count=1, image="pytorch-2.2")
    model = {m["name"]: m for m in w.call("model", "list")}["llama-3-8b"]
    op = w.call("model", "copy", model["id"], instance=i["id"], path="/root/weights")
    done = w.client.until("operation", op["id"], lambda o: o["status"] != "running")
    same("the copy", done["status"], "succeeded")
    w.shell(i, "cmp /library/models/llama-3-8b/weights.json /root/weights/weights.json")
    w.gone(("instance", i))
    return f"{len(sets)} datasets; {model['name']} copied"


def row_9(w):
    found = w.call("app", "list", search="Llama-3-8B 预训练")
    same("what is found", [a["name"] for a in found], ["llama-3-8b-pretrain"])
    i = w.client.wait(w.call("app", "deploy", found[0]["id"]), "instance")
    w.agree("instance", i)
    w.gone(("instance", i))
    return f"{i['name']} on {i['gpu']}:{i['gpu_count']}"


TRAIN = "for s in 1 2 3; do echo ::metric loss=$((9 - s)) step=$s; sleep 0.4; done; echo end > /root/ckpt/state"


def row_10(w):
    d = w.made("disk", "create", name="ckpt", size_gib=1)
    said = w.python("jobs.py", "run", "a100-80g:8", "pytorch-2.3", "--name", "sft", "--checkpoint", "ckpt:/root/ckpt",
                    "--then", "stop", "--", "sh", "-c", TRAIN)
    job = w.json("job", "get", "sft")
    within("what Python says", f"sft succeeded, exit code 0, cost {job['cost']}", said)
    within("the log", "::metric loss=6 step=3", said)
    w.run("instance", "wait", job["instance"], "--for", "stopped", "-q")
    w.python("jobs.py", "run", "tpu-sim:1", "pytorch-2.2", "--name", "bad", "--", "false", code=10)
    same("the one that failed", w.json("job", "get", "bad")["exit_code"], 1)
    within("what C says", "succeeded, exit code 0", w.c("job", "tpu-sim", "pytorch-2.2", "true"))
    w.c("job", "tpu-sim", "pytorch-2.2", "false", code=10)
    w.gone(("instance", {"id": job["instance"]}))
    look = w.made("instance", "create", gpu="tpu-sim", gpu_count=1, image="pytorch-2.2",
                  disks=[{"disk": "ckpt", "path": "/ckpt"}])
    same("the checkpoint", w.shell(look, "cat /ckpt/state"), "end")
    w.gone(("instance", look), ("disk", d))
    return said.splitlines()[-2]


def row_11(w):
    i = w.made("instance", "create", name="off", gpu="rtx-4090", gpu_count=4, image="pytorch-2.2")
    w.shell(i, "sleep 1")
    w.made("instance", "stop", i["id"])
    w.gone(("instance", i))
    said = w.python("billing.py")
    usage = w.json("billing", "usage")
    same("intervals whose cost Python finds another", re.findall(r"not [\d.]+", said), [])
    same("what is metered", Decimal(cells(said)["metered"]), sum(Decimal(u["cost"]) for u in usage))
    same("what C adds up", Decimal(cells(w.c("bill"))["all of it"]), sum(Decimal(u["cost"]) for u in usage))
    charges = w.json("billing", "charges")
    same("what is charged", Decimal(cells(said)["charged"]), sum(Decimal(x["amount"]) for x in charges))
    return f"{len(usage)} intervals, {cells(said)['metered']}; {len(charges)} lines"


def row_12(w):
    answer = w.call("account", "register", email="row12@example.com")
    env = {"STARVERSE_API_KEY": answer["api_key"]}
    said = cells(w.program(BUILD / "examples" / "example-quote", "a100-80g", "pytorch-2.2", env=env))
    b = w.json("billing", "balance", env=env)
    same("the balance", [said[n] for n in ("cash", "credit", "available")], [b[n] for n in ("cash", "credit", "available")])
    same("the credit", said["credit"], "10.000000")
    return f"cash {said['cash']}, credit {said['credit']}"


def row_13(w):
    for name, gpu in (("cuda", "rtx-4090:4"), ("tpu", "tpu-sim:4")):
        w.python("jobs.py", "run", gpu, "pytorch-2.2", "--name", name, "--", "sh", "-c", TRAIN, code=10)
    ids = [w.json("job", "get", name)["id"] for name in ("cuda", "tpu")]
    said = w.python("jobs.py", "compare", *ids)
    for j in w.json("job", "compare", "cuda", "tpu"):
        for name in ("price_per_hour", "cost", "cost_per_1000_steps", "seconds"):
            within(f"{name} of {j['name']}", str(j[name]), re.search(f"^{name}\t.*$", said, re.M).group())
    c = w.c("compare", *ids)
    within("what C says", "4 x tpu-sim", c)
    within("what C says", "cuda\tloss\t3 values, last 6, 6 to 8", c)
    return c.splitlines()[-1].replace("\t", ", ")


def row_14(w):
    words = ("--own-capex", "1100000", "--own-monthly", "3500", "--cards", "8", "--price", "1.9", "--use", "50%")
    t = json.loads(w.run("billing", "tco", *words, "-o", "json")[0])
    said = cells(w.python("billing.py", "--use", "50"))
    same("what Python says", [said["to own"], said["to rent"]], [t["own_total"], t["rent_total"]])
    same("what C says", cells(w.c("bill"))["to own"], t["own_total"])
    return f"owning {said['to own']}, renting half of the time {said['to rent']}"


def row_15(w):
    q = w.json("quote", "instance", "--gpu", "a100-80g:1", "--image", "pytorch-2.2")
    said = [cells(w.python("billing.py"))["an hour"], cells(w.c("quote", "a100-80g", "pytorch-2.2"))["an hour"]]
    same("an hour of one A100", said, [q["price_per_hour"]] * 2)
    why = w.refused("instance", "create", gpu="a100-80g", gpu_count=2, image="pytorch-2.2", max_price_per_hour="3")
    same("what is dearer than allowed", why, ("price_exceeds_limit", 7))
    return f"{said[0]} an hour; above its limit: {why[0]}"


ROWS = [row_1, row_2, row_3, row_4, row_5, row_6, row_7, row_8, row_9, row_10, row_11, row_12, row_13, row_14, row_15]


def main():
    preload = sanitizer()
    if preload and preload not in os.environ.get("LD_PRELOAD", ""):
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"LD_PRELOAD": preload,
                                                                            "ASAN_OPTIONS": "detect_leaks=0"})
    sys.dont_write_bytecode = True
    for row, told in zip(ROWS, mission.ROWS):
        row.__doc__ = told.__doc__
    return mission.rows(World(preload), ROWS, World.open)


if __name__ == "__main__":
    sys.exit(main())
