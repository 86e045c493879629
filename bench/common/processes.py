# SPDX-License-Identifier: Apache-2.0
"""The processes of a measurement that obey commands (programs/caller.cpp)."""
import os
import subprocess


class Failure(Exception):
    pass


def program(build, side, system):
    return os.path.join(build, "bin", f"bench_{side}_{system}")


def pin(cpus):
    """For Popen's preexec_fn: the child, and what it starts, run on one CPU, or on these; None: on any."""
    if cpus is None:
        return None
    return lambda: os.sched_setaffinity(0, {cpus} if isinstance(cpus, int) else cpus)


class Caller:
    """A caller process. prefix goes before its command (valgrind ...); reference None: a server of its own inside."""

    def __init__(self, build, system, reference=None, cpu=None, prefix=(), environment=None):
        command = [*prefix, program(build, "caller", system), "param_test", "--reference", reference or "memory"]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
                                        preexec_fn=pin(cpu), env={**os.environ, **(environment or {})})
        self.name = os.path.basename(command[len(prefix)])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def ask(self, command):
        try:
            self.process.stdin.write(command + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer or answer.startswith("error"):
            raise Failure(f"{self.name}: {command}: {answer.strip() or 'ended'}")
        return answer.strip()

    def calls(self, operation, n):
        """Nanoseconds that n calls took."""
        return float(self.ask(f"{operation} {n}"))
