#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the unit tests of base, cdr and marshal for AArch64 and runs them under qemu-user: the NEON code, and
everything that depends on the processor's types (char is unsigned there, long double has 128 bits).

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
LIBRARIES = ("base", "cdr", "marshal")
COMPILER = "aarch64-linux-gnu-g++"
EMULATOR = "qemu-aarch64"
GOOGLETEST = pathlib.Path("/usr/src/googletest/googletest")
FLAGS = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Werror", f"-I{ROOT}"]


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
    def __init__(self, out):
        self.out = out
        self.jobs = []
        out.mkdir(parents=True, exist_ok=True)
        self.newest_header = max(p.stat().st_mtime for p in (ROOT / "callis").rglob("*.h"))

    def object(self, source, flags):
        target = self.out / (str(source.relative_to(source.anchor)).replace("/", "_") + ".o")
        made = target.stat().st_mtime if target.exists() else 0
        if made <= max(source.stat().st_mtime, self.newest_header if ROOT in source.parents else 0):
            self.jobs.append([COMPILER, *flags, "-c", str(source), "-o", str(target)])
        return str(target)

    def run(self):
        launcher = ["ccache"] if shutil.which("ccache") else []
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for done, job in zip(pool.map(lambda j: subprocess.run(launcher + j, capture_output=True, text=True),
                                          self.jobs), self.jobs):
                if done.returncode != 0:
                    sys.exit(" ".join(job) + "\n" + done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for objects and programs")
    options = parser.parse_args()
    for tool in (COMPILER, EMULATOR):
        if not shutil.which(tool):
            print(f"SKIPPED: {tool} is not installed")
            return 77
    if not GOOGLETEST.exists():
        print(f"SKIPPED: {GOOGLETEST} is not installed")
        return 77

    builder = Builder(options.out)
    gtest_flags = ["-std=c++20", "-O1", f"-I{GOOGLETEST}", f"-I{GOOGLETEST}/include"]
    shared = [builder.object(GOOGLETEST / "src" / f, gtest_flags) for f in ("gtest-all.cc", "gtest_main.cc")]
    programs = {}
    for library in LIBRARIES:
        folder = ROOT / "callis" / library
        for groups in calls(library, "callis_library"):
            shared += [builder.object(folder / s, FLAGS) for s in groups["SOURCES"]]
        for groups in calls(library, "callis_test"):
            flags = FLAGS + ["-include", "gtest/gtest.h", "-include", "string", "-include", "vector", f"-isystem{GOOGLETEST}/include"]
            programs[groups[""][0]] = [builder.object(folder / s, flags) for s in groups["SOURCES"]]
    builder.run()

    failed = []
    for name, objects in programs.items():
        program = options.out / f"{name}_test"
        subprocess.run([COMPILER, "-static", "-Wl,--no-warnings", "-o", str(program), *objects, *shared, "-lpthread"], check=True)
        print(f"== {name}", flush=True)
        if subprocess.run([EMULATOR, str(program), "--gtest_brief=1"]).returncode != 0:
            failed.append(name)
    if failed:
        print("failed on AArch64:", ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
