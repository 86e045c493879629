#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests that fail and are run once more: what ./dev test says of them."""
import contextlib
import io
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import unittest
import unittest.mock

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import testing  # noqa: E402

TESTING = os.path.join(HERE, "testing.py")


class Tests(unittest.TestCase):
    """A build folder with tests that are lines of a shell; `first` fails the first time that it runs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name)
        self.build = self.top / "dev"
        self.build.mkdir()

    def add(self, name, line, *labels, configurations=""):
        quoted = line.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
        text = f'add_test({name} "/bin/sh" "-c" "{quoted}")\n'
        if labels:
            text += f'set_tests_properties({name} PROPERTIES LABELS "{";".join(labels)}")\n'
        if configurations:
            text = f'if(CTEST_CONFIGURATION_TYPE MATCHES "^({configurations})$")\n{text}endif()\n'
        with open(self.build / "CTestTestfile.cmake", "a", encoding="utf-8") as file:
            file.write(text)

    def first(self, name, word):
        """A line that fails the first time."""
        return f"echo {word}; echo run >>{self.top}/{name}; [ $(wc -l <{self.top}/{name}) -gt 1 ]"

    def runs_of(self, name):
        file = self.top / name
        return len(file.read_text().splitlines()) if file.exists() else 0

    def run_tests(self, *arguments):
        done = subprocess.run([sys.executable, TESTING, self.build, *arguments], capture_output=True, text=True, timeout=60)
        self.said = done.stdout
        return done.returncode

    def run_until(self, file):
        """Runs the tests; the time is over when one of them writes to the pipe."""
        os.mkfifo(file)

        class Timer(threading.Thread):
            def __init__(self, _seconds, stop):
                super().__init__(target=lambda: (file.read_text(), stop()))

            def cancel(self):
                pass

        said = io.StringIO()
        with unittest.mock.patch("testing.threading.Timer", Timer), contextlib.redirect_stdout(said):
            status = testing.test(self.build, ["-j1"], until=1)
        self.said = said.getvalue()
        return status

    def unsteady(self):
        file = self.top / "unsteady.txt"
        return file.read_text() if file.exists() else None

    def test_a_run_that_passes_says_nothing_of_unsteady_tests(self):
        self.add("good", "true", "fault")
        self.assertEqual(self.run_tests(), 0)
        self.assertIsNone(self.unsteady())
        self.assertNotIn("unsteady", self.said)

    def test_a_first_run_starts_the_longest_tests_first_and_a_later_one_those_that_were_it(self):
        longest = testing.COSTS.read_text().splitlines()[1].split()[0]
        self.add("a", "true")
        self.add("b", "sleep 0.3")
        self.add(longest, "true")
        started = lambda: re.findall(r"Start +\d+: (\S+)", self.said)
        self.run_tests("-j2")
        self.assertEqual(started()[0], longest, self.said)
        known = self.build / "Testing/Temporary/CTestCostData.txt"
        known.write_text("a 1 0.1\nb 1 50\n---\n")
        self.run_tests("-j2")
        self.assertEqual(started()[0], "b", self.said)

    def test_a_test_of_several_processes_that_then_passes_alone_is_unsteady_and_the_run_is_green(self):
        self.add("fault.halves", self.first("halves", "lost"), "fault")
        self.add("good", "true")
        self.assertEqual(self.run_tests("-j3"), 0, self.said)
        log = self.top / "unsteady/fault.halves.log"
        self.assertEqual(self.unsteady(), f"unsteady: fault.halves, {log}\n")
        self.assertTrue(self.said.endswith("\n\n" + self.unsteady()), self.said)
        self.assertIn("lost", log.read_text())

    def test_lines_are_added_to_those_of_the_run_before(self):
        (self.top / "unsteady.txt").write_text("of the run before\n")
        self.add("fault.halves", self.first("halves", "lost"), "fault")
        self.assertEqual(self.run_tests(), 0, self.said)
        self.assertRegex(self.unsteady(), r"^of the run before\nunsteady: fault.halves, .*\n$")

    def test_a_test_that_fails_twice_fails_the_run(self):
        self.add("fault.halves", "echo broken; false", "fault")
        self.assertNotEqual(self.run_tests(), 0)
        self.assertIsNone(self.unsteady())
        self.assertTrue(self.said.endswith("\nfailed: fault.halves\n"), self.said)

    def test_one_that_fails_twice_fails_the_run_beside_an_unsteady_one(self):
        self.add("interop.a", "false", "interop")
        self.add("interop.b", self.first("b", "lost"), "interop")
        self.assertNotEqual(self.run_tests(), 0)
        self.assertEqual(self.unsteady(), f"unsteady: interop.b, {self.top}/unsteady/interop.b.log\n")
        self.assertTrue(self.said.endswith("\nfailed: interop.a\n"), self.said)

    def test_a_unit_test_is_not_run_again(self):
        for labels in (("unit", "bench"), ("case.bench",), ("whole",), ()):
            with self.subTest(labels):
                name = "unit." + "_".join(labels or ["none"])
                self.add(name, self.first(name, "wrong"), *labels)
                self.assertNotEqual(self.run_tests("-R", f"^{name}$"), 0)
                self.assertEqual(self.runs_of(name), 1)

    def test_a_unit_test_that_fails_fails_the_run_beside_an_unsteady_test(self):
        self.add("unit.a", "false", "unit")
        self.add("fault.b", self.first("b", "lost"), "fault")
        self.assertNotEqual(self.run_tests(), 0)
        self.assertIn("unsteady: fault.b", self.unsteady())
        self.assertTrue(self.said.endswith("\nfailed: unit.a\n"), self.said)

    def test_what_another_configuration_has_is_run_again_in_it(self):
        self.add("fault.long", self.first("long", "lost"), "fault", configurations="Full")
        self.assertEqual(self.run_tests("-C", "Full"), 0, self.said)
        self.assertIn("unsteady: fault.long", self.unsteady())

    def test_when_many_fail_none_is_run_again(self):
        for n in range(11):
            self.add(f"fault.{n}", self.first(str(n), "lost"), "fault")
        self.assertNotEqual(self.run_tests(), 0)
        self.assertEqual([self.runs_of(str(n)) for n in range(11)], [1] * 11)

    def test_a_skipped_test_has_not_failed(self):
        self.add("fault.skips", "exit 77", "fault")
        with open(self.build / "CTestTestfile.cmake", "a", encoding="utf-8") as file:
            file.write("set_tests_properties(fault.skips PROPERTIES SKIP_RETURN_CODE 77)\n")
        self.assertEqual(self.run_tests(), 0, self.said)

    def test_without_a_failed_test_the_status_is_ctests(self):
        self.add("good", "true")
        self.assertNotEqual(self.run_tests("-R", "nothing", "--no-tests=error"), 0)

    def test_what_is_under_way_when_the_time_is_over_is_named_and_has_not_failed(self):
        self.add("good", "true")
        self.add("long", f"trap 'echo ended >>{self.top}/ended; kill $!; exit 1' INT; sleep 1000 & echo >{self.top}/over; wait", "fault")
        self.assertEqual(self.run_until(self.top / "over"), 0, self.said)
        self.assertTrue(self.said.endswith("\nthe time is over; stopped: long\n"), self.said)
        self.assertTrue((self.top / "ended").exists())

    def test_what_failed_before_the_time_was_over_fails_the_run(self):
        self.add("bad", "false", "fault")
        self.add("long", f"echo >{self.top}/over; exec sleep 1000")
        self.assertEqual(self.run_until(self.top / "over"), 1, self.said)

    def test_an_interrupt_ends_what_was_started(self):
        self.add("long", f"echo $$ >{self.top}/id; exec sleep 1000")
        os.mkfifo(self.top / "id")
        with subprocess.Popen([sys.executable, TESTING, self.build], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as child:
            number = int((self.top / "id").read_text())
            child.send_signal(signal.SIGTERM)
            child.communicate(timeout=60)
        self.assertEqual(child.returncode, 128 + signal.SIGTERM)
        self.assertRegex(pathlib.Path(f"/proc/{number}/stat").read_text() if os.path.exists(f"/proc/{number}") else ") Z", re.compile(r"\) Z"))


if __name__ == "__main__":
    unittest.main()
