# SPDX-License-Identifier: Apache-2.0
"""Instructions and calls of one call, by function, for client and server: both run under callgrind, which writes down what
it has counted whenever it is told to (by vgdb), between commands to the client.

A dump holds what was counted since the last one. What a call costs is the difference between a long and a short command,
divided by the calls between them: what the command itself costs does not appear.
"""
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "common"), os.path.join(HERE, "..", "tools")]
import callgrind  # noqa: E402
from pairs import OURS, Pair  # noqa: E402
from processes import Caller, Failure  # noqa: E402

SIDES = ("client", "server")
TOOLS = ("valgrind", "vgdb")


def lacking():
    """The reason why nothing can be profiled here; None if there is none."""
    absent = [tool for tool in TOOLS if not shutil.which(tool)]
    return f"{', '.join(absent)} not installed" if absent else None


class Profiled:
    """A server and a caller of a system, both under callgrind."""

    def __init__(self, context, system):
        self.context, self.system = context, system

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="callis-bench-")
        for side in SIDES:
            os.mkdir(self.folder_of(side))
        self.pair = Pair(self.context, self.system, "param_test", prefix=self.callgrind("server"), start_seconds=60,
                         environment=callgrind.ENVIRONMENT)
        self.pair.__enter__()
        try:
            self.caller = Caller(self.context.build, OURS[self.system], self.pair.reference, prefix=self.callgrind("client"),
                                 environment=callgrind.ENVIRONMENT)
        except Exception:
            self.pair.__exit__()
            raise
        self.processes = (self.caller.process, self.pair.process)
        return self

    def __exit__(self, *_):
        self.caller.__exit__()
        self.pair.__exit__()
        self.folder.cleanup()

    def folder_of(self, side):
        return os.path.join(self.folder.name, side)

    def callgrind(self, side):
        return ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={self.folder_of(side)}/%p"]

    def dump(self):
        """What (client, server) have counted since the last time."""
        tellers = [subprocess.Popen(["vgdb", f"--pid={process.pid}", "dump"], stdout=subprocess.DEVNULL,
                                    stderr=subprocess.PIPE, text=True) for process in self.processes]
        for teller in tellers:
            errors = teller.communicate(timeout=60)[1]
            if teller.returncode != 0:
                raise Failure(f"vgdb: {errors.strip()}")
        found = []
        for side in SIDES:
            found.append(callgrind.read_folder(self.folder_of(side)))
            for name in os.listdir(self.folder_of(side)):
                os.remove(os.path.join(self.folder_of(side), name))
        return found

    def profile(self, operation, short, long):
        """[{(function, library): Cost of a call}] of client and server."""
        self.caller.calls(operation, short)  # warms up
        self.dump()
        dumps = []
        for calls in (short, long):
            self.caller.calls(operation, calls)
            dumps.append(self.dump())
        costs = [callgrind.difference(many, few, long - short) for few, many in zip(*dumps)]
        for side, cost in zip(SIDES, costs):
            if not cost:
                raise Failure(f"callgrind counted nothing of the {side}")
        return costs
