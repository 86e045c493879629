# SPDX-License-Identifier: Apache-2.0
"""test_short against a ping-pong of the same bytes over bare sockets, both sides pinned to one CPU: over TCP, and over a
Unix-domain socket. Part of the suite core."""
import os
import tempfile

import pairs
from report import Row

JUDGED = "callis-interpreted"
SYSTEMS = (JUDGED, "raw")
LIMITS = {"tcp": 1.05, "unix": 1.08}
SECTION = "core: p50 of test_short on one CPU, callis ÷ raw ping-pong of the same bytes"
OPERATION = "test_short"


def rounds(context):
    return context.pick(1, 7, 15)


def calls(context):
    return context.pick(20, 5000, 20000)


def estimate(context):
    return rounds(context) * len(LIMITS) * len(pairs.here(context, SYSTEMS)) * context.pick(0.3, 0.6, 1)


def server_arguments(system, way, folder):
    if way == "tcp":
        return ()
    return ("--unix",) if system == "raw" else ("-ORBEndpoint", f"unix:{os.path.join(folder, 'socket')}")


def measure(context, system, way):
    cpus = context.placements()["one-cpu"]
    with tempfile.TemporaryDirectory(prefix="callis-bench-") as folder, \
         pairs.Pair(context, system, "param_test", cpus, server_arguments=server_arguments(system, way, folder)) as pair:
        return pair.run("--calls", calls(context), "--operations", OPERATION)


def run(context, suite):
    """Systems are the innermost loop, so that those which are compared have seen the same machine."""
    failed = pairs.Failed(context, suite)
    present = pairs.present(context, suite, SYSTEMS)
    for n in range(rounds(context)):
        for way in LIMITS:
            for system in present:
                if failed.has(system, way):
                    continue
                context.progress(suite, f"ping-pong, round {n}: {system} {way}")
                with failed.noted(system, way):
                    pairs.add(context, suite, system, f"ping-pong/{way}", n, measure(context, system, way))


def bars(results, suite):
    rows = []
    for way, limit in LIMITS.items():
        case = f"ping-pong/{way}/{OPERATION}"
        ratio = results.ratio(suite, case, "p50_us", *SYSTEMS)
        mine, its = (results.median(suite, s, case, "p50_us") for s in SYSTEMS)
        note = f"{mine:.2f} ÷ {its:.2f} us, {ratio[1]:.3f} to {ratio[2]:.3f}" if ratio else "not measured"
        rows.append(Row(SECTION, f"ping-pong, {way}", ratio[0] if ratio else None, "x", ("<=", limit), note))
    return rows
