# SPDX-License-Identifier: Apache-2.0
"""Attacks on the Implementation Repository."""
import time

from attack.attack import NotHeld
from attack.cdr import Cdr
from attack.peer import answer
from attack.services import NOBODY, ServiceAttack

REPOSITORY = b"ImplRepoService"
ON_DEMAND = 0


def server(name, command, replace=False):
    """Arguments of add()."""
    cdr = Cdr().string(name).ulong(len(command))
    for word in command:
        cdr.string(word)
    cdr.ulong(0).string("").string("").string("")  # variables, directory, user, activator
    cdr.ulong(ON_DEMAND, 5, 1000, 60000, 60000, 2000).string("").ulong(0, 100, 30000)
    return bytes(cdr.put("B", int(replace)))


def key_of(name):
    """The key of an object of that server, as it stands in the repository's references."""
    return bytes.fromhex("ca111552") + bytes((len(name),)) + name.encode() + b"any"


class _Imr(ServiceAttack):
    service = "imr"
    arguments = ("serve",)

    def prepare(self):
        self._operator = self.local(REPOSITORY)
        self._operator.must("add", server("good", ["/bin/true"]))

    def good(self):
        return self.target.path, REPOSITORY, "find", bytes(Cdr().string("good")), ("ok",)


class Strangers(_Imr):
    """Everything that administers, over loopback."""

    promised = "NO_PERMISSION"

    def lap(self):
        repository = self.stranger(REPOSITORY)
        for operation, body in (("add", server("x", ["/bin/true"])), ("remove", Cdr().string("good")), ("start", Cdr().string("good")),
                                ("stop", Cdr().string("good")), ("attach", Cdr().string("b").raw(b"").align(4).raw(NOBODY).ulong(0))):
            word, _ = repository.call(operation, body)
            if word != "NO_PERMISSION":
                raise NotHeld(f"{operation}() is answered by {word}")
            self.note(word)


class ServerThatNeverComes(_Imr):
    """3,000 requests for a server that never is ready, on 200 connections."""

    promised = "others are served"

    def prepare(self):
        super().prepare()
        self._operator.must("add", server("slow", ["/bin/sleep", "600"]))

    def lap(self):
        waiting = [self.stranger(key_of("slow")) for _ in range(200)]
        for each in waiting:
            for _ in range(15):
                each.peer().send_request(each.key, "pid", b"")
        time.sleep(self.scaled(self.seconds, 1.0))  # nothing is waited for: what happens meanwhile is what is measured
        for each in waiting:
            for message in each.peer().poll():
                self.note(answer(message))
            each.close()

    def settle(self):
        self._operator.call("stop", Cdr().string("slow"))
