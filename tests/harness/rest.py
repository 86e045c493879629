#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A tenth of the tests that `./dev test --all` has and `./dev test` has not, for .ci/run.

usage: rest.py BUILD TENTH SECONDS LABELS

TENTH: any number; its last digit says which tenth. Every tenth test of the sorted names belongs to it, so that each tenth has
some of every kind. Tests that may take more than SECONDS (their TIMEOUT) are left out. LABELS: a regular expression of the labels that
`./dev test` leaves out. Prints a regular expression for `ctest -C Full -R`; the names go to standard error.
"""
import json
import re
import subprocess
import sys

USUAL_TIMEOUT = 1500  # CTest's own


def listed(build, *arguments):
    """{name: timeout}"""
    said = subprocess.run(["ctest", "--test-dir", build, *arguments, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True).stdout
    return {test["name"]: next((p["value"] for p in test.get("properties", ()) if p["name"] == "TIMEOUT"), USUAL_TIMEOUT)
            for test in json.loads(said)["tests"]}


def tenth_of(every, usual, number, seconds):
    """(tests of the tenth, those of it that may take too long); every, usual: tests and their timeouts of the runs with and without --all"""
    names = sorted(set(every) - set(usual))[int(number) % 10::10]
    return [n for n in names if every[n] <= seconds], [n for n in names if every[n] > seconds]


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__.split("\n\n")[1])
    build, number, seconds, labels = sys.argv[1:]
    every = listed(build, "-C", "Full", "-LE", "^case")
    usual = listed(build, "-C", "Together", "-LE", f"^(case|{labels})")
    names, too_long = tenth_of(every, usual, number, float(seconds))
    print(f"tenth {int(number) % 10} of the other tests: {' '.join(names)}", file=sys.stderr)
    if too_long:
        print(f"not run, as they may take longer than {float(seconds) / 60:.0f} minutes: {' '.join(too_long)}", file=sys.stderr)
    print("^(" + "|".join(re.escape(n) for n in names) + ")$")


if __name__ == "__main__":
    main()
