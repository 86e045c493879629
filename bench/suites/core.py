# SPDX-License-Identifier: Apache-2.0
"""The core: what a call over TCP costs in things that can be counted, client and server in two processes. User
instructions, heap allocations, mutex operations, system calls; the tools are in bench/tools. And its time beside
that of a bare ping-pong (bench/common/ping_pong.py), crowds of clients (bench/common/crowds.py), and what is found and
called within one process (bench/common/within.py)."""
import os
import shutil
import sys

import crowds
import pairs
import ping_pong
import within
from report import Row

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import counts  # noqa: E402

SUITE = "core"
TITLE = "core: instructions, allocations, locks and system calls of a call"
NEEDS = ("programs", "peers")
JUDGED = "callis-interpreted"
SYSTEMS = (JUDGED, "callis-compiled", "callis-shared", "omniorb")
OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence")
SIDES = ("client", "server")
SECTION = "core: a call over TCP, client and server in two processes"
TOOLS = {"instructions": "valgrind", "syscalls": "strace"}  # what counts them, other than our own library


def operations(context):
    """Whose instructions are counted."""
    return context.pick(OPERATIONS[:1], OPERATIONS[:1], OPERATIONS)


def systems(context, present):
    return [s for s in present if s == JUDGED] if context.scale == "tiny" else present


def estimate(context):
    present = systems(context, pairs.here(context, SYSTEMS))
    return ping_pong.estimate(context) + crowds.estimate(context) + within.estimate(context) + \
        len(present) * (context.pick(2, 3, 5) + len(operations(context)) * context.pick(3, 4, 5))


def add(context, system, case, metric, of_sides):
    """The counts of client and server, and their sum."""
    for side, count in zip(SIDES, of_sides):
        context.results.add(SUITE, system, f"{case}/{side}", metric, count)
    context.results.add(SUITE, system, case, metric, sum(of_sides))


def count_instructions(context, system):
    for operation in operations(context):
        context.progress(SUITE, f"instructions: {system} {operation}")
        add(context, system, operation, "instructions",
            counts.instructions(context.build, system, operation, *context.pick((50, 150), (200, 1200), (200, 2200))))


def count_allocations_and_locks(context, system):
    context.progress(SUITE, f"allocations and locks: {system}")
    counted = counts.counters(context.build, system, OPERATIONS, context.pick(100, 2000, 2000))
    for metric in ("allocations", "locks"):
        for operation, sides in counted.items():
            add(context, system, operation, metric, [side[metric] for side in sides])


def count_system_calls(context, system):
    context.progress(SUITE, f"system calls: {system}")
    sides = counts.system_calls(context.build, system, "test_short", *context.pick((20, 120), (200, 2200), (200, 2200)))
    add(context, system, "test_short", "syscalls", [sum(calls.values()) for calls in sides])
    for side, calls in zip(SIDES, sides):
        for kind, count in zip(("send", "receive", "other"), counts.kinds(calls)):
            context.results.add(SUITE, system, f"test_short/{side}/{kind}", "syscalls", count)


def run(context):
    failed = pairs.Failed(context, SUITE)
    for system in systems(context, pairs.present(context, SUITE, SYSTEMS)):
        for what, count in (("instructions", count_instructions), ("allocations and locks", count_allocations_and_locks),
                            ("syscalls", count_system_calls)):
            with failed.noted(system, what):
                tool = TOOLS.get(what)
                if tool and not shutil.which(tool):
                    raise pairs.Failure(f"{tool} is not installed")
                count(context, system)
    within.run(context, SUITE, failed)
    ping_pong.run(context, SUITE)
    crowds.run(context, SUITE)


def row(results, name, case, metric, bar, digits=2, rounded=None):
    """Of callis, beside it the other systems. rounded: to so many digits before it is compared."""
    of = lambda system, which: results.median(SUITE, system, which, metric)
    value = of(JUDGED, case)
    if value is None:
        return Row(SECTION, name, None, "", bar, "not measured")
    written = lambda count: f"{count:,.{digits}f}"
    note = ", ".join(f"{side} {written(of(JUDGED, f'{case}/{side}'))}" for side in SIDES if of(JUDGED, f"{case}/{side}"))
    others = [f"{s.removeprefix('callis-')} {written(of(s, case))}" for s in SYSTEMS[1:] if of(s, case) is not None]
    return Row(SECTION, name, value if rounded is None else round(value, rounded), "", bar,
               "; ".join(part for part in (note, ", ".join(others)) if part))


def system_call_row(results, side):
    # To a tenth: on a busy machine a message rarely comes in two pieces.
    found = row(results, f"system calls, test_short, {side}", f"test_short/{side}", "syscalls", ("<=", 2), rounded=1)
    kinds = [(k, results.median(SUITE, JUDGED, f"test_short/{side}/{k}", "syscalls")) for k in ("send", "receive", "other")]
    split = ", ".join(f"{n:.2f} {k}" for k, n in kinds if n is not None)
    found.note = f"{split}; {found.note}" if found.note else split
    return found


def bars(results):
    if not results.cases(SUITE):
        return []
    rows = [row(results, "user instructions, test_short", "test_short", "instructions", ("<=", 1500), 0)]
    rows += [row(results, f"user instructions, {op}", op, "instructions", None, 0) for op in OPERATIONS[1:]
             if results.median(SUITE, JUDGED, op, "instructions")]
    for metric, name in (("allocations", "heap allocations"), ("locks", "mutex operations")):
        for op in OPERATIONS:
            barred = op in ("test_short", "test_fixed_struct")
            rows.append(row(results, f"{name}, {op}", op, metric, ("<=", 0) if barred else None))
    return rows + [system_call_row(results, side) for side in SIDES] + ping_pong.bars(results, SUITE) + \
        crowds.bars(results, SUITE) + within.bars(results, SUITE)
