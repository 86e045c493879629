# SPDX-License-Identifier: Apache-2.0
"""The engine alone: calls within one process by kinds of stubs, elements of sequences, primitives against memcpy."""
import re
from dataclasses import dataclass

import look
import shared

SUITE = "engine"


@dataclass(frozen=True)
class Group:
    """Cases of one figure. case: what they look like, with the part that labels a row in parentheses."""
    title: str
    metric: str
    case: str
    xlabel: str
    words: str


GROUPS = (
    Group("Calls", "ns", r"memory/(\w+)", "one call (ns)",
          "Calls of Param_Test within one process over the memory transport, by kind of stubs; 64 KiB one way for send..."),
    Group("Calls, cold", "ns", r"memory/(\w+)/cold", "one call (ns)",
          "The same, each call after much foreign code, so that caches and predictors know nothing of it."),
    Group("Elements", "ns_per_element", r"(\w+/[^/]+/native/\d+)", "one element (ns)",
          "Sequences of structs in native order by what is done, type, order and number of elements: the engine, and coders "
          "that go member by member."),
    Group("Elements, swapped", "ns_per_element", r"(\w+/[^/]+/swapped/\d+)", "one element (ns)",
          "The same in the other byte order."),
    Group("Primitives", "ns", r"(\w+/\w+/native/\d+[KM])", "one message (ns)",
          "Messages with one sequence of a primitive, in native order, and memcpy of as many bytes."),
    Group("Primitives, swapped", "ns", r"(\w+/\w+/swapped/\d+[KM])", "one message (ns)", "The same in the other byte order."),
    Group("Primitives, no bytes", "ns", r"(\w+/\w+/\w+/\d+[KM]/empty)", "one message (ns)",
          "Messages with an empty sequence: what there is to do before the bytes."),
)


def understood(_system, case, metric):
    return any(g.metric == metric and re.fullmatch(g.case, case) for g in GROUPS)


def build(report):
    if not shared.opening(report, SUITE, "engine: plans against coders and stubs", (
            "Interpreted against compiled stubs in one process, elements of sequences against coders that go member "
            "by member, and primitives against memcpy.")):
        return
    for group in GROUPS:
        _group(report, group)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)


def _group(report, group):
    keys = [(s, c, re.fullmatch(group.case, c)) for s, c, _ in report.results.keys(SUITE, group.metric)]
    names = {c: match.group(1) for _, c, match in keys if match}
    if not names:
        return
    systems = look.systems_in_order(s for s, c, _ in keys if c in names)
    series = [(look.style(s), {name: v for c, name in names.items() if (v := report.results.value(SUITE, s, c, group.metric))})
              for s in systems]
    report.page.section(f"engine-{re.sub('[^a-z]+', '-', group.title.lower())}", group.title, 3)
    report.page.figure(report.draw.dots(list(names.values()), series, group.title, group.xlabel),
                       f"{group.words} {shared.rounds(report.results, SUITE).capitalize()}.")
