# SPDX-License-Identifier: Apache-2.0
"""What the suites of ./dev bench have in common: results of runs, and what a suite is told.

A suite is a module bench/suites/NAME.py with

    TITLE                 one line for people
    NEEDS                 what ./dev bench builds before (bench_need_... in dev); ("programs",) if there is none
    estimate(context)     seconds that run() will take, roughly
    run(context)          measures; puts every value into context.results, calls context.progress()
    bars(results)         a list of report.Row: quantities with their bars (may be empty)

Systems are measured in turn: round 0 of A, B, C, then round 1 of A, B, C. A value belongs to its round, and ratios are
taken within rounds, since what ran close together has seen the same machine.
"""
import json
import os
import statistics
import sys
import time
from dataclasses import dataclass, field

SUITES = ("ttcp", "param_test", "whitebox", "ladder", "demux", "sizes", "services", "scale", "engine", "core", "realtime", "idle", "caches", "shares",
          "network", "platforms", "growth")
SYSTEMS = (
    "callis-interpreted", "callis-compiled", "callis-hybrid", "callis-shared", "callis-pool", "callis-rt", "callis-rt-off", "callis-rt-locked", "callis-dii", "raw", "ace",
    "rpc", "opt-rpc", "omniorb", "omniorb-dii", "jacorb", "jacorb-dii", "ice", "ice-batch", "grpc", "capnp",
    # Rungs, strategies and coders that only one suite has:
    "ladder-original", "ladder-inlining", "ladder-precomputing", "ladder-receiver", "ladder-sender",
    "demux-linear", "demux-index", "demux-binary", "demux-hash", "demux-perfect", "demux-active",
    "one-by-one", "inlined", "memcpy", "array", "virtual", "sqlite", "omninames", "omnievents", "process",
)
SCALES = ("tiny", "quick", "full")  # seconds, for the tests; half an hour; three hours. All suites together
METRICS = {"p50_us": "us", "p99_us": "us", "p999_us": "us", "calls_per_s": "1/s", "gbit_s": "Gbit/s",
           "receiver_gbit_s": "Gbit/s", "ns_per_element": "ns", "ns": "ns", "bytes": "bytes", "instructions": "1",
           "calls": "1", "declared": "1", "connections_per_s": "1/s", "allocations": "1", "locks": "1", "syscalls": "1",
           "p9999_us": "us", "greatest_us": "us", "inverted_p50_us": "us", "inverted_p99_us": "us", "inverted_greatest_us": "us", "waited_p50_us": "us",
           "share": "1", "code_misses": "1", "data_misses": "1", "last_misses": "1", "wakeups_per_s": "1/s", "cpu_us_per_s": "us", "waited_p99_us": "us", "waited_greatest_us": "us", "faults": "1", "waits": "1", "cpu_us": "us", "ms": "ms"}


def duration(seconds):
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


class Results:
    """Values by suite, system, case and metric, one a round; and what could not be measured, with the reason."""

    def __init__(self):
        self.values = {}   # (suite, system, case, metric): {round: value}
        self.absent = {}   # (suite, system): reason

    def add(self, suite, system, case, metric, value, round_number=0):
        if suite not in SUITES or metric not in METRICS:
            raise ValueError(f"unknown suite or metric: {suite} {metric}")
        self.values.setdefault((suite, system, case, metric), {})[round_number] = value

    def missing(self, suite, system, why):
        self.absent[suite, system] = why

    def cases(self, suite):
        """Cases of a suite in the order of measuring."""
        return list(dict.fromkeys(k[2] for k in self.values if k[0] == suite))

    def systems(self, suite):
        return list(dict.fromkeys(k[1] for k in self.values if k[0] == suite))

    def median(self, suite, system, case, metric):
        """None if it has not been measured."""
        rounds = self.values.get((suite, system, case, metric))
        return statistics.median(rounds.values()) if rounds else None

    def ratios(self, suite, case, metric, one, other, other_case=None):
        """one ÷ other in each round that has both."""
        a = self.values.get((suite, one, case, metric), {})
        b = self.values.get((suite, other, other_case or case, metric), {})
        return [a[r] / b[r] for r in a if b.get(r)]

    def ratio(self, *of):
        """Median of ratios(), with least and greatest; None without a round that has both."""
        both = self.ratios(*of)
        return (statistics.median(both), min(both), max(both)) if both else None

    def quartiles(self, *of):
        """(lower quartile, median, upper quartile) of ratios(); None without a round that has both."""
        both = self.ratios(*of)
        if len(both) < 2:
            return tuple(both * 3) or None
        return tuple(statistics.quantiles(both, n=4, method="inclusive"))

    def lines(self):
        """Dictionaries, one a line of the JSON file."""
        for (suite, system, case, metric), rounds in self.values.items():
            v = list(rounds.values())
            yield {"suite": suite, "system": system, "case": case, "metric": metric, "unit": METRICS[metric],
                   "median": statistics.median(v), "min": min(v), "max": max(v), "runs": len(v)}
        for (suite, system), why in self.absent.items():
            yield {"suite": suite, "system": system, "missing": why}

    def write(self, path, machine):
        with open(path, "w", encoding="utf-8") as f:
            for line in [{"machine": machine}, *self.lines()]:
                f.write(json.dumps(line, ensure_ascii=False) + "\n")


@dataclass
class Context:
    """What a suite is told. Folders are absolute."""
    build: str                  # build folder, preset release
    minsize: str                # build folder, preset minsize
    peers: str                  # folder of the built peers: PEER/server, PEER/client (bench/peers/README.md)
    scale: str = "full"
    only_systems: tuple = ()    # empty: all
    megabytes: int = 0          # ttcp's total a point; 0: as the scale has it
    results: Results = field(default_factory=Results)
    started: float = field(default_factory=time.monotonic)
    seconds_planned: float = 0  # the sum of all estimates

    def wants(self, system):
        return not self.only_systems or system in self.only_systems

    def pick(self, tiny, quick, full):
        """The one that belongs to the scale."""
        return {"tiny": tiny, "quick": quick, "full": full}[self.scale]

    @property
    def cpus(self):
        """Two CPUs to pin to; the same one twice where there is only one."""
        allowed = sorted(os.sched_getaffinity(0))
        return allowed[0], allowed[-1]

    def placements(self):
        """{name: (CPU of the server, CPU of the client)}; None: wherever the scheduler puts it."""
        a, b = self.cpus
        return {"one-cpu": (a, a), "two-cpu": (b, a), "free": (None, None)}

    def progress(self, suite, what):
        """Says what is measured now and how much is left."""
        left = max(0.0, self.seconds_planned - (time.monotonic() - self.started))
        print(f"[{suite}] {what} (about {duration(left)} left)", file=sys.stderr, flush=True)
