#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the unit tests of the libraries below orb for another machine and runs them under qemu-user.

AArch64 has the NEON code, an unsigned char and a long double of 128 bits. ARMv7 has pointers and std::size_t of 32 bits.
s390x is big-endian.

The test programs are those of the tree's CMakeLists.txt, read here, so that none is forgotten; GoogleTest is
compiled from Debian's sources. Objects are kept in the build directory and made again when a source or any header
of the tree is newer."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# A processor's kind makes no difference to these, and an emulator takes long.
LONG_TESTS = "Interleavings.*:*PerfectHashOfManyNames.*:TypeWork.*/FlattenedArrays:Nothing.*/4"
LIBRARIES = ("base", "cdr", "marshal", "classic", "value", "typecode", "ior", "giop")
MACHINES = {  # compiler, emulator
    "aarch64": ("aarch64-linux-gnu-g++", "qemu-aarch64"),
    "armv7": ("arm-linux-gnueabihf-g++", "qemu-arm"),
    "s390x": ("s390x-linux-gnu-g++", "qemu-s390x"),
}
AT_ONCE = 8  # sources that are compiled as one
BY_THEMSELVES = ("marshal",)  # libraries whose sources have the same names within
GOOGLETEST = pathlib.Path("/usr/src/googletest/googletest")
# No notes on how C++ 17 changed the passing of arguments on ARM.
FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Werror", "-Wno-psabi", f"-I{ROOT}", "--param=ggc-min-heapsize=524288"]
# What the libraries must do without; tests may take 64 bits for a std::size_t. Of precompiled headers GCC 12 forgets that
# they are the system's (cmake/callis_targets.cmake).
LIBRARY_FLAGS = ["-O1", "-Wconversion", "-Wsign-conversion", "-Wno-restrict", "-Wno-array-bounds", "-Wno-stringop-overflow",
                 "-Wno-stringop-overread"]
TEST_FLAGS = ["-O1"]  # without optimisation they take longer under the emulator than they save
LIBRARY_HEADERS = ("algorithm", "atomic", "cstdint", "cstring", "functional", "map", "memory", "mutex", "optional", "set", "span",
                   "string", "string_view", "vector")


def calls(library, function):
    """The arguments of function(...) in a library's CMakeLists.txt, by keyword."""
    text = (ROOT / "callis" / library / "CMakeLists.txt").read_text()
    for body in re.findall(rf"{function}\(([^)]*)\)", text):
        words, groups, key = body.split(), {"": []}, ""
        for word in words:
            if word.isupper() and not word.endswith(".H"):
                key = word
                groups.setdefault(key, [])
            else:
                groups[key].append(word)
        yield groups


class Builder:
    def __init__(self, compiler, out):
        self.compiler = compiler
        self.out = out
        self.jobs = []
        out.mkdir(parents=True, exist_ok=True)
        self.newest_header = max(p.stat().st_mtime for p in (ROOT / "callis").rglob("*.h"))

    def object(self, source, flags, parts=()):
        """The object of a source. parts: what it includes that is no header."""
        target = self.out / (str(source.relative_to(source.anchor)).replace("/", "_") + ".o")
        made = target.stat().st_mtime if target.exists() else 0
        newest = max(part.stat().st_mtime for part in (source, *parts))
        if made <= max(newest, self.newest_header if ROOT in source.parents else 0):
            self.jobs.append([self.compiler, *flags, "-c", str(source), "-o", str(target)])
        return str(target)

    def objects_of(self, name, sources, flags):
        """Of the sources of a library or a test program, several of which are compiled as one."""
        if name in BY_THEMSELVES:
            return [self.object(source, flags) for source in sources]
        objects = []
        for begin in range(0, len(sources), AT_ONCE):
            parts = sources[begin:begin + AT_ONCE]
            text = "".join(f'#include "{part}"\n' for part in parts)
            unit = self.out / f"{name}_{begin}.cpp"
            if not unit.exists() or unit.read_text() != text:
                unit.write_text(text)
            objects.append(self.object(unit, flags, parts))
        return objects

    def precompiled(self, name, headers, flags):
        """The options with which a source compiled with these flags begins with these headers, read once for all."""
        header = self.out / f"{name}.h"
        header.write_text("".join(f"#include <{h}>\n" for h in headers))
        self.launch([self.compiler, *flags, "-x", "c++-header", "-c", str(header), "-o", f"{header}.gch"], check=True)
        return [*flags, "-include", str(header), "-Winvalid-pch"]

    @staticmethod
    def launch(command, **how):
        """Also of precompiled headers: GCC writes another file each time, of which no object is found again."""
        launcher = ["env", "CCACHE_SLOPPINESS=pch_defines,time_macros", "ccache"] if shutil.which("ccache") else []
        return subprocess.run(launcher + command, **how)

    def run(self):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            done = list(pool.map(lambda j: self.launch(j, capture_output=True, text=True), self.jobs))
        if failed := [" ".join(d.args) + "\n" + d.stderr for d in done if d.returncode != 0]:
            sys.exit("\n".join(failed))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for objects and programs")
    parser.add_argument("--machine", choices=MACHINES, required=True)
    parser.add_argument("--tests", nargs="+", choices=LIBRARIES, default=LIBRARIES, metavar="LIBRARY",
                        help="whose unit tests; all of them, unless told")
    parser.add_argument("--short", action="store_true", help="without the tests that take longest under an emulator")
    options = parser.parse_args()
    compiler, emulator = MACHINES[options.machine]
    for tool in (compiler, emulator):
        if not shutil.which(tool):
            print(f"SKIPPED: {tool} is not installed")
            return 77
    if not GOOGLETEST.exists():
        print(f"SKIPPED: {GOOGLETEST} is not installed")
        return 77

    builder = Builder(compiler, options.out)
    gtest_flags = ["-std=c++20", "-O1", f"-I{GOOGLETEST}", f"-I{GOOGLETEST}/include"]
    objects = [builder.object(GOOGLETEST / "src" / f, gtest_flags) for f in ("gtest-all.cc", "gtest_main.cc")]
    flags = builder.precompiled("tests", [*LIBRARY_HEADERS, "gtest/gtest.h"], [*FLAGS, *TEST_FLAGS, f"-isystem{GOOGLETEST}/include"])
    library_flags = builder.precompiled("library", LIBRARY_HEADERS, FLAGS + LIBRARY_FLAGS)
    programs = {}
    for library in LIBRARIES[:max(map(LIBRARIES.index, options.tests)) + 1]:  # none needs a later one
        folder = ROOT / "callis" / library
        for groups in calls(library, "callis_library"):
            sources = [folder / s for s in (*groups["SOURCES"], *groups.get("APART", ()))]
            objects = objects + builder.objects_of(groups[""][0], sources, library_flags)
        for groups in calls(library, "callis_test") if library in options.tests else ():
            # With what the library and those before it need, and no more: later ones set handlers.
            name, sources = groups[""][0], [folder / s for s in groups["SOURCES"]]
            programs[name] = objects + builder.objects_of(f"{name}_test", sources, flags)
    builder.run()

    failed = []
    for name, parts in programs.items():
        program = options.out / f"{name}_test"
        subprocess.run([compiler, "-static", "-Wl,--no-warnings", "-o", str(program), *parts, "-lpthread"], check=True)
        print(f"== {name}", flush=True)
        chosen = [f"--gtest_filter=-{LONG_TESTS}"] if options.short else []
        if subprocess.run([emulator, str(program), "--gtest_brief=1", *chosen]).returncode != 0:
            failed.append(name)
    if failed:
        print(f"failed on {options.machine}:", ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
