#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails where a text states how many there are of something, or names all of them, and the tree has others.

    counts.py ROOT
    counts.py --self-test

A statement is a pattern in a page or in the words that a program prints; what it says is compared with folders, files or lists
in the tree. A statement that no longer stands in its text fails, too: then it is to be taken from the list here. And a page that
says of the examples how many there are must be right.
"""
import ast
import json
import pathlib
import re
import sys
import tempfile

WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
         "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty")
NUMBER = "(" + "|".join(WORDS) + r"|\d+)"
# Pages that speak of callis's own examples; others speak of omniORB's.
PAGES = ("README.md", "HACKING.md", "CONTRIBUTING.md", "docs/guide/index.md", "docs/guide/getting-started.md", "docs/guide/tutorial.md",
         "examples/README.md", "examples/*/README.md")


def examples(root):
    return sorted(p.name for p in root.glob("examples/[0-9][0-9]-*") if p.is_dir())


def other_systems(root):
    """What callis is measured beside: a folder each, and omniORB, which is built from callis's own sources."""
    return sorted(p.name for p in root.glob("bench/peers/*/") if p.is_dir() and p.name not in ("common", "__pycache__")) + ["omniorb"]


def list_in(root, file, name):
    """A tuple or list of texts that a Python file assigns to a name."""
    for node in ast.parse((root / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return list(ast.literal_eval(node.value))
    raise ValueError(f"{file}: no list {name}")


def operations(root):
    return list_in(root, "bench/sizes/interfaces.py", "OPERATIONS")


def papers(root):
    return list_in(root, "bench/report/papers.py", "IDS")


def claims(root):
    return [c["id"] for p in sorted(root.glob("bench/papers/claims/*.json")) for c in json.loads(p.read_text(encoding="utf-8"))]


def suites(root):
    return list_in(root, "bench/common/suite.py", "SUITES")


# (file, pattern with a number, what is counted). White space in a pattern is any.
COUNTS = (
    ("CHANGELOG.md", NUMBER + " other systems", other_systems),
    ("bench/demo/demo.py", NUMBER + " other systems, raw sockets among them", other_systems),
    ("docs/guide/performance.md", "a set of " + NUMBER + " operations", operations),
    ("docs/papers.md", NUMBER + " papers of 1996 to 1999", papers),
    ("docs/papers.md", NUMBER + " claims: ", claims),
    ("docs/guide/index.md", "claims of " + NUMBER + " papers", papers),
    ("README.md", r"\[what " + NUMBER + " papers claim\\]", papers),
)
# (file, pattern whose matches are names, or several with spaces between them: all of which there are)
NAMES = (
    ("examples/README.md", r"^\| \[(\d\d-[\w-]+)\]\(\1\)", examples),
    ("docs/design/measurement.md", r"^\| (\w+) \| [^|]+ \| \[", suites),
    ("dev", r"^ +suites: ([\w ]+)$", suites),
)


def spaced(pattern):
    return pattern.replace(" ", r"\s+")


def number(text):
    text = text.lower()
    return WORDS.index(text) if text in WORDS else int(text)


def faults_of_count(name, text, pattern, there):
    found = re.findall(spaced(pattern), text, re.IGNORECASE)
    if not found:
        yield f"{name}: says no more: {pattern}"
    for said in found:
        if number(said) != len(there):
            yield f"{name}: {said}, but there are {len(there)}: {', '.join(there)}"


def faults_of_names(name, text, pattern, there):
    named = {name for match in re.findall(pattern, text, re.MULTILINE) for name in match.split()}
    for missing in sorted(set(there) - named):
        yield f"{name}: does not name {missing}"
    for other in sorted(named - set(there)):
        yield f"{name}: names {other}, which is not there"


def faults_of_pages(root):
    for pattern in PAGES:
        for page in sorted(root.glob(pattern)):
            text = page.read_text(encoding="utf-8")
            for said in re.findall(spaced(r"\b" + NUMBER + " (?:small )?(?:examples|example programs)\\b"), text, re.IGNORECASE):
                if number(said) != len(examples(root)):
                    yield f"{page.relative_to(root)}: {said} examples, but there are {len(examples(root))}"


def faults(root):
    for file, pattern, what in COUNTS:
        yield from faults_of_count(file, (root / file).read_text(encoding="utf-8"), pattern, what(root))
    for file, pattern, what in NAMES:
        yield from faults_of_names(file, (root / file).read_text(encoding="utf-8"), pattern, what(root))
    yield from faults_of_pages(root)


def self_test():
    pattern = NUMBER + " other systems"
    assert not list(faults_of_count("a", "beside Two\nother systems", pattern, ["x", "y"]))
    assert list(faults_of_count("a", "beside three other systems", pattern, ["x", "y"])) == ["a: three, but there are 2: x, y"]
    assert list(faults_of_count("a", "alone", pattern, ["x"])) == [f"a: says no more: {pattern}"]
    assert list(faults_of_names("a", "| x |\n| z |", r"^\| (\w) \|", ["x", "y"])) == \
        ["a: does not name y", "a: names z, which is not there"]
    assert not list(faults_of_names("a", "all: x y\n", r"^all: ([\w ]+)$", ["x", "y"]))
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        (root / "examples" / "01-hello").mkdir(parents=True)
        (root / "README.md").write_text("Eighteen examples show more than 1 example.", encoding="utf-8")
        assert list(faults_of_pages(root)) == ["README.md: Eighteen examples, but there are 1"]
        (root / "x.py").write_text("A = ('b', 'c')\n", encoding="utf-8")
        assert list_in(root, "x.py", "A") == ["b", "c"]


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    found = list(faults(pathlib.Path(sys.argv[1])))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
