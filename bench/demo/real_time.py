# SPDX-License-Identifier: Apache-2.0
"""The demo's section on real time: a client of high priority, a call a millisecond, alone and while clients of low priority
flood the same server; with lanes and without, and two threads over bare sockets for comparison. As bench/suites/realtime.py
measures it, in a few seconds."""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, folder) for folder in ("../common", "../suites")]
import realtime  # noqa: E402
from processes import Failure  # noqa: E402
from report import say, table  # noqa: E402
from realtime import FLOOR, JUDGED, OFF, SUITE, USUAL  # noqa: E402

CLIENTS, CALLS, ROUNDS = 50, 500, 3
SECONDS = 12  # that measure() takes
# (title, system, case)
ROWS = [("lanes, no flood", JUDGED, "alone"), ("lanes, flood", JUDGED, "flood"), ("no lanes, flood", USUAL, "flood"),
        ("bare sockets, flood", FLOOR, "flood")]


def refused(set_scheduler=os.sched_setscheduler):
    """Why the process cannot measure this; None where it can."""
    policy, priority = os.sched_getscheduler(0), os.sched_getparam(0)
    try:
        set_scheduler(0, os.SCHED_FIFO, os.sched_param(realtime.NATIVE_HIGH))
    except PermissionError:
        return (f"SCHED_FIFO is refused. It needs root, CAP_SYS_NICE (of a container: --cap-add=SYS_NICE), or ulimit -r "
                f"{realtime.NATIVE_HIGH}.")
    os.sched_setscheduler(0, policy, priority)
    return None


def measure(context, clients=CLIENTS, calls=CALLS, rounds=ROUNDS):
    """Puts p50 and p99 into the results, or why there are none."""
    why = refused()
    if why:
        context.results.missing(SUITE, JUDGED, why)
        return
    try:
        _measure(context, clients, ("--calls", calls), rounds)
    except Failure as e:
        context.results.missing(SUITE, JUDGED, str(e))


def _measure(context, clients, calls, rounds):
    for name in ("server", "client_callis", "raw"):
        realtime.program(context, name)
    cpu = max(os.sched_getaffinity(0))
    with realtime.Served(context, JUDGED, "lanes", cpu) as lanes:
        realtime.add(context, JUDGED, "alone", lanes.high(*calls), 0)
        lanes.begin_flood(clients)
        for n in range(rounds):
            floor, high = lanes.both(*calls)
            realtime.add(context, FLOOR, "flood", floor, n)
            realtime.add(context, JUDGED, "flood", high, n)
    for system in (JUDGED, OFF):
        with realtime.Served(context, system, "lanes", cpu, watched=True) as watched:
            watched.begin_flood(clients)
            context.results.add(SUITE, system, "watched", "inverted_p99_us", watched.waits(calls[1])["pulse", "inverted_p99_us"])
    with realtime.Served(context, USUAL, "none", cpu) as none:
        none.begin_flood(clients)
        for n in range(rounds):
            realtime.add(context, USUAL, "flood", none.high(*calls), n)


def rows(results):
    return [[title, *(f"{results.median(SUITE, system, case, metric):.1f}" for metric in ("p50_us", "p99_us"))]
            for title, system, case in ROWS]


def words(results):
    """The sentence below the table."""
    lanes, without = (results.ratio(SUITE, "flood", "p99_us", system, FLOOR)[0] for system in (JUDGED, USUAL))
    on, off = (results.median(SUITE, system, "watched", "inverted_p99_us") for system in (JUDGED, OFF))
    return ("All on one CPU, which sleeps between the calls where there is no flood. Under the flood the p99 is, with\n"
            f"lanes, {lanes:.1f} times that of two threads over bare sockets, without lanes {without:.1f} times.\n"
            f"A request of high priority that is ready waits for threads of low priority {on:.0f} us (p99) with lanes,\n"
            f"with lanes and -ORBRealTime off {off:.0f} us.")


def show(results):
    say(f"\nReal time, microseconds a call: high priority, a call a millisecond; the flood: {CLIENTS} clients of low priority\n")
    why = results.absent.get((SUITE, JUDGED))
    if why:
        say(f"  not measured: {why}")
        return
    table(["", "p50", "p99"], rows(results), notes=False)
    say("\n" + words(results))
