# SPDX-License-Identifier: Apache-2.0
"""Text of the peer's that reaches people, and keys that can be counted."""
import os
import struct

from attack.attack import Attack, NotHeld
from attack.cdr import TK_STRUCT, VALUE_WITH_ID, Cdr
from attack.peer import answer, request
from attack.themes.crashes import REFUSED
from harness import giop

BI_DIR_IIOP = 5  # a service context
HOST = "forged-host\x9b31m\x85\xc3("  # may be a host's name, as far as its bytes go: the log repeats it
ESCAPES = "\x1b[2J\x1b]0;owned\x07\r\nFAILED: forged line\x00\x7f\x9b31m\xc3\x28"


class ControlCharacters(Attack):
    """Control characters, escape sequences and line ends in operation names, repository ids, keys and the host of a listen
    point, which the log repeats; with everything logged."""
    micro = False

    promised = "log lines stay text"
    options = ("-ORBLog", "debug", "-ORBBidirectional", "both")
    seconds = 1

    def lap(self):
        text = ESCAPES.replace("\x00", "")
        with self.peer() as peer:
            self.expect(peer.call(self.target.key, text), "BAD_OPERATION", *REFUSED, "close", "error")
            self.expect(peer.call(text.encode("latin-1"), "echo"), "OBJECT_NOT_EXIST", "close", "error")
        with self.peer() as peer:
            self.expect(peer.call(self.target.key, "take_value", Cdr().ulong(VALUE_WITH_ID).string(text)), *REFUSED)
            body = Cdr()
            with body.complex_type(TK_STRUCT, text, text):
                body.ulong(1).string(text).ulong(99)
            self.expect(peer.call(self.target.key, "take_any", body), *REFUSED)
        with self.peer() as peer:
            peer.send(text.encode("latin-1") * 10)
            peer.until_closed()
        with self.peer() as peer:
            for host in (text, HOST):
                peer.send(self._listening_at(host))
                self.expect(answer(peer.message()), "ok")
        self.note("laps")

    def _listening_at(self, host):
        """A call whose bidirectional context says so."""
        writer = giop.Writer((1, 2), True).put("I", 5).put("B", 3).raw(bytes(3))
        writer.put("H", 0).octets(self.target.key).string("notes").put("I", 1)
        point = Cdr().put("B", 1).ulong(1).string(host).put("H", 9)
        return writer.put("I", BI_DIR_IIOP).octets(bytes(point)).message(giop.REQUEST).raw()

    def finish(self):
        log = self.target.log.read_bytes()
        bad = [byte for byte in log if (byte < 32 and byte != 10) or byte == 127 or 128 <= byte < 160]
        if b"forged-host" not in log:
            raise NotHeld("the log does not repeat what the attack said: it shows nothing")
        if bad or b"\nFAILED: forged" in log:
            raise NotHeld(f"control character {bad[0] if bad else 10:#x} in the log")
        self.note("bytes of log", len(log))


UNTOLD = 15  # objects of the victim's that it tells nobody of
_SLOT_AT, _PLAIN_BYTES = 16, 24  # of a key of the system's (callis/poa/object/key.h)


def _counted(key):
    """The key with other slots and generations."""
    slot, generation = struct.unpack_from("=II", key, _SLOT_AT)
    numbers = {(slot + i, generation + j) for i in range(-1, 2 * UNTOLD) for j in (-1, 0, 1)} - {(slot, generation)}
    return {key[:_SLOT_AT] + struct.pack("=II", i & 0xffffffff, j & 0xffffffff) + key[_PLAIN_BYTES:] for i, j in numbers}


class _Keys(Attack):
    seconds = 1

    def reached(self, keys):
        """How many of them name an object."""
        keys, found = list(keys), 0
        with self.peer() as peer:
            for begin in range(0, len(keys), 200):
                some = keys[begin:begin + 200]
                peer.send(b"".join(request(key, "notes") for key in some))
                for _ in some:
                    word = answer(peer.message())
                    self.expect(word, "ok", "forward", "OBJECT_NOT_EXIST")  # forward: an object of another lane
                    found += word != "OBJECT_NOT_EXIST"
        return found


class PlainKeys(_Keys):
    """Without -ORBUnguessableKeys: slots counted from those in the one key that is known. SECURITY.md says that keys are no
    capabilities; and what finds nothing here would show nothing below."""
    micro = False

    promised = "all objects are reached, as said"

    def lap(self):
        adapter = self.target.key[:_SLOT_AT]
        there = UNTOLD + sum(other.object_key.startswith(adapter) for other in self.target.others.values())
        found = self.reached(_counted(self.target.key))
        if found != there:
            raise NotHeld(f"counting reaches {found} of {there} objects")


class CountedKeys(_Keys):
    """With -ORBUnguessableKeys yes: keys made from the known one by counting, with and without its last 8 bytes, and bit by bit
    and byte by byte."""
    micro = False

    promised = "no other key reaches an object"
    options = ("-ORBUnguessableKeys", "yes")

    def lap(self):
        key = self.target.key
        plain = key[:_PLAIN_BYTES]
        others = _counted(key) | _counted(plain) | {other + os.urandom(8) for other in _counted(plain)}
        others |= {key[:i] + bytes((key[i] ^ 1 << bit,)) + key[i + 1:] for i in range(len(key)) for bit in range(8)}
        others |= {key[:i] + bytes((number,)) + key[i + 1:] for i in range(len(key)) for number in range(256)}
        others |= {key[:size] for size in range(len(key))} | {key + b"\0", key + key}
        others |= {key[:-8] + os.urandom(8) for _ in range(1000)}
        found = self.reached(others - {key})
        if found:
            raise NotHeld(f"{found} keys other than the known one reach an object")
        if self.reached([key]) != 1:
            raise NotHeld("the good key reaches no object")
