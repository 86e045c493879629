#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The bars of the marshaling engine that are about time and about counts, behind ./dev bench engine.

docs/design/measurement.md says how each is taken.
"""
import argparse
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("../common", "../tools", "."):
    sys.path.insert(0, os.path.join(HERE, folder))
import calls  # noqa: E402
import counts  # noqa: E402
import elements  # noqa: E402
import report  # noqa: E402
from processes import Failure  # noqa: E402

PARTS = ("calls", "elements", "counts")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="build folder with the programs")
    parser.add_argument("--only", choices=PARTS, action="append", help="not all parts; may be given several times")
    parser.add_argument("--peers", action="store_true", help="omniORB's counts too, when it is here")
    parser.add_argument("--cpu", type=int, default=max(os.sched_getaffinity(0)), help="the CPU to run on")
    report.add_arguments(parser)
    arguments = parser.parse_args()

    facts = report.machine()
    for line in report.machine_lines(facts):
        report.say(line)
    parts = arguments.only or PARTS
    rows = []
    measure = {"calls": lambda: calls.run(arguments.build, arguments.quick, arguments.cpu),
               "elements": lambda: elements.run(arguments.build, arguments.quick, arguments.cpu),
               "counts": lambda: counts.run(arguments.build, arguments.quick, arguments.peers)}
    try:
        for part in parts:
            print(f"measuring: {part}", file=sys.stderr, flush=True)
            rows += measure[part]()
    except (Failure, OSError) as e:
        raise SystemExit(f"bench: {e}") from e
    report.print_rows(rows)
    return report.finish(rows, facts, arguments.json, arguments.strict)


if __name__ == "__main__":
    sys.exit(main())
