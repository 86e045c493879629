# SPDX-License-Identifier: Apache-2.0
"""Peers that go on saying something, so that a clock that is looked at only in silence never strikes."""
import struct
import time

from attack.attack import Attack, ClientAttack, NotHeld, pause
from attack.cdr import TK_ANY, Cdr
from attack.hostile import reply
from attack.peer import cancel, first_fragment, fragment, request
from attack.usage import TICKS_PER_SECOND, Usage
from harness import giop


class WrongIds(ClientAttack):
    """A server that answers with replies to requests that nobody made, as fast as it can."""

    promised = "ends by call timeout + 1 s"
    expected = ("TIMEOUT", "COMM_FAILURE")

    def serve(self, connection):
        connection.request()
        replies = b"".join(reply(number, body=Cdr().string("hello")) for number in range(100_000, 101_000))
        while not connection.over() and connection.send(replies):
            pass


class Trickle(ClientAttack):
    """A server that sends its reply a byte at a time."""

    promised = "ends by call timeout + 1 s"

    def serve(self, connection):
        number = connection.request()
        if number is None:
            return
        for byte in reply(number, body=Cdr().string("x" * 5000)):
            if not connection.send(bytes((byte,))) or not connection.rest(0.05):
                return


class EndlessFragments(ClientAttack):
    """A server whose reply comes in fragments that do not end: full ones, small ones and empty ones."""

    promised = "ends by call timeout + 1 s, memory bounded"
    expected = ("TIMEOUT", "COMM_FAILURE", "MARSHAL", "IMP_LIMIT", "NO_RESOURCES")
    calls = 3

    def __init__(self, short):
        super().__init__(short)
        self._sizes = [100_000, 8, 0]

    def serve(self, connection):
        number = connection.request()
        if number is None:
            return
        size = self._sizes.pop() if self._sizes else 0
        body = Cdr().octets(bytes(4))
        connection.send(reply(number, body=body, more=True))
        piece = fragment(number, bytes(size), True) * max(1, 4000 // (size + 16))
        while not connection.over() and connection.send(piece):
            if not connection.rest(0.01):
                return


class Silence(ClientAttack):
    """A server that says nothing."""

    promised = "ends by call timeout + 1 s"

    def serve(self, connection):
        while connection.rest(1):
            pass


class ClosesAlways(ClientAttack):
    """A server that answers each request with CloseConnection, which lets a client try again."""

    promised = "gives up, few connections"
    expected = ("TRANSIENT", "COMM_FAILURE", "TIMEOUT")

    def serve(self, connection):
        connection.request()
        connection.send(giop.Message((1, 2), 1, giop.CLOSE, b"").raw())

    def judge(self, said, hostile):
        if hostile.connections > 50:
            raise NotHeld(f"{hostile.connections} connections for a call")


class HugeReply(ClientAttack):
    """A server that claims a reply of 4 GiB - 1 and begins to send it."""

    promised = "refused at the header"
    expected = ("COMM_FAILURE", "MARSHAL", "IMP_LIMIT", "NO_RESOURCES")

    def serve(self, connection):
        number = connection.request()
        connection.send(b"GIOP\1\2\1\1\xff\xff\xff\xff" + struct.pack("<I", number or 0) + bytes(1 << 20))
        while connection.rest(1):
            pass


class AnotherProtocol(ClientAttack):
    """A server that speaks HTTP."""

    promised = "a fault at once"
    expected = ("COMM_FAILURE", "MARSHAL")
    most_seconds = 1.0

    def serve(self, connection):
        connection.request()
        connection.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        while connection.rest(1):
            pass


class DeepReplies(ClientAttack):
    """A server whose results nest without end, to a client with a small stack."""

    promised = "a fault, at ulimit -s 256 too"
    operation = "any"
    expected = ("IMP_LIMIT", "MARSHAL", "NO_RESOURCES")
    stack_kib = 256
    skipped_under = ("asan", "tsan")

    def serve(self, connection):
        number = connection.request()
        if number is not None:
            connection.send(reply(number, body=struct.pack("<I", TK_ANY) * 1_000_000))
        while connection.rest(1):
            pass


class CancelsBesideReassembly(Attack):
    """A message in fragments that does not end, beside it a stream of CancelRequests; message_timeout is one second."""

    promised = "closed by message_timeout"
    options = ("-ORBMessageTimeout", "1000", "-ORBMessageTimeoutPerMib", "0")
    seconds = 1

    def lap(self):
        with self.peer() as peer:
            begin = time.monotonic()
            peer.send(first_fragment(self.target.key, "take_octets", bytes(8), 1))
            while not peer.ended and peer.send(cancel(999_999) * 20):
                peer.poll()
                pause(0.02)
                if time.monotonic() - begin > 4:
                    raise NotHeld("the connection is still open after 4 s")
            self.note(f"closed after {time.monotonic() - begin:.0f} s")


class CallsBesideReassembly(CancelsBesideReassembly):
    """The same with good calls beside the message that does not end, and with fragments of it a byte each."""

    def lap(self):
        for others in (request(self.target.key, "echo", Cdr().string("x")), fragment(1, b"x", True)):
            with self.peer() as peer:
                begin = time.monotonic()
                peer.send(first_fragment(self.target.key, "take_octets", bytes(8), 1))
                while not peer.ended and peer.send(others):
                    peer.poll()
                    pause(0.02)
                    if time.monotonic() - begin > 4:
                        raise NotHeld("the connection is still open after 4 s")
                self.note(f"closed after {time.monotonic() - begin:.0f} s")


class TrickledRequests(Attack):
    """A request a byte at a time, so that something has always just come; message_timeout is one second."""

    promised = "closed by message_timeout"
    options = ("-ORBMessageTimeout", "1000", "-ORBMessageTimeoutPerMib", "0")
    seconds = 1

    def lap(self):
        with self.peer() as peer:
            begin = time.monotonic()
            for byte in request(self.target.key, "echo", Cdr().string("x" * 2000)):
                if peer.ended or not peer.send(bytes((byte,))):
                    break
                peer.poll()
                pause(0.02)
                if time.monotonic() - begin > 4:
                    raise NotHeld("the connection is still open after 4 s")
            self.note(f"closed after {time.monotonic() - begin:.0f} s")


class CancelsBehindReassembly(Attack):
    """CancelRequests behind a reassembly of 15 MB, against as many behind one of a few bytes."""

    promised = "cost by number, not by size"

    def lap(self):
        small, large = self._ticks(b""), self._ticks(bytes(15 << 20))
        self.note(f"ticks behind a small one: {small}, a large one: {large}")
        if large > 3 * small + 10:
            raise NotHeld(f"{large} ticks of CPU behind a large reassembly, {small} behind a small one")

    def _ticks(self, body):
        usage = Usage(self.target.pid)
        with self.peer() as peer:
            peer.send(first_fragment(self.target.key, "take_octets", bytes(8), 1))
            for begin in range(0, len(body), 1 << 18):
                peer.send(fragment(1, body[begin:begin + (1 << 18)], True))
            before = usage.ticks()
            peer.send(b"".join(cancel(number) for number in range(100, 20_100)))
            peer.send(request(self.target.key, "notes"))
            peer.message()
            return usage.ticks() - before


class IdleForEver(Attack):
    """Connections that say nothing, that made one call, and that said they go both ways; idle_timeout is one second."""

    promised = "closed by idle_timeout"
    options = ("-ORBIdleTimeout", "1000")
    seconds = 1

    def lap(self):
        writer = giop.Writer((1, 2), True).put("I", 5).put("B", 3).raw(bytes(3))
        writer.put("H", 0).octets(self.target.key).string("notes").put("I", 1)
        points = Cdr().put("B", 1).ulong(1).string("10.0.0.1").put("H", 9)
        writer.put("I", 5).octets(bytes(points))  # BI_DIR_IIOP
        for name, first in (("silent", b""), ("one call", request(self.target.key, "notes")),
                            ("bidirectional", writer.message(giop.REQUEST).raw())):
            with self.peer() as peer:
                if first:
                    peer.send(first)
                    peer.message()
                begin = time.monotonic()
                peer.until_closed(6)
                self.note(f"{name}: closed after {time.monotonic() - begin:.0f} s")
