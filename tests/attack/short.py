# SPDX-License-Identifier: Apache-2.0
"""The short form of attacks on servers: those that need the same victim share it, and one good client, which calls as long
as each of them takes for one lap. It judges promises, answers, memory and processor time, no latencies."""
import time

from attack.attacker import BUILD_UP_SECONDS, Attacker
from attack.report import MOST_CPU_MS, MOST_LEFT_MB_SHORT, Result
from attack.setting import Scene
from attack.victim import wait_until
from harness.process import Failure

CALLS = 50  # of a round
QUIET_SECONDS = 0.05
MOST_SECONDS_UNTIL_BACK = 5.0  # memory
MOST_SECONDS_UNTIL_QUIET = 2.0


def _needs(kind):
    return kind.options, kind.stack_kib, kind.descriptors


class ShortForm:
    def __init__(self, setting, model):
        self._setting, self._model = setting, model
        self._scene = None
        self._baseline_mb = 0.0

    def run(self, kinds, done):
        """done: is given each Result."""
        for needs in dict.fromkeys(_needs(kind) for kind in kinds):
            result = None
            for kind in (kind for kind in kinds if _needs(kind) == needs):
                if result:
                    done(result)
                result = self._once(kind)
            self._end(result)
            done(result)

    def _once(self, kind):
        result = Result(kind, self._setting.preset, self._model)
        begin = time.monotonic()
        try:
            if not self._scene:
                self._scene = Scene(self._setting, self._model, kind)
                self._scene.good.round(CALLS)  # warms everything up
                self._baseline_mb = self._scene.victim.usage.resident_mb()
            self._attack(kind, result)
        except Failure as failure:
            result.complain(str(failure))
        if self._scene:
            result.complain(self._scene.victim.complaint())
        result.judge(short=True)
        if result.complaints:  # what one attack has spoilt is not the next one's fault
            self._end(result)
        result.seconds = time.monotonic() - begin
        return result

    def _attack(self, kind, result):
        usage = self._scene.victim.usage
        usage.forget_peak()
        result.baseline_mb = self._baseline_mb
        attacker = Attacker(kind, self._scene.victim.target, True)
        under = []
        try:
            deadline = time.monotonic() + BUILD_UP_SECONDS
            while not under or (not attacker.over() and time.monotonic() < deadline):
                under.append(self._scene.good.round(CALLS, kind.new_clients))
                result.count(under[-1], kind.new_clients)
            attacker.wait_under_way()
            result.take(attacker.stop())
        finally:
            attacker.kill()
        result.measured([], under)
        result.peak_mb = usage.peak_mb()
        wait_until(lambda: usage.resident_mb() <= self._baseline_mb + MOST_LEFT_MB_SHORT, MOST_SECONDS_UNTIL_BACK)
        result.after_mb = usage.resident_mb()

        def quiet():
            result.cpu_after_ms = usage.cpu_ms_over(QUIET_SECONDS)
            return result.cpu_after_ms <= MOST_CPU_MS
        wait_until(quiet, MOST_SECONDS_UNTIL_QUIET, 0)

    def _end(self, result):
        if self._scene:
            wrong = self._scene.end()
            if wrong:
                result.complain(f"at its end: {wrong}")
        self._scene = None
