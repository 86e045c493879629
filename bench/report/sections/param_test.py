# SPDX-License-Identifier: Apache-2.0
"""Two-way calls of Param_Test: latency by operation and placement, as in INFOCOM'99 and JSAC'99."""
import look
import shared

SUITE = "param_test"
METRICS = (("p50_us", "p50"), ("p99_us", "p99"), ("p999_us", "p99.9"))


def parse(name):
    """(placement, operation); None if the name is not of the form PLACEMENT/OPERATION."""
    placement, _, operation = name.rpartition("/")
    return (placement, operation) if operation in look.OPERATIONS else None


def build(report):
    if not shared.opening(report, SUITE, "Param_Test: two-way calls", (
            "Seven operations, each with an in, an inout, an out and a returned value; the servant copies in to the others. "
            "Strings have 128 characters, sequences nine elements. The floor (C sockets) is a ping-pong of the same number "
            "of bytes. INFOCOM'99 and JSAC'99 report means of 2,000 calls over the loopback.")):
        _papers(report)
        return
    cases = [c for c in map(parse, report.results.cases(SUITE)) if c]
    systems = look.systems_in_order(report.results.systems(SUITE))
    for placement in look.ordered([c[0] for c in cases], look.PLACEMENTS):
        operations = look.ordered([o for p, o in cases if p == placement], look.OPERATIONS)
        _placement(report, placement, operations, systems)
    _papers(report)
    shared.leftovers(report, SUITE, lambda system, case, metric: parse(case) is not None)
    shared.closing(report, SUITE)


def _value(report, system, placement, operation, metric="p50_us"):
    return report.results.value(SUITE, system, f"{placement}/{operation}", metric)


def _placement(report, placement, operations, systems):
    page, words = report.page, look.PLACEMENTS.get(placement, placement)
    page.section(f"param_test-{placement.replace('/', '-')}", f"Placement {placement}", 3)
    latencies = [(look.style(s), {o: v for o in operations if (v := _value(report, s, placement, o))}) for s in systems]
    if not any(values for _, values in latencies):
        page.absent(f"No latencies in placement {placement}.")
        return
    page.figure(report.draw.dots(operations, latencies, f"p50 of a call, {placement}", "p50 of a call (µs)"),
                f"Median latency of a call by operation and system; {words}; {shared.rounds(report.results, SUITE)}. "
                "INFOCOM'99, Figure 5, and JSAC'99, Figures 37 to 39, have calls a second.",
                f"figure-param_test-{placement.replace('/', '-')}")
    ratios = [(look.style(s), {o: r for o in operations if (r := shared.ratio(_value(report, s, placement, o),
                                                                              _value(report, "raw", placement, o)))})
              for s in systems if s != "raw"]
    if any(values for _, values in ratios):
        page.figure(report.draw.dots(operations, ratios, f"p50 against the raw floor, {placement}",
                                     "p50 ÷ p50 of C sockets with the same bytes", reference=1),
                    f"The same as a multiple of the floor: 1 is a ping-pong of the same bytes by C sockets; {words}. "
                    "Whiskers: what the rounds of both allow.")
    _table(report, placement, operations, systems)


def _table(report, placement, operations, systems):
    rows = []
    for operation in operations:
        for system in systems:
            values = [_value(report, system, placement, operation, m) for m, _ in METRICS]
            if any(values):
                calls = _value(report, system, placement, operation, "calls_per_s")
                raw = shared.ratio(values[0], _value(report, "raw", placement, operation))
                rows.append([operation, look.label(system), *map(shared.value_cell, values),
                             shared.value_cell(calls), shared.plain_cell(raw and raw.median)])
    report.page.details(f"All values of {placement}")
    report.page.table(["operation", "system", *(f"{name} (µs)" for _, name in METRICS), "calls/s", "p50 ÷ C sockets"],
                      rows, f"Latency and throughput of calls, {placement}: medians over rounds, in parentheses least and "
                      "greatest round.", labels=2)
    report.page.end_details()


def _interpreted_and_compiled(report, placement):
    rows = []
    for operation in look.OPERATIONS:
        row = [operation]
        for system in ("callis-compiled", "callis-interpreted"):
            row += [shared.plain_cell((v := _value(report, system, placement, operation)) and v.median),
                    shared.plain_cell((v := _value(report, system, placement, operation, "calls_per_s")) and v.median)]
        speed = shared.ratio(_value(report, "callis-compiled", placement, operation),
                             _value(report, "callis-interpreted", placement, operation))
        rows.append([*row, shared.percent(speed and speed.median)])
    report.page.table(["operation", "compiled µs", "compiled calls/s", "interpreted µs", "interpreted calls/s",
                       "interpreted in % of compiled"], rows,
                      f"Interpreted and compiled stubs of callis, placement {placement}: p50 of a call and calls a second; "
                      "the form of INFOCOM'99, Tables 2 to 4. The last column compares speeds: compiled p50 ÷ interpreted.")


def _papers(report):
    page = report.page
    page.section("param_test-papers", "Interpreted and compiled, beside the papers", 3)
    for placement in ("memory", "one-cpu"):
        if any(report.results.value(SUITE, "callis-interpreted", f"{placement}/{o}", "p50_us") for o in look.OPERATIONS):
            _interpreted_and_compiled(report, placement)
        else:
            page.absent(f"callis in placement {placement}: not measured in this run.")
    page.start("beside")
    for table in ("table2", "table3", "table4", "table9"):
        shared.paper_table(report, "infocom99", table)
    page.end()
