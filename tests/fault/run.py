#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A live server under bad messages, while a good client goes on calling.

    run.py spoilt --programs DIR --client PEER --server PEER --seed 1 --count 1000
    run.py halves --programs DIR --client PEER --server PEER --count 100

spoilt: spoilt copies of good requests, each on a connection of its own that is then half closed. The server must
end each connection, and say nothing on it but whole GIOP messages.
halves: many connections on which a message begins and never ends.

Both: no crash, no hang, the good client undisturbed, no descriptors kept, an orderly end.
"""
import argparse
import os
import pathlib
import random
import re
import selectors
import socket
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from fault import corpus  # noqa: E402
from fault.spoil import spoil  # noqa: E402
from harness import giop  # noqa: E402
from harness.process import Failure, Processes  # noqa: E402
from harness.recorder import CLIENT, Recorder  # noqa: E402
from harness.reference import Reference  # noqa: E402
from interop import peers  # noqa: E402

START_SECONDS = 30
ANSWER_SECONDS = 10  # for the server to end a half-closed connection
AT_A_TIME = 16
LONGEST_CALL_MS = 5000
RECORDED = 50


class Server:
    def __init__(self, options, processes):
        self.process = processes.start("server", [peers.program(options.programs, "server", options.server),
                                                  *peers.options(options.server)])
        lines = self.process.wait_for(lambda line: line == "ready", START_SECONDS)
        self.texts = dict(line.split(" ", 1) for line in lines if " IOR:" in line)
        param = Reference(self.texts["param"])
        self.address = (param.host, param.port)
        self.keys = {name: Reference(text).object_key for name, text in self.texts.items()}

    def connect(self):
        return socket.create_connection(self.address, timeout=ANSWER_SECONDS)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def resident_mib(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) >> 10

    def alive(self):
        """One answered LocateRequest."""
        with self.connect() as connection:
            connection.sendall(giop.locate_request((1, 2), True, 1, self.keys["param"]).raw())
            answer = connection.recv(65536)
        if not answer.startswith(b"GIOP"):
            raise Failure(f"the server answers {answer[:40]!r}")


def start_client(options, processes, server, group, port=None):
    texts = server.texts if port is None else {name: Reference(text).with_port(port)
                                               for name, text in server.texts.items()}
    kind = "callis" if peers.is_callis(options.server) else "omni"
    facts = {**texts, "server": kind, "client": "callis" if peers.is_callis(options.client) else "omni",
             "version": "1.2"}
    return processes.start(f"client ({group})", [peers.program(options.programs, "client", options.client), group,
                                                 *(f"{name}={value}" for name, value in facts.items()),
                                                 *peers.options(options.client)])


def record(options, processes, server):
    rows = []
    for group in ("params", "types", "calls"):
        with Recorder(*server.address) as recorder:
            client = start_client(options, processes, server, group, recorder.port)
            if client.finish(START_SECONDS) != 0:
                raise Failure("the client whose messages were to be recorded failed")
        rows += corpus.recorded(recorder.connections, CLIENT, RECORDED // 3 + 1)
    if len(rows) < RECORDED:
        raise Failure(f"only {len(rows)} messages were recorded")
    return rows


def send_each(server, rows, check):
    """Sends each row on a connection of its own, AT_A_TIME at once, and half closes it; check(row, answer) when
    the server has ended the connection."""
    waiting = list(reversed(rows))
    with selectors.DefaultSelector() as selector:
        while waiting or selector.get_map():
            while waiting and len(selector.get_map()) < AT_A_TIME:
                row = waiting.pop()
                connection = server.connect()
                try:
                    connection.sendall(row)
                    connection.shutdown(socket.SHUT_WR)
                except OSError:
                    pass  # the server has seen enough already
                selector.register(connection, selectors.EVENT_READ, [row, b"", time.monotonic() + ANSWER_SECONDS])
            collect(selector, check)


def collect(selector, check):
    for key, _ in selector.select(timeout=0.5):
        try:
            data = key.fileobj.recv(65536)
        except OSError:
            data = b""  # reset: an end too
        key.data[1] += data
        if not data:
            selector.unregister(key.fileobj)
            key.fileobj.close()
            check(key.data[0], key.data[1])
    for key in list(selector.get_map().values()):
        if time.monotonic() > key.data[2]:
            raise Failure(f"no end of the connection that sent {key.data[0].hex()}")


def must_be_answered(row, answer):
    stream = giop.Stream()
    messages = [message for message in stream.feed(answer) if message.kind in (giop.REPLY, giop.LOCATE_REPLY)]
    first = next(giop.Stream().feed(row))
    request = None if first.kind == giop.LOCATE_REQUEST else giop.read_request(first)
    expected = 0 if request and not request.response_expected else 1
    if len(messages) != expected or stream.rest():
        raise Failure(f"{len(messages)} replies, not {expected}, to the good message {row.hex()}: {answer.hex()}")
    if expected and request and request.operation != "fail":
        _, status, body = giop.read_reply(messages[0])
        if status == giop.SYSTEM_EXCEPTION:
            raise Failure(f"{body.string()} to the good message {row.hex()}")


def must_be_giop(row, answer):
    stream = giop.Stream()
    try:
        list(stream.feed(answer))
    except giop.Malformed as malformed:
        raise Failure(f"to {row.hex()} the server said no GIOP: {malformed}") from None
    if stream.rest():
        raise Failure(f"to {row.hex()} the server said half a message: {answer.hex()}")


def spoilt(options, server, processes):
    rows = record(options, processes, server)
    by_hand = corpus.by_hand(server.keys)
    send_each(server, by_hand, must_be_answered)
    rows += by_hand
    print(f"{len(rows)} good messages")
    with GoodClient(options, processes, server):
        generator = random.Random(options.seed)
        bad = [spoil(generator, generator.choice(rows)) for _ in range(options.count)]
        send_each(server, bad, must_be_giop)
        print(f"{len(bad)} spoilt messages")


def halves(options, server, processes):
    row = corpus.by_hand(server.keys)[-1]
    connections = []
    with GoodClient(options, processes, server):
        for i in range(options.count):
            connection = server.connect()
            connection.sendall(row[:1 + i * (len(row) - 2) // options.count])
            connections.append(connection)
        for _ in range(20):
            server.alive()
    for connection in connections:
        connection.close()


class GoodClient:
    """Calls from enter to exit; fails when a call went wrong or took long."""

    def __init__(self, options, processes, server):
        self._client = start_client(options, processes, server, "steady")

    def __enter__(self):
        self._client.wait_for(lambda line: line == "calling", START_SECONDS)
        return self

    def __exit__(self, kind, *_):
        if kind:
            return
        self._client.wait_for(lambda line: line == "ten calls", START_SECONDS)  # however busy the machine is
        self._client.end_input()
        status = self._client.finish(START_SECONDS)
        found = re.search(r"^calls (\d+) longest (\d+) ms$", "\n".join(self._client.output), re.MULTILINE)
        if status != 0 or not found:
            raise Failure(f"the good client ended with status {status}")
        print(f"good client: {found.group(0)}")
        if int(found.group(2)) > LONGEST_CALL_MS:
            raise Failure(f"a call of the good client took {found.group(2)} ms")


# Of the pool, which the server makes when an upcall lasts: on a busy machine any may.
OF_POOL = 5


def no_descriptors_kept(server, before):
    """Each look is preceded by a call, so that the server has had its turn."""
    deadline = time.monotonic() + ANSWER_SECONDS
    while True:
        server.alive()
        now = server.descriptors()
        if now <= before + 2 + OF_POOL:  # the connections of alive() may not have ended
            return
        if time.monotonic() > deadline:
            raise Failure(f"{now} descriptors are open, {before} were at first")


def run(options, processes):
    server = Server(options, processes)
    server.alive()
    before, memory = server.descriptors(), server.resident_mib()
    options.run(options, server, processes)
    no_descriptors_kept(server, before)
    print(f"resident: {memory} MiB at first, {server.resident_mib()} MiB at last")
    if server.resident_mib() > memory + options.grow_mib:
        raise Failure(f"the server has grown from {memory} to {server.resident_mib()} MiB")
    server.process.end_input()
    status = server.process.finish(START_SECONDS)
    if status != 0:
        raise Failure(f"the server ended with status {status}")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tests = parser.add_subparsers(dest="test", required=True)
    for function in (spoilt, halves):
        sub = tests.add_parser(function.__name__)
        sub.add_argument("--programs", required=True)
        sub.add_argument("--client", required=True, choices=peers.PEERS)
        sub.add_argument("--server", required=True, choices=peers.PEERS)
        sub.add_argument("--seed", type=int, default=1)
        sub.add_argument("--count", type=int, default=1000)
        sub.add_argument("--grow-mib", type=int, default=64, help="how much more memory the server may hold")
        sub.set_defaults(run=function)
    return parser.parse_args()


def main():
    options = parse()
    with Processes() as processes:
        try:
            run(options, processes)
        except Failure as failure:
            print(f"FAILED: {failure}\n\n{processes.describe()}", file=sys.stderr)
            return 1
        except OSError as error:
            print(f"FAILED: the server is not reached: {error}\n\n{processes.describe()}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
