# SPDX-License-Identifier: Apache-2.0
"""Interpreted and other stubs over the memory transport, batch by batch in turn on one CPU."""
import os
import statistics
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
from processes import Caller, program  # noqa: E402
from report import Row  # noqa: E402

OPERATIONS = ["test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence"]
FLOODS = ["sendStructSeq", "sendDoubleSeq"]
SECTION = "calls: interpreted ÷ compiled, calls/s over the memory transport, client and server in one process"
COLD = "calls, cold: the same, each call after 50,000 random branches in 300 KB of code (information)"


def quartiles(values):
    if len(values) < 2:
        return values * 3
    return statistics.quantiles(values, n=4, method="inclusive")


class Pairing:
    """Times of the same work by several systems, taken in turn."""

    def __init__(self, systems):
        self.ns = {s: [] for s in systems}

    def add(self, round_number, run):
        order = list(self.ns)
        if round_number % 2:
            order.reverse()
        for system in order:
            self.ns[system].append(run(system))

    def median(self, system):
        return statistics.median(self.ns[system])

    def ratio(self, one, other):
        """Quartiles of the speed of one over that of other, round by round."""
        return quartiles([b / a for a, b in zip(self.ns[one], self.ns[other])])


def batch_size(caller, operation, milliseconds):
    """Calls that take about so long."""
    n = 1
    while True:
        ns = caller.calls(operation, n)
        if ns > milliseconds * 2.5e5 or n > 1 << 24:
            return max(1, int(n * milliseconds * 1e6 / ns))
        n *= 4


def systems(build):
    return [s for s in ("interpreted", "compiled", "hybrid") if os.path.exists(program(build, "caller", s))]


def measure(build, processes, repetitions, milliseconds, cold_repetitions, cold_calls, cpu):
    """({operation: Pairing} of ns a call, the same cold). Fresh processes each time: where code and data come to lie
    differs from process to process, and is part of the noise to be averaged."""
    names = systems(build)
    warm = {op: Pairing(names) for op in OPERATIONS + FLOODS}
    cold = {op: Pairing(names) for op in OPERATIONS}
    for _ in range(processes):
        callers = {}
        try:
            for s in names:
                callers[s] = Caller(build, s, cpu=cpu)
            for op, pairing in warm.items():
                n = batch_size(callers[names[0]], op, milliseconds)
                for s in names[1:]:
                    callers[s].calls(op, n)
                for r in range(repetitions):
                    pairing.add(r, lambda s, op=op, n=n: callers[s].calls(op, n) / n)
            for op, pairing in cold.items():
                for r in range(cold_repetitions):
                    pairing.add(r, lambda s, op=op: float(callers[s].ask(f"cold {op} {cold_calls}")))
        finally:
            for caller in callers.values():
                caller.__exit__()
    return warm, cold


def rows(section, pairings, barred):
    result = []
    for op, p in pairings.items():
        if not p.ns["interpreted"]:
            continue
        low, middle, high = p.ratio("interpreted", "compiled")
        note = (f"quartiles {low:.3f} to {high:.3f}; {p.median('interpreted'):,.0f} ÷ {p.median('compiled'):,.0f} ns "
                "a call")
        if "hybrid" in p.ns:
            note += f"; hybrid ÷ compiled {p.ratio('hybrid', 'compiled')[1]:.3f}"
        result.append(Row(section, op, middle, "x", (">=", 1.0) if barred and op in OPERATIONS else None, note))
    return result


def run(build, quick, cpu):
    warm, cold = measure(build, *((1, 3, 1, 1, 20) if quick else (5, 21, 6, 5, 60)), cpu)
    return rows(SECTION, warm, True) + rows(COLD, cold, False)
