# SPDX-License-Identifier: Apache-2.0
"""Misses of caches by valgrind's model, which is the same on every machine: two levels, the first for code and for data, each line
replaced by age, no prefetching. What a step costs is the difference between a long and a short run, divided by the steps.

The kernel's instructions are not in it, nor is what the kernel does to the caches.
"""
import os
import shutil
import subprocess
import tempfile

from processes import Failure

# 32 KB of 8 ways for code and for data, 2 MB of 16 ways behind them; lines of 64 bytes.
CACHES = ("--I1=32768,8,64", "--D1=32768,8,64", "--LL=2097152,16,64")
# {metric: events of cachegrind}
METRICS = {"instructions": ("Ir",), "code_misses": ("I1mr",), "data_misses": ("D1mr", "D1mw"), "last_misses": ("ILmr", "DLmr", "DLmw")}
SECONDS = 600


def lacking():
    """Why nothing can be counted; None if it can."""
    return None if shutil.which("valgrind") else "valgrind is not installed"


def parse(text):
    """{event: count} of what cachegrind has written."""
    lines = dict(line.split(":", 1) for line in text.splitlines() if line.startswith(("events:", "summary:")))
    if len(lines) != 2:
        raise Failure("cachegrind has written no summary")
    return dict(zip(lines["events"].split(), map(int, lines["summary"].split())))


def events(command, commands=""):
    """{event: count} of a process; commands: what it reads."""
    with tempfile.TemporaryDirectory(prefix="callis-bench-") as folder:
        out = os.path.join(folder, "out")
        done = subprocess.run(["valgrind", "-q", "--tool=cachegrind", "--cache-sim=yes", *CACHES, f"--cachegrind-out-file={out}", *command],
                              input=commands, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=SECONDS, check=False)
        if done.returncode != 0 or "error" in done.stdout:
            raise Failure(f"{os.path.basename(command[0])}: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
        with open(out, encoding="utf-8") as f:
            return parse(f.read())


def metrics(few, many, steps):
    """{metric: count of a step}"""
    return {metric: max(0.0, sum(many[e] - few[e] for e in names) / steps) for metric, names in METRICS.items()}


def a_step(run, short, long):
    """{metric: count of a step}; run(n) counts the events of n steps."""
    return metrics(run(short), run(long), long - short)
