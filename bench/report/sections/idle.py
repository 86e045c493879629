# SPDX-License-Identifier: Apache-2.0
"""Wake-ups and processor time of processes that have nothing to do."""
import look
import shared

SUITE = "idle"
METRICS = ("wakeups_per_s", "cpu_us_per_s")


def understood(_system, case, metric):
    return metric in METRICS and case.split("/")[0] in ("client", "server", "service")


def build(report):
    if not shared.opening(report, SUITE, "idle: wake-ups of processes that have nothing to do", (
            "Clients and servers after their last call, connected, and services. A thread that sleeps and is woken gives the "
            "processor back once more: the kernel counts that. A handheld's battery feels each wake-up.")):
        return
    keys = [k for k in report.results.keys(SUITE) if understood(*k)]
    if keys:
        shared.pivot(report, SUITE, keys, lambda system, case, _: (case, look.label(system)),
                     lambda _system, _case, metric: shared.metric_text(metric), "Wake-ups and processor time, each second.",
                     ("process", "system"), labels=2)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)
