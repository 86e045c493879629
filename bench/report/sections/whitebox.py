# SPDX-License-Identifier: Apache-2.0
"""White box: where the instructions of a call go, by layer and by function, in the form of JSAC'99's Tables II to XI and
XIII."""
from dataclasses import dataclass

import look
import shared

SUITE = "whitebox"
SIDES = ("client", "server")
WORKS = ("marshal", "demarshal")
LAYERS = {"marshal": "#0063b1", "demarshal": "#3fa0e0", "headers": "#e0a000", "demultiplexing": "#d55e00", "stub": "#882255",
          "upcall": "#c2549d", "memory": "#00856a", "copying": "#58b368", "locks": "#7a4a2b", "transport": "#332288",
          "system-calls": "#777777", "other": "#b0b0b0", "unclassified": "#dcdcdc"}


@dataclass(frozen=True)
class Case:
    name: str
    what: str      # an operation of Param_Test, or a type of ttcp
    side: str
    layer: str     # "" if it is of a function
    function: str


def parse(name):
    """A Case of NAME/SIDE/LAYER or NAME/SIDE/function/FUNCTION; None if it is neither."""
    parts = name.split("/", 3)
    if len(parts) < 3 or parts[1] not in SIDES:
        return None
    if parts[2] == "function":
        return Case(name, parts[0], parts[1], "", parts[3]) if len(parts) == 4 else None
    return Case(name, parts[0], parts[1], parts[2], "") if len(parts) == 3 else None


def understood(_system, case, metric):
    return parse(case) is not None and metric in ("instructions", "calls")


def build(report):
    if not shared.opening(report, SUITE, "white box: where the instructions go", (
            "User instructions and calls by layer and by function, counted by callgrind, for one call (for types of ttcp: one "
            "buffer of 64 KB). Kernel instructions are not counted, so the writes and reads of the papers' tables do not show. "
            "The papers have milliseconds of Quantify, which come from counted instructions too.")):
        _papers(report)
        return
    cases = [c for c in map(parse, report.results.cases(SUITE)) if c]
    systems = look.systems_in_order(report.results.systems(SUITE))
    layers = [c for c in cases if c.layer]
    _shares(report, systems, layers)
    _works(report, systems, [c for c in layers if c.layer in WORKS])
    for side in SIDES:
        _functions(report, systems, side, [c for c in cases if c.side == side])
    shared.leftovers(report, SUITE, understood)
    _papers(report)
    shared.closing(report, SUITE)


def _ordered(cases):
    return look.ordered([c.what for c in cases], (*look.OPERATIONS, *look.TYPES))


def _sums(report, system, cases, what):
    """{layer: instructions of both sides} of an operation."""
    sums = {}
    for c in cases:
        count = report.results.median(SUITE, system, c.name, "instructions") if c.what == what else None
        if count is not None:
            sums[c.layer] = sums.get(c.layer, 0) + count
    return sums


def _shares(report, systems, cases):
    if not cases:
        return
    report.page.section("whitebox-layers", "By layer", 3)
    layers = look.ordered([c.layer for c in cases], LAYERS)
    rows, table = [], []
    for what in _ordered(cases):
        for system in systems:
            sums = _sums(report, system, cases, what)
            if sums:
                rows.append((f"{what}, {look.label(system)}", sums))
                table.append([what, look.label(system), shared.plain_cell(sum(sums.values())),
                              *(shared.plain_cell(sums.get(layer)) for layer in layers)])
    styles = [look.Style(layer, LAYERS.get(layer, "#000000"), "s") for layer in layers]
    report.page.figure(report.draw.stacked(rows, styles, "instructions of a call by layer", "share of user instructions (%)"),
                       "Share of each layer in the user instructions of a call, client and server together; at the right the "
                       "whole.")
    report.page.details("As a table")
    report.page.table(["operation", "system", "all", *layers], table,
                      "User instructions of a call by layer, client and server together.", labels=2)
    report.page.end_details()


def _works(report, systems, cases):
    """Table XIII: marshaling and demarshaling, each side, interpreted and compiled."""
    if not cases:
        return
    report.page.section("whitebox-work", "Marshaling and demarshaling", 3)
    names = {(c.what, c.side, c.layer): c.name for c in cases}
    rows = []
    for what in _ordered(cases):
        for n, (side, work) in enumerate((s, w) for s in SIDES for w in WORKS):
            values = [report.results.median(SUITE, s, names.get((what, side, work), ""), m)
                      for s in systems for m in ("instructions", "calls")]
            rows.append([what if n == 0 else "", side, work, *map(shared.plain_cell, values)])
    head = [f"{look.label(s)} {what}" for s in systems for what in ("instructions", "calls")]
    report.page.table(["operation", "side", "work", *head], rows,
                      "User instructions and calls of functions that marshal and demarshal, one call; the form of JSAC'99, "
                      "Table XIII.", labels=3)
    shared.paper_table(report, "jsac99", "tablexiii")


def _functions(report, systems, side, cases):
    """Tables II to XI: functions, instructions, calls, share of the side's instructions."""
    functions = [c for c in cases if c.function]
    if not functions:
        return
    report.page.section(f"whitebox-{side}", f"By function, {side}", 3)
    for system in systems:
        rows = []
        for what in _ordered(functions):
            whole = sum(_sums(report, system, [c for c in cases if c.layer], what).values())
            rows += shared.function_rows(report, SUITE, system, what, whole,
                                         {c.name: c.function for c in functions if c.what == what})
        if rows:
            report.page.details(f"{look.label(system)}, {side}")
            report.page.table(["operation or type", "function", "instructions", "calls", "%"], rows,
                              f"{look.label(system)}, {side}: user instructions of one call by function, the costliest ones; the "
                              "form of JSAC'99, Tables II to XI.", labels=2)
            report.page.end_details()


def _papers(report):
    report.page.section("whitebox-papers", "The papers' tables", 3)
    if not report.results.measured(SUITE):
        shared.paper_table(report, "jsac99", "tablexiii")
    report.page.paragraph("JSAC'99, Tables II to XI, stand beside the ladder, whose rungs they are of.")
    report.page.start("beside")
    for table in ("table2", "table3"):
        shared.paper_table(report, "sigcomm96", table)
    report.page.end()
