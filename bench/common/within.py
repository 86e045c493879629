# SPDX-License-Identifier: Apache-2.0
"""What is measured within one process by programs of bench/demux: their lines are results. And of these the finding of
object and operation, and calls to objects of the same ORB, with their bars: part of the suites core and demux."""
import json
import os
import statistics
import subprocess

from processes import Failure, pin
from report import Row

JUDGED = "callis-interpreted"
FLOORS = ("array", "virtual")
LOOKUP_LIMIT_NS = 10
DIRECT_LIMIT_NS = 15
OBJECTS, OPERATIONS = 10000, 500
ROUNDS = 25  # at most, of one process
SECTION = "core: within one process"
ENDS = {"": "each waits for the one before", "/overlapped": "overlapped"}


def run_program(context, suite, program, options, seconds, first_round=0):  # pylint: disable=too-many-arguments
    """Runs a program of bench/demux; its lines are results, each with its system and round."""
    path = os.path.join(context.build, "bin", f"bench_demux_{program}")
    if not os.path.exists(path):
        raise Failure("its programs have not been built")
    try:
        done = subprocess.run([path, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                              preexec_fn=pin(context.cpus[0]), timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"{program}: it did not end within {seconds} s") from None
    if done.returncode != 0:
        raise Failure(f"{program}: {(done.stderr.strip().splitlines() or ['no message'])[-1]}")
    for line in map(json.loads, done.stdout.splitlines()):
        if line["system"] in FLOORS or context.wants(line["system"]):
            context.results.add(suite, line["system"], line["case"], line["metric"], line["value"],
                                first_round + line["round"])


def processes(context):
    """Started afresh so many times: where the loader puts things matters by nanoseconds."""
    return context.pick(1, 3, 5)


def options(context, ways):
    count = ["--objects", "100", "--operations", "100"] if context.scale == "tiny" else \
        ["--objects", str(OBJECTS), "--operations", str(OPERATIONS)]
    return ["--rounds", str(context.pick(1, 15, ROUNDS)), "--batch-us", str(context.pick(20, 600, 600)), "--ways", ways, *count]


def estimate(context):
    return processes(context) * context.pick(0.2, 1, 2)


def run(context, suite, failed, ways="one"):
    """ways: "all" lookups, or the "one" of the default options."""
    if not context.wants(JUDGED):
        return
    for program in ("requests", "collocated"):
        with failed.noted(JUDGED, program):
            for n in range(processes(context)):
                context.progress(suite, f"within one process, {n}: {program}")
                run_program(context, suite, program, options(context, ways), 300, n * ROUNDS)


def row(results, suite, name, case, floor, bar, section):
    ns, least = (results.median(suite, s, case, "ns") for s in (JUDGED, floor))
    if ns is None or not least:
        return Row(section, name, None, "ns", bar, "not measured")
    above = [results.values[suite, JUDGED, case, "ns"][r] - f for r, f in results.values[suite, floor, case, "ns"].items()
             if r in results.values[suite, JUDGED, case, "ns"]]
    return Row(section, name, ns, "ns", bar, f"floor ({floor}) {least:.1f} ns, {statistics.median(above):.1f} ns above it, "
               f"{results.ratio(suite, case, 'ns', JUDGED, floor)[0]:.2f} times")


def lookup_case(results, suite, way="active"):
    return next((c for c in results.cases(suite) if c.startswith("request/") and c.split("/", 3)[3] == way), None)


def bars(results, suite):
    return rows(results, suite, SECTION, ("<=", LOOKUP_LIMIT_NS), ("<=", DIRECT_LIMIT_NS))


def rows(results, suite, section, lookup_bar=None, direct_bar=None):
    case = lookup_case(results, suite) or f"request/objects{OBJECTS}/operations{OPERATIONS}/active"
    found = [row(results, suite, f"finding one of {OBJECTS:,} objects and of {OPERATIONS} operations, {what}", case + end,
                 "array", lookup_bar, section) for end, what in ENDS.items()]
    for way in ("direct", "adapter", "marshaled"):
        found += [row(results, suite, f"collocated call, {way}, {operation}", f"collocated/{way}/{operation}", "virtual",
                      direct_bar if way == "direct" else None, section) for operation in ("void", "test_short")]
    return found


def other_rows(results, suite, section):
    """The other ways to find object and operation, for information."""
    ways = [(c, c.split("/", 3)[3]) for c in results.cases(suite) if c.startswith("request/")]
    return [row(results, suite, f"finding object and operation, {way}", case, "array", None, section)
            for case, way in ways if way not in ("active", "active/overlapped")]
