# SPDX-License-Identifier: Apache-2.0
"""Processes that idle: clients and servers after their last call, connected, and services. Each is started, does something once
and then has nothing to do."""
import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time

import pairs
from processes import Caller, Failure

LISTEN = ["-ORBEndpoint", "tcp:127.0.0.1:0"]
NAMES = "{names}"  # stands for the reference of the naming service
# A service: its program, and options that give it something to look after.
SERVICES = {
    "naming": ["callis-naming", "--allow", "admin=any"], "events": ["callis-events", "--channel", "one"],
    "events-realtime": ["callis-events", "--rt-channel", "one"], "trading": ["callis-trading"], "properties": ["callis-properties"],
    "logging": ["callis-logging"], "lifecycle": ["callis-lifecycle", "--location", "/", "-ORBInitRef", f"NameService={NAMES}"],
    "ifr": ["callis-ifr", "serve"],
    "imr": ["callis-imr", "serve"],
}
STORES = ("naming", "properties", "logging", "trading", "ifr")  # also with a database: NAME-store
# (name, system, options of its server beyond the usual)
PAIRS = (("callis", "callis-interpreted", []), ("callis-pool", "callis-pool", []), ("omniorb", "omniorb", []))
CALLERS = {"callis-pool": "interpreted", "callis-interpreted": "interpreted", "omniorb": "omniorb"}
READY_SECONDS = 20


class Idle:
    """All processes that could be started: pids has them by name, missing the others with the reason."""

    def __init__(self, context):
        self.context, self.pids, self.missing, self.names = context, {}, {}, ""

    def __enter__(self):
        self.running = contextlib.ExitStack()
        self.folder = self.running.enter_context(tempfile.TemporaryDirectory(prefix="callis-idle-"))
        for name, system, options in PAIRS:
            self.attempt(name, lambda s=system, o=options, n=name: self.start_pair(n, s, o))
        for name, command in SERVICES.items():
            self.attempt(name, lambda n=name, c=command: self.start_service(n, c))
        for name in STORES:
            command = [*SERVICES[name], "--store", os.path.join(self.folder, f"{name}.db")]
            self.attempt(f"{name}-store", lambda n=name, c=command: self.start_service(f"{n}-store", c))
        self.attempt("omninames", self.start_omninames)
        self.attempt("omnievents", self.start_omnievents)
        return self

    def __exit__(self, *_):
        self.running.close()

    def attempt(self, name, start):
        try:
            start()
        except (Failure, OSError) as e:
            self.missing[name] = str(e)

    def start_pair(self, name, system, options):
        """A server, and a client that has called it and stays connected."""
        pair = pairs.Pair(self.context, system, "param_test", server_arguments=options)
        self.running.enter_context(pair)
        caller = self.running.enter_context(Caller(self.context.build, CALLERS[system], pair.reference))
        caller.calls("test_short", 100)
        self.pids[f"server {name}"], self.pids[f"client {name}"] = pair.process.pid, caller.process.pid

    def start(self, name, command, ready):
        """ready(process) tells by an exception that it will not be."""
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                   start_new_session=True, cwd=self.folder)
        self.running.callback(process.stdout.close)
        self.running.callback(pairs.terminate, process)
        ready(process)
        self.pids[f"service {name}"] = process.pid

    def start_service(self, name, command):
        program = os.path.join(self.context.build, "bin", command[0])
        if not os.path.exists(program):
            raise Failure(f"{command[0]} has not been built")

        def first_line(process):
            line = process.stdout.readline().strip()
            if not line:
                raise Failure(f"{command[0]} ended with {process.wait()}")
            self.names = line if name == "naming" else self.names
        self.start(name, [program, *(word.replace(NAMES, self.names) for word in command[1:]), *LISTEN], first_line)

    def start_omninames(self):
        port = self.program_and_port("omniNames")
        self.start("omninames", ["omniNames", "-start", str(port), "-logdir", self.folder, "-errlog", "/dev/null"], lambda p: answers(p, port))

    def start_omnievents(self):
        port = self.program_and_port("omniEvents")
        self.start("omnievents", ["omniEvents", "-f", "-p", str(port), "-l", self.folder, "-t", os.path.join(self.folder, "trace")],
                   lambda p: answers(p, port))

    @staticmethod
    def program_and_port(program):
        if not shutil.which(program):
            raise Failure(f"{program} is not installed")
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            return s.getsockname()[1]


def answers(process, port):
    """Waits until somebody listens."""
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        if process.poll() is not None:
            raise Failure(f"{process.args[0]} ended with {process.returncode}")
        time.sleep(0.05)
    raise Failure(f"{process.args[0]} does not listen")
