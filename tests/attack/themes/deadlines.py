# SPDX-License-Identifier: Apache-2.0
"""Peers that go on saying something, so that a clock that is looked at only in silence never strikes."""
import itertools
import struct
import time

from attack.attack import Attack, ClientAttack, NotHeld, pause
from attack.cdr import TK_ANY, Cdr
from attack.hostile import reply
from attack.peer import answer, cancel, first_fragment, fragment, request
from attack.usage import Usage
from harness import giop

MOST_OPEN_SECONDS = 4  # of connections that must be closed within less than one


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
        connection.wait_for_end()


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
        connection.wait_for_end()


class AnotherProtocol(ClientAttack):
    """A server that speaks HTTP."""

    promised = "a fault at once"
    expected = ("COMM_FAILURE", "MARSHAL")
    most_seconds = 1.0

    def serve(self, connection):
        connection.request()
        connection.send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
        connection.wait_for_end()


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
        connection.wait_for_end()


class _NeverWhole(Attack):
    """A message that does not end, while something is always coming."""

    promised = "closed by message_timeout"
    options = ("-ORBMessageTimeout", "300", "-ORBMessageTimeoutPerMib", "0")
    seconds = 1
    longest = 0.0

    def until_closed(self, begin, pieces):
        """begin, then a piece every 20 ms."""
        with self.peer() as peer:
            begun = time.monotonic()
            peer.send(begin)
            for piece in pieces:
                if peer.ended or not peer.send(piece):
                    break
                peer.poll()
                pause(0.02)
                if time.monotonic() - begun > MOST_OPEN_SECONDS:
                    raise NotHeld(f"the connection is still open after {MOST_OPEN_SECONDS} s")
            self.note("closed")
            self.longest = max(self.longest, time.monotonic() - begun)

    def unfinished(self):
        return first_fragment(self.target.key, "take_octets", bytes(8), 1)

    def finish(self):
        self.note(f"after at most {self.longest:.1f} s")


class CancelsBesideReassembly(_NeverWhole):
    """A message in fragments that does not end, beside it a stream of CancelRequests; message_timeout is short."""
    micro = False

    def lap(self):
        self.until_closed(self.unfinished(), itertools.repeat(cancel(999_999) * 20))


class CallsBesideReassembly(_NeverWhole):
    """The same with good calls beside the message that does not end, and with fragments of it a byte each."""
    micro = False

    def lap(self):
        for others in (request(self.target.key, "echo", Cdr().string("x")), fragment(1, b"x", True)):
            self.until_closed(self.unfinished(), itertools.repeat(others))


class TrickledRequests(_NeverWhole):
    """A request a byte at a time, so that something has always just come; message_timeout is short."""
    micro = False

    def lap(self):
        whole = request(self.target.key, "echo", Cdr().string("x" * 2000))
        self.until_closed(b"", (bytes((byte,)) for byte in whole))


class CancelsBehindReassembly(Attack):
    """CancelRequests behind a reassembly of 15 MB, against as many behind one of a few bytes; in GIOP 1.2 and 1.1, whose
    fragments have no ids."""

    promised = "cost by number, not by size"

    def lap(self):
        for version in ((1, 2), (1, 1)):
            small, large = self._cpu_ms(b"", version), self._cpu_ms(bytes(15 << 20), version)
            if large > 3 * small + 100:
                raise NotHeld(f"GIOP 1.{version[1]}: {large:.0f} ms behind a large reassembly, {small:.0f} behind a small one")
            self.note("pairs compared")

    def _cpu_ms(self, body, version):
        with self.peer() as peer:
            peer.send(first_fragment(self.target.key, "take_octets", bytes(8), 1, version=version))
            for begin in range(0, len(body), 1 << 18):
                peer.send(fragment(1, body[begin:begin + (1 << 18)], True, version=version))
            usage = Usage(self.target.pid)
            before = usage.cpu_ms()
            peer.send(b"".join(cancel(number, version) for number in range(100, 20_100)))
            peer.send(request(self.target.key, "notes", version=version))
            peer.message()
            return usage.cpu_ms() - before


class IdleForEver(Attack):
    """Connections that say nothing, that made one call, and that claim to be bidirectional, which the victim does not allow;
    idle_timeout is short."""

    promised = "closed by idle_timeout"
    options = ("-ORBIdleTimeout", "300")
    seconds = 1

    def lap(self):
        writer = giop.Writer((1, 2), True).put("I", 5).put("B", 3).raw(bytes(3))
        writer.put("H", 0).octets(self.target.key).string("notes").put("I", 1)
        points = Cdr().put("B", 1).ulong(1).string("10.0.0.1").put("H", 9)
        writer.put("I", 5).octets(bytes(points))  # BI_DIR_IIOP
        first = {"silent": b"", "one call": request(self.target.key, "notes"),
                 "bidirectional": writer.message(giop.REQUEST).raw()}
        peers = {name: self.peer() for name in first}
        for name, peer in peers.items():
            if first[name]:
                peer.send(first[name])
                self.expect(answer(peer.message()), "ok")
        for name, peer in peers.items():
            peer.until_closed(MOST_OPEN_SECONDS)
            peer.close()
            self.note(f"{name} closed")


class IdleBidirectional(IdleForEver):
    """The same where the victim allows bidirectional connections, and claims that it does not believe: these do not last longer than
    others. Ten minutes are what those that it believes have."""
    micro = False

    promised = "closed by idle_timeout, if not believed"
    options = ("-ORBIdleTimeout", "300", "-ORBBidirectional", "both", "-ORBBidirectionalIdleTimeout", "600000")


class IdleAndBelieved(Attack):
    """Clients that claim their own addresses, which the victim believes, and then say nothing: more than half of the connections that
    the victim may have."""
    micro = False

    promised = "idle_timeout beyond half of max_connections"
    options = ("-ORBIdleTimeout", "300", "-ORBBidirectional", "both", "-ORBMaxConnections", "40")
    seconds = 1
    _MOST = 20

    def lap(self):
        crowd = []
        for number in range(1, 31):
            peer = self.peer(number)
            peer.send(self._claim(number))
            self.expect(answer(peer.message()), "ok")
            crowd.append(peer)
        end = time.monotonic() + MOST_OPEN_SECONDS
        while sum(not peer.ended for peer in crowd) > self._MOST:
            if time.monotonic() > end:
                raise NotHeld(f"{sum(not peer.ended for peer in crowd)} connections are still open after {MOST_OPEN_SECONDS} s")
            pause(0.05)
            for peer in crowd:
                peer.poll()
        for peer in crowd:
            peer.close()
        self.note("laps")

    def _claim(self, number):
        writer = giop.Writer((1, 2), True).put("I", 5).put("B", 3).raw(bytes(3))
        writer.put("H", 0).octets(self.target.key).string("notes").put("I", 1)
        points = Cdr().put("B", 1).ulong(1).string(f"127.1.{number >> 8}.{number & 255}").put("H", 9)
        return writer.put("I", 5).octets(bytes(points)).message(giop.REQUEST).raw()  # BI_DIR_IIOP
