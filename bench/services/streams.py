# SPDX-License-Identifier: Apache-2.0
"""Flows of Audio/Video Streams beside plain sockets, from one thread to another over loopback, in short turns; how evenly frames come
that are sent each millisecond; and what setting a stream up costs. Over UDP a window keeps both from losing datagrams. RTP is judged
beside plain UDP.

    PYTHONPATH=bench/common python3 bench/services/streams.py --build FOLDER [--quick]      prints what it measures
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
    """{"flows": {carrier: [(flow's, sockets' bytes a second), of each round]}, "calls": n, "setups": a second,
    "jitter": [{how: (p50, p99)}, of each round]}"""
    programs = pathlib.Path(build) / "bin"
    found = {"flows": {carrier: [] for carrier in CARRIERS}, "jitter": []}
    for number in range(rounds):
        for carrier, (size, name) in CARRIERS.items():
            order = ("flow", "raw") if number % 2 else ("raw", "flow")
            rates = {how: peer(programs, how, carrier, size, seconds)[0] for how in order}
            found["flows"][carrier].append((rates["flow"], rates["raw"]))
            progress(f"round {number}: {name}: {rates['flow'] / 1e6:,.0f} ÷ {rates['raw'] / 1e6:,.0f} MB/s = "
                     f"{rates['flow'] / rates['raw']:.3f}")
        found["jitter"].append({how: peer(programs, "jitter", how, seconds) for how in (("rtp", "raw") if number % 2 else ("raw", "rtp"))})
    found["calls"], found["setups"] = peer(programs, "setup", 20 if rounds == 1 else 500)
    progress(f"set-up: {found['calls']:.0f} calls, {found['setups']:,.0f} streams a second")
    return found


def estimate(context):
    return context.pick(2, 20, 75)


def run(context):
    if not os.path.exists(os.path.join(context.build, "bin", PEER)):
        context.results.missing(SUITE, f"{OURS} flows", f"{PEER} has not been built")
        return
    found = measure(context.build, context.pick(1, 7, 15), context.pick(0.1, 0.3, 0.5), lambda text: context.progress(SUITE, text))
    add = context.results.add
    for carrier, pairs in found["flows"].items():
        for number, (flow, raw) in enumerate(pairs):
            add(SUITE, OURS, f"flow-{carrier}", "gbit_s", flow * 8e-9, number)
            add(SUITE, THEIRS, f"flow-{carrier}", "gbit_s", raw * 8e-9, number)
    for number, of in enumerate(found["jitter"]):
        for system, how in ((OURS, "rtp"), (THEIRS, "raw")):
            for metric, microseconds in zip(("p50_us", "p99_us"), of[how]):
                add(SUITE, system, "flow-jitter", metric, microseconds, number)
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
    found = measure(options.build, 7 if options.quick else 15, 0.3 if options.quick else 0.5)
    for carrier, pairs in found["flows"].items():
        print(f"{CARRIERS[carrier][1]}: flow ÷ sockets {statistics.median(a / b for a, b in pairs):.3f} (bar {BARS['ratio']})")
    for n, quantile in enumerate(("p50", "p99")):
        ours, its = (statistics.median(of[how][n] for of in found["jitter"]) for how in ("rtp", "raw"))
        print(f"{quantile} of the distance from a millisecond between frames: RTP {ours:.1f} us, sockets {its:.1f} us")
    print(f"calls of a set-up: {found['calls']:.0f} (bar {BARS['calls']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
