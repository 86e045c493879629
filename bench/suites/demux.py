# SPDX-License-Identifier: Apache-2.0
"""Demultiplexing: from an object key and an operation's name to servant and method, by each strategy of the papers.

Cases, all on one CPU:
    operationsN/random|worst, objectsN/..., poasN/...        ns of a lookup alone, systems demux-STRATEGY
    objectsN/operationsM/random                              both steps; callis-interpreted: as callis does them
    .../cold, .../overlapped                                 the same, see docs/design/measurement.md
    operationsN/bound, objectsN/bound, poasN/bound           the same of the key that takes longest, at its best
    iterations/N/two-way|one-way, .../objectsM               ns of a request over TCP to a server of each strategy for all steps, in
                                                             N iterations of 100, the last of 100 operations; with M objects
    iterations/functions/FUNCTION                            instructions and calls in that server for a request, the costliest
    call/memory/operationsN/random|worst, ...                ns of a whole call within one process, one ORB for all
    request/objectsN/operationsM/WAY                         ns of both steps in callis's own adapter, by each of its options;
                                                             beside it the floor, system array
    collocated/WAY/void|test_short                           ns of a call to an object of the caller's ORB; beside it the
                                                             floor, system virtual
    call/one-cpu/objectsN/first|last                         p50_us of a call over TCP: N objects at random, the first or
                                                             last of 100 operations
                                                             systems demux-linear, -binary, -hash and -perfect: callis's
                                                             server by that -ORBOperationLookup
    call/one-cpu/oneway/last                                 the same of one-way calls to 100 objects, until all have arrived
    call/one-cpu/objects1/references                         1 object by as many references as there are objects
"""
import itertools
import os
import shutil
import statistics
import sys
import tempfile

import pairs
import within
from processes import Failure
from report import Row

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tools"))
import callgrind  # noqa: E402

SUITE = "demux"
TITLE = "demultiplexing of objects, operations and adapters"
NEEDS = ("programs", "peers")
STRATEGIES = ("demux-linear", "demux-index", "demux-binary", "demux-hash", "demux-perfect", "demux-active")
JUDGED = "callis-interpreted"
OURS = {"callis-interpreted": "interpreted", "callis-compiled": "compiled", "omniorb": "omniorb"}
LOOKUPS = {f"demux-{way}": way for way in ("linear", "binary", "hash", "perfect")}  # -ORBOperationLookup of a server over TCP
PEERS = ("jacorb", "ice")  # their clients measure one number of objects a run
WARM_CALLS = {"jacorb": 20000}  # at least so many calls: its client warms the virtual machine by as many
OBJECTS = 10000
LIMIT = 1.01
LOOKUP_AIM_NS = 10
COSTLIEST = 6  # functions of a server


def sizes(context):
    """Options of the programs that measure strategies."""
    if context.scale == "tiny":
        return ["--operations", "1,100", "--objects", "1,100", "--poas", "2"]
    return []


def tcp_pairs(context):
    """(process pairs a system, calls of a case in each, objects)"""
    return context.pick((1, 200, 100), (2, 4000, OBJECTS), (5, 30000, OBJECTS))


def estimate(context):
    return context.pick(15, 150, 700)


# ---- one process ----

def run_alone(context, failed):
    wanted = [s for s in (*STRATEGIES, JUDGED) if context.wants(s)]
    if not wanted:
        return
    rounds, batch_us = context.pick((1, 20), (7, 300), (25, 2000))
    common = ["--rounds", str(rounds), "--batch-us", str(batch_us), *sizes(context)]
    with failed.noted(wanted[0], "lookups"):
        context.progress(SUITE, "lookups alone, every strategy in turn")
        within.run_program(context, SUITE, "lookup", [*common, "--cold", str(context.pick(2, 0, 15))], 600)
    with failed.noted(wanted[0], "calls within one process"):
        context.progress(SUITE, "calls within one process, every strategy in turn")
        within.run_program(context, SUITE, "calls", common, 600)
    if context.scale == "quick" and "demux-linear" in wanted:
        with failed.noted(wanted[0], "cold lookups"):
            within.run_program(context, SUITE, "lookup", ["--rounds", "1", "--batch-us", "20", "--operations", "100", "--objects",
                                               str(OBJECTS), "--poas", "10", "--cold", "30"], 600)


# ---- two processes ----

class Pair(pairs.Pair):
    """callis's and omniORB's programs for this suite are their own."""

    def __init__(self, context, system, objects):
        cpu, program = context.cpus[0], JUDGED if system in LOOKUPS else system
        super().__init__(context, program, SUITE, (cpu, cpu))
        if program in OURS:
            self.server[0], self.client = programs(context, program)
        lookup = ["-ORBOperationLookup", LOOKUPS[system]] if system in LOOKUPS else []
        self.server_options = [*self.server_options, "--objects", str(objects), *lookup]


def programs(context, system):
    found = [os.path.join(context.build, "bin", f"bench_demux_{side}_{OURS[system]}") for side in ("server", "client")]
    if not all(map(os.path.exists, found)):
        raise Failure("its programs have not been built")
    return found


def add(context, system, number, found):
    """What a client found; a case's block stands behind #."""
    blocks = tcp_pairs(context)[1]  # no more than calls
    for (case, metric), value in found.items():
        name, _, block = case.partition("#")
        context.results.add(SUITE, system, f"call/one-cpu/{name}", metric, value, number * blocks + int(block or 0))


def run_tcp(context, failed):
    count, calls, objects = tcp_pairs(context)
    systems = pairs.present(context, SUITE, [*OURS, *PEERS])
    for number, system in itertools.product(range(count), systems):
        context.progress(SUITE, f"pair {number}: {system}")
        if system in OURS:
            with failed.noted(system, "calls"), Pair(context, system, objects) as pair:
                add(context, system, number, pair.run("--calls", calls, seconds=300))
            continue
        if number >= context.pick(1, 1, 3):
            continue
        peer_calls = calls if context.scale == "tiny" else max(calls, WARM_CALLS.get(system, 0))
        for n in (1, objects):
            with failed.noted(system, f"{n} objects"), Pair(context, system, n) as pair:
                add(context, system, number, pair.run("--objects", n, "--calls", peer_calls, seconds=300))


def run_lookups(context, failed):
    """The ways to find an operation, in short turns: they differ by less than a shared machine from minute to minute."""
    rounds, calls = context.pick((1, 200), (10, 1000), (20, 4000))
    objects = tcp_pairs(context)[2]
    for number, system in itertools.product(range(rounds), filter(context.wants, LOOKUPS)):
        context.progress(SUITE, f"turn {number}: {system}")
        with failed.noted(system, "calls"), Pair(context, system, objects) as pair:
            add(context, system, number, pair.run("--calls", calls, "--operations", f"objects{objects}/last,oneway/last", seconds=300))


class Strategy(pairs.Pair):
    """A server that finds object and operation by a strategy, and its client (bench/demux/iterations.cpp)."""

    def __init__(self, context, strategy, objects, prefix=()):
        program = os.path.join(context.build, "bin", "bench_demux_iterations")
        if not os.path.exists(program):
            raise Failure("its programs have not been built")
        cpu = context.cpus[0]
        super().__init__(context, JUDGED, SUITE, (cpu, cpu), environment=callgrind.ENVIRONMENT if prefix else None, prefix=prefix)
        self.server, self.client, self.client_options = [*prefix, program, SUITE], program, []
        self.server_options = ["--objects", str(objects), "--strategy", strategy]


def run_iterations(context, failed):
    """As the papers' Tables 7 to 10: totals of many requests, by strategies in turn."""
    rounds, most = context.pick((1, 1), (3, 500), (7, 1000))
    for number, objects in itertools.product(range(rounds), (1, tcp_pairs(context)[2])):
        for strategy in filter(context.wants, STRATEGIES):
            if failed.has(strategy, "iterations"):
                continue
            context.progress(SUITE, f"round {number}: requests to a server by {strategy}, {objects} objects")
            with failed.noted(strategy, "iterations"), Strategy(context, strategy, objects) as pair:
                for (case, metric), value in pair.run("--calls", most, seconds=300).items():
                    context.results.add(SUITE, strategy, case + (f"/objects{objects}" if objects > 1 else ""), metric, value, number)


def run_functions(context, failed):
    """As the papers' Tables 4 to 6: where the server's instructions of a request go."""
    for strategy in filter(context.wants, STRATEGIES):
        with failed.noted(strategy, "functions"):
            if not shutil.which("valgrind"):
                raise Failure("valgrind is not installed")
            context.progress(SUITE, f"functions of a server by {strategy}")
            few, many = (functions(context, strategy, most) for most in (1, 100))
            a_request = callgrind.difference(many, few, 2 * 100 * 100)  # 100 iterations more, two-way and one-way
            costs = {}
            for (function, _), cost in a_request.items():
                name = callgrind.short(function)
                costs[name] = [a + b for a, b in zip(costs.get(name, (0, 0)), (cost.instructions, cost.calls))]
            whole = sum(c[0] for c in costs.values())
            for name, cost in [("all", (whole, 1)), *sorted(costs.items(), key=lambda item: -item[1][0])[:COSTLIEST]]:
                for metric, value in zip(("instructions", "calls"), cost):
                    context.results.add(SUITE, strategy, f"iterations/functions/{name}", metric, value)


def functions(context, strategy, most):
    with tempfile.TemporaryDirectory(prefix="callis-bench-") as folder:
        with Strategy(context, strategy, 1, ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={folder}/%p"]) as pair:
            pair.run("--calls", most, seconds=300)
        return callgrind.read_folder(folder)


def run(context):
    failed = pairs.Failed(context, SUITE)
    run_alone(context, failed)
    within.run(context, SUITE, failed, "all")
    run_tcp(context, failed)
    run_lookups(context, failed)
    run_iterations(context, failed)
    run_functions(context, failed)


# ---- rows ----

def ratios(results, system, case, other):
    """One a block: what was measured within milliseconds."""
    a, b = (results.values.get((SUITE, system, f"call/one-cpu/{c}", "p50_us"), {}) for c in (case, other))
    return sorted(a[block] / b[block] for block in a if b.get(block))


def spread(found):
    """Quartiles of single ratios, and how far their median may be off."""
    if len(found) < 4:
        return f"{len(found)} blocks"
    low, _, high = statistics.quantiles(found, n=4)
    error = 1.25 * (high - low) / 1.349 / len(found) ** 0.5
    return f"{len(found)} blocks, quartiles {low:.3f} to {high:.3f}, median good to ±{100 * error:.2g} %"


def call_row(results, section, name, case, other, bar=("<=", LIMIT)):
    found = ratios(results, JUDGED, case, other)
    if not found:
        return Row(section, name, None, "x", bar, "not measured")
    times = [results.median(SUITE, JUDGED, f"call/one-cpu/{c}", "p50_us") for c in (case, other)]
    beside = [(s, ratios(results, s, case, other)) for s in (*OURS, *PEERS) if s != JUDGED]
    rest = ", ".join(f"{s} {statistics.median(r):.3f}" for s, r in beside if r)
    note = f"{times[0]:.2f} ÷ {times[1]:.2f} us, {spread(found)}"
    return Row(section, name, statistics.median(found), "x", bar, f"{note}; {rest}" if rest else note)


def search_row(results, section, words, case, then):
    """By the ways to find an operation, for information; the papers compare linear search with an index."""
    name = f"{words}: perfect hashing ÷ linear search"
    ns = {s: results.median(SUITE, s, f"call/one-cpu/{case}", "p50_us") for s in (*LOOKUPS, "omniorb")}
    if not ns["demux-perfect"] or not ns["demux-linear"]:
        return Row(section, name, None, "x", None, "not measured")
    note = ", ".join(f"{s.removeprefix('demux-')} {us:.2f}" for s, us in ns.items() if us)
    return Row(section, name, ns["demux-perfect"] / ns["demux-linear"], "x", None, f"us: {note}; SIGCOMM'96: {then} with an index")


def call_rows(results):
    section = "demultiplexing: calls over TCP on one CPU, callis; 100 operations"
    found = {int(case.split("/")[2].removeprefix("objects")) for case in results.cases(SUITE)
             if case.startswith("call/one-cpu/objects")}
    most = max(found, default=OBJECTS)
    return [call_row(results, section, f"{most:,} objects at random ÷ 1 object", f"objects{most}/first", "objects1/first"),
            call_row(results, section, "last operation ÷ first operation", "objects1/last", "objects1/first"),
            search_row(results, section, "last operation", f"objects{most}/last", "0.97"),
            search_row(results, section, "last operation, one way", "oneway/last", "0.90"),
            call_row(results, section, f"{most:,} objects ÷ 1 object by {most:,} references: what the server adds",
                     f"objects{most}/first", "objects1/references", None),
            call_row(results, section, f"1 object by {most:,} references ÷ by 1: what the client adds",
                     "objects1/references", "objects1/first", None)]


def iteration_rows(results):
    """For information: the strategies against linear search, as the papers' Tables 8 and 10."""
    rows = []
    for case in results.cases(SUITE):
        if not case.startswith("iterations/") or "/functions/" in case:
            continue
        ns = {s: results.median(SUITE, s, case, "ns") for s in STRATEGIES}
        if ns["demux-active"] and ns["demux-linear"]:
            rows.append(Row("demultiplexing: requests over TCP to a server of one strategy, active ÷ linear search", case.partition("/")[2],
                            ns["demux-active"] / ns["demux-linear"], "x", None,
                            "us: " + ", ".join(f"{s.removeprefix('demux-')} {n / 1000:,.2f}" for s, n in ns.items() if n)))
    return rows


def lookup_rows(results):
    """The strategies side by side, for information: the number is callis's own, or that of the strategy it has."""
    rows = []
    for case in results.cases(SUITE):
        if case.endswith(("/cold", "/overlapped")) and "operations" not in case.split("/")[1]:
            continue
        if case.startswith(("request/", "collocated/", "iterations/")):
            continue
        kind = "calls within one process" if case.startswith("call/memory/") else "lookups alone"
        if case.startswith("call/one-cpu/"):
            continue
        medians = {s: results.median(SUITE, s, case, "ns") for s in (JUDGED, *STRATEGIES)}
        own = JUDGED if medians[JUDGED] else "demux-perfect" if case.startswith("operations") else "demux-active"
        note = ", ".join(f"{s.removeprefix('demux-')} {ns:,.0f}" for s, ns in medians.items() if ns and s != own)
        if "/operations" in case and case.startswith("objects"):
            note = f"hoped for: {LOOKUP_AIM_NS} or less; {note}"
        if medians[own]:
            rows.append(Row(f"demultiplexing: {kind}, {'callis' if own == JUDGED else own}; beside it the strategies",
                            case.removeprefix("call/memory/"), medians[own], "ns", None, note))
    return rows


def bars(results):
    if not results.cases(SUITE):
        return []
    section = "demultiplexing: callis's own ways, beside a floor"
    return call_rows(results) + iteration_rows(results) + lookup_rows(results) + within.rows(results, SUITE, section) + \
        within.other_rows(results, SUITE, section)
