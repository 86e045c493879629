#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a suite of measurements at its tiny scale and checks that every expected value and every bar is there. Whether
bars are held is not looked at: a test machine is busy.

    smoke_test.py SUITE --build FOLDER

What is expected stands in suites/testing/SUITE.py:

    VALUES    a list of (system, case, metric)
    BARS      a list of (start of the section's title, name of the row)
    FALSIFIED, if there is one: claims of the papers (bench/papers/claims) whose falsifying variants differ by so much that even a
              tiny run shows it: their verdict must be "not reproduced"
"""
import argparse
import importlib.util
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, folder) for folder in ("report", "common")]
import claims  # noqa: E402
import results as results_module  # noqa: E402

COUNTS = ("allocations", "locks", "faults", "waits", "inverted_p99_us", "wakeups_per_s", "cpu_us_per_s",
          "code_misses", "data_misses")  # may be 0


def expected(suite):
    spec = importlib.util.spec_from_file_location("expected", os.path.join(HERE, "suites", "testing", f"{suite}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.VALUES, module.BARS, getattr(module, "FALSIFIED", ())


def complaints(lines, suite, values, bars):
    """What is missing or has no value."""
    medians = {(r["system"], r["case"], r["metric"]): r["median"] for r in lines if r.get("suite") == suite and "case" in r}
    rows = [r["bar"] for r in lines if "bar" in r and r["bar"]["suite"] == suite]
    for value in values:
        if value not in medians:
            yield f"no value: {' '.join(value)}"
        elif not (medians[value] > 0 or (medians[value] == 0 and value[2] in COUNTS)):
            yield f"{' '.join(value)}: {medians[value]}"
    for section, name in bars:
        found = [r for r in rows if r["section"].startswith(section) and r["name"] == name]
        if len(found) != 1:
            yield f"{section} {name}: {len(found)} rows"
        elif not found[0]["bar"] or found[0]["value"] is None or found[0]["value"] < 0:
            yield f"{section} {name}: {found[0]}"


def unfalsified(file, names):
    """Claims that could not fail here."""
    results = results_module.read(file)
    judged = {j.claim["id"]: j for j in claims.judge_all(results)}
    for name in names:
        for variant, words in zip(judged[name].variants, claims.variants(judged[name].claim)):
            absent = variant.verdict == claims.NOT_MEASURED and is_missing(results, judged[name].claim, words)
            if variant.verdict != claims.NOT_REPRODUCED and not absent:
                yield f"claim {name}, {words['variant']}: {variant.verdict}, {variant.value}"


def is_missing(results, claim, variant):
    """Whether the system of a variant is reported as missing."""
    measure = claims.changed(claim["measure"], variant)
    systems = measure["value"]["system"]
    return any(system in results.missing(measure["suite"]) for system in ([systems] if isinstance(systems, str) else systems))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite")
    parser.add_argument("--build", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        file = os.path.join(scratch, "results.jsonl")
        subprocess.run([sys.executable, os.path.join(HERE, "bench.py"), "--only", arguments.suite, "--tiny", "--build",
                        arguments.build, "--minsize", arguments.build, "--json", file, "--report", "none"], check=True)
        with open(file, encoding="utf-8") as f:
            lines = [json.loads(line) for line in f]
        values, bars, falsified = expected(arguments.suite)
        found = [*complaints(lines, arguments.suite, values, bars), *unfalsified(file, falsified)]
    if found:
        raise SystemExit("\n".join(found))


if __name__ == "__main__":
    main()
