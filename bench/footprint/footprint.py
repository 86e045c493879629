#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a statically linked program takes of each library, from the linker's map.

Counted are the input sections that the linker kept: text (.text*), rodata (.rodata*), eh (.eh_frame,
.gcc_except_table), data (.data*, .bss*, .init_array, .tdata). A merged string counts once, where the linker
put it; padding between two sections counts for the later one. Everything that is not an object of this build
(libc, libstdc++, libgcc, start files) is summed as "system" and is not part of the bar.
"""
import argparse
import collections
import os
import re
import subprocess
import sys

KINDS = ("text", "rodata", "eh", "data")
SYSTEM = "system"
Piece = collections.namedtuple("Piece", "kind section size library object")


def kind_of(section):
    if section.startswith((".text", ".init", ".fini")) and not section.startswith((".init_array", ".fini_array")):
        return "text"
    if section.startswith(".rodata"):
        return "rodata"
    if section.startswith((".eh_frame", ".gcc_except_table")):
        return "eh"
    if section.startswith((".data", ".bss", ".tbss", ".tdata", ".init_array", ".fini_array", "COMMON")):
        return "data"
    return None


def owner_of(path):
    """(library, object) of lib/libcallis_orb.a(orb.cpp.o) or .../dir/x.cpp.o"""
    archive = re.match(r"(.*)\((.*)\)$", path)
    if archive:
        name = re.match(r"libcallis_(\w+)\.a$", os.path.basename(archive.group(1)))
        return (name.group(1), archive.group(2)) if name else (SYSTEM, os.path.basename(path))
    if not os.path.isabs(path) and path.endswith(".o"):
        return "program", os.path.basename(path)
    return SYSTEM, os.path.basename(path)


def raw_sections(map_file):
    """(section, address, size, path) of every kept input section, in the order of the map."""
    with open(map_file, encoding="utf-8", errors="replace") as f:
        lines = f.read().split("Linker script and memory map", 1)[1].splitlines()
    name = None
    for line in lines:
        m = re.match(r" (\*fill\*|\.?[\w.$@-]+)?\s+(0x[0-9a-f]+)\s+(0x[0-9a-f]+)(?: (\S.*))?$", line)
        if m:
            section = m.group(1) or name
            name = None
            if section and (m.group(4) or section == "*fill*"):
                yield section, int(m.group(2), 16), int(m.group(3), 16), m.group(4)
            continue
        m = re.match(r" ([.\w$@-]+)$", line)
        name = m.group(1) if m else None


def pieces(map_file):
    kept = sorted((s for s in raw_sections(map_file) if s[1] and s[2]), key=lambda s: s[1])
    result, padding = [], 0
    for here, following in zip(kept, kept[1:] + [None]):
        section, address, size, path = here
        if following and following[1] > address:
            size = min(size, following[1] - address)
        elif following and following[1] == address:
            continue  # strings that were merged into the section of the same address
        if section == "*fill*":
            padding += size
            continue
        kind = kind_of(section)
        if kind and path:
            result.append(Piece(kind, section, size + padding, *owner_of(path)))
        padding = 0
    return result


def by_library(map_file):
    """{library: (text, rodata, eh, data)}; "program" is the program's own and generated code."""
    sums = collections.defaultdict(lambda: dict.fromkeys(KINDS, 0))
    for p in pieces(map_file):
        sums[p.library][p.kind] += p.size
    return {library: tuple(s[k] for k in KINDS) for library, s in sums.items()}


def counted(sizes):
    """text + rodata of everything but the system's libraries: the figure with a bar."""
    return sum(s[0] + s[1] for library, s in sizes.items() if library != SYSTEM)


def print_table(head, rows):
    widths = [max(len(str(r[i])) for r in [head] + rows) for i in range(len(head))]
    for r in [head] + rows:
        print("  ".join(str(c).ljust(w) if i == 0 else str(c).rjust(w) for i, (c, w) in enumerate(zip(r, widths))))


def table(sizes):
    rows = [(library, s[0] + s[1], *s) for library, s in sorted(sizes.items()) if library != SYSTEM]
    rows.append(("all of callis", *(sum(r[i] for r in rows) for i in range(1, 6))))
    if SYSTEM in sizes:
        rows.append((SYSTEM, sizes[SYSTEM][0] + sizes[SYSTEM][1], *sizes[SYSTEM]))
    return ("library", "text+rodata", *KINDS), rows


def demangled(names):
    return subprocess.run(["c++filt"], input="\n".join(names), stdout=subprocess.PIPE, text=True,
                          check=True).stdout.splitlines()


def biggest(map_file, library, count):
    found = [p for p in pieces(map_file) if p.kind in ("text", "rodata") and p.library != SYSTEM and
             (not library or p.library == library)]
    found.sort(key=lambda p: -p.size)
    found = found[:count]
    plain = [re.sub(r"^\.(text|rodata)\.?(unlikely\.|startup\.|cst\d+\.?)?", "", p.section) for p in found]
    names = demangled([re.sub(r"\.str\d+\.\d+$", "", n) for n in plain])
    return [(p.size, p.kind, f"{p.library}/{p.object}", n) for p, n in zip(found, names)]


def by_object(map_file, library):
    sums = collections.Counter()
    for p in pieces(map_file):
        if p.kind in ("text", "rodata") and p.library != SYSTEM and (not library or p.library == library):
            sums[f"{p.library}/{p.object}"] += p.size
    return sums.most_common()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("map", help="the linker's map of footprint_minimal")
    parser.add_argument("--objects", action="store_true", help="a line for each object file")
    parser.add_argument("--symbols", type=int, default=0, metavar="N", help="the N biggest sections")
    parser.add_argument("--library", help="only this library in --objects and --symbols")
    parser.add_argument("--at-most", type=int, metavar="BYTES", help="fail when text+rodata of callis is more")
    args = parser.parse_args()
    sizes = by_library(args.map)
    print_table(*table(sizes))
    if args.objects:
        print()
        print_table(("object", "text+rodata"), by_object(args.map, args.library))
    if args.symbols:
        print()
        for size, kind, where, name in biggest(args.map, args.library, args.symbols):
            print(f"{size:6} {kind:6} {where:32} {name[:150]}")
    total = counted(sizes)
    if args.at_most is not None and total > args.at_most:
        sys.exit(f"callis's text and rodata in the minimal program: {total} bytes, more than {args.at_most}")


if __name__ == "__main__":
    main()
