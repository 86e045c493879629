# SPDX-License-Identifier: Apache-2.0
"""What plans take of the heap: the programs' answers, and that heap which plans do not explain is noticed."""
import os
import sys
import unittest
from unittest import mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "common")]
import plans  # noqa: E402
from processes import Failure  # noqa: E402


class Plans(unittest.TestCase):
    def test_an_answer_has_bytes_by_operation(self):
        self.assertEqual(plans.built("plans test_short=120 test_strseq=1904"), {"test_short": 120, "test_strseq": 1904})

    def test_plans_that_are_not_built_take_nothing(self):
        self.assertEqual(plans.built("plans"), {})

    def test_another_answer_is_a_failure(self):
        with self.assertRaises(Failure):
            plans.built("100")

    def of_all(self, interpreted, compiled, answer):
        caller = mock.MagicMock()
        caller.return_value.__enter__.return_value.ask.return_value = answer
        with mock.patch.object(plans, "Caller", caller), \
                mock.patch.object(plans, "growth", lambda _, style: {"interpreted": interpreted, "compiled": compiled}[style]):
            return plans.of_all("nowhere")

    def test_the_plans_of_all_operations_add_up(self):
        self.assertEqual(self.of_all(300_000, 210_000, "plans a=50000 b=40000"), 90_000)

    def test_heap_that_plans_do_not_explain_is_a_failure(self):
        with self.assertRaisesRegex(Failure, "90,000 bytes more"):
            self.of_all(300_000, 210_000, "plans")


if __name__ == "__main__":
    unittest.main()
