# SPDX-License-Identifier: Apache-2.0
"""Peers written by hand, in either byte order: what no other ORB on this machine speaks.

scripted-client calls the test server and checks every value that comes back. scripted-server answers an echo
client: plainly, in fragments, after a LOCATION_FORWARD, or after closing the connection in good order.
"""
import re
import socket
import struct

from harness import giop
from harness.listener import Listener
from harness.process import Failure
from harness.reference import Reference
from interop import peers

TIMEOUT = 20
WAYS = ("plainly", "in_fragments", "forwarded", "after_close")


def add_options(tests):
    client = tests.add_parser("scripted-client", help="a scripted client and the test server")
    client.add_argument("--programs", required=True)
    client.add_argument("--server", required=True, choices=peers.PEERS)
    add_common(client)
    client.set_defaults(run=run_client)
    server = tests.add_parser("scripted-server", help="an echo client and a scripted server")
    server.add_argument("--client", required=True)
    server.add_argument("--way", required=True, choices=WAYS)
    server.add_argument("--expect", required=True, help="what the client must print")
    server.add_argument("--times", type=int, default=1, help="how often the client calls")
    add_common(server)
    server.set_defaults(run=run_server)


def add_common(parser):
    parser.add_argument("--version", required=True, choices=("1.0", "1.1", "1.2"))
    parser.add_argument("--order", required=True, choices=("big", "little"))


def version_of(options):
    return tuple(map(int, options.version.split(".")))


# ---- the client ----

class Caller:
    def __init__(self, address, version, little):
        self._socket = socket.create_connection(address, timeout=TIMEOUT)
        self._stream = giop.Stream()
        self._version, self._little, self._number = version, little, 0xfffffff0  # ids that wrap round

    def call(self, key, operation, arguments=lambda writer: None):
        self._number = (self._number + 1) & 0xffffffff
        message = giop.request(self._version, self._little, self._number, key, operation, arguments)
        self._socket.sendall(message.raw())
        while True:
            data = self._socket.recv(65536)
            if not data:
                raise Failure(f"the server closed the connection during {operation}")
            replies = list(self._stream.feed(data))
            if replies:
                break
        number, status, body = giop.read_reply(replies[0])
        if number != self._number or replies[0].version != self._version:
            raise Failure(f"{replies[0]} to request {number}, not {self._number} in {self._version}")
        if status == giop.SYSTEM_EXCEPTION:
            raise Failure(f"{operation} raised {body.string()}")
        return status, body


def run_client(options, processes):
    server = processes.start("server", [peers.program(options.programs, "server", options.server),
                                        *peers.options(options.server)])
    lines = server.wait_for(lambda line: line == "ready", TIMEOUT)
    references = {name: Reference(text) for name, text in (line.split(" ", 1) for line in lines if " IOR:" in line)}
    keys = {name: reference.object_key for name, reference in references.items()}
    param = references["param"]
    caller = Caller((param.host, param.port), version_of(options), options.order == "little")
    for check in (check_shorts, check_strings, check_struct, check_exception):
        check(caller, keys)
    status, failures = caller.call(keys["control"], "failures")
    if failures.ulong() != 0:
        raise Failure(f"the server found fault: {failures.string()}")
    server.end_input()
    if server.finish(TIMEOUT) != 0:
        raise Failure("the server did not end well")


def expect(what, seen, wanted):
    if seen != wanted:
        raise Failure(f"{what}: {seen!r}, not {wanted!r}")


def check_shorts(caller, keys):
    edges = [0, 1, 32767, -32768, 32766, -32767, 0x5a5a, 0x0718]  # as programs/values.h has them
    for i in range(len(edges)):
        edge = [edges[(i + role) % len(edges)] for role in range(5)]
        _, body = caller.call(keys["param"], "test_short", lambda w, e=edge: w.put("h", e[0]).put("h", e[1]))
        result, back, out = body.short(), body.short(), body.short()
        expect("test_short", [back, out, result], edge[2:])


def check_strings(caller, keys):
    for a, b in (("", ""), ("x", "yz"), ("a" * 1001, "b" * 3)):
        _, body = caller.call(keys["text"], "join", lambda w, a=a, b=b: w.string(a).string(b))
        result, back, out = body.string(), body.string(), body.string()
        expect("join", [result, back, out], [a + b, a + b, a])


def check_struct(caller, keys):
    for x, tag, y in ((0.5, 0, -0.0), (1e300, 199, 5e-324)):
        caller.call(keys["calls"], "_set_position",
                    lambda w, x=x, t=tag, y=y: w.put("d", x).put("B", t).put("d", y))
        _, body = caller.call(keys["calls"], "_get_position")
        back = (body.double(), body.octet(), body.double())
        expect("position", struct.pack("dBd", *back), struct.pack("dBd", x, tag, y))


def check_exception(caller, keys):
    status, body = caller.call(keys["calls"], "decide", lambda w: w.put("i", 1).put("i", 0).string(""))
    expect("decide", (status, body.string()), (giop.USER_EXCEPTION, "IDL:interop.test/Interop/Empty:1.0"))


# ---- the server ----

FIRST_KEY, SECOND_KEY = b"the first key", b"the second key"


class Encapsulation(giop.Writer):
    """Begins with its byte order; alignment counts from there."""

    def __init__(self, little):
        super().__init__((1, 2), little)
        self._data = bytearray((int(little),))

    def content(self):
        return bytes(self._data)


def put_reference(writer, key, port, version, little):
    profile = Encapsulation(little)
    profile.put("B", version[0]).put("B", version[1]).string("127.0.0.1").put("H", port).octets(key)
    if version >= (1, 1):
        profile.put("I", 0)  # no components
    writer.string("IDL:Echo:1.0").put("I", 1).put("I", 0).octets(profile.content())


class EchoServer(Listener):
    def __init__(self, options):
        super().__init__(self._converse, TIMEOUT)
        self._version, self._little, self._way = version_of(options), options.order == "little", options.way
        self.echoed = 0
        self._closed_once = False

    def reference(self):
        writer = Encapsulation(self._little)
        put_reference(writer, FIRST_KEY, self.port, self._version, self._little)
        return "IOR:" + writer.content().hex()

    def _converse(self, peer):
        stream = giop.Stream()
        while data := peer.recv(65536):
            for message in stream.feed(data):
                if message.kind == giop.CLOSE:
                    return
                if message.version != self._version:
                    raise Failure(f"the client sent a {message}")
                answer = self._answer(message)
                peer.sendall(answer)
                if answer[7] == giop.CLOSE:
                    return

    def _answer(self, message):
        if message.kind == giop.LOCATE_REQUEST:
            here = giop.Writer(self._version, self._little).put("I", giop.Reader(message).ulong()).put("I", 1)
            return here.message(giop.LOCATE_REPLY).raw()
        if message.kind != giop.REQUEST:
            raise Failure(f"the client sent a {message}")
        header = giop.read_request(message)
        if header.operation == "_is_a":
            return self._reply(header, giop.NO_EXCEPTION, lambda w: w.put("B", 1)).raw()
        if header.operation != "echoString":
            raise Failure(f"the client called {header.operation}")
        if self._way == "forwarded" and FIRST_KEY in message.body:
            return self._reply(header, giop.LOCATION_FORWARD, self._forward).raw()
        if self._way == "after_close" and not self._closed_once:
            self._closed_once = True
            return giop.Message(self._version, int(self._little), giop.CLOSE, b"").raw()
        self.echoed += 1
        text = re.search(rb"([ -~]+)\0*$", message.body).group(1).decode()
        reply = self._reply(header, giop.NO_EXCEPTION, lambda w: w.string(text))
        return self._in_fragments(reply) if self._way == "in_fragments" else reply.raw()

    def _reply(self, header, status, results):
        writer = giop.Writer(self._version, self._little)
        if self._version < (1, 2):
            writer.put("I", 0).put("I", header.request_id).put("I", status)
        else:
            writer.put("I", header.request_id).put("I", status).put("I", 0).align(8)
        results(writer)
        return writer.message(giop.REPLY)

    def _forward(self, writer):
        put_reference(writer, SECOND_KEY, self.port, self._version, self._little)

    def _in_fragments(self, reply):
        """Cut after three numbers, 24 bytes into the message, and then every 8 bytes."""
        head = 12
        number = reply.body[:4] if self._version >= (1, 2) else b""
        parts = [reply.body[:head]] + [reply.body[i:i + 8] for i in range(head, len(reply.body), 8)]
        flags = int(self._little)
        raw = giop.Message(self._version, flags | 2, giop.REPLY, parts[0]).raw()
        for i, part in enumerate(parts[1:], 1):
            more = 2 if i + 1 < len(parts) else 0
            raw += giop.Message(self._version, flags | more, giop.FRAGMENT, number + part).raw()
        return raw


def run_server(options, processes):
    with EchoServer(options) as server:
        client = processes.start("client", [options.client, server.reference()])
        status = client.finish(TIMEOUT)
    if server.failure:
        raise Failure(f"the scripted server: {server.failure}")
    if status != 0 or server.echoed != options.times or not any(options.expect in line for line in client.output):
        raise Failure(f"the client ended with status {status} after {server.echoed} echoes")
