# SPDX-License-Identifier: Apache-2.0
"""A property service of callis under clients of both ORBs: every operation, and the exceptions with what they say."""
import pathlib
import subprocess

from harness.process import Failure
from interop.echo import TIMEOUT

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
    service = processes.start("properties", [options.callis, "properties", "-ORBEndpoint", "tcp:127.0.0.1:0"])
    reference = service.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    client = subprocess.run([options.programs / f"properties_client_{options.client}", reference.strip()], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT, check=False)
    if client.stdout != EXPECTED or client.returncode != 0:
        raise Failure(f"the client ended with {client.returncode} and said\n{client.stdout}\nnot\n{EXPECTED}")
