# SPDX-License-Identifier: Apache-2.0
"""The ladder: the interpreter of HICSS'98 from its original through the paper's steps to callis's plan engine."""
from dataclasses import dataclass

import look
import shared
from markup import Html
from sections import ttcp

SUITE = "ladder"
RUNGS = ("ladder-original", "ladder-inlining", "ladder-precomputing", "ladder-receiver", "ladder-sender",
         "callis-interpreted")
WHATS = ("encode", "decode", "both")
# The tables of JSAC'99 that each rung's functions stand beside: of the sender, of the receiver.
TABLES = dict(zip(RUNGS, (("tableii", "tableiii"), ("tableiv", "tablev"), ("tablevi", "tablevii"), ("tableviii", "tableix"),
                          ("tablex", "tablexi"))))


@dataclass(frozen=True)
class Memory:
    """memory/TYPE/WHAT[/function/NAME]"""
    type: str
    what: str
    function: str


def parse_memory(name):
    parts = name.split("/", 4)
    if len(parts) < 3 or parts[0] != "memory" or parts[1] not in look.TYPES or parts[2] not in WHATS:
        return None
    if len(parts) == 3:
        return Memory(parts[1], parts[2], "")
    return Memory(parts[1], parts[2], parts[4]) if parts[3] == "function" and len(parts) == 5 else None


def understood(_system, case, metric):
    if parse_memory(case):
        return metric in ("gbit_s", "ns_per_element", "instructions", "calls")
    return ttcp.parse(case) is not None and metric in ("gbit_s", "receiver_gbit_s")


def build(report):
    if not shared.opening(report, SUITE, "ladder: the paper's steps again", (
            "The SunSoft interpreter, written anew from the paper's description, and each of the paper's steps as a build "
            "of its own; then callis's plan engine as one step more. HICSS'98 reached 1.9 times the original's throughput "
            "for double and 6.7 times for BinStruct, over ATM.")):
        _papers(report)
        return
    rungs = look.ordered(report.results.systems(SUITE), RUNGS)
    _memory(report, rungs)
    _floods(report, rungs)
    _functions(report, rungs)
    shared.leftovers(report, SUITE, understood)
    _papers(report)
    shared.closing(report, SUITE)


def _value(report, rung, case, metric="gbit_s"):
    return report.results.value(SUITE, rung, case, metric)


def _memory(report, rungs):
    cases = [c for c in map(parse_memory, report.results.cases(SUITE, "gbit_s")) if c]
    for what in look.ordered([c.what for c in cases], WHATS):
        words = {"encode": "Encoding", "decode": "Decoding and freeing", "both": "Encoding, decoding and freeing"}[what]
        report.page.section(f"ladder-{what}", f"{words}, in memory", 3)
        types = look.ordered([c.type for c in cases if c.what == what], look.TYPES)
        series = [(look.style(r), {t: v for t in types if (v := _value(report, r, f"memory/{t}/{what}"))}) for r in rungs]
        report.page.figure(report.draw.dots(types, series, f"{words} by rung", "throughput (Gbit/s)"),
                           f"{words}: throughput by type and rung, one sequence again and again in one process; "
                           f"{shared.rounds(report.results, SUITE)}.")
        _factors(report, rungs, types, lambda t, w=what: f"memory/{t}/{w}", f"{words}, in memory")


def _factors(report, rungs, types, case_of, words):
    """How many times as fast as the original each rung is, beside the paper's end."""
    if RUNGS[0] not in rungs:
        report.page.absent(f"{words}: the original was not measured, so there are no factors.")
        return
    rows = []
    for t in types:
        first = _value(report, RUNGS[0], case_of(t))
        factors = [shared.ratio(_value(report, r, case_of(t)), first) for r in rungs if r != RUNGS[0]]
        paper = report.papers.number(f"hicss98:numbers/speedup_{t}")
        rows.append([t, shared.plain_cell(first and first.median), *map(shared.value_cell, factors), f"{paper.value:g}"])
    report.page.table(["type", "original (Gbit/s)", *(f"{look.label(r)} ×" for r in rungs if r != RUNGS[0]),
                       "HICSS'98: step 4 ×"], rows,
                      f"How many times as fast as the original each rung is: {words}. In parentheses what the rounds allow.")


def _floods(report, rungs):
    cases = [c for c in map(ttcp.parse, report.results.cases(SUITE, "gbit_s")) if c and not c.rest]
    for placement in look.ordered([c.placement for c in cases], look.PLACEMENTS):
        chosen = [c for c in cases if c.placement == placement]
        types = look.ordered([c.type for c in chosen], look.TYPES)
        report.page.section(f"ladder-ttcp-{placement}", f"ttcp, {placement}", 3)
        panels = [(t, [(look.style(r), [(c.size, v) for c in chosen if c.type == t and (v := _value(report, r, c.name))])
                       for r in rungs]) for t in types]
        report.page.figure(report.draw.panels(panels, f"ttcp by rung, {placement}", xlabel="buffer (bytes)",
                                              ylabel="throughput (Gbit/s)"),
                           f"ttcp with each rung as sender and receiver; {look.PLACEMENTS.get(placement, placement)}; "
                           f"{shared.rounds(report.results, SUITE)}. The form of HICSS'98, Figures 4, 7, 12, 24 and 29.")
        sizes = {c.size for c in chosen}
        size = look.size_text(65536 if 65536 in sizes else max(sizes))
        _factors(report, rungs, types, lambda t, p=placement, s=size: f"{p}/{t}/{s}", f"ttcp, {placement}, buffers of {size}")


def _functions(report, rungs):
    cases = {k[1]: c for k in report.results.keys(SUITE, "instructions") if (c := parse_memory(k[1])) and c.function}
    if not cases:
        report.page.absent("Instructions by function of each rung: not measured in this run.")
    report.page.section("ladder-functions", "Where each rung spends its instructions", 3)
    _instructions(report, rungs)
    for rung in rungs:
        report.page.start("beside")
        for what, paper in zip(WHATS[:2], TABLES.get(rung, (None, None))):
            rows = []
            for t in look.ordered([c.type for c in cases.values()], look.TYPES):
                whole = report.results.median(SUITE, rung, f"memory/{t}/{what}", "instructions")
                rows += shared.function_rows(report, SUITE, rung, t, whole,
                                             {n: c.function for n, c in cases.items() if c.type == t and c.what == what})
            if rows:
                side = {"encode": "encoding (the sender)", "decode": "decoding and freeing (the receiver)"}[what]
                report.page.table(["type", "function", "instructions", "calls", "%"], rows,
                                  f"{look.label(rung)}: {side}, user instructions of one buffer of 64 KB by function.", labels=2)
            if paper:
                shared.paper_table(report, "jsac99", paper)
        report.page.end()


def _instructions(report, rungs):
    """Of one buffer, encoded and decoded: what no busy machine disturbs."""
    def both(rung, t):
        counts = [report.results.median(SUITE, rung, f"memory/{t}/{what}", "instructions") for what in WHATS[:2]]
        return None if None in counts else sum(counts)

    rows = []
    for t in look.TYPES:
        counts = [both(rung, t) for rung in rungs]
        first = counts[0] if rungs[0] == RUNGS[0] else None
        if any(counts):
            rows.append([t, *(Html(f"{look.number(n)} <span class=\"muted\">({look.number(first / n)} ×)</span>")
                              if first and n and n != first else shared.plain_cell(n) for n in counts)])
    report.page.table(["type", *map(look.label, rungs)], rows,
                      "User instructions to encode, decode and free one buffer of 64 KB; in parentheses how many times fewer "
                      "than the original's.")


def _papers(report):
    report.page.section("ladder-papers", "The paper's steps", 3)
    report.page.start("beside")
    shared.paper_table(report, "hicss98", "steps")
    report.page.table(["quantity", "value", "where"],
                      [[n["what"], f"{look.number(n['value'])} {'' if n['unit'] == '1' else n['unit']}".strip(), n["where"]]
                       for n in report.papers.by_id["hicss98"]["numbers"].values()], "HICSS'98: numbers in its text.",
                      paper=True)
    report.page.end()
    if not report.results.measured(SUITE):
        report.page.start("beside")
        for tables in TABLES.values():
            for table in tables:
                shared.paper_table(report, "jsac99", table)
        report.page.end()
