# SPDX-License-Identifier: Apache-2.0
"""Measurements of `callis events` beside omniEvents, for the suite of the services: the same suppliers and consumers with both.

    PYTHONPATH=bench/common python3 bench/services/events.py --build FOLDER [--quick]      prints what it measures

One supplier pushes events of 100 bytes, at most 200 of which are under way, to 1, 10 and 100 consumers of one process. omniEvents passes
events on after a pause of 1 ns (its CyclePeriod_ns), the least it takes. Rounds take turns. Latency is from push() until the consumer's
servant has the event, one event at a time; beside it stands the same push() made to a consumer of another process by a two-way call,
without a channel. Both are measured twice: where the system puts the processes (p50 of events differed there by a factor of 3 from
round to round), and with all processes on one processor (`one`). The bar holds for both.
"""
import argparse
import contextlib
import os
import pathlib
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from report import Row

SUITE = "services"
OURS, THEIRS = "callis-interpreted", "omnievents"
CONSUMERS = (1, 10, 100)
BYTES, WINDOW = 100, 200
ENDS = {"free": "", "one": "-one"}  # of the cases
BARS = {"events_ratio": 2.0, "stopped_ratio": 0.95, "latency_ratio": 2.2, "idle_mib": 8.0}


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Channel:
    """A service with a channel "one", from its start until its port answers."""

    def __init__(self, command, port, make=()):
        self.reference = f"corbaloc::127.0.0.1:{port}/one"
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        begin = time.monotonic()
        while True:
            if self.process.poll() is not None or time.monotonic() - begin > 60:
                raise RuntimeError(f"{command[0]} did not start")
            try:
                socket.create_connection(("127.0.0.1", port), timeout=60).close()
                break
            except OSError:
                time.sleep(0.002)
        if make:
            subprocess.run(make, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    @contextlib.contextmanager
    def stopped(self):
        """As long as another is measured: omniEvents keeps a fifth of a processor busy when it has nothing to do."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def mib(self):
        lines = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii").splitlines()
        return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


def keep_on(pid, processors):
    """All threads of the process; those that it makes later stay where their maker is."""
    for thread in os.listdir(f"/proc/{pid}/task"):
        os.sched_setaffinity(int(thread), processors)


def run_peer(command, processors=None):
    """The words that it prints."""
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True,
                          preexec_fn=processors and (lambda: os.sched_setaffinity(0, processors)))
    return done.stdout.split()


def load(programs, channel, consumers, seconds, window=WINDOW, stopped=False, processors=None):
    """(events a second, by the slowest consumer; p50 of a window in microseconds)."""
    command = [str(programs / "callis_events_peer"), channel.reference, str(consumers), str(seconds), str(BYTES), str(window)]
    out = run_peer(command + ["stopped"] * stopped, processors)
    if out[5] != "0":
        raise RuntimeError(f"{out[5]} events were lost")
    return float(out[1]), float(out[3])


@contextlib.contextmanager
def alone(channel, channels):
    with contextlib.ExitStack() as others:
        for other in channels.values():
            if other is not channel:
                others.enter_context(other.stopped())
        yield


class Consumer:
    """A process that is pushed to without a channel."""

    def __init__(self, programs):
        self.program = str(programs / "callis_events_peer")
        self.process = subprocess.Popen([self.program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.reference = self.process.stdout.readline().strip()

    def p50_us(self, seconds, processors):
        return float(run_peer([self.program, self.reference, "direct", str(seconds), str(BYTES)], processors)[1])

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def measure(build, rounds, seconds, progress=print):
    """{"events": {(system, consumers): [a second, of each round]}, "stopped": [...], "latency_us": {(system, placement): [...]},
    "call_us": {placement: [...]}, "idle_mib": n}"""
    programs = pathlib.Path(build) / "bin"
    found = {"events": {}, "stopped": [], "latency_us": {}, "call_us": {}}
    everywhere = os.sched_getaffinity(0)
    placements = {"one": {min(everywhere)}, "free": everywhere}  # free last: the other measurements are
    consumer = Consumer(programs)
    with tempfile.TemporaryDirectory(prefix="callis-events-") as folder:
        port = free_port()
        channels = {"callis": Channel([str(programs / "callis-events"), "--channel", "one", "-ORBEndpoint", f"tcp:127.0.0.1:{port}"], port)}
        try:
            found["idle_mib"] = channels["callis"].mib()
            progress(f"idle: {found['idle_mib']:.1f} MiB")
            if shutil.which("omniEvents"):
                port = free_port()
                channels["omnievents"] = Channel(
                    ["omniEvents", "-f", "-p", str(port), "-l", folder, "-t", f"{folder}/log"], port,
                    ["eventc", "-i", "one", "-c", "1", "-q", "2000", "-p", "500", f"corbaloc::127.0.0.1:{port}/omniEvents"])
            for number in range(rounds):
                for consumers in CONSUMERS:
                    for system, channel in channels.items():
                        with alone(channel, channels):
                            rate, _ = load(programs, channel, consumers, seconds)
                        found["events"].setdefault((system, consumers), []).append(rate)
                        progress(f"round {number}: {system}, {consumers} consumers: {rate:.0f} events/s")
                        if (system, consumers) != ("callis", 10):
                            continue
                        with alone(channel, channels):  # next to what it is compared with
                            rate, _ = load(programs, channel, consumers, seconds, stopped=True)
                        found["stopped"].append(rate)
                        progress(f"round {number}: callis, 10 consumers and one that is stopped: {rate:.0f} events/s")
                for placement, processors in placements.items():
                    keep_on(consumer.process.pid, processors)
                    with alone(None, channels):
                        p50 = consumer.p50_us(seconds, processors)
                    found["call_us"].setdefault(placement, []).append(p50)
                    progress(f"round {number}, {placement}: p50 of a two-way call {p50:.1f} us")
                    for system, channel in channels.items():
                        keep_on(channel.process.pid, processors)
                        with alone(channel, channels):
                            _, p50 = load(programs, channel, 1, seconds, window=1, processors=processors)
                        found["latency_us"].setdefault((system, placement), []).append(p50)
                        progress(f"round {number}, {placement}: {system}: p50 from push() to the consumer {p50:.1f} us")
        finally:
            consumer.end()
            for channel in channels.values():
                channel.end()
    return found


def ratio(ours, theirs):
    """Median over the rounds; None without the other."""
    ratios = [a / b for a, b in zip(ours, theirs)]
    return statistics.median(ratios) if ratios else None


def estimate(context):
    return context.pick(14, 25, 170)


def run(context):
    for program in ("callis-events", "callis_events_peer"):
        if not os.path.exists(os.path.join(context.build, "bin", program)):
            context.results.missing(SUITE, f"{OURS} events", f"{program} has not been built")
            return
    found = measure(context.build, context.pick(1, 1, 5), context.pick(1, 1, 3), lambda text: context.progress(SUITE, text))
    add = context.results.add
    for (system, consumers), rates in found["events"].items():
        for number, rate in enumerate(rates):
            add(SUITE, OURS if system == "callis" else THEIRS, f"events-{consumers}", "calls_per_s", rate, number)
    for number, rate in enumerate(found["stopped"]):
        add(SUITE, OURS, "events-stopped", "calls_per_s", rate, number)
    for (system, placement), times in found["latency_us"].items():
        for number, microseconds in enumerate(times):
            add(SUITE, OURS if system == "callis" else THEIRS, f"events-latency{ENDS[placement]}", "p50_us", microseconds, number)
    for placement, times in found["call_us"].items():
        for number, microseconds in enumerate(times):
            add(SUITE, OURS, f"events-call{ENDS[placement]}", "p50_us", microseconds, number)
    add(SUITE, OURS, "events-idle", "bytes", found["idle_mib"] * 2**20)


def bars(results):
    cases = results.cases(SUITE)
    if "events-idle" not in cases:
        return []

    def rate(system, case):
        return results.median(SUITE, system, case, "calls_per_s")
    rows = []
    for consumers in CONSUMERS:
        case = f"events-{consumers}"
        theirs = rate(THEIRS, case) if THEIRS in results.systems(SUITE) else None
        if theirs:
            rows.append(Row(f"services: events a second to {consumers} consumers ÷ omniEvents", case, rate(OURS, case) / theirs, "",
                            (">=", BARS["events_ratio"]), f"{rate(OURS, case):,.0f} ÷ {theirs:,.0f}"))
    rows.append(Row("services: events a second with one consumer stopped ÷ without", "events-stopped",
                    rate(OURS, "events-stopped") / rate(OURS, "events-10"), "", (">=", BARS["stopped_ratio"]), ""))
    for end, title in (("", "time from push() to the consumer ÷ a two-way call's"),
                       ("-one", "the same with all processes on one processor")):
        latency, call = (results.median(SUITE, OURS, case + end, "p50_us") for case in ("events-latency", "events-call"))
        rows.append(Row(f"services: {title}", f"events-latency{end}", latency / call, "", ("<=", BARS["latency_ratio"]),
                        f"{latency:.1f} ÷ {call:.1f} us"))
    rows.append(Row("services: memory of an idle callis events", "events-idle",
                    results.median(SUITE, OURS, "events-idle", "bytes") / 2**20, "MiB", ("<=", BARS["idle_mib"]), ""))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    found = measure(options.build, 1 if options.quick else 5, 1 if options.quick else 3)
    events = found["events"]
    for consumers in CONSUMERS:
        of = ratio(events[("callis", consumers)], events.get(("omnievents", consumers), ()))
        print(f"{consumers} consumers: callis / omniEvents {'(not here)' if of is None else f'{of:.2f}'} (bar {BARS['events_ratio']})")
    print(f"with one consumer stopped: {ratio(found['stopped'], events[('callis', 10)]):.2f} (bar {BARS['stopped_ratio']})")
    for placement, calls in found["call_us"].items():
        print(f"p50 from push() to the consumer / a two-way call, {placement}: {ratio(found['latency_us'][('callis', placement)], calls):.2f}"
              f" (bar {BARS['latency_ratio']})")
    print(f"idle {found['idle_mib']:.1f} MiB (bar {BARS['idle_mib']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
