# SPDX-License-Identifier: Apache-2.0
"""Calls a second with many clients at once."""
import re

import look
import shared

SUITE, METRIC = "scale", "calls_per_s"


def parse(name):
    """(placement or other words, clients); None if no part of the name is clientsN."""
    parts = name.split("/")
    found = [re.fullmatch(r"clients(\d+)", part) for part in parts]
    hits = [m for m in found if m]
    return ("/".join(p for p, m in zip(parts, found) if not m), int(hits[0].group(1))) if len(hits) == 1 else None


def understood(_system, case, metric):
    return parse(case) is not None and metric == METRIC


def build(report):
    if not shared.opening(report, SUITE, "scale: many clients", (
            "Each client is a process with its own connection and calls test_short (or the system's same) without pause. "
            "The floor is a single-threaded echo server on C sockets and epoll. The papers measured one client at a time.")):
        return
    cases = {name: parse(name) for name in report.results.cases(SUITE, METRIC) if parse(name)}
    systems = look.systems_in_order(report.results.systems(SUITE))
    variants = list(dict.fromkeys(variant for variant, _ in cases.values()))
    panels = [(variant or "all systems", [(look.style(s), [(n, v) for name, (w, n) in cases.items() if w == variant and (
        v := report.results.value(SUITE, s, name, METRIC))]) for s in systems]) for variant in variants]
    if panels:
        report.page.figure(report.draw.panels(panels, "calls a second against clients", xlabel="clients",
                                              ylabel="calls/s, all clients together", xscale="log", height=3.8),
                           "Calls a second of all clients together against their number; TCP over the loopback; "
                           f"{shared.rounds(report.results, SUITE)}.", "figure-scale")
    rows = []
    for variant in variants:
        counts = sorted(n for w, n in cases.values() if w == variant)
        names = {n: name for name, (w, n) in cases.items() if w == variant}
        for system in systems:
            values = [report.results.value(SUITE, system, names[n], METRIC) for n in counts]
            if any(values):
                raw = shared.ratio(values[-1], report.results.value(SUITE, "raw", names[counts[-1]], METRIC))
                rows.append((counts, [variant, look.label(system), *map(shared.value_cell, values),
                                      shared.plain_cell(raw and raw.median)]))
    for counts in dict.fromkeys(tuple(c) for c, _ in rows):
        clients = [f"{n} client{'' if n == 1 else 's'}" for n in counts]
        chosen = [row for c, row in rows if tuple(c) == counts]
        report.page.table(["placement", "system", *clients, "most clients ÷ C sockets"], chosen,
                          "Calls a second by number of clients.", labels=2)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)
