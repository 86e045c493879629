#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bytes of generated code, from the ELF symbols of the object files, tables included.

An operation's bytes are those of the symbols that carry its name: the stub and its coders in x.cpp, the
thunk or serve function in x_skel.cpp. What is left is shared by all operations: descriptors, names, hash
tables, coders of types, vtables, constructors.
"""
import argparse
import os
import re
import subprocess

OPERATIONS = ["test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence"]


def symbols(obj):
    """(size, demangled name) of every defined symbol."""
    out = subprocess.run(["nm", "-SC", "--defined-only", obj], check=True, stdout=subprocess.PIPE, text=True).stdout
    seen = {}
    for line in out.splitlines():
        m = re.match(r"([0-9a-f]+) ([0-9a-f]+) ([A-Za-z]) (.*)", line)
        if m:  # constructors and destructors have aliases: a section and address counts once
            seen[(m.group(1), m.group(4), m.group(3))] = (int(m.group(2), 16), m.group(4))
    return list(seen.values())


def plain(name):
    """The function's name without its parameters; generated names write '_' in an IDL name as '_0'."""
    return name.replace("(anonymous namespace)", "").split("(")[0].replace("_0", "_")


def per_operation(obj, operations):
    """({operation: bytes}, bytes of the rest)"""
    patterns = {op: re.compile(r"(^|[^A-Za-z0-9])" + re.escape(op) + r"($|[^A-Za-z0-9_])") for op in operations}
    counted, rest = {op: 0 for op in operations}, 0
    for size, name in symbols(obj):
        for op, pattern in patterns.items():
            if pattern.search(plain(name)):
                counted[op] += size
                break
        else:
            rest += size
    return counted, rest


def objects(build, style):
    folder = os.path.join(build, "bench", "CMakeFiles", f"bench_stubs_{style}.dir", "idl", f"bench_stubs_{style}")
    return [os.path.join(folder, f"param_test{part}.cpp.o") for part in ("", "_skel")]


def param_test_table(build):
    """Head and rows for a table of Param_Test in both styles."""
    measured = {s: [per_operation(o, OPERATIONS) for o in objects(build, s)] for s in ("interpreted", "compiled")}
    head = ["operation", "stub interp.", "compiled", "ratio", "skeleton interp.", "compiled", "ratio"]

    def row(name, pick):
        cells = [name]
        for part in (0, 1):
            i, c = pick(measured["interpreted"][part]), pick(measured["compiled"][part])
            cells += [str(i), str(c), f"{i / c:.2f}" if c else "-"]
        return cells

    rows = [row(op, lambda part, op=op: part[0][op]) for op in OPERATIONS]
    rows.append(row("shared by all", lambda part: part[1]))
    rows.append(row("whole file", lambda part: part[1] + sum(part[0].values())))
    return head, rows


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release")
    head, rows = param_test_table(parser.parse_args().build)
    for r in [head] + rows:
        print("  ".join(c.rjust(16) for c in r))
