# SPDX-License-Identifier: Apache-2.0
"""Attacks on the naming service."""
import socket

from attack.attack import NotHeld
from attack.cdr import Cdr
from attack.hostile import CountingListener
from attack.services import (NOBODY, OTHER_HOST, FakeServer, ServiceAttack, put_reference, tcp_reference, unix_reference)

LEAF = tcp_reference(9, "IDL:X:1.0")


def name(*components):
    cdr = Cdr().ulong(len(components))
    for component in components:
        cdr.string(component).string("")
    return cdr


def binding(reference, *components):
    return bytes(put_reference(name(*components), reference))


class _Naming(ServiceAttack):
    service = "naming"

    def good(self):
        return self.target.path, self.target.key, "rebind", binding(LEAF, "good"), ("ok",)


class Lists(_Naming):
    """list(0) of a context of 150,000 names in a loop, by four readers; the good client binds."""

    promised = "a writer waits 50 ms at most"
    judges_wait = True

    def prepare(self):
        strangers = self.stranger(self.target.key)
        for begin in range(0, self.scaled(150000, 20000), 500):
            words = strangers.many("bind", [binding(LEAF, f"n{number}") for number in range(begin, begin + 500)])
            if set(words) != {"ok"}:
                raise NotHeld(f"names are refused: {words}")
        strangers.close()

    def lap(self):
        def work():
            root = self.stranger(self.target.key)
            return lambda: root.call("list", Cdr().ulong(0))[0]
        self.while_reading(4, work)


class BigReferences(_Naming):
    """References of 240 KB are bound until they are refused."""

    promised = "NO_RESOURCES; others bind"
    durable = True

    def lap(self):
        root = self.stranger(self.target.key)
        big = tcp_reference(9, "IDL:" + "x" * 180000, b"k" * 60000)
        self.until_refused(lambda number: root.call("bind", binding(big, f"b{number}"))[0], 5000)


class ContextsWithoutNames(_Naming):
    """new_context() without end."""

    promised = "refused for this client alone"

    def good(self):
        return self.target.path, self.target.key, "bind_new_context", bytes(name("shop")), ("ok", "user")

    def lap(self):
        words = self.stranger(self.target.key).many("new_context", [b""] * 10100)
        self.note("ok", words.pop("ok", 0))
        if not words or words.total() < 50 or set(words) - {"IMP_LIMIT", "NO_RESOURCES"}:
            raise NotHeld(f"contexts beyond 10,000 are answered by {dict(words)}")
        for word, count in words.items():
            self.note(word, count)


class HangingContext(_Naming):
    """120 names that lead into a context of a stranger's server that hangs; the good client's lead into another server."""

    promised = "names into other servers resolve"

    def prepare(self):
        self._trap = FakeServer()
        self._other = FakeServer(resolve=NOBODY)
        for component, server in (("trap", self._trap), ("other", self._other)):
            server.__enter__()
            self.local(self.target.key).must("bind_context", binding(
                tcp_reference(server.port, "IDL:omg.org/CosNaming/NamingContext:1.0"), component))

    def good(self):
        return self.target.path, self.target.key, "resolve", bytes(name("other", "leaf")), ("ok",)

    def lap(self):
        waiting = [self.stranger(self.target.key) for _ in range(120)]
        for each in waiting:
            each.peer().send_request(each.key, "resolve", bytes(name("trap", "leaf")))
        self.while_reading(1, lambda: lambda: self.stranger(self.target.key).call("resolve", name("good"))[0])
        for each in waiting:
            each.close()

    def finish(self):
        for server in (self._trap, self._other):
            server.__exit__()


class StrangersReferences(_Naming):
    """A peer of another machine binds contexts at a loopback port and at a Unix-domain socket, and resolves names there."""

    promised = "nobody comes there"

    def lap(self):
        path = str(self.target.folder / "private")
        places = (CountingListener(socket.AF_INET, ("127.0.0.1", 0)), CountingListener(socket.AF_UNIX, path))
        root = self.stranger(self.target.key, OTHER_HOST)
        for component, reference in (("tcp", tcp_reference(places[0].socket.getsockname()[1])), ("unix", unix_reference(path))):
            self.note(f"bind_context: {root.call('bind_context', binding(reference, component))[0]}")
            self.note(f"resolve: {root.call('resolve', name(component, 'leaf'))[0]}")
        if came := [place.socket.family.name for place in places if place.came]:
            raise NotHeld(f"naming came to {' and '.join(came)}")
