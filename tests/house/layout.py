#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on C++ that is not laid out as the rest: lines longer than 118 columns, braces on one arm of an if alone, includes
out of order, a .cpp of more than 100 lines that does not open with a sentence on what it is.

    layout.py ROOT        checks every C++ file that git knows (or every file, where there is no git)
    layout.py --self-test
    layout.py --sort ROOT sorts the includes

Includes: <gtest/gtest.h>, then those of the project, then all others, each group by name in one block.
"""
import pathlib
import re
import sys

import names

COLUMNS = 118
OPENS_WITH_A_SENTENCE = 100  # lines
_SOURCES = (".h", ".cpp", ".inc", ".cc")
_INCLUDE = re.compile(r"#include [<\"]([^>\"]+)[>\"]")
_OURS = re.compile(r"(callis|idl|bench|tests|tools)/")
# Generated, or programs of other ORBs' users that are read as they are.
_SKIPPED = ("idl/testdata/", "tests/compat/")


def _group(name):
    return 0 if name.startswith(("gtest/", "gmock/")) else 1 if _OURS.match(name) else 2


def _order(line):
    name = _INCLUDE.match(line).group(1)
    return _group(name), name


def _blocks(lines):
    """Runs of includes that stand together, as (first, behind the last)."""
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and _INCLUDE.match(lines[end]):
            end += 1
        if end > at + 1:
            yield at, end
        at = max(end, at + 1)


def _is_sorted(block):
    return all(_order(a) <= _order(b) for a, b in zip(block, block[1:]) if _group(_order(a)[1]) == 1 and _group(_order(b)[1]) == 1)


def faults_of(name, text):
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            yield f"{name}:{number}: {len(line)} columns, at most {COLUMNS}"
        if re.match(r"\s*\} else (?!if\b)[^{]*;", line):
            yield f"{name}:{number}: an else without braces behind an if with them"
        if re.match(r"\s*else\b.*\{$", line) and not re.search(r"\bif constexpr\b", line):
            yield f"{name}:{number}: an else with braces behind an if without"
        if re.match(r"\s*else\b", line) and number > 1 and re.match(r"\s*\}$", lines[number - 2]):
            yield f"{name}:{number}: an else on a line of its own behind a brace"
    for first, behind in _blocks(lines):
        block = lines[first:behind]
        if not _is_sorted(block):
            yield f"{name}:{first + 1}: includes out of order (layout.py --sort)"
    if name.endswith(".cpp") and len(lines) > OPENS_WITH_A_SENTENCE and not lines[1].startswith("// "):
        yield f"{name}:2: {len(lines)} lines, and no sentence that says what they are"


def sources(root):
    return [n for n in names.files(root) if pathlib.PurePath(n).suffix in _SOURCES and not n.startswith(_SKIPPED)]


def check(root):
    faults = []
    all_sources = sources(root)
    for name in all_sources:
        faults += faults_of(name, (root / name).read_text(encoding="utf-8", errors="replace"))
    return faults, len(all_sources)


def sort_includes(root):
    for name in sources(root):
        path = root / name
        text = path.read_text(encoding="utf-8")
        lines = text.split("\n")
        for first, behind in _blocks(lines):
            ours = [i for i in range(first, behind) if _group(_order(lines[i])[1]) == 1]
            for place, line in zip(ours, sorted((lines[i] for i in ours), key=_order)):
                lines[place] = line
        if "\n".join(lines) != text:
            path.write_text("\n".join(lines), encoding="utf-8")


def self_test():
    licence = "// " + names.LICENCE + "\n"
    good = licence + "// What it is.\n#include <callis/a.h>\n#include <callis/b.h>\n#include <vector>\n"
    bad = {
        "long line": good + "/" * (COLUMNS + 1) + "\n",
        "else without braces": good + "if (a) {\n  b();\n} else c();\n",
        "else with braces": good + "if (a) b();\nelse {\n",
        "else on its own line": good + "}\nelse\n  c();\n",
        "includes": licence + "#include <callis/b.h>\n#include <callis/a.h>\n",
        "no sentence": licence + "\n" * OPENS_WITH_A_SENTENCE + "int i;\n",
    }
    wrong = [f"{case}: not found" for case, text in bad.items() if not list(faults_of("a.cpp", text))]
    wrong += [f"good: {fault}" for fault in faults_of("a.cpp", good)]
    return wrong


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        found = self_test()
    elif sys.argv[1:2] == ["--sort"]:
        sort_includes(pathlib.Path(sys.argv[2]))
        found = []
    else:
        found, seen = check(pathlib.Path(sys.argv[1]))
        print(f"{seen} files")
    print("\n".join(found))
    sys.exit(1 if found else 0)
