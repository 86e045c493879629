# SPDX-License-Identifier: Apache-2.0
"""Growth: what connections and objects cost as their number grows, and what a million connections and 10^9 objects would take.

Cases, of a server with a pool of threads (callis-pool) and of objects in one process (callis-interpreted):
    connections/N          bytes of a server for each of N idle connections; connections_per_s; p99_us and cpu_us of a call among them
    connections/N/kernel   bytes of the kernel's tables for one end of each
    connections/N/alone    p99_us of the same call of a server without them
    active/N               bytes of all N objects with a servant each; ns of a call
    active/N/make          ns to activate one
    default/N              the same with one servant for all and no table of objects
    process                bytes of a server that nobody is connected to
    limits/...             what one process and this machine have: descriptors, memory, processors
The smaller points draw a line, the greatest checks it (bench/growth/model.py).
"""
import os
import resource
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "growth"))
import crowds  # noqa: E402
import model  # noqa: E402
import pairs  # noqa: E402
from processes import Failure  # noqa: E402
from report import Row  # noqa: E402

SUITE = "growth"
TITLE = "growth: connections and objects, and what a million and a milliard would take"
SERVER, OBJECTS = "callis-pool", "callis-interpreted"
KINDS = {"active": "objects with a servant each", "default": "objects of one servant"}
OFF = 0.15  # how far a prediction may be from what is measured


def rounds(context):
    return context.pick(1, 1, 3)


def connections(context):
    """The greatest is what a process's descriptors allow, with some for itself."""
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    asked = context.pick((50, 100, 200), (1000, 2000, 8000), (2000, 5000, 18_000))
    return [n for n in asked if n + 200 <= most] or [max(1, most - 200)]


def objects(context):
    return context.pick((500, 1000, 4000), (10_000, 50_000, 400_000), (10_000, 100_000, 1_000_000))


def estimate(context):
    return rounds(context) * (len(connections(context)) * context.pick(1, 4, 8) + len(KINDS) * context.pick(1, 6, 15))


def add_connections(context, number, count):
    program = os.path.join(context.build, "bin", "bench_crowd")
    cpus = context.placements()["one-cpu"]
    with crowds.many_descriptors(), pairs.Pair(context, SERVER, "core", cpus, server_arguments=crowds.CALLIS_IDLE) as crowded, \
         pairs.Pair(context, SERVER, "core", cpus) as alone:
        command = [program, "core", "--reference", crowded.reference, "--alone", alone.reference, "--server", str(crowded.process.pid),
                   "--clients", str(count), "--calls", str(context.pick(200, 5000, 20_000))]
        context.results.add(SUITE, SERVER, "process", "bytes", resident(alone.process.pid), number)
        found = pairs.run_client(command, cpus[1], os.environ, 120)
    behind = {"idle": "", "among": "", "kernel": "/kernel", "alone": "/alone"}
    for (case, metric), value in found.items():
        if metric in ("bytes", "connections_per_s", "cpu_us", "p99_us"):
            context.results.add(SUITE, SERVER, f"connections/{count}{behind[case]}", metric, value, number)


def resident(pid):
    """Bytes of a process's resident memory."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def add_objects(context, number, kind, count):
    command = [os.path.join(context.build, "bin", "bench_growth_objects"), "growth", "--reference", "memory", "--objects", str(count),
               "--calls", str(context.pick(500, 100_000, 400_000)), "--operations", kind]
    for (case, metric), value in pairs.run_client(command, context.cpus[0], os.environ, 300).items():
        context.results.add(SUITE, OBJECTS, case.replace(kind, f"{kind}/{count}", 1), metric, value, number)


def add_limits(context):
    limits = {("descriptors", "declared"): resource.getrlimit(resource.RLIMIT_NOFILE)[1], ("processors", "declared"): os.cpu_count(),
              ("memory", "bytes"): os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")}
    for (what, metric), value in limits.items():
        context.results.add(SUITE, SERVER, f"limits/{what}", metric, value)


def run(context):
    failed = pairs.Failed(context, SUITE)
    add_limits(context)
    needed = [os.path.join(context.build, "bin", name) for name in ("bench_crowd", "bench_growth_objects")]
    for number in range(rounds(context)):
        for count in connections(context):
            if not context.wants(SERVER) or failed.has(SERVER, f"{count} connections"):
                continue
            context.progress(SUITE, f"round {number}: {count} connections")
            with failed.noted(SERVER, f"{count} connections"):
                require(needed[0])
                add_connections(context, number, count)
        for kind in KINDS:
            for count in objects(context):
                if not context.wants(OBJECTS) or failed.has(OBJECTS, f"{count} {kind}"):
                    continue
                context.progress(SUITE, f"round {number}: {count} objects, {kind}")
                with failed.noted(OBJECTS, f"{count} {kind}"):
                    require(needed[1])
                    add_objects(context, number, kind, count)


def require(program):
    if not os.path.exists(program):
        raise Failure(f"{os.path.basename(program)} has not been built")


def checks(results):
    """[(what, Check)]: the lines that measured points are compared with."""
    found = [("memory of the server with connections", model.check(model.of_cases(results, SUITE, SERVER, "connections", "bytes", lambda n, v: n * v))),
             ("memory of active objects", model.check(model.of_cases(results, SUITE, OBJECTS, "active", "bytes", lambda n, v: v)))]
    return [(what, check) for what, check in found if check]


def bars(results):
    rows = []
    for what, check in checks(results):
        rows.append(Row("growth: how far the line through the smaller points is from the greatest", f"{what}, {check.n:,}", check.off, "",
                        ("<=", OFF), f"predicted {check.predicted / 1e6:,.2f} MB, measured {check.measured / 1e6:,.2f} MB"))
    for kind, words in KINDS.items():
        times = [(n, ns) for n, ns in model.of_cases(results, SUITE, OBJECTS, kind, "ns", lambda n, v: v)]
        if len(times) > 1:
            rows.append(Row("growth: a call in one process", f"{words}: {times[-1][0]:,} ÷ {times[0][0]:,}", times[-1][1] / times[0][1], "x", None,
                            f"{times[-1][1]:,.0f} ÷ {times[0][1]:,.0f} ns"))
    return rows
