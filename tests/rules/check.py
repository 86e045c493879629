#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py ROOT: each guarded operation of a service's program is one of its interface, and SECURITY.md names it in
the program's row, in the column of its group. Ends with 1 and a line for each that is wrong."""
import pathlib
import re
import sys

import tables


def wrongs(root):
    interfaces = tables.Interfaces(root)
    rows = {}
    for line in (pathlib.Path(root) / "SECURITY.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and cells[0].startswith("`callis ") and len(cells) == 6:
            rows[cells[0].strip("`").split()[1]] = dict(zip(("read", "write", "admin"), cells[1:4]))
    for program in tables.PROGRAMS:
        if program not in rows:
            yield f"SECURITY.md has no row for `callis {program}`"
            continue
        for group, identifier, operations in tables.guarded(root, program):
            name = interfaces.interface(identifier)
            if name is None:
                yield f"callis {program}: no IDL has {identifier}"
                continue
            has = set().union(*(interfaces.all_operations(one) for one in interfaces.derived(name)))
            named = re.findall(r"`([^`]+)`", rows[program][group])
            for operation in operations:
                beginning = operation.removesuffix("*")
                if not (operation in has or operation.endswith("*") and any(o.startswith(beginning) for o in has)):
                    yield f"callis {program}: {name} has no operation {operation}"
                if not any(operation == n or n.endswith("*") and operation.startswith(n[:-1]) for n in named):
                    yield f"SECURITY.md: `callis {program}`, {group}: `{operation}` is missing"


if __name__ == "__main__":
    found = list(wrongs(sys.argv[1]))
    print("\n".join(found) or "all agree")
    sys.exit(1 if found else 0)
