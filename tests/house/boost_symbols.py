#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The IDL compiler defines nothing that Boost's archives define: Boost is linked as the distribution ships it.

    boost_symbols.py OUR_ARCHIVE BOOST_ARCHIVE...
    boost_symbols.py --self-test
"""
import subprocess
import sys


def defined(archive):
    """{symbol: kind} as nm tells them."""
    out = subprocess.run(["nm", "--defined-only", archive], capture_output=True, text=True, check=True).stdout
    return {words[2]: words[1] for line in out.splitlines() if len(words := line.split()) == 3}


def twice(ours, theirs):
    """Symbols of ours that theirs have, too, but for instances of templates, which are weak."""
    return sorted(symbol for symbol, kind in ours.items() if kind in "TDBR" and symbol in theirs)


def self_test():
    boost = {"once": "T", "list": "W"}
    assert twice({"once": "T", "ours": "T", "list": "W"}, boost) == ["once"]
    assert twice({"once": "W", "ours": "T"}, boost) == []
    return 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    ours = defined(sys.argv[1])
    found = [(archive, symbol) for archive in sys.argv[2:] for symbol in twice(ours, defined(archive))]
    for archive, symbol in found:
        print(f"{sys.argv[1]}: defines {symbol}, which {archive} has")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
