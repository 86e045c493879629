# SPDX-License-Identifier: Apache-2.0
"""`callis trading` under a client of JacORB, whose stubs JacORB's compiler makes of the OMG's IDL; and the unit of systemd."""
import pathlib
import shutil
import signal
import subprocess
import tempfile

from harness.process import Failure
from interop import jacorb
from interop.echo import TIMEOUT
from interop.naming import want

CASES = ("jacorb", "unit")
JACORB_PRINTS = [
    "all: 0 1 2 3 4 5", "some: 5 4 3 2", "parts: 0 1 2 | 3 4 5", "limited: 5 4 return_card", "described: T true thing 2", "modified: 20",
    "constraint: IllegalConstraint 1:1: a number is compared with a text", "preference: IllegalPreference", "type: UnknownServiceType",
    "mandatory: MissingMandatoryProperty", "mismatch: PropertyTypeMismatch", "policy: PolicyTypeMismatch", "links: itself 2", "loop: 0 1",
    "proxy: $* false", "listed: 4 and 2", "was: 1000 is: 7", "left: 4 5 20", "gone: UnknownOfferId", "illegal: IllegalOfferId"]


def add_options(tests):
    parser = tests.add_parser("trading", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--jacorb", required=True, type=pathlib.Path)
    parser.add_argument("--case", required=True, choices=CASES)
    parser.add_argument("--unit", required=True, type=pathlib.Path, help="callis-trading.service")
    parser.set_defaults(run=lambda options, processes: globals()[f"case_{options.case}"](options, processes))


def case_jacorb(options, processes):
    server = processes.start("trading", [options.callis, "trading", "-ORBEndpoint", "tcp:127.0.0.1:0"])
    reference = server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1].strip()
    subprocess.run([options.callis, "trade", "--trader", reference, "types", "add", "T", "Cost:long:mandatory", "Name:string"], check=True,
                   timeout=TIMEOUT)
    client = processes.start("client", jacorb.command(options.jacorb, "trading.Client", [reference]))
    if client.finish(4 * TIMEOUT) != 0:
        raise Failure(f"the client failed: {client.output[-5:]}")
    want(client.output, JACORB_PRINTS, "JacORB")
    server.signal(signal.SIGTERM)
    if server.finish(TIMEOUT) != 0:
        raise Failure("callis trading did not end well")


def case_unit(options, _):
    if not shutil.which("systemd-analyze"):
        print("no systemd-analyze: the unit is not checked")
        return
    with tempfile.TemporaryDirectory() as folder:
        program = (pathlib.Path(options.callis).parent / "callis-trading").resolve()
        tried = pathlib.Path(folder) / "callis-trading.service"
        tried.write_text(options.unit.read_text(encoding="utf-8").replace("ExecStart=callis-trading", f"ExecStart={program}"),
                         encoding="utf-8")
        told = subprocess.run(["systemd-analyze", "verify", str(tried)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=TIMEOUT, check=False).stdout
        wrong = [line for line in told.splitlines() if "callis-trading" in line]
        if wrong:
            raise Failure("systemd-analyze: " + "\n".join(wrong))
