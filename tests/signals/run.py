#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sends signals to programs that have called callis::shutdown_on_signals() (signalled.cpp), and looks how they end."""
import argparse
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
from harness.process import Failure, Processes  # noqa: E402

TIMEOUT = 60
INT, TERM = signal.SIGINT, signal.SIGTERM


class Server:
    def __init__(self, processes, program, what):
        self.process = processes.start(what, [program, what])

    def wait_for(self, line):
        self.process.wait_for(lambda text: text == line, TIMEOUT)

    def expect_end(self, *statuses):
        status = self.process.finish(TIMEOUT)
        if status not in statuses:
            raise Failure(f"ended with status {status}, not {statuses}")


def ends(start):
    """Each of the two signals makes run() return, and the process ends by itself."""
    for number in (INT, TERM):
        server = start("plain")
        server.wait_for("ready")
        server.process.signal(number)
        server.wait_for("shut down")
        server.expect_end(0)


def waits(start):
    """An upcall that runs is finished and answered first."""
    server = start("upcall")
    server.wait_for("in upcall")
    server.process.signal(TERM)
    server.process.tell("go on")
    server.wait_for("answered well")
    server.wait_for("shut down")
    server.expect_end(0)


def second(start):
    """The second signal ends the process whatever the shutdown waits for. Which of the two comes first is open. Several times:
    two threads may handle the two at once."""
    for _ in range(20):
        server = start("upcall")
        server.wait_for("in upcall")
        server.process.signal(INT)
        server.process.signal(TERM)
        server.expect_end(-INT, -TERM)


def several(start):
    """One signal for all ORBs of the process; one that was destroyed before does not matter."""
    server = start("several")
    server.wait_for("ready")
    server.process.signal(TERM)
    server.wait_for("shut down")
    server.expect_end(0)


def undone(start):
    """With the last ORB the signals have their default action again."""
    server = start("undone")
    server.wait_for("destroyed")
    server.process.signal(TERM)
    server.expect_end(-TERM)


def restores(start):
    """What the application did about a signal before comes back."""
    server = start("restores")
    server.wait_for("ready")
    server.process.signal(INT)
    server.wait_for("shut down")
    server.process.signal(TERM)
    server.wait_for("own handler")
    server.expect_end(7)


def ignored(start):
    """A signal that was ignored before stays ignored."""
    server = start("ignored")
    server.wait_for("ready")
    for number in (INT, INT, TERM):
        server.process.signal(number)
    server.wait_for("shut down")
    server.expect_end(0)


def forks(start):
    """A child of fork() ends by itself alone."""
    server = start("fork")
    server.wait_for(f"child ended by {TERM:d}")
    server.wait_for("ready")
    server.process.signal(TERM)
    server.wait_for("shut down")
    server.expect_end(0)


def errors(start):
    """Nil and ended ORBs are refused."""
    server = start("errors")
    for what in ("nil", "shut down", "destroyed"):
        server.wait_for(f"{what}: raised")
    server.expect_end(0)


def main():
    tests = {test.__name__: test for test in (ends, waits, second, several, undone, restores, ignored, forks, errors)}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("test", choices=tests)
    parser.add_argument("--program", required=True)
    a = parser.parse_args()
    with Processes() as processes:
        try:
            tests[a.test](lambda what: Server(processes, a.program, what))
        except Failure as failure:
            print(f"{failure}\n{processes.describe()}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
