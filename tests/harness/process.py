# SPDX-License-Identifier: Apache-2.0
"""Child processes with deadlines. Everything that was started ends when its Processes does.

A server tells that it is ready by a line on its standard output; it ends when its standard input ends, so
it cannot outlive a test that was killed.
"""
import ctypes
import os
import re
import select
import shlex
import signal
import subprocess
import time

_PR_SET_PDEATHSIG = 1
# How reports of sanitizers begin, also of those that let the process go on.
_REPORT = re.compile(r"(ERROR|WARNING): \w+Sanitizer|: runtime error: ")
_libc = ctypes.CDLL(None, use_errno=True)


class Failure(Exception):
    """A test failed; the text says why."""


def _die_with_parent():
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class Process:
    """One child. Reads its output by lines; stderr goes to the same place, in order."""

    def __init__(self, name, command, environment=None):
        self.name = name
        self.command = [str(part) for part in command]
        self.output = []  # all lines so far
        self._partial = b""
        self._ended = False
        self._child = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, start_new_session=True,
                                       env={**os.environ, **(environment or {})},
                                       preexec_fn=_die_with_parent)

    @property
    def pid(self):
        return self._child.pid

    def line(self, deadline):
        """The next line of output without its end, or None at the end of the output."""
        while b"\n" not in self._partial:
            if self._ended:
                rest, self._partial = self._partial, b""
                return self._keep(rest) if rest else None
            self._read(deadline)
        first, self._partial = self._partial.split(b"\n", 1)
        return self._keep(first)

    def wait_for(self, accept, timeout):
        """Lines up to and including the first for which accept(line) holds."""
        deadline = time.monotonic() + timeout
        lines = []
        while True:
            text = self.line(deadline)
            if text is None:
                raise Failure(f"{self.name} ended early, status {self.status(deadline)}")
            lines.append(text)
            if accept(text):
                return lines

    def status(self, deadline):
        """Exit status (negative: the signal), once it has ended. Keeps the rest of its output."""
        while self.line(deadline) is not None:
            pass
        try:
            return self._child.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise Failure(f"{self.name} closed its output but did not end") from None

    def finish(self, timeout):
        return self.status(time.monotonic() + timeout)

    def tell(self, text):
        """A line for its input."""
        try:
            self._child.stdin.write(f"{text}\n".encode())
            self._child.stdin.flush()
        except OSError:
            raise Failure(f"{self.name} does not listen any more") from None

    def end_input(self):
        try:
            self._child.stdin.close()
        except OSError:
            pass

    def running(self):
        return self._child.poll() is None

    def signal(self, number):
        if self.running():
            self._child.send_signal(number)

    def kill(self):
        """Ends it if it has not ended, and whatever it started."""
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            try:
                stream.close()
            except OSError:
                pass

    def kill_healthy(self, timeout):
        """Ends it without warning. Fails when it had ended already, or a sanitizer had found something in it."""
        try:
            os.killpg(self._child.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        status = self.finish(timeout)
        reported = [text for text in self.output if _REPORT.search(text)]
        if status != -signal.SIGKILL or reported:
            raise Failure(f"{self.name} was to be killed, and had ended with status {status}: {reported[:3]}")

    def describe(self):
        tail = "".join(f"    | {text}\n" for text in self.output[-60:])
        return f"{self.name}: {shlex.join(self.command)}\n{tail}"

    def _keep(self, raw):
        text = raw.decode("utf-8", "backslashreplace")
        self.output.append(text)
        return text

    def _read(self, deadline):
        left = deadline - time.monotonic()
        descriptor = self._child.stdout.fileno()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            raise Failure(f"{self.name} did not answer in time")
        data = os.read(descriptor, 65536)
        self._ended = not data
        self._partial += data


class Processes:
    """The children of one test, as a context: on leaving, whatever still runs is killed."""

    def __init__(self):
        self._all = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._all:
            process.kill()

    def start(self, name, command, environment=None):
        try:
            process = Process(name, command, environment)
        except OSError as error:
            raise Failure(f"{name} cannot be started: {error}") from None
        self._all.append(process)
        return process

    def describe(self):
        return "".join(process.describe() for process in self._all)
