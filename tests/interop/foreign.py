# SPDX-License-Identifier: Apache-2.0
"""What JacORB's clients do otherwise than those of C++, against callis: foreign.idl, programs/foreign/, jacorb/.

All calls of a client must come over one connection, each request once; only behind a system exception JacORB opens another.
"""
import pathlib
import re

from harness import giop
from harness.census import Census
from harness.process import Failure
from harness.recorder import CLIENT, SERVER, Recorder
from harness.reference import Reference
from interop import jacorb, java

TIMEOUT = 100
GROUPS = ("unknown", "shared", "repeated", "nested", "custom", "custom_in_any", "bounded", "parallel", "plain")


def add_options(tests):
    parser = tests.add_parser("foreign", help=__doc__.splitlines()[0])
    parser.add_argument("--programs", required=True, type=pathlib.Path, help="directory of the programs")
    parser.add_argument("--jacorb", required=True, type=pathlib.Path, help="what jacorb.py has made")
    parser.add_argument("--client", default="jacorb", choices=("jacorb", *java.ORBS))
    parser.add_argument("--server", required=True, choices=("callis-interpreted", "callis-compiled"))
    parser.add_argument("--threads", default="connection", help="who serves")
    parser.add_argument("--group", required=True, choices=GROUPS)
    parser.set_defaults(run=run)


def run(options, processes):
    # Without deadlines a call that waits for ever makes the test fail.
    told = ["-ORBEndpoint", "tcp:127.0.0.1", "-ORBCallTimeout", 0, "-ORBServerThreads", options.threads]
    if options.group == "plain":
        told += ["-ORBCodeSetsInReferences", "no"]
    program = options.programs / f"foreign_server_{options.server.replace('-', '_')}"
    server = processes.start("server", [program, *told])
    reference = Reference(server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1])
    with Recorder(reference.host, reference.port) as recorder:
        arguments = [reference.with_port(recorder.port), options.group]
        client = processes.start("client", command(options, arguments))
        status = client.finish(TIMEOUT)
    found = re.search(r"^checks (\d+)$", "\n".join(client.output), re.MULTILINE)
    if status != 0 or not found or int(found.group(1)) == 0:
        raise Failure(f"the client ended with status {status}")
    server.end_input()
    if server.finish(TIMEOUT) != 0:
        raise Failure("the server did not end well")
    check(options.group, recorder.connections)
    print(found.group(0))


def command(options, arguments):
    if options.client != "jacorb":
        return java.program(options.jacorb, options.client, "foreign.Client", arguments)
    return jacorb.command(options.jacorb, "foreign.Client", [*arguments, "jacorb.connection.client.pending_reply_timeout=0"],
                          jacorb.VALUES_IN_ANYS)


def check(group, connections):
    census = Census(connections)
    if len(connections) != 1 and group != "bounded":
        raise Failure(f"{len(connections)} connections: JacORB opens one")
    if census.count(giop.REQUEST, CLIENT) != census.count(giop.REPLY, SERVER):
        raise Failure(f"requests without replies: {census}")
    if group == "parallel" and census.operations["meet"] != 12:
        raise Failure(f"calls were repeated: {census.operations}")
