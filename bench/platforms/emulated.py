# SPDX-License-Identifier: Apache-2.0
"""Programs of several processors under QEMU's user-mode emulation, and how many instructions they run (instructions.cpp).

Counts, never times: an emulator's time says nothing about the processor. Always the difference between two points, divided by
what was done between them, so that starting and warming up do not count.
"""
import contextlib
import os
import shutil
import struct
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("common", "tools", "sizes")]
import callgrind  # noqa: E402
import toolchains  # noqa: E402
from pairs import Pair  # noqa: E402
from processes import Caller, Failure  # noqa: E402
from report import first_line  # noqa: E402
from suite import Context  # noqa: E402

EMULATORS = {"x86-64": "qemu-x86_64", "aarch64": "qemu-aarch64", "armv7": "qemu-arm"}
CPU = max(os.sched_getaffinity(0))  # of both sides: a wait that spins would count as work
WARM_UP = 200


def folder_of(build, machine):
    """The build folder of a machine's programs."""
    return build if machine == toolchains.NATIVE else os.path.join(build, "platforms", machine)


def lacking(build, machine):
    """Why nothing of this machine can be counted here; None if it can."""
    if not shutil.which(EMULATORS[machine]):
        return f"{EMULATORS[machine]} is not installed (Debian: qemu-user)"
    if not os.path.exists(plugin(build)):
        return "bench_instructions has not been built"
    folder = folder_of(build, machine)
    if not os.path.exists(os.path.join(folder, "bin", "bench_caller_interpreted")):
        return first_line(os.path.join(folder, "missing")) or "its programs have not been built (bench/platforms/build.py)"
    return None


def plugin(build):
    return os.path.abspath(os.path.join(build, "bench", "bench_instructions.so"))


@contextlib.contextmanager
def counters(build, machine, count):
    """So many times (what goes before a program's command, a function that reads the count of the instructions it has run)."""
    root = [] if machine == toolchains.NATIVE else ["-L", f"/usr/{toolchains.TRIPLES[machine]}"]
    with tempfile.TemporaryDirectory(prefix="callis-bench-") as scratch:
        def one(number):
            file = os.path.join(scratch, f"count{number}")

            def read():
                try:
                    with open(file, "rb") as f:
                        return struct.unpack("Q", f.read(8))[0]
                except (OSError, struct.error):
                    raise Failure("nothing was counted") from None
            return [EMULATORS[machine], *root, "-plugin", f"{plugin(build)},count={file}"], read
        yield [one(n) for n in range(count)]


def difference(readers, caller, operation, calls):
    """Instructions a call, of each reader."""
    caller.calls(operation, WARM_UP)
    points = [[read() for read in readers]]
    for n in (1, calls + 1):
        caller.calls(operation, n)
        points.append([read() for read in readers])
    found = [(c - b - (b - a)) / calls for a, b, c in zip(*points)]
    if min(found) <= 0:
        raise Failure("no instructions were counted")
    return found


def call_in_memory(build, machine, style, operation, calls):
    """Of a call within one process: both sides."""
    with counters(build, machine, 1) as [(prefix, read)], \
         Caller(folder_of(build, machine), style, cpu=CPU, prefix=prefix, environment=callgrind.ENVIRONMENT) as caller:
        return difference([read], caller, operation, calls)[0]


def call_over_tcp(build, machine, operation, calls):
    """(client's, server's) of a call over TCP, by interpreted stubs."""
    folder = folder_of(build, machine)
    with counters(build, machine, 2) as [(client_prefix, client), (server_prefix, server)], \
         Pair(Context(build=folder, minsize="", peers=""), "callis-interpreted", "param_test", (CPU, CPU), prefix=server_prefix,
              environment=callgrind.ENVIRONMENT) as pair, \
         Caller(folder, "interpreted", pair.reference, CPU, client_prefix, callgrind.ENVIRONMENT) as caller:
        return difference([client, server], caller, operation, calls)


def marshaling(build, machine, rung, kind, few, many):
    """Of a buffer of 64 KB, encoded, decoded and freed by a rung of the ladder (bench/ladder)."""
    def count(times):
        with counters(build, machine, 1) as [(prefix, read)]:
            command = [*prefix, os.path.join(folder_of(build, machine), "bin", f"ladder_memory_{rung}"), "--bytes", "65536", "--types",
                       kind, "--only", "both", "--count", str(times)]
            done = subprocess.run(command, env={**os.environ, **callgrind.ENVIRONMENT}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, timeout=300, check=False)
            if done.returncode != 0:
                raise Failure(f"ladder_memory_{rung}: {(done.stderr.strip().splitlines() or ['no word'])[-1]}")
            return read()
    found = (count(many) - count(few)) / (many - few)
    if found <= 0:
        raise Failure("no instructions were counted")
    return found
