#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs one interoperation test; CMakeLists.txt says which there are, README.md what they are about.

    run.py exchange --programs DIR --client omni --server callis-compiled --version 1.1 --group params
    run.py echo     --client PROGRAM --server PROGRAM
    run.py catior   --server PROGRAM
    run.py scripted-client --programs DIR --server omni --version 1.0 --order big
    run.py scripted-server --client PROGRAM --version 1.2 --order big --way in_fragments
    run.py values   --programs DIR --client omni --server callis-compiled --version 1.2
    run.py jacorb   --folder DIR
    run.py java     --orb yoko --folder DIR
    run.py mixed    --programs DIR --jacorb DIR --client jacorb --server callis-compiled --version 1.2 --group types
    run.py bidirectional --programs DIR --jacorb DIR --client callis --server omni
    run.py foreign  --programs DIR --jacorb DIR --server callis-compiled --group unknown
    run.py restart  --programs DIR --jacorb DIR --client jacorb --server callis
    run.py restart-under-load --programs DIR --jacorb DIR --client callis --server callis --end kill
    run.py forwards --programs DIR --jacorb DIR --client omni --server callis --case moved
    run.py cancels  --programs DIR --jacorb DIR --client callis --server omni --shared
    run.py alternates --programs DIR --jacorb DIR --client omni --server callis --case addresses
    run.py sockets  --programs DIR --client omni --server callis-compiled --group params
    run.py corbaloc --client PROGRAM --server PROGRAM --address second --expect TEXT
    run.py naming   --client PROGRAM --server PROGRAM --name corbaname --expect TEXT
    run.py call-echo --callis PROGRAM --server PROGRAM
    run.py call-names --callis PROGRAM
    run.py call-anys --callis PROGRAM --server PROGRAM --idl FILE
    run.py liars    --callis PROGRAM
    run.py imr      --callis PROGRAM --programs DIR --jacorb DIR --client omni --server callis
    run.py ifr      --callis PROGRAM --programs DIR --jacorb DIR --client omni
    run.py names    --callis PROGRAM --jacorb DIR --case omni
    run.py trading  --callis PROGRAM --jacorb DIR
    run.py events   --callis PROGRAM --programs DIR --case push_pull --peer omni --channel callis
    run.py typed-events --callis PROGRAM --programs DIR --jacorb DIR --case push_pull --supplier omni --consumer jacorb
    run.py properties --callis PROGRAM --programs DIR --client omni
    run.py streams  --studio PROGRAM --programs DIR --client omni
    run.py log-service --callis PROGRAM --programs DIR --client omni
    run.py browse   --callis PROGRAM --programs DIR --idl FILE
    run.py browse-ifr --callis PROGRAM --programs DIR --idl FILE
    run.py tls      --callis PROGRAM --programs DIR --client omni --server callis --group types
    run.py tls-offers --callis PROGRAM --programs DIR
    run.py missing  WHAT...
    run.py together FILE        tests one after the other, each in a process of its own: in each line a name, and what stands above

Exit status 0: passed; 77: skipped, and why is printed. On a failure the commands and what they printed are shown.
"""
import argparse
import importlib
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from harness.giop import Malformed  # noqa: E402
from harness.process import Failure, Processes  # noqa: E402
from interop import together  # noqa: E402

# The tests of each module. Only the module of the test that is asked for is read: a test of one case begins
# with this program.
MODULES = {
    "addresses": ("sockets", "socket-echo", "corbaloc", "naming"), "alternates": ("alternates",), "bidirectional": ("bidirectional",),
    "browse": ("browse", "browse-ifr"), "call": ("call-echo", "call-anys", "call-values", "call-java", "call-names"),
    "cancels": ("cancels", "scripted-cancels"), "catior": ("catior",), "echo": ("echo",), "events": ("events",),
    "exchange": ("exchange",), "foreign": ("foreign",), "forwards": ("forwards",), "ifr": ("ifr",), "imr": ("imr",),
    "jacorb": ("jacorb",), "java": ("java",), "liars": ("liars",), "log_service": ("log-service",), "mixed": ("mixed",), "naming": ("names",),
    "properties": ("properties",), "restart": ("restart", "restart-under-load"), "scripted": ("scripted-client", "scripted-server"),
    "streams": ("streams",), "tls": ("tls", "tls-offers"), "trading": ("trading",), "typed_events": ("typed-events",), "values": ("values",)}


def missing(options, _):
    raise Failure("this test needs what is not installed: " + ", ".join(options.what))


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tests = parser.add_subparsers(dest="test", required=True)
    asked = arguments[0] if arguments else ""
    for module in [m for m, names in MODULES.items() if asked in names] or MODULES:
        importlib.import_module(f"interop.{module}").add_options(tests)
    parser_missing = tests.add_parser("missing")
    parser_missing.add_argument("what", nargs="+")
    parser_missing.set_defaults(run=missing)
    return parser.parse_args(arguments)


def run(arguments):
    """The exit status."""
    options = parse(arguments)
    with Processes() as processes:
        try:
            options.run(options, processes)
        except (Failure, Malformed) as failure:
            print(f"FAILED: {failure}\n\n{processes.describe()}", file=sys.stderr)
            return 1
    return 0


def main():
    if sys.argv[1:2] != ["together"]:
        return run(sys.argv[1:])
    for module in MODULES:  # once for all
        importlib.import_module(f"interop.{module}")
    return together.run(sys.argv[2], run)


if __name__ == "__main__":
    sys.exit(main())
