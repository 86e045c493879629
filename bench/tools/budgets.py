#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call costs may not grow without anybody's notice: counts it in this build, and compares with bench/budgets.txt.

    python3 bench/tools/budgets.py --build build/dev            fails where something has risen by more than the file allows
    python3 bench/tools/budgets.py --build build/dev --write    writes what was counted: lower is welcome, more needs its reason in the commit

Instructions are those of preset dev, which every test run builds; preset release needs fewer (docs/guide/performance.md)."""
import argparse
import os
import pathlib
import re
import sys

import counts

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FILE = HERE.parent / "budgets.txt"
SYSTEMS = {"": "callis-interpreted", "dynamic_": "callis-dii"}  # by what stands before the names
OPERATION = "test_short"
ALLOWED = 1.01  # of instructions and lines; what is counted in whole things may not grow at all
HEAD = """# What may only become less (tools/budgets.py): one thing a line, and how much of it there is. A call is test_short of Param_Test
# over TCP, preset dev; dynamic_: by DII and DSI.
"""


def lines_of(folder):
    """Lines of the sources in a folder, without tests."""
    total = 0
    for path in sorted((ROOT / folder).rglob("*")):
        if path.suffix in (".h", ".cpp") and not path.name.endswith("_test.cpp") and "testing" not in path.parts:
            with open(path, encoding="utf-8") as f:
                total += sum(1 for _ in f)
    return total


def count(build):
    """{name: how much}"""
    found = {}
    for before, system in SYSTEMS.items():
        sides = [f"{before}{side}" for side in ("client", "server")]
        for side, n in zip(sides, counts.instructions(build, system, OPERATION, 200, 2200)):
            found[f"{side}_instructions"] = round(n)
        for side, counted in zip(sides, counts.counters(build, system, [OPERATION], 2000)[OPERATION]):
            for what in ("allocations", "locks"):
                found[f"{side}_{what}"] = round(counted[what])
    for folder in ("orb", "poa"):
        found[f"lines_of_{folder}"] = lines_of(f"callis/{folder}")
    return found


def read(text):
    """{name: how much} of the file's text."""
    found = {}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            m = re.fullmatch(r"(\w+) (\d+)", line)
            if not m or m.group(1) in found:
                raise ValueError(f"not a budget: {line}")
            found[m.group(1)] = int(m.group(2))
    return found


def risen(budgets, found):
    """Sentences of what is more than it may be, or is not there."""
    said = [f"{name} has no budget: run budgets.py --write" for name in sorted(found.keys() - budgets.keys())]
    said += [f"{name} is not counted" for name in sorted(budgets.keys() - found.keys())]
    for name in sorted(budgets.keys() & found.keys()):
        allowed = ALLOWED if re.search("instructions|lines", name) else 1.0
        if found[name] > budgets[name] * allowed:
            said.append(f"{name}: {found[name]}, where {budgets[name]} are the budget")
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    found = count(os.path.abspath(options.build))
    if options.write:
        FILE.write_text(HEAD + "".join(f"{name} {n}\n" for name, n in sorted(found.items())), encoding="utf-8")
        return 0
    budgets = read(FILE.read_text(encoding="utf-8"))
    for name, n in sorted(found.items()):
        print(f"{name:28} {n:8}  budget {budgets.get(name, '-')}")
    said = risen(budgets, found)
    print("\n".join(said))
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
