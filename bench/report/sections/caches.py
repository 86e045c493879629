# SPDX-License-Identifier: Apache-2.0
"""Misses of caches by valgrind's model: the ladder, stubs, many objects."""
import look
import shared

SUITE = "caches"
METRICS = ("instructions", "code_misses", "data_misses", "last_misses")
KINDS = {"memory": "The ladder: a buffer of 64 KB encoded, decoded and freed.",
         "call": "A call within one process; cold: each after foreign code that fills the caches.",
         "many": "Calls of many objects and operations, drawn at random."}


def understood(_system, case, metric):
    return metric in METRICS and case.split("/")[0] in KINDS


def build(report):
    if not shared.opening(report, SUITE, "caches: misses a call", (
            "The papers' seventh principle is to optimise for the processor's cache. Valgrind's model counts misses: 32 KB for code, 32 "
            "KB for data, 2 MB behind them, no prefetching, nothing of the kernel.")):
        return
    for kind, caption in KINDS.items():
        keys = [k for k in report.results.keys(SUITE) if understood(*k) and k[1].startswith(kind + "/")]
        if keys:
            shared.pivot(report, SUITE, keys, lambda system, case, _: (case.partition("/")[2], look.label(system)),
                         lambda _system, _case, metric: shared.metric_text(metric), caption, ("case", "system"), labels=2)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)
