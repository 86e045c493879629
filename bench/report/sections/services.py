# SPDX-License-Identifier: Apache-2.0
"""The OMG's services: bytes and compile time of what the IDL compilers make of large IDL files; and services that run."""
import look
import shared

SUITE = "services"
METRICS = {"bytes": ("object code at -Os", 1, "bytes"), "ns": ("CPU time from IDL to objects", 1e-9, "s")}
RUNNING = {"durable-bind": "durable changes a second", "resolve": "names resolved a second",
           "first-call": "servers started a second, one after the other",
           "events-10": "events a second, from one supplier to each of 10 consumers"}


FLOWS = {"flow-tcp": "TCP", "flow-udp": "UDP", "flow-rtp": "RTP"}
JITTER = {"p50_us": "p50", "p99_us": "p99"}


def understood(_system, case, metric):
    return ((metric in METRICS and case.startswith("Cos")) or (metric == "calls_per_s" and case in RUNNING) or
            (metric == "gbit_s" and case in FLOWS) or (metric in JITTER and case == "flow-jitter"))


def build(report):
    if not shared.opening(report, SUITE, "services: large IDL files in bytes and compile time", (
            "What callis's interpreted stubs and omniORB's cost for object services of the OMG: stubs, skeletons, TypeCodes and operators "
            "of Any of a service and what it includes, compiled with GCC at -Os. The time is the CPU's, of the IDL compiler and the "
            "C++ compiler together. JSAC'99 measures small interfaces alone; these are what applications have.")):
        return
    for metric, (words, scale, unit) in METRICS.items():
        _metric(report, metric, words, scale, unit)
    for case, words in RUNNING.items():
        _running(report, case, words)
    _flows(report)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)


def _metric(report, metric, words, scale, unit):
    keys = [k for k in report.results.keys(SUITE, metric) if understood(*k)]
    if not keys:
        report.page.absent(f"{words}: not measured in this run.")
        return
    systems = look.systems_in_order(k[0] for k in keys)
    cases = sorted({k[1] for k in keys})
    report.page.section(f"services-{metric}", words, 3)
    series = [(look.style(s), {c: v.median * scale for c in cases if (v := report.results.value(SUITE, s, c, metric))})
              for s in systems]
    report.page.figure(report.draw.bars(cases, series, f"{words}, {unit}", f"{words} of large IDL files"),
                       f"{words.capitalize()}, {unit}.")


def _running(report, case, words):
    systems = look.systems_in_order(k[0] for k in report.results.keys(SUITE, "calls_per_s") if k[1] == case)
    if not systems:
        report.page.absent(f"{words}: not measured in this run.")
        return
    report.page.section(f"services-{case}", words, 3)
    series = [(look.style(s), {case: report.results.value(SUITE, s, case, "calls_per_s").median}) for s in systems]
    report.page.figure(report.draw.bars([case], series, words, words), f"{words.capitalize()}.")


def _flows(report):
    """Throughput of flows of media, and how evenly their frames come."""
    figures = (("flows", "throughput of flows, Gbit/s", [(name, case, "gbit_s") for case, name in FLOWS.items()]),
               ("jitter", "jitter: distance from a millisecond between frames that are sent each millisecond, us",
                [(name, "flow-jitter", metric) for metric, name in JITTER.items()]))
    for anchor, words, bars in figures:
        systems = look.systems_in_order({k[0] for _, case, metric in bars for k in report.results.keys(SUITE, metric) if k[1] == case})
        if not systems:
            report.page.absent(f"{words}: not measured in this run.")
            continue
        report.page.section(f"services-{anchor}", words, 3)
        series = [(look.style(s), {name: v.median for name, case, metric in bars if (v := report.results.value(SUITE, s, case, metric))})
                  for s in systems]
        report.page.figure(report.draw.bars([name for name, *_ in bars], series, words, words), f"{words.capitalize()}.")
