# SPDX-License-Identifier: Apache-2.0
"""The engine alone and the ORB's core: quantities with bars, and whatever else these suites measure."""
import shared

TITLES = {"engine": ("engine: plans against coders and stubs",
                     "Interpreted against compiled stubs in one process, elements of sequences against coders that go member "
                     "by member, primitives against memcpy, and counts of instructions, allocations and system calls."),
          "core": ("core: connections, requests, replies", "The ORB's core below stubs and skeletons.")}


def build(report, suite):
    if shared.opening(report, suite, *TITLES[suite]):
        bars = report.results.bars_of(suite)
        for section in dict.fromkeys(b["section"] for b in bars):
            shared.bars_table(report, [b for b in bars if b["section"] == section], section)
        shared.leftovers(report, suite, lambda *_: False)
