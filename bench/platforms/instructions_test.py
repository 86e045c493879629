#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The plugin that counts instructions counts those of a known loop, on each processor that can be compiled for and emulated here:
instructions_test.py --build FOLDER
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import emulated  # noqa: E402
import toolchains  # noqa: E402

BUILD = ""
# Ten instructions a round, beside those that count the rounds: no more than four.
LOOP = "#include <stdlib.h>\nint main(int, char** v) { for (long n = atol(v[1]); n > 0; --n) asm volatile(\"" + "nop\\n" * 10 + "\"); }\n"
ROUNDS = 100_000


class Loop(unittest.TestCase):
    def test_is_counted_on_every_processor(self):
        if not os.path.exists(emulated.plugin(BUILD)):
            self.fail(f"{emulated.plugin(BUILD)} has not been built")
        counted = [machine for machine in emulated.EMULATORS if self.count(machine)]
        print("counted:", ", ".join(counted) or "nothing", file=sys.stderr)

    def count(self, machine):
        """False where there is no compiler or emulator."""
        tools = toolchains.toolchain(machine, "gcc")
        if not shutil.which(emulated.EMULATORS[machine]) or tools.missing():
            return False
        with tempfile.TemporaryDirectory() as folder, emulated.counters(BUILD, machine, 2) as both:
            program = os.path.join(folder, "loop")
            subprocess.run([*tools.command, "-O1", "-x", "c++", "-o", program, "-"], input=LOOP, text=True, check=True)
            few, many = (self.run_loop(one, program, n) for one, n in zip(both, (1000, 1000 + ROUNDS)))
        each = (many - few) / ROUNDS
        self.assertGreater(each, 10.9, machine)
        self.assertLess(each, 14.1, machine)
        return True

    def run_loop(self, counter, program, rounds):
        prefix, read = counter
        subprocess.run([*prefix, program, str(rounds)], check=True)
        return read()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    arguments, rest = parser.parse_known_args()
    BUILD = os.path.abspath(arguments.build)
    unittest.main(argv=[sys.argv[0], *rest])
