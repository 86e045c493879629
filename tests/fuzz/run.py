#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the fuzz targets of this folder with clang and libFuzzer, under AddressSanitizer and
UndefinedBehaviorSanitizer, and runs each for a while. Corpora are kept, so that a later run goes on where this one
ended; an input that fails is left beside its corpus and its name printed."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = {"plan_decode": ("base", "cdr", "marshal"), "type_code": ("base", "cdr", "marshal"),
           "any": ("base", "cdr", "marshal", "classic", "value", "typecode"),
           "giop_connection": ("base", "cdr", "ior", "giop")}
EXTRA = {"giop_connection": ["callis/giop/testing/driver.cpp", "callis/giop/testing/wire.cpp"]}
FLAGS = ["-std=c++20", "-O1", "-g1", "-fsanitize=fuzzer,address,undefined", "-fno-sanitize=vptr",
         "-fno-sanitize-recover=undefined", f"-I{ROOT}", f"-DCALLIS_SOURCE_DIR=\"{ROOT}\""]


def library_sources(name):
    text = (ROOT / "callis" / name / "CMakeLists.txt").read_text()
    body = re.search(r"callis_library\([^)]*?SOURCES([^)]*?)DEPS", text)
    return [f"callis/{name}/{s}" for s in body.group(1).split()]


def compile_all(compiler, sources, out):
    launcher = ["ccache"] if shutil.which("ccache") else []

    def one(source):
        target = out / (source.replace("/", "_") + ".o")
        subprocess.run([*launcher, compiler, *FLAGS, "-c", str(ROOT / source), "-o", str(target)], check=True)
        return str(target)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, sources))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for programs and corpora")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default 60)")
    parser.add_argument("--compiler", default="clang++-14")
    parser.add_argument("targets", nargs="*", default=list(TARGETS))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    failed = []
    made = {}
    for name in options.targets:
        sources = [s for library in TARGETS[name] for s in library_sources(library)] + EXTRA.get(name, [])
        sources.append(f"tests/fuzz/{name}.cpp")
        todo = [s for s in sources if s not in made]
        made.update(zip(todo, compile_all(options.compiler, todo, options.out)))
        program = options.out / name
        subprocess.run([options.compiler, *FLAGS, "-o", str(program), *(made[s] for s in sources), "-lpthread"], check=True)
        corpus = options.out / f"{name}.corpus"
        corpus.mkdir(exist_ok=True)
        print(f"== {name}, {options.seconds} s", flush=True)
        done = subprocess.run([str(program), str(corpus), f"-max_total_time={options.seconds}", "-max_len=4096",
                               "-print_final_stats=1", "-verbosity=0", f"-artifact_prefix={options.out}/{name}."])
        if done.returncode != 0:
            failed.append(name)
    if failed:
        print("failed:", ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
