# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of core has."""
import itertools

OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence")
SIDES = ("", "/client", "/server")
VALUES = [("callis-interpreted", f"test_short{side}", m) for side, m in
          itertools.product(SIDES, ("instructions", "syscalls"))] + \
         [("callis-interpreted", f"{o}{side}", m) for o, side, m in
          itertools.product(OPERATIONS, SIDES, ("allocations", "locks"))]
VALUES += [(s, f"ping-pong/{way}/test_short", "p50_us") for s, way in
           itertools.product(("callis-interpreted", "raw"), ("tcp", "unix"))]
MODELS = {"callis-interpreted": "a thread a connection", "callis-pool": "pool"}
VALUES += [(s, case, metric) for s in MODELS for case, metric in
           (("crowd", "calls_per_s"), ("idle", "bytes"), ("idle", "connections_per_s"), ("idle/alone", "p99_us"),
            ("idle/among", "p99_us"))]
WITHIN = [(f"request/objects100/operations100/active{end}", "array") for end in ("", "/overlapped")] + \
         [(f"collocated/{way}/{operation}", "virtual") for way, operation in
          itertools.product(("direct", "adapter", "marshaled"), ("void", "test_short"))]
VALUES += [(s, case, "ns") for case, floor in WITHIN for s in (floor, "callis-interpreted")]
BARS = [("core", "user instructions, test_short")] + \
       [("core", f"{what}, {o}") for what, o in
        itertools.product(("heap allocations", "mutex operations"), ("test_short", "test_fixed_struct"))] + \
       [("core", f"system calls, test_short, {side}") for side in ("client", "server")] + \
       [("core", f"ping-pong, {way}") for way in ("tcp", "unix")] + \
       [("core: crowds", "64 clients calling test_short: calls/s, the better model ÷ the best other system")] + \
       [("core: crowds", f"10,000 idle connections, {model}: memory of the server") for model in MODELS.values()] + \
       [("core: crowds", f"p99 of a client among 10,000 idle ones ÷ alone, {model}") for model in MODELS.values()] + \
       [("core: within", f"finding one of 10,000 objects and of 500 operations, {what}") for what in
        ("each waits for the one before", "overlapped")] + \
       [("core: within", f"collocated call, direct, {operation}") for operation in ("void", "test_short")]
FALSIFIED = ("heap", "polls")
