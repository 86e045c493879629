# SPDX-License-Identifier: Apache-2.0
"""Real-time servers: priorities that are lies, and lanes that are held up."""
import itertools
import struct

from attack.attack import Attack
from attack.cdr import Cdr
from attack.crowd import Crowd
from attack.peer import answer, header, request
from harness import giop

MIB = 1 << 20
_PRIORITY = 10  # IOP::RTCorbaPriority
_REFUSED = ("BAD_PARAM", "MARSHAL", "IMP_LIMIT", "NO_RESOURCES", "TRANSIENT", "error", "close")


def _priority(value, little=True):
    return (_PRIORITY, struct.pack("<BxH" if little else ">BxH", int(little), value & 0xffff))


class _OnLanes(Attack):
    models = ("lanes",)

    @property
    def low(self):
        return self.target.others["low"]


class Priorities(_OnLanes):
    """Requests that say any priority: all numbers, in both byte orders, at all addresses, as two-way and as one-way calls."""

    promised = "executed, forwarded or refused"

    def prepare(self):
        self._values = itertools.cycle(range(-32768, 32768, self.scaled(13, 997)))

    def lap(self):
        text = Cdr().string("x")
        object_ = self.target.others["propagated"]
        for address in {(object_.host, object_.port), (self.low.host, self.low.port), self.target.address}:
            with self.peer(1, address) as peer:
                for value in itertools.islice(self._values, 100):
                    context = (_priority(value, bool(value & 1)),)
                    peer.send(request(object_.object_key, "note", text, expected=False, contexts=context))
                    word = peer.call(object_.object_key, "echo", text, contexts=context)
                    self.expect(word, "ok", "forward", *(_REFUSED if value < 0 else ()))


class MalformedPriorities(_OnLanes):
    """Priorities that are no encapsulation of a short, too large, and thousands of them in one request."""

    promised = "a fault, or the default"

    def lap(self):
        object_ = self.target.others["propagated"]
        bodies = (b"", b"\1", b"\1\0", b"\1\0\1", b"\2\0\0\0", b"\xff" * 4, b"\1\0\5\0" + bytes(100_000))
        lists = [[(_PRIORITY, body)] for body in bodies]
        lists += [[_priority(7), _priority(8)], [_priority(n) for n in range(5000)], [(_PRIORITY, b"")] * 5000]
        for contexts in lists:
            for key, address in ((object_.object_key, (object_.host, object_.port)), (self.target.key, self.target.address)):
                with self.peer(1, address) as peer:
                    self.expect(peer.call(key, "echo", Cdr().string("x"), contexts=contexts), "ok", "forward", *_REFUSED)


class WrongLane(_OnLanes):
    """Requests for the object of one lane at the other lane's address, and for adapters and objects that do not exist."""

    promised = "forwarded, or refused"

    def lap(self):
        text = Cdr().string("x")
        for key, address in ((self.low.object_key, self.target.address), (self.target.key, (self.low.host, self.low.port))):
            with self.peer(1, address) as peer:
                self.expect(peer.call(key, "echo", text), "ok", "forward")
                peer.send(giop.locate_request((1, 2), True, 3, key).raw())
                self.expect(answer(peer.message()), "located")
                for end in range(1, len(key)):
                    self.expect(peer.call(key[:end], "echo", text), "OBJECT_NOT_EXIST", "OBJ_ADAPTER", *_REFUSED)
                peer.send(request(key, "note", text, expected=False) * 500)
                self.expect(peer.call(key, "echo", text), "ok", "forward")


class _LaneHeldUp(_OnLanes):
    """Connections at the lower lane, which has two threads. Both lanes go on."""

    promised = "other lanes unharmed, this one goes on"
    words = ("ok",)

    @property
    def held_up(self):
        return self.low

    def join_all(self):
        raise NotImplementedError

    def prepare(self):
        self._address = (self.held_up.host, self.held_up.port)
        self.crowd = Crowd(self._address, per_source=200)
        self.join_all()
        self.crowd.drive(0.5)

    def lap(self):
        self.crowd.drive(0.2)
        with self.peer(200, self._address) as peer:  # 127.1.0.200: none of the crowd's
            self.expect(peer.call(self.held_up.object_key, "echo", Cdr().string("x")), *self.words)


class IdleInLane(_LaneHeldUp):
    """300 connections that have made a call, and say nothing more."""

    def join_all(self):
        for _ in range(self.scaled(300, 100)):
            self.crowd.join(request(self.low.object_key, "echo", Cdr().string("x")))


class HalfMessagesInLane(_LaneHeldUp):
    """300 connections that have begun a message."""

    def join_all(self):
        for number in range(self.scaled(300, 100)):
            self.crowd.join(header(1000) if number % 2 else b"GIO")


class FloodLane(_LaneHeldUp):
    """Ten connections that send one-way and two-way calls as fast as they can."""

    def join_all(self):
        text = Cdr().string("x")
        stream = (request(self.held_up.object_key, "note", text, expected=False)
                  + request(self.held_up.object_key, "echo", text)) * 250
        for _ in range(10):
            self.crowd.join(stream, 1 << 20)


class LargeInLane(_LaneHeldUp):
    """60 connections that send requests of a megabyte."""

    def join_all(self):
        call = request(self.held_up.object_key, "take_octets", Cdr().octets(bytes(MIB)))
        for _ in range(self.scaled(60, 20)):
            self.crowd.join(call, len(call))


class LargeInBuffer(LargeInLane):
    """60 connections that send requests of a megabyte to a lane whose buffer has room for four."""

    promised = "refused beyond the buffer, others unharmed"
    words = ("ok", "TRANSIENT")

    @property
    def held_up(self):
        return self.target.others["buffered"]


class FloodBuffer(FloodLane):
    """Ten connections that send calls as fast as they can to a lane whose buffer has room for 256."""

    promised = "refused beyond the buffer, others unharmed"
    words = ("ok", "TRANSIENT")

    @property
    def held_up(self):
        return self.target.others["buffered"]
