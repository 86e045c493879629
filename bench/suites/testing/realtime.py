# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of realtime has."""
import itertools

VALUES = list(itertools.product(("callis-rt", "raw"),
                                [f"one-cpu/{case}/low2" for case in ("lanes", "lanes_bands", "pool", "bands")],
                                ("p50_us", "p99_us", "p999_us", "p9999_us", "greatest_us"))) + \
    [("callis-pool", "one-cpu/none/low2", "p50_us"), ("callis-interpreted", "one-cpu/none/low2", "p50_us"), ("callis-rt", "counts", "allocations")]
VALUES += [(system, f"one-cpu/{case}/low2/watched", "inverted_p99_us") for system, case in
           (("callis-rt", "lanes"), ("callis-rt-off", "lanes"), ("callis-rt-locked", "lanes"))]
BARS = [("realtime: a call with lanes ÷ one without", "p50")]
FALSIFIED = ("inversions",)
