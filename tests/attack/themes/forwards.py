# SPDX-License-Identifier: Apache-2.0
"""Servers that send a client's calls elsewhere."""
import os
import socket
import tempfile
import threading

from attack.attack import ClientAttack, NotHeld
from attack.cdr import Cdr
from attack.hostile import CountingListener, reply
from harness import giop

TAG_IIOP, TAG_UIOP, TAG_OMNI_UNIX = 0, 0x54414f00, 0x41545402


def iiop_profile(host, port, components=()):
    body = Cdr().raw(b"\1\1\2").string(host).put("H", port).octets(b"elsewhere").ulong(len(components))
    for tag, data in components:
        body.ulong(tag).octets(data)
    return bytes(body)


def uiop_profile(path):
    return bytes(Cdr().raw(b"\1\1\2").string(path).octets(b"elsewhere").ulong(0))


def reference(*profiles):
    body = Cdr().string("IDL:Attack/Victim:1.0").ulong(len(profiles))
    for tag, data in profiles:
        body.ulong(tag).octets(data)
    return body


class _ForwardAway(ClientAttack):
    statuses = (giop.LOCATION_FORWARD, giop.LOCATION_FORWARD_PERM)

    def __init__(self, short):
        super().__init__(short)
        self._turn = 0
        self.calls = len(self.statuses)

    def forward(self):
        raise NotImplementedError

    def serve(self, connection):
        status = self.statuses[self._turn % len(self.statuses)]
        self._turn += 1
        while (number := connection.request()) is not None:
            connection.send(reply(number, status, self.forward()))


class ForwardToUnix(_ForwardAway):
    """A server at a TCP address that forwards to a Unix-domain socket, by a profile for such sockets and by a component for
    the client's own host; for once and for good."""

    promised = "nobody comes to the socket"
    expected = ("TRANSIENT", "COMM_FAILURE", "NO_PERMISSION", "IMP_LIMIT", "INV_OBJREF", "BAD_PARAM")

    def __init__(self, short):
        super().__init__(short)
        self._folder = tempfile.TemporaryDirectory(prefix="attack.")
        self._path = os.path.join(self._folder.name, "local")
        self._local = CountingListener(socket.AF_UNIX, self._path)
        self.calls = 4

    def forward(self):
        if self._turn % 4 < 2:
            return reference((TAG_UIOP, uiop_profile(self._path)))
        here = bytes(Cdr().put("B", 1).string(socket.gethostname()).string(self._path))
        return reference((TAG_IIOP, iiop_profile("127.0.0.1", 9, [(TAG_OMNI_UNIX, here)])))

    def judge(self, said, hostile):
        if self._local.came:
            raise NotHeld("the client came to the Unix-domain socket")


class ForwardInCircles(ClientAttack):
    """A server that forwards each call to itself, under the same key or another each time."""

    promised = "<= max_forwards, then a fault"
    expected = ("TRANSIENT", "IMP_LIMIT", "COMM_FAILURE", "NO_RESOURCES")
    calls = 2

    def __init__(self, short):
        super().__init__(short)
        self._requests = 0
        self._hostile = None

    def references(self, hostile):
        self._hostile, self._requests = hostile, 0
        return hostile.reference()

    def serve(self, connection):
        while (number := connection.request()) is not None:
            self._requests += 1
            connection.send(reply(number, giop.LOCATION_FORWARD,
                                  reference((TAG_IIOP, iiop_profile("127.0.0.1", self._hostile.port)))))

    def judge(self, said, hostile):
        if self._requests > 25:
            raise NotHeld(f"the client followed {self._requests} forwards")


class ForwardElsewhere(_ForwardAway):
    """A server that forwards to an address that the client's -ORBForwardTo does not list."""

    promised = "nobody comes there"
    options = ("-ORBCallTimeout", "1000", "-ORBForwardTo", "192.0.2.7,198.51.100.0/24")
    expected = ForwardToUnix.expected

    def __init__(self, short):
        super().__init__(short)
        self._other = CountingListener(socket.AF_INET, ("127.0.0.1", 0))

    def forward(self):
        return reference((TAG_IIOP, iiop_profile("127.0.0.1", self._other.socket.getsockname()[1])))

    def judge(self, said, hostile):
        if self._other.came:
            raise NotHeld("the client came to the address")
