#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Doxygen's input filter: makes documentation of the comments in a header, which are plain ones (//).

    comments.py FILE

A comment on lines of its own belongs to what follows; one behind code, and the lines below it that continue it, to that code. The inline
namespace of the OMG's modules is left out: programs do not say it."""
import re
import sys


def plain(text):
    """Nothing in a comment is a command of Doxygen's, or HTML."""
    return re.sub(r"([\\@<>&#$%\"|])", r"\\\1", text)


def converted(lines):
    behind = None  # the column of a comment behind code that may go on
    for line in lines:
        line = re.sub(r"^(namespace \w+)::inline callis_orb\b", r"\1", line)
        own = re.match(r"(\s*)//+(?!/) ?(.*)$", line)
        if own and "SPDX-License-Identifier" not in line and "clang-format" not in line and "NOLINT" not in line:
            if behind is not None and len(own[1]) == behind:
                yield f"{own[1]}///< {plain(own[2])}"
            else:
                behind = None
                yield f"{own[1]}/// {plain(own[2])}"
            continue
        after = re.match(r"(\s*[^\s/#][^\"]*?[;,}] +)// (.*)$", line)
        behind = len(after[1]) if after and "NOLINT" not in line else None
        yield f"{after[1]}///< {plain(after[2])}" if behind is not None else line


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write("\n".join(converted(file.read().splitlines())) + "\n")


if __name__ == "__main__":
    main()
