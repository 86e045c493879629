#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the suite `whitebox` at its tiny scale and checks that callis has every layer, that what is marshaled has
instructions in the layers that marshal, and that less than 5 % of a side belongs to no layer."""
import argparse
import json
import os
import subprocess
import sys
import tempfile

BENCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path[:0] = [os.path.join(BENCH, "suites")]
import whitebox  # noqa: E402

OURS = ("callis-interpreted", "callis-compiled")
# {(operation, side): layers that must have taken part}
WORKING = {("test_strseq", "client"): ("marshal", "demarshal", "headers", "transport", "stub", "memory"),
           ("test_strseq", "server"): ("marshal", "demarshal", "headers", "transport", "demultiplexing", "upcall", "memory"),
           ("BinStruct", "client"): ("marshal", "headers", "transport", "stub"),
           ("BinStruct", "server"): ("demarshal", "headers", "transport", "demultiplexing", "upcall")}


def measured(build):
    with tempfile.TemporaryDirectory() as scratch:
        path = os.path.join(scratch, "results.jsonl")
        subprocess.run([sys.executable, os.path.join(BENCH, "bench.py"), "--tiny", "--only", "whitebox", "--build", build,
                        "--json", path, "--report", "none"], check=True)
        with open(path, encoding="utf-8") as f:
            lines = [json.loads(line) for line in f]
    for line in lines:
        if line.get("missing") and line["system"] in OURS or "failed" in line:
            raise SystemExit(f"not measured: {line}")
    return {(line["system"], line["case"], line["metric"]): line["median"] for line in lines if "metric" in line}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", required=True)
    found = measured(parser.parse_args().build)
    complaints = []
    for system in OURS:
        for (operation, side), working in WORKING.items():
            layers = {layer: found.get((system, f"{operation}/{side}/{layer}", "instructions")) for layer in whitebox.LAYERS}
            if None in layers.values():
                complaints.append(f"{system} {operation} {side}: {layers}")
                continue
            for layer in working:
                if layers[layer] <= 0:
                    complaints.append(f"{system} {operation} {side}: nothing in {layer}")
            lost = layers[whitebox.UNCLASSIFIED] / sum(layers.values())
            if lost >= whitebox.MOST_UNCLASSIFIED:
                complaints.append(f"{system} {operation} {side}: {lost:.1%} belong to no layer; see bench/whitebox/layers.py")
            functions = [case for (s, case, _) in found if s == system and case.startswith(f"{operation}/{side}/function/")]
            if len(set(functions)) != whitebox.TOP_FUNCTIONS:
                complaints.append(f"{system} {operation} {side}: {len(set(functions))} functions")
    if complaints:
        raise SystemExit("\n".join(complaints))


if __name__ == "__main__":
    main()
