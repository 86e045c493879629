#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/papers.md, the papers' claims with their verdicts, from the results of a run: verdicts.py [RESULTS.jsonl]

    verdicts.py RESULTS.jsonl   also keeps the values that the verdicts need in bench/papers/recorded.jsonl
    verdicts.py                 writes the page again from bench/papers/recorded.jsonl, as after a change of a claim
    verdicts.py --check         fails if docs/papers.md is not what the claims and the recorded results say

`./dev bench --record` runs the suites and then this.
"""
import argparse
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "common")]
import claims  # noqa: E402
import results as results_module  # noqa: E402
from look import number  # noqa: E402
from papers import FOLDER, Papers  # noqa: E402
from report import BUSY  # noqa: E402

PAGE = os.path.join(ROOT, "docs", "papers.md")
RECORDED = os.path.join(FOLDER, "recorded.jsonl")
BEGIN, END = "<!-- made by bench/report/verdicts.py: begin -->", "<!-- made by bench/report/verdicts.py: end -->"
# Values that texts of the tree state, beside those of claims: (suite, pattern of system, case and metric), see texts.py.
ALSO = (("core", r"(callis-interpreted|omniorb) test_short instructions"), ("core", r"\S+ idle bytes"),
        ("param_test", r"(callis-interpreted|omniorb|raw) one-cpu/test_\w+ p50_us"),
        ("engine", r"(callis-interpreted|callis-compiled) memory/test_\w+ ns"),
        ("sizes", r"callis-\w+ x86-64/gcc/-O[s2]/[^/]+/(stub|skeleton|ram|stub/whole) bytes"))


class Traced:
    """Results that remember which values were asked for."""

    def __init__(self, results):
        self.results, self.asked, self.asked_bars = results, set(), []

    def __getattr__(self, name):
        return getattr(self.results, name)

    def median(self, *key):
        self.asked.add(key)
        return self.results.median(*key)

    def bars_of(self, suite):
        found = self.results.bars_of(suite)
        self.asked_bars += [b for b in found if b not in self.asked_bars]
        return found


def used(results):
    """(keys of values, bars) that the claims and their variants look at, and that texts state."""
    traced = Traced(results)
    claims.judge_all(traced)
    for suite, pattern in ALSO:
        traced.asked |= {k for k in results.values if k[0] == suite and re.fullmatch(pattern, " ".join(k[1:]))}
    bars = [b for b in traced.asked_bars if any(_wants(c, b) for c in claims.load())]
    return {k for k in traced.asked if k in results.values}, bars


def _wants(claim, bar):
    for measure in (claim["measure"], *(claims.changed(claim["measure"], v) for v in claims.variants(claim))):
        if measure["formula"] == "bar" and measure["suite"] == bar["suite"] and re.search(measure["section"], bar["section"]) \
                and re.search(measure["name"], bar["name"]):
            return True
    return False


def rounded(x):
    return x if isinstance(x, int) or x == 0 else float(f"{x:.5g}")


def record(results, path=RECORDED):
    """Keeps what the verdicts need, in the form of the results themselves."""
    keys, bars = used(results)
    with open(path, "w", encoding="utf-8") as f:
        def line(what):
            f.write(json.dumps(what, ensure_ascii=False, separators=(",", ":")) + "\n")
        line({"machine": results.machine})
        for key, v in results.values.items():
            if key in keys:
                line({**dict(zip(("suite", "system", "case", "metric"), key)), "unit": v.unit, "median": rounded(v.median),
                      "min": rounded(v.least), "max": rounded(v.greatest), "runs": v.runs})
        for (suite, system), why in results.absent.items():
            if why and suite in {c["measure"]["suite"] for c in claims.load()}:
                line({"suite": suite, "system": system, "missing": why})
        for bar in bars:
            line({"bar": {**bar, "value": rounded(bar["value"])}})


# ---- the page ----

def cell(words):
    return words.replace("|", "\\|").replace("\n", " ")


def value_text(value, claim):
    if value is None:
        return "–"
    return f"{number(100 * value)}\u00a0%" if claim["unit"] == "%" else f"{number(value)}\u00a0{claim['unit']}"


def now_text(judgement):
    words = value_text(judgement.value, judgement.claim)
    if judgement.points > 1:
        words += f" ({judgement.claim['measure']['take']} of {judgement.points})"
    return words


def verdict_text(judgement):
    return f"**{judgement.verdict}**" if judgement.verdict == claims.NOT_REPRODUCED else judgement.verdict


def row(papers, judgement):
    claim = judgement.claim
    then = "<br>".join(f"{n.text}: {n.what} ({n.where})" for n in map(papers.number, claim["numbers"]))
    asked = claims.threshold_words(claim, claim["reproduced"])
    measured = f"{claim['method']} " if "method" in claim else ""
    measured += f"`{claims.measure_words(claim['measure'])}`; reproduced: {asked}"
    if claim["surpassed"]:
        measured += f", surpassed: {claims.threshold_words(claim, claim['surpassed'])}"
    falsified = "<br>".join(f"{words['variant']}: {value_text(found.value, claim)}, {verdict_text(found)}"
                            for words, found in zip(claims.variants(claim), judgement.variants))
    cells = [f"`{claim['id']}`", f"{claim['claim']}<br>*“{claim['sentence'].replace('*', '')}”* ({claim['where']})", then,
             now_text(judgement), verdict_text(judgement), measured, falsified]
    return "| " + " | ".join(map(cell, cells)) + " |"


def machine_lines(facts):
    commit = facts.get("commit", "unknown")
    yield (f"* Machine: {facts.get('processor', 'unknown')}, {facts.get('cpus', '?')} processors, Linux {facts.get('kernel', '?')}, "
           f"GCC {facts.get('compiler', '?')}, governor {facts.get('governor', '?')}.")
    yield f"* Commit: {commit}. Scale: {facts.get('scale', 'unknown')}. Date: {facts.get('date', 'unknown')}."
    loads = [facts[k] for k in ("load", "load_at_end") if k in facts]
    if loads:
        words = " and ".join(f"{load:.2f}" for load in loads)
        shared = ("**The machine was shared**: times are medians of interleaved rounds, and noisy; counts and sizes are exact."
                  if loads[0] > BUSY else "The machine was quiet.")
        yield f"* Load average before and after the run: {words}. {shared}"
    versions = facts.get("versions")
    if versions:
        yield "* Versions: " + ", ".join(f"{k} {v}" for k, v in versions.items()) + "."


def page(results):
    papers, judgements = Papers(), claims.judge_all(results)
    counts = [f"{sum(j.verdict == v for j in judgements)} {v}" for v in claims.VERDICTS]
    lines = ["# The papers' claims, measured again", "",
             "Five papers of 1996 to 1999 measured CORBA, and the ORB that their authors made. This page has their claims, what",
             "callis's benchmark measures for each today, and a verdict. [measurement.md](design/measurement.md#the-claims) says",
             "how a claim becomes a number, and why each has a *falsifying variant*.", "",
             "    ./dev bench --record          # runs the suites, three hours, and writes this page; --quick: half an hour",
             "    python3 bench/report/verdicts.py bench/out/results.jsonl    # writes it from a run that is there", "",
             BEGIN, f"{len(judgements)} claims: {', '.join(counts)}.", "", *machine_lines(results.machine), ""]
    for paper, document in papers.by_id.items():
        lines += [f"## {document['short']}", "", f"{document['authors']}: *{document['title']}*, {document['year']}. {document['method']}.", "",
                  "| | Claim, and the sentence it rests on | Then | Now | Verdict | How it is measured | Falsifying variant |",
                  "|---|---|---|---|---|---|---|"]
        lines += [row(papers, j) for j in judgements if j.claim["paper"] == paper] + [""]
    missing = [f"* {suite}: {system}: {why.splitlines()[0][:160]}" for (suite, system), why in results.absent.items()]
    if missing:
        lines += ["## Not measured in this run", "", *missing, ""]
    return "\n".join([*lines, END]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="?", help="JSON lines of ./dev bench")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    try:
        if arguments.results:
            record(results_module.read(arguments.results))
        text = page(results_module.read(RECORDED))
    except (results_module.Error, OSError) as e:
        raise SystemExit(f"verdicts.py: {e}") from e
    if arguments.check:
        with open(PAGE, encoding="utf-8") as f:
            return 0 if f.read() == text else "docs/papers.md differs from the claims and results: python3 bench/report/verdicts.py"
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
