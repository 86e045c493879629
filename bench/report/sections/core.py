# SPDX-License-Identifier: Apache-2.0
"""The core of the ORB: what a call over TCP costs in things that can be counted."""
import look
import shared

SUITE = "core"
METRICS = {"instructions": "user instructions", "allocations": "heap allocations", "locks": "mutex operations",
           "syscalls": "system calls"}
SIDES = ("client", "server")
# What is measured in time or memory: the beginning of a case's name, and what the table says of it.
OTHERS = {
    "ping-pong/": "test_short beside a ping-pong of the same bytes by C sockets; both processes on one CPU.",
    "crowd": "64 client processes that call test_short.",
    "idle": "A server with 10,000 idle connections: what its memory grows by for each, how many are opened and answered a second; "
            "test_short of a client among them, and of one alone.",
    "request/": "Finding object and operation within one process, and the floor: the same loop over arrays.",
    "collocated/": "Calls to an object of the caller's own ORB, and the floor: a virtual function of the servant's.",
}


def parse(name):
    """(operation, side, kind); None if the name is not OPERATION[/SIDE[/KIND]]."""
    operation, *rest = name.split("/")
    if operation not in look.OPERATIONS or len(rest) > 2 or (rest and rest[0] not in SIDES):
        return None
    return operation, rest[0] if rest else "", rest[1] if len(rest) == 2 else ""


def understood(_system, case, metric):
    return (metric in METRICS and parse(case) is not None) or case.startswith(tuple(OTHERS))


def build(report):
    if not shared.opening(report, SUITE, "core: what a call costs in counts", (
            "User instructions, heap allocations, mutex operations and system calls of one call over TCP, client and server in "
            "two processes, averaged over many calls; kernel instructions are not counted. INFOCOM'99 and JSAC'99 ask for stubs "
            "and skeletons that need no heap; SIGCOMM'96 found ORBs that make more system calls than they need.")):
        return
    for metric, words in METRICS.items():
        _metric(report, metric, words)
    for beginning, caption in OTHERS.items():
        keys = [k for k in report.results.keys(SUITE) if k[1].startswith(beginning)]
        if keys:
            shared.pivot(report, SUITE, keys, lambda system, case, _: (case, look.label(system)),
                         lambda _system, _case, metric: shared.metric_text(metric), f"{caption} Medians.", ("case", "system"), labels=2)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)


def _metric(report, metric, words):
    keys = [k for k in report.results.keys(SUITE, metric) if parse(k[1])]
    if not keys:
        report.page.absent(f"{words.capitalize()}: not measured in this run.")
        return
    systems = look.systems_in_order(k[0] for k in keys)
    cases = sorted({k[1] for k in keys}, key=_order)
    report.page.section(f"core-{metric}", words.capitalize(), 3)
    whole = [c for c in cases if not parse(c)[1]]
    series = [(look.style(s), {c: v.median for c in whole if (v := report.results.value(SUITE, s, c, metric))})
              for s in systems]
    if metric == "instructions" and whole:
        report.page.figure(report.draw.bars(whole, series, f"{words} of a call", f"{words} of a call, both sides"),
                           f"{words.capitalize()} of a call, client and server together.")
    rows = []
    for case in cases:
        operation, side, kind = parse(case)
        rows.append([operation, side or "both", kind, *(shared.plain_cell(report.results.median(SUITE, s, case, metric))
                                                        for s in systems)])
    report.page.table(["operation", "side", "kind", *map(look.label, systems)], rows,
                      f"{words.capitalize()} of one call.", labels=3)


def _order(case):
    operation, side, kind = parse(case)
    return look.OPERATIONS.index(operation), SIDES.index(side) if side else -1, ("", "send", "receive", "other").index(kind) \
        if kind in ("", "send", "receive", "other") else 9
