#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a minor code of docs/guide/minor-codes.md that has no sentence in callis/classic/minor_sentences.cpp, and where the page's
last table, made from those sentences, is not up to date.

    minor_codes.py ROOT [--write]
    minor_codes.py --self-test
"""
import pathlib
import re
import sys


def codes_of_guide(text):
    """(exception, minor) of the OMG's codes, and the numbers of our own."""
    omg, own = set(), set()
    for line in text.splitlines():
        cells = [c.strip() for c in line.strip("|").split("|")]
        names = re.findall(r"`([A-Z_]+)`", cells[0])
        if len(cells) >= 3 and names and re.fullmatch(r"[0-9, ]+", cells[1]):
            omg |= {(n, int(m)) for n in names for m in cells[1].split(",")}
        if number := re.fullmatch(r"0x43414([0-9a-f]{3})", cells[0]):
            own.add(int(number[1], 16))
    return omg, own


def codes_of_source(text):
    omg = {(n, int(m)) for n, m in re.findall(r"\{Standard::(\w+), (\d+),", text)}
    own = {int(m, 16) for m in re.findall(r"^ *\{0x([0-9a-f]+), ", text, re.M)}
    return omg, own


def missing_codes(guide, source):
    (omg, own), (omg_there, own_there) = codes_of_guide(guide), codes_of_source(source)
    return [f"{n} {m}" for n, m in sorted(omg - omg_there)] + [f"0x43414{m:03x}" for m in sorted(own - own_there)]


BEGIN, END = "<!-- made by tests/house/minor_codes.py: begin -->\n", "<!-- made by tests/house/minor_codes.py: end -->\n"


def other_codes(known, source):
    """The table of the OMG's codes that callis does not raise itself, with their sentences."""
    text = "| Exception | Minor | When |\n|---|---|---|\n"
    rows = []
    for name, minor, sentence in re.findall(r'\{Standard::(\w+), (\d+),((?:\s*"[^"]*")+)\}', source):
        if (name, int(minor)) not in known:
            rows.append((name, int(minor), "".join(re.findall(r'"([^"]*)"', sentence))))
    return text + "".join(f"| `{name}` | {minor} | {words} |\n" for name, minor, words in sorted(rows))


def self_test():
    guide = "| `BAD_PARAM`, `MARSHAL` | 7, 8 | text |\n| 0x434140a5 | `UNKNOWN` | text |\n| text | 3 | text |\n"
    source = '    {Standard::BAD_PARAM, 7, "x"},\n    {Standard::BAD_PARAM, 8, "x"},\n    {Standard::MARSHAL, 7, "x"},\n'
    assert missing_codes(guide, source) == ["MARSHAL 8", "0x434140a5"], missing_codes(guide, source)
    source += '    {Standard::MARSHAL, 8,\n     "x"},\n    {0xa5, "x"},\n'
    assert missing_codes(guide, source) == []
    assert other_codes({("BAD_PARAM", 7), ("MARSHAL", 7)}, source).splitlines()[2:] == [
        "| `BAD_PARAM` | 8 | x |", "| `MARSHAL` | 8 | x |"]


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs/guide/minor-codes.md").read_text()
    guide, rest = page.split(BEGIN)
    known = codes_of_guide(guide)
    assert all(len(codes) > 30 for codes in known), "the guide's tables are not found"
    source = (root / "callis/classic/minor_sentences.cpp").read_text()
    fresh = guide + BEGIN + other_codes(known[0], source) + END + rest.split(END)[1]
    if "--write" in sys.argv:
        (root / "docs/guide/minor-codes.md").write_text(fresh)
        return 0
    if fresh != page:
        print("docs/guide/minor-codes.md is out of date; run tests/house/minor_codes.py . --write")
        return 1
    missing = missing_codes(guide, source)
    for m in missing:
        print(f"callis/classic/minor_sentences.cpp: no sentence for {m}, which docs/guide/minor-codes.md has")
    print(f"{sum(map(len, known))} minor codes")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
