# SPDX-License-Identifier: Apache-2.0
"""The demo's table of code sizes."""
import os
import sys
import unittest

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in (".", "../common")]
import code_sizes  # noqa: E402


class CodeSizes(unittest.TestCase):
    def test_a_row_has_stubs_plans_and_skeletons(self):
        of = {"plan": 900, "writable": 8, ("interpreted", "stub"): 100, ("compiled", "stub"): 1000, ("interpreted", "skeleton"): 60,
              ("compiled", "skeleton"): 600}
        row, = code_sizes.rows({"all": of})
        self.assertEqual(row, ["all seven", "100", "8", "900", "1,000", "0.10", "1.00", "60", "600", "0.10"])
        self.assertEqual(len(row), len(code_sizes.HEAD))


if __name__ == "__main__":
    unittest.main()
