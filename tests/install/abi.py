#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what a library exports with a list of symbols/: the names that compiled programs may rely on.

    abi.py LIST LIBRARY [OBJECTS...]           fails on a name of the list that is gone, and on a new one that is not in the list
    abi.py LIST LIBRARY [OBJECTS...] --write   writes the list anew: a change of it is one to announce in CHANGELOG.md

The list, core.txt for libcallis.so, rt.txt for libcallis_rt.so ..., has all functions and objects in the OMG's namespaces, and those of callis's own that generated code needs (OBJECTS:
compiled files, whose undefined names are looked at). A name that is gone breaks programs that were linked before: the soname must
change with it (the version in CMakeLists.txt)."""
import argparse
import pathlib
import subprocess
import sys

LISTS = pathlib.Path(__file__).resolve().parent / "symbols"
VERSION = "@@CALLIS_"


def names(program, *options):
    """Letter and demangled name of each symbol."""
    out = subprocess.run(["nm", "-C", *options, program], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in out.splitlines():
        words = line.split(maxsplit=2) if line[0] != " " else ["", *line.split(maxsplit=1)]
        if len(words) == 3:
            yield words[1], words[2]


def exported(library):
    """Those that are defined in one place: copies of inline functions are not, and differ from build to build."""
    found = {}
    for letter, name in names(library, "-D", "--defined-only"):
        name, _, version = name.partition(VERSION)
        if version:
            found[name] = letter
    return found


def is_own(name):
    return name.startswith(("callis::", "OBV_callis::", "callis_feature")) or " for callis::" in name or " to callis::" in name


def is_thunk(name):
    return "thunk to " in name  # reached by virtual tables alone


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("list")
    parser.add_argument("library")
    parser.add_argument("objects", nargs="*")
    parser.add_argument("--write", action="store_true")
    args = parser.parse_args()
    there = exported(args.library)
    listing = LISTS / args.list
    public = {n for n, letter in there.items() if letter in "TDRB" and not is_own(n) and not is_thunk(n)}
    needed = {n for o in args.objects for letter, n in names(o, "--undefined-only") if letter == "U" and is_own(n)}
    missing = needed - there.keys()
    if missing:
        sys.exit("generated code needs what the library does not export (cmake/callis.exports.in):\n  " + "\n  ".join(sorted(missing)))
    listed = set(listing.read_text(encoding="utf-8").splitlines()) if listing.exists() else set()
    if args.write:
        listing.write_text("".join(f"{n}\n" for n in sorted(public | needed)), encoding="utf-8")
        return
    wrong = [f"gone: {n}" for n in sorted(listed - there.keys())]
    wrong += [f"new: {n}" for n in sorted((public | needed) - listed)]
    if wrong:
        sys.exit("\n".join(wrong) + f"\n\nAfter a change that is meant so: {pathlib.Path(__file__).name} LIST LIBRARY --write, and a line in "
                 "CHANGELOG.md. A name that is gone needs a new soname.")
    print(f"{len(listed)} names")


if __name__ == "__main__":
    main()
