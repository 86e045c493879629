#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times what a user and a developer wait for, from cold (no ccache), with its bars, behind ./dev bench build.

    build.py [--quick] [--build FOLDER] [--json FILE]

    users' build      configure and build what users install, on two processors
    first call        from the installed callis to the first answered call: what README.md says, by CMake and by hand
    tests ready       configure and build the preset dev, until the first test can run; not with --quick
    sizes             of the installed files, without symbols

Beside the time of the clock stands that of processors, a half of it on each of two: what the clock would show on an idle
machine with two, where all of it could run side by side. With --build what users install is taken from there and not timed."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench/common"), str(ROOT / "tests/install")]
import readme  # noqa: E402
import report  # noqa: E402
from report import Row  # noqa: E402

TIMES, SIZES = "build: seconds from cold, two processors", "build: bytes installed, stripped"
PROCESSORS = 2
USER_OPTIONS = ("-DCMAKE_BUILD_TYPE=Release", "-DCALLIS_BUILD_TESTS=OFF", "-DCALLIS_BUILD_EXTRAS=OFF")


def used():
    times = os.times()
    return times.children_user + times.children_system


def time_of(*commands):
    """(seconds of the clock, of processors)"""
    before, started = used(), time.monotonic()
    for command in commands:
        done = subprocess.run([str(w) for w in command], cwd=ROOT, env=dict(os.environ, CCACHE_DISABLE="1"),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(str(w) for w in command)}\n{done.stdout}")
    return time.monotonic() - started, used() - before


def build_from_cold(folder, *options):
    return time_of(["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", *options],
                   ["cmake", "--build", folder, "-j", PROCESSORS])


def row_of_time(name, took, limit):
    seconds, processors = took
    return Row(TIMES, name, seconds, "s", ("<=", limit),
               f"{processors:.0f} s of processors, {processors / PROCESSORS:.0f} on each of {PROCESSORS}")


def stripped(path, scratch):
    out = scratch / "stripped"
    subprocess.run(["strip", "--strip-unneeded", "-o", out, path], check=True)
    return out.stat().st_size


def rows_of_sizes(prefix, scratch):
    runtime = next(p for p in prefix.glob("lib*/**/libcallis.so.*.*.*"))
    yield Row(SIZES, "libcallis.so", stripped(runtime, scratch), "bytes", ("<=", 2_500_000))
    yield Row(SIZES, "libcallis.a", stripped(runtime.parent / "libcallis.a", scratch), "bytes", None, "all its objects")
    yield Row(SIZES, "callis-idl", stripped(prefix / "bin/callis-idl", scratch), "bytes", None, "static")
    headers = [p for p in (prefix / "include").rglob("*") if p.is_file()]
    yield Row(SIZES, "headers", sum(p.stat().st_size for p in headers), "bytes", None, f"{len(headers)} files")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="without the build of all tests")
    parser.add_argument("--build", type=lambda p: pathlib.Path(p).resolve(), help="take what users install from this build")
    parser.add_argument("--json", metavar="FILE", help="rows as JSON, one a line")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is missed")
    arguments = parser.parse_args()
    facts = report.machine()
    for line in report.machine_lines(facts):
        report.say(line)
    rows = []

    def say(what):
        print(f"[build] {what}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="callis-build-") as folder:
        scratch = pathlib.Path(folder)
        users = arguments.build or scratch / "users"
        if not arguments.build:
            say("what users install by README.md (some minutes)")
            rows.append(row_of_time("build of core and compiler", build_from_cold(users, *USER_OPTIONS), 100))
            say("all components (some minutes)")
            rows.append(row_of_time("build of everything",
                                    build_from_cold(scratch / "all", *USER_OPTIONS, "-DCALLIS_COMPONENTS=all"), 240))
        say("first call by README.md, by CMake and by hand (seconds)")
        (scratch / "readme").mkdir()
        took = readme.run(scratch / "readme", users)
        rows.append(row_of_time("first call from the installed callis, by CMake", took["cmake"], 180))
        rows.append(row_of_time("first call from the installed callis, by g++", took["hand"], 120))
        rows.extend(rows_of_sizes(scratch / "readme/home/opt/callis", scratch))
        if not arguments.quick:
            say("preset dev with all tests (some 10 to 20 min)")
            dev = time_of(["cmake", "--preset", "dev", "-B", scratch / "dev"],
                          ["cmake", "--build", scratch / "dev", "-j", PROCESSORS])
            rows.append(row_of_time("./dev test ready to run tests", dev, 480))
    report.print_rows(rows)
    missed = report.summary(rows)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as f:
            for line in [{"machine": facts}, *({"bar": row.as_json()} for row in rows)]:
                f.write(json.dumps(line, ensure_ascii=False) + "\n")
    return 1 if arguments.strict and missed else 0


if __name__ == "__main__":
    sys.exit(main())
