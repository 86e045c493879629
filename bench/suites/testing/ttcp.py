# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of ttcp has."""
import itertools

CASES = [f"one-cpu/{t}/{s}" for t in ("octet", "BinStruct") for s in ("1K", "64K")]
VALUES = list(itertools.product(("callis-interpreted", "callis-compiled", "callis-shared", "raw"), [*CASES, "two-cpu/octet/8K/queue8K"],
                                ("gbit_s", "receiver_gbit_s")))
LARGE, SMALL = "ttcp, one CPU, buffers of 16 KB and more", "ttcp, one CPU, buffers of 1 to 8 KB, one send"
BARS = [(LARGE if case.endswith("64K") else SMALL, case) for case in CASES]
