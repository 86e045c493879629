# SPDX-License-Identifier: Apache-2.0
"""Victims that run out of something."""

from attack.attack import Attack, NotHeld
from attack.crowd import Crowd
from attack.usage import Usage


class Descriptors(Attack):
    """1,000 connections to a server that may have 64 descriptors."""

    promised = "< 5% CPU, recovers"
    descriptors = 64
    new_clients = False  # while all descriptors are taken
    seconds = 3

    def prepare(self):
        self.crowd = Crowd(self.target.address)
        for _ in range(1000):
            self.crowd.join(b"G")
        self.crowd.drive(0.5)

    def finish(self):
        seconds = self.scaled(1.0, 0.2)
        share = Usage(self.target.pid).cpu_ms_over(seconds) / 1000 / seconds
        self.note(f"{share:.0%} CPU")
        if share >= 0.05:
            raise NotHeld(f"{share:.0%} CPU while descriptors are used up")

    def lap(self):
        self.crowd.drive(0.2)


class OneAddress(Attack):
    """600 connections from one address, which may have 256."""

    promised = "256 at most, others served"

    def prepare(self):
        self.crowd = Crowd(self.target.address, per_source=1000)
        for _ in range(600):
            self.crowd.join(b"G")
        self.crowd.drive(0.5)

    def lap(self):
        self.crowd.drive(0.2)
        self.note("laps")
        if self.crowd.open > 256:
            raise NotHeld(f"{self.crowd.open} connections from one address are open")
