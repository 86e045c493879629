# SPDX-License-Identifier: Apache-2.0
"""Real time: calls of high priority, one a millisecond, while clients of low priority call as fast as they can.

Cases: lanes (SERVER_DECLARED, two lanes), lanes_bands (CLIENT_PROPAGATED, two lanes and bands), pool (CLIENT_PROPAGATED,
one pool of ten threads), bands (the same pool, and bands). The floor is a pair of threads of the same native priority over a
TCP connection, in turn with the calls, one a millisecond each, and under the same flood. Beside them, each under a flood of its
own: callis without lanes (a thread for each connection, and its pool) and omniORB, whose high client is of SCHED_FIFO, too. Needs
CAP_SYS_NICE.

How long a request of high priority is ready and waits for threads of lower priority is measured in runs of their own, on one
processor, by clocks of both sides (bench/realtime/watch.h): cases .../watched. Three of them must find much: real time off, a lock
on purpose, omniORB.

callis's programs are built and started as docs/guide/real-time.md says of urgent ones: linked statically, as is the floor,
clients with -ORBIdleWatch none."""
import concurrent.futures
import os
import struct
import subprocess
import tempfile

from pairs import run_client, start, terminate
from processes import Failure
from report import Row

SUITE = "realtime"
TITLE = "realtime: latency of high priority under floods of low priority"
NEEDS = ("programs",)
CASES = ("lanes", "lanes_bands", "pool", "bands")
BARRED = ("lanes", "lanes_bands", "bands")
JUDGED, FLOOR, USUAL, POOL, OTHER = "callis-rt", "raw", "callis-interpreted", "callis-pool", "omniorb"
OFF, LOCKED = "callis-rt-off", "callis-rt-locked"  # variants in which priorities are inverted
HOLD_US = 300  # how long each call of low priority works with the lock of LOCKED
WATCHED = ((JUDGED, "lanes"), (JUDGED, "lanes_bands"), (JUDGED, "bands"), (OFF, "lanes"), (LOCKED, "lanes"), (OTHER, "none"))
MOST_INVERTED_US = 20  # about a call
MUCH_US = 100  # a variant with less would say that the measurement sees nothing
LOW, HIGH = 10, 60  # RTCORBA::Priority, as bench/realtime/server.cpp has them
HALF_A_PERIOD = 500  # microseconds
NATIVE_HIGH = HIGH + 1  # by the mapping continuous
OPTIONS = {POOL: ["-ORBServerThreads", "pool"]}


def rounds(context):
    return context.pick(1, 2, 7)


def calls(context):
    return context.pick(50, 1_000, 5_000)


def floods(context):
    return context.pick((2,), (50,), (1, 10, 50))


def placements(context):
    one = max(os.sched_getaffinity(0))
    return {"one-cpu": one} if context.scale == "tiny" else {"one-cpu": one, "free": None}


def estimate(context):
    a_run = calls(context) / 1000 + 1
    servers = len(CASES) + 3
    return len(placements(context)) * len(floods(context)) * rounds(context) * servers * a_run + rounds(context) * len(WATCHED) * a_run + 30


def program(context, name):
    path = os.path.join(context.build, "bin", f"bench_realtime_{name}")
    if not os.path.exists(path):
        raise Failure(f"bench_realtime_{name} has not been built")
    return path


class Served:
    """A server, and clients that flood it until the end."""

    def __init__(self, context, system, case, cpu, environment=None, native=None, watched=False):
        """native: the priority of SCHED_FIFO at which the whole server runs; None: an ordinary process."""
        self.watched = watched
        self.context, self.system, self.case, self.cpu = context, system, case, cpu
        self.prefix = ["chrt", "-f", str(native)] if native else []
        self.environment = {**os.environ, **(environment or {})}
        self.name = "server" if environment is None else "counted_server"  # nothing can be preloaded to a static program

    def command(self):
        if self.watched:
            return self.watched_command()
        if self.system == OTHER:
            return [os.path.join(self.context.build, "bin", "bench_server_omniorb"), "param_test", "--reference", self.file,
                    "-ORBendPoint", "giop:tcp:127.0.0.1:"]
        return [program(self.context, self.name), self.case, "--reference", self.file, "-ORBEndpoint",
                "tcp:127.0.0.1:0", *OPTIONS.get(self.system, [])]

    def watched_command(self):
        words = ["--reference", self.file, "--watch", f"{self.file}.watch"]
        if self.system == OTHER:
            return [program(self.context, "server_omniorb"), *words, "-ORBendPoint", "giop:tcp:127.0.0.1:"]
        more = {OFF: ["-ORBRealTime", "off"], LOCKED: ["--hold", str(HOLD_US)]}.get(self.system, [])
        return [program(self.context, self.name), self.case, *words, *more, "-ORBEndpoint", "tcp:127.0.0.1:0"]

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="callis-bench-")
        self.file = os.path.join(self.folder.name, "reference")
        self.server = start([*self.prefix, *self.command()], self.cpu, self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.flood = None
        if not any(line.startswith("ready") for line in self.server.stdout):
            why = (self.server.stderr.read().strip().splitlines() or ["no word"])[-1]
            self.__exit__()
            raise Failure(f"its server was not ready: {why}")
        return self

    def client(self, role, reference, *options):
        of, more = (OTHER, []) if self.system == OTHER else ("callis", ["-ORBIdleWatch", "none"])
        return [program(self.context, f"client_{of}"), role, "--reference", reference, *map(str, options), *more]

    def reference(self, which):
        return self.file if self.system == OTHER else f"{self.file}.{which}"

    def priority(self, number):
        return ["--priority", number] if self.system in (JUDGED, OFF, LOCKED) else []

    def begin_flood(self, clients):
        # Threads of the usual kind: of SCHED_FIFO they would be stopped by the kernel for a twentieth of the time.
        off = ["-ORBRealTime", "off"] if self.system != OTHER else []
        command = self.client("flood", self.reference("low"), "--clients", clients, *self.priority(LOW), *off)
        self.flood = start(command, self.cpu, os.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        if not any(line.startswith("ready") for line in self.flood.stdout):
            raise Failure("the flood did not begin: " + (self.flood.stderr.read().strip().splitlines() or ["no word"])[-1])

    def high(self, *options):
        command = self.client("high", self.reference("high"), "--native", NATIVE_HIGH, *self.priority(HIGH), *options)
        return run_client(command, self.cpu, os.environ, 300)

    def waits(self, n):
        """What a watched client finds."""
        return self.high("--calls", n, "--watch", f"{self.file}.watch", "--server", self.server.pid, "--flood", self.flood.pid)

    def floor(self, *options):
        return run_client([program(self.context, "raw"), "high", "--native", str(NATIVE_HIGH), *map(str, options)], self.cpu,
                          os.environ, 300)

    def both(self, *options):
        """(the floor, calls of high priority): in turn, half a period apart. A shared machine is quick at one time and slow at
        another, for some tenths of a second: so both have the same times."""
        with concurrent.futures.ThreadPoolExecutor(1) as beside:
            floor = beside.submit(self.floor, *options)
            high = self.high(*options, "--phase", HALF_A_PERIOD)
            return floor.result(), high

    def __exit__(self, *_):
        if self.flood:
            terminate(self.flood)
            self.flood.stdout.close()
            self.flood.stderr.close()
        terminate(self.server)
        for stream in (self.server.stdout, self.server.stderr):
            stream.close()
        self.folder.cleanup()


def add(context, system, case, found, number):
    for (_, metric), value in found.items():
        context.results.add(SUITE, system, case, metric, value, number)


def under_flood(context, place, cpu, clients, number):
    systems = [(JUDGED, case) for case in CASES] + [(s, "none") for s in (USUAL, POOL, OTHER)]
    for system, case in systems:
        if not context.wants(system):
            continue
        name = f"{place}/{case}/low{clients}"
        context.progress(SUITE, f"round {number}: {system} {name}")
        with Served(context, system, case, cpu) as served:
            served.begin_flood(clients)
            floor, high = served.both("--calls", calls(context))
            add(context, FLOOR, name, floor, number)
            add(context, system, name, high, number)


def watched(context, cpu, number):
    """How long requests of high priority wait for threads of lower priority."""
    clients = floods(context)[-1]
    for system, case in WATCHED:
        if not context.wants(system):
            continue
        name = f"one-cpu/{case}/low{clients}/watched"
        context.progress(SUITE, f"round {number}: {system} {name}")
        with Served(context, system, case, cpu, watched=True) as served:
            served.begin_flood(clients)
            found = served.waits(calls(context))
        add(context, system, name, {k: v for k, v in found.items() if k[1].startswith(("inverted", "waited"))}, number)


def counted(context):
    """Allocations, page faults and waits for locks of a server, per call of CLIENT_PROPAGATED in lanes."""
    n = context.pick(500, 5_000, 20_000)
    context.progress(SUITE, "counts")
    with tempfile.TemporaryDirectory(prefix="callis-bench-") as folder:
        counts = os.path.join(folder, "counts")
        environment = {"LD_PRELOAD": os.path.join(context.build, "bench", "bench_counter.so"), "BENCH_COUNT_FILE": counts}

        def look(pid):
            with open(counts, "rb") as f:
                allocations, *_, held = struct.unpack("7Q", f.read(56))
            with open(f"/proc/{pid}/stat", encoding="ascii") as f:
                faults = int(f.read().rsplit(")", 1)[1].split()[7])
            return allocations, faults, held

        with Served(context, JUDGED, "lanes_bands", None, environment) as served:
            short = ("--period", 0, "--calls", n)
            served.high(*short)
            before = look(served.server.pid)
            # One client that goes on: what its connection costs must not count. The difference of two lengths.
            served.high(*short)
            middle = look(served.server.pid)
            served.high("--period", 0, "--calls", 3 * n)
            after = look(served.server.pid)
        for metric, a, b, c in zip(("allocations", "faults", "waits"), before, middle, after):
            context.results.add(SUITE, JUDGED, "counts", metric, max(0, ((c - b) - (b - a)) / (2 * n)))


def lanes_beside_none(context, cpu, number):
    """A call with lanes and one without, one behind the other and no flood. The threads without lanes have the native priority of
    the lane. An ordinary thread is preempted by the client of high priority while it sends the answer, so the client does not wait
    for the end of that system call: what it does behind the answer costs the client nothing, and both are not alike."""
    n = ("--period", 0, "--calls", context.pick(100, 5_000, 20_000))
    with Served(context, JUDGED, "lanes", cpu) as with_lanes, Served(context, USUAL, "none", cpu, native=NATIVE_HIGH) as without, \
            Served(context, POOL, "none", cpu, native=NATIVE_HIGH) as by_pool, Served(context, USUAL, "none", cpu) as ordinary:
        add(context, USUAL, "one-cpu/calls", without.high(*n), number)
        lanes = with_lanes.high(*n)
        add(context, JUDGED, "one-cpu/calls", lanes, number)
        add(context, POOL, "one-cpu/calls", by_pool.high(*n), number)
        add(context, JUDGED, "ordinary/calls", lanes, number)
        add(context, USUAL, "ordinary/calls", ordinary.high(*n), number)


def run(context):
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except PermissionError:
        context.results.missing(SUITE, JUDGED, "SCHED_FIFO is refused: it needs CAP_SYS_NICE, or RLIMIT_RTPRIO")
        return
    try:
        for number in range(rounds(context)):
            for place, cpu in placements(context).items():
                for clients in floods(context):
                    under_flood(context, place, cpu, clients, number)
            lanes_beside_none(context, max(os.sched_getaffinity(0)), number)
            watched(context, max(os.sched_getaffinity(0)), number)
        counted(context)
    except Failure as e:
        context.results.missing(SUITE, JUDGED, str(e))


def ratio_row(results, case, metric, words, limit):
    ratio = results.ratio(SUITE, case, metric, JUDGED, FLOOR)
    section = "realtime: high priority ÷ a raw pair of threads, under the same flood"
    if not ratio:
        return Row(section, f"{words}, {case}", None, "x", limit and ("<=", limit), "not measured")
    mine, floor = (results.median(SUITE, s, case, metric) for s in (JUDGED, FLOOR))
    return Row(section, f"{words}, {case}", ratio[0], "x", limit and ("<=", limit),
               f"{mine:.1f} ÷ {floor:.1f} us, {ratio[1]:.2f} to {ratio[2]:.2f}")


def beside(results, system, case):
    ratio = results.ratio(SUITE, case, "p99_us", system, FLOOR)
    if ratio:
        p50, p99 = (results.median(SUITE, system, case, m) for m in ("p50_us", "p99_us"))
        yield Row("realtime: the same without lanes", f"p99, {system} {case}", ratio[0], "x", None,
                  f"{p50:.1f} us p50, {p99:.1f} us p99")


def watched_rows(results, case):
    """The judged system may hardly wait; a variant must wait long, or the measurement is none."""
    section = "realtime: how long a ready request of high priority waits for threads of lower priority, p99"
    for system in (JUDGED, OFF, LOCKED, OTHER):
        p50, p99, most, all_p99 = (results.median(SUITE, system, case, m) for m in
                                   ("inverted_p50_us", "inverted_p99_us", "inverted_greatest_us", "waited_p99_us"))
        if p99 is not None:
            bar = ("<=", MOST_INVERTED_US) if system == JUDGED else (">=", MUCH_US)
            yield Row(section, f"{system} {case}", p99, "us", bar,
                      f"p50 {p50:.1f}, greatest {most:.0f}; with time in which nobody of the measurement ran: p99 {all_p99:.0f}")


def bars(results):
    rows = []
    for case in results.cases(SUITE):
        if case == "counts" or case.endswith("/calls"):
            continue
        if case.endswith("/watched"):
            rows += watched_rows(results, case)
            continue
        kind = case.split("/")[1]
        most = case.endswith("low50")
        if kind == "none":
            rows += [row for s in (USUAL, POOL, OTHER) for row in beside(results, s, case)]
            continue
        barred = kind in BARRED and most
        rows.append(ratio_row(results, case, "p50_us", "p50", 1.15 if barred else None))
        rows.append(ratio_row(results, case, "p99_us", "p99", 1.3 if barred else None))
        rows.append(ratio_row(results, case, "p999_us", "p99.9", 1.3 if barred else None))
    for system, words in ((USUAL, "p50"), (POOL, "p50, by the pool")):
        ratio = results.ratio(SUITE, "one-cpu/calls", "p50_us", JUDGED, system)
        rows.append(Row("realtime: a call with lanes ÷ one without", words, ratio and ratio[0], "x", ("<=", 1.02)))
    ratio = results.ratio(SUITE, "ordinary/calls", "p50_us", JUDGED, USUAL)
    rows.append(Row("realtime: a call with lanes ÷ one without", "p50, by an ordinary thread", ratio and ratio[0], "x", None))
    for metric, words in (("allocations", "heap allocations"), ("faults", "page faults"), ("waits", "waits for locks")):
        rows.append(Row("realtime: of a call of CLIENT_PROPAGATED in lanes, by the server", words,
                        results.median(SUITE, JUDGED, "counts", metric), "", ("<=", 0)))
    return rows
