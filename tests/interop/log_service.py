# SPDX-License-Identifier: Apache-2.0
"""A log service of callis under clients of both ORBs: its operations, and the exceptions with what they say."""
import pathlib

from interop import service_client

EXPECTED = """\
id: as said
records: 6
query: 2 3 4
mark: 2
marked: 4 5
attribute: level
no name: InvalidAttribute ''
backwards: 5 4
no grammar: InvalidGrammar
no constraint: InvalidConstraint
full: LogFull 0
is full: yes
deleted: 3
locked: LogLocked
quality: UnsupportedQoS 1
no day: InvalidMask
copy: 3 4 5
iterator: 1000 then 1998 1999
destroyed: OBJECT_NOT_EXIST
"""


def add_options(tests):
    parser = tests.add_parser("log-service", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--client", required=True, choices=("callis", "omni"))
    parser.set_defaults(run=run)


def run(options, processes):
    service, _ = service_client.start(processes, options.callis, "logging")
    service_client.check(options.programs / f"log_client_{options.client}",
                         f"corbaloc::{service_client.address(service)}/BasicLogFactory", EXPECTED)
