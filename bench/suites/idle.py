# SPDX-License-Identifier: Apache-2.0
"""Idleness: wake-ups a second and processor time of clients, servers and services that have nothing to do; omniORB's beside.

Cases: client, server (after a call, connected), service/NAME, service/NAME-store. A battery feels each wake-up, so the bar is 0."""
import os
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "idle"))
import idle_processes  # noqa: E402
import idleness  # noqa: E402
from report import Row  # noqa: E402

SUITE = "idle"
TITLE = "idle: wake-ups and processor time of processes that have nothing to do"
NEEDS = ("programs",)
SECTION = "idle: wake-ups a second"
SETTLED_SECONDS = 3  # what a call or a start leaves to do has been done
OURS = "callis-interpreted"
SYSTEMS = {"callis": OURS, "callis-pool": "callis-pool", "omniorb": "omniorb", "omninames": "omninames", "omnievents": "omnievents"}


def seconds(context):
    return context.pick(2, 10, 60)


def estimate(context):
    return seconds(context) + SETTLED_SECONDS + 4


def named(process):
    """(system, case) of a process's name in idle_processes."""
    kind, name = process.split(" ")
    if kind == "service":
        return (SYSTEMS[name], "service") if name in SYSTEMS else (OURS, f"service/{name}")
    return SYSTEMS[name], kind


def run(context):
    context.progress(SUITE, "everybody waits")
    with idle_processes.Idle(context) as idle:
        time.sleep(SETTLED_SECONDS)
        found = idleness.watch(idle.pids, seconds(context))
        for name, why in idle.missing.items():
            context.results.missing(SUITE, SYSTEMS.get(name, name), why)
    for name, idle in found.items():
        system, case = named(name)
        context.results.add(SUITE, system, case, "wakeups_per_s", idle.per_second)
        context.results.add(SUITE, system, case, "cpu_us_per_s", idle.cpu_ns / 1e3 / idle.seconds)
        context.progress(SUITE, f"{name}: {idle.wakeups} wake-ups: {idle.words()}")


def bars(results):
    rows = []
    for case in results.cases(SUITE):
        for system in results.systems(SUITE):
            count = results.median(SUITE, system, case, "wakeups_per_s")
            if count is not None:
                cpu = results.median(SUITE, system, case, "cpu_us_per_s")
                rows.append(Row(SECTION, f"{case}, {system}", count, "1/s", ("<=", 0) if system.startswith("callis") else None,
                                f"{cpu:.1f} us of processor a second"))
    return rows
