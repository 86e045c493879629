# SPDX-License-Identifier: Apache-2.0
"""How long callis-idl takes for an IDL of 10,000 lines (big_idl.py); the bar is one second. CPU time of the fastest of
a few runs: what else the machine does counts little. Fails only far beyond the bar.

    idl_speed.py CALLIS_IDL [--slow]     --slow: built with a sanitizer
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import big_idl

LINES = 10_000
BAR = 1.0
RUNS = 3


def cpu_seconds(command):
    """User and system time of a command that must succeed."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("callis_idl")
    parser.add_argument("--slow", action="store_true")
    arguments = parser.parse_args()
    limit = BAR * (40 if arguments.slow else 2)
    good = True
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        main_file, lines = big_idl.generate(folder / "idl", LINES)
        for what, options in (("check", ["--syntax-only"]), ("print JSON", ["--emit", "json"]),
                              ("generate, interpreted", ["-o", str(folder / "a")]),
                              ("generate, compiled", ["--stubs=compiled", "-o", str(folder / "b")])):
            command = [arguments.callis_idl, *options, str(main_file)]
            seconds = min(cpu_seconds(command) for _ in range(RUNS))
            good = good and seconds < limit
            print(f"{lines} lines, {what}: {seconds:.3f} s (bar {BAR:.0f} s)")
        written = sum(f.stat().st_size for f in (folder / "a").iterdir())
        assert written > 100_000, "hardly anything was generated"
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
