# SPDX-License-Identifier: Apache-2.0
"""Attacks on the Interface Repository."""
from attack.attack import NotHeld
from attack.cdr import Cdr
from attack.services import ServiceAttack


class _Ifr(ServiceAttack):
    service = "ifr"
    arguments = ("serve",)

    def prepare(self):
        self._operator = self.local(self.target.key)
        self._operator.must("feed", Cdr().string("good.idl").octets(b"struct Good { long a; };"))

    def good(self):
        return self.target.path, self.target.key, "lookup_id", bytes(Cdr().string("IDL:Good:1.0")), ("ok",)


class Feed(_Ifr):
    """A file of some megabytes is fed by a user of this machine; the good client reads."""

    promised = "a reader waits 50 ms at most"
    judges_wait = True
    durable = True

    def lap(self):
        structs = self.scaled(20000, 2000)
        text = "".join(f"struct S{number} {{ long first; string second; sequence<double> third; }};\n" for number in range(structs))
        word, _ = self._operator.call("feed", Cdr().string("big.idl").octets(text.encode()), 60)
        self.note(f"feed of {len(text) / 1e6:.1f} MB")
        self.expect(word, "ok", "user", "NO_RESOURCES")


class Strangers(_Ifr):
    """Feeding over loopback."""

    promised = "NO_PERMISSION"

    def lap(self):
        word, _ = self.stranger(self.target.key).call("feed", Cdr().string("x.idl").octets(b"struct X { long a; };"))
        if word != "NO_PERMISSION":
            raise NotHeld(f"feed() is answered by {word}")
        self.note(word)
