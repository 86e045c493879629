# SPDX-License-Identifier: Apache-2.0
"""Crowds of clients, for the suite core: 64 that call, of callis's models of serving and of other systems; and 10,000 that
are idle beside one that calls."""
import contextlib
import os
import resource
import statistics

import pairs
from processes import Failure
from report import Row

MODELS = ("callis-interpreted", "callis-pool")
CALLERS = (*MODELS, "omniorb", "ice", "grpc")
IDLERS = (*MODELS, "omniorb")
# One that has a thread for each of 10,000 connections is no match: omniORB's pool serves them.
CALLIS_IDLE = ("-ORBMaxConnections", "20000", "-ORBMaxConnectionsPerPeer", "20000")
IDLE_OPTIONS = {"omniorb": ("-ORBthreadPerConnectionPolicy", "0")}
SECTION = "core: crowds of clients"
MEGABYTE = 1e6


def callers(context):
    return context.pick(8, 64, 64)


def idle(context):
    return context.pick(200, 10000, 10000)


def caller_rounds(context):
    return context.pick(1, 5, 9)


def idlers(context):
    return MODELS if context.scale == "quick" else IDLERS  # omniORB takes a minute, and no bar is about it


def idle_rounds(context, system):
    return context.pick(1, 5, 9) if system in MODELS else 1


def estimate(context):
    calling, idling = (pairs.here(context, systems) for systems in (CALLERS, idlers(context)))
    return caller_rounds(context) * len(calling) * context.pick(0.5, 1.5, 2.5) + \
        sum(idle_rounds(context, s) * (context.pick(1, 4, 6) if s in MODELS else context.pick(1, 60, 60)) for s in idling)


def in_turn(context, suite, systems, what, rounds, measure):
    """measure(system) in each of rounds(system), the systems one after the other, so that those compared have seen the same machine."""
    failed = pairs.Failed(context, suite)
    for n in range(max(map(rounds, systems), default=0)):
        for system in systems:
            if n >= rounds(system) or failed.has(system, what):
                continue
            context.progress(suite, f"{what}, round {n}: {system}")
            with failed.noted(system, what):
                for (case, metric), value in measure(system).items():
                    context.results.add(suite, system, case, metric, value, n)


def measure_callers(context, system):
    with pairs.Pair(context, system, "scale") as pair:
        found = pair.run("--clients", callers(context), "--seconds", context.pick(0.1, 0.7, 1.5), suite="scale")
    return {("crowd", metric): value for (_, metric), value in found.items()}


@contextlib.contextmanager
def many_descriptors():
    """As many as there may be, for processes started inside."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def measure_idle(context, system):
    """All on one CPU: whoever else is there takes time from both servers alike."""
    program = os.path.join(context.build, "bin", "bench_crowd")
    if not os.path.exists(program):
        raise Failure("bench_crowd has not been built")
    cpus = context.placements()["one-cpu"]
    options = IDLE_OPTIONS.get(system, CALLIS_IDLE)
    with many_descriptors(), pairs.Pair(context, system, "core", cpus, server_arguments=options) as crowded, \
         pairs.Pair(context, system, "core", cpus, server_arguments=options) as alone:
        command = [program, "core", "--reference", crowded.reference, "--alone", alone.reference,
                   "--server", str(crowded.process.pid), "--clients", str(idle(context)),
                   "--calls", str(context.pick(200, 10000, 20000))]
        found = pairs.run_client(command, cpus[1], os.environ, 120)
    return {(case if case == "idle" else f"idle/{case}", metric): value for (case, metric), value in found.items()
            if case != "kernel" and metric != "cpu_us"}  # those are of the suite growth


def run(context, suite):
    in_turn(context, suite, pairs.present(context, suite, CALLERS), "many clients", lambda _: caller_rounds(context),
            lambda system: measure_callers(context, system))
    in_turn(context, suite, pairs.here(context, idlers(context)), "idle connections",
            lambda system: idle_rounds(context, system), lambda system: measure_idle(context, system))


def short(system):
    return {"callis-interpreted": "a thread a connection", "callis-pool": "pool"}.get(system, system)


def caller_row(results, suite):
    """The better model of callis against the best of the others, within each round."""
    of = {s: results.values.get((suite, s, "crowd", "calls_per_s"), {}) for s in CALLERS}
    best = lambda systems, n: max((of[s][n] for s in systems if n in of[s]), default=None)
    rounds = sorted(set().union(*of.values()))
    ratios = sorted(mine / its for n in rounds
                    if (mine := best(MODELS, n)) and (its := best([s for s in CALLERS if s not in MODELS], n)))
    note = ", ".join(f"{short(s)} {results.median(suite, s, 'crowd', 'calls_per_s'):,.0f}" for s in CALLERS if of[s])
    return Row(SECTION, "64 clients calling test_short: calls/s, the better model ÷ the best other system",
               statistics.median(ratios) if ratios else None, "x", (">=", 1.0),
               f"{ratios[0]:.2f} to {ratios[-1]:.2f}; calls/s: {note}" if ratios else note or "not measured")


def idle_rows(results, suite):
    of = lambda system, case, metric: results.median(suite, system, case, metric)
    megabytes = lambda system: None if (each := of(system, "idle", "bytes")) is None else each * 10000 / MEGABYTE
    theirs = lambda value, unit: ", ".join(f"{s} {value(s):,.1f}{unit}" for s in IDLERS if s not in MODELS and value(s))
    slower = lambda system: results.ratio(suite, "idle/among", "p99_us", system, system, "idle/alone")
    rows = [Row(SECTION, f"10,000 idle connections, {short(s)}: memory of the server", megabytes(s), "MB", ("<=", 40),
                theirs(megabytes, " MB")) for s in MODELS]
    for s in MODELS:
        ratio = slower(s)
        note = f"{of(s, 'idle/among', 'p99_us'):.1f} ÷ {of(s, 'idle/alone', 'p99_us'):.1f} us, {ratio[1]:.2f} to " \
               f"{ratio[2]:.2f}" if ratio else "not measured"
        others = theirs(lambda system: slower(system)[0] if slower(system) else None, "")
        rows.append(Row(SECTION, f"p99 of a client among 10,000 idle ones ÷ alone, {short(s)}", ratio[0] if ratio else None,
                        "x", ("<=", 1.2), f"{note}; {others}" if others else note))
    rows += [Row(SECTION, f"connections opened and answered, {short(s)}", of(s, "idle", "connections_per_s"), "1/s", None,
                 theirs(lambda system: of(system, "idle", "connections_per_s"), "/s"))
             for s in MODELS if of(s, "idle", "connections_per_s")]
    return rows


def bars(results, suite):
    return [caller_row(results, suite), *idle_rows(results, suite)]
