#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a measurement with tiny counts and checks that every bar of it is printed, with a value. Whether bars are held
is not looked at: a test machine is busy."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OPERATIONS = ["test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence"]


def every(*lists):
    names = [""]
    for words in lists:
        names = [f"{n} {w}".strip() for n in names for w in words]
    return names


DIRECTIONS = every(["encode", "decode"], ["native,", "swapped,"])
STRUCTS = every(["BinStruct", "{long,double,char}"], DIRECTIONS, ["512"])
# {part: (arguments, {start of the section's title: names of the rows with a bar})}
PARTS = {
    "calls": (["engine/engine.py", "--only", "calls"], {"calls:": OPERATIONS}),
    "elements": (["engine/engine.py", "--only", "elements"],
                 {"elements: sequences": STRUCTS, "elements: times": STRUCTS,
                  "primitives:": every(["octet", "short", "long", "double"], DIRECTIONS, ["4 KB", "64 KB", "1 MB"])}),
    "counts": (["engine/engine.py", "--only", "counts"],
               {"counts:": ["user instructions, test_short", "system calls, test_short, client",
                            "system calls, test_short, server"] +
                every(["heap allocations,", "mutex operations,"], ["test_short", "test_fixed_struct"])}),
    "sizes": (["sizes/bars.py"],
              {"stubs -Os": ["test_short", "test_strseq"], "skeletons -Os": ["test_short", "test_strseq"],
               "test_short, interpreted": ["stub, skeleton and tables"], "libraries": ["both, text"],
               "minimal": ["callis, text"]}),
}


def missing(rows, expected):
    complaints = []
    for section, names in expected.items():
        for name in names:
            found = [r for r in rows if r["section"].startswith(section) and r["name"] == name]
            if len(found) != 1:
                complaints.append(f"{section} {name}: {len(found)} rows")
            elif not found[0]["bar"] or found[0]["value"] is None or found[0]["value"] < 0:
                complaints.append(f"{section} {name}: {found[0]}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("part", choices=PARTS)
    parser.add_argument("--build", required=True)
    arguments = parser.parse_args()
    (script, *options), expected = PARTS[arguments.part]
    if script.startswith("sizes"):
        options += ["--minsize", arguments.build]
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "rows.json")
        subprocess.run([sys.executable, os.path.join(HERE, script), *options, "--quick", "--build", arguments.build,
                        "--json", file], check=True)
        with open(file, encoding="utf-8") as f:
            complaints = missing(json.load(f)["rows"], expected)
    if complaints:
        raise SystemExit("\n".join(complaints))


if __name__ == "__main__":
    main()
