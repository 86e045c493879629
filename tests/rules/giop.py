# SPDX-License-Identifier: Apache-2.0
"""GIOP 1.2 by hand, little-endian: values as CDR, requests over a socket, references in replies. One thread."""
import socket
import struct

OK, USER_EXCEPTION, SYSTEM_EXCEPTION, FORWARD = range(4)
HERE, ELSEWHERE = 1, 2  # of a LocateReply
NIL = ("", 0)  # a reference: its type and the number of its profiles


def align(data, to):
    return data + bytes(-len(data) % to)


def cdr(*values):
    """Arguments: an int is an unsigned long, a str a string, bytes a sequence of octets, a tuple another number: (its format
    for struct, value)."""
    out = b""
    for value in values:
        if isinstance(value, tuple):
            size = struct.calcsize("<" + value[0])
            out = align(out, size) + struct.pack("<" + value[0], value[1])
        elif isinstance(value, int):
            out = align(out, 4) + struct.pack("<I", value)
        else:
            octets = value.encode() + b"\0" if isinstance(value, str) else value
            out = align(out, 4) + struct.pack("<I", len(octets)) + octets
    return out


class Reader:
    def __init__(self, data, big=False, at=0):
        self.data, self.at, self.order = data, at, ">" if big else "<"

    def number(self, form="I"):
        size = struct.calcsize(form)
        self.at = (self.at + size - 1) // size * size + size
        return struct.unpack_from(self.order + form, self.data, self.at - size)[0]

    def octets(self):
        size = self.number()
        self.at += size
        return self.data[self.at - size:self.at]

    def address(self):
        """(port, key) of the first IIOP profile of a reference."""
        self.octets()
        for _ in range(self.number()):
            tag, body = self.number(), self.octets()
            if tag == 0:
                profile = Reader(body, not body[0], 3)
                profile.octets()
                return profile.number("H"), profile.octets()
        raise ValueError("a reference without IIOP")


def address_of(text):
    """The same of IOR:..."""
    data = bytes.fromhex(text.strip()[4:])
    return Reader(data, not data[0], 4).address()


def reference(text):
    """IOR:... as values of cdr()."""
    data = bytes.fromhex(text.strip()[4:])
    reader = Reader(data, not data[0], 4)
    values = [reader.octets(), reader.number()]
    for _ in range(values[1]):
        values += [reader.number(), reader.octets()]
    return values


def message(kind, body):
    return b"GIOP\1\2\1" + bytes([kind]) + struct.pack("<I", len(body)) + body


class Link:
    """A connection that is there when it is needed. connect(): a socket."""

    def __init__(self, connect):
        self._connect, self._socket = connect, None

    def close(self):
        if self._socket:
            self._socket.close()
        self._socket = None

    def exchange(self, kind, body):
        """The reply, read as far as its header; None: the connection was closed."""
        self._socket = self._socket or self._connect()
        self._socket.sendall(message(kind, body))
        data = b""
        while len(data) < 12 or len(data) < 12 + struct.unpack_from("<I" if data[6] & 1 else ">I", data, 8)[0]:
            more = self._socket.recv(65536)
            if not more:
                self.close()
                return None
            data += more
        return Reader(data, not data[6] & 1, 12)

    def locate(self, key):
        """The status of the LocateReply."""
        reply = self.exchange(3, cdr(1, ("H", 0), key))
        return reply and (reply.number(), reply.number())[1]

    def ask(self, key, operation, arguments=b"", follow=True):
        """(status, the exception's id, or the results as a Reader); (None, "closed"). Follows forwards within the service."""
        body = align(cdr(1, ("B", 3)) + bytes(3) + cdr(("H", 0), key), 4) + cdr(operation)
        body = align(body, 4) + cdr(0)
        if arguments:
            body = align(bytes(12) + body, 8)[12:] + arguments
        reply = self.exchange(0, body)
        if reply is None:
            return None, "closed"
        reply.number()
        status = reply.number()
        for _ in range(reply.number()):
            reply.number()
            reply.octets()
        reply.at = (reply.at + 7) // 8 * 8
        if status == FORWARD and follow:
            return self.ask(reply.address()[1], operation, arguments)
        if status not in (USER_EXCEPTION, SYSTEM_EXCEPTION):
            return status, reply
        by_rules = b"--allow" in reply.data.replace(b"\0", b"")  # ExceptionDetailMessage, UTF-16: a service may refuse of itself, too
        return status, reply.octets()[:-1].decode() + (" by the rules" if by_rules else "")

    def is_a(self, key, identifier):
        status, result = self.ask(key, "_is_a", cdr(identifier))
        return status == OK and result.data[result.at:result.at + 1] == b"\1"
