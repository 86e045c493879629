# SPDX-License-Identifier: Apache-2.0
"""Typed event channels of callis between suppliers and consumers of omniORB, JacORB and callis, which have stubs of the interface."""
import pathlib
import signal
import subprocess
import time

from harness import ports
from harness.process import Failure
from interop import jacorb
from interop.echo import TIMEOUT
from interop.naming import want

PLANT = pathlib.Path(__file__).resolve().parents[2] / "services" / "events" / "typed" / "testing" / "plant.idl"
COUNT = 40
CASES = ("push_push", "push_pull", "pull_push", "pull_pull", "refused")
ORBS = ("omni", "jacorb", "callis")
REFUSED = [
    "supported, push: InterfaceNotSupported", "supported, pull: InterfaceNotSupported", "used, push: NoSuchImplementation",
    "used, pull: NoSuchImplementation", "nil: BAD_PARAM", "untyped: TypeError", "of another type: TypeError",
    "without an object: TypeError", "of its type: done", "again: AlreadyConnected", "after that: OBJECT_NOT_EXIST",
    "is IDL:Plant/Sensor:1.0: yes", "is IDL:Plant/Base:1.0: yes", "is IDL:Plant/Other:1.0: no", "not connected: BAD_INV_ORDER",
    "connected: done", "connected twice: AlreadyConnected", "disconnected: OBJECT_NOT_EXIST", "pull, not connected: BAD_INV_ORDER",
    "try, connected: done", "pull, disconnected: OBJECT_NOT_EXIST", "done"]


def add_options(tests):
    parser = tests.add_parser("typed-events", help=__doc__.splitlines()[0])
    parser.add_argument("--callis", required=True)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--jacorb", required=True, type=pathlib.Path)
    parser.add_argument("--case", required=True, choices=CASES)
    parser.add_argument("--supplier", required=True, choices=ORBS)
    parser.add_argument("--consumer", required=True, choices=ORBS)
    parser.add_argument("--version", choices=("1.0", "1.1", "1.2"), help="of GIOP, the highest that omniORB's side speaks")
    parser.set_defaults(run=lambda options, processes: Case(options, processes).run())


def lines_of_events(pushed):
    """What a consumer that is pushed to prints, in its order, when one supplier has pushed all events, or has been pulled."""
    out = []
    for n in range(COUNT):
        if pushed and n % 10 == 0:
            out.append(f"alarm gate {'somebody' if n % 20 == 0 else 'nobody'}")
        if n % 5 == 0:
            out.append(f"started oven {n}")
        out.append(" ".join([f"measured {n} mill {n}"] + [str(-n)] * (n % 3)))
    return out + ["alarm end nobody"] if pushed else out


def of_operation(name, lines):
    return [line for line in lines if line.startswith(name)]


class Case:
    def __init__(self, options, processes):
        self.options, self.processes = options, processes

    def run(self):
        repository, reference = self.serve("ifr", "serve", "--allow", "admin=any")
        done = subprocess.run([self.options.callis, "ifr", "feed", reference, PLANT], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=TIMEOUT, check=False)
        want((done.returncode, done.stdout if done.returncode else ""), (0, ""), "callis ifr feed")
        port = ports.fixed_port()
        channel, _ = self.serve("events", "--typed", "plant", "--repository", reference, port=port)
        self.channel = f"corbaloc::127.0.0.1:{port}/plant/typed"
        if self.options.case == "refused":
            self.finished(self.peer(self.options.supplier, "refused"), REFUSED, "a peer")
        else:
            self.combination(*self.options.case.split("_"))
        for server in (channel, repository):
            server.signal(signal.SIGTERM)
            want(server.finish(TIMEOUT), 0, f"status of {server.name}")

    def serve(self, service, *words, port=0):
        server = self.processes.start(service, [self.options.callis, service, *words, "-ORBEndpoint", f"tcp:127.0.0.1:{port}"])
        return server, server.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]

    def peer(self, orb, kind):
        words = [kind, self.channel, str(COUNT)]
        if orb == "jacorb":
            return self.processes.start(kind, jacorb.command(self.options.jacorb, "typed_events.Client", words))
        if orb == "omni" and self.options.version:
            words += ["-ORBmaxGIOPVersion", self.options.version]
        if orb == "callis":
            words += ["-ORBEndpoint", "tcp:127.0.0.1:0"]
        return self.processes.start(kind, [self.options.programs / f"typed_events_peer_{orb}", *words])

    def finished(self, process, expected, what):
        status = process.finish(TIMEOUT)
        want((status, process.output), (0, expected), what)

    def combination(self, supplier, consumer):
        taking = self.peer(self.options.consumer, f"{consumer}cons")
        taking.wait_for(lambda line: line == "connected", TIMEOUT)
        giving = self.peer(self.options.supplier, f"{supplier}supp")
        expected = lines_of_events(supplier == "push")
        if consumer == "push":
            deadline = time.monotonic() + TIMEOUT
            while len(taking.output) < 1 + len(expected) and taking.line(deadline) is not None:
                pass
            taking.end_input()
        else:  # each operation of its own
            expected = of_operation("measured", expected) + of_operation("started", expected)
        if taking.finish(TIMEOUT) != 0:
            raise Failure(f"the consumer failed: {taking.output[-3:]}")
        got = taking.output[1:]
        if supplier == "pull":  # the channel asks for each operation in turn
            got = of_operation("measured", got) + of_operation("started", got) + got[len(expected):]
            expected = of_operation("measured", expected) + of_operation("started", expected)
        want(got, [*expected, "done"], "what the consumer got")
        self.finished(giving, ["done"], "the supplier")
