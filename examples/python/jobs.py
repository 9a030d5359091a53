#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Jobs from Python: runs one and follows it to its end, or puts jobs side by side.

    python3 jobs.py run GPU[:COUNT] IMAGE [--name NAME] [--checkpoint DISK:PATH] [--then WHAT] -- COMMAND...
    python3 jobs.py compare JOB JOB...

Whatever becomes of this program, the platform ends the job and does with the machine what --then says. The exit status
of run is 0 when the job succeeded and 10 when it did not, as svctl's.
"""
import argparse

from starverse import Client, card, script

ENDED = ("succeeded", "failed", "cancelled")


def checkpoint(text):
    disk, _, path = text.partition(":")
    return {"disk": disk, "path": path, "every_seconds": 60}


def run(c, a):
    more = {k: v for k, v in (("name", a.name), ("checkpoint", a.checkpoint)) if v}
    job = c.run("job", "create", image=a.image, command=a.command, then=a.then, max_cost=a.max_cost, **a.gpu, **more)
    print(f"{job['id']} is {job['status']}", flush=True)
    c.until("job", job["id"], lambda j: j["status"] in ENDED or j.get("started_at"))
    c.follow("job", "logs", job["id"], follow=True)
    job = c.until("job", job["id"], lambda j: j["status"] in ENDED)
    print(f"{job['name']} {job['status']}, exit code {job['exit_code']}, cost {job['cost']}")
    for s in c.run("job", "metrics", job["id"])["series"]:
        print(f"{s['name']}: {s['count']} values, last {s['last']:g}, {s['minimum']:g} to {s['maximum']:g}")
    return 0 if job["status"] == "succeeded" else 10


def compare(c, a):
    jobs = c.run("job", "compare", id=a.job)["jobs"]
    for name in ("name", "gpu", "gpu_count", "seconds", "steps", "price_per_hour", "cost", "cost_per_1000_steps"):
        print("\t".join([name, *("-" if j.get(name) is None else f"{j[name]}" for j in jobs)]))
    for name in jobs[0]["metrics"] or {}:
        print("\t".join([name, *(f"{(j['metrics'] or {}).get(name, '-')}" for j in jobs)]))
    return 0


def main():
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    verbs = p.add_subparsers(dest="verb", required=True)
    r = verbs.add_parser("run")
    r.add_argument("gpu", type=card)
    r.add_argument("image")
    r.add_argument("--name")
    r.add_argument("--checkpoint", type=checkpoint, metavar="DISK:PATH")
    r.add_argument("--then", choices=("stop", "release", "keep"), default="release")
    r.add_argument("--max-cost", default="1")
    r.add_argument("command", nargs="+")
    verbs.add_parser("compare").add_argument("job", nargs="+")
    a = p.parse_args()
    with Client() as c:
        return (run if a.verb == "run" else compare)(c, a)


if __name__ == "__main__":
    script(main)
