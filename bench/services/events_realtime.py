# SPDX-License-Identifier: Apache-2.0
"""Measurements of the real-time channels of `callis events`, for the suite of the services.

    PYTHONPATH=bench/common python3 bench/services/events_realtime.py --build FOLDER [--quick]      prints what it measures

One supplier pushes events of 100 bytes to a consumer of priority 80, one at a time: from push() to the consumer. Then so again, while eight
consumers of priority 0, in another lane, take 1 ms for each event. And events a second to one consumer, 200 of which are under way, beside the
plain channel of the same process.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

from events import BYTES, WINDOW, Channel, free_port, load
from report import Row

SUITE, OURS = "services", "callis-interpreted"
FLOOD = 8
BARS = {"flood_ratio": 1.5, "rate_ratio": 0.7}


def peer(programs, reference, seconds, window, priority=0, flood=0):
    """{"events_per_s": n, "p50_us": n, "p99_us": n}"""
    command = [programs / "callis_rtevents_peer", "measure", reference, 1, seconds, BYTES, window, priority, flood]
    out = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return {name: float(value) for name, value in zip(out[::2], out[1::2])}


def wait_for(programs, reference):
    """Until the channel answers: its port does so earlier."""
    command = list(map(str, [programs / "callis_rtevents_peer", "push", reference, 1, 20, 0, 0]))
    begin = time.monotonic()
    while subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode != 0:
        if time.monotonic() - begin > 60:
            raise RuntimeError(f"{reference} did not start")
        time.sleep(0.02)


def measure(build, rounds, seconds, progress=print):
    """{"alone": [p50 us, of each round], "flooded": [...], "rate": [a second ...], "plain": [...]}"""
    programs = pathlib.Path(build) / "bin"
    found = {"alone": [], "flooded": [], "rate": [], "plain": []}
    port = free_port()
    channel = Channel([str(programs / "callis-events"), "--channel", "one", "--rt-channel", "rt", "--rt-lanes", "80:2,0:2",
                       "-ORBEndpoint", f"tcp:127.0.0.1:{port}"], port)
    reference = f"corbaloc::127.0.0.1:{port}/rt"
    try:
        wait_for(programs, reference)
        for number in range(rounds):
            found["alone"].append(peer(programs, reference, seconds, 1, 80)["p50_us"])
            found["flooded"].append(peer(programs, reference, seconds, 1, 80, FLOOD)["p50_us"])
            found["rate"].append(peer(programs, reference, seconds, WINDOW)["events_per_s"])
            found["plain"].append(load(programs, channel, 1, seconds)[0])
            progress(f"round {number}: " + ", ".join(f"{name} {values[-1]:.1f}" for name, values in found.items()))
    finally:
        channel.end()
    return found


def estimate(context):
    return context.pick(4, 6, 45)


def run(context):
    for program in ("callis-events", "callis_events_peer", "callis_rtevents_peer"):
        if not os.path.exists(os.path.join(context.build, "bin", program)):
            context.results.missing(SUITE, f"{OURS} rt-events", f"{program} has not been built")
            return
    found = measure(context.build, context.pick(1, 1, 5), context.pick(1, 1, 2), lambda text: context.progress(SUITE, text))
    for name, quantity in (("alone", "p50_us"), ("flooded", "p50_us"), ("rate", "calls_per_s"), ("plain", "calls_per_s")):
        for number, value in enumerate(found[name]):
            context.results.add(SUITE, OURS, f"rt-events-{name}", quantity, value, number)


def bars(results):
    if "rt-events-alone" not in results.cases(SUITE):
        return []

    def of(name, quantity):
        return results.median(SUITE, OURS, f"rt-events-{name}", quantity)
    alone, flooded = of("alone", "p50_us"), of("flooded", "p50_us")
    rate, plain = of("rate", "calls_per_s"), of("plain", "calls_per_s")
    return [Row("services: a real-time event's time while lower priorities are flooded ÷ alone", "rt-events-flooded", flooded / alone, "",
                ("<=", BARS["flood_ratio"]), f"{flooded:.0f} us ÷ {alone:.0f} us"),
            Row("services: real-time events a second ÷ those of the plain channel", "rt-events-rate", rate / plain, "",
                (">=", BARS["rate_ratio"]), f"{rate:,.0f} ÷ {plain:,.0f}")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    found = measure(options.build, 1 if options.quick else 5, 1 if options.quick else 2)
    ratios = {"flooded ÷ alone": ("flooded", "alone"), "real-time ÷ plain": ("rate", "plain")}
    for what, (ours, other) in ratios.items():
        print(f"{what}: {statistics.median(found[ours]) / statistics.median(found[other]):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
