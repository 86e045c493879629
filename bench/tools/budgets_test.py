#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests budgets.py without programs: what is allowed, what is found, and that nothing is forgotten."""
import unittest

import budgets

FILE = {"client_instructions": 1000, "client_locks": 2, "lines_of_orb": 100}


class Risen(unittest.TestCase):
    def test_the_budget_is_allowed_and_less_is(self):
        self.assertEqual(budgets.risen(FILE, dict(FILE)), [])
        self.assertEqual(budgets.risen(FILE, {**FILE, "client_instructions": 500}), [])

    def test_one_in_a_hundred_is_allowed_of_instructions(self):
        self.assertEqual(budgets.risen(FILE, {**FILE, "client_instructions": 1010}), [])
        self.assertEqual(budgets.risen(FILE, {**FILE, "client_instructions": 1011}),
                         ["client_instructions: 1011, where 1000 are the budget"])

    def test_no_lock_more_is_allowed(self):
        self.assertEqual(budgets.risen(FILE, {**FILE, "client_locks": 3}), ["client_locks: 3, where 2 are the budget"])

    def test_what_stands_on_one_side_alone_is_said(self):
        self.assertEqual(budgets.risen(FILE, {"client_instructions": 1, "client_locks": 1, "new": 1}),
                         ["new has no budget: run budgets.py --write", "lines_of_orb is not counted"])


class Read(unittest.TestCase):
    def test_the_file_can_be_read(self):
        found = budgets.read(budgets.FILE.read_text(encoding="utf-8"))
        self.assertIn("server_instructions", found)

    def test_other_lines_are_refused(self):
        for text in ("client_locks", "client_locks -1", "client_locks 1\nclient_locks 1", "client locks 1"):
            with self.assertRaises(ValueError):
                budgets.read(text)

    def test_lines_are_counted_without_tests(self):
        self.assertGreater(budgets.lines_of("callis/poa"), 1000)
        self.assertEqual(budgets.lines_of("callis/nowhere"), 0)


if __name__ == "__main__":
    unittest.main()
