# SPDX-License-Identifier: Apache-2.0
"""Runs bench_elements, which measures plans without an ORB, and makes rows of what it prints."""
import itertools
import json
import os
import subprocess

from processes import Failure, pin
from report import Row

SUITE = "engine"
ENGINE, MEMCPY = "callis-interpreted", "memcpy"
SYSTEMS = {"engine": ENGINE, "one_by_one": "one-by-one", "inlined": "inlined", "memcpy": MEMCPY}
TIMES = "elements: sequences of structs, ns an element"
RATIOS = "elements: times as fast as the coder that goes element by element, out of line"
COPIES = "primitives: speed over that of memcpy of the same bytes"
BARRED = ("BinStruct", "{long,double,char}")
STRUCTS = (*BARRED, "{short,char,long,octet,double}")
RESIDENT, LARGE = 512, 65536  # elements that stay in the caches, where the bars are: they are about coding, not about
#                               memory; and many more
PRIMITIVES = ("octet", "short", "long", "double")
BYTES = (4 << 10, 64 << 10, 1 << 20)


def size(n):
    return f"{n >> 20} MB" if n >= 1 << 20 else f"{n >> 10} KB"


def struct_case(type_name, what, order, n):
    return f"{what}/{type_name}/{order}/{n}"


def primitive_case(type_name, what, order, n):
    return f"{what}/{type_name}/{order}/{n >> 10}K"


def add(results, line):
    """The line of a case; the engine's times without any bytes are a case of their own."""
    structs = line["suite"] == "structs"
    case = (struct_case if structs else primitive_case)(line["type"], line["what"], line["order"], line["n"])
    for name, times in line.items():
        if not isinstance(times, list):
            continue
        of = (ENGINE, f"{case}/empty") if name == "empty" else (SYSTEMS[name], case)
        for r, ns in enumerate(times):
            results.add(SUITE, *of, "ns_per_element" if structs else "ns", ns, r)


def measure(context):
    context.progress(SUITE, "elements and primitives")
    options = context.pick(["--repetitions", "3", "--slice-us", "50"], [], ["--repetitions", "101"])
    command = [os.path.join(context.build, "bin", "bench_elements"), *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False,
                          preexec_fn=pin(context.placements()["one-cpu"][1]))
    if done.returncode != 0:
        raise Failure(f"bench_elements: exit status {done.returncode}")
    for line in done.stdout.splitlines():
        add(context.results, json.loads(line))


def struct_rows(results):
    times, ratios = [], []
    for order, n, t, what in itertools.product(("native", "swapped"), (RESIDENT, LARGE), STRUCTS, ("encode", "decode")):
        case, name = struct_case(t, what, order, n), f"{t} {what} {order}, {n}"
        barred = t in BARRED and n == RESIDENT
        engine, slow, inlined = (results.median(SUITE, s, case, "ns_per_element") for s in (ENGINE, "one-by-one", "inlined"))
        speed = lambda over: results.quartiles(SUITE, case, "ns_per_element", over, ENGINE)
        low, middle, high = speed("one-by-one")
        times.append(Row(TIMES, name, engine, "ns", ("<=", 1.2) if barred else None,
                         f"one by one {slow:.2f}, inlined {inlined:.2f} ns"))
        ratios.append(Row(RATIOS, name, middle, "x", (">=", 5.0) if barred else None,
                          f"quartiles {low:.2f} to {high:.2f}; inlined coder {speed('inlined')[1]:.2f} x"))
    return times + ratios


def primitive_rows(results):
    rows = []
    for order, n, t, what in itertools.product(("native", "swapped"), BYTES, PRIMITIVES, ("encode", "decode")):
        case = primitive_case(t, what, order, n)
        low, middle, high = results.quartiles(SUITE, case, "ns", MEMCPY, ENGINE)
        copy, engine, empty = (results.median(SUITE, s, c, "ns")
                               for s, c in ((MEMCPY, case), (ENGINE, case), (ENGINE, f"{case}/empty")))
        rows.append(Row(COPIES, f"{t} {what} {order}, {size(n)}", middle, "x", (">=", 0.9),
                        f"quartiles {low:.2f} to {high:.2f}; memcpy {copy:,.0f}, engine {engine:,.0f} ns, of which "
                        f"{empty:,.0f} without any bytes; {copy / (engine - empty):.2f} x without these"))
    return rows


def rows(results):
    return struct_rows(results) + primitive_rows(results)
