#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bars of the marshaling engine that are about sizes, behind ./dev bench sizes.

docs/design/measurement.md says how each is taken.
"""
import argparse
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


def operation_rows(build, quick, jobs):
    levels = LEVELS[1:] if quick else LEVELS
    chosen = ["test_short", "test_strseq"] if quick else operations.OPERATIONS
    sizes = operations.measure(build, levels, chosen if quick else chosen + [operations.ALL], jobs)
    rows = []
    for part in operations.PARTS:
        for level in levels:
            section = f"{part}s {level}: bytes that an operation adds, tables included, interpreted ÷ compiled"
            for name in chosen if quick else chosen + [operations.ALL]:
                small, big = (sizes[name, style, part, level] for style in operations.STYLES)
                few, many = operations.footprint(small), operations.footprint(big)
                note = (f"{few:,} ÷ {many:,} bytes; interpreted: code {small['code']}, tables {small['rodata']}, "
                        f"data {small['data'] + small['bss']}; unwinding tables {small['eh']} ÷ {big['eh']}")
                rows.append(Row(section, name if name != operations.ALL else "all in one interface",
                                few / many if many else None, "", None if name == operations.ALL else
                                ("<=", RATIO_BARS[part]), note))
    parts = {part: sizes["test_short", "interpreted", part, "-Os"] for part in operations.PARTS}
    rows.append(Row("test_short, interpreted, -Os", "stub, skeleton and tables",
                    sum(operations.footprint(p) for p in parts.values()), "bytes", ("<=", 200),
                    "; ".join(f"{part}: code {p['code']}, tables {p['rodata']}, data {p['data'] + p['bss']}"
                              for part, p in parts.items())))
    return rows


def library_rows(build):
    section = "libraries -Os: CDR and marshaling"
    rows, text, rodata = [], 0, 0
    for library in ("cdr", "marshal"):
        sums = operations.sections([os.path.join(build, "lib", f"libcallis_{library}.a")])
        text, rodata = text + sums["code"], rodata + sums["rodata"]
        rows.append(Row(section, f"{library}, text", sums["code"], "bytes", None,
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
