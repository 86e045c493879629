#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that claims can fail: each rests on a sentence, and its falsifying variants come out as not reproduced, on made-up results
and on those that are recorded; and that docs/papers.md says of each claim what the recorded results say."""
import functools
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "common")]
import claims  # noqa: E402
import results as results_module  # noqa: E402
import verdicts  # noqa: E402

PARTS = {"variant", "value", "over", "metric", "name", "times"}  # of a falsifying variant


@functools.cache
def synthetic():
    with tempfile.TemporaryDirectory(prefix="callis-claims-") as folder:
        path = os.path.join(folder, "results.jsonl")
        subprocess.run([sys.executable, os.path.join(HERE, "testing", "synthetic.py"), path], check=True)
        return results_module.read(path)


class Claims(unittest.TestCase):
    def test_each_rests_on_a_sentence_at_a_place(self):
        for claim in claims.load():
            with self.subTest(claim=claim["id"]):
                self.assertTrue(claim["where"])
                self.assertGreater(len(claim["sentence"].split()), 2)

    def test_each_has_a_falsifying_variant_that_changes_the_measure(self):
        for claim in claims.load():
            with self.subTest(claim=claim["id"]):
                self.assertTrue(claims.variants(claim))
                for variant in claims.variants(claim):
                    self.assertTrue(variant["variant"])
                    self.assertLessEqual(set(variant), PARTS)
                    self.assertTrue(claims.changed(claim["measure"], variant) != claim["measure"] or variant["times"] != 1)

    def test_a_verdict_flips_with_its_variant(self):
        claim = {"unit": "x", "reproduced": ["<=", 20], "surpassed": None,
                 "measure": {"suite": "realtime", "metric": "inverted_p99_us", "formula": "value", "take": "greatest",
                             "value": {"system": "callis-rt", "case": "{case}"}},
                 "falsified_by": [{"variant": "real time off", "value": {"system": "callis-rt-off"}}, {"variant": "slow", "times": 10}]}
        results = results_module.Results()
        for system, value in (("callis-rt", 5), ("callis-rt-off", 5000)):
            results.values["realtime", system, "lanes", "inverted_p99_us"] = results_module.Value(value, value, value, 1, "us")
        judged = claims.judge(claim, results)
        self.assertEqual((judged.verdict, judged.value), (claims.REPRODUCED, 5))
        self.assertEqual([(v.verdict, v.value) for v in judged.variants],
                         [(claims.NOT_REPRODUCED, 5000), (claims.NOT_REPRODUCED, 50)])

    def test_made_up_results_flip_every_verdict(self):
        for judged in claims.judge_all(synthetic()):
            for variant, words in zip(judged.variants, claims.variants(judged.claim)):
                with self.subTest(claim=judged.claim["id"], variant=words["variant"]):
                    self.assertIn(judged.verdict, (claims.REPRODUCED, claims.SURPASSED), judged.value)
                    self.assertEqual(variant.verdict, claims.NOT_REPRODUCED, variant.value)


class Recorded(unittest.TestCase):
    """What was measured last, bench/papers/recorded.jsonl."""

    @classmethod
    def setUpClass(cls):
        cls.results = results_module.read(verdicts.RECORDED)
        cls.judgements = claims.judge_all(cls.results)
        with open(verdicts.PAGE, encoding="utf-8") as f:
            cls.page = f.read()

    def test_every_variant_of_a_claim_that_was_measured_is_not_reproduced(self):
        for judged in self.judgements:
            for variant, words in zip(judged.variants, claims.variants(judged.claim)):
                with self.subTest(claim=judged.claim["id"], variant=words["variant"]):
                    # What is missing on a machine must be named with its reason.
                    if variant.verdict == claims.NOT_MEASURED and judged.verdict == claims.NOT_MEASURED:
                        self.assertTrue(self.results.missing(judged.claim["measure"]["suite"]))
                        continue
                    self.assertEqual(variant.verdict, claims.NOT_REPRODUCED, variant.value)

    def test_a_claim_is_not_measured_only_where_a_system_is_missing(self):
        for judged in self.judgements:
            with self.subTest(claim=judged.claim["id"]):
                if judged.verdict == claims.NOT_MEASURED:
                    self.assertTrue(self.results.missing(judged.claim["measure"]["suite"]))

    def test_the_page_has_every_claim_and_no_other(self):
        named = re.findall(r"^\| `([\w-]+)` \|", self.page, re.MULTILINE)
        self.assertEqual(named, [c["id"] for c in claims.load()])

    def test_the_page_is_what_the_recorded_results_say(self):
        # Not assertEqual, which would print both.
        self.assertTrue(self.page == verdicts.page(self.results), "python3 bench/report/verdicts.py writes docs/papers.md again")

    def test_the_page_says_machine_and_commit(self):
        for fact in ("processor", "kernel", "commit", "date"):
            with self.subTest(fact=fact):
                self.assertIn(str(self.results.machine[fact]), self.page)
        self.assertNotIn("synthetic", self.results.machine)

    def test_nothing_is_recorded_that_nobody_looks_at(self):
        keys, bars = verdicts.used(self.results)
        self.assertEqual(set(self.results.values) - keys, set())
        self.assertEqual([b for b in self.results.bars if b not in bars], [])


class Record(unittest.TestCase):
    def test_verdicts_of_what_is_recorded_are_those_of_the_run(self):
        run = synthetic()
        with tempfile.TemporaryDirectory(prefix="callis-claims-") as folder:
            path = os.path.join(folder, "recorded.jsonl")
            verdicts.record(run, path)
            again = results_module.read(path)
        self.assertLess(len(again.values), len(run.values))
        self.assertEqual([(j.claim["id"], j.verdict) for j in claims.judge_all(run)],
                         [(j.claim["id"], j.verdict) for j in claims.judge_all(again)])
        self.assertEqual(json.dumps(run.machine), json.dumps(again.machine))


if __name__ == "__main__":
    unittest.main()
