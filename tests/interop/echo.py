# SPDX-License-Identifier: Apache-2.0
"""An echo client against an echo server, one of which is omniORB's own example as Debian ships it; or another pair that
works alike.

Both take and give what the omniORB examples do: the server prints its reference, the client has it as its
argument and prints the reply to each of its calls.
"""
import signal

from harness.process import Failure
from harness.reference import Reference

TIMEOUT = 20


def add_options(tests):
    parser = tests.add_parser("echo", help=__doc__.splitlines()[0])
    parser.add_argument("--client", required=True)
    parser.add_argument("--server", required=True)
    parser.add_argument("--client-options", default="", help="separated by spaces")
    parser.add_argument("--server-options", default="")
    parser.add_argument("--expect", required=True, help="what the client must print")
    parser.add_argument("--times", type=int, default=1, help="how often, at least")
    parser.add_argument("--attempts", type=int, default=1, help="how often the client is started until it has them")
    parser.add_argument("--type", default="IDL:Echo:1.0", help="repository id of the server's object")
    parser.add_argument("--server-says", action="append", default=[], help="a line that the server must print")
    parser.set_defaults(run=run)


def start_echo_server(program, server_options, processes):
    server = processes.start("server", [program, *server_options.split()])
    lines = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)
    return server, lines[-1]


def run(options, processes):
    server, reference = start_echo_server(options.server, options.server_options, processes)
    if Reference(reference).type_id != options.type:
        raise Failure(f"the server's object is a {Reference(reference).type_id}")
    for _ in range(options.attempts):
        client = processes.start("client", [options.client, *options.client_options.split(), reference])
        status = client.finish(TIMEOUT)
        replies = sum(options.expect in line for line in client.output)
        if status != 0 or replies >= options.times:
            break
    if status != 0 or replies < options.times:
        raise Failure(f"the client ended with status {status} after {replies} right replies")
    server.signal(signal.SIGTERM)
    server.finish(TIMEOUT)
    unsaid = [line for line in options.server_says if line not in map(str.strip, server.output)]
    if unsaid:
        raise Failure(f"the server did not print {unsaid}")
