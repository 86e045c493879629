# SPDX-License-Identifier: Apache-2.0
"""The process that attacks."""
import json
import os
import select
import signal
import time
import traceback

from attack.attack import NotHeld
from attack.peer import NoAnswer
from attack.victim import attacker_only

BUILD_UP_SECONDS = 120


class Attacker:
    """The attack, in a process of its own. Its connections end with it."""

    def __init__(self, kind, target, short):
        inner_words, outer_words = os.pipe()
        inner_stop, outer_stop = os.pipe()
        self._child = os.fork()
        if self._child == 0:
            os.close(inner_words)
            os.close(outer_stop)
            signal.signal(signal.SIGPIPE, signal.SIG_IGN)
            try:
                if not short:
                    attacker_only()
                _attack(kind(target, short), outer_words, inner_stop)
            finally:
                os._exit(0)
        os.close(outer_words)
        os.close(inner_stop)
        self._words, self._stop = inner_words, outer_stop
        self._buffer = b""

    def wait_under_way(self):
        """False when it is over already."""
        return self._line(BUILD_UP_SECONDS).get("under way", False)

    def over(self):
        return b"\n" in self._buffer or bool(select.select([self._words], [], [], 0)[0])

    def stop(self):
        """What came of it: {"not held": text or "", "seen": {}, "laps": n}."""
        os.close(self._stop)
        came_to = self._line(BUILD_UP_SECONDS)
        self.kill()
        return came_to

    def kill(self):
        if self._child:
            try:
                os.kill(self._child, signal.SIGKILL)
            except ProcessLookupError:
                pass
            os.waitpid(self._child, 0)
            self._child = 0
            os.close(self._words)

    def _line(self, seconds):
        deadline = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._words], [], [], left)[0]:
                return {"not held": f"the attack itself did not go on within {seconds} s", "seen": {}, "laps": 0}
            data = os.read(self._words, 65536)
            if not data:
                return {"not held": "the attacker ended early", "seen": {}, "laps": 0}
            self._buffer += data
        line, self._buffer = self._buffer.split(b"\n", 1)
        said = json.loads(line)
        if "not held" in said and said["laps"] == 0:
            self._buffer = line + b"\n" + self._buffer  # said instead of "under way": stop() reads it again
        return said


def _attack(attack, words, stop):
    laps, not_held = 0, ""
    try:
        attack.prepare()
        while laps == 0 or (not attack.is_short and not select.select([stop], [], [], 0)[0]):
            attack.lap()
            laps += 1
            if laps == 1:
                os.write(words, b'{"under way": true}\n')
        attack.finish()
    except (NotHeld, NoAnswer) as failure:
        not_held = str(failure)
    except Exception as error:  # pylint: disable=broad-except
        not_held = f"{type(error).__name__}: {error} in {traceback.format_exc(limit=-1).splitlines()[1].strip()}"
    os.write(words, json.dumps({"not held": not_held, "seen": attack.seen, "laps": laps}).encode() + b"\n")
