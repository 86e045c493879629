# SPDX-License-Identifier: Apache-2.0
"""Flows of Audio/Video Streams beside plain sockets, from one thread to another over loopback, in short turns; and what setting a
stream up costs. Over UDP a window keeps both from losing datagrams. RTP is judged beside plain UDP.

    streams.py --build FOLDER [--quick]      prints what it measures
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys

from report import Row

SUITE = "services"
OURS, THEIRS = "callis-interpreted", "raw"
CARRIERS = {"tcp": (65536, "TCP"), "udp": (8192, "UDP"), "rtp": (8192, "RTP/UDP")}  # bytes of a frame
PEER = "callis_streams_peer"
BARS = {"ratio": 0.98, "calls": 10}


def peer(programs, *words):
    out = subprocess.run([str(programs / PEER), *map(str, words)], check=True, capture_output=True, text=True, timeout=120)
    return [float(word) for word in out.stdout.split()]


def measure(build, rounds, seconds, progress=print):
    """{"flows": {carrier: [(flow's, sockets' bytes a second), of each round]}, "calls": n, "setups": a second}"""
    programs = pathlib.Path(build) / "bin"
    found = {"flows": {carrier: [] for carrier in CARRIERS}}
    for number in range(rounds):
        for carrier, (size, name) in CARRIERS.items():
            order = ("flow", "raw") if number % 2 else ("raw", "flow")
            rates = {how: peer(programs, how, carrier, size, seconds)[0] for how in order}
            found["flows"][carrier].append((rates["flow"], rates["raw"]))
            progress(f"round {number}: {name}: {rates['flow'] / 1e6:,.0f} ÷ {rates['raw'] / 1e6:,.0f} MB/s = "
                     f"{rates['flow'] / rates['raw']:.3f}")
    found["calls"], found["setups"] = peer(programs, "setup", 20 if rounds == 1 else 500)
    progress(f"set-up: {found['calls']:.0f} calls, {found['setups']:,.0f} streams a second")
    return found


def estimate(context):
    return context.pick(2, 8, 60)


def run(context):
    if not os.path.exists(os.path.join(context.build, "bin", PEER)):
        context.results.missing(SUITE, f"{OURS} flows", f"{PEER} has not been built")
        return
    found = measure(context.build, context.pick(1, 3, 15), context.pick(0.1, 0.3, 0.5), lambda text: context.progress(SUITE, text))
    add = context.results.add
    for carrier, pairs in found["flows"].items():
        for number, (flow, raw) in enumerate(pairs):
            add(SUITE, OURS, f"flow-{carrier}", "gbit_s", flow * 8e-9, number)
            add(SUITE, THEIRS, f"flow-{carrier}", "gbit_s", raw * 8e-9, number)
    add(SUITE, OURS, "stream-setup", "calls", found["calls"])
    add(SUITE, OURS, "stream-setup", "calls_per_s", found["setups"])


def bars(results):
    if "stream-setup" not in results.cases(SUITE):
        return []
    rows = []
    for carrier, (size, name) in CARRIERS.items():
        case = f"flow-{carrier}"
        ratio = results.ratio(SUITE, case, "gbit_s", OURS, THEIRS)
        if ratio:
            mine, its = (results.median(SUITE, system, case, "gbit_s") for system in (OURS, THEIRS))
            rows.append(Row(f"services: throughput of a flow over {name} ÷ sockets", case, ratio[0], "", (">=", BARS["ratio"]),
                            f"frames of {size}: {mine:.1f} ÷ {its:.1f} Gbit/s; {ratio[1]:.2f} to {ratio[2]:.2f}"))
    calls = results.median(SUITE, OURS, "stream-setup", "calls")
    rows.append(Row("services: calls that set a stream up", "stream-setup", calls, "", ("<=", BARS["calls"]),
                    f"{results.median(SUITE, OURS, 'stream-setup', 'calls_per_s'):,.0f} streams a second"))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    found = measure(options.build, 3 if options.quick else 15, 0.3 if options.quick else 0.5)
    for carrier, pairs in found["flows"].items():
        print(f"{CARRIERS[carrier][1]}: flow ÷ sockets {statistics.median(a / b for a, b in pairs):.3f} (bar {BARS['ratio']})")
    print(f"calls of a set-up: {found['calls']:.0f} (bar {BARS['calls']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
