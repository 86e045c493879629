# SPDX-License-Identifier: Apache-2.0
"""Demultiplexing: how long a request's object and operation take to find, by strategy and number, as in SIGCOMM'96 and
in the thesis slides."""
import re
from dataclasses import dataclass

import look
import shared

SUITE = "demux"
AXES = {"operations": "operations of an interface", "objects": "objects of an adapter", "poas": "depth of adapters"}
YS = {"ns": "one lookup (ns)", "p50_us": "p50 of a call (µs)"}


@dataclass(frozen=True)
class Case:
    name: str
    axis: str
    count: int
    variant: str  # random, worst, cold, a placement


def parse(name):
    """A Case; None if not exactly one part of the name is operationsN, objectsN or poasN."""
    found = [re.fullmatch(r"(operations|objects|poas)(\d+)", part) for part in name.split("/")]
    hits = [m for m in found if m]
    if len(hits) != 1:
        return None
    rest = [part for part, m in zip(name.split("/"), found) if not m]
    return Case(name, hits[0].group(1), int(hits[0].group(2)), "/".join(rest))


def understood(_system, case, metric):
    return parse(case) is not None and metric in YS


def build(report):
    if not shared.opening(report, SUITE, "demux: finding object and operation", (
            "A request names an object and an operation; the server has to find the servant and its function. Strategies: "
            "linear search (as Orbix had it), binary search, dynamic hashing (as ORBeline), perfect hashing, direct "
            "index, and de-layered active demultiplexing, where the key holds the place in the table. Measured as the "
            "lookup alone, and as the latency of whole calls.")):
        _papers(report)
        return
    for metric, words in YS.items():
        _metric(report, metric, words)
    shared.leftovers(report, SUITE, understood)
    _papers(report)
    shared.closing(report, SUITE)


def _metric(report, metric, words):
    keys = report.results.keys(SUITE, metric)
    cases = [c for c in map(parse, dict.fromkeys(k[1] for k in keys)) if c]
    for axis, axis_words in AXES.items():
        of_axis = [c for c in cases if c.axis == axis]
        systems = look.systems_in_order(k[0] for k in keys)
        if not of_axis:
            continue
        report.page.section(f"demux-{metric}-{axis}", f"{axis_words.capitalize()}: {words}", 3)
        if metric == "ns" and len({c.count for c in of_axis}) > 1:
            _curves(report, metric, words, axis_words, of_axis, systems)
        else:
            _points(report, metric, words, axis_words, of_axis, systems)
        _table(report, metric, words, of_axis, systems)


def _curves(report, metric, words, axis_words, cases, systems):
    panels = []
    for variant in dict.fromkeys(c.variant for c in cases):
        series = [(look.style(s), [(c.count, v) for c in cases if c.variant == variant and
                                   (v := report.results.value(SUITE, s, c.name, metric))]) for s in systems]
        panels.append((variant or "all", [(style, points) for style, points in series if points]))
    report.page.figure(report.draw.panels(panels, f"{words} against {axis_words}", xlabel=axis_words, ylabel=words,
                                          xscale="log", yscale="log"),
                       f"{words[0].upper()}{words[1:]} against the number of {axis_words}, both axes logarithmic; one plot a "
                       f"way of asking ({', '.join(title for title, _ in panels)}); {shared.rounds(report.results, SUITE)}.")


def _points(report, metric, words, axis_words, cases, systems):
    series = [(look.style(s), {c.name: v for c in cases if (v := report.results.value(SUITE, s, c.name, metric))})
              for s in systems]
    report.page.figure(report.draw.dots([c.name for c in cases], series, f"{words} by {axis_words}", words, log=False),
                       f"{words[0].upper()}{words[1:]}; {axis_words}; {shared.rounds(report.results, SUITE)}.")


def _table(report, metric, words, cases, systems):
    counts = sorted({c.count for c in cases})
    by_point = {(c.variant, c.count): c.name for c in cases}
    rows = []
    for variant in dict.fromkeys(c.variant for c in cases):
        for system in systems:
            values = [by_point.get((variant, n)) and report.results.value(SUITE, system, by_point[variant, n], metric)
                      for n in counts]
            if any(values):
                rows.append([variant, look.label(system), *map(shared.value_cell, values)])
    report.page.details("The same as a table")
    report.page.table(["way of asking", "strategy or system", *(f"{n:,}" for n in counts)], rows,
                      f"{words.capitalize()}: medians, in parentheses least and greatest round.", labels=2)
    report.page.end_details()


def _papers(report):
    report.page.section("demux-papers", "The papers' tables", 3)
    report.page.start("beside")
    for table in ("table4", "table5", "table6", "table7", "table8", "table9", "table10"):
        shared.paper_table(report, "sigcomm96", table)
    shared.paper_table(report, "thesis98", "strategies")
    report.page.end()
