# SPDX-License-Identifier: Apache-2.0
"""Values between one client and one server of programs/values/, in one GIOP version."""
import pathlib
import re

from harness.process import Failure
from interop import peers

TIMEOUT = 60


def add_options(tests):
    parser = tests.add_parser("values", help=__doc__.splitlines()[0])
    parser.add_argument("--programs", required=True, help="directory of the programs")
    parser.add_argument("--client", required=True, choices=peers.PEERS)
    parser.add_argument("--server", required=True, choices=peers.PEERS)
    parser.add_argument("--version", required=True, choices=("1.0", "1.1", "1.2"))
    parser.add_argument("--fragment-bytes", type=int, help="callis sends messages above this in fragments")
    parser.set_defaults(run=run)


def command(options, role, peer, *arguments):
    program = pathlib.Path(options.programs) / f"values_{role}_{peer.replace('-', '_')}"
    version = options.version if role == "client" else None
    return [program, *arguments, *peers.options(peer, version, options.fragment_bytes)]


def run(options, processes):
    server = processes.start("server", command(options, "server", options.server))
    reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    client = processes.start("client", command(options, "client", options.client, reference,
                                     f"server={'callis' if peers.is_callis(options.server) else 'omni'}",
                                     f"version={options.version}"))
    status = client.finish(TIMEOUT)
    found = re.search(r"^checks (\d+)$", "\n".join(client.output), re.MULTILINE)
    if status != 0 or not found or int(found.group(1)) == 0:
        raise Failure(f"the client ended with status {status}")
    print(found.group(0))
    server.end_input()
    status = server.finish(TIMEOUT)
    if status != 0:
        raise Failure(f"the server ended with status {status}")
