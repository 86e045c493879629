#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tenths of the tests that ./dev test leaves to --all."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from rest import tenth_of  # noqa: E402

USUAL = {"together.orb": 600, "house.words": 60}
REST = {f"bench.{n:02}": 60 for n in range(25)}


class Rest(unittest.TestCase):
    def test_the_tenths_are_all_tests_of_the_rest_each_once(self):
        tenths = [tenth_of(USUAL | REST, USUAL, n, 600)[0] for n in range(10)]
        self.assertEqual(sorted(sum(tenths, [])), sorted(REST))
        self.assertEqual({len(t) for t in tenths}, {2, 3})

    def test_any_number_names_a_tenth_by_its_last_digit(self):
        self.assertEqual(tenth_of(REST, {}, "20785", 600), tenth_of(REST, {}, 5, 600))

    def test_a_test_that_may_take_too_long_is_named_apart(self):
        every = REST | {"bench.10": 601.0}
        self.assertEqual(tenth_of(every, {}, 0, 600), (["bench.00", "bench.20"], ["bench.10"]))


if __name__ == "__main__":
    unittest.main()
