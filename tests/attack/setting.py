# SPDX-License-Identifier: Apache-2.0
"""What attacks of one run have in common, and a victim with its good client."""
from dataclasses import dataclass
import pathlib

from attack.victim import GoodClient, Victim
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
    """A victim and its good client. The victim has a thread for the ping-pong, too."""

    def __init__(self, setting, model, kind):
        self.victim = Victim(setting.processes, setting.programs, setting.preset, model, kind)
        self.good = GoodClient(setting.processes, setting.programs, self.victim)

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
