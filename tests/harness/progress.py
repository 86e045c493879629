#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One line that says what is done, how far it is and how long it will still take, for ./dev.

usage: progress.py WHAT COMMAND [ARGUMENTS...]

COMMAND is Ninja, `cmake --build` with Ninja, or CTest: programs that count their steps. On a terminal their lines about
steps that went well become one line that is written over and over; everything else, as errors of compilers and the output
of failed tests, is printed as it comes. Where standard output is no terminal COMMAND runs as if it were called by itself.
The exit status is COMMAND's; an interrupt goes to COMMAND, which ends by itself.
"""
import os
import re
import signal
import subprocess
import sys
import time

NINJA = re.compile(r"^\[(?P<done>\d+)/(?P<all>\d+)\] ")
# "  12/7616 Test   #12: base.Any .......   Passed    0.02 sec": no such line of a failed test is taken away.
CTEST = re.compile(r"^ *(?P<done>\d+)/(?P<all>\d+) Test +#\d+: (?P<name>\S+) [. ]*(?P<verdict>.*?) +[\d.]+ sec$")
CTEST_BEGINS = re.compile(r"^ *Start +\d+: ")
FEWEST = 3        # steps before anything is said about the time
AGAIN = 0.1       # seconds between two writings of the line


def duration(seconds):
    """In words that do not change with every step: whole minutes, below one tens of seconds."""
    if seconds >= 90:
        return f"{round(seconds / 60)} min"
    return f"{max(10, round(seconds, -1)):.0f} s"


class Steps:
    """How many steps are done of how many, by the lines of a program; how long the others will take, by the steps so far.
    Ninja's and CTest's first steps may take another time than their last ones, so this is a rough figure."""

    def __init__(self, what, clock=time.monotonic):
        self.what, self.clock = what, clock
        self.started = clock()
        self.first = None  # (number, time) of the first step that was seen: a build that goes on counts from there
        self.done = self.all = 0

    def take(self, line):
        """Whether the line only says that a step begins or went well."""
        found = NINJA.match(line)
        if not found:
            found = CTEST.match(line)
            if found and found["verdict"] not in ("Passed", "***Skipped"):
                self._count(found)
                return False
            if not found:
                return bool(CTEST_BEGINS.match(line))
        self._count(found)
        return True

    def _count(self, found):
        self.done, self.all = int(found["done"]), int(found["all"])
        if self.first is None:
            self.first = self.done, self.clock()

    def text(self):
        if not self.all:
            return f"{self.what}: begins"
        text = f"{self.what}: {self.done} of {self.all}"
        number, when = self.first
        if self.done - number < FEWEST or self.done >= self.all:
            return text
        return f"{text}, about {duration((self.clock() - when) / (self.done - number) * (self.all - self.done))} left"


class Line:
    """The one line at the end of a terminal's text."""

    def __init__(self, stream, clock=time.monotonic):
        self.stream, self.clock = stream, clock
        self.shown, self.when = "", None

    def show(self, text):
        now = self.clock()
        if text == self.shown or (self.when is not None and now - self.when < AGAIN):
            return
        self.shown, self.when = text, now
        self.stream.write(f"\r\033[K{text}")
        self.stream.flush()

    def print(self, line):
        """A line that stays."""
        self.clear()
        self.stream.write(line + "\n")
        self.stream.flush()

    def clear(self):
        if self.shown:
            self.stream.write("\r\033[K")
            self.stream.flush()
        self.shown, self.when = "", None


def follow(what, lines, stream, clock=time.monotonic):
    """Shows the lines of a program on a terminal."""
    steps, line = Steps(what, clock), Line(stream, clock)
    line.show(steps.text())
    for text in lines:
        text = text.rstrip("\n")
        if not steps.take(text):
            line.print(text)
        line.show(steps.text())
    line.clear()


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.split("\n\n")[1])
    what, command = sys.argv[1], sys.argv[2:]
    if not sys.stdout.isatty():
        os.execvp(command[0], command)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to the command as well
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace", bufsize=1,
                          preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as child:
        follow(what, child.stdout, sys.stdout)
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


if __name__ == "__main__":
    sys.exit(main())
