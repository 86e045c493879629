# SPDX-License-Identifier: Apache-2.0
"""Reads what a run of the suites wrote: JSON lines (bench/common/suite.py), into values that sections ask for.

A line is one of {"machine": {...}}, {"suite", "system", "case", "metric", "unit", "median", "min", "max", "runs"},
{"suite", "system", "missing": why}, {"suite", "failed": why},
{"bar": {"suite", "section", "name", "value", "unit", "bar", "pass", "note"}}. Anything else is an Error that names the
line. What was not measured is None everywhere, never 0.
"""
import json
import math
from dataclasses import dataclass

from suite import METRICS, SUITES


class Error(Exception):
    """A line that cannot be understood; the text has file and line number."""


@dataclass(frozen=True)
class Value:
    """Medians over rounds, with the least and the greatest round."""
    median: float
    least: float
    greatest: float
    runs: int
    unit: str


class Results:
    """All lines of a run. Cases and systems come in the order of the file."""

    def __init__(self):
        self.machine = {}
        self.values = {}   # (suite, system, case, metric): Value
        self.absent = {}   # (suite, system): reason
        self.failed = {}   # suite: reason
        self.bars = []     # dictionaries as in the lines, of bench/common/report.Row

    def value(self, suite, system, case, metric):
        return self.values.get((suite, system, case, metric))

    def median(self, suite, system, case, metric):
        found = self.value(suite, system, case, metric)
        return found.median if found else None

    def keys(self, suite, metric=None):
        """(system, case, metric) of a suite."""
        return [k[1:] for k in self.values if k[0] == suite and metric in (None, k[3])]

    def systems(self, suite, metric=None):
        return list(dict.fromkeys(k[0] for k in self.keys(suite, metric)))

    def cases(self, suite, metric=None):
        return list(dict.fromkeys(k[1] for k in self.keys(suite, metric)))

    def missing(self, suite):
        """{system: reason} of a suite."""
        return {system: why for (s, system), why in self.absent.items() if s == suite}

    def bars_of(self, suite):
        return [b for b in self.bars if b["suite"] == suite]

    def measured(self, suite):
        return any(k[0] == suite for k in self.values) or bool(self.bars_of(suite))


def read(path):
    results = Results()
    try:
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                if line.strip():
                    _take(results, line, f"{path}:{number}")
    except UnicodeDecodeError as e:
        raise Error(f"{path}: not UTF-8: {e}") from e
    return results


def _take(results, text, where):
    try:
        line = json.loads(text)
    except json.JSONDecodeError as e:
        raise Error(f"{where}: not JSON: {e}") from e
    if not isinstance(line, dict):
        raise Error(f"{where}: not an object: {text.strip()[:60]}")
    if "machine" in line:
        results.machine.update(_object(line["machine"], where))
    elif "bar" in line:
        results.bars.append(_bar(_object(line["bar"], where), where))
    elif "missing" in line:
        suite, system = _suite(line, where), _text(line, "system", where)
        results.absent[suite, system] = _text(line, "missing", where)
    elif "failed" in line:
        results.failed[_suite(line, where)] = _text(line, "failed", where)
    elif "metric" in line:
        key = (_suite(line, where), _text(line, "system", where), _text(line, "case", where),
               _text(line, "metric", where))
        if key[3] not in METRICS:
            raise Error(f"{where}: unknown metric: {key[3]}")
        if key in results.values:
            raise Error(f"{where}: measured before in this file: {' '.join(key)}")
        results.values[key] = Value(*(_number(line, name, where) for name in ("median", "min", "max", "runs")),
                                    _text(line, "unit", where))
    else:
        raise Error(f"{where}: neither machine, value, missing, failed nor bar: {text.strip()[:80]}")


def _object(value, where):
    if not isinstance(value, dict):
        raise Error(f"{where}: not an object: {value!r}")
    return value


def _text(line, name, where):
    if not isinstance(line.get(name), str) or not line[name]:
        raise Error(f"{where}: no text {name!r}")
    return line[name]


def _suite(line, where):
    suite = _text(line, "suite", where)
    if suite not in SUITES:
        raise Error(f"{where}: unknown suite: {suite}")
    return suite


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _number(line, name, where):
    if not is_number(line.get(name)):
        raise Error(f"{where}: no number {name!r}")
    return line[name]


def _bar(bar, where):
    limit = bar.get("bar")
    if limit is not None and not (isinstance(limit, list) and len(limit) == 2 and limit[0] in ("<=", ">=")
                                  and is_number(limit[1])):
        raise Error(f"{where}: not a bar: {limit!r}")
    if bar.get("value") is not None:
        _number(bar, "value", where)
    return {"suite": _suite(bar, where), "section": _text(bar, "section", where), "name": _text(bar, "name", where),
            "value": bar.get("value"), "unit": bar.get("unit") or "", "bar": limit, "pass": bar.get("pass"),
            "note": bar.get("note") or ""}
