# SPDX-License-Identifier: Apache-2.0
"""Where the time goes: shares of kernel and user functions in a flood and in calls, in the form of SIGCOMM'96's Tables 2 and 3.

Cases: flood/TYPE/SIDE (one-way, buffers of 128 KB) and calls/OPERATION/SIDE; SIDE is sender or receiver, on one CPU:
    .../kernel, .../user             shares of the side's processor time
    .../kernel/CALL, .../user/NAME   those of the costliest system calls and functions
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "whitebox"))
import samples  # noqa: E402
from pairs import present  # noqa: E402
from processes import Failure  # noqa: E402
from report import Row  # noqa: E402

SUITE = "shares"
TITLE = "shares of kernel and user time in floods and calls, both sides"
NEEDS = ("programs", "peers")
SYSTEMS = ("raw", "callis-interpreted", "callis-compiled", "omniorb", "rpc", "opt-rpc")
FLOODS = ("char", "BinStruct")
CALLS = ("test_short", "test_struct_sequence")
COSTLIEST = 8
LEAST = 0.005


def jobs(context):
    """[(case, the programs' suite, options)]"""
    megabytes = context.pick(600, 2_000, 8_000)
    calls = {"test_short": context.pick(10_000, 100_000, 400_000), "test_struct_sequence": context.pick(5_000, 50_000, 200_000)}
    floods = [(f"flood/{kind}", "ttcp", ["--megabytes", megabytes, "--types", kind, "--sizes", "128K"]) for kind in FLOODS]
    return floods + [(f"calls/{o}", "param_test", ["--calls", calls[o], "--operations", o]) for o in context.pick(CALLS[:1], CALLS, CALLS)]


def estimate(context):
    return len(SYSTEMS) * len(jobs(context)) * context.pick(2, 5, 15)


def run(context):
    why = samples.lacking()
    if why:
        context.results.missing(SUITE, "callis-interpreted", why)
        return
    for system in present(context, SUITE, SYSTEMS):
        for case, programs, options in jobs(context):
            if case.startswith("calls/") and system in ("rpc", "opt-rpc"):
                continue  # ttcp alone
            context.progress(SUITE, f"{system} {case}")
            try:
                found = samples.measure(context, system, programs, options)
            except Failure as e:
                context.results.missing(SUITE, f"{system} {case}", str(e))
                continue
            for side, names in found.items():
                add(context, system, f"{case}/{side}", names)


def add(context, system, case, names):
    for kind in ("kernel", "user"):
        context.results.add(SUITE, system, f"{case}/{kind}", "share", sum(n for name, n in names.items() if name.startswith(kind + "/")))
    for name, share in sorted(names.items(), key=lambda item: -item[1])[:COSTLIEST]:
        if share >= LEAST:
            context.results.add(SUITE, system, f"{case}/{name}", "share", share)


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
