#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs CTest for ./dev, and tests of several processes once more, alone, when they fail.

usage: testing.py BUILD [--until EPOCH] CTEST-ARGUMENTS...

A test of several processes (PROCESSES) depends on the machine's other work as no unit test does. One that fails and then passes
alone is unsteady: the run counts as passed, and ends with a paragraph "unsteady: TEST, FILE", where FILE has the output of the
failure. Its lines are also added to unsteady.txt beside BUILD. A test that fails twice fails the run, as does a unit test
that fails. When more than MOST tests fail, none is run again: something is broken.

--until EPOCH: seconds since 1970. Tests still under way then are interrupted and named; they do not count as failed.
The exit status is 0, or CTest's.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time
import xml.etree.ElementTree as xml

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import progress  # noqa: E402

# Labels of tests of several processes. Unit tests have `unit` beside their own: they must pass at once.
PROCESSES = {"attack", "bench", "examples", "fault", "install", "interop", "jacorb", "profile", "readme", "services", "signals", "soak",
             "tutorial"}
UNIT = re.compile(r"unit$|whole$|case[.]")
MOST = 10
COSTS = pathlib.Path(__file__).resolve().parent / "costs.txt"
TO_CLEAN_UP = 20  # seconds from the interrupt to the kill: scripts end the processes that they have started
BEGINS = re.compile(r"^ *Start +\d+: (?P<name>\S+)")


def may_be_unsteady(labels):
    return bool(PROCESSES & set(labels)) and not any(UNIT.match(label) for label in labels)


def labels_of_tests(build, arguments):
    """{name: labels} of the tests that CTest has for these arguments."""
    listed = subprocess.run(["ctest", "--test-dir", build, *arguments, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
    return {test["name"]: next((p["value"] for p in test.get("properties", ()) if p["name"] == "LABELS"), [])
            for test in json.loads(listed.stdout)["tests"]}


class Run:
    """One run of CTest: its status, what failed, and what was under way when the time was over."""

    def __init__(self, build, arguments, until=None):
        self.passed, self.failed, self.under_way, self.stopped = [], [], [], False
        self.results = pathlib.Path(build, "Testing/results.xml")
        self.results.unlink(missing_ok=True)
        command = ["ctest", "--test-dir", build, "--output-on-failure", "--output-junit", self.results.resolve(), *arguments]
        # A session of its own: what CTest has started can be interrupted with it.
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", bufsize=1,
                              start_new_session=True) as self.child:
            timer = until and threading.Timer(max(0, until - time.time()), self.stop)
            if timer:
                timer.start()
            try:
                self.show(self.child.stdout)
            except BaseException:
                self.stop()
                raise
            finally:
                if timer:
                    timer.cancel()
                    if self.stopped:
                        timer.join()  # until nobody is left
        self.status = self.child.returncode

    def show(self, lines):
        if sys.stdout.isatty():
            progress.follow("testing", self.read(lines), sys.stdout)
            return
        for line in self.read(lines):
            sys.stdout.write(line)
            sys.stdout.flush()

    def read(self, lines):
        for line in lines:
            if begins := BEGINS.match(line):
                self.under_way.append(begins["name"])
            elif ends := progress.CTEST.match(line.rstrip("\n")):
                if ends["name"] in self.under_way:
                    self.under_way.remove(ends["name"])
                if ends["verdict"] == "Passed":
                    self.passed.append(ends["name"])
                elif "***" in ends["verdict"] and not re.search(r"\*\*\*(Skipped|Not Run \(Disabled\))", ends["verdict"]):
                    self.failed.append(ends["name"])
            yield line

    def stop(self):
        """Ends CTest before the tests: it says nothing about those that are interrupted."""
        self.stopped = True
        self.child.kill()
        self.child.wait()
        try:
            os.killpg(self.child.pid, signal.SIGINT)
            last = time.monotonic() + TO_CLEAN_UP
            while time.monotonic() < last:
                os.killpg(self.child.pid, 0)  # is anybody left?
                time.sleep(0.05)
            os.killpg(self.child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def output_of(self, name):
        found = xml.parse(self.results).getroot().iterfind("testcase")
        return next((case.findtext("system-out") or "" for case in found if case.get("name") == name), "")


def keep_outputs(run, names, folder):
    """{name: file}: the outputs of failed tests."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {}
    for name in names:
        files[name] = folder / (re.sub(r"[^\w.-]", "_", name) + ".log")
        files[name].write_text(run.output_of(name))
    return files


def said(files):
    """The paragraph about unsteady tests."""
    return "".join(f"unsteady: {name}, {file}\n" for name, file in sorted(files.items()))


def note_costs(build, costs=COSTS):
    """CTest starts the longest tests first. In a new folder it knows of none: then it would end with one that takes a minute, alone."""
    known = build / "Testing/Temporary/CTestCostData.txt"
    if known.exists():
        return
    known.parent.mkdir(parents=True, exist_ok=True)
    lines = [line.split() for line in costs.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    known.write_text("".join(f"{name} 1 {seconds}\n" for name, seconds in lines) + "---\n", encoding="utf-8")


def test(build, arguments, until=None):
    build = pathlib.Path(build)
    note_costs(build)
    run = Run(build, arguments, until)
    if run.stopped:
        print(f"\nthe time is over; stopped: {' '.join(run.under_way) or 'none'}", flush=True)
        return 1 if run.failed else 0
    if run.status == 0 or not run.failed:
        return run.status
    labels = labels_of_tests(build, arguments)
    again = [name for name in run.failed if may_be_unsteady(labels.get(name, ()))]
    if not again or len(run.failed) > MOST:
        return run.status
    files = keep_outputs(run, again, build.parent / "unsteady")
    print(f"\nonce more, alone: {' '.join(again)}", flush=True)
    names = "|".join(re.escape(name) for name in again)
    second = Run(build, [*arguments, "-j1", "-R", f"^({names})$"], until)
    unsteady = {name: file for name, file in files.items() if name in second.passed}
    if unsteady:
        with open(build.parent / "unsteady.txt", "a", encoding="utf-8") as file:
            file.write(said(unsteady))
        print("\n" + said(unsteady), end="", flush=True)
    steady = set(run.failed) - set(unsteady)
    if steady:
        print(f"\nfailed: {' '.join(sorted(steady))}", flush=True)
        return run.status
    return 0


def interrupted(number, _frame):
    sys.exit(128 + number)


def main():
    arguments = sys.argv[1:]
    if not arguments:
        sys.exit(__doc__.split("\n\n")[1])
    build, until = arguments.pop(0), None
    if arguments[:1] == ["--until"]:
        until = float(arguments[1])
        del arguments[:2]
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupted)
    return test(build, arguments, until)


if __name__ == "__main__":
    sys.exit(main())
