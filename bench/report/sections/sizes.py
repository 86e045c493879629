# SPDX-License-Identifier: Apache-2.0
"""Bytes of stubs, skeletons, operators and libraries, in the form of JSAC'99's Tables XIV to XVI and XVIII."""
from dataclasses import dataclass

import look
import shared

SUITE, METRIC = "sizes", "bytes"
LEVELS = ("-O2", "-Os")


@dataclass(frozen=True)
class Case:
    name: str
    target: str     # ARCH, COMPILER and level
    operation: str  # "" if it is not of an operation
    part: str       # stub, skeleton, table, ...


def parse(name):
    """A Case of ARCH/COMPILER/LEVEL/...; None if the third part is no level."""
    parts = name.split("/")
    if len(parts) < 4 or parts[2] not in LEVELS:
        return None
    operation = next((p for p in parts[3:] if p in look.OPERATIONS), "")
    rest = [p for p in parts[3:] if p != operation]
    return Case(name, " ".join(parts[:3]), operation, "/".join(rest))


def understood(_system, case, metric):
    return metric == METRIC and parse(case) is not None


def build(report):
    if not shared.opening(report, SUITE, "sizes: stubs, skeletons, libraries", (
            "Bytes of code and tables that generated stubs and skeletons take, by operation, architecture, compiler and "
            "level; and of libraries and whole programs. JSAC'99 and INFOCOM'99 counted the bytes of instructions and tables.")):
        _papers(report)
        return
    cases = [c for c in map(parse, report.results.cases(SUITE, METRIC)) if c]
    systems = look.systems_in_order(report.results.systems(SUITE))
    targets = list(dict.fromkeys(c.target for c in cases))
    for target in targets:
        _target(report, target, [c for c in cases if c.target == target and c.operation], systems)
    _others(report, [c for c in cases if not c.operation])
    shared.leftovers(report, SUITE, understood)
    _papers(report)
    shared.closing(report, SUITE)


def _target(report, target, cases, systems):
    """One architecture, compiler and level: a figure a part (stub, skeleton), and all parts in a table."""
    if not cases:
        return
    page = report.page
    page.section(f"sizes-{target.replace(' ', '')}", target, 3)
    operations = look.ordered([c.operation for c in cases], look.OPERATIONS)
    parts = list(dict.fromkeys(c.part for c in cases))
    values = {(s, c.part, c.operation): v for s in systems for c in cases
              if (v := report.results.median(SUITE, s, c.name, METRIC)) is not None}
    for part in parts:
        if part.split("/")[0] in ("stub", "skeleton") and "/" not in part:
            series = [(look.style(s), {o: values[s, part, o] for o in operations if (s, part, o) in values})
                      for s in systems]
            page.figure(report.draw.bars(operations, series, f"{part} sizes, {target}", "bytes"),
                        f"Bytes that each operation adds: {part}, {target}; the form of JSAC'99, Figures 40 and 41.")
    columns = [(s, part) for part in parts for s in systems if any((s, part, o) in values for o in operations)]
    rows = [[o, *(shared.plain_cell(values.get((s, part, o))) for s, part in columns),
             *(shared.percent(_share(values, part, o)) for part in ("stub", "skeleton"))] for o in operations]
    page.table(["operation", *(f"{look.label(s)} {part}" for s, part in columns), "stub, interp. in % of comp.",
                "skeleton, interp. in % of comp."], rows,
               f"Bytes by operation and part, {target}; the form of JSAC'99, Tables XIV to XVII.")


def _share(values, part, operation):
    one, other = (values.get((f"callis-{style}", part, operation)) for style in ("interpreted", "compiled"))
    return one / other if one is not None and other else None


def _others(report, cases):
    """Libraries, programs, services: what is not of one operation."""
    groups = {}
    for c in cases:
        groups.setdefault(c.part.split("/")[0], []).append(c.name)
    for group, names in groups.items():
        keys = [k for k in report.results.keys(SUITE, METRIC) if k[1] in names]
        report.page.section(f"sizes-{group}", group.capitalize(), 3)
        shared.pivot(report, SUITE, keys, lambda system, case, _: (look.label(system), parse(case).part),
                     lambda _s, case, _m: parse(case).target, f"Bytes of {group} by architecture, compiler and level.",
                     ("system", "what"), labels=2)


def _papers(report):
    report.page.section("sizes-papers", "The papers' tables", 3)
    report.page.start("beside")
    for table in ("tablexv", "tablexvi", "tablexiv", "tablexviii"):
        shared.paper_table(report, "jsac99", table)
    for table in ("table12", "table13", "table11", "table15", "table16", "table14"):
        shared.paper_table(report, "infocom99", table)
    report.page.end()
