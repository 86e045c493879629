# SPDX-License-Identifier: Apache-2.0
"""A property service of callis under clients of both ORBs: every operation, and the exceptions with what they say."""
import pathlib

from interop import service_client

EXPECTED = """\
define: done
another type: ConflictingProperty
no name: InvalidPropertyName
several: MultipleExceptions '' invalid_property_name, 'width' conflicting_property, 'height' unsupported_mode
change what is read-only: ReadOnlyProperty
delete what is fixed: FixedProperty
number: 3
get some: not all 5 void
modes: 1 4
all: depth=5 fixed=stone width=3
delete all: 1 left
a text among longs: UnsupportedTypeCode
no such constraint: ConstraintNotSupported
initial: MultipleExceptions '' invalid_property_name
"""


def add_options(tests):
    parser = tests.add_parser("properties", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--client", required=True, choices=("callis", "omni"))
    parser.set_defaults(run=run)


def run(options, processes):
    _, reference = service_client.start(processes, options.callis, "properties")
    service_client.check(options.programs / f"properties_client_{options.client}", reference, EXPECTED)
