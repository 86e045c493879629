# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of param_test has."""
import itertools

OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence")
METRICS = ("p50_us", "p99_us", "p999_us", "calls_per_s")
CALLIS = ("callis-interpreted", "callis-compiled", "callis-hybrid")
ON_TCP = (*CALLIS, "callis-shared", "callis-dii", "raw")
VALUES = [(s, f"one-cpu/{o}", m) for s, o, m in itertools.product(ON_TCP, OPERATIONS, METRICS)] + \
         [(s, f"memory/{o}", m) for s, o, m in itertools.product(CALLIS, OPERATIONS, METRICS)]
TITLES = ("Param_Test, one CPU: p50, callis ÷", "Param_Test, one CPU: p50, callis by its shared library",
          "Param_Test, one CPU, DII to DSI: p50, callis-interpreted")
BARS = [(title, f"one-cpu/{o}") for o in OPERATIONS for title in TITLES]
