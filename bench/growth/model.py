# SPDX-License-Identifier: Apache-2.0
"""Extrapolates from what was measured to a million connections and 10^9 objects, and says what is used up first.

Costs are taken to be a straight line, a base and so much for each. The line goes through the smaller points; the greatest point
is not used to draw it, but to check it.
"""
import math
from dataclasses import dataclass

CONNECTIONS, OBJECTS = 10 ** 6, 10 ** 9
CALLS_A_CONNECTION = 1.0  # a second
DESCRIPTORS_KEPT = 100    # of a process: files, libraries, what listens
PORTS = 64_511            # that a client's address has for connections to one port of a server: 1,024 and more are free for it


@dataclass(frozen=True)
class Line:
    base: float
    each: float

    def at(self, n):
        return self.base + self.each * n


def line(points):
    """The least squares of [(n, total)]; through the origin if there is one point alone."""
    if len(points) == 1:
        return Line(0.0, points[0][1] / points[0][0])
    middle_n, middle = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    spread = sum((n - middle_n) ** 2 for n, _ in points)
    each = sum((n - middle_n) * (total - middle) for n, total in points) / spread
    return Line(middle - each * middle_n, each)


@dataclass(frozen=True)
class Check:
    """A prediction for the greatest point, and what was measured there."""
    n: int
    line: Line
    measured: float

    @property
    def predicted(self):
        return self.line.at(self.n)

    @property
    def off(self):
        """By how much the prediction is off: 0.1 is a tenth."""
        return abs(self.predicted / self.measured - 1) if self.measured else math.inf


def check(points):
    """The line through all points but the greatest, checked there; None of fewer than two."""
    points = sorted(points)
    return Check(points[-1][0], line(points[:-1]), points[-1][1]) if len(points) > 1 else None


def of_cases(results, suite, system, kind, metric, total):
    """[(n, total)] of cases KIND/N. total(n, value): what stands for n of them."""
    found = []
    for case in results.cases(suite):
        parts = case.split("/")
        if parts[0] == kind and len(parts) == 2 and parts[1].isdigit():
            value = results.median(suite, system, case, metric)
            if value is not None:
                found.append((int(parts[1]), total(int(parts[1]), value)))
    return sorted(found)


@dataclass(frozen=True)
class Need:
    """What something takes, beside what one process or machine has. times: how many of those it takes."""
    what: str
    needed: float
    had: float
    unit: str
    whose: str  # process, address, machine

    @property
    def times(self):
        return self.needed / self.had if self.had else math.inf


def connections(each_bytes, kernel_bytes, cpu_us, descriptors, memory, cpus):
    """What CONNECTIONS to one machine take, the scarcest first."""
    needs = [Need("descriptors", CONNECTIONS, descriptors - DESCRIPTORS_KEPT, "", "process"),
             Need("ports of a client's address, to one port of the server", CONNECTIONS, PORTS, "", "address"),
             Need("memory, of processes and of the kernel", CONNECTIONS * (each_bytes + kernel_bytes), memory, "bytes", "machine"),
             Need(f"processors, at {CALLS_A_CONNECTION:g} call a second of each", CONNECTIONS * CALLS_A_CONNECTION * cpu_us / 1e6, cpus, "", "machine")]
    return sorted((n for n in needs if n.had > 0), key=lambda n: -n.times)


def objects(active_bytes, make_ns, memory, hour=3600.0):
    """What OBJECTS with servants of their own take, the scarcest first."""
    needs = [Need("memory of objects and their servants", OBJECTS * active_bytes, memory, "bytes", "machine"),
             Need("time to activate them, by one thread", OBJECTS * make_ns / 1e9, hour, "s", "hour")]
    return sorted(needs, key=lambda n: -n.times)
