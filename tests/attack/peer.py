# SPDX-License-Identifier: Apache-2.0
"""A hostile connection: bytes out, GIOP messages in, each wait with a deadline."""
import itertools
import select
import socket
import time

from harness import giop

ANSWER_SECONDS = 10
_numbers = itertools.count(1)


class NoAnswer(Exception):
    """The victim has not answered in time."""


class Peer:
    """One connection to the victim. sources: peers of different sources come from different addresses of the loopback
    network, so that limits for one address count them apart."""

    def __init__(self, address, source=0, window=0):
        """address: (host, port), or the path of a Unix-domain socket. source: a number, or an address. window: bytes that
        the kernel takes in for it; 0: as many as usual."""
        local = isinstance(address, str)
        self.socket = socket.socket(socket.AF_UNIX if local else socket.AF_INET, socket.SOCK_STREAM)
        if window:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, window)
        if not local:
            self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket.settimeout(ANSWER_SECONDS)
        if source:
            self.socket.bind((source if isinstance(source, str) else f"127.1.{source >> 8}.{source & 255}", 0))
        self.socket.connect(address)
        self._stream = giop.Stream()
        self._messages = []
        self.ended = False
        self.received = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.socket.close()

    def reset(self):
        """Closes so that the other side sees a reset."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        self.close()

    def send(self, data, seconds=ANSWER_SECONDS):
        """False when the victim has closed the connection, or does not read for so long."""
        self.socket.settimeout(seconds)
        try:
            self.socket.sendall(data)
            return True
        except OSError:
            return False

    def send_some(self, data):
        """What can be sent without waiting; the number of bytes, or None when the connection has ended."""
        self.socket.settimeout(0)
        try:
            return self.socket.send(data)
        except BlockingIOError:
            return 0
        except OSError:
            return None

    def message(self, seconds=ANSWER_SECONDS):
        """The next message, or None when the connection has ended. NoAnswer when nothing comes."""
        deadline = time.monotonic() + seconds
        while not self._messages and not self.ended:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.socket], [], [], left)[0]:
                raise NoAnswer(f"no answer in {seconds} s")
            self._receive()
        return self._messages.pop(0) if self._messages else None

    def poll(self):
        """Messages that are here, without waiting."""
        while not self.ended and select.select([self.socket], [], [], 0)[0]:
            self._receive()
        here, self._messages = self._messages, []
        return here

    def call(self, key, operation, body=b"", version=(1, 2), little=True, seconds=ANSWER_SECONDS, contexts=()):
        """What the victim answers to a request, in a word: `ok`, `user`, an exception's name such as `MARSHAL`, `forward`,
        `error` for MessageError, `close` for an end of the connection."""
        self.send(request(key, operation, body, version, little, contexts=contexts))
        return answer(self.message(seconds))

    def send_request(self, key, operation, body=b""):
        return self.send(request(key, operation, body))

    @property
    def half_said(self):
        """Whether the victim has begun a message and not ended it."""
        return self._stream.rest() > 0

    def half_close(self):
        try:
            self.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the victim has ended it

    def until_closed(self, seconds=ANSWER_SECONDS):
        """All messages until the connection ends. NoAnswer when it does not."""
        messages = []
        deadline = time.monotonic() + seconds
        while (message := self.message(max(0.01, deadline - time.monotonic()))) is not None:
            messages.append(message)
        return messages

    def _receive(self):
        try:
            data = self.socket.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self.ended = True
        self.received += len(data)
        self._messages += self._stream.feed(data)


def request(key, operation, body=b"", version=(1, 2), little=True, expected=True, request_id=None, contexts=()):
    number = next(_numbers) if request_id is None else request_id
    return giop.request(version, little, number, key, operation, lambda writer: writer.raw(bytes(body)), expected, contexts).raw()


def cancel(request_id, version=(1, 2), little=True):
    return giop.Writer(version, little).put("I", request_id).message(giop.CANCEL).raw()


def fragment(request_id, data, more, little=True, version=(1, 2)):
    """GIOP 1.1 has no ids here."""
    writer = giop.Writer(version, little)
    if version >= (1, 2):
        writer.put("I", request_id)
    return writer.raw(data).message(giop.FRAGMENT, more).raw()


def first_fragment(key, operation, body, request_id, little=True, version=(1, 2)):
    """The beginning of a Request that will go on. In GIOP 1.2 its length must be a multiple of 8."""
    message = giop.request(version, little, request_id, key, operation, lambda writer: writer.raw(bytes(body)).align(8))
    message.flags |= 2
    return message.raw()


def header(size, kind=giop.REQUEST, version=(1, 2), flags=1):
    return b"GIOP" + bytes((*version, flags, kind)) + size.to_bytes(4, "little" if flags & 1 else "big")


def answer(message):
    if message is None or message.kind == giop.CLOSE:
        return "close"
    if message.kind == giop.ERROR:
        return "error"
    if message.kind == giop.LOCATE_REPLY:
        return "located"
    _, status, body = giop.read_reply(message)
    if status == giop.SYSTEM_EXCEPTION:
        return body.string().split("/")[-1].split(":")[0]
    return {giop.NO_EXCEPTION: "ok", giop.USER_EXCEPTION: "user"}.get(status, "forward")


def result_ulong(message):
    """The unsigned long that a successful reply brings."""
    return giop.read_reply(message)[2].ulong()
