#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the suite demux once at its smallest and checks that every case of every strategy has a value, and that callis's
calls over TCP have their bars. Whether these are held is not looked at: a test machine is busy."""
import argparse
import itertools
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
STRATEGIES = [f"demux-{s}" for s in ("linear", "index", "binary", "hash", "perfect", "active")]
SIZES = ["operations1", "operations100", "objects1", "objects100", "poas2"]
CALLS = ["objects1/first", "objects1/last", "objects100/first", "objects100/last"]


def expected():
    cases = [f"{size}/{kind}" for size, kind in itertools.product(SIZES, ("random", "worst"))]
    for system, case in itertools.product(STRATEGIES, cases):
        yield system, case
        yield system, f"{case}/cold"
    for system, case in itertools.product([*STRATEGIES, "callis-interpreted"], cases):
        yield system, f"call/memory/{case}"
    for system in [*STRATEGIES, "callis-interpreted"]:
        for kind in ("", "/cold", "/overlapped"):
            yield system, f"objects100/operations100/random{kind}"
    for case in CALLS:
        yield "callis-interpreted", f"call/one-cpu/{case}"


def complaints(lines):
    values = {(line["system"], line["case"]): line for line in lines if "case" in line}
    for key in expected():
        cold = key[1].endswith("/cold")  # what is left after the clock's own time may be nothing
        if key not in values or not (cold or values[key]["min"] > 0):
            yield f"{key}: {values.get(key)}"
    bars = [line["bar"] for line in lines if isinstance(line.get("bar"), dict) and line["bar"]["bar"]]
    if len(bars) != 2 or any(bar["value"] is None for bar in bars):
        yield f"bars: {bars}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "results.jsonl")
        subprocess.run([sys.executable, os.path.join(HERE, "..", "bench.py"), "--build", arguments.build, "--only", "demux",
                        "--tiny", "--json", file, "--report", "none"], check=True)
        with open(file, encoding="utf-8") as f:
            found = list(complaints([json.loads(line) for line in f]))
    if found:
        raise SystemExit("\n".join(found))


if __name__ == "__main__":
    main()
