# SPDX-License-Identifier: Apache-2.0
"""Results: medians, ratios within rounds, what is missing, lines of JSON; and what a Context says."""
import json
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from suite import Context, Results  # noqa: E402


def filled(values):
    """values: {system: [value of round 0, of round 1, ...]}; None: not in that round."""
    results = Results()
    for system, rounds in values.items():
        for n, value in enumerate(rounds):
            if value is not None:
                results.add("ttcp", system, "one-cpu/octet/1K", "gbit_s", value, n)
    return results


POINT = ("ttcp", "one-cpu/octet/1K", "gbit_s")


class Medians(unittest.TestCase):
    def test_is_that_of_all_rounds(self):
        self.assertEqual(filled({"raw": [1, 9, 2]}).median("ttcp", "raw", *POINT[1:]), 2)

    def test_is_none_where_nothing_was_measured(self):
        self.assertIsNone(filled({"raw": [1]}).median("ttcp", "ice", *POINT[1:]))

    def test_a_second_value_of_a_round_replaces_the_first(self):
        results = filled({"raw": [1]})
        results.add("ttcp", "raw", *POINT[1:], 5, 0)
        self.assertEqual(results.median("ttcp", "raw", *POINT[1:]), 5)


class Ratios(unittest.TestCase):
    def test_are_taken_within_rounds(self):
        # The medians' ratio would be 20 ÷ 10.
        results = filled({"ice": [10, 20, 30], "raw": [10, 10, 60]})
        self.assertEqual(results.ratio(*POINT, "ice", "raw"), (1.0, 0.5, 2.0))

    def test_leave_out_rounds_that_only_one_has(self):
        results = filled({"ice": [10, None, 30], "raw": [5, 1]})
        self.assertEqual(results.ratio(*POINT, "ice", "raw"), (2.0, 2.0, 2.0))

    def test_are_none_without_a_common_round(self):
        results = filled({"ice": [10], "raw": [None, 5]})
        self.assertIsNone(results.ratio(*POINT, "ice", "raw"))
        self.assertIsNone(results.quartiles(*POINT, "ice", "raw"))

    def test_can_be_of_two_cases(self):
        results = filled({"ice-batch": [4]})
        results.add("ttcp", "callis-interpreted", "one-cpu/octet/1K/buffered", "gbit_s", 8)
        self.assertEqual(results.ratio("ttcp", "one-cpu/octet/1K/buffered", "gbit_s", "callis-interpreted", "ice-batch",
                                       "one-cpu/octet/1K")[0], 2.0)

    def test_have_quartiles(self):
        results = filled({"ice": [1, 2, 3, 4, 5], "raw": [1] * 5})
        self.assertEqual(results.quartiles(*POINT, "ice", "raw"), (2, 3, 4))
        self.assertEqual(filled({"ice": [3], "raw": [1]}).quartiles(*POINT, "ice", "raw"), (3, 3, 3))


class Names(unittest.TestCase):
    def test_unknown_suites_and_metrics_are_refused(self):
        for suite, metric in (("tcp", "gbit_s"), ("ttcp", "gbit")):
            with self.assertRaises(ValueError):
                Results().add(suite, "raw", "one-cpu/octet/1K", metric, 1)

    def test_cases_keep_the_order_of_measuring(self):
        results = Results()
        for case in ("one-cpu/b", "one-cpu/a", "one-cpu/b"):
            results.add("param_test", "raw", case, "p50_us", 1)
        self.assertEqual(results.cases("param_test"), ["one-cpu/b", "one-cpu/a"])
        self.assertEqual(results.cases("ttcp"), [])


class Lines(unittest.TestCase):
    def test_have_median_least_greatest_and_number_of_runs(self):
        self.assertEqual(list(filled({"raw": [3, 1, 2]}).lines()), [
            {"suite": "ttcp", "system": "raw", "case": "one-cpu/octet/1K", "metric": "gbit_s", "unit": "Gbit/s",
             "median": 2, "min": 1, "max": 3, "runs": 3}])

    def test_say_what_is_missing_and_why(self):
        results = Results()
        results.missing("ttcp", "callis-dii", "not there")
        self.assertEqual(list(results.lines()), [{"suite": "ttcp", "system": "callis-dii", "missing": "not there"}])

    def test_are_written_one_a_line_behind_the_machine(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "results.jsonl")
            filled({"raw": [1]}).write(path, {"cpus": 2})
            with open(path, encoding="utf-8") as f:
                lines = [json.loads(line) for line in f]
        self.assertEqual(lines[0], {"machine": {"cpus": 2}})
        self.assertEqual(len(lines), 2)


class Contexts(unittest.TestCase):
    def test_want_all_systems_unless_told(self):
        self.assertTrue(Context("", "", "").wants("raw"))
        self.assertFalse(Context("", "", "", only_systems=("ice",)).wants("raw"))

    def test_placements_use_allowed_cpus(self):
        allowed = os.sched_getaffinity(0)
        for server, client in Context("", "", "").placements().values():
            self.assertTrue({server, client} <= allowed | {None})


if __name__ == "__main__":
    unittest.main()
