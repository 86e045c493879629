# SPDX-License-Identifier: Apache-2.0
"""bench.py's Run with suites made up here: a suite that fails does not take the others with it, and what is written."""
import contextlib
import io
import json
import os
import sys
import tempfile
import types
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import bench  # noqa: E402  (it finds bench/common)
import smoke_test  # noqa: E402
from report import Row  # noqa: E402
from suite import Context  # noqa: E402


def good(value, limit):
    return types.SimpleNamespace(
        TITLE="good", estimate=lambda context: 1,
        run=lambda context: context.results.add("scale", "raw", "free/clients1", "calls_per_s", value),
        bars=lambda results: [Row("scale: section", "name", value, "x", (">=", limit))])


def fail(_):
    raise OSError("no such program")


BAD = types.SimpleNamespace(TITLE="bad", estimate=lambda context: 1, run=fail, bars=lambda results: [])


class Runs(unittest.TestCase):
    def run_all(self, **modules):
        run = bench.Run(Context("", "", ""), modules)
        with contextlib.redirect_stderr(io.StringIO()):
            run.measure()
        return run

    def lines(self, run):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "made", "results.jsonl")
            run.write(path, {"cpus": 2})
            with open(path, encoding="utf-8") as f:
                return [json.loads(line) for line in f]

    def test_go_on_after_a_suite_that_fails(self):
        run = self.run_all(ttcp=BAD, scale=good(2, 1))
        self.assertEqual(run.failures, {"ttcp": "OSError: no such program"})
        self.assertEqual([row.passes for row in run.all_rows()], [True])

    def test_save_after_each_suite(self):
        saved = []
        run = bench.Run(Context("", "", ""), {"ttcp": BAD, "scale": good(2, 1)})
        with contextlib.redirect_stderr(io.StringIO()):
            run.measure(lambda: saved.append(len(run.rows)))
        self.assertEqual(saved, [1, 2])

    def test_write_values_bars_and_failures(self):
        lines = self.lines(self.run_all(ttcp=BAD, scale=good(2, 3)))
        self.assertEqual(lines[0], {"machine": {"cpus": 2}})
        self.assertEqual([line["median"] for line in lines if "median" in line], [2])
        bars = [line["bar"] for line in lines if "bar" in line]
        self.assertEqual([(bar["suite"], bar["pass"]) for bar in bars], [("scale", False)])
        self.assertIn({"suite": "ttcp", "failed": "OSError: no such program"}, lines)

    def test_only_known_words_are_taken(self):
        self.assertEqual(bench.words(["a,b", "c"], ("a", "b", "c"), "letter"), ["a", "b", "c"])
        with self.assertRaisesRegex(SystemExit, "no such letter: d"):
            bench.words(["d"], ("a",), "letter")

    def test_suites_have_what_a_suite_has(self):
        names = [n[:-3] for n in os.listdir(os.path.join(bench.HERE, "suites")) if n.endswith(".py")]
        self.assertTrue(names)
        for name in names:
            self.assertIn(name, bench.suite.SUITES)
            module = bench.load(name)
            self.assertTrue(module.TITLE and module.run and callable(module.bars), name)
            self.assertGreater(module.estimate(Context("", "", "", scale="full")), -1, name)


class Falsified(unittest.TestCase):
    """Tiny runs must show that claims can fail."""

    def complaints(self, us):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "results.jsonl")
            with open(path, "w", encoding="utf-8") as f:
                for system, case in (("callis-rt", "lanes"), ("callis-rt-off", "lanes"), ("callis-rt-locked", "lanes"), ("omniorb", "none")):
                    value = 0 if system == "callis-rt" else us
                    f.write(json.dumps({"suite": "realtime", "system": system, "case": f"one-cpu/{case}/low2/watched", "unit": "us",
                                        "metric": "inverted_p99_us", "median": value, "min": value, "max": value, "runs": 1}) + "\n")
            return list(smoke_test.unfalsified(path, ["inversions"]))

    def test_a_variant_that_is_not_refuted_is_a_complaint(self):
        self.assertEqual(len(self.complaints(5)), 3)
        self.assertIn("the same server with real time off: reproduced, 5", self.complaints(5)[0])

    def test_refuted_variants_are_none(self):
        self.assertEqual(self.complaints(5_000), [])


if __name__ == "__main__":
    unittest.main()
