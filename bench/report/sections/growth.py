# SPDX-License-Identifier: Apache-2.0
"""Scale on paper: what connections and objects cost, drawn out to a million connections and 10^9 objects."""
import os
import sys

import look
import shared

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "growth"))
import model  # noqa: E402

SUITE, SERVER, OBJECTS = "growth", "callis-pool", "callis-interpreted"
KINDS = {"active": "objects with a servant each", "default": "objects of one servant"}
KNOWN = ("connections", "limits", "process", *KINDS)
UNKNOWN_KERNEL = 4000  # bytes of one end of a TCP connection, where the kernel's tables may not be read


def understood(_system, case, _metric):
    return case.split("/")[0] in KNOWN


def build(report):
    if not shared.opening(report, SUITE, "growth: scale on paper", (
            "Costs of connections and objects are measured at small numbers. A straight line through them is checked at the greatest number "
            "that was measured, and then drawn out to a million connections and 10^9 objects. What runs out first is in the tables.")):
        return
    results = report.results
    connections = model.of_cases(results, SUITE, SERVER, "connections", "bytes", lambda n, v: n * v)
    active = model.of_cases(results, SUITE, OBJECTS, "active", "bytes", lambda n, v: v)
    _curve(report, connections, active)
    _checks(report, connections, active)
    _calls(report)
    if connections:
        _connections(report, model.line(connections).each)
    if active:
        _objects(report, model.line(active).each)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)


def _megabytes(points):
    return [(n, shared.over([total / 1e6])) for n, total in points if total > 0]


def _curve(report, connections, active):
    panels = []
    for title, points, most in (("connections of one server", connections, model.CONNECTIONS), ("active objects", active, model.OBJECTS)):
        if len(points) < 2:
            continue
        drawn = model.line(sorted(points)[:-1])
        ends = [n for n in (points[0][0], points[-1][0], most) if drawn.at(n) > 0]
        panels.append((title, [(look.other_style("measured", 5), _megabytes(points)),
                               (look.Style("the line through all but the greatest", "#d55e00", "", ":"), _megabytes((n, drawn.at(n)) for n in ends))]))
    if panels:
        report.page.figure(report.draw.panels(panels, "memory against number, drawn out", xlabel="number", ylabel="MB", xscale="log", yscale="log"),
                           "Resident memory of the server's process, measured and drawn out.", "figure-growth")


def _checks(report, connections, active):
    rows = []
    for what, points in (("connections", connections), ("active objects", active)):
        found = model.check(points)
        if found:
            rows.append([what, " ".join(f"{n:,}" for n, _ in sorted(points)[:-1]), f"{found.n:,}", look.number(found.predicted / 1e6),
                         look.number(found.measured / 1e6), f"{100 * found.off:.1f} %"])
    if rows:
        report.page.table(["memory of", "line through", "checked at", "predicted, MB", "measured, MB", "off by"], rows,
                          "The line's prediction at the greatest number, which was not used to draw it.")


def _calls(report):
    rows = []
    for case in report.results.cases(SUITE):
        kind, n = (case.split("/") + [""])[:2]
        if case.count("/") == 1 and kind in KINDS:
            ns = report.results.value(SUITE, OBJECTS, case, "ns")
            rows.append([f"{int(n):,} {KINDS[kind]}", "ns of a call in one process", shared.value_cell(ns)])
        elif case.count("/") == 1 and kind == "connections":
            among, alone = (report.results.value(SUITE, SERVER, c, "p99_us") for c in (case, f"{case}/alone"))
            rows.append([f"{int(n):,} idle connections", "p99 of a call among them ÷ without them", shared.value_cell(shared.ratio(among, alone))])
    if rows:
        report.page.table(["with", "of", ""], rows, "Calls as the number grows.", labels=2)


def _limit(report, what, metric="declared"):
    return report.results.median(SUITE, SERVER, f"limits/{what}", metric) or 0


def _of_greatest(report, end, metric):
    """A value at the greatest number of connections."""
    cases = [c for c in report.results.cases(SUITE, metric) if c.startswith("connections/") and c.partition("/")[2].partition("/")[2] == end]
    cases = sorted(cases, key=lambda c: int(c.split("/")[1]))
    return report.results.median(SUITE, SERVER, cases[-1], metric) if cases else None


def amount(value, unit):
    """As people read it; bytes with their unit."""
    if unit != "bytes":
        return f"{look.number(value)} {unit}".strip()
    for name, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if value >= size:
            return f"{look.number(value / size)} {name}"
    return f"{look.number(value)} bytes"


def _needs(report, needs, caption):
    rows = [[n.what, amount(n.needed, n.unit), f"{amount(n.had, n.unit)} a{'n' if n.whose[0] in 'aeio' else ''} {n.whose}", look.number(n.times)]
            for n in needs]
    report.page.table(["what runs out", "needed", "there is", "times"], rows, caption)


def _connections(report, each):
    kernel, cpu = _of_greatest(report, "kernel", "bytes"), _of_greatest(report, "", "cpu_us")
    if cpu is None:
        return
    needs = model.connections(each, UNKNOWN_KERNEL if kernel is None else kernel, cpu, _limit(report, "descriptors"),
                              _limit(report, "memory", "bytes"), _limit(report, "processors"))
    _needs(report, needs, f"{model.CONNECTIONS:,} connections, the scarcest first. Each takes {each:,.0f} bytes of a process and "
           f"{'about ' if kernel is None else ''}{UNKNOWN_KERNEL if kernel is None else kernel:,.0f} of the kernel; a call takes {cpu:.1f} µs of "
           "the server's processor. \"Times\" says of how many processes, addresses or machines like this one.")
    report.page.paragraph(f"First breaks: {needs[0].what}. {_advice(needs[0])}")
    _processes(report, each)


def _processes(report, each):
    """The connections divided among processes of different numbers."""
    alone = report.results.median(SUITE, SERVER, "process", "bytes")
    if alone is None:
        return
    rows = [[f"{n:,}", f"{model.CONNECTIONS // n:,}", amount(n * alone, "bytes"), amount(model.CONNECTIONS * each, "bytes")] for n in (1, 10, 100, 1000)]
    report.page.table(["processes", "connections of each", "memory of the processes", "memory of the connections"], rows,
                      f"{model.CONNECTIONS:,} connections over processes; a server without connections takes {amount(alone, 'bytes')}.")


def _advice(need):
    return {"process": "A process may be given more (`ulimit -n`, `fs.nr_open`), or the connections are divided among processes with one "
                       "port each.",
            "address": "Servers with several ports, or clients with several addresses, have more.",
            "machine": "More machines, or fewer calls."}[need.whose]


def _objects(report, each):
    points = model.of_cases(report.results, SUITE, OBJECTS, "active", "bytes", lambda n, v: v)
    make = report.results.median(SUITE, OBJECTS, f"active/{points[-1][0]}/make", "ns")
    kept = model.of_cases(report.results, SUITE, OBJECTS, "default", "bytes", lambda n, v: v)
    if make is None:
        return
    _needs(report, model.objects(each, make, _limit(report, "memory", "bytes")),
           f"{model.OBJECTS:,} active objects, the scarcest first. Each takes {each:,.0f} bytes with its servant, and {make:,.0f} ns to activate.")
    if kept:
        report.page.paragraph(f"With a default servant or a servant manager objects take no memory: {kept[-1][0]:,} of them took "
                              f"{amount(kept[-1][1], 'bytes')} in all, and {model.OBJECTS:,} would take as much. A key of their number is all that "
                              "the server is told, so any process of a group can serve any of them.")
