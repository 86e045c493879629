#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a line of tests/unsteady.md has another form than its table's, or names a test that does not exist.

    unsteady.py CTEST BUILD    looks up names in what CTEST lists for BUILD
    unsteady.py --self-test
"""
import datetime
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[1] / "unsteady.md"
HEAD = ["| Test | First seen | What is known |", "|---|---|---|"]
ROW = re.compile(r"\| `(?P<test>\S+)` \| (?P<day>\d{4}-\d{2}-\d{2}) \| (?P<known>\S.*\S) \|$")


def tests(ctest, build):
    names = set()
    for configuration in ("Full", "Together"):
        listed = subprocess.run([ctest, "--test-dir", build, "-C", configuration, "-N"], stdout=subprocess.PIPE, text=True, check=True).stdout
        names |= set(re.findall(r"^ *Test +#\d+: (\S+)", listed, re.MULTILINE))
    return names


def faults(page, names, today):
    """names: gives the names of all tests."""
    lines = page.splitlines()
    table = [(n, line) for n, line in enumerate(lines, 1) if line.startswith("|")]
    if [line for _, line in table[:2]] != HEAD:
        return [f"tests/unsteady.md: the table begins with {' '.join(HEAD)}"]
    found, before = [], ""
    for number, line in table[2:]:
        row, where = ROW.match(line), f"tests/unsteady.md:{number}: "
        if not row:
            found.append(where + "not of the form | `TEST` | YYYY-MM-DD | what is known |")
            continue
        try:
            if datetime.date.fromisoformat(row["day"]) > today:
                found.append(f"{where}{row['day']} is yet to come")
        except ValueError:
            found.append(f"{where}{row['day']} is no day")
        if row["day"] < before:
            found.append(where + "the oldest stands first")
        before = row["day"]
        if row["test"] not in names():
            found.append(f"{where}there is no test {row['test']}")
    return found


def self_test():
    rows = [
        ([], 0),
        (["| `fault.halves` | 2026-01-31 | loses a reply now and then |"], 0),
        (["| `fault.halves` | 2026-01-31 | why |", "| `interop.any` | 2026-02-01 | why |"], 0),
        (["| `interop.any` | 2026-02-01 | why |", "| `fault.halves` | 2026-01-31 | why |"], 1),
        (["| `fault.other` | 2026-01-31 | why |"], 1),
        (["| fault.halves | 2026-01-31 | why |"], 1),
        (["| `fault.halves` | 2026-02-31 | why |"], 1),
        (["| `fault.halves` | 2027-01-31 | why |"], 1),
        (["| `fault.halves` | January | why |"], 1),
        (["| `fault.halves` | 2026-01-31 |  |"], 1),
        (["| `fault.halves` | 2026-01-31 |"], 1),
    ]
    names, today = lambda: {"fault.halves", "interop.any"}, datetime.date(2026, 3, 1)
    wrong = [str(r) for r, expected in rows if len(faults("\n".join(["# Unsteady tests", "", *HEAD, *r]), names, today)) != expected]
    return wrong + [page for page in ("", "| Test | Seen |\n|---|---|") if len(faults(page, names, today)) != 1]


def main():
    if sys.argv[1:] == ["--self-test"]:
        found = self_test()
    else:
        found = faults(PAGE.read_text(encoding="utf-8"), lambda: tests(*sys.argv[1:]), datetime.date.today())
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
