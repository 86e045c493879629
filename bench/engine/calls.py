# SPDX-License-Identifier: Apache-2.0
"""Interpreted and other stubs over the memory transport, batch by batch in turn on one CPU."""
from processes import Caller
from report import Row

SUITE = "engine"
OPERATIONS = ["test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence"]
FLOODS = ["sendStructSeq", "sendDoubleSeq"]
SYSTEMS = {"callis-interpreted": "interpreted", "callis-compiled": "compiled", "callis-hybrid": "hybrid"}
JUDGED, OTHER = "callis-interpreted", "callis-compiled"
SECTION = "calls: interpreted ÷ compiled, calls/s over the memory transport, client and server in one process"
COLD = "calls, cold: the same, each call after 50,000 random branches in 300 KB of code (information)"


def batch_size(caller, operation, milliseconds):
    """Calls that take about so long."""
    n = 1
    while True:
        ns = caller.calls(operation, n)
        if ns > milliseconds * 2.5e5 or n > 1 << 24:
            return max(1, int(n * milliseconds * 1e6 / ns))
        n *= 4


def in_turn(context, case, rounds, run):
    """Has every system run once a round, in the next round the other way round."""
    for r in rounds:
        names = list(SYSTEMS)
        for system in names if r % 2 == 0 else reversed(names):
            context.results.add(SUITE, system, case, "ns", run(system), r)


def measure_process(context, callers, number):
    """The rounds of the one set of processes with this number."""
    repetitions, milliseconds, cold_repetitions, cold_calls = context.pick((3, 1, 1, 20), (15, 4, 5, 60), (21, 6, 5, 60))
    rounds = range(number * repetitions, (number + 1) * repetitions)
    for op in OPERATIONS + FLOODS:
        n = batch_size(callers[JUDGED], op, milliseconds)
        for system in SYSTEMS:
            callers[system].calls(op, n)
        in_turn(context, f"memory/{op}", rounds, lambda s, op=op, n=n: callers[s].calls(op, n) / n)
    rounds = range(number * cold_repetitions, (number + 1) * cold_repetitions)
    for op in OPERATIONS:
        in_turn(context, f"memory/{op}/cold", rounds, lambda s, op=op: float(callers[s].ask(f"cold {op} {cold_calls}")))


def measure(context):
    """ns a call. Fresh processes several times: where code and data come to lie differs from process to process, and is
    part of the noise to be averaged."""
    cpu = context.placements()["one-cpu"][1]
    for number in range(context.pick(1, 3, 9)):
        context.progress(SUITE, f"calls over memory, processes {number}")
        callers = {}
        try:
            for system, name in SYSTEMS.items():
                callers[system] = Caller(context.build, name, cpu=cpu)
            measure_process(context, callers, number)
        finally:
            for caller in callers.values():
                caller.__exit__()


def row(results, section, op, case, barred):
    speed = lambda system: results.quartiles(SUITE, case, "ns", OTHER, system)  # ns the other way round: calls/s
    if not speed(JUDGED):
        return Row(section, op, None, "x", (">=", 1.0) if barred else None, "not measured")
    low, middle, high = speed(JUDGED)
    times = [results.median(SUITE, s, case, "ns") for s in (JUDGED, OTHER)]
    return Row(section, op, middle, "x", (">=", 1.0) if barred else None,
               f"quartiles {low:.3f} to {high:.3f}; {times[0]:,.0f} ÷ {times[1]:,.0f} ns a call; "
               f"hybrid ÷ compiled {speed('callis-hybrid')[1]:.3f}")


def rows(results):
    return [row(results, SECTION, op, f"memory/{op}", op in OPERATIONS) for op in OPERATIONS + FLOODS] + \
        [row(results, COLD, op, f"memory/{op}/cold", False) for op in OPERATIONS]
