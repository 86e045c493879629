#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when docs/spec-map.md or docs/guide/choices.md names a test that does not exist, or has a row without a test.

    spec_map.py CTEST BUILD    looks up unit tests in the sources, other ctests in what CTEST lists for BUILD
    spec_map.py --self-test
"""
import fnmatch
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGES = ("docs/spec-map.md", "docs/guide/choices.md")
CASE = re.compile(r"^TEST(?:_P|_F)?\((\w+),\s*(\w+)\)|^TYPED_TEST(?:_P)?\((\w+),\s*(\w+)\)", re.M)
NAME = re.compile(r"`([\w*-]+(?:\.[\w*./-]+)+)`")


def unit_tests():
    """Names of all cases: those of callis/LIBRARY are LIBRARY.Suite.Name, those of tests/FOLDER the same."""
    names = set()
    for top in ("callis", "tests"):
        for folder, _, files in os.walk(os.path.join(ROOT, top)):
            library = os.path.relpath(folder, os.path.join(ROOT, top)).split(os.sep)[0]
            for file in files:
                if not file.endswith(("_test.cpp", ".inc")):
                    continue
                with open(os.path.join(folder, file), encoding="utf-8") as f:
                    for found in CASE.finditer(f.read()):
                        suite, case = found.group(1) or found.group(3), found.group(2) or found.group(4)
                        names.add(f"{library}.{suite}.{case}")
    return names


def other_tests(ctest, build):
    listed = subprocess.run([ctest, "--test-dir", build, "-N"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return set(re.findall(r"^ *Test +#\d+: (\S+)(?:  # GetParam\(\) = .*)?$", listed, re.M))


def faults(page, names, file="docs/spec-map.md"):
    found = []
    for number, line in enumerate(page.splitlines(), 1):
        if not line.startswith("| ") or line.startswith(("| Clause", "| Situation", "| Section", "| What is left open")):
            continue
        tests = NAME.findall(line)
        # Without a test, the fourth cell says what is missing, or the third that nothing is served.
        cells = [cell.strip() for cell in line.strip()[1:-1].split("|")]
        if not tests and not (cells[3] if len(cells) > 3 else "not served" in cells[-1]):
            found.append(f"{file}:{number}: no test")
        for test in tests:
            exists = any(fnmatch.fnmatchcase(name, test) for name in names) if "*" in test else test in names
            if not exists:
                found.append(f"{file}:{number}: there is no test {test}")
    return found


def self_test():
    names = {"giop.Suite.Name", "interop.echo.giop_1.2", "poa.Ways/Suite.Name/direct"}
    samples = [
        ("| 1 | what | `poa.Ways/Suite.*` |", 0),
        ("| 1 | what | `poa.Ways/Other.Name/*` |", 1),
        ("| 1 | what | `giop.Suite.Name` `interop.*.giop_1.2` |", 0),
        ("| 1 | what | `giop.Suite.Other` |", 1),
        ("| 1 | what | `interop.*.giop_1.1` `giop.Suite.Name` |", 1),
        ("| 1 | what | |", 1),
        ("| 1 | what | nothing |", 1),
        ("| 1 | what | not served: why |", 0),
        ("| 1 | what | | what is missing |", 0),
        ("| 1 | what | | |", 1),
        ("| 1 | what | `giop.Suite.Other` | what is missing |", 1),
        ("| Clause | What it demands | Tests |", 0),
        ("`giop.Suite.Other` in running text", 0),
        ("| What is left open | callis | Others | Tests |", 0),
    ]
    wrong = [line for line, expected in samples if len(faults(line, names)) != expected]
    return wrong or ([] if unit_tests() else ["no unit tests found"])


def main():
    if sys.argv[1:] == ["--self-test"]:
        found = self_test()
    else:
        names, found = unit_tests() | other_tests(*sys.argv[1:]), []
        for file in PAGES:
            with open(os.path.join(ROOT, file), encoding="utf-8") as f:
                found += faults(f.read(), names, file)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
