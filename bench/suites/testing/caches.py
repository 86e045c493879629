# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of caches has."""
CASES = [("ladder-original", "memory/BinStruct/both"), ("callis-interpreted", "memory/BinStruct/both"),
         *((system, f"call/test_short{end}") for system in ("callis-interpreted", "callis-compiled") for end in ("", "/cold")),
         *((system, "many/objects100/operations10") for system in ("callis-interpreted", "callis-compiled"))]
VALUES = [(system, case, metric) for system, case in CASES for metric in ("instructions", "code_misses", "data_misses")]
BARS = []
