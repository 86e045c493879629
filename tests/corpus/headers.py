#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each header of callis/ and idl/ alone through Clang, which GCC does in the tests header_alone.LIBRARY.

    headers.py --build BUILD [--full]

Without --full the headers that applications include, and every tenth of the others. The exit status is 77 without Clang.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
CLANG = "clang++-14"
STRICT = ("-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Werror")
SKIPPED = 77


def is_of_tree(source):
    """cmake/callis_targets.cmake writes them; those of headers that the tree had once stay in an old build folder. Headers of
    services and tools are not public."""
    header = re.search("<(.*?)>", source.read_text(encoding="utf-8"))
    return header is not None and header[1].startswith(("callis/", "idl/")) and (ROOT / header[1]).exists()


def compile_alone(source, build):
    """What Clang has against it, or None."""
    # Public headers of services include what is generated from the services' IDL files.
    generated = [f"-I{build / 'include'}", *(f"-I{folder}" for folder in (build / "services").glob("**/idl/*"))]
    done = subprocess.run([CLANG, *STRICT, "-fsyntax-only", f"-I{ROOT}", *generated, str(source)], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return None if done.returncode == 0 else f"{source.name}:\n{done.stdout[:3000]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, type=pathlib.Path)
    parser.add_argument("--full", action="store_true", help="all headers")
    arguments = parser.parse_args()
    if shutil.which(CLANG) is None:
        print(f"missing: {CLANG} is not installed")
        return SKIPPED
    build = arguments.build.resolve()
    every = [s for s in sorted((build / "header_alone").glob("*.cpp")) if is_of_tree(s)]
    chosen = [s for i, s in enumerate(every) if arguments.full or i % 10 == 0 or s.stem.count("_") == 2]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(filter(None, pool.map(lambda s: compile_alone(s, build), chosen)))
    print("\n".join(faults))
    print(f"{len(chosen)} of {len(every)} headers")
    return 1 if faults or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
