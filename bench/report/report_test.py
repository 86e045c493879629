#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the report: the papers' numbers, the claims, the page made of full, quick and no results."""
import collections
import html.parser
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
import look  # noqa: E402
import results as results_module  # noqa: E402
import suite  # noqa: E402
from papers import IDS, Papers  # noqa: E402

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}
MACHINE = {"machine": {"processor": "none", "cpus": 2, "load": 0.0}}
VALUE = {"suite": "ttcp", "system": "raw", "case": "one-cpu/octet/64K", "metric": "gbit_s", "unit": "Gbit/s",
         "median": 2.0, "min": 1.0, "max": 3.0, "runs": 3}
BAR = {"bar": {"suite": "engine", "section": "calls", "name": "test_short", "value": 1.0, "unit": "x", "bar": [">=", 1.0],
               "pass": True, "note": ""}}


class Page(html.parser.HTMLParser):
    """What is wrong with a page: tags that do not match, ids given twice or not at all, anything loaded from elsewhere."""

    def __init__(self, text):
        super().__init__()
        self.faults, self.open, self.ids, self.targets, self.words = [], [], collections.Counter(), set(), []
        self.figures = text.count("<svg ")
        self.feed(text)
        self.close()
        self.faults += [f"not closed: {tag}" for tag in self.open]
        self.faults += [f"id given twice: {name}" for name, count in self.ids.items() if count > 1]
        self.faults += [f"no such id: {name}" for name in self.targets if name not in self.ids]
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attrs):
        self.attributes(tag, attrs)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.attributes(tag, attrs)

    def attributes(self, tag, attrs):
        for name, value in attrs:
            value = value or ""
            if name == "id":
                self.ids[value] += 1
            elif name in ("href", "xlink:href") and value.startswith("#"):
                self.targets.add(value[1:])
            elif name in ("src", "srcset", "href", "xlink:href", "data", "action") or tag in ("script", "link"):
                self.faults.append(f"<{tag} {name}={value[:60]}>: not in the page itself")
            self.targets.update(re.findall(r"url\(#([^)]+)\)", value))
            if re.search(r"url\((?!#)", value):
                self.faults.append(f"<{tag} {name}={value[:60]}>: not in the page itself")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> at {self.getpos()} closes nothing")

    def handle_data(self, data):
        if self.open and self.open[-1] == "style" and re.search(r"@import|url\(", data):
            self.faults.append("the style sheet loads something")
        self.words.append(data)


class Folder(unittest.TestCase):
    """Tests that write files."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="callis-report-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, *lines):
        with open(self.path("results.jsonl"), "w", encoding="utf-8") as f:
            f.writelines((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
        return self.path("results.jsonl")

    def synthetic(self, *options):
        subprocess.run([sys.executable, os.path.join(HERE, "testing", "synthetic.py"), self.path("results.jsonl"), *options],
                       check=True)
        return self.path("results.jsonl")

    def make(self, results):
        """Runs make.py; what subprocess.run() says, and the page."""
        out = self.path("page.html")
        done = subprocess.run([sys.executable, os.path.join(HERE, "make.py"), results, out], stderr=subprocess.PIPE,
                              text=True, check=False)
        if done.returncode:
            return done, None
        with open(out, encoding="utf-8") as f:
            text = f.read()
        self.assertLess(len(text), 5_000_000)
        page = Page(text)
        self.assertEqual(page.faults, [])
        return done, page


    def says(self, page, *all_words):
        """The page is long: what is missing, not the page, is what a failure prints."""
        self.assertEqual([words for words in all_words if words not in page.text], [])


class PapersTest(unittest.TestCase):
    def setUp(self):
        self.papers = Papers()

    def test_tables_are_rectangular_and_their_hardware_is_known(self):
        for paper, document in self.papers.by_id.items():
            for name, table in document["tables"].items():
                with self.subTest(paper=paper, table=name):
                    self.assertIn(table["hardware"], document["hardware"])
                    self.assertTrue(table["title"] and table["where"] and table["rows"])
                    for row in table["rows"]:
                        self.assertEqual(len(row), len(table["columns"]))
                        self.assertTrue(all(isinstance(c, str) for c in row[:table["labels"]]))
                    labels = [tuple(row[:table["labels"]]) for row in table["rows"]]
                    self.assertEqual(len(labels), len(set(labels)))

    def test_numbers_say_what_where_and_on_what(self):
        for paper, document in self.papers.by_id.items():
            for name, number in document["numbers"].items():
                with self.subTest(paper=paper, number=name):
                    self.assertTrue(results_module.is_number(number["value"]))
                    self.assertTrue(number["what"] and number["where"] and number["unit"])
                    self.assertIn(number["hardware"], document["hardware"])

    def test_sizes_add_up(self):
        for paper, name in (("jsac99", "tablexv"), ("jsac99", "tablexvi"), ("infocom99", "table12"), ("infocom99", "table13"),
                            ("infocom99", "table15"), ("infocom99", "table16")):
            for row in self.papers.table(paper, name)["rows"]:
                with self.subTest(paper=paper, table=name, row=row[0]):
                    self.assertEqual(row[1] + row[2], row[3])
                    self.assertEqual(row[4] + row[5], row[6])

    def test_a_number_that_is_not_there_is_an_error(self):
        for reference in ("sigcomm96:numbers/none", "none:numbers/rpc_peak", "sigcomm96:table1/RPC/none", "sigcomm96:table1"):
            with self.assertRaisesRegex(KeyError, "no such number"):
                self.papers.number(reference)
        self.assertEqual(self.papers.number("sigcomm96:table1/C/C++/loopback struct, low").value, 47)


class ClaimsTest(Folder):
    def test_claims_rest_on_numbers_and_are_of_all_papers_and_suites(self):
        papers, loaded = Papers(), claims.load()
        self.assertGreaterEqual(len(loaded), 25)
        self.assertEqual({c["paper"] for c in loaded}, set(IDS))
        # The papers say nothing of IDL files as large as those of services, nothing of idle processes, and of misses only that they count.
        self.assertEqual({c["measure"]["suite"] for c in loaded}, set(suite.SUITES) - {"services", "idle", "caches", "growth"})
        self.assertEqual(len({c["id"] for c in loaded}), len(loaded))
        for claim in loaded:
            with self.subTest(claim=claim["id"]):
                self.assertTrue(claim["numbers"])
                for reference in claim["numbers"]:
                    self.assertTrue(reference.startswith(claim["paper"] + ":"))
                    self.assertIsNotNone(papers.number(reference).value)
                measure = claim["measure"]
                self.assertIn(measure["formula"], claims.FORMULAS)
                self.assertIn(measure["take"], claims.TAKES)
                self.assertTrue(measure["formula"] == "bar" or measure["metric"] in suite.METRICS)
                for threshold in filter(None, (claim["reproduced"], claim["surpassed"])):
                    self.assertIn(threshold[0], ("<=", ">=", "within"))

    def test_every_claim_has_a_verdict_with_a_number_on_full_results(self):
        for judgement in claims.judge_all(results_module.read(self.synthetic())):
            with self.subTest(claim=judgement.claim["id"]):
                self.assertNotEqual(judgement.verdict, claims.NOT_MEASURED)
                self.assertTrue(results_module.is_number(judgement.value))

    def test_nothing_is_measured_in_no_results(self):
        judgements = claims.judge_all(results_module.Results())
        self.assertEqual({j.verdict for j in judgements}, {claims.NOT_MEASURED})
        self.assertEqual({j.value for j in judgements}, {None})

    def judge(self, measure, reproduced, surpassed=None):
        values = (("raw", "one-cpu/octet/1K", 10.0), ("raw", "one-cpu/octet/64K", 40.0), ("rpc", "one-cpu/octet/1K", 4.0),
                  ("rpc", "one-cpu/octet/64K", 20.0), ("rpc", "one-cpu/char/64K", 5.0), ("rpc", "free/octet/64K", 1.0))
        lines = [{**VALUE, "system": s, "case": c, "median": v} for s, c, v in values]
        claim = {"measure": {"suite": "ttcp", "metric": "gbit_s", **measure}, "reproduced": reproduced,
                 "surpassed": surpassed}
        return claims.judge(claim, results_module.read(self.write(*lines, BAR)))

    def test_ratios_pair_what_has_the_same_words(self):
        measure = {"formula": "ratio", "value": {"system": "rpc", "case": "one-cpu/{type}/{size}"},
                   "over": {"system": "raw", "case": "one-cpu/{type}/{size}"}}
        least = self.judge({**measure, "take": "least"}, ["<=", 0.4], ["<=", 0.39])
        self.assertEqual((least.verdict, least.value, least.points), (claims.REPRODUCED, 0.4, 2))
        greatest = self.judge({**measure, "take": "greatest"}, ["<=", 0.4])
        self.assertEqual((greatest.verdict, greatest.value), (claims.NOT_REPRODUCED, 0.5))
        self.assertEqual(self.judge({**measure, "take": "middle"}, ["within", 0.1, 0.9], ["within", 0.44, 0.46]).verdict,
                         claims.SURPASSED)
        sums = self.judge({**measure, "formula": "sums", "take": "middle"}, [">=", 0.48])
        self.assertEqual((sums.verdict, sums.value), (claims.REPRODUCED, 0.48))

    def test_ratios_within_a_system(self):
        judged = self.judge({"formula": "ratio", "value": {"system": ["rpc", "raw"], "case": "one-cpu/char/{size}"},
                             "over": {"system": "same", "case": "one-cpu/octet/{size}"}, "take": "least"}, ["<=", 1])
        self.assertEqual((judged.value, judged.points), (0.25, 1))

    def test_spread_value_and_bar(self):
        chosen = {"system": ["raw", "rpc"], "case": "one-cpu/octet/{size}", "where": {"size": ["1K", "64K"]}}
        self.assertEqual(self.judge({"formula": "spread", "value": chosen, "take": "greatest"}, ["<=", 1]).value, 5.0)
        self.assertEqual(self.judge({"formula": "value", "value": chosen, "take": "least"}, ["<=", 1]).value, 4.0)
        self.assertEqual(self.judge({"suite": "engine", "formula": "bar", "section": "^calls", "name": "short$",
                                     "take": "least"}, ["<=", 1]).value, 1.0)

    def test_half_a_pair_is_not_measured(self):
        judged = self.judge({"formula": "ratio", "value": {"system": "rpc", "case": "free/octet/64K"}, "take": "least",
                             "over": {"system": "raw", "case": "free/octet/64K"}}, ["<=", 1])
        self.assertEqual((judged.verdict, judged.value), (claims.NOT_MEASURED, None))


class ResultsTest(Folder):
    def refuse(self, bad, what):
        with self.assertRaisesRegex(results_module.Error, r"results\.jsonl:3: .*" + what):
            results_module.read(self.write(MACHINE, VALUE, bad))

    def test_every_kind_of_line(self):
        read = results_module.read(self.write(MACHINE, "", VALUE, BAR, {"suite": "demux", "system": "jacorb", "missing": "no"},
                                              {"suite": "scale", "failed": "why"}))
        self.assertEqual(read.machine["cpus"], 2)
        self.assertEqual(read.value("ttcp", "raw", "one-cpu/octet/64K", "gbit_s"),
                         results_module.Value(2.0, 1.0, 3.0, 3, "Gbit/s"))
        self.assertIsNone(read.value("ttcp", "raw", "one-cpu/octet/1K", "gbit_s"))
        self.assertEqual((read.missing("demux"), read.failed), ({"jacorb": "no"}, {"scale": "why"}))
        self.assertTrue(read.measured("engine") and not read.measured("demux"))

    def test_a_wrong_line_is_an_error_with_its_number(self):
        self.refuse("{", "not JSON")
        self.refuse("[1]", "not an object")
        self.refuse({"what": 1}, "neither")
        self.refuse({**VALUE, "suite": "none"}, "unknown suite")
        self.refuse({**VALUE, "metric": "none"}, "unknown metric")
        self.refuse({**VALUE, "case": "x", "median": "2"}, "no number 'median'")
        self.refuse({**VALUE, "case": "x", "max": None}, "no number 'max'")
        self.refuse('{"suite": "ttcp", "system": "raw", "case": "x", "metric": "ns", "unit": "ns", "median": NaN}', "no number")
        self.refuse({**VALUE, "system": ""}, "no text 'system'")
        self.refuse(VALUE, "measured before")
        self.refuse({"bar": {**BAR["bar"], "bar": ["<", 1]}}, "not a bar")
        self.refuse({"bar": 1}, "not an object")

    def test_make_says_which_line_is_wrong(self):
        done, _ = self.make(self.write(MACHINE, "nonsense"))
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("results.jsonl:2: not JSON", done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertFalse(os.path.exists(self.path("page.html")))


class PageTest(Folder):
    def test_full_results(self):
        _, page = self.make(self.synthetic())
        self.assertTrue(page.text.startswith("SYNTHETIC"))
        self.says(page, *look.TYPES, *look.OPERATIONS, *(look.label(s) for s in suite.SYSTEMS), "Figure 1.")
        self.says(page, "Floods", "What costs round trips", "interpreted stubs divided by compiled stubs, on three processors", "First breaks: descriptors",
                  "1,000,000,000 active objects")
        self.assertGreater(page.figures, 20)
        self.assertFalse("Other values" in page.text, "there is a table of other values")
        self.assertFalse("None" in page.text, "a None is printed")

    def test_quick_results_name_what_is_missing(self):
        _, page = self.make(self.synthetic("--quick"))
        self.says(page, "JacORB is missing in ttcp: no Java here", "Socket queues of 8K and 64K: not measured",
                  "The suite core has no results")
        self.assertFalse("None" in page.text, "a None is printed")

    def test_no_results_name_every_suite_and_system(self):
        lines = [{"suite": name, "system": system, "missing": f"no {system} for {name}"} for name in suite.SUITES
                 for system in suite.SYSTEMS]
        for results in ([], lines):
            _, page = self.make(self.write(*results))
            self.says(page, *(f"The suite {name} has no results" for name in suite.SUITES),
                      *(line["missing"] for line in results))
            self.assertEqual(page.figures, 0)

    def test_a_single_value_and_a_failed_suite(self):
        _, page = self.make(self.write(VALUE, {"suite": "scale", "failed": "OSError: no <loopback>"}))
        self.says(page, "The suite scale failed: OSError: no <loopback>")
        self.assertEqual(page.figures, 1)

    def test_what_no_figure_shows_is_in_a_table(self):
        lines = [{**VALUE, "suite": name, "case": "never heard of", "metric": "ns", "unit": "ns"} for name in suite.SUITES]
        _, page = self.make(self.write(*lines))
        self.assertEqual(page.text.count("never heard of"), len(suite.SUITES))


if __name__ == "__main__":
    unittest.main()
