# SPDX-License-Identifier: Apache-2.0
"""Durable changes of a service: what 16 threads commit to a store in a file, one small change each, against what SQLite itself
commits when one thread writes as many changes in a transaction as the store had in its groups. Both wait for one fsync a
group. In short turns, so that both have seen the same disk.

Case: durable-bind, with the metric calls_per_s.
"""
import os
import shutil
import subprocess
import tempfile

from report import Row

SUITE = "services"
CASE = "durable-bind"
JUDGED, OTHER = "callis-interpreted", "sqlite"
BAR = 0.8
THREADS = 16


def seconds(context):
    return context.pick(0.3, 0.5, 1)


def rounds(context):
    return context.pick(1, 9, 21)


def estimate(context):
    return rounds(context) * 2 * seconds(context)


def measure(context, *arguments):
    """The program's numbers, of a new file on the disk that has the build: a file system in memory has no fsync."""
    folder = tempfile.mkdtemp(prefix="callis-store-", dir=context.build)
    try:
        program = os.path.join(context.build, "bin", "bench_store_commits")
        out = subprocess.run([program, os.path.join(folder, "store.db"), str(seconds(context)), *map(str, arguments)],
                             check=True, capture_output=True, text=True, timeout=120)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return [float(word) for word in out.stdout.split()]


def run(context):
    if not os.path.exists(os.path.join(context.build, "bin", "bench_store_commits")):
        context.results.missing(SUITE, f"{JUDGED} {CASE}", "bench_store_commits has not been built: no SQLite here")
        return
    for n in range(rounds(context)):
        context.progress(SUITE, f"round {n}: durable changes")
        a_second, a_group = measure(context, "store", THREADS)
        context.results.add(SUITE, JUDGED, CASE, "calls_per_s", a_second, n)
        a_second, _ = measure(context, "sqlite", max(1, round(a_group)))
        context.results.add(SUITE, OTHER, CASE, "calls_per_s", a_second, n)


def bars(results):
    if CASE not in results.cases(SUITE):
        return []
    ratio = results.ratio(SUITE, CASE, "calls_per_s", JUDGED, OTHER)
    if not ratio:
        return [Row("services: durable changes, store ÷ SQLite itself with the same grouping", CASE, None, "", (">=", BAR), "not measured")]
    mine, its = (results.median(SUITE, s, CASE, "calls_per_s") for s in (JUDGED, OTHER))
    return [Row("services: durable changes, store ÷ SQLite itself with the same grouping", CASE, ratio[0], "", (">=", BAR),
                f"{mine:,.0f} ÷ {its:,.0f} a second; {ratio[1]:.2f} to {ratio[2]:.2f}")]
