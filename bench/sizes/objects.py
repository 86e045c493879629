# SPDX-License-Identifier: Apache-2.0
"""Bytes of object files and archives by kind, from their allocated sections."""
import os
import re

from toolchains import run

KINDS = ("code", "rodata", "data", "bss", "eh")  # eh: unwinding tables
# Code that marshals values of a type: generated readers and writers of types and the templates of callis/classic and
# callis/cdr that they became; omniORB's operators. By mangled names: sections are named after their functions.
OPERATORS = re.compile(r"callis_unit_\w+?\d+(write|read)_|_ZNK?6callis(7classic|3cdr)|(rS|lS)ER9cdrStream")


def members(file):
    """{object: {kind: bytes}} of an archive's members, or of the one object file; allocated sections only. "operators" is
    a part of the code."""
    sums = dict.fromkeys((*KINDS, "operators"), 0)
    result = {}
    for line in run(["readelf", "-SW", file]).splitlines():
        archived = re.match(r"File: .*\((.*?)(\.cpp)?\.o\)$", line)
        if archived:
            sums = result.setdefault(archived.group(1), dict.fromkeys(sums, 0))
        m = re.match(r"\s*\[\s*\d+\] (\S+)\s+(\w+)\s+[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+\s+(\w*)\s", line)
        if not m or "A" not in m.group(4) or m.group(2) == "NOTE":
            continue
        name, kind, size, flags = m.group(1), m.group(2), int(m.group(3), 16), m.group(4)
        if name.startswith((".eh_frame", ".gcc_except_table", ".ARM.ex")):
            sums["eh"] += size
        elif "X" in flags:
            sums["code"] += size
            sums["operators"] += size if OPERATORS.search(name) else 0
        elif kind == "NOBITS":
            sums["bss"] += size
        else:
            sums["data" if "W" in flags else "rodata"] += size
    return result or {os.path.basename(file): sums}


def sections(file):
    """{kind: bytes} of an object file."""
    return next(iter(members(file).values()))


def footprint(sums):
    """What is counted: everything but the unwinding tables."""
    return sum(sums[kind] for kind in ("code", "rodata", "data", "bss"))


def tables(sums):
    return sums["rodata"] + sums["data"] + sums["bss"]


def defined(file, pattern):
    """Symbols that the file defines and whose mangled names match."""
    lines = (line.split() for line in run(["nm", "--defined-only", file]).splitlines())
    return sorted({words[-1] for words in lines if len(words) == 3 and re.search(pattern, words[-1])})
