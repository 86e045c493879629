#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Figures that README.md and the guide state, compared with the recorded results (bench/papers/recorded.jsonl).

    texts.py           fails, with what should stand there, if a text differs
    texts.py --write   puts the figures into the texts

Counts and sizes must be the same. Times are noisy: a text may differ by a share that stands here, and is then left as it is. Times of
a machine that was shared when the results were recorded say nothing: then texts with times are left as they are, too.
"""
import os
import re
import sys
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "common")]
import results as results_module  # noqa: E402
import verdicts  # noqa: E402
from look import OPERATIONS  # noqa: E402
from report import BUSY  # noqa: E402

OURS, COMPILED, OTHER, FLOOR = "callis-interpreted", "callis-compiled", "omniorb", "raw"
LEVELS = ("x86-64/gcc/-O2",)  # what users link
NOISE = 0.2  # of times


@dataclass(frozen=True)
class Statement:
    """A figure or several: each group of the pattern is one. In the pattern a space is any white space."""
    file: str
    pattern: str
    figures: object     # of results: the groups' texts; None where the results do not have them
    noise: float = 0.0  # by how much a text may differ


def two_digits(x):
    return f"{x:.2f}" if x < 2 else f"{x:.1f}"


def spread(values, text):
    """The least and the greatest; None if one is missing."""
    values = list(values)
    return None if not values or None in values else [text(min(values)), text(max(values))]


def ratio(results, suite, one, other, case, metric, other_case=None):
    a, b = results.median(suite, one, case, metric), results.median(suite, other, other_case or case, metric)
    return a / b if a is not None and b else None


def speeds(results):
    return spread((ratio(results, "engine", COMPILED, OURS, f"memory/{o}", "ns") for o in OPERATIONS), two_digits)


def shares(part):
    """Of interpreted stubs in compiled ones, in percent."""
    return lambda results: spread((ratio(results, "sizes", OURS, COMPILED, f"{level}/{o}/{part}", "bytes")
                                   for level in LEVELS for o in OPERATIONS), lambda x: f"{100 * x:,.0f}")


def stub_bytes(system, part):
    return lambda results: spread((results.median("sizes", system, f"{level}/{o}/{part}", "bytes") for level in LEVELS for o in OPERATIONS),
                                  lambda x: f"{x:,.0f}")


def instructions(results):
    found = [results.median("core", system, "test_short", "instructions") for system in (OURS, OTHER)]
    return None if None in found else [f"{round(x, -1):,.0f}" for x in found]


def idle_megabytes(system):
    def figures(results):
        each = results.median("core", system, "idle", "bytes")
        return None if each is None else [f"{each * 10_000 / 1e6:.0f}"]
    return figures


def times_the_floor(system):
    return lambda results: spread((ratio(results, "param_test", system, FLOOR, f"one-cpu/{o}", "p50_us") for o in OPERATIONS), two_digits)


README, PERFORMANCE, STUBS = "README.md", "docs/guide/performance.md", "docs/guide/stubs.md"
NUMBER = r"([\d.,]+)"
STATEMENTS = (
    Statement(README, f"interpreted stubs are {NUMBER} to {NUMBER} times as fast as compiled stubs", speeds, NOISE),
    Statement(README, f"at {NUMBER} to {NUMBER} % of their size", shares("stub")),
    Statement(README, f"takes {NUMBER} user instructions on both sides together; omniORB's takes {NUMBER}\\.", instructions),
    Statement(README, f"takes {NUMBER} MB for 10,000 idle connections", idle_megabytes("callis-pool")),
    Statement(PERFORMANCE, f"over sockets \\| {NUMBER} to {NUMBER} \\|", times_the_floor(OURS), NOISE),
    Statement(PERFORMANCE, f"\\| omniORB {NUMBER} to {NUMBER} \\|", times_the_floor(OTHER), NOISE),
    Statement(PERFORMANCE, f"as a multiple of compiled ones \\| {NUMBER} to {NUMBER} \\|", speeds, NOISE),
    Statement(PERFORMANCE, f"size of an interpreted stub, as a part of a compiled one \\| {NUMBER} to {NUMBER} % \\|", shares("stub")),
    Statement(PERFORMANCE, f"client and server together \\| {NUMBER} \\| omniORB {NUMBER} \\|", instructions),
    Statement(PERFORMANCE, f"`-ORBServerThreads pool` \\| {NUMBER} MB", idle_megabytes("callis-pool")),
    Statement(PERFORMANCE, f"with a thread a connection \\| {NUMBER} MB", idle_megabytes(OURS)),
    Statement(STUBS, f"marshaling engine: {NUMBER} to {NUMBER} bytes a stub", stub_bytes(OURS, "stub")),
    Statement(STUBS, f"straight-line code: {NUMBER} to {NUMBER} bytes a stub", stub_bytes(COMPILED, "stub")),
)


def found(statement, text):
    """Where the statement stands; an Error if it stands nowhere, or twice."""
    matches = list(re.finditer(statement.pattern.replace(" ", r"\s+"), text))
    if len(matches) != 1:
        raise results_module.Error(f"{statement.file}: {len(matches)} times: {statement.pattern}")
    return matches[0]


def value(text):
    return float(text.replace(",", "").rstrip("."))


def agrees(said, measured, noise):
    return all(a == b or (noise and abs(value(a) - value(b)) <= noise * value(b)) for a, b in zip(said, measured))


def differences(statements, results, texts):
    """(statement, match, the figures that should stand there) of those that differ. What was not measured differs from nothing."""
    shared = results is not None and results.machine.get("load", 0) > BUSY
    for statement in statements:
        match, measured = found(statement, texts[statement.file]), statement.figures(results)
        if measured is not None and not (shared and statement.noise) and not agrees(match.groups(), measured, statement.noise):
            yield statement, match, measured


def corrected(text, match, figures):
    for group in range(len(figures), 0, -1):
        text = text[:match.start(group)] + figures[group - 1] + text[match.end(group):]
    return text


def read_texts(statements=STATEMENTS):
    texts = {}
    for file in {s.file for s in statements}:
        with open(os.path.join(ROOT, file), encoding="utf-8") as f:
            texts[file] = f.read()
    return texts


def main():
    results, texts, faults = results_module.read(verdicts.RECORDED), read_texts(), 0
    for statement in STATEMENTS:
        for _, match, figures in differences([statement], results, texts):
            faults += 1
            print(f"{statement.file}: {' '.join(match.group().split())}: measured {', '.join(figures)}")
            texts[statement.file] = corrected(texts[statement.file], match, figures)
    if "--write" not in sys.argv[1:]:
        return 1 if faults else 0
    for file, text in texts.items():
        with open(os.path.join(ROOT, file), "w", encoding="utf-8") as f:
            f.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
