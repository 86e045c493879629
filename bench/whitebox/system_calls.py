# SPDX-License-Identifier: Apache-2.0
"""System calls of both sides by name and size, as truss showed them to the papers' authors: strace writes down every call, and the
difference between a long and a short run is divided by what the long one does more.

A size is a power of two, the nearest to the bytes that a call has moved; "-" is of calls that move none.
"""
import math
import os
import re
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "common")]
from pairs import Pair  # noqa: E402
from processes import Failure  # noqa: E402

SIDES = ("sender", "receiver")
MOVES = ("read", "readv", "recvfrom", "recvmsg", "write", "writev", "sendto", "sendmsg", "recv", "send", "sendmmsg", "recvmmsg")
LINE = re.compile(r"(?:\d+ +)?(?:<\.\.\. )?(\w+)(?:\(| resumed>).* = (-?\d+|\?)")
LEAST = 0.005  # of a unit; fewer are left out


def lacking():
    return None if shutil.which("strace") else "strace is not installed"


def size_name(count):
    """The nearest power of two: 128K, 64; none of 0 and less."""
    if count <= 0:
        return "none"
    power = round(math.log2(count))
    return f"{1 << (power - 20)}M" if power >= 20 else f"{1 << (power - 10)}K" if power >= 10 else str(1 << power)


def parse(lines):
    """{(call, size): times} of strace's lines. A call that another thread has interrupted counts where it ends."""
    found = {}
    for line in lines:
        match = LINE.match(line)
        if not match or "<unfinished ...>" in line or match.group(2) == "?":
            continue
        name = match.group(1)
        key = (name, size_name(int(match.group(2))) if name in MOVES else "-")
        found[key] = found.get(key, 0) + 1
    return found


def of_run(context, system, suite, options):
    """[{(call, size): times}] of sender and receiver."""
    cpus = context.placements()["one-cpu"]
    with tempfile.TemporaryDirectory(prefix="callis-bench-") as folder:
        files = [os.path.join(folder, side) for side in SIDES]
        strace = lambda file: ["strace", "-f", "-qq", "-s", "0", "-o", file]
        with Pair(context, system, suite, cpus, prefix=strace(files[1]), client_prefix=strace(files[0])) as pair:
            pair.run(*options, seconds=300)
        found = []
        for file in files:
            with open(file, encoding="utf-8", errors="replace") as f:
                found.append(parse(f))
    return found


def measure(context, system, suite, few, many, units):
    """{side: {(call, size): times a unit}}; few and many: options of two runs, of which the second does so many units more."""
    short, long = (of_run(context, system, suite, options) for options in (few, many))
    found = {}
    for side, a, b in zip(SIDES, short, long):
        each = {key: (n - a.get(key, 0)) / units for key, n in b.items()}
        found[side] = {key: n for key, n in each.items() if n >= LEAST}
        if not found[side]:
            raise Failure(f"strace saw no system calls of the {side}")
    return found
