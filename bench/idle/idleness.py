# SPDX-License-Identifier: Apache-2.0
"""Who wakes up: wake-ups and processor time of processes that have nothing to do, thread by thread.

A thread that sleeps and is woken gives the processor back once more when it sleeps again: the kernel counts that as a
voluntary switch of context (/proc/PID/task/TID/status). Processor time is that of the scheduler, in nanoseconds
(.../schedstat). Looking at /proc wakes nobody.
"""
import contextlib
import os
import re
import time
from dataclasses import dataclass, field


@dataclass
class Idleness:
    """Of a process in some seconds."""
    seconds: float
    wakeups: int = 0
    cpu_ns: int = 0
    threads: dict = field(default_factory=dict)  # name of those that woke up or ran: wake-ups

    @property
    def per_second(self):
        return self.wakeups / self.seconds

    def words(self):
        return ", ".join(f"{name} {count}" for name, count in sorted(self.threads.items())) or "nobody"


def _read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def threads(pid):
    """{thread: (name, switches of context that it asked for, nanoseconds of processor)}"""
    found = {}
    folder = f"/proc/{pid}/task"
    for thread in os.listdir(folder):
        with contextlib.suppress(OSError):  # it has ended meanwhile
            status = _read(f"{folder}/{thread}/status")
            name = re.search(r"^Name:\t(.*)$", status, re.M).group(1)
            switches = int(re.search(r"^voluntary_ctxt_switches:\t(\d+)$", status, re.M).group(1))
            found[thread] = name, switches, int(_read(f"{folder}/{thread}/schedstat").split()[0])
    return found


def difference(before, after, seconds):
    """A thread that is new has woken up once at least, and so has one that has ended."""
    result = Idleness(seconds)
    for thread in before.keys() | after.keys():
        name, old, old_ns = before.get(thread, (None, 0, 0))
        new_name, new, new_ns = after.get(thread, (name, old + 1, old_ns))
        count = new - old if thread in before else max(1, new)
        result.cpu_ns += new_ns - old_ns
        if count or new_ns != old_ns:
            result.wakeups += count
            result.threads[new_name] = result.threads.get(new_name, 0) + count
    return result


def watch(pids, seconds, sleep=time.sleep, clock=time.monotonic):
    """{name: Idleness} of {name: process}, all in the same seconds."""
    began, before = clock(), {name: threads(pid) for name, pid in pids.items()}
    sleep(seconds)
    after = {name: threads(pid) for name, pid in pids.items()}
    passed = clock() - began
    return {name: difference(before[name], after[name], passed) for name in pids}
