#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the tables that `callis config --markdown` prints into docs/guide/options.md, between two marks, and looks that
each limit of callis/base/limits.h is an option. First argument: callis-config. Without --write: checks that the page is
up to date."""
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
PAGE = os.path.join(ROOT, "docs", "guide", "options.md")
BEGIN, END = "<!-- made by tests/house/options_doc.py: begin -->\n", "<!-- made by tests/house/options_doc.py: end -->\n"


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as f:
        return f.read()


def with_tables(page, tables):
    before, rest = page.split(BEGIN)
    return before + BEGIN + tables + END + rest.split(END)[1]


def limits_without_option():
    limits = re.findall(r"^  (?:std::\w+|Duration) (\w+)\s*(?:=|\{)", read("callis", "base", "limits.h"), re.M)
    table = read("callis", "orb", "options", "option_list.h")
    return [limit for limit in limits if f"(limits.{limit})" not in table]


def main():
    tables = subprocess.run([sys.argv[1], "--markdown"], stdout=subprocess.PIPE, text=True, check=True, timeout=30).stdout
    page = read("docs", "guide", "options.md")
    fresh = with_tables(page, tables)
    if "--write" in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as f:
            f.write(fresh)
        return 0
    missing = limits_without_option()
    if missing:
        print("limits that no option sets:", ", ".join(missing))
    if fresh != page:
        print("docs/guide/options.md is out of date; run tests/house/options_doc.py build/dev/bin/callis-config --write")
    return 1 if missing or fresh != page else 0


if __name__ == "__main__":
    sys.exit(main())
