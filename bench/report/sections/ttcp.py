# SPDX-License-Identifier: Apache-2.0
"""The flood of ttcp: throughput against buffer size for each type and placement, as in SIGCOMM'96 and HICSS'98."""
from dataclasses import dataclass

import look
import shared

SUITE, METRIC = "ttcp", "gbit_s"
LARGE = 16384  # bytes from which copying, not calling, is what is measured


@dataclass(frozen=True)
class Case:
    name: str
    placement: str
    type: str
    size: int
    rest: tuple  # queue8K, queue64K, buffered


def parse(name):
    """A Case; None if the name is not of the form PLACEMENT/TYPE/SIZE[/...]."""
    parts = name.split("/")
    at = next((n for n, part in enumerate(parts) if part in look.TYPES), None)
    if at is None or at + 1 >= len(parts) or look.size_bytes(parts[at + 1]) is None:
        return None
    return Case(name, "/".join(parts[:at]), parts[at], look.size_bytes(parts[at + 1]), tuple(parts[at + 2:]))


def build(report):
    if not shared.opening(report, SUITE, "ttcp: a one-way flood", (
            "A client sends buffers of one type to a server, one way, as fast as it can, until the total is sent; then the "
            "server confirms how much has come. Throughput counts the payload only, from the first send until the "
            "confirmation. SIGCOMM'96 and HICSS'98 did this with 64 MB over ATM and over the loopback.")):
        shared.paper_table(report, "sigcomm96", "table1")
        return
    cases = [c for c in map(parse, report.results.cases(SUITE)) if c]
    systems = look.systems_in_order(report.results.systems(SUITE))
    for placement in look.ordered([c.placement for c in cases], look.PLACEMENTS):
        _placement(report, placement, [c for c in cases if c.placement == placement], systems)
    _queues(report, cases, systems)
    _receiver(report, cases, systems)
    shared.leftovers(report, SUITE, lambda system, case, metric: parse(case) is not None)
    shared.closing(report, SUITE)


def _value(report, system, case, metric=METRIC):
    return report.results.value(SUITE, system, case.name, metric)


def _series(report, cases, systems):
    """[(Style, [(size, Value)])] of cases with different sizes."""
    return [(look.style(s), [(c.size, v) for c in cases if (v := _value(report, s, c))]) for s in systems]


def _placement(report, placement, cases, systems):
    page, words = report.page, look.PLACEMENTS.get(placement, placement)
    page.section(f"ttcp-{placement.replace('/', '-')}", f"Placement {placement}", 3)
    plain = [c for c in cases if not c.rest]
    types = look.ordered([c.type for c in plain], look.TYPES)
    panels = [(t, _series(report, [c for c in plain if c.type == t], systems)) for t in types]
    if panels:
        page.figure(report.draw.panels(panels, f"ttcp throughput against buffer size, {placement}",
                                       xlabel="buffer (bytes)", ylabel="throughput (Gbit/s)"),
                    f"Throughput of all systems against the size of the sender's buffer, one plot a type; {words}, TCP over "
                    f"the loopback, default socket queues; {shared.rounds(report.results, SUITE)}. The form of SIGCOMM'96, "
                    "Figures 2 to 15, whose curves the text gives only by Table 1.",
                    f"figure-ttcp-{placement.replace('/', '-')}")
        page.start("beside")
        _table_one(report, placement, plain, systems)
        shared.paper_table(report, "sigcomm96", "table1")
        page.end()
        _ratios(report, placement, plain, systems, types)
        _all_points(report, placement, plain, systems, types)
    _buffered(report, placement, cases, systems)


def _table_one(report, placement, cases, systems):
    """The form of the paper's Table 1: greatest and least over sizes, for scalars and structs."""
    rows = []
    for system in systems:
        row = [look.label(system)]
        for wanted in (look.TYPES[:5], ("BinStruct",)):
            found = [v.median for c in cases if c.type in wanted and (v := _value(report, system, c))]
            row += [shared.plain_cell(max(found, default=None)), shared.plain_cell(min(found, default=None))]
        rows.append(row)
    report.page.table(["system", "scalars, high", "scalars, low", "struct, high", "struct, low"], rows,
                      f"Greatest and least throughput over all buffer sizes, {placement}, in Gbit/s; the form of SIGCOMM'96, "
                      "Table 1.")


def _ratios(report, placement, cases, systems, types):
    if "raw" not in systems:
        return
    rows = []
    for system in systems:
        if system != "raw":
            row = [look.label(system)]
            for t in types:
                found = [r.median for c in cases if c.type == t and c.size >= LARGE
                         and (r := shared.ratio(_value(report, system, c), _value(report, "raw", c)))]
                row.append(shared.value_cell(shared.over(found)))
            rows.append(row)
    report.page.table(["system", *types], rows,
                      f"Throughput as a multiple of that of C sockets, {placement}: median over buffers of 16K and more, in "
                      "parentheses the least and the greatest.")


def _all_points(report, placement, cases, systems, types):
    sizes = sorted({c.size for c in cases})
    by_point = {(c.type, c.size): c for c in cases}
    rows = []
    for t in types:
        for system in systems:
            values = [by_point.get((t, size)) and _value(report, system, by_point[t, size]) for size in sizes]
            if any(values):
                rows.append([t, look.label(system), *(shared.plain_cell(v and v.median) for v in values)])
    report.page.details(f"All points of {placement}")
    report.page.table(["type", "system", *map(look.size_text, sizes)], rows,
                      f"Throughput in Gbit/s by size of the buffer, {placement}, medians.", labels=2)
    report.page.end_details()


def _buffered(report, placement, cases, systems):
    """Oneways held back and sent together, beside unbuffered ones and beside systems that batch by themselves."""
    buffered = [c for c in cases if "buffered" in c.rest]
    if not buffered:
        return
    types = look.ordered([c.type for c in buffered], look.TYPES)
    sizes = {c.size for c in buffered}
    panels = []
    for t in types:
        held_back = [c for c in buffered if c.type == t]
        held_systems = [s for s in systems if any(_value(report, s, c) for c in held_back)]
        beside = [s for s in systems if s in ("raw", "ice-batch") and s not in held_systems]
        plain = [c for c in cases if c.type == t and not c.rest and c.size in sizes]
        panels.append((t, _series(report, held_back, held_systems) + _series(report, plain, beside)))
    report.page.figure(
        report.draw.panels(panels, f"buffered oneways, {placement}", xlabel="buffer (bytes)",
                           ylabel="throughput (Gbit/s)"),
        "Oneways that the sender holds back and sends together, beside C sockets that send each buffer at once, and "
        f"Ice's batch; {look.PLACEMENTS.get(placement, placement)}; {shared.rounds(report.results, SUITE)}.")


def _queues(report, cases, systems):
    queues = look.ordered([q for c in cases for q in c.rest if q.startswith("queue")], ("queue8K", "queue64K"))
    if not queues:
        report.page.absent("Socket queues of 8K and 64K: not measured in this run.")
        return
    report.page.section("ttcp-queues", "Socket queues", 3)
    plain = {(c.placement, c.type, c.size): c for c in cases if not c.rest}
    for placement in look.ordered([c.placement for c in cases], look.PLACEMENTS):
        series = []
        for n, queue in enumerate(queues):
            values = {}
            for system in systems:
                found = [r.median for c in cases if c.rest == (queue,) and c.placement == placement and
                         (base := plain.get((c.placement, c.type, c.size))) and
                         (r := shared.ratio(_value(report, system, c), _value(report, system, base)))]
                if found:
                    values[look.label(system)] = shared.over(found)
            series.append((look.other_style(f"queues of {queue[5:]}", 1 + 4 * n), values))
        names = [look.label(s) for s in systems if any(look.label(s) in values for _, values in series)]
        if names:
            report.page.figure(
                report.draw.dots(names, series, f"effect of socket queues, {placement}",
                                 "throughput ÷ throughput with the system's default queues", reference=1),
                f"Throughput with small socket queues ÷ that with default queues, {placement}: median over types and "
                "sizes, whiskers over the same. SIGCOMM'96, 3.1.3: 8K queues gave one half to two thirds less than 64K.")


def _receiver(report, cases, systems):
    values = {}
    for system in systems:
        found = [r.median for c in cases if (r := shared.ratio(_value(report, system, c, "receiver_gbit_s"),
                                                               _value(report, system, c)))]
        if found:
            values[look.label(system)] = shared.over(found)
    if not values:
        report.page.absent("Throughput by the receiver's clock: not measured in this run.")
        return
    report.page.section("ttcp-receiver", "Sender and receiver", 3)
    report.page.figure(
        report.draw.dots(list(values), [(look.other_style("all cases", 5), values)], "receiver against sender",
                         "receiver's throughput ÷ sender's", log=False, reference=1),
        "Throughput by the receiver's clock (first to last byte) ÷ by the sender's: median, least and greatest over "
        "all cases. SIGCOMM'96 (footnote 1) and HICSS'98 (footnote 3) found them the same.")
