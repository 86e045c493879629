# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of demux has."""
import itertools

STRATEGIES = [f"demux-{s}" for s in ("linear", "index", "binary", "hash", "perfect", "active")]
CASES = [f"{size}/{kind}" for size, kind in
         itertools.product(("operations1", "operations100", "objects1", "objects100", "poas2"), ("random", "worst"))]
CALLS = ("objects1/first", "objects1/references",
         "objects1/last", "objects10/first", "objects100/first", "objects100/last")
WITH_CALLIS = [*STRATEGIES, "callis-interpreted"]
VALUES = [(s, c, "ns") for s, c in itertools.product(STRATEGIES, CASES)] + \
         [(s, f"call/memory/{c}", "ns") for s, c in itertools.product(WITH_CALLIS, CASES)] + \
         [(s, f"objects100/operations100/random{end}", "ns") for s, end in itertools.product(WITH_CALLIS, ("", "/overlapped"))] + \
         [(s, f"call/one-cpu/{c}", "p50_us") for s, c in itertools.product(("callis-interpreted", "callis-compiled"), CALLS)]
WAYS = ["active", "active/user-ids", "hint/user-ids", "hash", "linear", "path", "active/binary", "active/hash", "active/linear"]
VALUES += [(s, f"request/objects100/operations100/{way}{end}", "ns") for way, s, end in
           itertools.product(WAYS, ("array", "callis-interpreted"), ("", "/overlapped"))]
VALUES += [(s, f"collocated/{way}/{operation}", "ns") for s, way, operation in
           itertools.product(("virtual", "callis-interpreted"), ("direct", "adapter", "marshaled"), ("void", "test_short"))]
VALUES += [(s, f"iterations/1/{way}{end}", "ns") for s, way, end in itertools.product(STRATEGIES, ("two-way", "one-way"), ("", "/objects100"))]
VALUES += [(s, f"{axis}/bound", "ns") for s, axis in itertools.product(STRATEGIES, ("operations100", "objects100", "poas2"))]
VALUES += [(s, "iterations/functions/all", "instructions") for s in STRATEGIES]
BARS = [("demultiplexing: calls over TCP", "100 objects at random ÷ 1 object"),
        ("demultiplexing: calls over TCP", "last operation ÷ first operation")]
FALSIFIED = ("two-way-gain", "direct-index", "hash-against-linear")
