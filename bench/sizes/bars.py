#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bars of the marshaling engine that are about sizes, behind ./dev bench sizes.

docs/design/measurement.md says how each is taken.
"""
import argparse
import itertools
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("../common", "../footprint", "."):
    sys.path.insert(0, os.path.join(HERE, folder))
import footprint  # noqa: E402
import operations  # noqa: E402
import report  # noqa: E402
from report import Row  # noqa: E402

LEVELS = ("-O2", "-Os")
RATIO_BARS = {"stub": 0.25, "skeleton": 0.35}
KB = 1000  # the stricter reading


def kinds(size):
    return f"code {size['code']}, tables {size['rodata']}, data {size['data'] + size['bss']}"


def operation_row(section, name, bar, sizes, part, level):
    few, many = (operations.footprint(sizes[name, style, level, part]) for style in operations.STYLES)
    small, big = (sizes[name, style, level, part] for style in operations.STYLES)
    note = f"{few:,} ÷ {many:,} bytes; interpreted: {kinds(small)}; unwinding tables {small['eh']} ÷ {big['eh']}"
    if part == "skeleton":
        alone = (operations.footprint(sizes[name, style, level, "alone"]) for style in operations.STYLES)
        note += "; x_skel.cpp alone " + " ÷ ".join(f"{n:,}" for n in alone)
    return Row(section, "all in one interface" if name == operations.ALL else name, few / many if many else None, "",
               None if name == operations.ALL else bar, note)


def operation_rows(build, quick, jobs):
    levels = LEVELS[1:] if quick else LEVELS
    chosen = ["test_short", "test_strseq"] if quick else [*operations.OPERATIONS, operations.ALL]
    sizes = operations.measure(build, levels, chosen, jobs)
    rows = []
    for part, level in itertools.product(operations.PARTS, levels):
        section = f"{part}s {level}: bytes that an operation adds, with tables or helpers, interpreted ÷ compiled"
        rows += [operation_row(section, name, ("<=", RATIO_BARS[part]), sizes, part, level) for name in chosen]
    parts = {part: sizes["test_short", "interpreted", "-Os", part] for part in ("stub", "alone")}
    rows.append(Row("test_short, interpreted, -Os", "stub, skeleton and tables",
                    sum(operations.footprint(p) for p in parts.values()), "bytes", ("<=", 200),
                    f"stub: {kinds(parts['stub'])}; skeleton: {kinds(parts['alone'])}"))
    return rows


def library_rows(build):
    section = "libraries -Os: CDR and marshaling, all objects, used or not"
    rows, text, rodata = [], 0, 0
    for library in ("cdr", "marshal"):
        for name, sums in operations.members(os.path.join(build, "lib", f"libcallis_{library}.a")).items():
            text, rodata = text + sums["code"], rodata + sums["rodata"]
            rows.append(Row(section, f"{library}, {name}", sums["code"], "bytes", None,
                            f"read-only data {sums['rodata']:,}, data {sums['data'] + sums['bss']:,}, "
                            f"unwinding tables {sums['eh']:,}"))
    rows.append(Row(section, "both, text", text, "bytes", ("<=", 25 * KB), f"with read-only data {text + rodata:,}"))
    return rows


def program_rows(build):
    section = "minimal client and server, static, -Os, sections collected: what callis has in it"
    sizes = footprint.by_library(os.path.join(build, "bin", "footprint_minimal.map"))
    rows, texts, all_of_it = [], 0, 0
    for library, (text, rodata, eh, data) in sorted(sizes.items()):
        ours = library != footprint.SYSTEM
        if ours:
            texts, all_of_it = texts + text, all_of_it + text + rodata
        rows.append(Row(section, library if ours else "libc, libstdc++, libgcc: not counted", text, "bytes", None,
                        f"read-only data {rodata:,}, data {data:,}, unwinding tables {eh:,}"))
    rows.append(Row(section, "callis, text", texts, "bytes", ("<=", 100 * KB), f"with read-only data {all_of_it:,}"))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="build folder with callis-idl")
    parser.add_argument("--minsize", default="build/minsize", help="build folder with the libraries and the program")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="compilations at once")
    report.add_arguments(parser)
    arguments = parser.parse_args()

    facts = report.machine()
    report.say(report.machine_lines(facts)[0])
    try:
        rows = operation_rows(arguments.build, arguments.quick, arguments.jobs)
        rows += library_rows(arguments.minsize) + program_rows(arguments.minsize)
    except OSError as e:
        raise SystemExit(f"bench: {e}") from e
    report.print_rows(rows)
    return report.finish(rows, facts, arguments.json, arguments.strict)


if __name__ == "__main__":
    sys.exit(main())
