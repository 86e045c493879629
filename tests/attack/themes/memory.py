# SPDX-License-Identifier: Apache-2.0
"""Many peers that each have a victim hold something for them, and floods."""
import os
import struct
import time

from attack.attack import Attack, NotHeld, pause
from attack.cdr import Cdr
from attack.crowd import Crowd, many_descriptors
from attack.peer import answer, cancel, first_fragment, fragment, header, request
from attack.themes.crashes import REFUSED
from attack.usage import Usage
from harness import giop

MIB = 1 << 20


class _Crowded(Attack):
    def join_all(self):
        raise NotImplementedError

    def prepare(self):
        self.crowd = Crowd(self.target.address)
        self.join_all()

    def lap(self):
        self.crowd.drive(0.2)

    def finish(self):
        self.note("connections open", self.crowd.open)
        self.note("closed by the victim", self.crowd.closed)
        if self.crowd.refused:
            self.note("not taken in", self.crowd.refused)
        self.note("MB sent", sum(member.sent for member in self.crowd.members) // 1_000_000)
        self.note("MB received", sum(member.received for member in self.crowd.members) // 1_000_000)


class _Unfinished(_Crowded):
    """More than the victim may hold; so somebody is cut off."""

    promised = "<= 256 MB, others served"
    seconds = 6
    _FILL_SECONDS = 5.0

    def lap(self):
        end = time.monotonic() + self._FILL_SECONDS
        super().lap()
        while not self.crowd.closed and time.monotonic() < end:
            super().lap()
        if not self.crowd.closed:
            raise NotHeld("nobody has been cut off")


class UnfinishedMessages(_Unfinished):
    """250 connections, each with a message of 16 MiB whose last bytes do not come."""

    def join_all(self):
        body = bytes(15 * MIB)
        self._message = header(16 * MIB - 64) + request(self.target.key, "take_octets", b"")[12:] + body
        for _ in range(self.scaled(250, 100)):
            self.crowd.join(self._message)


class UnfinishedFragments(_Unfinished):
    """100 connections, each with 16 messages in fragments of which the last does not come."""

    def join_all(self):
        piece = bytes(256 << 10)
        stream = b"".join(first_fragment(self.target.key, "take_octets", struct.pack("<I", 8 * MIB), number)
                          for number in range(2, 18))
        stream += b"".join(fragment(number, piece, True) for _ in range(3) for number in range(2, 18))
        for _ in range(self.scaled(100, 50)):
            self.crowd.join(stream)


class _Unread(_Crowded):
    """A lap lasts as long as the victim's memory grows, and not for ever."""

    promised = "<= 256 MB, others served"
    seconds = 6
    _MOST_DRIVES = 20

    def lap(self):
        usage, before, still = Usage(self.target.pid), 0.0, 0
        for _ in range(self._MOST_DRIVES):
            super().lap()
            now = usage.resident_mb()
            still = still + 1 if now < before + 2 else 0
            before = max(now, before)
            if still == 2:
                break


class NeverReading(_Unread):
    """200 clients that call for replies of a megabyte, sixty each, and read none of them. In the short form a quarter of that: what
    the victim's servants make is not callis's, and on a busy machine the pool may have very many threads that do."""

    def join_all(self):
        call = request(self.target.key, "produce", struct.pack("<I", self.scaled(MIB, MIB // 4)))
        for _ in range(self.scaled(200, 120)):
            self.crowd.join(call, 60, most_read=0)


class NeverReadingSmall(_Unread):
    """200 clients that make small calls as fast as they can, and read no reply."""

    def join_all(self):
        call = request(self.target.key, "produce", struct.pack("<I", 1000))
        for _ in range(self.scaled(200, 120)):
            self.crowd.join(call * 100, 1000, most_read=0)


class SlowLoris(_Crowded):
    """1,000 connections that send a header one byte a second."""

    promised = "memory flat, others served"
    seconds = 5

    def join_all(self):
        for _ in range(self.scaled(1000, 200)):
            self.crowd.join(b"G")
        self._header = header(1000)
        self._at = 1

    def lap(self):
        self.crowd.drive(self.scaled(1.0, 0.2))
        for member in self.crowd.members:
            if member.closed_after is None and not member.sending:
                member.add(self._header[self._at:self._at + 1])
        self._at = min(self._at + 1, 10)


class HugeHeaders(Attack):
    """1,000 headers that claim a message of 4 GiB - 1, on a connection each."""

    promised = "MessageError or an end, memory flat"

    def lap(self):
        crowd = []
        for number in range(self.scaled(1000, 200)):
            peer = self.peer(1 + number // 200)
            peer.send(header(0xffffffff, flags=number & 1) + bytes(100))
            crowd.append(peer)
        for peer in crowd:
            self.expect(answer(peer.message()), "error", "close")
            peer.close()


class _Flood(_Crowded):
    """Good messages as fast as they go, from ten connections."""

    promised = "memory flat, others served"

    def stream(self):
        raise NotImplementedError

    def join_all(self):
        data = self.stream()
        for _ in range(10):
            self.crowd.join(data, 1 << 20)


class FloodOneways(_Flood):
    """One-way calls as fast as ten connections send them."""

    def stream(self):
        return request(self.target.key, "note", Cdr().string("x"), expected=False) * 500


class FloodLocates(_Flood):
    """LocateRequests, of objects that exist and others."""

    def stream(self):
        return b"".join(giop.locate_request((1, 2), True, number, self.target.key + b"x" * (number & 1)).raw()
                        for number in range(500))


class FloodCancelled(_Flood):
    """Calls, each cancelled at once."""

    def stream(self):
        call = Cdr().string("x")
        return b"".join(request(self.target.key, "echo", call, request_id=number) + cancel(number) for number in range(500))


class FloodBigCancelled(_Flood):
    """Calls for a megabyte, each cancelled at once."""

    def stream(self):
        return b"".join(request(self.target.key, "produce", struct.pack("<I", MIB), request_id=number) + cancel(number)
                        for number in range(500))


class Mixture(_Crowded):
    """All at once: 1,000 connections that send a header one byte a second, 100 that call for replies of a megabyte and read a
    kilobyte of them a second, 10 that flood with one-way calls, LocateRequests and cancelled calls."""

    promised = "<= 256 MB, others served, gone in time"
    seconds = 28
    _MOST_OPEN_SECONDS = 25  # message_timeout, and 15 s more

    def join_all(self):
        for _ in range(self.scaled(1000, 100)):
            self.crowd.join(b"G")
        self._slow, self._header = list(self.crowd.members), header(1000)
        call = request(self.target.key, "produce", struct.pack("<I", MIB))
        self._readers = [self.crowd.join(call, 60, most_read=0) for _ in range(self.scaled(100, 10))]
        floods = [kind(self.target, self.is_short).stream() for kind in (FloodOneways, FloodLocates, FloodCancelled)]
        for number in range(10):
            self.crowd.join(floods[number % len(floods)], 1 << 20)
        self._begun, self._at = time.monotonic(), 1

    def lap(self):
        for member in self._readers:
            member.most_read = 1000 // 5
        self.crowd.drive(0.01)
        for member in self._readers:
            member.most_read = 0
        self.crowd.drive(0.2)
        seconds = int(time.monotonic() - self._begun)
        if self._at <= seconds and self._at < len(self._header):
            for member in self._slow:
                if not member.sending:
                    member.add(self._header[self._at:self._at + 1])
            self._at += 1
        still = sum(member.closed_after is None for member in self._slow)
        if seconds > self._MOST_OPEN_SECONDS and still:
            raise NotHeld(f"{still} connections with half a header are open after {seconds} s")


class FloodConnections(Attack):
    """Connections that come, say a word or nothing, and go: hundreds a second, by closing and by reset."""

    promised = "memory flat, others served"

    def lap(self):
        for number in range(50):
            peer = self.peer(1 + number % 4)
            if number % 3 == 0:
                peer.send(b"GIOP"[:number % 5])
            if number % 3 == 1:
                peer.send(request(self.target.key, "echo", Cdr().string("x")))
            if number % 2 == 0:
                peer.reset()
            peer.close()
            self.note("connections")


class OrphanFragments(Attack):
    """Fragments of messages that nobody began, fragments without bytes for ever, and one byte each for ever."""

    promised = "an end within max_fragments"

    def lap(self):
        key = self.target.key
        streams = (("orphans", b"".join(fragment(number, b"12345678", True) for number in range(5000)), b""),
                   ("empty", first_fragment(key, "take_octets", bytes(8), 9), fragment(9, b"", True) * 40000),
                   ("a byte", first_fragment(key, "take_octets", bytes(8), 9), fragment(9, b"x", True) * 40000),
                   ("other order", first_fragment(key, "take_octets", bytes(8), 9), fragment(9, bytes(8), False, False)),
                   ("many begun", b"".join(first_fragment(key, "take_octets", bytes(8), n) for n in range(100)), b""))
        for name, begin, rest in streams:
            with self.peer() as peer:
                peer.send(begin + rest)
                peer.half_close()
                for message in peer.until_closed():
                    self.expect(answer(message), "error", "close", *REFUSED, "COMM_FAILURE", "TRANSIENT")
            self.note(f"{name} ended")


class SmallBehindLarge(Attack):
    """Connections that each send one request of many megabytes, wait for its answer, and then make small calls and stay open. The
    small calls must cost what they cost on a new connection, and what the large request took must not stay on the account of its
    connection: else the victim, which may hold 128 MiB for all, cuts somebody off."""

    promised = "small calls cost as on new connections"
    seconds = 1
    _CALLS = 200  # of a connection
    _LARGE = 15 * MIB

    def prepare(self):
        large = request(self.target.key, "take_octets", struct.pack("<I", self._LARGE) + bytes(self._LARGE))
        fresh, self._used = [], []
        for number in range(self.scaled(24, 12)):
            fresh.append(self.peer(1 + number % 2))
            self._used.append(self.peer(1 + number % 2))
            self._small(self._used[-1])  # its header is known then
            self._used[-1].send(large)
            self.expect(answer(self._used[-1].message()), "ok")
        self._fresh = fresh
        self._most = 0.0

    def lap(self):
        """By number of pages that the kernel provides, which other programs do not change."""
        fresh, used = self._faults(self._fresh), self._faults(self._used)
        self._most = max(self._most, used)
        if used > 2 * fresh + 0.5:
            raise NotHeld(f"{used:.2f} page faults a small call behind a large request, {fresh:.2f} on a new connection")

    def _faults(self, peers):
        usage = Usage(self.target.pid)
        before = usage.page_faults()
        for peer in peers:
            for _ in range(self._CALLS):
                self._small(peer)
        return (usage.page_faults() - before) / len(peers) / self._CALLS

    def _small(self, peer):
        self.call(peer, "take_octets", struct.pack("<I", 8) + bytes(8))

    def finish(self):
        for peer in self._used:
            self._small(peer)
        self.seen = {"small calls": self.seen["ok"], f"page faults a call at most {self._most:.2f}": 1}


class KeysAcrossFragments(Attack):
    """Requests of GIOP 1.1 whose object key, a megabyte, lies across two fragments, so that the victim must join its parts; each on
    a connection of its own that stays open, and says nothing more."""
    micro = False

    promised = "memory flat"
    seconds = 1
    _KEY = MIB
    _VERSION = (1, 1)

    def prepare(self):
        whole = giop.request(self._VERSION, True, 5, b"k" * self._KEY, "notes")
        half = self._KEY // 2
        begin = giop.Message(whole.version, whole.flags | 2, whole.kind, whole.body[:half]).raw()
        self._bytes = begin + fragment(0, whole.body[half:], False, version=self._VERSION)
        self._usage = Usage(self.target.pid)
        self._before = self._usage.resident_mb()
        self._peers = []
        many_descriptors()
        for number in range(self.scaled(400, 100)):
            self._peers.append(self.peer(1 + number // 100))
            self._ask(self._peers[-1])

    def lap(self):
        for peer in self._peers[::self.scaled(10, 20)]:
            self._ask(peer)

    def _ask(self, peer):
        peer.send(self._bytes)
        self.expect(answer(peer.message()), "OBJECT_NOT_EXIST")

    def finish(self):
        """What came in is kept for a second, for more like it; what has been copied must not stay."""
        end, most = time.monotonic() + 5, len(self._peers) * self._KEY / MIB * 0.75
        while (stays := self._usage.resident_mb() - self._before) > most:
            if time.monotonic() > end:
                raise NotHeld(f"{stays:.0f} MB stay for {len(self._peers)} idle connections")
            pause(0.1)
        self.note(f"MB for {len(self._peers)} idle connections", int(stays))


class RandomKeys(Attack):
    """Calls to a hundred thousand and more random object keys, by calls and by LocateRequests."""

    promised = "OBJECT_NOT_EXIST, memory flat"

    def lap(self):
        with self.peer() as peer:
            for _ in range(20):
                keys = [self._key() for _ in range(100)]
                peer.send(b"".join(request(key, "echo", Cdr().string("x")) for key in keys))
                for _ in keys:
                    self.expect(answer(peer.message()), "OBJECT_NOT_EXIST")
            peer.send(b"".join(giop.locate_request((1, 2), True, number, self._key()).raw() for number in range(100)))
            for _ in range(100):
                message = peer.message()
                if giop.Reader(message).rest()[4:8] != b"\0\0\0\0":
                    raise NotHeld("a LocateRequest of a random key was answered by another status than UNKNOWN_OBJECT")

    def _key(self):
        """Half of them begin as good ones do."""
        rest = os.urandom(1 + os.urandom(1)[0] % 40)
        return self.target.key[:len(self.target.key) // 2] + rest if rest[0] & 1 else rest


class Masses(Attack):
    """Service contexts, profiles and components by the hundred thousand, and of every claimed size."""

    promised = "refused beyond the limits"

    def lap(self):
        for count in (1, 63, 64, 65, 1000, 100_000):
            self._contexts(count, count, 8)
        self._contexts(0xffffffff, 10, 8)
        self._contexts(1, 1, 65536)
        self._contexts(1, 1, 65537)
        for profiles in (1, 64, 65, 100_000):
            with self.peer() as peer:
                body = Cdr().string("IDL:X:1.0").ulong(profiles)
                for _ in range(profiles):
                    body.ulong(99).octets(b"1234")
                self.expect(peer.call(self.target.key, "take_object", body), "ok", "close", "error", *REFUSED)
        for claimed in (0xffffffff, 0x7fffffff, 1000):
            with self.peer() as peer:
                body = Cdr().string("IDL:X:1.0").ulong(claimed).ulong(0, 0)
                self.expect(peer.call(self.target.key, "take_object", body), "close", "error", *REFUSED)

    def _contexts(self, claimed, present, size):
        writer = giop.Writer((1, 2), True).put("I", 5).put("B", 3).raw(bytes(3))
        writer.put("H", 0).octets(self.target.key).string("notes").put("I", claimed)
        for number in range(present):
            writer.put("I", 0x54414f00 + number % 7).octets(bytes(size))
        with self.peer() as peer:
            peer.send(writer.message(giop.REQUEST).raw())
            good = claimed == present <= 64 and size <= 65536
            self.expect(answer(peer.message()), *(("ok",) if good else ("error", "close", *REFUSED)))
