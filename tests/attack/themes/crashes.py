# SPDX-License-Identifier: Apache-2.0
"""Messages that ended servers: each must be a fault of its own call, and nothing more."""
import random
import struct

from attack.attack import Attack, NotHeld
from attack.cdr import (TK_ANY, TK_ARRAY, TK_FIXED, TK_LONG, TK_NULL, TK_SEQUENCE, TK_STRUCT, TK_TYPECODE, TK_UNION,
                        TK_VALUE, TK_VALUE_BOX, VALUE_PLAIN, VALUE_WITH_ID, Cdr, nested, struct_type)
from attack.peer import result_ulong
from harness import giop

REFUSED = ("MARSHAL", "BAD_TYPECODE", "BAD_PARAM", "IMP_LIMIT", "NO_RESOURCES", "NO_MEMORY")
NODE_ID = "IDL:Attack/Node:1.0"


def fixed_octets(digits, number):
    """A fixed on the wire: its digits, two an octet, and the sign."""
    text = str(abs(number)).rjust(digits + (digits + 1) % 2, "0") + ("d" if number < 0 else "c")
    return bytes.fromhex(text)


class SmallFixed(Attack):
    """fixed values with fewer digits than places, such as 0.000, to an operation that rounds, truncates and divides them;
    and fixed in anys with digits and scales of every kind."""

    promised = "right results, odd scales refused"

    def lap(self):
        with self.peer() as peer:
            for one in (0, 1, 12, -1, -12, 999, 1000, 999999999, random.randrange(10**9)):
                for other in (0, 1, -1, 10**31 - 1, random.randrange(10**31)):
                    self.call(peer, "take_prices", fixed_octets(9, one) + fixed_octets(31, other),
                              ("ok",) if abs(other) > 10**6 or not other or not one else ("ok", "DATA_CONVERSION"))
            for digits, scale in ((0, 0), (1, 1), (1, 31), (5, -3), (31, 31), (31, -32768), (32, 0), (9, 32767),
                                  (65535, 0), (65535, 32767)):
                body = Cdr().ulong(TK_FIXED).put("H", digits).put("h", scale).raw(fixed_octets(min(digits, 200), 0))
                self.call(peer, "pass_any", body, ("ok", *REFUSED))


class HollowTypes(Attack):
    """Types without items, alone and in arrays, sequences, structs and exceptions, in anys and in declared parameters:
    layouts of no bytes, divisions by zero."""

    promised = "right values; counts refused"

    def lap(self):
        with self.peer() as peer:
            for make in (self._array, self._in_the_middle, self._first, self._alone, self._array_of_arrays):
                for count in (0, 1, 3, 1000):
                    self._round_trip(peer, make, count)
                self.call(peer, "take_any", self._any(make, 0xffffffff), REFUSED)
            for count, items in ((3, 3), (0xffffffff, 3), (0x40000000, 1)):
                body = Cdr().ulong(count)
                for item in range(items):
                    body.ulong(item, item)
                self.call(peer, "take_hollows", body, ("ok",) if count == items else REFUSED)

    @staticmethod
    def _empty_array(length=2):
        def write(cdr):
            with cdr.element_type(TK_ARRAY, length):
                cdr.empty_struct()
        return write

    def _array(self, cdr):
        struct_type(cdr, [("a", lambda c: c.ulong(TK_LONG)), ("e", self._empty_array())])
        return 1

    def _in_the_middle(self, cdr):
        struct_type(cdr, [("a", lambda c: c.ulong(TK_LONG)), ("e", self._empty_array()), ("b", lambda c: c.ulong(TK_LONG))])
        return 2

    def _first(self, cdr):
        struct_type(cdr, [("e", self._empty_array(1000)), ("b", lambda c: c.ulong(TK_LONG))])
        return 1

    @staticmethod
    def _alone(cdr):
        cdr.empty_struct()
        return 0

    def _array_of_arrays(self, cdr):
        with cdr.element_type(TK_ARRAY, 0x7fffffff):
            with cdr.element_type(TK_ARRAY, 0x7fffffff):
                self._empty_array()(cdr)
        return 0

    @staticmethod
    def _any(make, count, values=1):
        """sequence<make's type> with count elements claimed, and that many present, as long as they have items."""
        body = Cdr()
        with body.element_type(TK_SEQUENCE, 0):
            longs = make(body)
        body.ulong(count)
        for i in range(longs * min(count, 1000) * values):
            body.ulong(i * 7919)
        return body

    def _round_trip(self, peer, make, count):
        body = bytes(self._any(make, count))
        peer.send(giop.request((1, 2), True, 77, self.target.key, "pass_any", lambda w: w.raw(body)).raw())
        message = peer.message()
        status, reader = giop.read_reply(message)[1:] if message else (None, None)
        if status == giop.SYSTEM_EXCEPTION:
            self.expect(reader.string().split("/")[-1].split(":")[0], *REFUSED)
        elif status != giop.NO_EXCEPTION:
            raise NotHeld(f"pass_any ended with status {status}")
        elif count > 0 and make in (self._array, self._in_the_middle) and reader.rest()[-4 * count:] != body[-4 * count:]:
            raise NotHeld(f"another value came back of {make.__name__}")
        else:
            self.note("ok")


class _Bombs(Attack):
    promised = "a fault, no stack used up"

    def bombs(self):
        """(operation, body) each."""
        raise NotImplementedError

    def prepare(self):
        self._all = list(self.bombs())

    def lap(self):
        with self.peer() as peer:
            for operation, body in self._all:
                self.call(peer, operation, body, ("ok", *REFUSED))


def union_type(cdr, depth, innermost):
    """Unions of one case each, so many of them one within the other; innermost writes what is in the last."""
    if depth == 0:
        innermost(cdr)
        return
    with cdr.complex_type(TK_UNION):
        cdr.ulong(TK_LONG, 0xffffffff, 1, 0).string("")
        union_type(cdr, depth - 1, innermost)


class DeepUnions(_Bombs):
    """An unknown valuetype in an any, whose only member is a hundred unions deep and leads to the valuetype again: a
    thousand values, a hundred thousand unions."""

    def bombs(self):
        for unions in (1, 10, 60, 100, 114, 120):
            for values in (1, 10, 100, 999, 1000, 1001, 5000):
                yield "take_any", self._body(unions, values)
            yield "pass_any", self._body(unions, 60 // unions)
            yield "pass_any", self._body(unions, 5000)

    @staticmethod
    def _body(unions, values):
        body = Cdr()
        start = body.mark()
        with body.complex_type(TK_VALUE, "IDL:Unknown/V:1.0", "V"):
            body.put("h", 0).ulong(TK_NULL, 1).string("m")
            union_type(body, unions, lambda cdr: cdr.indirection(start))
            body.put("h", 1)
        for _ in range(values):
            body.ulong(VALUE_PLAIN).raw(bytes(4 * unions))
        return body.ulong(0)


class DeepValues(_Bombs):
    """Values that each lead to the next, through the left member or the right, in sequences, to hundreds of thousands."""

    def bombs(self):
        for depth in (10, 999, 1000, 1001, 100_000, 400_000):
            tag = bytes(Cdr().ulong(VALUE_WITH_ID).string(NODE_ID))
            left = tag + struct.pack("<I", VALUE_PLAIN) * (depth - 1)
            yield "take_value", left + bytes(4 * (depth + 1))
            right = tag + struct.pack("<II", 0, VALUE_PLAIN) * (depth - 1) + bytes(8)
            yield "take_value", right
            yield "take_nodes", struct.pack("<I", 1) + struct.pack("<II", VALUE_PLAIN, 0) * depth + bytes(4)
            yield "pass_nodes", struct.pack("<I", 1) + struct.pack("<II", VALUE_PLAIN, 0) * depth + bytes(4)


class NestedAnys(_Bombs):
    """Anys in anys, TypeCodes in anys in anys, to a depth of half a million."""

    def bombs(self):
        for depth in (1, 62, 63, 64, 65, 1000, 100_000, 500_000):
            yield "take_any", struct.pack("<I", TK_ANY) * depth + bytes(4)
            yield "take_any", struct.pack("<I", TK_TYPECODE) * depth + bytes(4)
            sequence = bytes(Cdr().ulong(TK_SEQUENCE, 12, 1, TK_ANY, 0, 1))
            yield "take_any", sequence * min(depth, 100_000) + bytes(4)


class NestedTypeCodes(_Bombs):
    """TypeCodes of sequences, arrays, structs and aliases within each other, also with lengths that lie."""

    def bombs(self):
        for kind, length in ((TK_SEQUENCE, 0), (TK_ARRAY, 1), (TK_ARRAY, 0xffffffff)):
            for depth in (1, 63, 64, 65, 126, 127, 128, 129, 1000, 20_000):
                body = nested(kind, depth, struct.pack("<I", TK_LONG), length)
                yield "take_type", body
                yield "take_any", body + bytes(64)
                yield "take_any", struct.pack("<I", TK_TYPECODE) + body
        for lie in (0, 3, 4, 0x7fffffff, 0xfffffffc, 0xffffffff):
            yield "take_type", struct.pack("<III", TK_SEQUENCE, lie, 1) * 10_000
            yield "take_any", struct.pack("<III", TK_STRUCT, lie, 1) * 10_000


class RecursiveTypes(_Bombs):
    """Declared structs and unions that hold sequences of themselves, as deep as a message can say."""

    def bombs(self):
        for depth in (1, 62, 63, 64, 65, 1000, 1_000_000):
            yield "take_tree", struct.pack("<I", 1) * depth + bytes(4)
            yield "take_either", struct.pack("<II", 1, 1) * min(depth, 500_000) + bytes(8)
        body = Cdr()
        start = body.mark()
        with body.complex_type(TK_STRUCT, "IDL:R:1.0", "R"):
            body.ulong(1).string("m")
            with body.element_type(TK_SEQUENCE, 0):
                body.indirection(start)
        for depth in (1, 62, 63, 64, 65, 1000, 1_000_000):
            yield "take_any", bytes(body) + struct.pack("<I", 1) * depth + bytes(4)


def _box_type(cdr, content):
    """A box that nobody knows."""
    start = cdr.mark()
    with cdr.complex_type(TK_VALUE_BOX, "IDL:Unknown/B:1.0", "B"):
        content(cdr, start)


class DeepBoxes(_Bombs):
    """Boxes that nobody knows in anys: of themselves, of sequences and of unions of themselves, a hundred thousand deep."""

    def bombs(self):
        for length, content in ((0, lambda cdr, start: cdr.indirection(start)),
                                (1, self._sequence), (1, lambda cdr, start: union_type(cdr, 1, lambda c: c.indirection(start)))):
            body = Cdr()
            _box_type(body, content)
            for depth in (1, 30, 60, 64, 1000, 100_000):
                value = struct.pack("<I", VALUE_PLAIN) + struct.pack("<I", length) * length
                for operation in ("take_any", "pass_any"):
                    yield operation, bytes(body) + value * depth + bytes(16)

    @staticmethod
    def _sequence(cdr, start):
        with cdr.element_type(TK_SEQUENCE, 0):
            cdr.indirection(start)


class AnysInValues(_Bombs):
    """A value that nobody knows in an any, with an any as its member, which holds such a value, and so on: each level brings its
    TypeCode. And the same with a struct around each value."""

    def bombs(self):
        for in_struct in (False, True):
            for depth in (1, 20, 31, 32, 33, 63, 64, 65, 200, 3000):
                body = Cdr()
                for _ in range(depth):
                    self._level(body, in_struct)
                for operation in ("take_any", "pass_any"):
                    yield operation, bytes(body) + bytes(16)

    @staticmethod
    def _level(cdr, in_struct):
        def value(cdr):
            with cdr.complex_type(TK_VALUE, "IDL:Unknown/A:1.0", "A"):
                cdr.put("h", 0).ulong(TK_NULL, 1).string("m").ulong(TK_ANY).put("h", 1)
        if in_struct:
            struct_type(cdr, [("v", value)])
        else:
            value(cdr)
        cdr.ulong(VALUE_PLAIN)


def derived_value(cdr, bases, start):
    """The TypeCode of a value with so many bases, of which each has a member that leads back to start."""
    if bases == 0:
        cdr.ulong(TK_NULL)
        return
    with cdr.complex_type(TK_VALUE, f"IDL:Unknown/B{bases}:1.0", "B"):
        cdr.put("h", 0)
        derived_value(cdr, bases - 1, start)
        cdr.ulong(1).string("m").indirection(start).put("h", 1)


class DeepBases(_Bombs):
    """Unknown values whose type has bases upon bases, of which each has a member that leads back to the type."""

    def bombs(self):
        for bases in (1, 60, 100, 126, 127, 200):
            body = Cdr()
            derived_value(body, bases, body.mark())
            for values in (1, 60, 1000, 5000):
                yield "take_any", bytes(body) + (struct.pack("<I", VALUE_PLAIN) + bytes(4 * (bases - 1))) * values + bytes(4096)
                yield "take_any", bytes(body) + struct.pack("<I", VALUE_PLAIN) * values + bytes(4096)


def _on_small_stacks(bombs):
    """The same, of a victim at ulimit -s 256."""
    return type(bombs.__name__ + "SmallStack", (bombs,), {
        "__doc__": f"{bombs.__doc__} The victim runs at ulimit -s 256.", "__module__": __name__, "stack_kib": 256,
        "promised": "a fault, at ulimit -s 256 too", "skipped_under": ("asan", "tsan")})


DeepUnionsSmallStack = _on_small_stacks(DeepUnions)
DeepValuesSmallStack = _on_small_stacks(DeepValues)
NestedAnysSmallStack = _on_small_stacks(NestedAnys)
NestedTypeCodesSmallStack = _on_small_stacks(NestedTypeCodes)
RecursiveTypesSmallStack = _on_small_stacks(RecursiveTypes)
DeepBoxesSmallStack = _on_small_stacks(DeepBoxes)
AnysInValuesSmallStack = _on_small_stacks(AnysInValues)
DeepBasesSmallStack = _on_small_stacks(DeepBases)


class Circles(Attack):
    """200,000 values that each point at themselves, in a message that is refused at its end, and in one that is accepted
    whose servant undoes the circles: thirty times."""

    promised = "nothing stays alive"
    seconds = 1

    def prepare(self):
        count = self.scaled(200_000, 20_000)
        node = struct.pack("<IIiIi", VALUE_PLAIN, 0xffffffff, -8 - 0, 0xffffffff, -16)
        self._nodes = struct.pack("<I", count) + node * count

    def lap(self):
        with self.peer() as peer:
            for _ in range(self.scaled(30, 5)):
                self.call(peer, "take_nodes", self._nodes, ("ok", *REFUSED))
                self.call(peer, "take_nodes", self._nodes[:-4] + struct.pack("<i", 4), REFUSED)
                self.call(peer, "take_nodes", self._nodes[:-4], REFUSED)
            self.call(peer, "nodes_alive")
            peer.send(giop.request((1, 2), True, 78, self.target.key, "nodes_alive").raw())
            alive = result_ulong(peer.message())
            if alive:
                raise NotHeld(f"{alive} nodes are still alive")


class Indirections(Attack):
    """Indirections of TypeCodes and values to themselves, forward, outside, into the middle of others, and to values of
    another type."""

    promised = "refused"

    def lap(self):
        with self.peer() as peer:
            for offset in (-4, -8, -1, -2, -5, 0, 4, 8, 1000, 0x7fffffff, -0x80000000, -12, -1000, -0x7fffffff):
                self._type_codes(peer, offset)
                self._values(peer, offset)
            word = Cdr().ulong(2, VALUE_WITH_ID).string("IDL:Attack/Word:1.0").string("text")
            self.call(peer, "take_words", bytes(word.indirection(4)), ("ok",))
            node = Cdr().ulong(2, VALUE_WITH_ID).string(NODE_ID).ulong(0, 0)
            self.call(peer, "take_words", bytes(node.indirection(4)), REFUSED)

    def _type_codes(self, peer, offset):
        plain = struct.pack("<Ii", 0xffffffff, offset)
        self.call(peer, "take_type", plain, REFUSED)
        self.call(peer, "take_any", plain + bytes(16), REFUSED)
        body = Cdr()
        with body.complex_type(TK_STRUCT, "IDL:S:1.0", "S"):
            body.ulong(1).string("m")
            body.ulong(0xffffffff).put("i", offset)
        self.call(peer, "take_any", bytes(body) + bytes(16), ("ok", *REFUSED))
        alias = Cdr()
        with alias.element_type(TK_ARRAY, 3):
            alias.ulong(0xffffffff).put("i", offset)
        self.call(peer, "take_type", bytes(alias), REFUSED if offset not in (-16, -12) else ("ok", *REFUSED))

    def _values(self, peer, offset):
        here = struct.pack("<Ii", 0xffffffff, offset)
        self.call(peer, "take_value", here, REFUSED)
        allowed = ("ok", *REFUSED)
        self.call(peer, "take_nodes", struct.pack("<II", 1, VALUE_PLAIN) + here + bytes(4), allowed)
        self.call(peer, "take_words", struct.pack("<I", 1) + here, REFUSED)
        self.call(peer, "take_value", struct.pack("<I", VALUE_WITH_ID) + here + bytes(8), REFUSED)
