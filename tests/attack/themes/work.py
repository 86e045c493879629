# SPDX-License-Identifier: Apache-2.0
"""Messages that cost more work than they are long: TypeCodes that explode where plans are made of them, values that take
long to check."""
import struct

from attack.attack import Attack, NotHeld
from attack.cdr import (TK_ARRAY, TK_ENUM, TK_LONG, TK_OCTET, TK_SEQUENCE, TK_STRUCT, TK_UNION, Cdr,
                        struct_type)
from attack.themes.crashes import REFUSED, derived_value
from attack.usage import Usage

MILLISECONDS_PER_64_KIB = 50  # of the victim's processors, generously: the machine is shared, caches are cold
LEAST_MILLISECONDS = 100      # of a message, however short


class _Work(Attack):
    promised = f"<= {MILLISECONDS_PER_64_KIB} ms CPU per 64 KiB"
    seconds = 2

    def bombs(self):
        """(operation, body) each."""
        raise NotImplementedError

    def prepare(self):
        self._all = list(self.bombs())
        self._usage = Usage(self.target.pid)
        self._most = 0.0

    def lap(self):
        with self.peer() as peer:
            for operation, body in self._all:
                before = self._usage.cpu_ms()
                self.call(peer, operation, body, ("ok", *REFUSED), seconds=60)
                self._cost(len(body), self._usage.cpu_ms() - before)

    def _cost(self, size, milliseconds):
        """The good client's calls are in it, too."""
        allowed = LEAST_MILLISECONDS + MILLISECONDS_PER_64_KIB * size / 65536
        allowed *= 10 if self.target.preset == "asan" else 1
        if milliseconds > allowed:
            raise NotHeld(f"{size} bytes cost {milliseconds:.0f} ms of CPU")
        self._most = max(self._most, milliseconds)

    def finish(self):
        self.note(f"ms CPU at most for {max(len(body) for _, body in self._all) >> 10} KiB", int(self._most))


class EmptyArrays(_Work):
    """Arrays of arrays of empty structs, 8 kB of them, 2^31 elements each."""

    def bombs(self):
        for length in (2, 1000, 0x7fffffff, 0xffffffff):
            for depth in (1, 3, 60):
                yield "take_any", self._member(depth, length, 1)
            yield "take_any", self._member(2, length, 100)

    @staticmethod
    def _member(depth, length, members):
        def write(cdr):
            for _ in range(depth):
                frames.append(cdr.element_type(TK_ARRAY, length))
                frames[-1].__enter__()
            cdr.empty_struct()
            for _ in range(depth):
                frames.pop().__exit__(None, None, None)
        frames, body = [], Cdr()
        struct_type(body, [("m", write) for _ in range(members)])
        return bytes(body) + bytes(16)


class ManyEnclosed(_Work):
    """Structs within structs, each with hundreds of members that lead back to those around it: what holds what takes the
    cube of the length, done plainly."""

    def bombs(self):
        for depth, members in self.scaled(((3, 3000), (30, 300), (60, 150), (120, 70)), ((3, 1500), (30, 150), (120, 35))):
            body = Cdr()
            self._nest(body, [], depth, members)
            yield "take_any", bytes(body) + bytes(1 << 12)
            yield "take_type", bytes(body)

    def _nest(self, cdr, around, depth, members):
        around.append(cdr.mark())
        with cdr.complex_type(TK_STRUCT, f"IDL:N{depth}:1.0", "N"):
            cdr.ulong(members + (depth > 1))
            for i in range(members):
                cdr.string("m")
                with cdr.element_type(TK_SEQUENCE, 0):
                    cdr.indirection(around[i % len(around)])
            if depth > 1:
                cdr.string("n")
                self._nest(cdr, around, depth - 1, members)
        around.pop()


class ManyKinds(_Work):
    """Thousands of different types, and of equal ones written out again and again: comparing each with each takes the
    square."""

    def bombs(self):
        for different in (True, False):
            for count in self.scaled((100, 2000, 6000), (100, 1500)):
                body = Cdr()
                struct_type(body, [("m", lambda cdr, i=i: struct_type(
                    cdr, [("x", lambda c: c.ulong(TK_LONG)), ("y", lambda c: c.string_type(i if different else 0))],
                    f"IDL:K{i if different else 0}:1.0")) for i in range(count)])
                yield "take_any", bytes(body) + bytes(12 * count)
                yield "take_type", bytes(body)


class Doubling(_Work):
    """Forty structs, each with the one before twice: 2^40 members behind 4 kB; also in sequences and arrays."""

    def bombs(self):
        for depth in (4, 10, 20, 40, 60):
            yield "take_type", self._doubled(depth, None)
            yield "take_any", self._doubled(depth, None) + bytes(1 << 14)
            yield "take_any", self._doubled(depth, TK_SEQUENCE) + bytes(8)
            yield "take_any", self._doubled(depth, TK_SEQUENCE) + struct.pack("<I", 1) + bytes(1 << 12)
            yield "take_any", self._doubled(depth, TK_ARRAY) + bytes(1 << 14)

    @staticmethod
    def _doubled(depth, around):
        def double(cdr, left):
            if left == 0:
                cdr.ulong(TK_OCTET)
                return
            with cdr.complex_type(TK_STRUCT, f"IDL:D{left}:1.0", "D"):
                cdr.ulong(2).string("a")
                at = cdr.mark()
                double(cdr, left - 1)
                cdr.string("b")
                if left == 1:
                    cdr.ulong(TK_OCTET)
                else:
                    cdr.indirection(at)
        body = Cdr()
        if around is None:
            double(body, depth)
        else:
            with body.element_type(around, 0 if around == TK_SEQUENCE else 1 << 30):
                double(body, depth)
        return bytes(body)


class ManyAnys(_Work):
    """Thousands of anys in one message, each of a type of its own that no other has."""

    def bombs(self):
        for count in (100, 5000, self.scaled(20_000, 5000)):
            body = Cdr().ulong(count)
            for i in range(count):
                struct_type(body, [(f"m{i}", lambda cdr: cdr.ulong(TK_LONG))], f"IDL:A{i}:1.0", "A").ulong(i)
            yield "take_anys", bytes(body)


class ManyLabels(_Work):
    """Unions of thousands of cases, all with one label or each with its own, enums of thousands of names, all the same."""

    def bombs(self):
        for same in (True, False):
            for count in (100, 5000, self.scaled(20_000, 5000)):
                union = Cdr()
                with union.complex_type(TK_UNION, "IDL:U:1.0", "U"):
                    union.ulong(TK_LONG, 0xffffffff, count)
                    for i in range(count):
                        union.ulong(7 if same else i).string("c").ulong(TK_LONG)
                yield "take_any", bytes(union) + bytes(16)
                yield "take_type", bytes(union)
                enum = Cdr()
                with enum.complex_type(TK_ENUM, "IDL:E:1.0", "E"):
                    enum.ulong(count)
                    for i in range(count):
                        enum.string("n" if same else f"n{i}")
                yield "take_any", bytes(enum) + bytes(16)


class ManyBases(_Work):
    """Unknown values whose type has a hundred bases, with a member that leads back; thousands of them."""

    def bombs(self):
        for bases in (1, 60, 100, 126):
            body = Cdr()
            derived_value(body, bases, body.mark())
            count = 2000
            yield "take_any", bytes(body) + (b"\x00\xff\xff\x7f" + bytes(4 * bases)) * count + bytes(8)


class LeavesAtOnce(_Work):
    """The bombs of this theme, whose sender leaves without waiting for the answer."""

    promised = "no CPU after the attacker left"

    def prepare(self):
        self._all = [bomb for kind in (EmptyArrays, ManyEnclosed, ManyKinds, Doubling, ManyAnys, ManyLabels)
                     for bomb in kind(self.target, True).bombs()][::self.scaled(1, 3)]

    def lap(self):
        for operation, body in self._all:
            peer = self.peer()
            peer.send_request(self.target.key, operation, body)
            peer.close()
            self.note("sent")

    def finish(self):
        pass


class WorkSmallStack(_Work):
    """The bombs of this theme, to a victim at ulimit -s 256: what makes a plan of a TypeCode must need no more stack than what reads
    the TypeCode."""

    promised = "a fault, at ulimit -s 256 too"
    stack_kib = 256
    skipped_under = ("asan", "tsan")

    def bombs(self):
        for kind in (EmptyArrays, ManyEnclosed, ManyKinds, Doubling, ManyAnys, ManyLabels, ManyBases):
            yield from kind(self.target, True).bombs()
