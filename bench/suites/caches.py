# SPDX-License-Identifier: Apache-2.0
"""Caches, the seventh of the papers' principles: misses a call by valgrind's model (bench/caches/cachegrind.py).

Cases:
    memory/TYPE/both                the ladder's rungs and callis's engine: a buffer of 64 KB encoded, decoded and freed
    call/OPERATION                  a call of Param_Test, client and server in one process, again and again
    call/OPERATION/cold             the same, each call after foreign code that fills the caches; without what that code misses
    many/objectsN/operationsM       calls of N objects with M operations drawn at random
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "caches"))
import cachegrind  # noqa: E402
from processes import Failure, program  # noqa: E402
from report import Row  # noqa: E402

SUITE = "caches"
TITLE = "caches: misses a call, cold and warm, and with many objects"
NEEDS = ("programs",)
RUNGS = {"original": "ladder-original", "inlining": "ladder-inlining", "precomputing": "ladder-precomputing", "receiver": "ladder-receiver",
         "sender": "ladder-sender", "plan": "callis-interpreted"}
STYLES = {"callis-interpreted": "interpreted", "callis-compiled": "compiled"}
OURS = "callis-interpreted"
OPERATIONS = ("test_short", "test_fixed_struct", "test_strseq", "test_struct_sequence")
MANY = ((1, 1), (1, 500), (10_000, 1), (10_000, 500))


def types(context):
    return context.pick(("BinStruct",), ("double", "BinStruct"), ("short", "char", "long", "octet", "double", "BinStruct"))


def operations(context):
    return context.pick(("test_short",), OPERATIONS, OPERATIONS)


def many(context):
    return context.pick(((1, 1), (100, 10)), MANY, MANY)


def estimate(context):
    return len(RUNGS) * len(types(context)) * 6 + len(STYLES) * len(operations(context)) * context.pick(6, 12, 12) + len(STYLES) * len(many(context)) * 10


def ladder(context, rung, kind):
    command = [os.path.join(context.build, "bin", f"ladder_memory_{rung}"), "--bytes", "65536", "--types", kind, "--only", "both", "--count"]
    return cachegrind.a_step(lambda n: cachegrind.events([*command, str(n)]), 2, 6)


def caller(context, style):
    return [program(context.build, "caller", style), "param_test", "--reference", "memory"]


def warm(context, style, operation):
    few, much = context.pick((20, 60), (100, 600), (200, 2200))
    return cachegrind.a_step(lambda n: cachegrind.events(caller(context, style), f"{operation} 20\n{operation} {n}\n"), few, much)


def cold(context, style, operation):
    few, much = context.pick((2, 6), (5, 25), (10, 60))
    both = [cachegrind.a_step(lambda n, words=words: cachegrind.events(caller(context, style), f"{operation} 20\n{words} {n}\n"), few, much)
            for words in (f"cold {operation}", "foreign")]
    return {metric: max(0.0, both[0][metric] - both[1][metric]) for metric in both[0]}


def crowd(context, style, objects, operations_):
    few, much = context.pick((20, 120), (2_000, 12_000), (10_000, 60_000))
    command = [os.path.join(context.build, "bin", f"bench_caches_many_{style}"), "--objects", str(objects), "--operations", str(operations_), "--calls"]
    return cachegrind.a_step(lambda n: cachegrind.events([*command, str(n)]), few, much)


def run(context):
    why = cachegrind.lacking()
    if why:
        context.results.missing(SUITE, OURS, why)
        return

    def measure(system, case, count, *arguments):
        if not context.wants(system):
            return
        context.progress(SUITE, f"{system} {case}")
        try:
            for metric, value in count(context, *arguments).items():
                context.results.add(SUITE, system, case, metric, value)
        except (Failure, OSError) as e:
            context.results.missing(SUITE, f"{system} {case}", str(e))
    for rung, system in RUNGS.items():
        for kind in types(context):
            measure(system, f"memory/{kind}/both", ladder, rung, kind)
    for system, style in STYLES.items():
        for operation in operations(context):
            measure(system, f"call/{operation}", warm, style, operation)
            measure(system, f"call/{operation}/cold", cold, style, operation)
    for objects, count in many(context):
        for system, style in STYLES.items():
            measure(system, f"many/objects{objects}/operations{count}", crowd, style, objects, count)


def bars(results):
    rows = []
    for case in results.cases(SUITE):
        for system in results.systems(SUITE):
            code, data, last, all_of_it = (results.median(SUITE, system, case, metric)
                                           for metric in ("code_misses", "data_misses", "last_misses", "instructions"))
            if code is not None:
                rows.append(Row("caches: misses of the first cache a call, by valgrind's model (information)", f"{case}, {system}", code + data, "", None,
                                f"code {code:,.1f}, data {data:,.1f}; last cache {last:,.1f}; {all_of_it:,.0f} instructions"))
    return rows
