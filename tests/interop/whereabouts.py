# SPDX-License-Identifier: Apache-2.0
"""The programs of whereabouts.idl, told line by line what to do; the tests are in restart.py, forwards.py and others."""
import pathlib
import time

from harness import sockets
from harness.process import Failure
from interop import jacorb, java

TIMEOUT = 60
PEERS = ("omni", "callis", "jacorb")
CLIENTS = (*PEERS, *java.ORBS)
QUIET = ("-Djava.util.logging.config.file=/dev/null",)  # the JDK's ORB tells of each connection that is refused


def add_options(parser, clients=True):
    parser.add_argument("--programs", required=True, help="directory of the programs")
    parser.add_argument("--jacorb", required=True, type=pathlib.Path, help="what jacorb.py has made")
    if clients:
        parser.add_argument("--client", required=True, choices=CLIENTS)
    parser.add_argument("--server", required=True, choices=PEERS)
    parser.add_argument("--version", default="1.2", choices=("1.0", "1.1", "1.2"), help="of the servers' references")


def command(options, role, peer, arguments, told):
    if peer == "jacorb":
        return jacorb.command(options.jacorb, "whereabouts.PatientClient" if role == "client" else "whereabouts.Server", [*arguments, *told])
    if peer in java.ORBS:
        return java.program(options.jacorb, peer, "whereabouts.Client", [*arguments, *told], QUIET)
    return [pathlib.Path(options.programs) / f"whereabouts_{role}_{peer}", *arguments, *told]


class Server:
    """more: further options in the ORB's own words."""

    def __init__(self, options, processes, name, peer=None, port=0, more=(), log="/dev/null"):
        self.peer = peer or options.server
        told = {"callis": ["-ORBEndpoint", f"tcp:127.0.0.1:{port}", "-ORBGIOPVersion", options.version],
                "omni": ["-ORBendPoint", f"giop:tcp:127.0.0.1:{port or ''}", "-ORBmaxGIOPVersion", options.version],
                "jacorb": ["OAIAddr=127.0.0.1", f"OAPort={port}", "jacorb.implname=whereabouts",
                           f"jacorb.giop_minor_version={options.version[2]}"]}
        self._process = processes.start(f"server {name}", command(options, "server", self.peer, [name, log],
                                                                  [*told[self.peer], *more]))
        self._process.wait_for(lambda line: line == "ready", TIMEOUT)

    def tell(self, text):
        self._process.tell(text)
        self._process.wait_for(lambda line: line == "ok", TIMEOUT)

    def reference(self, adapter, object_id):
        self._process.tell(f"reference {adapter} {object_id}")
        return self._process.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]

    def wait_for_rest(self):
        self._process.wait_for(lambda line: line == "resting", TIMEOUT)

    def wait_until_busy(self):
        if "busy" not in self._process.output:
            self._process.wait_for(lambda line: line == "busy", TIMEOUT)

    def end(self):
        self._process.end_input()
        status = self._process.finish(TIMEOUT)
        if status != 0:
            raise Failure(f"{self._process.name} ended with status {status}")

    def kill(self):
        self._process.kill_healthy(TIMEOUT)


class Client:
    def __init__(self, options, processes, more=()):
        told = {"callis": ["-ORBCallTimeout", 20000], "omni": ["-ORBclientCallTimeOutPeriod", 20000],
                # Its usual five attempts at a dead address, half a second apart, would take most of the tests' time.
                "jacorb": ["jacorb.connection.client.pending_reply_timeout=20000", "jacorb.retries=2",
                           "jacorb.retry_interval=100"]}.get(options.client, [])
        self.peer = options.client
        self._process = processes.start("client", command(options, "client", self.peer, [], [*told, *more]))
        self._answered = time.monotonic()

    def idle(self):
        """Seconds since the last answer."""
        return time.monotonic() - self._answered

    def begin(self, text):
        if self.peer in ("jacorb", "openjdk"):
            self._let_it_see_what_is_closed()
        self._process.tell(text)

    def _let_it_see_what_is_closed(self):
        """JacORB never answers a request that it sends while its other thread gives up the connection: such a call ends by
        its deadline. The JDK's ORB raises COMM_FAILURE, COMPLETED_NO."""
        deadline = time.monotonic() + TIMEOUT
        while sockets.peers_have_closed(self._process.pid):
            if time.monotonic() > deadline:
                raise Failure("the client does not close a connection that its server has closed")

    def answer(self):
        line = self._process.wait_for(lambda line: True, TIMEOUT)[0]
        self._answered = time.monotonic()
        return line

    def ask(self, text):
        self.begin(text)
        return self.answer()

    def refer(self, **references):
        for name, reference in references.items():
            self.expect(f"refer {name} {reference}", "ok")

    def expect(self, text, begins, ends=""):
        """What the answer to this must be, or begin and end with."""
        check(text, self.ask(text), begins, ends)

    def end(self):
        self._process.end_input()
        status = self._process.finish(TIMEOUT)
        if status != 0:
            raise Failure(f"the client ended with status {status}")


def check(asked, answer, begins, ends=""):
    exact = begins.startswith("said") or begins == "ok"
    if answer != begins if exact else not (answer.startswith(begins) and answer.endswith(ends)):
        raise Failure(f"{asked[:60]}: {answer}, not {begins} {ends}")
