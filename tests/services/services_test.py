#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Holds generated code of the OMG's services against omniidl's: bytes of object code and CPU time from IDL to objects.

    services_test.py --build BUILD SERVICE...

Measured by bench/services/idl_files.py, against its bars. Bytes are the same in every run. Other work on the machine only adds
to a CPU time: the least of some rounds is compared, and more rounds are made only while a bar is missed. The exit status is
77 when omniORB is not here.
"""
import argparse
import os
import pathlib
import sys
import tempfile

BENCH = pathlib.Path(__file__).resolve().parent.parent.parent / "bench"
sys.path.insert(0, str(BENCH))
import bench  # noqa: E402

suite = bench.load("services").idl_files
ROUNDS = 7
SKIPPED = 77


def compare(service, file, systems, scratch):
    """What is missed, a line each."""
    least = {s.name: {"bytes": float("inf"), "ns": float("inf")} for s in systems}
    missed = []
    for n in range(ROUNDS):
        for system in systems:
            size, seconds = suite.measure(system, file, os.path.join(scratch, f"{system.name}-{service}-{n}"))
            found = least[system.name]
            found["bytes"], found["ns"] = min(found["bytes"], size), min(found["ns"], seconds * 1e9)
        mine, its = least[suite.JUDGED], least[suite.OTHER]
        missed = [f"{service}: {metric}: {mine[metric]:,.0f} is {mine[metric] / its[metric]:.3f} of omniORB's "
                  f"{its[metric]:,.0f}, more than {bar}" for metric, bar in suite.BARS.items() if mine[metric] > bar * its[metric]]
        if not missed or mine["bytes"] > suite.BARS["bytes"] * its["bytes"]:
            break
    print(f"{service}: {n + 1} rounds, " + ", ".join(f"{metric} {mine[metric] / its[metric]:.3f}" for metric in suite.BARS))
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("services", nargs="+", choices=suite.SERVICES, metavar="SERVICE")
    arguments = parser.parse_args()
    context = bench.suite.Context(build=os.path.abspath(arguments.build), minsize="", peers="")
    files = suite.services.files()
    missed = []
    with tempfile.TemporaryDirectory(prefix="callis-services-") as scratch:
        systems = suite.systems(context, scratch)
        absent = dict(context.results.absent) or (not files and {"files": f"no IDL files in {suite.OWN}"})
        if absent:
            print(f"missing: {absent}")
            return SKIPPED
        for service in arguments.services:
            missed += compare(service, files[service], systems, scratch)
    print("\n".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
