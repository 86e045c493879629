#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the tables that `callis config --markdown` prints into docs/guide/options.md, between two marks, and looks that
each limit of callis/base/limits.h is an option. First argument: callis-config. Without --write: checks that the page is
up to date, that pages for those who come from other ORBs name no option that there is not, and that files of options in the guide
are taken."""
import os
import re
import subprocess
import sys
import tempfile

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


def unknown_names(tables):
    """Options that pages for those who come from other ORBs give as ours, in the second column, or that guides for running name."""
    known = set(re.findall(r"`(-ORB\w+)", tables))
    # Those of its own that the component for TAO's programs has.
    known |= {f"-ORB{name}" for name in re.findall(r'\{"(\w+)", To::Own\}', read("callis", "compat", "tao", "options.cpp"))}
    of_compat = {f"-ORB{name}" for name in re.findall(r'CALLIS_SSL_OPTION\("(\w+)"', read("callis", "compat", "omniORB4", "sslContext.h"))}
    wrong = []
    for page in ("from-omniorb", "from-tao", "from-jacorb", "deployment", "performance"):
        path = os.path.join(ROOT, "docs", "guide", f"{page}.md")
        for line in read("docs", "guide", f"{page}.md").splitlines() if os.path.exists(path) else []:
            cells = line.split(" | ")
            ours = " ".join(cells[1:]) if page.startswith("from-") else line
            wrong += [f"docs/guide/{page}.md: callis has no {name}" for name in re.findall(r"-ORB[A-Z]\w+", ours) if name not in known]
            theirs = re.findall(r"(-ORB\w+)", cells[0])
            if page.startswith("from-") and theirs and line.startswith("|") and "_Factory" not in cells[0] and "*" not in cells[0]:
                lower = {name.lower() for name in known | of_compat}
                wrong += [f"docs/guide/{page}.md: callis does not understand {name}: a * is missing" for name in theirs
                          if name.lower() not in lower and "none" not in cells[1] and "demultiplexing" not in cells[1]]
    return wrong


def refused_files(program):
    """Files of options in the guide, blocks of `ini` without sections, that the ORB would not take."""
    wrong = []
    for page in sorted(os.listdir(os.path.join(ROOT, "docs", "guide"))):
        for text in re.findall(r"```ini\n(.*?)```", read("docs", "guide", page), re.S):
            if text.startswith("["):
                continue
            with tempfile.NamedTemporaryFile("w", suffix=".conf") as file:
                file.write(text)
                file.flush()
                done = subprocess.run([program, "-ORBConfigFile", file.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      text=True, timeout=30)
            if done.returncode != 0:
                wrong.append(f"docs/guide/{page}: {done.stdout}")
    return wrong


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
    wrong = unknown_names(tables) + refused_files(sys.argv[1])
    for line in wrong:
        print(line)
    if fresh != page:
        print("docs/guide/options.md is out of date; run tests/house/options_doc.py build/dev/bin/callis-config --write")
    return 1 if missing or wrong or fresh != page else 0


if __name__ == "__main__":
    sys.exit(main())
