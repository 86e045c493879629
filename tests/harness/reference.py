# SPDX-License-Identifier: Apache-2.0
"""Stringified references: read, and the same with another port.

An independent reader (CORBA 3.3 part 2, 7.6 and 9.7.2): it shares nothing with the code under test.
"""
import struct


class Reference:
    """What an `IOR:` text says: type id and the first IIOP profile's version, host, port and key."""

    def __init__(self, text):
        if not text.startswith("IOR:"):
            raise ValueError(f"not a stringified reference: {text[:40]}")
        self._bytes = bytearray.fromhex(text[4:])
        cursor = _Cursor(self._bytes, 0)
        self.type_id = cursor.string()
        self.profiles = []
        for _ in range(cursor.ulong()):
            tag = cursor.ulong()
            start, size = cursor.octets()
            self.profiles.append((tag, start, size))
        if cursor.at != len(self._bytes):
            raise ValueError(f"{len(self._bytes) - cursor.at} bytes after the reference")
        self._read_iiop()

    def _read_iiop(self):
        bodies = [(start, size) for tag, start, size in self.profiles if tag == 0]
        if not bodies:
            raise ValueError("no IIOP profile")
        start, size = bodies[0]
        cursor = _Cursor(self._bytes[start:start + size], 0)
        self.version = (cursor.octet(), cursor.octet())
        self.host = cursor.string()
        self.port = cursor.ushort()
        self._port_at = start + cursor.at - 2
        self._port_format = cursor.endian + "H"
        at, length = cursor.octets()
        self.object_key = bytes(self._bytes[start + at:start + at + length])
        self.component_tags = []
        if self.version >= (1, 1):
            for _ in range(cursor.ulong()):
                self.component_tags.append(cursor.ulong())
                cursor.octets()

    def with_port(self, port):
        """The text of the same reference, with another port in its first IIOP profile."""
        changed = bytearray(self._bytes)
        struct.pack_into(self._port_format, changed, self._port_at, port)
        return "IOR:" + changed.hex()

    def with_profiles_of(self, other):
        """The text of a reference with this one's profiles, and behind them the other's."""
        type_id = self.type_id.encode("latin-1") + b"\0"
        text = bytearray(b"\1\0\0\0" + struct.pack("<I", len(type_id)) + type_id)

        def put(*numbers):
            text.extend(bytes(-len(text) % 4) + struct.pack(f"<{len(numbers)}I", *numbers))

        put(len(self.profiles) + len(other.profiles))
        for reference in (self, other):
            for tag, start, size in reference.profiles:
                put(tag, size)
                text.extend(reference._bytes[start:start + size])
        return "IOR:" + text.hex()


class _Cursor:
    """Reads an encapsulation: its first byte is the byte order, and alignment counts from there."""

    def __init__(self, data, start):
        self._data = data
        self.at = start
        self.endian = "<" if self.octet() == 1 else ">"

    def _take(self, code, size):
        self.at += -self.at % size
        (value,) = struct.unpack_from(self.endian + code, self._data, self.at)
        self.at += size
        return value

    def octet(self):
        self.at += 1
        return self._data[self.at - 1]

    def ushort(self):
        return self._take("H", 2)

    def ulong(self):
        return self._take("I", 4)

    def octets(self):
        size = self.ulong()
        start = self.at
        if start + size > len(self._data):
            raise ValueError("octets beyond the end")
        self.at += size
        return start, size

    def string(self):
        start, size = self.octets()
        if size == 0 or self._data[start + size - 1] != 0:
            raise ValueError("string without its NUL")
        return self._data[start:start + size - 1].decode("latin-1")
