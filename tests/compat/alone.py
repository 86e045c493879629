#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each header of callis/compat alone, by several compilers, with -Wall -Wextra as users have them, and twice in one source.

    alone.py FOLDER --compiler NAME... --include DIR... [--without NAME...]

FOLDER: callis/compat; NAME: of a folder in it that is not meant. Compilers that are not installed are left out and named. Headers of services are left out if the header that the
IDL compiler makes for them is not in --include: the service is not built.

Exit status 0: all compile without a word. 77: no compiler is here.
"""
import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import sys


def headers(folder, without):
    found = sorted(p.relative_to(folder) for kind in ("*.h", "*.hh") for p in folder.rglob(kind))
    return [p for p in found if not set(without) & set(p.parts)]


def missing(folder, header, include):
    """A generated header that a header of a service needs, and that no folder has."""
    text = (folder / header).read_text(encoding="utf-8")
    for name in re.findall(r"#include <(Cos\w+\.h|TimeBase\.h)>", text):
        if not any((pathlib.Path(d) / name).exists() for d in include):
            return name
    for name in re.findall(r"#include <(\S+\.hh)>", text):
        if (folder / name).exists() and pathlib.Path(name) != header and (found := missing(folder, pathlib.Path(name), include)):
            return found
    return None


def compile_alone(compiler, header, include):
    words = [compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++", *(f"-I{d}" for d in include), "-"]
    done = subprocess.run(words, input=f"#include <{header}>\n#include <{header}>\n", stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    return done.stdout.strip() or (f"status {done.returncode}" if done.returncode else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--compiler", action="append", default=[])
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--without", action="append", default=["testing"])
    options = parser.parse_args()
    compilers = [c for c in options.compiler if shutil.which(c)]
    for name in sorted(set(options.compiler) - set(compilers)):
        print(f"{name} is not installed")
    if not compilers:
        return 77
    chosen, wrong = [], 0
    for header in headers(options.folder, options.without):
        name = missing(options.folder, header, options.include)
        if name:
            print(f"{header}: {name} is not built")
        else:
            chosen.append(header)
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(c, h, pool.submit(compile_alone, c, h, options.include)) for h in chosen for c in compilers]
        for compiler, header, job in jobs:
            said = job.result()
            if said:
                wrong += 1
                print(f"{header} by {compiler}:\n{said[:3000]}")
    print(f"{len(chosen)} headers, {', '.join(compilers)}: {wrong} wrong")
    return 1 if wrong or not chosen else 0


if __name__ == "__main__":
    sys.exit(main())
