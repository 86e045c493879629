# SPDX-License-Identifier: Apache-2.0
"""Bars of crowds: which of the systems are compared, and what is said of those that were not measured."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import crowds  # noqa: E402
from suite import Results  # noqa: E402


def rows(results):
    return {row.name: row for row in crowds.bars(results, "core")}


class Callers(unittest.TestCase):
    NAME = "64 clients calling test_short: calls/s, the better model ÷ the best other system"

    def test_the_better_model_is_compared_with_the_best_other_of_the_same_round(self):
        results = Results()
        for system, calls in {"callis-interpreted": (100, 200), "callis-pool": (150, 100), "omniorb": (50, 400),
                              "ice": (75, 10)}.items():
            for n, value in enumerate(calls):
                results.add("core", system, "crowd", "calls_per_s", value, n)
        row = rows(results)[self.NAME]
        self.assertEqual((row.value, row.passes), (1.25, True))  # of 150 ÷ 75 and 200 ÷ 400
        self.assertIn("0.50 to 2.00", row.note)

    def test_without_others_the_bar_is_missed(self):
        results = Results()
        results.add("core", "callis-pool", "crowd", "calls_per_s", 100)
        row = rows(results)[self.NAME]
        self.assertEqual((row.value, row.passes), (None, False))


class Idlers(unittest.TestCase):
    def test_each_model_has_its_bars(self):
        results = Results()
        results.add("core", "callis-pool", "idle", "bytes", 3000)
        results.add("core", "omniorb", "idle", "bytes", 20000)
        for case, p99 in (("idle/among", 26.0), ("idle/alone", 20.0)):
            results.add("core", "callis-pool", case, "p99_us", p99)
        found = rows(results)
        memory = found["10,000 idle connections, pool: memory of the server"]
        self.assertEqual((memory.value, memory.passes, memory.note), (30.0, True, "omniorb 200.0 MB"))
        slower = found["p99 of a client among 10,000 idle ones ÷ alone, pool"]
        self.assertAlmostEqual(slower.value, 1.3)
        self.assertFalse(slower.passes)
        self.assertFalse(found["10,000 idle connections, a thread a connection: memory of the server"].passes)


if __name__ == "__main__":
    unittest.main()
