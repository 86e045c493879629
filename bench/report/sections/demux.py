# SPDX-License-Identifier: Apache-2.0
"""Demultiplexing: how long a request's object and operation take to find, by strategy and number, as in SIGCOMM'96 and
in the thesis slides."""
import re
from dataclasses import dataclass

import look
import shared

SUITE = "demux"
AXES = {"operations": "number of operations", "objects": "number of objects", "poas": "depth of adapters"}
# What is measured: prefix of the case, metric, title, words on the axis.
KINDS = (("", "ns", "The lookup alone", "one lookup (ns)"),
         ("call/memory/", "ns", "Whole calls within one process", "one call (ns)"))

# What callis's adapter does, each beside a floor: the beginning of the case, and what the table says of it.
OWN = {
    "request/": "Finding object and operation in callis's adapter, by each of its options, and the floor: the same loop over arrays.",
    "collocated/": "Calls to an object of the caller's own ORB, and the floor: a virtual function of the servant's.",
}


@dataclass(frozen=True)
class Case:
    name: str
    kind: str     # "", call/memory/ or call/PLACEMENT/
    axis: str     # operations, objects, poas; both: objects and operations
    count: int    # of both: objects
    variant: str  # random, worst, first, .../cold, .../overlapped; of both: operationsM/...


def parse(name):
    """A Case of [call/PLACEMENT/]AXISn/...; None if it is not of this form."""
    found = re.fullmatch(r"(call/[^/]+/)?(operations|objects|poas)(\d+)((?:/[^/]+)*)", name)
    if not found:
        return None
    kind, axis, count, rest = found.groups()
    axis = "both" if rest.startswith("/operations") else axis
    return Case(name, kind or "", axis, int(count), rest[1:])


ONE_WAY = "call/one-cpu/oneway/"
ITERATIONS, FUNCTIONS = "iterations/", "iterations/functions/"
REQUESTS = 100  # an iteration


def understood(_system, case, metric):
    if case.startswith(ITERATIONS):
        return metric in (("instructions", "calls") if case.startswith(FUNCTIONS) else ("ns",))
    if case.startswith(ONE_WAY):
        return metric == "p50_us"
    if case.startswith(tuple(OWN)):
        return metric == "ns"
    parsed = parse(case)
    return parsed is not None and metric in (("ns",) if parsed.kind in ("", "call/memory/") else
                                             ("p50_us", "p99_us", "p999_us", "calls_per_s"))


def build(report):
    if not shared.opening(report, SUITE, "demux: finding object and operation", (
            "A request names an object and an operation; the server has to find the servant and its function. Strategies: "
            "linear search (as Orbix had it), binary search, dynamic hashing (as ORBeline), perfect hashing, direct "
            "index, and de-layered active demultiplexing, where the key holds the place in the table. Measured as the "
            "lookup alone, as whole calls within one process, and as calls over TCP.")):
        _papers(report)
        return
    cases = [c for c in map(parse, report.results.cases(SUITE)) if c]
    for kind, metric, title, words in KINDS:
        for axis, axis_words in AXES.items():
            chosen = [c for c in cases if c.kind == kind and c.axis == axis]
            _section(report, metric, f"{title}: {axis_words}", words, axis_words, chosen)
        both = [c for c in cases if c.kind == kind and c.axis == "both"]
        _points(report, metric, f"{title}: object and operation", words, both)
    for kind in dict.fromkeys(c.kind for c in cases if c.kind not in ("", "call/memory/")):
        words = f"Calls over TCP, {kind.split('/')[1]}, the first or last of 100 operations"
        _points(report, "p50_us", words, "p50 of a call (µs)", [c for c in cases if c.kind == kind])
    one_way = "Calls one way, the last of 100 operations, by the way to find it, until all have arrived; the form of SIGCOMM'96, Table 9."
    for beginning, caption in {**OWN, ONE_WAY: one_way}.items():
        keys = [k for k in report.results.keys(SUITE) if k[1].startswith(beginning)]
        if keys:
            shared.pivot(report, SUITE, keys, lambda system, case, _: (case, look.label(system)),
                         lambda _system, _case, metric: shared.metric_text(metric), f"{caption} Medians.", ("case", "system"), labels=2)
    _iterations(report)
    _functions(report)
    shared.leftovers(report, SUITE, understood)
    _papers(report)
    shared.closing(report, SUITE)


def _iterations(report):
    """Seconds of a number of iterations, and what each strategy saves, in the form of SIGCOMM'96's Tables 7 to 10."""
    parsed = [(case, case.split("/")) for case in report.results.cases(SUITE, "ns") if case.startswith(ITERATIONS)]
    for ending in dict.fromkeys("/".join(parts[2:]) for _, parts in parsed):
        cases = {int(parts[1]): case for case, parts in parsed if "/".join(parts[2:]) == ending}
        counts, words = sorted(cases), ending.replace("/objects", ", objects: ")
        systems = _measured(report, "ns", [Case(name, "", "", 0, "") for name in cases.values()])
        seconds = {s: [(ns := report.results.median(SUITE, s, cases[n], "ns")) and ns * n * REQUESTS / 1e9 for n in counts] for s in systems}
        _head(report, f"Iterations of 100 requests, {words}")
        rows = [[look.label(s), *map(shared.plain_cell, values)] for s, values in seconds.items()]
        report.page.table(["strategy", *(f"{n:,}" for n in counts)], rows, f"Seconds of iterations of {REQUESTS} requests over TCP, {words}; a "
                          "server by each strategy, the last of 100 operations. The form of SIGCOMM'96, Tables 7 and 9.")
        base = seconds.get("demux-linear")
        saved = [[look.label(s), *(shared.plain_cell(100 * (1 - a / b) if a and b else None) for a, b in zip(values, base))]
                 for s, values in seconds.items() if base and s != "demux-linear"]
        if saved:
            report.page.table(["strategy", *(f"{n:,}" for n in counts)], saved, "Saved against linear search, in %; the form of SIGCOMM'96, "
                              "Tables 8 and 10.")


def _functions(report):
    """In the form of SIGCOMM'96's Tables 4 to 6, as instructions."""
    cases = {case: case.removeprefix(FUNCTIONS) for case in report.results.cases(SUITE, "instructions") if case.startswith(FUNCTIONS)}
    if not cases:
        return
    _head(report, "Functions of a server by strategy")
    rows = []
    for system in look.systems_in_order(k[0] for k in report.results.keys(SUITE, "instructions") if k[1] in cases):
        whole = report.results.median(SUITE, system, f"{FUNCTIONS}all", "instructions")
        here = {case: name for case, name in cases.items() if report.results.value(SUITE, system, case, "instructions") and name != "all"}
        rows += shared.function_rows(report, SUITE, system, look.label(system), whole, here)
    report.page.table(["strategy", "function", "instructions", "calls", "%"], rows, "The server's user instructions of a request, half of them "
                      "two-way, for the last of 100 operations; the form of SIGCOMM'96, Tables 4 to 6.", labels=2)


def _measured(report, metric, cases):
    names = {c.name for c in cases}
    return look.systems_in_order(k[0] for k in report.results.keys(SUITE, metric) if k[1] in names)


def _head(report, title):
    anchor = re.sub("[^a-z]+", "-", title.lower())
    report.page.section(f"demux-{anchor}", title, 3)


def _section(report, metric, title, words, axis_words, cases):
    """Curves, if there is more than one number; else points."""
    if len({c.count for c in cases}) < 2:
        _points(report, metric, title, words, cases)
        return
    systems = _measured(report, metric, cases)
    panels = []
    for variant in dict.fromkeys(c.variant for c in cases):
        of_variant = [c for c in cases if c.variant == variant]
        if len({c.count for c in of_variant}) > 1:
            series = [(look.style(s), [(c.count, v) for c in of_variant if (v := report.results.value(SUITE, s, c.name, metric))])
                      for s in systems]
            panels.append((variant or "all", [(style, points) for style, points in series if points]))
    _head(report, title)
    if panels:
        report.page.figure(report.draw.panels(panels, title, xlabel=axis_words, ylabel=words, xscale="log", yscale="log"),
                           f"{title}; both axes logarithmic; one plot a way of asking ({', '.join(t for t, _ in panels)}); one "
                           f"CPU; {shared.rounds(report.results, SUITE)}. The thesis slides have these curves for operations, "
                           "random and worst case.")
    report.page.details("As a table")
    _table(report, metric, title, words, cases, systems)
    report.page.end_details()


def _points(report, metric, title, words, cases):
    """For a few cases that do not make a curve."""
    if not cases:
        return
    systems = _measured(report, metric, cases)
    names = {c.name: c.name.removeprefix(c.kind) for c in cases}
    series = [(look.style(s), {short: v for name, short in names.items() if (v := report.results.value(SUITE, s, name, metric))})
              for s in systems]
    _head(report, title)
    report.page.figure(report.draw.dots(list(names.values()), series, title, words, log=metric == "ns"),
                       f"{title}; {shared.rounds(report.results, SUITE)}.")
    rows = [[short, *(shared.value_cell(report.results.value(SUITE, s, name, metric)) for s in systems)]
            for name, short in names.items()]
    report.page.table(["case", *map(look.label, systems)], rows, f"{title}: {words}.")


def _table(report, metric, title, words, cases, systems):
    counts = sorted({c.count for c in cases})
    by_point = {(c.variant, c.count): c.name for c in cases}
    rows = []
    for variant in dict.fromkeys(c.variant for c in cases):
        for system in systems:
            values = [by_point.get((variant, n)) and report.results.value(SUITE, system, by_point[variant, n], metric)
                      for n in counts]
            if any(values):
                rows.append([variant, look.label(system), *map(shared.value_cell, values)])
    report.page.table(["way of asking", "strategy or system", *(f"{n:,}" for n in counts)], rows,
                      f"{title}: {words}; medians, in parentheses least and greatest round.", labels=2)


def _papers(report):
    report.page.section("demux-papers", "The papers' tables", 3)
    report.page.start("beside")
    for table in ("table4", "table5", "table6", "table7", "table8", "table9", "table10"):
        shared.paper_table(report, "sigcomm96", table)
    shared.paper_table(report, "thesis98", "strategies")
    report.page.end()
