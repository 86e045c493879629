# SPDX-License-Identifier: Apache-2.0
"""Latency of high priority under floods of low priority."""
import look
import shared

SUITE = "realtime"
METRICS = ("p50_us", "p99_us", "p999_us", "p9999_us", "greatest_us")
WAITS = tuple(f"{what}_{how}_us" for what in ("inverted", "waited") for how in ("p50", "p99", "greatest"))
COUNTS = ("allocations", "faults", "waits")


def understood(_system, case, metric):
    return metric in COUNTS or (case.count("/") >= 1 and metric in (*METRICS, *WAITS))


def place_and_case(case):
    return tuple((case.split("/") + ["no flood"])[:3])


def build(report):
    if not shared.opening(report, SUITE, "realtime: high priority under floods", (
            "One client of high priority calls once a millisecond, while others of low priority call as fast as they can. The "
            "floor is a pair of threads of the same priority over TCP, in turn with the calls and under the same flood.")):
        return
    keys = [k for k in report.results.keys(SUITE) if understood(*k) and k[2] in METRICS]
    if keys:
        shared.pivot(report, SUITE, keys, lambda system, case, _: (*place_and_case(case), look.label(system)),
                     lambda _system, _case, metric: shared.metric_text(metric),
                     f"Latency of calls of high priority; {shared.rounds(report.results, SUITE)}.",
                     ("processors", "case", "clients of low priority", "system"), labels=4)
    keys = [k for k in report.results.keys(SUITE) if k[2] in WAITS]
    if keys:
        shared.pivot(report, SUITE, keys, lambda system, case, _: (*place_and_case(case), look.label(system)),
                     lambda _system, _case, metric: shared.metric_text(metric),
                     "Priority inversion: how long a request of high priority is ready and waits while threads of lower priority run; "
                     "and how long it waits in all, also while nobody of the measurement runs. Clocks of both sides, on one processor. "
                     "With real time off, with a lock on purpose and with omniORB it must be long.",
                     ("processors", "case", "clients of low priority", "system"), labels=4)
    keys = [k for k in report.results.keys(SUITE) if k[2] in COUNTS]
    if keys:
        shared.pivot(report, SUITE, keys, lambda system, case, _: (look.label(system), case),
                     lambda _system, _case, metric: shared.metric_text(metric),
                     "What is counted: heap allocations, page faults and waits for mutexes of the server, a call.", ("system", "case"), labels=2)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)
