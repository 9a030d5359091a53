#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""examples/train.py: a resumed run is the uninterrupted one, wherever it was interrupted. Prints TAP."""
import importlib.util
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ.get("SV_SOURCE", pathlib.Path(__file__).parents[2])) / "examples" / "train.py"
SEED = random.SystemRandom().randrange(1 << 30)
STEPS = 12
TEXT = "".join(random.Random(SEED).choice("etaoin shrdlu\n") for _ in range(3000))


def module():
    spec = importlib.util.spec_from_file_location("train", SOURCE)
    m = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(m)
    return m


def run(folder, *more, env=None, wait=True):
    argv = [sys.executable, str(SOURCE), "--data", f"{folder}/text", "--seed", str(SEED), "--batch", "4",
            "--log-every", "1", "--save-every", "3", *more]
    clean = {k: v for k, v in os.environ.items() if not k.startswith("STARVERSE_")}
    p = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**clean, **(env or {})})
    if not wait:
        return p
    out, err = p.communicate(timeout=60)
    return p.returncode, out, err


def curve(out):
    return dict(re.findall(r"^step (\d+) loss (.*)$", out, re.M))


def reference(folder):
    code, out, err = run(folder, "--steps", str(STEPS))
    assert code == 0, err
    got = curve(out)
    assert sorted(map(int, got)) == list(range(1, STEPS + 1)), got
    return got


def every_point(folder):
    """Stop after k steps and go on, for every k, in this process."""
    t, whole = module(), reference(folder)
    for k in range(1, STEPS):
        corpus = t.Corpus(f"{folder}/text")
        os.makedirs(f"{folder}/{k}")
        first = t.Run(corpus, SEED, 4, 0.1)
        got = {}
        for _ in range(k):
            loss = first.advance()
            got[str(first.step)] = f"{loss:.6f} {loss.hex()}"
        first.save(f"{folder}/{k}")
        second = t.Run(corpus, SEED, 4, 0.1)
        assert second.load(f"{folder}/{k}") and second.step == k
        while second.step < STEPS:
            loss = second.advance()
            got[str(second.step)] = f"{loss:.6f} {loss.hex()}"
        assert got == whole, f"differs when interrupted after step {k}"


def changing_backends(folder):
    got, whole = {}, reference(folder)
    for upto, backend in ((4, "cuda"), (9, "tpu"), (STEPS, "ascend")):
        code, out, err = run(folder, "--steps", str(upto), "--checkpoint", f"{folder}/c", "--backend", backend)
        assert code == 0, err
        assert f"backend {backend}" in out and "simulated" in out
        got.update(curve(out))
    assert got == whole


def killed(folder):
    """KILL at a random line: what is printed after the resume is what would have been printed."""
    whole = reference(folder)
    at = random.Random(SEED).randrange(1, STEPS)
    p = run(folder, "--steps", str(STEPS), "--checkpoint", f"{folder}/c", wait=False)
    for line in p.stdout:
        if line.startswith(f"step {at} "):
            break
    p.kill()
    p.communicate()
    code, out, err = run(folder, "--steps", str(STEPS), "--checkpoint", f"{folder}/c")
    assert code == 0, err
    got = curve(out)
    assert all(whole[k] == v for k, v in got.items()), got
    assert not got or str(STEPS) in got


def terminated(folder):
    p = run(folder, "--steps", "100000", "--checkpoint", f"{folder}/c", wait=False)
    for line in p.stdout:
        if line.startswith("step 4 "):
            break
    p.send_signal(signal.SIGTERM)
    out, _ = p.communicate(timeout=30)
    assert p.returncode == 143, p.returncode
    step = int(re.search(r"stopped at step (\d+)", out).group(1))
    with open(f"{folder}/c/checkpoint.json", encoding="utf-8") as f:
        assert json.load(f)["step"] == step


def learns(folder):
    with open(f"{folder}/text", "w", encoding="utf-8") as f:
        f.write("abcdefgh" * 200)
    code, out, err = run(folder, "--steps", "60")
    assert code == 0, err
    losses = [float(v.split()[0]) for v in curve(out).values()]
    assert losses[-1] < losses[0] / 2, losses


def refused(folder):
    for more, env, word in (
            (["--backend", "tpu"], {"STARVERSE_BACKEND": "cuda"}, "this instance has cuda"),
            (["--data", f"{folder}/none"], {}, "No such file"),
            (["--steps", "0"], {}, "--steps"),
            (["--backend", "abacus"], {}, "--backend")):
        code, out, err = run(folder, *more, env=env)
        assert code == 2 and word in err, (more, code, err)
        assert "Traceback" not in err and not curve(out)
    assert run(folder, "--steps", "2", "--checkpoint", f"{folder}/c")[0] == 0
    code, _, err = run(folder, "--steps", "3", "--checkpoint", f"{folder}/c", "--seed", str(SEED + 1))
    assert code == 2 and "another seed" in err, err
    for bad in ("", "{}", "[]", '{"same": 1', "null"):
        with open(f"{folder}/c/checkpoint.json", "w", encoding="utf-8") as f:
            f.write(bad)
        code, _, err = run(folder, "--steps", "3", "--checkpoint", f"{folder}/c")
        assert code == 2 and "not a checkpoint" in err, (bad, err)


def main():
    tests = [every_point, changing_backends, killed, terminated, learns, refused]
    print(f"1..{len(tests)}")
    print(f"# seed {SEED}")
    failed = 0
    for i, t in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/text", "w", encoding="utf-8") as f:
                f.write(TEXT)
            try:
                t(folder)
                print(f"ok {i} - {t.__name__}", flush=True)
            except Exception as e:  # pylint: disable=broad-except
                failed += 1
                print(f"not ok {i} - {t.__name__}\n# {type(e).__name__}: {e!r}".replace("\\n", "\n# "), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
