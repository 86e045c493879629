#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the suite `ladder` at its tiny scale and checks that every rung has every case; and, where callgrind is, that rungs
make the calls of the papers' tables II, III, VI, VII, IX and X (JSAC 1999): so many for each BinStruct."""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [os.path.join(BENCH, "suites")]
import ladder  # noqa: E402
from pairs import Pair  # noqa: E402
from processes import Failure  # noqa: E402
from suite import Context  # noqa: E402

STRUCTS = ladder.BYTES // 32
# The papers' counts for 64 MB, divided by 2,097,152 structs: 83,921,427 calls of get_long are 40 a struct, and so on.
CALLS = {("original", "encode"): {"CDR::get_long": 21, "encoder": 15, "TypeCode::calc_nested_size_and_alignment": 7,
                                  "TypeCode::traverse": 2, "TypeCode::struct_traverse": 1},
         ("original", "decode"): {"CDR::get_long": 40, "decoder": 16, "TypeCode::calc_nested_size_and_alignment": 14,
                                  "CDR::skip_string": 16, "deep_free": 7, "TypeCode::traverse": 3,
                                  "TypeCode::struct_traverse": 2},
         ("precomputing", "encode"): {"TypeCode::traverse": 1},
         ("precomputing", "decode"): {"TypeCode::traverse": 2, "TypeCode::typecode_param": 2},
         ("sender", "encode"): {"encode_seq": 0, "encode_array": 1},
         ("sender", "decode"): {"decode_seq": 0, "decode_array": 1, "deep_free_seq": 0, "deep_free_array": 1,
                                "TypeCode::typecode_param": 2}}


def measured(build):
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "results.jsonl")
        subprocess.run([sys.executable, os.path.join(BENCH, "bench.py"), "--tiny", "--only", "ladder", "--build", build,
                        "--json", path, "--report", "none"], check=True)
        with open(path, encoding="utf-8") as f:
            lines = [json.loads(line) for line in f]
    for line in lines:
        if "missing" in line and "instructions" not in line["system"] or "failed" in line:
            raise SystemExit(f"not measured: {line}")
    return {(line["system"], line["case"], line["metric"]): line["median"] for line in lines if "metric" in line}


def calls_made(build):
    complaints = []
    for (rung, direction), functions in CALLS.items():
        made = dict(ladder.by_function(ladder.profile(Context(build=build, minsize="", peers=""), rung, "BinStruct", direction)))
        for name, times in functions.items():
            got = made[name].calls / STRUCTS if name in made else float("nan")
            if not abs(got - times) < 0.05:
                complaints.append(f"{rung}, {direction}: {got:.2f} calls of {name} a struct, the papers count {times}")
    return complaints


def accepted_when_damaged(build):
    """A sender that spoils an element must be told so by its receiver."""
    complaints = []
    for rung in ladder.RUNGS:
        with Pair(Context(build=build, minsize="", peers=""), f"ladder-{rung}", "ttcp") as pair:
            try:
                pair.run("--types", "BinStruct", "--sizes", "1K", "--megabytes", 1, "--corrupt")
                complaints.append(f"{rung}: a spoiled element went unnoticed")
            except Failure as e:
                if "not as sent" not in str(e):
                    raise
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    build = parser.parse_args().build
    found = measured(build)
    complaints = []
    for system in ladder.SYSTEMS.values():
        for kind in ladder.TYPES:
            cases = [(f"memory/{kind}/{what}", m) for what in ("encode", "decode", "both") for m in ("gbit_s", "ns_per_element")]
            for case, metric in [*cases, (f"one-cpu/{kind}/64K", "gbit_s"), (f"one-cpu/{kind}/64K", "receiver_gbit_s")]:
                if not found.get((system, case, metric), 0) > 0:
                    complaints.append(f"{system} {case} {metric}: {found.get((system, case, metric))}")
    complaints += accepted_when_damaged(build)
    if shutil.which("valgrind"):
        complaints += calls_made(build)
    if complaints:
        raise SystemExit("\n".join(complaints))


if __name__ == "__main__":
    main()
