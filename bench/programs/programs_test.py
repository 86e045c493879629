#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The measuring programs of callis and omniORB: with a wrong value on the wire the client must fail, and say which.

    programs_test.py --build FOLDER
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
from pairs import Pair, here  # noqa: E402
from processes import Failure  # noqa: E402
from suite import Context  # noqa: E402

SYSTEMS = ("callis-interpreted", "callis-compiled", "callis-hybrid", "omniorb")
OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence")
TYPES = ("short", "char", "long", "octet", "double", "BinStruct")


def notices(pair, what, *options):
    """Nothing, or a complaint: the client must end with a text that names the wrong value."""
    try:
        found = pair.run(*options)
    except Failure as e:
        return [] if f"wrong: {what}" in str(e) else [f"{what}: {e}"]
    return [f"{what}: not noticed, {found}"]


def complaints(context, system):
    found = []
    with Pair(context, system, "param_test", server_arguments=["--corrupt"]) as pair:
        for operation in OPERATIONS:
            found += notices(pair, operation, "--calls", 10, "--operations", operation)
    with Pair(context, system, "ttcp") as pair:
        for kind in TYPES:
            found += notices(pair, f"{kind}/1K", "--megabytes", 1, "--sizes", "1K", "--types", kind, "--corrupt")
    return [f"{system}: {complaint}" for complaint in found]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    context = Context(build=parser.parse_args().build, minsize="", peers="")
    systems = here(context, SYSTEMS)
    if "callis-interpreted" not in systems:
        raise SystemExit("the programs have not been built")
    found = [complaint for system in systems for complaint in complaints(context, system)]
    if found:
        raise SystemExit("\n".join(found))
    print(f"noticed: {', '.join(systems)}")


if __name__ == "__main__":
    main()
