#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The line that ./dev shows of a build and of the tests."""
import io
import os
import pty
import subprocess
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
from progress import Steps, duration, follow  # noqa: E402


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def shown(lines, seconds_each=1.0):
    """What a terminal gets of lines that come at even times."""
    clock, stream = Clock(), io.StringIO()

    def coming():
        for line in lines:
            clock.now += seconds_each
            yield line + "\n"
    follow("building", coming(), stream, clock)
    return stream.getvalue()


def on_a_terminal(command):
    """What is written to a terminal, and the exit status."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen([sys.executable, os.path.join(HERE, "progress.py"), "building", *command], stdout=theirs)
    os.close(theirs)
    text = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # nobody has it open any more
            break
        if not part:
            break
        text += part
    os.close(ours)
    return text.decode(), child.wait()


class Progress(unittest.TestCase):
    def test_steps_of_ninja_are_counted_and_the_rest_is_estimated_by_them(self):
        clock = Clock()
        steps = Steps("building", clock)
        for n in range(1, 12):
            self.assertTrue(steps.take(f"[{n}/101] Building CXX object a{n}.o"))
            clock.now += 6
        self.assertEqual(steps.text(), "building: 11 of 101, about 10 min left")

    def test_a_build_that_goes_on_is_estimated_by_its_own_steps(self):
        clock = Clock()
        steps = Steps("building", clock)
        clock.now = 60
        steps.take("[900/1000] Building CXX object a.o")
        clock.now = 100
        steps.take("[940/1000] Building CXX object b.o")
        self.assertEqual(steps.text(), "building: 940 of 1000, about 60 s left")

    def test_nothing_is_said_of_the_time_before_a_few_steps_or_at_the_end(self):
        steps = Steps("building", Clock())
        self.assertEqual(steps.text(), "building: begins")
        steps.take("[1/9] a")
        self.assertEqual(steps.text(), "building: 1 of 9")
        for n in range(2, 10):
            steps.take(f"[{n}/9] a")
        self.assertEqual(steps.text(), "building: 9 of 9")

    def test_errors_of_a_compiler_stay(self):
        text = shown(["[1/3] Building a.o", "FAILED: [code=1] a.o", "a.cpp:3:1: error: no", "[2/3] Building b.o"])
        self.assertIn("\r\033[KFAILED: [code=1] a.o\n", text)
        self.assertIn("a.cpp:3:1: error: no\n", text)
        self.assertNotIn("Building", text)

    def test_passed_tests_are_counted_and_failed_ones_stay(self):
        text = shown(["Test project /x", "      Start  1: base.Any", "  1/12 Test  #1: base.Any .........   Passed    0.02 sec",
                      "  2/12 Test  #2: base.Not .........***Failed    0.02 sec", "what it printed",
                      "  3/12 Test  #3: base.Later .......***Skipped    0.02 sec",
                      "  4/12 Test  #4: base.Long ........***Timeout   30.02 sec", "50% tests passed, 2 tests failed out of 12"])
        for stays in ("Test project /x", "  2/12 Test  #2: base.Not .........***Failed    0.02 sec", "what it printed",
                      "  4/12 Test  #4: base.Long ........***Timeout   30.02 sec",
                      "50% tests passed, 2 tests failed out of 12"):
            self.assertIn(stays + "\n", text)
        for goes in ("Start", "Passed ", "base.Later"):
            self.assertNotIn(goes, text)
        self.assertIn("building: 4 of 12", text)

    def test_times_are_in_words_that_rest(self):
        self.assertEqual([duration(s) for s in (1, 14, 89, 91, 3600)], ["10 s", "10 s", "90 s", "2 min", "60 min"])

    def test_without_a_terminal_the_command_runs_as_by_itself(self):
        done = subprocess.run([sys.executable, os.path.join(HERE, "progress.py"), "building", "sh", "-c",
                               "echo '[1/2] a'; exit 7"], stdout=subprocess.PIPE, text=True)
        self.assertEqual((done.stdout, done.returncode), ("[1/2] a\n", 7))

    def test_on_a_terminal_the_status_is_the_commands_and_the_line_is_gone_at_the_end(self):
        text, status = on_a_terminal(["sh", "-c", "echo '[1/2] a'; echo seen; exit 7"])
        self.assertEqual(status, 7)
        self.assertIn("seen", text)
        self.assertTrue(text.endswith("\r\033[K"), text)

    def test_a_command_that_a_signal_ends_has_the_shells_status(self):
        self.assertEqual(on_a_terminal(["sh", "-c", "kill -9 $$"])[1], 137)


if __name__ == "__main__":
    unittest.main()
