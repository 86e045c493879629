# SPDX-License-Identifier: Apache-2.0
"""The processes of a measurement: a server, and callers that obey commands (programs/caller.cpp)."""
import contextlib
import os
import signal
import subprocess
import tempfile


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
    """A caller process. prefix goes before its command (valgrind ...); ior_file None: a server of its own inside."""

    def __init__(self, build, system, ior_file=None, cpu=None, prefix=(), environment=None):
        command = [*prefix, program(build, "caller", system)]
        if ior_file:
            command += ["--ior-file", ior_file]
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


class Server:
    """A server process over TCP on the loopback; ended on leaving. prefix as for Caller."""

    def __init__(self, build, system, cpu=None, prefix=(), environment=None):
        self.folder = tempfile.TemporaryDirectory(prefix="callis-bench-")
        self.ior_file = os.path.join(self.folder.name, "server.ior")
        endpoint = ["-ORBendPoint", "giop:tcp:127.0.0.1:"] if system == "omniorb" else \
                   ["-ORBEndpoint", "tcp:127.0.0.1:0"]
        self.command = [*prefix, program(build, "server", system), "--ior-file", self.ior_file, *endpoint]
        self.cpu, self.environment = cpu, environment

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True, preexec_fn=pin(self.cpu),
                                        start_new_session=True, env={**os.environ, **(self.environment or {})})
        if not any(line.startswith("ready") for line in self.process.stdout):
            self.__exit__()
            raise Failure(f"the server ended before it was ready: {' '.join(self.command)}")
        return self

    def __exit__(self, *_):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGTERM)  # strace goes on until what it traces has ended
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process.stdout.close()
        self.folder.cleanup()
