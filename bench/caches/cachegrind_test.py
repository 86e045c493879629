# SPDX-License-Identifier: Apache-2.0
"""What cachegrind writes, and what a step costs."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "common")]
import cachegrind  # noqa: E402
from processes import Failure  # noqa: E402

WRITTEN = "desc: I1 cache: 32768 B\ncmd: ./x\nevents: Ir I1mr ILmr Dr D1mr DLmr Dw D1mw DLmw\nfl=a\n1 2\nsummary: 100 7 1 40 5 2 20 3 1\n"


class Cachegrind(unittest.TestCase):
    def test_the_summary_is_read_by_the_names_of_events(self):
        self.assertEqual(cachegrind.parse(WRITTEN)["D1mw"], 3)

    def test_no_summary_is_a_failure(self):
        with self.assertRaises(Failure):
            cachegrind.parse("events: Ir\n")

    def test_a_step_is_the_difference_of_two_runs(self):
        runs = {2: dict.fromkeys(("Ir", "I1mr", "D1mr", "D1mw", "ILmr", "DLmr", "DLmw"), 10),
                6: {"Ir": 410, "I1mr": 18, "D1mr": 14, "D1mw": 14, "ILmr": 10, "DLmr": 10, "DLmw": 14}}
        self.assertEqual(cachegrind.a_step(runs.get, 2, 6),
                         {"instructions": 100, "code_misses": 2, "data_misses": 2, "last_misses": 1})


if __name__ == "__main__":
    unittest.main()
