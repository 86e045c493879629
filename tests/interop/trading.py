# SPDX-License-Identifier: Apache-2.0
"""`callis trading` under a client of JacORB, whose stubs JacORB's compiler makes of the OMG's IDL."""
import pathlib
import signal
import subprocess

from harness.process import Failure
from interop import jacorb, service_client
from interop.echo import TIMEOUT
from interop.naming import want

JACORB_PRINTS = [
    "all: 0 1 2 3 4 5", "some: 5 4 3 2", "parts: 0 1 2 | 3 4 5", "limited: 5 4 return_card", "described: T true thing 2", "modified: 20",
    "constraint: IllegalConstraint 1:1: a number is compared with a text", "preference: IllegalPreference", "type: UnknownServiceType",
    "mandatory: MissingMandatoryProperty", "mismatch: PropertyTypeMismatch", "policy: PolicyTypeMismatch", "links: itself 2", "loop: 0 1",
    "proxy: $* false", "listed: 4 and 2", "was: 1000 is: 7", "left: 4 5 20", "gone: UnknownOfferId", "illegal: IllegalOfferId"]


def add_options(tests):
    parser = tests.add_parser("trading", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--jacorb", required=True, type=pathlib.Path)
    parser.set_defaults(run=run)


def run(options, processes):
    server, reference = service_client.start(processes, options.callis, "trading")
    subprocess.run([options.callis, "trade", "--trader", reference, "types", "add", "T", "Cost:long:mandatory", "Name:string"], check=True,
                   timeout=TIMEOUT)
    client = processes.start("client", jacorb.command(options.jacorb, "trading.Client", [reference]))
    if client.finish(4 * TIMEOUT) != 0:
        raise Failure(f"the client failed: {client.output[-5:]}")
    want(client.output, JACORB_PRINTS, "JacORB")
    server.signal(signal.SIGTERM)
    if server.finish(TIMEOUT) != 0:
        raise Failure("callis trading did not end well")
