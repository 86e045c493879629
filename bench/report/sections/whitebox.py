# SPDX-License-Identifier: Apache-2.0
"""White box: how many instructions and calls each part of marshaling takes, in the form of JSAC'99's Tables II to XI and
XIII."""
import look
import shared

SUITE = "whitebox"
SIDES = ("client", "server", "sender", "receiver")
WORKS = ("marshal", "demarshal")


def parse(name):
    """(what is called or sent, side, the rest); None if the second part is no side."""
    parts = name.split("/")
    if len(parts) < 2 or parts[1] not in SIDES:
        return None
    return parts[0], parts[1], "/".join(parts[2:])


def understood(_system, case, metric):
    return parse(case) is not None and metric in ("instructions", "calls")


def build(report):
    if not shared.opening(report, SUITE, "white box: where the instructions go", (
            "User instructions and calls by function or by part, counted by callgrind; kernel instructions are not counted, "
            "so the writes and reads of the papers' tables do not show. The papers have milliseconds of Quantify, which "
            "come from instruction counts too.")):
        _papers(report)
        return
    results = report.results
    cases = {name: parse(name) for name in results.cases(SUITE) if parse(name)}
    _works(report, {n: c for n, c in cases.items() if c[2] in WORKS})
    for side in look.ordered([c[1] for c in cases.values()], SIDES):
        chosen = {n: c for n, c in cases.items() if c[1] == side and c[2] not in WORKS}
        if chosen:
            _functions(report, side, chosen)
    shared.leftovers(report, SUITE, understood)
    _papers(report)
    shared.closing(report, SUITE)


def _works(report, cases):
    """Table XIII: marshaling and demarshaling, each side, interpreted and compiled."""
    if not cases:
        return
    report.page.section("whitebox-work", "Marshaling and demarshaling", 3)
    systems = look.systems_in_order(report.results.systems(SUITE))
    rows = []
    for name in sorted(cases, key=lambda n: (_place(cases[n][0]), SIDES.index(cases[n][1]), WORKS.index(cases[n][2]))):
        cells = []
        for system in systems:
            cells += [shared.plain_cell(report.results.median(SUITE, system, name, m)) for m in ("instructions", "calls")]
        rows.append([*cases[name], *cells])
    head = [f"{look.label(s)} {what}" for s in systems for what in ("instructions", "calls")]
    report.page.table(["operation", "side", "work", *head], rows,
                      "Instructions and calls of stubs and skeletons in marshaling, a call; the form of JSAC'99, Table XIII.",
                      labels=3)


def _place(operation):
    known = (*look.OPERATIONS, *look.TYPES)
    return known.index(operation) if operation in known else len(known)


def _functions(report, side, cases):
    """Tables II to XI: functions, instructions, calls, share."""
    results = report.results
    report.page.section(f"whitebox-{side}", f"By function, {side}", 3)
    for system in look.systems_in_order(results.systems(SUITE)):
        rows = []
        for what in sorted({c[0] for c in cases.values()}, key=_place):
            rows += shared.function_rows(report, SUITE, system, what, None, {n: c[2] for n, c in cases.items() if c[0] == what})
        if rows:
            report.page.table(["type or operation", "function", "instructions", "calls", "%"], rows,
                              f"{look.label(system)}, {side}: user instructions by function; the form of JSAC'99, "
                              "Tables II to XI.", labels=2)


def _papers(report):
    report.page.section("whitebox-papers", "The papers' tables", 3)
    shared.paper_table(report, "jsac99", "tablexiii")
    report.page.details("JSAC'99, Tables II to XI; SIGCOMM'96, Tables 2 and 3")
    report.page.start("beside")
    for table in ("tableii", "tableiii", "tableiv", "tablev", "tablevi", "tablevii", "tableviii", "tableix", "tablex",
                  "tablexi"):
        shared.paper_table(report, "jsac99", table)
    for table in ("table2", "table3"):
        shared.paper_table(report, "sigcomm96", table)
    report.page.end()
    report.page.end_details()
