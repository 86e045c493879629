#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The generator of random files: the same for the same seed, and its evaluator of constants right where it is known."""
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import constants  # noqa: E402
import driver  # noqa: E402
import features  # noqa: E402
import idl  # noqa: E402
import make  # noqa: E402


class Generator(unittest.TestCase):
    def test_makes_the_same_files_of_the_same_seed(self):
        a, b = (make.batch(5, 0, 8, features.ALL) for _ in range(2))
        self.assertEqual([idl.text(f) for f in a], [idl.text(f) for f in b])
        self.assertEqual([driver.text(f) for f in make.batch(5, 0, 8, features.AVAILABLE)],
                         [driver.text(f) for f in make.batch(5, 0, 8, features.AVAILABLE)])
        self.assertNotEqual(idl.text(a[0]), idl.text(make.batch(6, 0, 1, features.ALL)[0]))

    def test_leaves_out_what_is_not_asked_for(self):
        text = "".join(idl.text(f) for f in make.batch(1, 0, 60, frozenset()))
        for word in ("union ", " any ", "wstring", "wchar ", "valuetype ", "TypeCode"):
            self.assertNotIn(word, text)
        text = "".join(idl.text(f) for f in make.batch(1, 0, 60, features.ALL))
        for word in ("union ", " any ", "wstring", "wchar ", "valuetype ", "TypeCode", "fixed<", "truncatable", "oneway", "raises",
                     "abstract valuetype"):
            self.assertIn(word, text)

    def test_have_members_of_anonymous_types_that_need_each_others_names(self):
        types = [t for seed in range(4) for f in make.batch(seed, 0, 20, features.ALL) for t in f.types]
        self.assertTrue(any(c.member.type.kind == "array" for t in types if t.kind == "union" for c in t.cases))
        self.assertTrue(any(m.type.kind == "array" for t in types if t.kind == "value" for m in t.members))
        arrays = [{m.name for m in t.members if m.type.kind == "array"} for t in types if t.kind == "struct"]
        self.assertTrue(any(names.intersection(make.NEIGHBOURS) for names in arrays))


class Evaluator(unittest.TestCase):
    def test_divides_towards_zero(self):
        self.assertEqual([constants.divide(7, -2), constants.divide(-7, 2), constants.divide(-7, -2)], [-3, -3, 3])
        self.assertEqual([constants.apply("%", 7, -2), constants.apply("%", -7, 2)], [1, -1])

    def test_knows_no_value_of_a_division_by_zero_or_a_wide_shift(self):
        self.assertIsNone(constants.apply("/", 1, 0))
        self.assertIsNone(constants.apply("<<", 1, 64))

    def test_stays_within_the_type(self):
        generator = random.Random(3)
        for type_, (low, high) in constants.RANGES.items():
            for _ in range(300):
                _, value = constants.integer(generator, type_, [])
                self.assertTrue(low <= value <= high)


if __name__ == "__main__":
    unittest.main()
