# SPDX-License-Identifier: Apache-2.0
"""Where the time goes: shares of kernel and user functions in a flood and in calls, in the form of SIGCOMM'96's Tables 2 and 3.

Cases: flood/TYPE/SIDE (one-way, buffers of 128 KB) and calls/OPERATION/SIDE; SIDE is sender or receiver, on one CPU:
    .../kernel, .../user             shares of the side's processor time
    .../kernel/CALL, .../user/NAME   those of the costliest system calls and functions
    the same, metric ms              processor time, of 64 MB of a flood and of 2,000 calls
    .../call/NAME/SIZE               calls: system calls by name and by the nearest power of two of the bytes that each moves, of
                                     64 MB and of a call (bench/whitebox/system_calls.py)
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "whitebox"))
import samples  # noqa: E402
import system_calls  # noqa: E402
from pairs import present  # noqa: E402
from processes import Failure  # noqa: E402
from report import Row  # noqa: E402

SUITE = "shares"
TITLE = "shares of kernel and user time in floods and calls, both sides"
NEEDS = ("programs", "peers")
SYSTEMS = ("raw", "callis-interpreted", "callis-compiled", "omniorb", "rpc", "opt-rpc", "ice", "grpc")
FLOODS_ALONE = ("rpc", "opt-rpc")
FLOODS = ("char", "BinStruct")
CALLS = ("test_short", "test_struct_sequence")
COSTLIEST = 8
LEAST = 0.005
PAPER_MEGABYTES, PAPER_CALLS = 64, 2_000  # what the papers' tables are of


def jobs(context):
    """[(case, the programs' suite, options, what times of a run are multiplied by)]"""
    megabytes = context.pick(600, 2_000, 8_000)
    calls = {"test_short": context.pick(20_000, 100_000, 400_000), "test_struct_sequence": context.pick(5_000, 50_000, 200_000)}
    floods = [(f"flood/{kind}", "ttcp", flood(kind, megabytes), PAPER_MEGABYTES / flooded(megabytes)) for kind in context.pick(FLOODS[-1:], FLOODS, FLOODS)]
    return floods + [(f"calls/{o}", "param_test", ["--calls", calls[o], "--operations", o], PAPER_CALLS / made(o, calls[o]))
                     for o in context.pick(CALLS[:1], CALLS, CALLS)]


def flood(kind, megabytes):
    return ["--megabytes", megabytes, "--types", kind, "--sizes", "128K"]


def flooded(megabytes):
    """How many that a flood sends, the warm-up among them."""
    return megabytes + min(4, megabytes / 4)


def made(operation, calls):
    """How many calls there are of an operation, the warm-up among them."""
    timed = calls // 10 if operation == "test_struct_sequence" else calls
    return timed + min(2000, max(1, calls // 10))


def traces(context):
    """[(case, the programs' suite, options of a short and of a long run, how many units the long one does more)]"""
    few, many = context.pick((2, 6), (4, 20), (8, 72))
    found = [(f"flood/{kind}", "ttcp", flood(kind, few), flood(kind, many), (flooded(many) - flooded(few)) / PAPER_MEGABYTES) for kind in context.pick(FLOODS[-1:], FLOODS, FLOODS)]
    few, many = context.pick((50, 150), (200, 1200), (500, 5000))
    return found + [(f"calls/{o}", "param_test", ["--calls", few, "--operations", o], ["--calls", many, "--operations", o],
                     made(o, many) - made(o, few)) for o in context.pick(CALLS[:1], CALLS, CALLS)]


def estimate(context):
    return len(SYSTEMS) * len(jobs(context)) * (context.pick(2, 5, 15) + context.pick(2, 3, 6))


def run(context):
    for tool, cases, measure in ((samples, jobs(context), sampled), (system_calls, traces(context), traced)):
        why = tool.lacking()
        if why:
            context.results.missing(SUITE, f"callis-interpreted {measure.__name__}", why)
            continue
        for system in present(context, SUITE, SYSTEMS):
            for case, *job in cases:
                if case.startswith("calls/") and system in FLOODS_ALONE:
                    continue
                context.progress(SUITE, f"{system} {case}, {measure.__name__}")
                try:
                    measure(context, system, case, *job)
                except Failure as e:
                    context.results.missing(SUITE, f"{system} {case} {measure.__name__}", str(e))


def sampled(context, system, case, programs, options, factor):
    for side, names in samples.measure(context, system, programs, options).items():
        add(context, system, f"{case}/{side}", names, factor)


def traced(context, system, case, programs, few, many, units):
    for side, calls in system_calls.measure(context, system, programs, few, many, units).items():
        for (name, size), times in sorted(calls.items(), key=lambda item: -item[1]):
            context.results.add(SUITE, system, f"{case}/{side}/call/{name}/{size}", "calls", times)


def add(context, system, case, names, factor):
    """names: {name: milliseconds}"""
    whole = sum(names.values())
    for kind in ("kernel", "user"):
        part = sum(n for name, n in names.items() if name.startswith(kind + "/"))
        context.results.add(SUITE, system, f"{case}/{kind}", "share", part / whole)
        context.results.add(SUITE, system, f"{case}/{kind}", "ms", part * factor)
    for name, ms in sorted(names.items(), key=lambda item: -item[1])[:COSTLIEST]:
        if ms / whole >= LEAST:
            context.results.add(SUITE, system, f"{case}/{name}", "share", ms / whole)
            context.results.add(SUITE, system, f"{case}/{name}", "ms", ms * factor)


def bars(results):
    rows = []
    for case in results.cases(SUITE):
        if not case.endswith("/kernel"):
            continue
        for system in SYSTEMS:
            share = results.median(SUITE, system, case, "share")
            if share is not None:
                beside = [(c.removeprefix(case.removesuffix("/kernel") + "/"), results.median(SUITE, system, c, "share"))
                          for c in results.cases(SUITE) if c.startswith(case.removesuffix("kernel")) and c.count("/") > 3]
                note = ", ".join(f"{name} {100 * s:.0f} %" for name, s in beside if s)
                rows.append(Row("shares: time in the kernel (information)", f"{case.removesuffix('/kernel')}, {system}", 100 * share, "%", None, note))
    return rows
