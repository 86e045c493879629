# SPDX-License-Identifier: Apache-2.0
"""Bytes of values and TypeCodes by hand (CORBA 3.3 part 2, 9.3), good ones and others.

Positions count from the body's begin, which GIOP 1.2 aligns to 8.
"""
import contextlib
import struct

(TK_NULL, TK_VOID, TK_SHORT, TK_LONG, TK_USHORT, TK_ULONG, TK_FLOAT, TK_DOUBLE, TK_BOOLEAN, TK_CHAR, TK_OCTET, TK_ANY,
 TK_TYPECODE, TK_PRINCIPAL, TK_OBJREF, TK_STRUCT, TK_UNION, TK_ENUM, TK_STRING, TK_SEQUENCE, TK_ARRAY, TK_ALIAS,
 TK_EXCEPT, TK_LONGLONG, TK_ULONGLONG, TK_LONGDOUBLE, TK_WCHAR, TK_WSTRING, TK_FIXED, TK_VALUE, TK_VALUE_BOX,
 TK_NATIVE, TK_ABSTRACT_INTERFACE, TK_LOCAL_INTERFACE) = range(34)

INDIRECTION = 0xffffffff
VALUE_PLAIN = 0x7fffff00  # a value's tag without codebase, ids and chunks
VALUE_WITH_ID = 0x7fffff02
VALUE_CHUNKED_WITH_ID = 0x7fffff0a


class Cdr:
    """A body that grows. TypeCodes' encapsulations nest as with blocks, so that indirections can span them."""

    def __init__(self, little=True):
        self.data = bytearray()
        self.little = little
        self._endian = "<" if little else ">"
        self._base = 0  # where alignment counts from: the innermost encapsulation

    def __bytes__(self):
        return bytes(self.data)

    def __len__(self):
        return len(self.data)

    def align(self, size):
        self.data += bytes(-(len(self.data) - self._base) % size)
        return self

    def put(self, code, *values):
        for value in values:
            self.align(struct.calcsize("=" + code))
            self.data += struct.pack(self._endian + code, value)
        return self

    def ulong(self, *values):
        return self.put("I", *values)

    def raw(self, data):
        self.data += data
        return self

    def octets(self, data):
        return self.ulong(len(data)).raw(data)

    def string(self, text):
        return self.octets(text.encode("latin-1") + b"\0")

    def mark(self):
        """Where the next ulong will stand: what an indirection may lead to."""
        self.align(4)
        return len(self.data)

    def indirection(self, target):
        self.ulong(INDIRECTION)
        self.align(4)
        return self.put("i", target - len(self.data))

    @contextlib.contextmanager
    def encapsulation(self):
        self.ulong(0)
        size_at, outer = len(self.data) - 4, self._base
        self._base = len(self.data)
        self.put("B", int(self.little))
        yield self
        struct.pack_into(self._endian + "I", self.data, size_at, len(self.data) - self._base)
        self._base = outer

    @contextlib.contextmanager
    def complex_type(self, kind, repository_id="", name=""):
        """A TypeCode of that kind whose parameters begin with an id and a name."""
        self.ulong(kind)
        with self.encapsulation():
            self.string(repository_id).string(name)
            yield self

    def empty_struct(self, repository_id="", name=""):
        with self.complex_type(TK_STRUCT, repository_id, name):
            self.ulong(0)
        return self

    @contextlib.contextmanager
    def element_type(self, kind, length):
        """A sequence's or array's TypeCode around the element's."""
        self.ulong(kind)
        with self.encapsulation():
            yield self
            self.ulong(length)

    def string_type(self, bound=0):
        return self.ulong(TK_STRING, bound)


def struct_type(cdr, members, repository_id="", name=""):
    """members: (name, function that writes the TypeCode) each."""
    with cdr.complex_type(TK_STRUCT, repository_id, name):
        cdr.ulong(len(members))
        for member, write in members:
            cdr.string(member)
            write(cdr)
    return cdr


def nested(kind, depth, innermost, length=0, little=True):
    """A TypeCode that is depth sequences or arrays around innermost's bytes, as bytes that begin at a multiple of 8. Not
    recursive, and linear in depth, so that a depth of thousands costs nothing here."""
    order = "<" if little else ">"
    heads, size = [], len(innermost)
    for _ in range(depth):
        size = 4 + size + -size % 4 + 4  # the byte order, the element's type, the length
        heads.append(struct.pack(order + "II", kind, size) + bytes((int(little), 0, 0, 0)))
        size += 8
    return b"".join(reversed(heads)) + innermost + bytes(-len(innermost) % 4) + struct.pack(order + "I", length) * depth
