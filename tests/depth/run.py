#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What nests without end, sent to a process whose threads have stacks of 256 KiB: a fault of that message, and of nothing
else; and no value stays of a message that was refused.

    run.py server PROGRAM --threads connection|pool|single
    run.py client PROGRAM            the same in replies
"""
import argparse
import pathlib
import socket
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))

from depth import bombs  # noqa: E402
from harness import giop  # noqa: E402
from harness.process import Failure, Processes  # noqa: E402
from harness.reference import Reference  # noqa: E402

SECONDS = 60
STACK_KIB = 256
REFUSALS = ("IMP_LIMIT", "MARSHAL")


def with_small_stacks(program, *arguments):
    return ["sh", "-c", f'ulimit -s {STACK_KIB}; exec "$@"', "sh", program, *arguments]


class Client:
    def __init__(self, address, object_key):
        self._socket = socket.create_connection(address, timeout=SECONDS)
        self._key = object_key
        self._stream = giop.Stream()
        self._id = 0

    def call(self, operation, body=b""):
        """None: done; else the name of a system exception and its completion status."""
        status, reader = self._call(operation, body)
        if status == giop.NO_EXCEPTION:
            return None
        if status != giop.SYSTEM_EXCEPTION:
            raise Failure(f"{operation}: reply status {status}")
        name = reader.string().split("/")[-1].split(":")[0]
        reader.ulong()
        return name, reader.ulong()

    def living(self):
        status, reader = self._call("living", b"")
        if status != giop.NO_EXCEPTION:
            raise Failure(f"living: reply status {status}")
        return reader.ulong()

    def _call(self, operation, body):
        self._id += 1
        self._socket.sendall(giop.request((1, 2), True, self._id, self._key, operation, lambda w: w.raw(body)).raw())
        messages = []
        while True:
            data = self._socket.recv(1 << 20)
            if not data:
                raise Failure(f"{operation}: the server closed the connection")
            messages += self._stream.feed(data)
            if messages and not messages[-1].more_fragments:
                break
        number, status, reader = giop.read_reply(giop.join_fragments(messages)[0])
        if number != self._id:
            raise Failure(f"{operation}: a reply to {number}, not {self._id}")
        if status == giop.NO_EXCEPTION and operation == "living":
            reader.align(8)
        return status, reader


def check(bomb, result, refusal_status):
    if bomb.accepted and result is not None:
        raise Failure(f"{bomb.name}: {result}, and not accepted")
    if not bomb.accepted and (result is None or result[0] not in REFUSALS or result[1] != refusal_status):
        raise Failure(f"{bomb.name}: {result}, and not refused as it must be")


def to_server(options, processes):
    server = processes.start("server", with_small_stacks(options.program, "server", "-ORBEndpoint", "tcp:127.0.0.1:0",
                                                         "-ORBServerThreads", options.threads))
    reference = Reference(server.wait_for(lambda line: line.startswith("IOR:"), SECONDS)[-1])
    address = (reference.host, reference.port)
    good = Client(address, reference.object_key)
    if good.call("take_tree", bombs.tree(1)):
        raise Failure("a good call is refused")
    before = good.living()
    for bomb in bombs.all_bombs():
        client = Client(address, reference.object_key)
        check(bomb, client.call(bomb.operation, bomb.body), 1)
        for each in (client, good):
            if each.call("take_tree", bombs.tree(1)):
                raise Failure(f"a good call after {bomb.name} is refused")
        living = good.living()
        if living != before:
            raise Failure(f"{living - before} values stay of {bomb.name}")
    # A circle that is right, in front of an argument that is not.
    for _ in range(5):
        check(bombs.Bomb("circles in front of what is wrong", "", b"", bombs.REFUSED),
              good.call("take_two", bombs.circles(1000, b"\2")), 1)
    if good.living() != before:
        raise Failure("values stay of the first of two arguments")
    server.end_input()
    status = server.finish(SECONDS)
    if status != 0:
        raise Failure(f"the server's status is {status}")


def reply_to(message, body):
    number = giop.Reader(message).ulong()
    data = struct.pack("<III", number, giop.NO_EXCEPTION, 0)
    return giop.Message((1, 2), 1, giop.REPLY, data + (bytes(-(len(data) + 12) % 8) + body if body else b"")).raw()


def to_client(options, processes):
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(SECONDS)
    client = processes.start("client", with_small_stacks(
        options.program, "client", f"corbaloc:iiop:1.2@127.0.0.1:{listener.getsockname()[1]}/taker"))
    connection = None
    stream = giop.Stream()
    before = None
    for bomb in bombs.all_bombs():
        client.tell(bomb.operation)
        if connection is None:
            connection = listener.accept()[0]
            connection.settimeout(SECONDS)
        requests = []
        while not requests:
            data = connection.recv(1 << 16)
            if not data:
                raise Failure(f"the client closed the connection before {bomb.name}")
            requests += stream.feed(data)
        connection.sendall(reply_to(requests[0], bomb.body))
        result, *rest, living = client.wait_for(lambda line: True, SECONDS)[0].split(" ")
        check(bomb, None if result == "accepted" else (result, rest[0]), "yes")
        before = before if before is not None else living
        if living != before:
            raise Failure(f"{living} values live after {bomb.name}, {before} before")
    client.end_input()
    status = client.finish(SECONDS)
    if status != 0:
        raise Failure(f"the client's status is {status}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("side", choices=("server", "client"))
    parser.add_argument("program")
    parser.add_argument("--threads", default="connection")
    options = parser.parse_args()
    with Processes() as processes:
        try:
            (to_server if options.side == "server" else to_client)(options, processes)
        except (Failure, OSError) as failure:
            print(f"failed: {failure}")
            print(processes.describe())
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
