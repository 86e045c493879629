#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The line through measured points, its check, and what is used up first."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "common")]
import model  # noqa: E402
from suite import Results  # noqa: E402


class Lines(unittest.TestCase):
    def test_go_through_points_on_a_line(self):
        found = model.line([(10, 120), (20, 220), (40, 420)])
        self.assertAlmostEqual(found.base, 20)
        self.assertAlmostEqual(found.each, 10)

    def test_of_one_point_start_at_nothing(self):
        self.assertEqual(model.line([(10, 50)]), model.Line(0.0, 5.0))


class Checks(unittest.TestCase):
    def test_do_not_look_at_the_point_that_they_check(self):
        found = model.check([(40, 999), (10, 120), (20, 220)])
        self.assertAlmostEqual(found.predicted, 420)
        self.assertAlmostEqual(found.off, 1 - 420 / 999)

    def test_a_cost_that_grows_faster_than_a_line_is_found(self):
        straight, square = ([(n, f(n)) for n in (1000, 2000, 8000)] for f in (lambda n: 50 + 3 * n, lambda n: n * n))
        self.assertLess(model.check(straight).off, 1e-9)
        self.assertGreater(model.check(square).off, 0.5)

    def test_need_two_points(self):
        self.assertIsNone(model.check([(10, 120)]))


class Cases(unittest.TestCase):
    def test_are_those_of_a_kind_with_a_number(self):
        results = Results()
        for case in ("connections/200", "connections/100", "connections/100/kernel", "active/300"):
            results.add("growth", "callis-pool", case, "bytes", 2.0)
        self.assertEqual(model.of_cases(results, "growth", "callis-pool", "connections", "bytes", lambda n, v: n * v), [(100, 200.0), (200, 400.0)])


class Needs(unittest.TestCase):
    def test_the_scarcest_comes_first(self):
        found = model.connections(1000, 4000, 10, 20_000, 24e9, 2)
        self.assertEqual([n.whose for n in found], ["process", "address", "machine", "machine"])
        self.assertAlmostEqual(found[0].times, 1e6 / 19_900)
        many = model.connections(1000, 4000, 1000, 2_000_000, 24e9, 2)
        self.assertTrue(many[0].what.startswith("processors"))

    def test_what_is_not_known_is_left_out(self):
        self.assertEqual(len(model.connections(1000, 0, 10, 20_000, 0, 2)), 3)


if __name__ == "__main__":
    unittest.main()
