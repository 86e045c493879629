# SPDX-License-Identifier: Apache-2.0
"""Judges the papers' claims (bench/papers/claims.json) by the results of a run.

A claim names the numbers of the paper that it rests on, what measures it here, and two thresholds:

    "measure": {"suite", "metric", "formula", "value": SELECTION, "over": SELECTION, "take"}
    "reproduced": THRESHOLD, "surpassed": THRESHOLD or null

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

FILE = os.path.join(papers_module.FOLDER, "claims.json")
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


def load(path=FILE):
    with open(path, encoding="utf-8") as f:
        return json.load(f)


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
        if match and ("same" in systems or system in systems):
            words = match.groupdict()
            if all(words.get(name) in allowed for name, allowed in where.items()):
                found.append((system, case, words, results.median(suite, system, case, m)))
    return found


def _pairs(results, measure):
    """(median of value, median of over, of what) wherever the placeholders that both have are equal."""
    suite, metric = measure["suite"], measure["metric"]
    others = select(results, suite, measure.get("over_metric", metric), measure["over"])
    same = measure["over"]["system"] == "same"
    for system, case, words, median in select(results, suite, metric, measure["value"]):
        for other_system, other_case, other_words, other in others:
            common = words.keys() & other_words.keys()
            if all(words[w] == other_words[w] for w in common) and (not same or system == other_system) and other:
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


def judge(claim, results):
    points = _points(results, claim["measure"])
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
