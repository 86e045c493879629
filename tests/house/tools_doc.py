#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Keeps the reference of programs and of CMake: what `--help` of each program says stands in docs/guide/tools.md, between two marks, and
docs/guide/cmake.md has each function, argument and option of callis's CMake files.

    tools_doc.py PROGRAM... [--write]

Each PROGRAM is the path of a program, callis-idl say. Without --write: checks that the pages are up to date."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/guide/tools.md"
BEGIN, END = "<!-- made by tests/house/tools_doc.py: begin -->\n", "<!-- made by tests/house/tools_doc.py: end -->\n"


def help_of(program):
    done = subprocess.run([program, "--help"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True, timeout=30)
    text = "\n".join(line.rstrip() for line in done.stdout.splitlines()).strip()
    text = re.sub(r"^Usage: \S*/", "Usage: ", text, flags=re.M)
    if program.endswith("callis-config"):  # its options are on a page of their own
        text = text.split("\n\n-ORB")[0]
    return text


def reference(programs):
    text = "## What each program says about itself\n"
    for program in sorted(programs):
        name = pathlib.Path(program).name
        text += f"\n### {name}\n\n```text\n{help_of(program)}\n```\n"
    return text


def with_reference(page, text):
    before, rest = page.split(BEGIN)
    return before + BEGIN + text + END + rest.split(END)[1]


def missing_in_cmake_page():
    page = (ROOT / "docs/guide/cmake.md").read_text(encoding="utf-8")
    wanted = set()
    for path in (ROOT / "cmake/callis_idl.cmake", ROOT / "cmake/callis_minimal.cmake"):
        text = path.read_text(encoding="utf-8")
        wanted |= set(re.findall(r"^function\((\w+)", text, re.M))
        for words in re.findall(r"cmake_parse_arguments\(\w+ \"(.*?)\" \"(.*?)\" \"(.*?)\"", text):
            wanted |= {word for part in words for word in part.split(";") if word}
    wanted |= set(re.findall(r"^option\((\w+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"), re.M))
    return sorted(word for word in wanted if not re.search(rf"\b{word}\b", page))


def main():
    programs = [a for a in sys.argv[1:] if not a.startswith("--")]
    page = PAGE.read_text(encoding="utf-8")
    fresh = with_reference(page, reference(programs))
    if "--write" in sys.argv:
        PAGE.write_text(fresh, encoding="utf-8")
        return 0
    missing = missing_in_cmake_page()
    for word in missing:
        print(f"docs/guide/cmake.md does not have {word}")
    if fresh != page:
        print("docs/guide/tools.md is out of date; run tests/house/tools_doc.py " + " ".join(programs) + " --write")
    return 1 if missing or fresh != page else 0


if __name__ == "__main__":
    sys.exit(main())
