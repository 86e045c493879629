# SPDX-License-Identifier: Apache-2.0
"""Keeps the processors awake while latencies are measured.

A processor that has nothing to do sleeps, and takes up to a millisecond to wake in a virtual machine. The good client alone
would meet sleeping processors, and under attack none: the comparison would flatter. So on each processor a loop runs that
takes only time that nobody else wants (SCHED_IDLE)."""
import os
import subprocess
import sys

_LOOP = """
import os
os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
try:  # processes of one session share what a normal one gets
    open("/proc/self/autogroup", "w").write("19")
except OSError:
    pass
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(100000):
        pass
"""


class Awake:
    def __enter__(self):
        self._loops = [subprocess.Popen([sys.executable, "-c", _LOOP], start_new_session=True,
                                        preexec_fn=lambda n=n: os.sched_setaffinity(0, [n]))
                       for n in sorted(os.sched_getaffinity(0))]
        return self

    def __exit__(self, *_):
        for loop in self._loops:
            loop.kill()
            loop.wait()
