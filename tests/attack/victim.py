# SPDX-License-Identifier: Apache-2.0
"""The server under attack, and the good client that it serves meanwhile."""
import os
import pathlib
import re
import shlex
import tempfile
import time
from dataclasses import dataclass

from attack.usage import Usage
from harness.process import Failure
from harness.reference import Reference

START_SECONDS = 60
ROUND_SECONDS = 120
# Freed memory goes back soon, so that what the victim holds can be seen under AddressSanitizer as well.
SANITIZER = {"ASAN_OPTIONS": "quarantine_size_mb=4:thread_local_quarantine_size_kb=64:malloc_context_size=8:"
                             "allocator_release_to_os_interval_ms=100:detect_leaks=1:detect_stack_use_after_return=0",
             "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1"}
# By thread model; those that are not here are thread models of attack_server. No priorities of the operating system: the
# attackers share the processors with the victim.
_SERVERS = {"lanes": ("attack_server_lanes", "-ORBRealTime", "off"), "micro": ("attack_server_micro", "-ORBMaxMessageSize", str(16 << 20))}
_REPORT = re.compile(r"(ERROR|WARNING): \w+Sanitizer|: runtime error: |terminate called")


@dataclass
class Target:
    """What an attack knows of its victim."""
    address: tuple
    key: bytes
    pid: int
    log: pathlib.Path
    preset: str
    model: str
    others: dict  # further objects by name, with their addresses and keys; a victim with lanes has "low", "propagated", "buffered"


class Victim:
    def __init__(self, processes, programs, preset, model, attack):
        self._log = tempfile.NamedTemporaryFile(prefix="attack.", suffix=".log")
        limits = ""
        if attack.stack_kib:
            limits += f"ulimit -s {attack.stack_kib}; "
        if attack.descriptors:
            limits += f"ulimit -n {attack.descriptors}; "
        command = [*_SERVERS.get(model, ("attack_server", "-ORBServerThreads", model)), "-ORBEndpoint", "tcp:127.0.0.1:0",
                   *attack.options]
        command[0] = programs / command[0]
        shell = f"{limits}exec {shlex.join(map(str, command))} 2>{shlex.quote(self._log.name)}"
        self.process = processes.start("victim", ["/bin/sh", "-c", shell], SANITIZER)
        lines = self.process.wait_for(lambda line: line == "ready", START_SECONDS)
        said = dict(line.split(" ", 1) for line in lines if " " in line)
        self.reference, self.floor_port = said["victim"], int(said["floor"])
        parsed = Reference(self.reference)
        self.usage = Usage(self.process.pid)
        others = {name: Reference(said[name]) for name in ("low", "propagated", "buffered") if name in said}
        self.target = Target((parsed.host, parsed.port), parsed.object_key, self.process.pid,
                             pathlib.Path(self._log.name), preset, model, others)

    def log(self):
        return self.target.log.read_text(encoding="utf-8", errors="backslashreplace")

    def complaint(self):
        """What is wrong with the process itself, or ''."""
        for line in self.log().splitlines():
            if _REPORT.search(line):
                return line.strip()
        if not self.process.running():
            return f"ended with status {self.process.finish(1)}"
        return ""

    def end(self):
        """Its orderly end. What was wrong, or ''."""
        self.process.end_input()
        try:
            status = self.process.finish(START_SECONDS)
        except Failure as failure:
            self.process.kill()
            return f"does not end: {failure}"
        for line in self.log().splitlines():
            if _REPORT.search(line):
                return line.strip()
        return "" if status == 0 else f"ended with status {status}"


@dataclass
class Round:
    calls: int
    failed: int
    p50: float  # microseconds
    p99: float
    floor50: float
    floor99: float
    fresh: str  # what a new client's first call came to


class GoodClient:
    def __init__(self, processes, programs, victim):
        self.process = processes.start("good client", [programs / "attack_client", "measure", victim.reference,
                                                       victim.floor_port, "-ORBCallTimeout", "20000"], SANITIZER)
        self.process.wait_for(lambda line: line == "ready", START_SECONDS)

    def round(self, calls, new_client=True):
        """new_client: whether one makes a call, too."""
        self.process.tell(f"{calls} {int(new_client)}")
        line = self.process.wait_for(lambda text: text.startswith("calls "), ROUND_SECONDS)[-1]
        found = re.match(r"calls (\d+) failed (\d+) p50 (\d+) p99 (\d+) floor50 (\d+) floor99 (\d+) fresh (.*)", line)
        numbers = [int(text) for text in found.groups()[:-1]]
        return Round(*numbers[:2], *(nanoseconds / 1000 for nanoseconds in numbers[2:]), found.group(7))

    def end(self):
        self.process.end_input()
        self.process.finish(START_SECONDS)


def attacker_only():
    """The attacker would be on another machine: it takes as little from the victim as it can, and one processor at most."""
    os.nice(10)
    processors = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, processors[-1:])


def wait_until(accept, seconds, step=0.05):
    """Whether accept() held within so long. For what has no descriptor to wait on: the memory of another process."""
    deadline = time.monotonic() + seconds
    while not accept():
        if time.monotonic() > deadline:
            return False
        time.sleep(step)
    return True
