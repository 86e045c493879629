# SPDX-License-Identifier: Apache-2.0
"""Judges the papers' claims (bench/papers/claims/PAPER.json) by the results of a run.

A claim names the place and the sentence of the paper that it rests on, the paper's numbers, what measures it here, two
thresholds, and a falsifying variant: something for which the same measure must come out as not reproduced.

    "where": section, "sentence": the paper's words, "numbers": references (papers.py)
    "measure": {"suite", "metric", "formula", "value": SELECTION, "over": SELECTION, "take"}
    "reproduced": THRESHOLD, "surpassed": THRESHOLD or null
    "falsified_by": {"variant": in words, and what changes in the measure: "value", "over" (what stands in them replaces what
        the measure has there), "metric", "name"; or "times": a factor on the value, of a system that is not at hand}; or
        a list of such variants
    "method": how it is measured, where the measure does not say it

A THRESHOLD is ["<=", limit], [">=", limit] or ["within", least, greatest].

A SELECTION is {"system": name or list of names, "case": pattern, "where": {placeholder: list of words}}. A pattern is a
case with placeholders: {x} stands for one part between slashes, or for a piece of one; * for any number of any
characters. Formulas, each over all that the patterns find:

    value    the medians of `value`
    ratio    value ÷ over, paired where placeholders that both patterns have are equal; in `over`, "system": "same" asks
             for the system of the value
    spread   greatest ÷ least of `value`, within each system
    sums     the sum of `value` ÷ the sum of `over`, of what ratio would pair
    bar      values of the bars of the suite whose section and name match "section" and "name" (regular expressions)

`take` makes one number of them: least, greatest, or middle (the median). Nothing found: not measured.
"""
import json
import os
import re
import statistics
from dataclasses import dataclass, field

import papers as papers_module

FOLDER = os.path.join(papers_module.FOLDER, "claims")
FORMULAS = ("value", "ratio", "spread", "sums", "bar")
TAKES = {"least": min, "greatest": max, "middle": statistics.median}
SURPASSED, REPRODUCED, NOT_REPRODUCED, NOT_MEASURED = "surpassed", "reproduced", "not reproduced", "not measured"
VERDICTS = (SURPASSED, REPRODUCED, NOT_REPRODUCED, NOT_MEASURED)


@dataclass
class Judgement:
    """A claim with its verdict. value is None exactly when the verdict is NOT_MEASURED."""
    claim: dict
    verdict: str
    value: float = None
    points: int = 0                       # how many values or ratios `take` chose from
    where: str = ""                       # which system and case the value is of; "" for a median
    all_points: list = field(default_factory=list)
    variants: list = field(default_factory=list)  # a Judgement for each falsifying variant


def load(folder=FOLDER):
    """All claims, paper by paper; each has its paper's name in "paper"."""
    found = []
    for paper in papers_module.IDS:
        with open(os.path.join(folder, f"{paper}.json"), encoding="utf-8") as f:
            found += [{**claim, "paper": paper} for claim in json.load(f)]
    return found


def pattern(text):
    """A compiled pattern of cases; its groups are the placeholders."""
    out, seen = [], set()
    for part in re.split(r"(\{\w+\}|\*)", text):
        if part == "*":
            out.append(".*")
        elif re.fullmatch(r"\{\w+\}", part):
            name = part[1:-1]
            out.append(f"(?P={name})" if name in seen else f"(?P<{name}>[^/]+?)")
            seen.add(name)
        else:
            out.append(re.escape(part))
    return re.compile("".join(out) + r"\Z")


def select(results, suite, metric, selection):
    """[(system, case, placeholders' words, median)]"""
    systems = selection["system"]
    systems = [systems] if isinstance(systems, str) else systems
    case_pattern, where = pattern(selection["case"]), selection.get("where", {})
    found = []
    for system, case, m in results.keys(suite, metric):
        match = case_pattern.match(case)
        if match and system in systems:
            words = match.groupdict()
            if all(words.get(name) in allowed for name, allowed in where.items()):
                found.append((system, case, words, results.median(suite, system, case, m)))
    return found


def _pairs(results, measure):
    """(median of value, median of over, of what) wherever the placeholders that both have are equal."""
    suite, metric = measure["suite"], measure["metric"]
    same, over = measure["over"]["system"] == "same", measure["over"]
    others = select(results, suite, measure.get("over_metric", metric), {**over, "system": measure["value"]["system"]} if same else over)
    found = select(results, suite, metric, measure["value"])
    if not found or not others:
        return
    common = sorted(found[0][2].keys() & others[0][2].keys())  # all cases of a pattern have the same placeholders
    by_words = {}
    for system, _, words, median in others:
        by_words.setdefault(tuple(words[w] for w in common), []).append((system, median))
    for system, case, words, median in found:
        for other_system, other in by_words.get(tuple(words[w] for w in common), ()):
            if (not same or system == other_system) and other:
                yield median, other, f"{system} {case}"


def _by_system(found):
    groups = {}
    for system, _, _, median in found:
        groups.setdefault(system, []).append(median)
    return groups


def _points(results, measure):
    """[(number, of what)]"""
    formula, suite = measure["formula"], measure["suite"]
    if formula == "bar":
        return [(b["value"], f"{b['section']}: {b['name']}") for b in results.bars_of(suite)
                if b["value"] is not None and re.search(measure["section"], b["section"])
                and re.search(measure["name"], b["name"])]
    metric = measure["metric"]
    if formula == "ratio":
        return [(value / other, what) for value, other, what in _pairs(results, measure)]
    if formula == "sums":
        pairs = list(_pairs(results, measure))
        return [(sum(p[0] for p in pairs) / sum(p[1] for p in pairs), "")] if pairs else []
    found = select(results, suite, metric, measure["value"])
    if formula == "value":
        return [(median, f"{system} {case}") for system, case, _, median in found]
    return [(max(v) / min(v), system) for system, v in _by_system(found).items() if len(v) > 1 and min(v) > 0]


def holds(value, threshold):
    if threshold[0] == "within":
        return threshold[1] <= value <= threshold[2]
    return value <= threshold[1] if threshold[0] == "<=" else value >= threshold[1]


def variants(claim):
    """The falsifying variants, each a dictionary with "variant", its words."""
    found = claim.get("falsified_by", [])
    return found if isinstance(found, list) else [found]


def changed(measure, variant):
    """The measure of a falsifying variant."""
    parts = {part: {**measure[part], **variant[part]} for part in ("value", "over") if part in variant}
    return {**measure, **parts, **{part: variant[part] for part in ("metric", "name") if part in variant}}


def judge(claim, results):
    """The claim's judgement, and those of its falsifying variants."""
    judgement = _judge(claim, results)
    judgement.variants = [_judge({**claim, "measure": changed(claim["measure"], v)}, results, v.get("times", 1)) for v in variants(claim)]
    return judgement


def _judge(claim, results, times=1):
    """times: a factor on what is measured."""
    points = [(times * value, what) for value, what in _points(results, claim["measure"])]
    if not points:
        return Judgement(claim, NOT_MEASURED)
    value = TAKES[claim["measure"]["take"]](p[0] for p in points)
    of_what = next((what for v, what in points if v == value), "")
    if claim["surpassed"] and holds(value, claim["surpassed"]):
        verdict = SURPASSED
    elif holds(value, claim["reproduced"]):
        verdict = REPRODUCED
    else:
        verdict = NOT_REPRODUCED
    return Judgement(claim, verdict, value, len(points), of_what, points)


def judge_all(results, claims=None):
    return [judge(claim, results) for claim in (load() if claims is None else claims)]


def measure_words(measure):
    """How a claim is measured, in words."""
    def selection(s):
        systems = s["system"] if isinstance(s["system"], str) else ", ".join(s["system"])
        where = "; ".join(f"{k}: {', '.join(v)}" for k, v in s.get("where", {}).items())
        return f"{'the same system' if systems == 'same' else systems} {s['case']}" + (f" ({where})" if where else "")
    if measure["formula"] == "bar":
        return f"{measure['take']} of the bars of {measure['suite']}: {measure['section']}, {measure['name']}"
    words = f"{measure['suite']}: {measure['take']} {measure['formula']} of {measure['metric']}, {selection(measure['value'])}"
    return f"{words} ÷ {selection(measure['over'])}" if "over" in measure else words


def threshold_words(claim, threshold):
    def number(x):
        return f"{100 * x:g}\u00a0%" if claim["unit"] == "%" else f"{x:,g}\u00a0{claim['unit']}"
    if threshold[0] == "within":
        return f"{number(threshold[1])} to {number(threshold[2])}"
    return f"{'≤' if threshold[0] == '<=' else '≥'}\u00a0{number(threshold[1])}"
