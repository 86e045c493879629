#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""run.py ROOT PROGRAMS: starts each service's program at a TCP endpoint of 127.0.0.1 and at a Unix-domain socket, and asks each
operation, without arguments, of an object of each kind: who may is as SECURITY.md says in the row of the program, whatever the
tables in the sources say. Another user is tried where the test runs as root. Ends with 1 and a line for each cell that is not
so, and for each operation that SECURITY.md names and no object has that was reached. LocateRequests are answered whoever asks."""
import os
import sys
import tempfile

import giop
import tables
import with_arguments
from objects import OTHERS, Service, reach

# Of every object; not all servants know them.
PSEUDO = {"_is_a", "_non_existent", "_interface", "_component"}
LAST = ("destroy", "disconnect_")  # what ends objects is asked behind the others


def usual(who):
    """may(caller, group) by the column "Who may by default"."""
    if who == "anybody":
        return lambda caller, group: group != "admin"
    if who == "admin: users of this machine, over a Unix-domain socket":
        return lambda caller, group: group != "admin" or caller != "tcp"
    if who == "admin: root and the repository's own user, over a Unix-domain socket":
        return lambda caller, group: group != "admin" or caller == "own"
    raise ValueError(f"SECURITY.md: who may is not understood: {who}")


def cells_of(service, program, row, interfaces):
    """([(object, key, operation, group)], {(interface, operation)} that are among them)"""
    out, had = [], set()
    for name, key in reach(service, program).items():
        is_of = interfaces.of_object(lambda identifier: service.own.is_a(key, identifier))
        had.update((i, operation) for i in is_of for operation in interfaces.operations[i])
        if not is_of and name not in OTHERS:
            raise ValueError(f"callis {program}: '{name}' is no object")
        group, operations = OTHERS.get(name, ("read", ()))
        out += [(name, key, operation, group) for operation in sorted(operations)]
        operations = PSEUDO.union(*(interfaces.operations[i] for i in is_of))
        out += [(name, key, operation, (row.groups(operation) or ["read"])[0]) for operation in sorted(operations)]
    return sorted(out, key=lambda cell: cell[2].startswith(LAST)), had


def check(programs, program, row, interfaces, folder, allow, may, words):
    asked = 0
    with Service(programs, program, folder, words + allow) as service:
        cells, had = cells_of(service, program, row, interfaces)
        for name, key in {(name, key) for name, key, _, _ in cells}:
            for caller, link in service.links.items():
                if (located := link.locate(key)) not in (giop.HERE, giop.ELSEWHERE):
                    yield f"callis {program} {' '.join(allow)}: a LocateRequest for '{name}' by {caller}: {located}"
        for refused in (True, False):  # first what changes nothing
            for name, key, operation, group in cells:
                for caller, link in service.links.items():
                    if may(caller, group) == refused:
                        continue
                    status, what = link.ask(key, operation)
                    asked += 1
                    told = status == giop.SYSTEM_EXCEPTION and "NO_PERMISSION:1.0 by the rules" in what
                    unknown = status == giop.SYSTEM_EXCEPTION and "BAD_OPERATION" in what and operation not in PSEUDO
                    if told != refused or unknown or status is None:
                        yield f"callis {program} {' '.join(allow)}: {operation} ({group}) of '{name}' by {caller}: {status} {what}"
    for name in sorted(interfaces.of_program(program)) if not allow else ():
        for operation in sorted(interfaces.operations[name]):
            own = operation == "destroy" and name.endswith("Iterator")  # of who has its reference, whatever the column of admin names
            if row.groups(operation) and (name, operation) not in had and not own:
                yield f"callis {program}: no object was reached that has {operation} of {name}"
    print(f"callis {program} {' '.join(allow)}: {asked} requests")


def main(root, programs):
    wrong = []
    interfaces, rows = tables.Interfaces(root), tables.security(root)
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        os.mkdir(folder + "/types")
        with Service(programs, "ifr", folder + "/types") as types:
            types.feed()
            for program in tables.PROGRAMS:
                words = ["--repository", types.reference] if program == "events" else []
                for allow, may in (
                        ([], usual(rows[program].cells["who"])),
                        (["--allow", "admin=any,write=own"], lambda caller, group: group != "write" or caller == "own"),
                        (["--allow", "admin=own,write=own,read=own"], lambda caller, group: caller == "own")):
                    wrong += check(programs, program, rows[program], interfaces, folder, allow, may, words)
        wrong += with_arguments.check(programs, rows, interfaces, folder)
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
