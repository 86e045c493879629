# SPDX-License-Identifier: Apache-2.0
"""ttcp: one-way floods of six types in buffers of 1 KB to 1 MB, in three placements, with three sizes of socket queues,
and with one-way calls that are held back and sent together."""
import os
from dataclasses import dataclass

import pairs
from report import Row

SUITE = "ttcp"
TITLE = "ttcp: throughput of one-way floods by type, size of buffer and socket queue"
NEEDS = ("programs", "peers")
TYPES = ("short", "char", "long", "octet", "double", "BinStruct")
SMALL = ("1K", "2K", "4K", "8K")
LARGE = ("16K", "32K", "64K", "128K", "256K", "1M")
JUDGED, FLOOR, BATCH = "callis-interpreted", "raw", "ice-batch"
# Those that the bars are about stand next to each other and have more rounds than the others.
SYSTEMS = (JUDGED, FLOOR, "callis-compiled", "callis-shared", "ace", "rpc", "opt-rpc", "omniorb", "jacorb", "ice", BATCH, "grpc",
           "capnp", "callis-dii", "omniorb-dii", "jacorb-dii")
SLOW = ("omniorb-dii", "jacorb-dii")  # a minute and more, and no bar is about them: a quick run has one size
HOLD_BACK = (JUDGED, BATCH, "callis-compiled", "rpc", "opt-rpc")
QUEUES = {"queue8K": 8 << 10, "queue64K": 64 << 10}


@dataclass
class Part:
    """A piece of the matrix: a process pair a system and round. rounds: (of what the bars are about, of the others)"""
    place: str
    rounds: tuple
    types: tuple = TYPES
    sizes: tuple = SMALL + LARGE
    queue: str = ""
    buffered: bool = False
    share: int = 1  # of the megabytes that a point has elsewhere, one in so many
    without: tuple = ()  # systems

    @property
    def behind(self):
        return (f"/{self.queue}" if self.queue else "") + ("/buffered" if self.buffered else "")

    @property
    def name(self):
        return self.place + self.behind + (f", {self.types[0]}" if len(self.types) == 1 else "")

    def systems(self, present):
        """ice-batch holds calls back without being told, so its cases do not say so."""
        return [s for s in present if s not in self.without and (not self.buffered or s in HOLD_BACK)]

    def rounds_of(self, system):
        if self.buffered and system == BATCH:
            return self.rounds[0]
        return self.rounds[system not in (JUDGED, FLOOR)]


def parts(scale):
    if scale == "tiny":
        return [Part("one-cpu", (1, 1), ("octet", "BinStruct"), ("1K", "64K")),
                Part("two-cpu", (1, 1), ("octet",), ("8K",), "queue8K")]
    few = ("1K", "8K", "64K", "128K", "1M")
    two_types = ("octet", "BinStruct")
    if scale == "quick":
        quick = [Part("one-cpu", (9, 1)), Part("one-cpu", (5, 1), sizes=SMALL, buffered=True),
                 Part("two-cpu", (1, 1), sizes=few), Part("free", (1, 1), sizes=few),
                 Part("two-cpu", (1, 1), two_types, ("8K", "128K"), "queue8K"),
                 Part("two-cpu", (1, 1), two_types, ("8K", "128K"), "queue64K")]
        for part in quick:
            part.without = SLOW
        others = tuple(s for s in SYSTEMS if s not in SLOW)
        return quick + [Part("one-cpu", (1, 1), (kind,), ("64K",), without=others) for kind in TYPES]
    return [Part("one-cpu", (9, 2)), Part("one-cpu", (9, 2), sizes=SMALL, buffered=True), Part("two-cpu", (3, 1)),
            Part("free", (3, 1)), Part("two-cpu", (1, 1), two_types, few[:4], "queue8K", share=4),
            Part("two-cpu", (1, 1), two_types, few[:4], "queue64K")]


def megabytes(context, part):
    return max(1, (context.megabytes or context.pick(1, 8, 64)) // part.share)


def estimate(context):
    seconds = 0
    for part in parts(context.scale):
        a_run = len(part.types) * len(part.sizes) * megabytes(context, part) * 0.004
        for system in part.systems(pairs.here(context, SYSTEMS)):
            seconds += part.rounds_of(system) * (0.4 + a_run * (0.25 if system in (JUDGED, FLOOR, BATCH) else 1))
    return seconds


def environment(context, part):
    """For both processes: a library that gives every TCP socket queues of the size."""
    if not part.queue:
        return {}
    return {"LD_PRELOAD": os.path.join(context.build, "bench", "bench_queues.so"),
            "BENCH_QUEUE_BYTES": str(QUEUES[part.queue])}


def measure(context, part, system):
    options = ["--megabytes", megabytes(context, part), "--types", ",".join(part.types), "--sizes", ",".join(part.sizes)]
    if part.buffered and system != BATCH:
        options.append("--buffered")
    cpus = context.placements()[part.place]
    with pairs.Pair(context, system, SUITE, cpus, environment(context, part)) as pair:
        return pair.run(*options, seconds=context.pick(60, 90, 600))


def run(context):
    present = pairs.present(context, SUITE, SYSTEMS)
    failed = pairs.Failed(context, SUITE)
    for n in range(max(max(part.rounds) for part in parts(context.scale))):
        for part in parts(context.scale):
            for system in part.systems(present):
                if n >= part.rounds_of(system) or failed.has(system, part.name):
                    continue
                context.progress(SUITE, f"round {n}: {system} {part.name}")
                with failed.noted(system, part.name):
                    behind = part.behind.removesuffix("/buffered") if system == BATCH else part.behind
                    pairs.add(context, SUITE, system, part.place, n, measure(context, part, system), behind)


def note(results, case, other, ratio, beside):
    mine, its = (results.median(SUITE, s, c, "gbit_s") for s, c in ((JUDGED, case), (other, case.removesuffix("/buffered"))))
    rest = [(s, results.ratio(SUITE, case, "gbit_s", s, other, case.removesuffix("/buffered"))) for s in beside]
    text = f"{mine:.2f} ÷ {its:.2f} Gbit/s, {ratio[1]:.2f} to {ratio[2]:.2f}"
    return text + "".join(f", {s.removeprefix('callis-')} {r[0]:.2f}" for s, r in rest if r)


def row(results, section, case, other, limit, beside):
    ratio = results.ratio(SUITE, case, "gbit_s", JUDGED, other, case.removesuffix("/buffered"))
    return Row(section, case, ratio[0] if ratio else None, "x", (">=", limit),
               note(results, case, other, ratio, beside) if ratio else "not measured")


def bars(results):
    cases = results.cases(SUITE)
    if not cases:
        return []
    measured = lambda sizes: [f"one-cpu/{t}/{s}" for s in sizes for t in TYPES if f"one-cpu/{t}/{s}" in cases]
    beside = [s for s in SYSTEMS if s not in (JUDGED, FLOOR)]
    rows = [row(results, "ttcp, one CPU, buffers of 16 KB and more: callis ÷ C sockets", case, FLOOR, 0.95, beside)
            for case in measured(LARGE)]
    rows += [row(results, "ttcp, one CPU, buffers of 1 to 8 KB, one send a call: callis ÷ C sockets", case, FLOOR, 0.95,
                 beside) for case in measured(SMALL)]
    if any(case.endswith("/buffered") for case in cases) or "buffered" in results.absent.get((SUITE, JUDGED), ""):
        rows += [row(results, "ttcp, one CPU, buffers of 1 to 8 KB, one-ways held back: callis ÷ Ice's batches",
                     f"{case}/buffered", BATCH, 1.0, [s for s in HOLD_BACK if s not in (JUDGED, BATCH)])
                 for case in measured(SMALL)]
    return rows
