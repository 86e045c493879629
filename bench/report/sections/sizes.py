# SPDX-License-Identifier: Apache-2.0
"""Bytes of stubs, skeletons, operators, services, libraries, in the form of JSAC'99's Tables XIV to XVIII."""
from dataclasses import dataclass

import look
import shared

SUITE, METRIC = "sizes", "bytes"
LEVELS = ("-O2", "-Os")
PARTS = ("stub", "skeleton", "operators", "tables", "skeleton/alone", "stub/eh", "skeleton/eh", "skeleton/alone/eh", "ram", "stub/whole", "skeleton/whole")
ALL = "all"  # the seven operations in one interface
STYLES = ("callis-interpreted", "callis-compiled")
COUNTS, DECLARED = ("structures", "sequences", "operations"), "declared"  # what a service's IDL has
PAPER_BAND = {"stub": (0.26, 0.45), "skeleton": (0.50, 0.80)}  # of INFOCOM'99 and JSAC'99


@dataclass(frozen=True)
class Case:
    name: str
    target: str  # ARCH/COMPILER/LEVEL
    group: str   # operation, cos, xviii, library, program
    what: str    # the operation, service or library
    part: str


def parse(name):
    """A Case of ARCH/COMPILER/LEVEL/...; None if it has none of the forms of bench/suites/sizes.py."""
    parts = name.split("/")
    if len(parts) < 5 or parts[2] not in LEVELS:
        return None
    target, what, rest = "/".join(parts[:3]), parts[3], "/".join(parts[4:])
    if what in look.OPERATIONS or what == ALL:
        return Case(name, target, "operation", what, rest) if rest in PARTS else None
    if what in ("cos", "xviii", "library", "program") and len(parts) >= 6:
        return Case(name, target, what, parts[4], "/".join(parts[5:]))
    return None


def understood(_system, case, metric):
    found = parse(case)
    return found is not None and metric == (DECLARED if found.group == "xviii" and found.part in COUNTS else METRIC)


def build(report):
    if not shared.opening(report, SUITE, "sizes: stubs, skeletons, libraries", (
            "Bytes of code and tables that generated stubs and skeletons take, by operation, architecture, compiler and "
            "level; those of the OMG's object services, of libraries and of a whole program. JSAC'99 and INFOCOM'99 counted the "
            "bytes of instructions and tables on three machines.")):
        _papers(report)
        return
    cases = [c for c in map(parse, report.results.cases(SUITE, METRIC)) if c]
    systems = look.systems_in_order(report.results.systems(SUITE))
    operations = [c for c in cases if c.group == "operation"]
    targets = list(dict.fromkeys(c.target for c in operations))
    home = "/".join(targets[0].split("/")[:2]) if targets else ""
    for target in targets:
        if target.startswith(home + "/"):
            _target(report, target, [c for c in operations if c.target == target], systems)
    _everywhere(report, operations, targets)
    _summary(report, home)
    _services(report, [c for c in cases if c.group == "cos"], systems)
    _table_xviii(report, [c for c in cases if c.group == "xviii"])
    for group, title in (("library", "Libraries: all objects, used or not"),
                         ("program", "A minimal static client and server")):
        _libraries(report, title, [c for c in cases if c.group == group])
    shared.leftovers(report, SUITE, understood)
    _papers(report)
    shared.closing(report, SUITE)


def _bytes(report, system, target, what, part):
    return report.results.median(SUITE, system, f"{target}/{what}/{part}", METRIC)


def _target(report, target, cases, systems):
    """The machine's own compiler, one level: figures and the papers' tables of sizes."""
    page = report.page
    page.section(f"sizes-{target.replace('/', '-')}", target.replace("/", " "), 3)
    operations = look.ordered([c.what for c in cases], (*look.OPERATIONS, ALL))
    for part in ("stub", "skeleton"):
        series = [(look.style(s), {o: v for o in operations if (v := _bytes(report, s, target, o, part)) is not None})
                  for s in systems]
        if any(values for _, values in series):
            page.figure(report.draw.bars([o for o in operations if o != ALL], series, f"{part} sizes, {target}", "bytes"),
                        f"Bytes that each operation adds to a {part}, {target}: code, tables and the operators that it "
                        f"needs; the form of JSAC'99, Figure {40 if part == 'stub' else 41}.")
        _size_table(report, target, operations, part)
    _with_plans(report, target, operations)


def _with_plans(report, target, operations):
    """What an operation needs in all: sections, and the heap that plans take."""
    rows = []
    for o in operations:
        stub, whole, ram = (_bytes(report, STYLES[0], target, o, part) for part in ("stub", "stub/whole", "ram"))
        many = _bytes(report, STYLES[1], target, o, "stub/whole")
        if None not in (stub, whole, ram, many):
            rows.append([o, *map(shared.plain_cell, (stub, whole - stub, whole, ram, many)), shared.percent(stub / many), shared.percent(whole / many)])
    if rows:
        report.page.table(["operation", "stub", "plans on the heap", "both", "of both in RAM", "compiled stub", "stub in % of it", "both in % of it"],
                          rows, f"What an operation needs with interpreted stubs, bytes, {target}: the papers count tables, too.")


def _size_table(report, target, operations, part):
    """Tables XV and XVI: for a stub also what of it is tables or operators."""
    rows = []
    for o in operations:
        few, many, omni = (_bytes(report, s, target, o, part) for s in (*STYLES, "omniorb"))
        ratio = shared.percent(few / many if few is not None and many else None)
        if part == "stub":
            tables, operators = (_bytes(report, s, target, o, p) for s, p in zip(STYLES, ("tables", "operators")))
            rows.append([o, *map(shared.plain_cell, (_without(few, tables), tables, few, _without(many, operators), operators,
                                                     many, omni)), ratio])
        else:
            alone = [_bytes(report, s, target, o, "skeleton/alone") for s in STYLES]
            rows.append([o, *map(shared.plain_cell, (alone[0], few, alone[1], many, omni)), ratio])
    head = ["interpreted: code", "tables", "all", "compiled: own code", "operators", "all"] if part == "stub" else \
        ["interpreted: file alone", "with what it takes", "compiled: file alone", "with what it takes"]
    form = "Table XV, with the operators of Table XIV" if part == "stub" else "Table XVI"
    caption = f"Bytes of {part}s, {target}; the form of JSAC'99, {form}; {ALL}: the seven operations in one interface."
    report.page.start("beside")
    report.page.table(["operation", *head, "omniORB", "interpreted in % of compiled"], rows, caption)
    shared.paper_table(report, "jsac99", "tablexv" if part == "stub" else "tablexvi")
    report.page.end()


def _without(whole, part):
    return whole - part if whole is not None and part is not None else None


def _everywhere(report, cases, targets):
    """Interpreted ÷ compiled by architecture, compiler and level."""
    if not cases:
        return
    report.page.section("sizes-targets", "Architectures and compilers", 3)
    for part, band in PAPER_BAND.items():
        operations = look.ordered([c.what for c in cases if c.part == part], (*look.OPERATIONS, ALL))
        series = []
        for n, target in enumerate(targets):
            ratios = {o: r for o in operations if (r := shared.ratio(
                *(report.results.value(SUITE, s, f"{target}/{o}/{part}", METRIC) for s in STYLES)))}
            series.append((look.other_style(target, n), ratios))
        report.page.figure(report.draw.dots(operations, series, f"{part}s by target", "interpreted ÷ compiled (bytes)",
                                            log=False, band=band),
                           f"Bytes of interpreted {part}s ÷ those of compiled ones by architecture, compiler and level; "
                           f"grey: what INFOCOM'99 and JSAC'99 found, {band[0]:.0%} to {band[1]:.0%}.")
    keys = [k for k in report.results.keys(SUITE, METRIC) if (c := parse(k[1])) and c.group == "operation" and
            c.part in ("stub", "skeleton")]
    report.page.details("As a table")
    shared.pivot(report, SUITE, keys, lambda s, case, _: (parse(case).what, parse(case).part, look.label(s)),
                 lambda _s, case, _m: parse(case).target, "Bytes that an operation adds, by target.",
                 ("operation", "part", "system"), labels=3)
    report.page.end_details()


def _summary(report, home):
    """Table XVII: speed and sizes of interpreted in percent of compiled."""
    rows = []
    for o in look.OPERATIONS:
        calls = [report.results.value("param_test", s, f"memory/{o}", "calls_per_s") for s in STYLES]
        speed = shared.ratio(*calls)
        row = [o, shared.percent(speed and speed.median)]
        for part in ("stub", "skeleton"):
            few, many = (_bytes(report, s, f"{home}/-O2", o, part) for s in STYLES)
            row.append(shared.percent(few / many if few is not None and many else None))
        rows.append(row)
    report.page.section("sizes-summary", "Speed and size together", 3)
    report.page.start("beside")
    report.page.table(["operation", "performance", "stub size", "skeleton size"], rows,
                      f"Interpreted in percent of compiled: calls a second over the memory transport; bytes, {home or 'no target'} "
                      "-O2; the form of JSAC'99, Table XVII.")
    shared.paper_table(report, "jsac99", "tablexvii")
    report.page.end()


def _services(report, cases, systems):
    report.page.section("sizes-services", "Object services", 3)
    names = list(dict.fromkeys(c.what for c in cases))
    target = cases[0].target if cases else ""
    if not cases:
        report.page.absent("Stubs and skeletons of the object services: not measured in this run.")
    for part in ("stub", "skeleton"):
        series = [(look.style(s), {n: v for n in names if (v := _bytes(report, s, target, f"cos/{n}", part)) is not None})
                  for s in systems]
        if any(values for _, values in series):
            report.page.figure(report.draw.bars(names, series, f"{part}s of object services", "bytes"),
                               f"Bytes of all {part}s of an object service's IDL, {target}.")
    rows = []
    for name in names:
        for part in ("stub", "skeleton"):
            few, many, omni = (_bytes(report, s, target, f"cos/{name}", part) for s in (*STYLES, "omniorb"))
            rows.append([name, part, *map(shared.plain_cell, (few, many, omni)),
                         shared.percent(few / many if few is not None and many else None)])
    if rows:
        head = ["service", "part", "interpreted", "compiled", "omniORB", "interpreted in % of compiled"]
        report.page.table(head, rows, f"Bytes of whole object services, {target}.", labels=2)


def _table_xviii(report, cases):
    """Today's IDL of the papers' services: what it declares, and the bytes of its code."""
    report.page.section("sizes-table-xviii", "The papers' services", 3)
    if not cases:
        report.page.absent("What the services' IDL declares today: not measured in this run.")
    rows = []
    for service in dict.fromkeys(c.what for c in cases):
        at = f"{cases[0].target}/xviii/{service}"
        row = [service, *(shared.plain_cell(report.results.median(SUITE, STYLES[0], f"{at}/{what}", DECLARED)) for what in COUNTS)]
        for part in ("stub", "skeleton"):
            few, many = (report.results.median(SUITE, s, f"{at}/{part}", METRIC) for s in STYLES)
            row += [shared.plain_cell(few), shared.plain_cell(many),
                    shared.percent(few / many if few is not None and many else None)]
        rows.append(row)
    report.page.start("beside")
    if rows:
        report.page.table(["service", "structures", "sequences", "operations and attributes", "stubs: interpreted", "compiled", "in %",
                           "skeletons: interpreted", "compiled", "in %"], rows,
                          f"Declarations of callis's IDL, and bytes of its code, {cases[0].target}; the form of JSAC'99, Table XVIII.")
    shared.paper_table(report, "jsac99", "tablexviii")
    report.page.end()


def _libraries(report, title, cases):
    if not cases:
        return
    report.page.section(f"sizes-{cases[0].group}", title, 3)
    for objects in (False, True):
        names = {c.name for c in cases if c.part.startswith("object/") == objects}
        keys = [k for k in report.results.keys(SUITE, METRIC) if k[1] in names]
        if not keys:
            continue
        if objects:
            report.page.details("Object by object")
        shared.pivot(report, SUITE, keys, lambda _s, case, _m: (parse(case).what, _object(case)),
                     lambda _s, case, _m: f"{parse(case).target.split('/')[2]} {parse(case).part.split('/')[-1]}",
                     f"{title}, bytes by kind; eh: unwinding tables.", ("library", "object"), labels=2)
        if objects:
            report.page.end_details()


def _object(case):
    parts = parse(case).part.split("/")
    return parts[1] if parts[0] == "object" else "all"


def _papers(report):
    report.page.section("sizes-papers", "The papers' other tables", 3)
    measured = report.results.measured(SUITE)
    report.page.start("beside")
    for table in ("tablexiv",) if measured else ("tablexiv", "tablexv", "tablexvi", "tablexvii", "tablexviii"):
        shared.paper_table(report, "jsac99", table)
    for table in ("table11", "table12", "table13", "table14", "table15", "table16"):
        shared.paper_table(report, "infocom99", table)
    report.page.end()
