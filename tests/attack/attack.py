# SPDX-License-Identifier: Apache-2.0
"""What an attack is.

An attack on a server runs in a process of its own. It builds up in prepare(), then makes laps until its time is over: a
lap is one round of messages whose answers it checks, so that attacks are under way as long as the good client is measured.
The short form makes one lap. When the process ends its connections do, and the victim must be as it was before.

An attack on a client is a server that it calls, one on the compiler a file that it compiles.
"""
import select

from attack.peer import Peer


class NotHeld(Exception):
    """The victim did not do as promised; the text says what it did."""


class _Described:
    promised = ""     # what the table says under "promised"
    short = True      # part of the short form
    skipped_under = ()  # presets under which it cannot be run

    @classmethod
    def name(cls):
        return f"{cls.__module__.rpartition('.')[2]}.{cls.__name__}"


class Attack(_Described):
    """Against a server."""

    models = ()           # the thread models whose servers it is for; none: all
    micro = True          # whether also those of the micro profile, which lacks some options and forms of messages
    options = ()          # of the victim, besides the thread model
    stack_kib = 0         # of the victim: ulimit -s
    descriptors = 0       # of the victim: ulimit -n
    seconds = 3           # how long laps go on, at least; the rounds of the good client may take longer
    settle_seconds = 1.0  # after the attacker has gone, until memory must be back
    new_clients = True    # whether new clients' first calls must be answered, too
    latency = True        # whether the good client's p99 is judged: not where the victim itself is made scarce

    def __init__(self, target, short):
        self.target = target
        self.is_short = short
        self.seen = {}

    def prepare(self):
        """Builds up. The good client is measured after it."""

    def lap(self):
        """Once more. Raises NotHeld."""
        raise NotImplementedError

    def finish(self):
        """After the last lap, connections still open."""

    def peer(self, source=1, address=None):
        """A connection from 127.1.x.x: the limits for one address count it apart from the good client's. address: that of the
        good client's object when none is said."""
        return Peer(address or self.target.address, source)

    def note(self, what, count=1):
        """Counts answers, for the table."""
        self.seen[what] = self.seen.get(what, 0) + count

    def scaled(self, full, short):
        return short if self.is_short else full

    def call(self, peer, operation, body=b"", allowed=("ok",), **how):
        """A request whose answer must be one of these words (peer.answer)."""
        word = peer.call(self.target.key, operation, body, **how)
        self.expect(word, *allowed)
        return word

    def expect(self, word, *allowed):
        if word not in allowed:
            raise NotHeld(f"answered by {word}, not by {' or '.join(allowed)}")
        self.note(word)


class ClientAttack(_Described):
    """Against a client, which makes one call of a hostile server. A subclass writes what the server does to a connection
    in serve(connection)."""

    operation = "echo"    # of programs/client.cpp
    options = ("-ORBCallTimeout", "1000")
    expected = ("TIMEOUT",)  # how what the client says may begin
    most_seconds = 2.0    # of the call
    calls = 1
    stack_kib = 0

    def __init__(self, short):
        self.is_short = short

    def references(self, hostile):
        """What the client calls; hostile: the server (hostile.py)."""
        return hostile.reference()

    def serve(self, connection):
        """Runs in a thread for each connection; ends when the client has closed it, at the latest."""
        raise NotImplementedError

    def judge(self, said, hostile):
        """Further promises. said: the client's words."""


class CompilerAttack(_Described):
    """Against callis-idl: a file of which a subclass gives the text. Well or with diagnostics, it must end."""

    promised = "<= 5 s, <= 1 GB"
    options = ()
    most_seconds = 5.0
    most_mb = 1000

    def text(self):
        """The file, in pieces."""
        raise NotImplementedError


def pause(seconds, descriptors=()):
    """Waits, at most so long, for one of these to become readable; for attacks in which time itself is the weapon."""
    return select.select(list(descriptors), [], [], max(0.0, seconds))[0]
