# SPDX-License-Identifier: Apache-2.0
"""Calls that are given up, and CancelRequest (CORBA 3.3 part 2, 9.4.4), which says so and asks for nothing.

Of the clients only callis sends it. After it, or without it, the client's other calls go on, and the server serves and ends well.
"""
import socket
import struct

from harness import giop
from harness.process import Failure
from harness.recorder import CLIENT, Recorder
from harness.reference import Reference
from interop import whereabouts
from interop.whereabouts import TIMEOUT, Client, Server, check

PATIENCE = 300  # milliseconds


def add_options(tests):
    parser = tests.add_parser("cancels", help=__doc__.splitlines()[0])
    whereabouts.add_options(parser)
    parser.add_argument("--shared", action="store_true", help="the callis client's calls share a connection")
    parser.add_argument("--threads", default="connection", help="who serves, in callis")
    parser.set_defaults(run=run)
    scripted = tests.add_parser("scripted-cancels", help="a scripted client sends CancelRequest for requests in every state")
    whereabouts.add_options(scripted, clients=False)
    scripted.add_argument("--order", required=True, choices=("big", "little"))
    scripted.add_argument("--threads", default="connection", help="who serves, in callis")
    scripted.set_defaults(run=run_scripted)


def start(options, processes):
    more = ["-ORBServerThreads", options.threads] if options.server == "callis" else []
    server = Server(options, processes, "server", more=more)
    return server, {name: server.reference("lasting/inner", name) for name in ("quick", "slow")}


# ---- clients that lose patience ----

def run(options, processes):
    server, references = start(options, processes)
    read = Reference(references["quick"])
    with Recorder(read.host, read.port) as recorder:
        client = Client(options, processes, ["-ORBClientConnections", "shared"] if options.shared else [])
        client.refer(**{name: Reference(text).with_port(recorder.port) for name, text in references.items()})
        client.expect("who quick", "said server:quick")
        client.expect(f"patience slow {PATIENCE}", "ok")
        for _ in range(3):
            client.begin("rest slow")
            server.wait_for_rest()
            check("rest slow", client.answer(), "raised TIMEOUT", "" if client.peer == "jacorb" else "MAYBE")
            if serves_meanwhile(options):
                client.expect("who quick", "said server:quick")
            server.tell("wake")
            client.expect("who quick", "said server:quick")  # and not what is late
        client.end()
    check_cancels(options, sent(recorder), len(recorder.connections))
    server.end()


def serves_meanwhile(options):
    """Whether the client's other calls go on while one is served: not where it has one connection, and that one thread."""
    one_connection = options.shared or options.client == "jacorb"
    return not (one_connection and options.server == "callis" and options.threads == "connection")


def sent(recorder):
    """The client's messages, connection by connection."""
    return [list(giop.Stream().feed(connection.bytes_from(CLIENT))) for connection in recorder.connections]


def check_cancels(options, connections, number):
    cancelled = 0
    for messages in connections:
        rests = [header.request_id for header in map(giop.read_request, of_kind(messages, giop.REQUEST))
                 if header.operation == "rest"]
        cancels = [giop.Reader(message).ulong() for message in of_kind(messages, giop.CANCEL)]
        if cancels and cancels != rests:
            raise Failure(f"CancelRequests for {cancels}, and the requests given up are {rests}")
        cancelled += len(cancels)
    # omniORB would not answer on that connection any more.
    wanted = 3 if options.client == "callis" and not (options.shared and options.server == "omni") else 0
    if cancelled != wanted:
        raise Failure(f"{cancelled} CancelRequests, not {wanted}")
    if options.shared and number != 1:
        raise Failure(f"the shared connection was given up: {number} connections")


def of_kind(messages, kind):
    return [message for message in messages if message.kind == kind]


# ---- CancelRequests in every state of a request ----

class Caller:
    """Sends when told, and receives when told."""

    def __init__(self, options, address):
        self._socket = socket.create_connection(address, timeout=TIMEOUT)
        self._stream, self._replies = giop.Stream(), []
        self._version, self._little = tuple(map(int, options.version.split("."))), options.order == "little"

    def send(self, number, key, operation):
        self._socket.sendall(giop.request(self._version, self._little, number, key, operation).raw())

    def cancel(self, number):
        body = struct.pack("<I" if self._little else ">I", number)
        self._socket.sendall(giop.Message(self._version, int(self._little), giop.CANCEL, body).raw())

    def reply(self):
        """(request id, text) of the next reply."""
        while not self._replies:
            data = self._socket.recv(65536)
            if not data:
                raise Failure("the server closed the connection")
            self._replies += self._stream.feed(data)
        number, status, body = giop.read_reply(self._replies.pop(0))
        if status != giop.NO_EXCEPTION:
            raise Failure(f"the reply to request {number} has status {status}")
        return number, body.string()

    def expect(self, *numbers, maybe=()):
        """The replies to these, in any order; late ones to what has been cancelled may come, too."""
        missing = set(numbers)
        while missing:
            number, text = self.reply()
            if number not in missing.union(maybe) or text != ("server:slow" if number in maybe else "server:quick"):
                raise Failure(f"reply {text} to request {number}; what is missing is {missing}")
            missing.discard(number)

    def close(self):
        self._socket.close()


def run_scripted(options, processes):
    server, references = start(options, processes)
    read = Reference(references["quick"])
    quick, slow = read.object_key, Reference(references["slow"]).object_key
    caller, other = (Caller(options, (read.host, read.port)) for _ in range(2))

    caller.cancel(77)  # not known, nor ever to be
    caller.send(1, quick, "who")
    caller.expect(1)
    caller.cancel(1)  # answered
    caller.send(2, quick, "who")
    caller.expect(2)

    caller.send(10, slow, "rest")
    server.wait_for_rest()
    other.cancel(10)  # another's
    other.send(10, quick, "who")
    other.expect(10)
    caller.cancel(10)  # being served
    caller.cancel(10)
    caller.send(11, quick, "who")  # served meanwhile, or behind it
    caller.cancel(12)  # before its time
    caller.send(12, quick, "who")
    server.tell("wake")
    caller.expect(11, 12, maybe=[10])

    caller.send(20, slow, "rest")
    server.wait_for_rest()
    caller.cancel(20)
    caller.close()  # as an exclusive connection is
    server.tell("wake")
    other.send(21, quick, "who")
    other.expect(21)
    other.close()
    server.end()
