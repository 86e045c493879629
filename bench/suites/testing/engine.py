# SPDX-License-Identifier: Apache-2.0
"""What a tiny run of engine has."""
import itertools

OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence")
CALLIS = ("callis-interpreted", "callis-compiled", "callis-hybrid")
WAYS = list(itertools.product(("encode", "decode"), ("native", "swapped")))
STRUCTS = ("BinStruct", "{long,double,char}")
PRIMITIVES = ("octet", "short", "long", "double")
BYTES = {"4K": "4 KB", "64K": "64 KB", "1024K": "1 MB"}

VALUES = [(s, f"memory/{o}{cold}", "ns") for s, o, cold in itertools.product(CALLIS, OPERATIONS, ("", "/cold"))] + \
         [(s, f"memory/{o}", "ns") for s, o in itertools.product(CALLIS, ("sendStructSeq", "sendDoubleSeq"))] + \
         [(s, f"{what}/{t}/{order}/{n}", "ns_per_element") for s, t, n, (what, order) in
          itertools.product(("callis-interpreted", "one-by-one", "inlined"), STRUCTS, (512, 65536), WAYS)] + \
         [(s, f"{what}/{t}/{order}/{n}", "ns") for s, t, n, (what, order) in
          itertools.product(("callis-interpreted", "memcpy"), PRIMITIVES, BYTES, WAYS)]
BARS = [("calls:", o) for o in OPERATIONS] + \
       [(section, f"{t} {what} {order}, 512") for section, t, (what, order) in
        itertools.product(("elements: sequences", "elements: times"), STRUCTS, WAYS)] + \
       [("primitives:", f"{t} {what} {order}, {n}") for t, n, (what, order) in
        itertools.product(PRIMITIVES, BYTES.values(), WAYS)]
