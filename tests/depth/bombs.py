# SPDX-License-Identifier: Apache-2.0
"""Bodies of messages in which things nest: as deep as is accepted, and without end. Little-endian CDR by hand; each body
begins at a multiple of 8."""
import struct
from dataclasses import dataclass

TK_LONG, TK_OCTET, TK_ANY, TK_TYPECODE = 3, 10, 11, 12
TK_STRUCT, TK_UNION, TK_SEQUENCE, TK_ARRAY, TK_ALIAS, TK_EXCEPT = 15, 16, 19, 20, 21, 22
TK_VALUE, TK_VALUE_BOX = 29, 30
INDIRECTION = 0xffffffff
VALUE, VALUE_ID, VALUE_IDS = 0x7fffff00, 0x7fffff02, 0x7fffff06
CHUNKED = 8


class Cdr:
    """Numbers at their alignment, strings, encapsulations."""

    def __init__(self):
        self.data = bytearray()

    def u8(self, *values):
        self.data += bytes(values)
        return self

    def u16(self, value):
        return self._put("<H", 2, value)

    def u32(self, *values):
        for value in values:
            self._put("<I", 4, value & 0xffffffff)
        return self

    def text(self, text):
        self.u32(len(text) + 1)
        self.data += text.encode() + b"\0"
        return self

    def within(self, fill):
        """What fill(cdr) writes, as an encapsulation."""
        inside = Cdr().u8(1)
        fill(inside)
        self.u32(len(inside.data))
        self.data += inside.data
        return self

    def back_to(self, at):
        """An indirection to an offset."""
        self.u32(INDIRECTION)
        return self.u32(at - len(self.data))

    def _put(self, code, size, value):
        self.data += bytes(-len(self.data) % size) + struct.pack(code, value)
        return self


def nested_type_codes(levels, wrap):
    """The TypeCode of wrap()s in each other, innermost first."""
    data = struct.pack("<I", TK_LONG)
    for _ in range(levels):
        data = wrap(data)
    return data


def sequence_of(content):
    inside = b"\1\0\0\0" + content + bytes(-len(content) % 4) + bytes(4)
    return struct.pack("<II", TK_SEQUENCE, len(inside)) + inside


def alias_of(content):
    inside = b"\1\0\0\0" + struct.pack("<I", 1) + b"\0\0\0\0" + struct.pack("<I", 1) + b"\0\0\0\0" + content
    return struct.pack("<II", TK_ALIAS, len(inside)) + inside


# ---- Anys in Anys: each writes a TypeCode, and what stands in front of the Any in the value ----

def named(cdr, kind, fill, name=""):
    return cdr.u32(kind).within(lambda t: (t.text(name).text(""), fill(t)))


def in_any(cdr):
    cdr.u32(TK_ANY)


def in_struct(cdr):
    named(cdr, TK_STRUCT, lambda t: t.u32(1).text("").u32(TK_ANY))


def in_exception(cdr):
    named(cdr, TK_EXCEPT, lambda t: t.u32(1).text("").u32(TK_ANY), "IDL:X:1.0")
    cdr.text("IDL:X:1.0")


def in_sequence(cdr):
    cdr.u32(TK_SEQUENCE).within(lambda t: t.u32(TK_ANY, 0)).u32(1)


def in_array(cdr):
    cdr.u32(TK_ARRAY).within(lambda t: t.u32(TK_ANY, 1))


def in_union(cdr):
    named(cdr, TK_UNION, lambda t: t.u32(TK_OCTET, INDIRECTION, 1).u8(1).text("").u32(TK_ANY))
    cdr.u8(1)


def value_type(t):
    t.u16(0).u32(0, 1).text("").u32(TK_ANY).u16(1)


def in_unknown_value(cdr):
    named(cdr, TK_VALUE, value_type, "IDL:Unknown:1.0")
    cdr.u32(VALUE_ID).text("IDL:Unknown:1.0")


def in_unknown_box(cdr):
    named(cdr, TK_VALUE_BOX, lambda t: t.u32(TK_ANY), "IDL:Box:1.0")
    cdr.u32(VALUE_ID).text("IDL:Box:1.0")


def value_base(t):
    named(t, TK_VALUE, lambda base: base.u16(0).u32(0, 0), "IDL:omg.org/CORBA/ValueBase:1.0")


def node_type(t):
    t.u16(0).u32(0, 3).text("next")
    value_base(t)
    t.u16(1).text("more").u32(TK_SEQUENCE).within(lambda s: (value_base(s), s.u32(0)))
    t.u16(1).text("held").u32(TK_ANY).u16(1)


def in_node(cdr):
    """A value that is known: a null, no more, and an Any."""
    named(cdr, TK_VALUE, node_type, "IDL:Depth/Node:1.0")
    cdr.u32(VALUE_ID).text("IDL:Depth/Node:1.0").u32(0, 0)


def in_box(cdr):
    named(cdr, TK_VALUE_BOX, lambda t: t.u32(TK_ANY), "IDL:Depth/AnyBox:1.0")
    cdr.u32(VALUE_ID).text("IDL:Depth/AnyBox:1.0")


ANY_KINDS = (in_any, in_struct, in_exception, in_sequence, in_array, in_union, in_unknown_value, in_unknown_box, in_node, in_box)


def anys(levels, kinds):
    cdr = Cdr()
    for i in range(levels):
        kinds[i % len(kinds)](cdr)
    return bytes(cdr.u32(0).data)


# ---- values ----

def list_of_nodes(n):
    cdr = Cdr()
    for _ in range(n):
        cdr.u32(VALUE)
    cdr.u32(0)
    for _ in range(n):
        cdr.u32(0, 0)  # no more, an empty Any
    return bytes(cdr.data)


def tree_of_nodes(n):
    cdr = Cdr()
    for _ in range(n):
        cdr.u32(VALUE, 0, 1)
    cdr.u32(0)
    for _ in range(n):
        cdr.u32(0)
    return bytes(cdr.data)


def nodes_in_anys(n):
    cdr = Cdr().u32(VALUE, 0, 0)
    for _ in range(n):
        in_node(cdr)
    return bytes(cdr.u32(0).data)


def holders(n):
    """Abstract interfaces, each with a value with the next."""
    cdr = Cdr()
    for _ in range(n):
        cdr.u8(0).u32(VALUE_ID).text("IDL:Depth/Holder:1.0")
    return bytes(cdr.u8(0).u32(0).data)


def customs(n, finished=True):
    cdr = Cdr()
    for _ in range(n):
        cdr.u32(VALUE_ID | CHUNKED).text("IDL:Depth/Own:1.0")
    cdr.u32(4, 0)  # a chunk with a null value
    return bytes(cdr.u32(-1).data if finished else cdr.data)


def truncated(n):
    """A value of which a part is known, with values in the rest."""
    cdr = Cdr().u32(VALUE_IDS | CHUNKED, 2).text("IDL:Depth/Derived:1.0").text("IDL:Depth/Base:1.0").u32(4, 7)
    for _ in range(n):
        cdr.u32(VALUE_ID | CHUNKED).text("IDL:U:1.0")
    return bytes(cdr.u32(-1).data)


def unions_in_values(values, unions):
    """Values that nobody knows, in an Any, each in unions in the one before, and behind a null."""
    cdr = Cdr().u32(TK_VALUE)

    def members(t):
        last = 0
        t.text("IDL:Unknown:1.0").text("").u16(0).u32(0, unions + 1)
        t.text("").u32(INDIRECTION)
        t.u32(-8 - len(t.data)).u16(1)
        for i in range(unions):
            t.text("").u32(TK_UNION)
            at = len(t.data) - 4

            def member(u, i=i, last=last):
                u.text("").text("").u32(TK_OCTET, INDIRECTION, 1).u8(1).text("").u32(INDIRECTION)
                here = at + 8 + len(u.data)
                u.u32((-8 if i == 0 else last) - here)

            t.within(member).u16(1)
            last = at

    cdr.within(members)
    for _ in range(values):
        cdr.u32(VALUE_ID).text("IDL:Unknown:1.0").u32(0).u8(*[0] * (unions - 1), *[1] * unions)
    return bytes(cdr.u32(0).data)


def circles(n, end):
    """A node with n more, each its own next."""
    cdr = Cdr().u32(VALUE, 0, n)
    for _ in range(n):
        at = len(cdr.data)
        cdr.u32(VALUE).back_to(at).u32(0, 0)
    cdr.u32(0)
    return bytes(cdr.data) + end


def custom_circle():
    """A custom value that has itself."""
    cdr = Cdr().u32(VALUE_ID | CHUNKED).text("IDL:Depth/Own:1.0").u32(8)
    return bytes(cdr.back_to(0).u32(-1).data)


# ---- structs and unions of IDL ----

def tree(n):
    cdr = Cdr()
    for _ in range(n):
        cdr.u32(1, 1)
    return bytes(cdr.u32(1, 0).data)


def choices(n):
    cdr = Cdr()
    for _ in range(n):
        cdr.u8(1).u32(1)
    return bytes(cdr.u8(0).u32(5).data)


@dataclass
class Bomb:
    name: str
    operation: str
    body: bytes
    accepted: bool


REFUSED, ACCEPTED = False, True


def all_bombs():
    bombs = []

    def add(name, operation, body, accepted):
        bombs.append(Bomb(name, operation, body, accepted))

    for kind in ANY_KINDS:
        add(kind.__name__, "take_any", anys(30, [kind]), ACCEPTED)
        add(f"endless {kind.__name__}", "take_any", anys(5000, [kind]), REFUSED)
    add("all kinds in turn", "take_any", anys(30, ANY_KINDS), ACCEPTED)
    add("endless, all kinds in turn", "take_any", anys(5000, ANY_KINDS), REFUSED)
    for wrap in (sequence_of, alias_of):
        add(f"TypeCodes, {wrap.__name__}", "take_type", nested_type_codes(60, wrap), ACCEPTED)
        add(f"endless TypeCodes, {wrap.__name__}", "take_type", nested_type_codes(2000, wrap), REFUSED)
        add(f"endless TypeCodes in an Any, {wrap.__name__}", "take_any", nested_type_codes(2000, wrap), REFUSED)
    add("unions in unknown values", "take_any", unions_in_values(1000, 114), REFUSED)
    add("a union in unknown values", "take_any", unions_in_values(1000, 1), REFUSED)
    add("few unions in unknown values", "take_any", unions_in_values(10, 5), ACCEPTED)
    add("list", "take_node", list_of_nodes(1000), ACCEPTED)
    add("endless list", "take_node", list_of_nodes(100000), REFUSED)
    add("tree of values", "take_node", tree_of_nodes(30), ACCEPTED)
    add("endless tree of values", "take_node", tree_of_nodes(50000), REFUSED)
    add("values in Anys", "take_node", nodes_in_anys(30), ACCEPTED)
    add("endless values in Anys", "take_node", nodes_in_anys(10000), REFUSED)
    add("abstract interfaces", "take_thing", holders(60), ACCEPTED)
    add("endless abstract interfaces", "take_thing", holders(10000), REFUSED)
    add("custom values", "take_custom", customs(60), ACCEPTED)
    add("endless custom values", "take_custom", customs(10000), REFUSED)
    add("unknown values", "take_base", truncated(990), ACCEPTED)
    add("endless unknown values", "take_base", truncated(50000), REFUSED)
    add("structs", "take_tree", tree(60), ACCEPTED)
    add("endless structs", "take_tree", tree(100000), REFUSED)
    add("unions", "take_choice", choices(30), ACCEPTED)
    add("endless unions", "take_choice", choices(100000), REFUSED)
    add("endless Anys in a box", "take_box", bytes(Cdr().u32(VALUE).data) + anys(5000, ANY_KINDS), REFUSED)
    add("circles", "take_node", circles(20000, b""), ACCEPTED)
    add("circles, cut off", "take_node", circles(20000, b"")[:-4], REFUSED)
    add("custom circle", "take_custom", custom_circle(), ACCEPTED)
    add("custom circle, cut off", "take_custom", custom_circle()[:-4], REFUSED)
    return bombs
