# SPDX-License-Identifier: Apache-2.0
"""omniORB's catior must find in a reference of ours what an independent reader finds."""
import re

from harness.process import Failure
from harness.reference import Reference
from interop import peers

TIMEOUT = 20


def add_options(tests):
    parser = tests.add_parser("catior", help=__doc__)
    parser.add_argument("--programs", required=True)
    parser.add_argument("--server", required=True, choices=peers.PEERS)
    parser.add_argument("--version", required=True, choices=("1.0", "1.1", "1.2"))
    parser.add_argument("--catior", required=True)
    parser.set_defaults(run=run)


def run(options, processes):
    command = [peers.program(options.programs, "server", options.server),
               *peers.options(options.server, options.version)]
    server = processes.start("server", command)
    lines = server.wait_for(lambda line: line == "ready", TIMEOUT)
    references = [line.split(" ", 1)[1] for line in lines if " IOR:" in line]
    if len(references) != 12:
        raise Failure(f"the server published {len(references)} references")
    for text in references:
        compare(options, text, processes)
    server.end_input()
    if server.finish(TIMEOUT) != 0:
        raise Failure("the server did not end well")


def compare(options, text, processes):
    ours = Reference(text)
    catior = processes.start("catior", [options.catior, "-x", text])
    if catior.finish(TIMEOUT) != 0:
        raise Failure("catior refused the reference")
    said = "\n".join(catior.output)
    type_id = re.search(r'Type ID: "(.*)"', said)
    profile = re.search(r"IIOP (\d\.\d) (\S+) (\d+) 0x([0-9a-f]*)", said)
    if not type_id or not profile:
        raise Failure("catior printed something else")
    wanted = (ours.type_id, options.version, ours.host, str(ours.port), ours.object_key.hex())
    if (type_id.group(1), *profile.groups()) != wanted:
        raise Failure(f"catior says {type_id.group(1)} {profile.groups()}, it is {wanted}")
