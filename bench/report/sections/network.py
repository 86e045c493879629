# SPDX-License-Identifier: Apache-2.0
"""Floods and calls over links of several rates and round trips, in the form of SIGCOMM'96's figures 2 to 9 and Table 1."""
import os
import sys

import look
import shared

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "network"))
from wires import BY_NAME as LINKS  # noqa: E402

SUITE = "network"
SCALARS = ("short", "char", "long", "octet", "double")
SHOWN = ("double", "BinStruct")  # of figures
FAR = {"call": "a call", "after-one-way": "a one-way and a call", "one-ways": "100 one-ways of 1 KB", "large": "a one-way of 256 KB",
       "large/fragments": "the same in fragments of 8 KB", "pipelined": "16 calls of one thread, sent before the first result",
       "after-one-way/nagle": "a one-way and a call, with Nagle's algorithm"}


def parse(case):
    """(link, what, rest) of LINK/WHAT/REST; None for another."""
    parts = case.split("/", 2)
    return tuple(parts) if len(parts) == 3 and parts[0] in LINKS and parts[1] in ("ttcp", "share", "call", "far") else None


def understood(_system, case, _metric):
    return parse(case) is not None


def build(report):
    if not shared.opening(report, SUITE, "network: links of several rates and round trips", (
            "Client and server in two network namespaces, connected by a link with a rate, a delay or losses. The papers measured over ATM "
            "of 155 Mbit/s and over the loopback. Where the link is the slowest part all systems are alike; where it is fast or long, "
            "they differ by what they do to each byte, and by how often they wait for an answer.")):
        shared.paper_table(report, "sigcomm96", "table1")
        return
    _floods(report)
    _table_1(report)
    _calls(report)
    _far(report)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)


def _links(report, what):
    """Those that have such cases, in the suite's order."""
    return look.ordered([p[0] for p in map(parse, report.results.cases(SUITE)) if p and p[1] == what], LINKS)


def _systems(report):
    return look.systems_in_order(report.results.systems(SUITE))


def words(link):
    return f"{link}: {LINKS[link].words}" if link != "loopback" else "loopback, no network"


def _points(report, system, link, kind):
    """[(bytes of a buffer, Value)]"""
    found = []
    for case in report.results.cases(SUITE, "gbit_s"):
        parsed = parse(case)
        if parsed and parsed[:2] == (link, "ttcp") and parsed[2].startswith(f"{kind}/"):
            value = report.results.value(SUITE, system, case, "gbit_s")
            if value:
                found.append((look.size_bytes(parsed[2].partition("/")[2]), value))
    return found


def _floods(report):
    report.page.section("network-floods", "Floods", 3)
    panels = []
    for link in _links(report, "ttcp"):
        for kind in SHOWN:
            series = [(look.style(s), points) for s in _systems(report) if (points := _points(report, s, link, kind))]
            if any(len(points) > 1 for _, points in series):
                panels.append((f"{link}; {kind}", series))
    if panels:
        report.page.figure(report.draw.panels(panels, "throughput over links of several rates", xlabel="bytes of a buffer", ylabel="Gbit/s"),
                           f"Throughput of one-way floods against the buffers' size, by link; {shared.rounds(report.results, SUITE)}. "
                           "Payload counts as it lies in memory: Ice and gRPC leave a BinStruct's padding out, so they may be faster than the "
                           f"link. {'; '.join(map(words, _links(report, 'ttcp')))}.",
                           "figure-network")


def _extremes(report, system, link, kinds):
    """(the best, the worst) of sizes and types, in Mbit/s."""
    values = [v.median for kind in kinds for _, v in _points(report, system, link, kind)]
    return [look.number(1000 * f(values)) if values else shared.plain_cell(None) for f in (max, min)]


def _table_1(report):
    links = [link for link in _links(report, "ttcp") if link == "loopback" or not LINKS[link].far]
    head = ["version", *(f"{link} {what}, {end}" for link in links for what in ("scalars", "struct") for end in ("high", "low"))]
    rows = [[look.label(s), *(cell for link in links for kinds in (SCALARS, ("BinStruct",)) for cell in _extremes(report, s, link, kinds))]
            for s in _systems(report)]
    if links:
        report.page.start("beside")
        report.page.table(head, rows, "Throughput over links and loopback, least and greatest over buffers, in Mbit/s; the form of "
                          "SIGCOMM'96, Table 1.")
        shared.paper_table(report, "sigcomm96", "table1")
        report.page.end()


def _calls(report):
    links = _links(report, "call")
    if not links:
        return
    report.page.section("network-calls", "Calls", 3)
    for operation in ("test_short", "test_struct_sequence"):
        series = [(look.style(s), {words(link): v for link in links if (v := report.results.value(SUITE, s, f"{link}/call/{operation}", "p50_us"))})
                  for s in _systems(report)]
        series = [(style, values) for style, values in series if values]
        if series:
            report.page.figure(report.draw.dots([words(link) for link in links], series, f"{operation} by link", "p50 of a call, µs"),
                               f"A two-way call of {operation} over each link; {shared.rounds(report.results, SUITE)}.")
    keys = [k for k in report.results.keys(SUITE, "p50_us") if (p := parse(k[1])) and p[1] == "call"]
    shared.pivot(report, SUITE, keys, lambda system, case, _: (parse(case)[0], look.label(system)), lambda _system, case, _metric: parse(case)[2],
                 "Medians of Param_Test's calls in µs, by link.", ("link", "system"), labels=2)


def _far(report):
    links = _links(report, "far")
    if not links:
        return
    report.page.section("network-far", "What costs round trips", 3)
    report.page.paragraph("Medians divided by the link's round trip. A call takes one. One-ways take as many as TCP needs to open its window, and "
                          "one more to confirm them. Nagle's algorithm, which callis turns off, holds a call back that follows a one-way.")
    for link in links:
        trip, systems = LINKS[link].round_trip_us, [s for s in _systems(report) if any(
            report.results.value(SUITE, s, f"{link}/far/{what}", "p50_us") for what in FAR)]
        cell = lambda s, what: (v := report.results.median(SUITE, s, f"{link}/far/{what}", "p50_us")) and v / trip
        rows = [[text, *(shared.plain_cell(cell(s, what)) for s in systems)] for what, text in FAR.items()]
        together = [report.results.median(SUITE, s, f"{link}/far/together", "calls_per_s") for s in systems]
        rows.append(["calls of 8 threads in a round trip", *(shared.plain_cell(n and n * trip / 1e6) for n in together)])
        report.page.table(["round trips of", *map(look.label, systems)], rows, f"{words(link)}.")
