#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests counts.py without programs: what is taken off, and that a tool that has counted nothing is a failure."""
import unittest

import counts


def counted(**some):
    return {c: some.get(c, 0) for c in counts.COUNTERS}


class OfACall(unittest.TestCase):
    def test_takes_off_what_a_command_costs(self):
        found = counts.of_a_call([counted(allocations=7)] * 3, counted(allocations=7 + 400), 100)
        self.assertEqual(found["allocations"], 4)

    def test_a_thread_in_the_background_makes_no_count_negative(self):
        singles = [counted(locks=1), counted(), counted()]
        self.assertEqual(counts.of_a_call(singles, counted(), 100)["locks"], 0)

    def test_shows_what_a_thread_in_the_background_counts_during_the_calls(self):
        self.assertEqual(counts.of_a_call([counted()] * 3, counted(locks=2), 100)["locks"], 0.02)


class Seen(unittest.TestCase):
    def test_a_tool_that_has_not_counted_is_a_failure(self):
        with self.assertRaises(counts.Failure):
            counts.seen(0, "allocations")


if __name__ == "__main__":
    unittest.main()
