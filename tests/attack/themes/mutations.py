# SPDX-License-Identifier: Apache-2.0
"""Good messages, spoilt in every way: the server ends the connection or answers, and says nothing but whole GIOP."""
import random
import struct

from attack.attack import Attack, NotHeld
from attack.cdr import TK_LONG, TK_SEQUENCE, VALUE_WITH_ID, Cdr, struct_type
from attack.crowd import many_descriptors
from attack.peer import cancel, first_fragment, fragment, request
from fault.spoil import spoil
from harness import giop

SEED = 20260401


def good_messages(key):
    """Of all operations, versions and byte orders. Bodies begin at a multiple of 8 in GIOP 1.2 alone: the others carry
    what needs no alignment beyond 4, behind a principal that ends there or not."""
    rows = []
    for little in (True, False):
        for version in giop.VERSIONS:
            order = "<" if little else ">"

            def add(operation, body, expected=True):
                rows.append(request(key, operation, bytes(body), version, little, expected))  # pylint: disable=cell-var-from-loop
            add("echo", Cdr(little).string("good morning"))
            add("note", Cdr(little).string("hello"), False)
            add("produce", struct.pack(order + "I", 100))
            add("_non_existent", b"")
            add("_is_a", Cdr(little).string("IDL:Attack/Victim:1.0"))
            rows.append(giop.locate_request(version, little, 7, key).raw())
            rows.append(cancel(3, version, little))
            if version != (1, 2):
                continue
            any_value = Cdr(little)
            with any_value.element_type(TK_SEQUENCE, 0):
                struct_type(any_value, [("a", lambda cdr: cdr.ulong(TK_LONG)), ("b", lambda cdr: cdr.string_type())],
                            "IDL:S:1.0", "S")
            any_value.ulong(2, 1).string("one").ulong(2).string("two")
            add("pass_any", any_value)
            add("take_anys", Cdr(little).ulong(1).raw(bytes(any_value)))
            add("take_type", bytes(any_value)[:-28])
            add("take_tree", Cdr(little).ulong(2, 1, 0, 0))
            add("take_either", Cdr(little).ulong(1, 2, 0, 5, 7))
            add("take_hollows", Cdr(little).ulong(2, 1, 2, 3, 4))
            node = Cdr(little).ulong(2, VALUE_WITH_ID).string("IDL:Attack/Node:1.0").ulong(0, 0).indirection(4)
            add("pass_nodes", node)
            add("take_value", bytes(node)[4:-8])
            add("take_words", Cdr(little).ulong(1, VALUE_WITH_ID).string("IDL:Attack/Word:1.0").string("word"))
            add("take_pair", Cdr(little).ulong(5).string("x").ulong(1))
            add("take_wide", Cdr(little).octets("\ufeffwide".encode("utf-16-le" if little else "utf-16-be")))
            add("take_prices", bytes.fromhex("000000012c") + bytes.fromhex("0" * 31 + "c"))
            add("take_object", Cdr(little).string("").ulong(0))
            rows.append(first_fragment(key, "take_octets", struct.pack(order + "II", 8, 1), 5, little)
                        + fragment(5, bytes(4), False, little))
    return rows


class _Mutated(Attack):
    promised = "MessageError, a fault or an answer"

    def prepare(self):
        many_descriptors()
        self._rows = good_messages(self.target.key)
        self._random = random.Random(SEED)

    def send_all(self, rows):
        """Each on a connection of its own, which is half closed: the victim must end it."""
        for begin in range(0, len(rows), 32):
            peers = []
            for row in rows[begin:begin + 32]:
                peer = self.peer()
                peer.send(row)
                peer.half_close()
                peers.append((row, peer))
            for row, peer in peers:
                try:
                    for message in peer.until_closed():
                        self.note(giop.TYPE_NAMES[message.kind])
                except giop.Malformed as malformed:
                    raise NotHeld(f"to {row.hex()} the victim said no GIOP: {malformed}") from None
                if peer.half_said:
                    raise NotHeld(f"to {row.hex()} the victim said half a message")
                peer.close()


class Spoilt(_Mutated):
    """Bits flipped, numbers made evil, bytes removed and put in, with a seed."""

    def prepare(self):
        super().prepare()
        self.send_all(self._rows)

    def lap(self):
        self.send_all([spoil(self._random, self._random.choice(self._rows)) for _ in range(200)])


class Truncated(_Mutated):
    """Each message cut off at each byte, in turn; with its true length in the header, and with the length of what is left."""

    def prepare(self):
        super().prepare()
        self._cuts = [row[:at] for row in self._rows for at in range(len(row))]
        self._cuts += [row[:8] + struct.pack("<I" if row[6] & 1 else ">I", at - 12) + row[12:at]
                       for row in self._rows for at in range(12, len(row))]
        self._random.shuffle(self._cuts)

    def lap(self):
        if not self._cuts:
            self._cuts = [row[:-1] for row in self._rows]
        now, self._cuts = self._cuts[:200], self._cuts[200:]
        self.send_all(now)


class Headers(_Mutated):
    """Each octet of the header with each value."""

    def lap(self):
        row = self._random.choice(self._rows)
        at = self._random.randrange(12)
        self.send_all([row[:at] + bytes((number,)) + row[at + 1:] for number in range(256)])
