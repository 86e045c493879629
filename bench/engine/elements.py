# SPDX-License-Identifier: Apache-2.0
"""Runs bench_elements and turns its lines into rows."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
from processes import Failure, pin  # noqa: E402
from report import Row  # noqa: E402

TIMES = "elements: sequences of structs, ns an element"
RATIOS = "elements: times as fast as the coder that goes element by element, out of line"
COPIES = "primitives: speed over that of memcpy of the same bytes"
BARRED = ("BinStruct", "{long,double,char}")
RESIDENT = 512  # elements that stay in the caches; the bars are about coding, not about memory


def lines(build, quick, cpu):
    command = [os.path.join(build, "bin", "bench_elements")] + (["--repetitions", "3", "--slice-us", "50"] if quick else [])
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, preexec_fn=pin(cpu), check=False)
    if done.returncode != 0:
        raise Failure(f"bench_elements: exit status {done.returncode}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def size(n):
    return f"{n >> 20} MB" if n >= 1 << 20 else f"{n >> 10} KB"


def struct_rows(results):
    times, ratios = [], []
    for r in results:
        barred = r["type"] in BARRED and r["n"] == RESIDENT
        name = f"{r['type']} {r['what']} {r['order']}, {r['n']}"
        low, middle, high = r["one_by_one_ratio"]
        times.append(Row(TIMES, name, r["engine_ns"], "ns", ("<=", 1.2) if barred else None,
                         f"one by one {r['one_by_one_ns']:.2f}, inlined {r['inlined_ns']:.2f} ns"))
        ratios.append(Row(RATIOS, name, middle, "x", (">=", 5.0) if barred else None,
                          f"quartiles {low:.2f} to {high:.2f}; inlined coder {r['inlined_ratio'][1]:.2f} x"))
    return times + ratios


def primitive_rows(results):
    rows = []
    for r in results:
        low, middle, high = r["memcpy_ratio"]
        rows.append(Row(COPIES, f"{r['type']} {r['what']} {r['order']}, {size(r['n'])}", middle, "x", (">=", 0.9),
                        f"quartiles {low:.2f} to {high:.2f}; memcpy {r['memcpy_ns']:,.0f}, engine "
                        f"{r['engine_ns']:,.0f} ns, of which {r['empty_ns']:,.0f} without any bytes; "
                        f"{r['memcpy_ns'] / (r['engine_ns'] - r['empty_ns']):.2f} x without these"))
    return rows


def run(build, quick, cpu):
    results = lines(build, quick, cpu)
    return struct_rows([r for r in results if r["suite"] == "structs"]) + \
        primitive_rows([r for r in results if r["suite"] == "primitives"])
