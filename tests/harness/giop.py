# SPDX-License-Identifier: Apache-2.0
"""GIOP messages: cut out of a stream, read as far as tests need, and written by hand in any version and
byte order (CORBA 3.3 part 2, 9.3 and 9.4).
"""
import struct
from dataclasses import dataclass

REQUEST, REPLY, CANCEL, LOCATE_REQUEST, LOCATE_REPLY, CLOSE, ERROR, FRAGMENT = range(8)
TYPE_NAMES = ("Request", "Reply", "CancelRequest", "LocateRequest", "LocateReply", "CloseConnection",
              "MessageError", "Fragment")
NO_EXCEPTION, USER_EXCEPTION, SYSTEM_EXCEPTION, LOCATION_FORWARD, LOCATION_FORWARD_PERM = range(5)
HEADER_BYTES = 12
VERSIONS = ((1, 0), (1, 1), (1, 2))


class Malformed(Exception):
    pass


@dataclass
class Message:
    """One message as it stood on the wire (a fragment is a message)."""
    version: tuple
    flags: int
    kind: int
    body: bytes

    @property
    def endian(self):
        return "<" if self.flags & 1 else ">"

    @property
    def more_fragments(self):
        return self.version >= (1, 1) and bool(self.flags & 2)

    def raw(self):
        return (b"GIOP" + bytes(self.version) + bytes((self.flags, self.kind)) +
                struct.pack(self.endian + "I", len(self.body)) + self.body)

    def joined(self, fragments):
        """This message with what all fragments of it add. In 1.1 only the header can be read afterwards: alignment
        there counts from each fragment's own start."""
        skipped = 4 if self.version >= (1, 2) else 0
        return Message(self.version, self.flags & ~2, self.kind, self.body + b"".join(f.body[skipped:] for f in fragments))

    def __str__(self):
        return f"{TYPE_NAMES[self.kind]} {self.version[0]}.{self.version[1]} {len(self.body)} bytes"


class Stream:
    """Cuts one direction of a connection into messages."""

    def __init__(self):
        self._buffer = bytearray()

    def feed(self, data):
        self._buffer += data
        while len(self._buffer) >= HEADER_BYTES:
            if self._buffer[:4] != b"GIOP":
                raise Malformed(f"no magic: {bytes(self._buffer[:12]).hex()}")
            version, flags, kind = tuple(self._buffer[4:6]), self._buffer[6], self._buffer[7]
            if version not in VERSIONS or kind > (ERROR if version == (1, 0) else FRAGMENT):
                raise Malformed(f"header {bytes(self._buffer[:12]).hex()}")
            (size,) = struct.unpack_from("<I" if flags & 1 else ">I", self._buffer, 8)
            if len(self._buffer) < HEADER_BYTES + size:
                return
            body = bytes(self._buffer[HEADER_BYTES:HEADER_BYTES + size])
            del self._buffer[:HEADER_BYTES + size]
            yield Message(version, flags, kind, body)

    def rest(self):
        """Bytes of a message that has not ended."""
        return len(self._buffer)


def join_fragments(messages):
    """The messages with fragments joined to what they belong to."""
    open_messages = {}  # request id (None in 1.1): index in whole, fragments so far
    whole = []
    for message in messages:
        number = Reader(message).ulong() if message.version >= (1, 2) and message.kind not in (CLOSE, ERROR) else None
        if message.kind == FRAGMENT:
            if number not in open_messages:
                raise Malformed(f"a {message} of nothing")
            open_messages[number][1].append(message)
            if not message.more_fragments:
                index, fragments = open_messages.pop(number)
                whole[index] = whole[index].joined(fragments)
            continue
        open_messages.pop(number, None)  # a CancelRequest ends the fragments of its request
        if message.more_fragments:
            open_messages[number] = len(whole), []
        whole.append(message)
    if open_messages:
        raise Malformed("a message in fragments has not ended")
    return whole


class Reader:
    """CDR over a message body; offsets count from the message's header."""

    def __init__(self, message):
        self._data = bytes(HEADER_BYTES) + message.body
        self._endian = message.endian
        self.at = HEADER_BYTES

    def _take(self, code, size):
        self.at += -self.at % size
        try:
            (value,) = struct.unpack_from(self._endian + code, self._data, self.at)
        except struct.error:
            raise Malformed("beyond the end") from None
        self.at += size
        return value

    def octet(self):
        return self._take("B", 1)

    def short(self):
        return self._take("h", 2)

    def ushort(self):
        return self._take("H", 2)

    def ulong(self):
        return self._take("I", 4)

    def double(self):
        return self._take("d", 8)

    def octets(self):
        size = self.ulong()
        if size > len(self._data) - self.at:
            raise Malformed("octets beyond the end")
        self.at += size
        return self._data[self.at - size:self.at]

    def string(self):
        value = self.octets()
        if not value.endswith(b"\0"):
            raise Malformed("string without its NUL")
        return value[:-1].decode("latin-1")

    def service_contexts(self):
        return [(self.ulong(), self.octets()) for _ in range(self.ulong())]

    def align(self, size):
        self.at += -self.at % size

    def rest(self):
        return self._data[self.at:]


@dataclass
class RequestHeader:
    request_id: int
    response_expected: bool
    operation: str


def read_request(message):
    """The header of a Request, from the message or its first fragment."""
    reader = Reader(message)
    if message.version < (1, 2):
        reader.service_contexts()
        request_id = reader.ulong()
        expected = reader.octet() != 0
        reader.at += 3 if message.version == (1, 1) else 0
        reader.octets()  # object key
        return RequestHeader(request_id, expected, reader.string())
    request_id = reader.ulong()
    expected = reader.octet() & 1 != 0
    reader.at += 3
    addressing = reader.ushort()
    if addressing == 0:
        reader.octets()
    elif addressing == 1:
        reader.ulong()
        reader.octets()
    else:
        raise Malformed(f"addressing {addressing}")
    return RequestHeader(request_id, expected, reader.string())


def read_reply(message):
    """(request id, status, reader at the body) of a whole Reply."""
    reader = Reader(message)
    if message.version < (1, 2):
        reader.service_contexts()
        return reader.ulong(), reader.ulong(), reader
    request_id, status = reader.ulong(), reader.ulong()
    reader.service_contexts()
    if reader.rest():
        reader.align(8)
    return request_id, status, reader


class Writer:
    """A message body by hand."""

    def __init__(self, version, little):
        self.version = version
        self._little = little
        self._endian = "<" if little else ">"
        self._data = bytearray(HEADER_BYTES)

    def align(self, size):
        self._data += bytes(-len(self._data) % size)
        return self

    def put(self, code, value):
        self.align(struct.calcsize("=" + code))
        self._data += struct.pack(self._endian + code, value)
        return self

    def raw(self, data):
        self._data += data
        return self

    def octets(self, data):
        self.put("I", len(data))
        return self.raw(data)

    def string(self, text):
        return self.octets(text.encode("latin-1") + b"\0")

    def message(self, kind, more=False):
        flags = int(self._little) | (2 if more else 0)
        return Message(self.version, flags, kind, bytes(self._data[HEADER_BYTES:]))


def request(version, little, request_id, object_key, operation, arguments=lambda writer: None, expected=True, contexts=()):
    """A Request; arguments(writer) appends the body. contexts: service contexts, (id, bytes) each; of GIOP 1.2 alone."""
    writer = Writer(version, little)
    if version < (1, 2):
        writer.put("I", 0).put("I", request_id).put("B", int(expected))
        writer.raw(bytes(3) if version == (1, 1) else b"")
        writer.octets(object_key).string(operation).put("I", 0)  # no principal
        arguments(writer)
        return writer.message(REQUEST)
    writer.put("I", request_id).put("B", 3 if expected else 0).raw(bytes(3))
    writer.put("H", 0).octets(object_key).string(operation).put("I", len(contexts))
    for number, data in contexts:
        writer.put("I", number).octets(data)
    body_starts = len(writer._data)
    writer.align(8)
    aligned = len(writer._data)
    arguments(writer)
    if len(writer._data) == aligned:
        del writer._data[body_starts:]  # nothing follows: nothing is aligned
    return writer.message(REQUEST)


def locate_request(version, little, request_id, object_key):
    writer = Writer(version, little).put("I", request_id)
    if version >= (1, 2):
        writer.put("H", 0)
    return writer.octets(object_key).message(LOCATE_REQUEST)
