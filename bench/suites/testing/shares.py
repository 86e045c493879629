# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of shares has: system calls where strace is, shares of time where perf is allowed."""
import itertools
import os
import sys

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", folder) for folder in ("common", "whitebox")]
import samples  # noqa: E402
import system_calls  # noqa: E402

SYSTEMS = ("callis-interpreted", "raw")
VALUES = []
if system_calls.lacking() is None:
    VALUES += [("callis-interpreted", f"calls/test_short/{side}/call/{name}/{size}", "calls")
               for side, name, size in (("sender", "sendto", "64"), ("receiver", "sendto", "32"))]
if samples.lacking() is None:
    VALUES += list(itertools.product(SYSTEMS, [f"calls/test_short/{side}/kernel" for side in ("sender", "receiver")], ("share", "ms")))
BARS = []
