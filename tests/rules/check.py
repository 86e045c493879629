#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py ROOT: SECURITY.md names the operations that the tables of the services' programs guard, in the program's row and
in the column of their group, and no others; what the column of reading names is an operation of the program's IDL, and is
guarded by nothing. Ends with 1 and a line for each that is wrong. check.py --self-test ROOT: shows that it finds such."""
import pathlib
import shutil
import sys
import tempfile

import tables


def wrongs(root):
    interfaces = tables.Interfaces(root)
    rows = tables.security(root)
    for program in tables.PROGRAMS:
        if program not in rows:
            yield f"SECURITY.md has no row for `callis {program}`"
            continue
        row, tabled = rows[program], {"read": set(), "write": set(), "admin": set()}
        for group, identifier, operations in tables.guarded(root, program):
            tabled[group].update(operations)
            name = interfaces.interface(identifier)
            if name is None:
                yield f"callis {program}: no IDL has {identifier}"
                continue
            has = set().union(*(interfaces.all_operations(one) for one in interfaces.derived(name)))
            for operation in operations:
                if not any(tables.matches(operation, o) for o in has):
                    yield f"callis {program}: {name} has no operation {operation}"
                if group not in row.groups(operation):
                    yield f"SECURITY.md: `callis {program}`, {group}: `{operation}` is missing"
        yield from wrong_cells(row, tabled, program, set().union(*map(interfaces.all_operations, interfaces.of_program(program))))


def wrong_cells(row, tabled, program, has):
    def guards(operation, *groups):
        return any(tables.matches(o, operation) or tables.matches(operation, o) for group in groups for o in tabled[group])

    for operation in row.named("read"):
        if operation not in has:
            yield f"SECURITY.md: `callis {program}`, read: its IDL has no operation `{operation}`"
        if guards(operation, "write", "admin"):
            yield f"SECURITY.md: `callis {program}`, read: `{operation}` is guarded"
    for group in ("write", "admin"):
        for operation in row.named(group):
            # What the servant decides, as that a name is bound, is of another group at the door.
            if not guards(operation, group) and not guards(operation, *row.groups(operation)):
                yield f"SECURITY.md: `callis {program}`, {group}: no table has `{operation}`"


# A file, what is altered in it, and what is then wrong.
ALTERATIONS = (
    ("SECURITY.md", ", `forget` |", " |", "SECURITY.md: `callis events`, admin: `forget` is missing"),
    ("SECURITY.md", "| `callis imr serve` |", "| imr |", "SECURITY.md has no row for `callis imr`"),
    ("SECURITY.md", "`try_pull`", "`tri_pull`", "SECURITY.md: `callis events`, read: its IDL has no operation `tri_pull`"),
    ("SECURITY.md", "`list_logs`", "`flush`", "SECURITY.md: `callis logging`, read: `flush` is guarded"),
    ("tools/events/main.cpp", '"forget"', '"forgets"', "callis events: CallisEvents::ConsumerAdmin has no operation forgets"),
    ("tools/events/main.cpp", '{"forget"}', "{}", "SECURITY.md: `callis events`, admin: no table has `forget`"),
)


def self_test(root):
    root = pathlib.Path(root).resolve()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("services", "callis"):
            (pathlib.Path(folder) / name).symlink_to(root / name)
        for name in ("SECURITY.md", *("tools/" + source for source in tables.PROGRAMS.values())):
            (pathlib.Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, pathlib.Path(folder) / name)
        for name, what, instead, expected in ALTERATIONS:
            file = pathlib.Path(folder) / name
            before = file.read_text()
            if what not in before:
                yield f"{name} has no {what}"
            file.write_text(before.replace(what, instead))
            if expected not in (found := list(wrongs(folder))):
                yield f"{name} with {instead!r} for {what!r}: not \"{expected}\" but {found}"
            file.write_text(before)


if __name__ == "__main__":
    found = list(self_test(sys.argv[2]) if sys.argv[1] == "--self-test" else wrongs(sys.argv[1]))
    print("\n".join(found) or "all agree")
    sys.exit(1 if found else 0)
