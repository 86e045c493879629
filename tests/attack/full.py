# SPDX-License-Identifier: Apache-2.0
"""The full form of an attack on a server: a victim of its own, the good client measured before, meanwhile and afterwards."""
import time

from attack.attacker import Attacker
from attack.awake import Awake
from attack.report import MOST_CPU_MS, Result
from attack.setting import Scene
from attack.victim import wait_until
from harness.process import Failure

ROUNDS = 5
CALLS = 1000  # of a round
MOST_ROUNDS = 200
SANITIZER_SECONDS = 10  # until a sanitizer has given back what was freed


class FullForm:
    def __init__(self, setting, model):
        self._setting, self._model = setting, model

    def run(self, kinds, done):
        """done: is given each Result."""
        for kind in kinds:
            for _ in range(self._setting.times):
                with Awake():
                    result = self._once(kind)
                if not result.only_slow:
                    break
            done(result)

    def _once(self, kind):
        result = Result(kind, self._setting.preset, self._model)
        scene = None
        try:
            scene = Scene(self._setting, self._model, kind)
            self._measure(kind, scene, result)
        except Failure as failure:
            result.complain(str(failure))
        if scene:
            result.complain(scene.victim.complaint())
            wrong = scene.end()
            if wrong:
                result.complain(f"at its end: {wrong}")
        result.judge(short=False)
        return result

    def _measure(self, kind, scene, result):
        usage = scene.victim.usage
        calls = CALLS // 2 if self._setting.sanitized else CALLS

        def measure_round(new_clients=True):
            measured = scene.good.round(calls, new_clients)
            result.count(measured, new_clients)
            return measured

        measure_round()  # warms everything up
        alone = [measure_round() for _ in range(ROUNDS)]
        usage.forget_peak()
        result.baseline_mb = usage.resident_mb()
        attacker = Attacker(kind, scene.victim.target, False)
        try:
            begin = time.monotonic()
            under = []
            if attacker.wait_under_way():
                while ((len(under) < ROUNDS or time.monotonic() - begin < kind.seconds)
                       and len(under) < MOST_ROUNDS and not attacker.over()):
                    under.append(measure_round(kind.new_clients))
            result.take(attacker.stop())
        finally:
            attacker.kill()
        wait_until(lambda: False, kind.settle_seconds)
        result.after_mb = usage.resident_mb()
        if self._setting.sanitized:  # it gives memory back for a while yet, 0.1 s after it was freed and slowly
            wait_until(lambda: usage.cpu_ms_over(0.1) <= MOST_CPU_MS, SANITIZER_SECONDS)
        result.cpu_after_ms = usage.cpu_ms_over(1.0)
        alone += [measure_round() for _ in range(ROUNDS)]
        result.measured(alone, under)
        result.peak_mb = usage.peak_mb()
