# SPDX-License-Identifier: Apache-2.0
"""The demo: how many rounds there are, what the tables say, and that all it names to read is there."""
import io
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import demo  # noqa: E402  (it finds bench/common)
from suite import Results  # noqa: E402


def numbers(seconds, each):
    """(round, seconds left) where a round takes `each` seconds."""
    now = [0.0]
    found = []
    for number, left in demo.rounds(seconds, clock=lambda: now[0]):
        found.append((number, left))
        now[0] += each
    return found


def filled(**microseconds):
    """Param_Test's results; a list of a value a round for each pair. Also as Gbit/s of ttcp."""
    results = Results()
    for title, rounds in microseconds.items():
        for n, value in enumerate(rounds):
            for case in demo.OPERATIONS:
                results.add("param_test", title.replace("_", " "), case, "p50_us", value, n)
            for case in demo.TYPES:
                results.add("ttcp", title.replace("_", " "), case, "gbit_s", value, n)
    return results


class Rounds(unittest.TestCase):
    def test_fill_the_time_and_no_more(self):
        self.assertEqual([n for n, _ in numbers(40, 9)], [0, 1, 2, 3])

    def test_are_one_at_least(self):
        self.assertEqual(numbers(40, 100), [(0, 40)])

    def test_are_not_more_than_help(self):
        self.assertEqual(len(numbers(40, 0.1)), demo.MOST_ROUNDS)

    def test_say_how_long_it_will_still_take(self):
        self.assertEqual([left for _, left in numbers(40, 10)], [40, 30, 20, 10])
        self.assertAlmostEqual(numbers(40, 1)[5][1], demo.MOST_ROUNDS - 5)


class Tables(unittest.TestCase):
    def row(self, results, suite, metric):
        cases = {"param_test": demo.OPERATIONS, "ttcp": demo.TYPES}[suite]
        return demo.rows(results, suite, cases, metric, 1, results.systems(suite))[0]

    def test_have_medians_and_the_ratio_within_rounds(self):
        # The machine was three times as slow in the last round: the ratio does not mind.
        results = filled(interpreted=[10, 11, 30], omniORB_alone=[20, 22, 60])
        self.assertEqual(self.row(results, "param_test", "p50_us"), ["test_short", "11.0", "22.0", "2.00 (2.00-2.00)"])

    def test_say_that_more_is_better_of_times_and_of_throughput(self):
        results = filled(interpreted=[5, 5], omniORB_alone=[10, 10])
        self.assertEqual(self.row(results, "param_test", "p50_us")[-1], "2.00 (2.00-2.00)")
        self.assertEqual(self.row(results, "ttcp", "gbit_s")[-1], "0.50 (0.50-0.50)")

    def test_have_no_ratio_without_omniorb(self):
        results = filled(interpreted=[5, 5])
        self.assertEqual(self.row(results, "param_test", "p50_us"), ["test_short", "5.0", "-"])
        self.assertIsNone(demo.verdict(results))

    def test_bear_a_single_round(self):
        self.assertEqual(self.row(filled(interpreted=[5], omniORB_alone=[10]), "param_test", "p50_us")[-1],
                         "2.00 (2.00-2.00)")

    def test_warn_where_rounds_differ(self):
        quiet = filled(interpreted=[10, 10, 10, 10], omniORB_alone=[20, 20.1, 20, 20.2])
        self.assertTrue(demo.verdict(quiet).startswith("The rounds agree"))
        busy = filled(interpreted=[10, 10, 20, 10], omniORB_alone=[20, 40, 20, 30])
        self.assertTrue(demo.verdict(busy).startswith("WARNING"))


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Progress(unittest.TestCase):
    def shown(self, stream):
        progress = demo.Progress(stream)
        for number in (0, 1):
            for what in ("interpreted", "compiled"):
                progress.show(number, what, "9 s")
        progress.show_last("real time", "7 s")
        progress.done()
        return stream.getvalue()

    def test_is_one_line_on_a_terminal(self):
        text = self.shown(Terminal())
        self.assertNotIn("\n", text)
        self.assertIn("demo: round 2, 9 s left: compiled", text)
        self.assertIn("demo: real time, 7 s left", text)

    def test_is_a_line_a_round_in_a_file(self):
        self.assertEqual(self.shown(io.StringIO()), "demo: round 1, 9 s left\ndemo: round 2, 9 s left\ndemo: real time, 7 s left\n")


class ReadNext(unittest.TestCase):
    def test_names_files_that_are_there(self):
        for path, _ in demo.READ_NEXT:
            self.assertTrue(os.path.exists(os.path.join(demo.ROOT, path)), path)

    def test_names_the_report_and_how_it_is_made(self):
        self.assertTrue(any(demo.REPORT in line and "./dev bench --quick" in line for line in demo.read_next()))


if __name__ == "__main__":
    unittest.main()
