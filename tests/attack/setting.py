# SPDX-License-Identifier: Apache-2.0
"""What attacks of one run have in common, and a victim with its good client."""
from dataclasses import dataclass
import pathlib

from attack.victim import Floor, GoodClient, Victim
from harness.process import Failure, Processes


@dataclass
class Setting:
    programs: pathlib.Path
    preset: str
    short: bool
    processes: Processes  # those of the run: they end with it
    times: int            # that an attack is run in which nothing but the good client's p99 was too much

    @property
    def sanitized(self):
        return self.preset in ("asan", "tsan")


class Scene:
    """A victim, its good client, and the ping-pong beside them."""

    def __init__(self, setting, model, kind, floor):
        self.victim = Victim(setting.processes, setting.programs, setting.preset, model, kind)
        self.good = GoodClient(setting.processes, setting.programs, self.victim, floor)

    def end(self):
        """In good order, as far as that goes. What was wrong with the victim, or ''."""
        try:
            if self.good.process.running():
                self.good.end()
        except Failure:
            pass
        wrong = self.victim.end()
        self.good.process.kill()
        self.victim.process.kill()
        return wrong


def start_floor(setting):
    return Floor(setting.processes, setting.programs)
