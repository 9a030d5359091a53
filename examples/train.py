#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Trains a small character model in plain Python: the same code on every card, resumable to the bit.

The network reads the last few characters and guesses the next one: an embedding, one hidden layer, a softmax, learnt by
stochastic gradient descent. There is nothing to install. The arithmetic runs on the processor, whatever the card is
called: the local platform's cards are simulated, and the first line printed says so.

    python3 train.py --backend cuda --steps 100 --checkpoint /root/ckpt

Stopped at any moment and started again, also elsewhere and with another --backend, it goes on from the newest
checkpoint, and its losses are bit for bit those of a run that was never interrupted.
"""
import argparse
import glob
import hashlib
import json
import math
import os
import random
import signal
import sys
import time
from operator import mul

BACKENDS = ("cuda", "rocm", "tpu", "ascend", "gcu", "mlu")
CONTEXT, EMBED, HIDDEN = 4, 8, 24  # characters read, numbers per character, hidden units
ALPHABET = 64                      # most characters told apart; rarer ones share one place
FORMAT = 1


class Refused(Exception):
    """What the user must change; printed as one line."""


class Corpus:
    """The text as small integers."""

    def __init__(self, path):
        try:
            with open(path, encoding="utf-8", errors="replace") as f:
                text = f.read(4 << 20)
        except OSError as e:
            raise Refused(f"--data {path}: {e.strerror}") from None
        if len(text) <= CONTEXT:
            raise Refused(f"--data {path}: too short to learn from, {len(text)} characters")
        counts = {}
        for c in text:
            counts[c] = counts.get(c, 0) + 1
        common = sorted(counts, key=lambda c: (-counts[c], c))[:ALPHABET - 1]
        places = {c: i + 1 for i, c in enumerate(sorted(common))}
        self.codes = [places.get(c, 0) for c in text]
        self.size = len(places) + 1
        self.digest = hashlib.sha256(text.encode()).hexdigest()

    def draw(self, rng):
        at = rng.randrange(len(self.codes) - CONTEXT)
        return self.codes[at:at + CONTEXT], self.codes[at + CONTEXT]


class Model:
    """The weights, by name, as rows of floats."""

    def __init__(self, size, rng):
        def rows(n, m):
            return [[rng.uniform(-1, 1) / math.sqrt(m) for _ in range(m)] for _ in range(n)]
        self.weights = {
            "embed": rows(size, EMBED),
            "hidden": rows(HIDDEN, CONTEXT * EMBED), "hidden_bias": [[0.0] * HIDDEN],
            "out": rows(size, HIDDEN), "out_bias": [[0.0] * size],
        }

    def learn(self, context, target, rate):
        """One example: the loss before the step."""
        w = self.weights
        embed, (bias,), (out_bias,) = w["embed"], w["hidden_bias"], w["out_bias"]
        x = [v for c in context for v in embed[c]]
        h = [math.tanh(b + sum(map(mul, row, x))) for row, b in zip(w["hidden"], bias)]
        z = [b + sum(map(mul, row, h)) for row, b in zip(w["out"], out_bias)]
        top = max(z)
        e = [math.exp(v - top) for v in z]
        total = sum(e)
        loss = math.log(total) - (z[target] - top)

        dz = [v / total for v in e]
        dz[target] -= 1.0
        dh = descend(w["out"], out_bias, dz, h, rate)
        da = [d * (1.0 - v * v) for d, v in zip(dh, h)]
        dx = descend(w["hidden"], bias, da, x, rate)
        for i, c in enumerate(context):
            part = dx[i * EMBED:(i + 1) * EMBED]
            embed[c] = [v - rate * d for v, d in zip(embed[c], part)]
        return loss


def descend(rows, bias, delta, below, rate):
    """One layer's step; gives the gradient of what lies below, from the weights as they were."""
    back = [0.0] * len(below)
    for i, d in enumerate(delta):
        row = rows[i]
        back = [b + d * v for b, v in zip(back, row)]
        s = rate * d
        rows[i] = [v - s * u for v, u in zip(row, below)]
        bias[i] -= s
    return back


class Run:
    """All that decides the next step: what a checkpoint holds."""

    def __init__(self, corpus, seed, batch, rate):
        self.corpus, self.batch, self.rate = corpus, batch, rate
        self.rng = random.Random(seed)
        self.model = Model(corpus.size, self.rng)
        self.step = 0
        self.same = {"format": FORMAT, "seed": seed, "batch": batch, "rate": rate.hex(), "data": corpus.digest,
                     "shape": [corpus.size, CONTEXT, EMBED, HIDDEN]}

    def advance(self):
        self.step += 1
        return sum(self.model.learn(*self.corpus.draw(self.rng), self.rate) for _ in range(self.batch)) / self.batch

    def save(self, folder):
        version, state, gauss = self.rng.getstate()
        write_whole(os.path.join(folder, "checkpoint.json"), json.dumps({
            "same": self.same, "step": self.step, "rng": [version, list(state), gauss],
            "weights": {k: [[v.hex() for v in row] for row in rows] for k, rows in self.model.weights.items()},
        }))

    def load(self, folder):
        """True when there was a checkpoint to go on from."""
        path = os.path.join(folder, "checkpoint.json")
        try:
            with open(path, encoding="utf-8") as f:
                saved = json.load(f)
            same, step, (version, state, gauss) = saved["same"], saved["step"], saved["rng"]
            weights = {k: [[float.fromhex(v) for v in row] for row in rows] for k, rows in saved["weights"].items()}
        except FileNotFoundError:
            return False
        except (OSError, ValueError, KeyError, TypeError) as e:
            raise Refused(f"--checkpoint {path}: not a checkpoint of this program ({e})") from None
        for k, v in self.same.items():
            if same.get(k) != v:
                raise Refused(f"--checkpoint {path}: made with another {k}; use the same, or another folder")
        self.rng.setstate((version, tuple(state), gauss))
        self.step, self.model.weights = step, weights
        return True


def write_whole(path, text):
    """The old file or the new one, whatever happens in between."""
    temporary = f"{path}.{os.getpid()}.tmp"
    with open(temporary, "w", encoding="utf-8") as f:
        f.write(text)
        f.flush()
        os.fsync(f.fileno())
    os.replace(temporary, path)
    folder = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def default_data():
    """The first text of the model library, where an instance sees it."""
    found = sorted(glob.glob("/library/models/*/*.txt") + glob.glob("/library/datasets/*/*.txt"))
    if not found:
        raise Refused("--data is needed: there is no text under /library")
    return found[0]


def card(backend):
    """What we run on, in words; a backend that this instance does not have is refused."""
    here = os.environ.get("STARVERSE_BACKEND")
    if here and here != backend:
        raise Refused(f"--backend {backend}: this instance has {here}")
    gpu, count = os.environ.get("STARVERSE_GPU"), os.environ.get("STARVERSE_GPU_COUNT", "1")
    return f"{count} x {gpu}" if gpu else "no card"


def arguments(argv):
    p = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0], allow_abbrev=False)
    p.add_argument("--backend", choices=BACKENDS, default=os.environ.get("STARVERSE_BACKEND") or "cuda")
    p.add_argument("--data", metavar="FILE", help="text to learn from (default: the first under /library)")
    p.add_argument("--steps", type=int, default=100, help="steps of the whole run, resumed ones included")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--batch", type=int, default=16, help="examples a step")
    p.add_argument("--rate", type=float, default=0.1, help="learning rate")
    p.add_argument("--checkpoint", metavar="DIR", help="folder to resume from and to save to")
    p.add_argument("--save-every", type=int, default=10, metavar="N", help="steps between checkpoints")
    p.add_argument("--log-every", type=int, default=5, metavar="N", help="steps between lines")
    a = p.parse_args(argv)
    for name in ("steps", "batch", "save_every", "log_every"):
        if getattr(a, name) < 1:
            p.error(f"--{name.replace('_', '-')} must be at least 1")
    return a


def train(a, stop):
    """Runs to a.steps, or until stop() asks to end; the number of steps done."""
    where = card(a.backend)
    run = Run(Corpus(a.data or default_data()), a.seed, a.batch, a.rate)
    if a.checkpoint:
        os.makedirs(a.checkpoint, exist_ok=True)
    resumed = bool(a.checkpoint) and run.load(a.checkpoint)
    print(f"backend {a.backend} on {where}, simulated: the arithmetic runs on the processor", flush=True)
    if resumed:
        print(f"resumed from step {run.step}", flush=True)
    begun, first = time.monotonic(), run.step
    while run.step < a.steps and not stop():
        loss = run.advance()
        last = run.step == a.steps
        if last or run.step % a.log_every == 0:
            print(f"step {run.step} loss {loss:.6f} {loss.hex()}", flush=True)
            print(f"::metric loss={loss!r} step={run.step}", flush=True)
        if a.checkpoint and (last or run.step % a.save_every == 0):
            run.save(a.checkpoint)
    if a.checkpoint and stop():
        run.save(a.checkpoint)
    if run.step > first:
        print(f"::metric steps_per_second={(run.step - first) / (time.monotonic() - begun):.3f}", flush=True)
    return run.step


def main(argv=None):
    a = arguments(argv)
    asked = []
    signal.signal(signal.SIGTERM, lambda number, frame: asked.append(number))
    try:
        done = train(a, lambda: bool(asked))
    except (Refused, OSError) as e:
        print(f"train.py: {e}", file=sys.stderr)
        return 2
    if asked and done < a.steps:
        print(f"stopped at step {done} of {a.steps}", flush=True)
        return 143
    print(f"done at step {done}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
