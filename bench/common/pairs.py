# SPDX-License-Identifier: Apache-2.0
"""Servers and clients of every system, as measured by the suites that need two processes.

Every system has two programs with the same command line:

    server SUITE --reference FILE [options]   listens on 127.0.0.1, leaves in FILE what its client needs, prints "ready"
    client SUITE --reference FILE [options]   prints a JSON line a result: {"case": ..., "metric": ..., "value": ...}

Those of callis and omniORB stand in bench/programs, all others in bench/peers.
"""
import contextlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading

from processes import Failure, pin
from report import first_line

OURS = {"callis-interpreted": "interpreted", "callis-compiled": "compiled", "callis-hybrid": "hybrid",
        "callis-shared": "shared", "callis-pool": "interpreted", "callis-dii": "dii",
        "omniorb": "omniorb", "omniorb-dii": "omniorb_dii",
        **{f"ladder-{rung}": f"ladder_{rung}"  # bench/ladder: ttcp only
           for rung in ("original", "inlining", "precomputing", "receiver", "sender", "plan")}}
CALLIS_SERVER = ["-ORBEndpoint", "tcp:127.0.0.1:0"]
# {system: options of (its server, its client)}, for all suites alike.
OPTIONS = {
    "callis-interpreted": (CALLIS_SERVER, []),
    "callis-pool": ([*CALLIS_SERVER, "-ORBServerThreads", "pool"], []),
    "callis-shared": (CALLIS_SERVER, []),
    "callis-compiled": (CALLIS_SERVER, []),
    "callis-dii": (CALLIS_SERVER, []),
    "callis-hybrid": (CALLIS_SERVER, []),
    "omniorb": (["-ORBendPoint", "giop:tcp:127.0.0.1:", "-ORBgiopMaxMsgSize", "67108864"],
                ["-ORBgiopMaxMsgSize", "67108864"]),
}
OPTIONS["omniorb-dii"] = OPTIONS["omniorb"]
OPTIONS["jacorb-dii"] = (["--dynamic"], ["--dynamic"])
FOLDERS = {"jacorb-dii": "jacorb"}  # of bench/peers, where the system has no programs of its own


def programs(context, system):
    """(server, client) of a system; Failure, with the reason, when they are not there."""
    if system in OURS:
        found = [os.path.join(context.build, "bin", f"bench_{side}_{OURS[system]}") for side in ("server", "client")]
        why = "its packages are not installed" if system.startswith("omniorb") else "its programs have not been built"
    else:
        folder = os.path.join(context.peers, FOLDERS.get(system, system))
        found = [os.path.join(folder, side) for side in ("server", "client")]
        why = first_line(os.path.join(folder, "missing")) or "its programs have not been built"
    if not all(os.path.exists(path) for path in found):
        raise Failure(why)
    return found


def here(context, systems):
    """Those of the systems that are asked for and can be run."""
    found = []
    for system in filter(context.wants, systems):
        with contextlib.suppress(Failure):
            programs(context, system)
            found.append(system)
    return found


def present(context, suite, systems):
    """Those of the systems that are asked for and can be run; the others are reported as missing."""
    for system in filter(context.wants, systems):
        try:
            programs(context, system)
        except Failure as e:
            context.results.missing(suite, system, str(e))
    return here(context, systems)


def terminate(process):
    """Ends a process that leads a session, and what it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def start(command, cpus, environment, **streams):
    return subprocess.Popen(command, text=True, preexec_fn=pin(cpus), start_new_session=True, env=environment, **streams)


class Pair:
    """A running server of a system, and clients to run against it.

    cpus: (the server's, the client's), each a CPU, several CPUs or None: any. environment: what is added to that of both
    processes. prefix: what goes before the server's command (valgrind ...); client_prefix: before the client's. server_system: if
    it is another system's.
    """

    def __init__(self, context, system, suite, cpus=(None, None), environment=None, prefix=(), server_system=None,
                 server_arguments=(), start_seconds=30, client_prefix=()):
        self.suite, self.cpus, self.start_seconds = suite, cpus, start_seconds
        self.client, self.client_prefix = programs(context, system)[1], client_prefix
        self.client_options = OPTIONS.get(system, ((), ()))[1]
        self.server = [*prefix, programs(context, server_system or system)[0], suite]
        self.server_options = [*OPTIONS.get(server_system or system, ((), ()))[0], *server_arguments]
        self.environment = {**os.environ, **(environment or {})}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="callis-bench-")
        self.reference = os.path.join(self.folder.name, "reference")
        self.errors = open(os.path.join(self.folder.name, "errors"), "w+", encoding="utf-8", errors="replace")
        command = [*self.server, "--reference", self.reference, *self.server_options]
        self.process = start(command, self.cpus[0], self.environment, stdout=subprocess.PIPE, stderr=self.errors)
        watchdog = threading.Timer(self.start_seconds, terminate, [self.process])
        watchdog.start()
        ready = any(line.startswith("ready") for line in self.process.stdout)
        watchdog.cancel()
        if not ready:
            why = f"its server ended or hung before it was ready{self.last_words()}"
            self.__exit__()
            raise Failure(why)
        return self

    def __exit__(self, *_):
        terminate(self.process)
        self.process.stdout.close()
        self.errors.close()
        self.folder.cleanup()

    def last_words(self):
        self.errors.seek(0)
        lines = self.errors.read().strip().splitlines()
        return f": {lines[-1]}" if lines else ""

    def run(self, *options, seconds=60, suite=None):
        """Runs a client, of another suite than the server's if so said; {(case, metric): value}."""
        command = [*self.client_prefix, self.client, suite or self.suite, "--reference", self.reference, *map(str, options),
                   *self.client_options]
        try:
            return run_client(command, self.cpus[1], self.environment, seconds)
        except Failure as e:
            raise Failure(f"{e}{self.last_words()}") from None


def run_client(command, cpus, environment, seconds):
    process = start(command, cpus, environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        raise Failure(f"its client did not end within {seconds:.0f} s") from None
    finally:
        terminate(process)
        process.stdout.close()
        process.stderr.close()
    if process.returncode != 0:
        words = err.strip().splitlines()
        raise Failure(f"its client failed with exit status {process.returncode}: {words[-1] if words else 'no message'}")
    return values(out)


def values(text):
    """The results that a client printed."""
    found = {}
    for line in text.splitlines():
        if line.startswith("{"):
            result = json.loads(line)
            found[result["case"], result["metric"]] = result["value"]
    if not found:
        raise Failure("its client printed no result")
    return found


def alone(context, system, suite, cpu, *options, seconds=60):
    """Runs a client with a server in its own process, over the memory transport; {(case, metric): value}."""
    client = programs(context, system)[1]
    return run_client([client, suite, "--reference", "memory", *map(str, options)], cpu, os.environ, seconds)


def add(context, suite, system, place, round_number, found, behind=""):
    """Puts what a client has found into the results: case PLACE/CASE, and what stands behind it."""
    for (case, metric), value in found.items():
        context.results.add(suite, system, f"{place}/{case}{behind}", metric, value, round_number)


class Failed:
    """What could not be measured is reported with the reason, and not tried again in a later round."""

    def __init__(self, context, suite):
        self.context, self.suite, self.reasons = context, suite, {}

    def has(self, system, what):
        return (system, what) in self.reasons

    @contextlib.contextmanager
    def noted(self, system, what):
        try:
            yield
        except Failure as e:
            self.reasons[system, what] = str(e)
            said = "; ".join(f"{w}: {why}" for (s, w), why in self.reasons.items() if s == system)
            self.context.results.missing(self.suite, system, said)
            print(f"bench: {self.suite}: {system}: {what}: {e}", file=sys.stderr, flush=True)
