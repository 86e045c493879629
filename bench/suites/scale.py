# SPDX-License-Identifier: Apache-2.0
"""Scalability: calls/s of 1, 8 and 64 client processes together, each with its own connection, all calling test_short of
one server. Nobody is pinned; on a machine with more than two CPUs also with everybody on the same two."""
import os

import pairs
from report import Row

SUITE = "scale"
TITLE = "scale: calls/s of many clients together"
NEEDS = ("programs", "peers")
CLIENTS = (1, 8, 64)
JUDGED, FLOOR = "callis-interpreted", "raw"
SYSTEMS = (JUDGED, FLOOR, "omniorb", "callis-compiled", "callis-shared", "ice", "grpc", "capnp", "jacorb")
BAR = 0.95


def rounds(context, system):
    return context.pick(1, 3, 9) if system in (JUDGED, FLOOR) else context.pick(1, 1, 3)


def seconds(context):
    return context.pick(0.1, 0.5, 1.5)


def clients(context):
    return context.pick((1, 8), CLIENTS, CLIENTS)


def placements(context):
    both = set(context.cpus)
    return {"free": None} if len(os.sched_getaffinity(0)) <= 2 else {"free": None, "two-cpu": both}


def estimate(context):
    a_pair = sum(seconds(context) + 0.2 + 0.01 * n for n in clients(context))
    return len(placements(context)) * sum(rounds(context, s) * a_pair for s in pairs.here(context, SYSTEMS))


def run(context):
    present = pairs.present(context, SUITE, SYSTEMS)
    failed = pairs.Failed(context, SUITE)
    for n in range(rounds(context, JUDGED)):
        for place, cpus in placements(context).items():
            for system in present:
                if n >= rounds(context, system) or failed.has(system, place):
                    continue
                context.progress(SUITE, f"round {n}: {system} {place}")
                with failed.noted(system, place), pairs.Pair(context, system, SUITE, (cpus, cpus)) as pair:
                    for count in clients(context):
                        found = pair.run("--clients", count, "--seconds", seconds(context), seconds=60)
                        pairs.add(context, SUITE, system, place, n, found)


def row(results, case, barred):
    ratio = results.ratio(SUITE, case, "calls_per_s", JUDGED, FLOOR)
    section = "scale: calls/s, callis ÷ a raw echo by one thread with epoll"
    bar = (">=", BAR) if barred else None
    if not ratio:
        return Row(section, case, None, "x", bar, "not measured")
    mine, its = (results.median(SUITE, s, case, "calls_per_s") for s in (JUDGED, FLOOR))
    rest = [(s, results.ratio(SUITE, case, "calls_per_s", s, FLOOR)) for s in SYSTEMS if s not in (JUDGED, FLOOR)]
    note = f"{mine:,.0f} ÷ {its:,.0f} calls/s, {ratio[1]:.2f} to {ratio[2]:.2f}"
    return Row(section, case, ratio[0], "x", bar,
               note + "".join(f", {s.removeprefix('callis-')} {r[0]:.2f}" for s, r in rest if r))


def bars(results):
    """The bar is about the most clients."""
    cases = results.cases(SUITE)
    most = max((int(c.split("clients")[1]) for c in cases), default=0)
    return [row(results, case, case == f"free/clients{most}") for case in cases]
