#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the sizes with few operations and checks that every bar is printed, with a value."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = {"stubs -Os": ["test_short", "test_strseq"], "skeletons -Os": ["test_short", "test_strseq"],
            "test_short, interpreted": ["stub, skeleton and tables"], "libraries": ["both, text"],
            "minimal": ["callis, text"]}


def missing(rows):
    for section, names in EXPECTED.items():
        for name in names:
            found = [r for r in rows if r["section"].startswith(section) and r["name"] == name]
            if len(found) != 1 or not found[0]["bar"] or not found[0]["value"]:
                yield f"{section} {name}: {found}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "rows.json")
        subprocess.run([sys.executable, os.path.join(HERE, "bars.py"), "--quick", "--build", arguments.build, "--minsize",
                        arguments.build, "--json", file], check=True)
        with open(file, encoding="utf-8") as f:
            complaints = list(missing(json.load(f)["rows"]))
    if complaints:
        raise SystemExit("\n".join(complaints))


if __name__ == "__main__":
    main()
