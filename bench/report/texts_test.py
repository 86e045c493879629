#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that the figures of README.md and of the guide are those that were measured last, and that a wrong one is noticed."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "common")]
import results as results_module  # noqa: E402
import texts  # noqa: E402
import verdicts  # noqa: E402

SIZES = texts.Statement("a.md", rf"{texts.NUMBER} to {texts.NUMBER} bytes", lambda _: ["100", "1,200"])
TIMES = texts.Statement("a.md", rf"takes {texts.NUMBER} us", lambda _: ["10.0"], 0.2)


class Recorded(unittest.TestCase):
    def test_texts_state_what_was_recorded(self):
        results = results_module.read(verdicts.RECORDED)
        wrong = [f"{s.file}: {' '.join(match.group().split())}: measured {figures}" for s, match, figures in
                 texts.differences(texts.STATEMENTS, results, texts.read_texts())]
        self.assertEqual(wrong, [], "python3 bench/report/texts.py --write")

    def test_every_figure_was_recorded(self):
        results = results_module.read(verdicts.RECORDED)
        self.assertEqual([s.pattern for s in texts.STATEMENTS if s.figures(results) is None], [])


class Figures(unittest.TestCase):
    def differences(self, statement, text):
        return [figures for _, _, figures in texts.differences([statement], None, {"a.md": text})]

    def test_a_size_must_be_the_same(self):
        self.assertEqual(self.differences(SIZES, "It takes 100 to\n1,200 bytes."), [])
        self.assertEqual(self.differences(SIZES, "It takes 100 to 1,201 bytes."), [["100", "1,200"]])

    def test_a_time_may_differ_by_its_noise(self):
        self.assertEqual(self.differences(TIMES, "takes 12 us"), [])
        self.assertEqual(self.differences(TIMES, "takes 12.1 us"), [["10.0"]])

    def test_times_of_a_shared_machine_say_nothing(self):
        results = results_module.Results()
        results.machine["load"] = 5.0
        self.assertEqual(list(texts.differences([TIMES], results, {"a.md": "takes 99 us"})), [])
        self.assertEqual(len(list(texts.differences([SIZES], results, {"a.md": "1 to 2 bytes"}))), 1)

    def test_a_statement_stands_there_once(self):
        for text in ("nothing", "1 to 2 bytes, 3 to 4 bytes"):
            with self.assertRaises(results_module.Error):
                self.differences(SIZES, text)

    def test_wrong_figures_are_put_right_in_their_places(self):
        text = "It takes 90 to 1,201 bytes, never 90."
        (_, match, figures), = texts.differences([SIZES], None, {"a.md": text})
        self.assertEqual(texts.corrected(text, match, figures), "It takes 100 to 1,200 bytes, never 90.")


if __name__ == "__main__":
    unittest.main()
