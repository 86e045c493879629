#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails when a program needs a shared library that it must not need.

    links.py --readelf PROGRAM [--static | --runtime] PROGRAM...
    links.py --readelf PROGRAM --self-test DYNAMIC STATIC

--runtime: libc, libstdc++, libm, libgcc and pthreads only. --static: none at all.
"""
import argparse
import os
import re
import subprocess
import sys

RUNTIME = re.compile(r"^(libc|libstdc\+\+|libm|libgcc_s|libpthread|ld-linux[\w-]*)\.so\.[\d.]+$")


def needed(readelf, program):
    dynamic = subprocess.run([readelf, "--wide", "--dynamic", program], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)


def faults_of(libraries, static):
    return [library for library in libraries if static or not RUNTIME.match(library)]


def absent(programs):
    """What to do about each that has not been built."""
    return [f"{program} is not there; build it: cmake --build BUILD --target {os.path.basename(program)}"
            for program in programs if not os.path.exists(program)]


def self_test(readelf, dynamic, static):
    """DYNAMIC is any program with shared libraries, STATIC one without."""
    samples = [
        (["libc.so.6", "libstdc++.so.6", "libm.so.6", "libgcc_s.so.1"], False, True),
        (["libc.so.6", "libpthread.so.0", "ld-linux-x86-64.so.2"], False, True),
        (["libc.so.6", "libssl.so.3"], False, False),
        (["libcap.so.2"], False, False),
        (["libc.so.6"], True, False),
        ([], True, True),
        (needed(readelf, dynamic), True, False),
        (needed(readelf, static), True, True),
    ]
    assert not absent([dynamic, static]) and "--target none" in absent([dynamic, "/nowhere/none"])[0]
    return [f"{libraries}, static {must}: {'let through' if not good else 'refused'}"
            for libraries, must, good in samples if (not faults_of(libraries, must)) != good]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--readelf", default="readelf")
    parser.add_argument("--static", action="store_true")
    parser.add_argument("--runtime", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("programs", nargs="+")
    options = parser.parse_args()
    faults = []
    if options.self_test:
        faults = self_test(options.readelf, *options.programs)
    else:
        if options.static == options.runtime:
            parser.error("one of --static and --runtime")
        faults = absent(options.programs)
        for program in options.programs if not faults else ():
            libraries = needed(options.readelf, program)
            print(f"{program}: {', '.join(libraries) or 'static'}")
            faults += [f"{program} needs {library}" for library in faults_of(libraries, options.static)]
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
