# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of network has: the values of two links and the loopback. Where the machine allows no network namespaces, all of it
is reported as missing."""
import itertools
import os
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", folder) for folder in ("common", "network")]
import namespaces  # noqa: E402

OURS = ("callis-interpreted", "callis-compiled", "raw")
ALLOWED = namespaces.lacking() is None
VALUES = [] if not ALLOWED else \
    list(itertools.product(OURS, [f"{link}/ttcp/{kind}/64K" for link in ("loopback", "atm-155") for kind in ("char", "BinStruct")] +
                           ["20ms/ttcp/octet/64K"], ("gbit_s",))) + \
    list(itertools.product(OURS, [f"{link}/call/test_short" for link in ("loopback", "atm-155", "20ms")], ("p50_us",))) + \
    [("callis-interpreted", f"20ms/far/{what}", "p50_us") for what in
     ("call", "after-one-way", "one-ways", "large", "large/fragments", "after-one-way/nagle")] + \
    [("callis-interpreted", "20ms/far/together", "calls_per_s"), ("callis-dii", "20ms/far/pipelined", "p50_us")]
FALSIFIED = ("orb-scalars-network", "orb-structs-network") if ALLOWED else ()
LONG = "network: round trips, callis over"
BARS = [] if not ALLOWED else [("network: throughput, callis", "atm-155, char"), (LONG, "call: p50 ÷ the round trip"),
                               (LONG, "8 threads: calls in a round trip")]
