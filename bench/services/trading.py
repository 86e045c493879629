# SPDX-License-Identifier: Apache-2.0
"""`callis trading` with 100,000 offers of five properties: what a query takes that an index serves, what one takes that looks at all
offers, and how much memory an offer takes besides its properties.

Cases: trading-index, a query over loopback that finds one offer (ns); trading-scan, a query that looks at all and finds none, for each
offer (ns); trading-evaluate, the same with a longer constraint; trading-offer, resident memory with all offers less that of an idle
service, less the properties in CDR, for each offer (bytes).

    PYTHONPATH=bench/common python3 bench/services/trading.py --build FOLDER [--quick]      alone: prints what it measures
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

import naming
from report import Row

SUITE = "services"
JUDGED = "callis-interpreted"
PROGRAMS = ("callis-trading", "callis_trading_peer")
BARS = {"trading-index": 1.0, "trading-scan": 0.2, "trading-offer": 512}


class Server(naming.Server):
    def __init__(self, programs, *words):
        ior = pathlib.Path(tempfile.mkdtemp(prefix="callis-trading-")) / "ior"
        self.process = subprocess.Popen([str(programs / "callis-trading"), "-ORBEndpoint", "tcp:127.0.0.1:0", "--ior-file", str(ior), *words],
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.reference = self.process.stdout.readline().strip()
        ior.unlink(missing_ok=True)
        ior.parent.rmdir()
        if not self.reference:
            raise RuntimeError("callis-trading did not start")


def measure(build, offers, rounds, progress):
    """{case: value} in nanoseconds and bytes."""
    programs = pathlib.Path(build) / "bin"
    peer = str(programs / "callis_trading_peer")
    found = {}
    with tempfile.TemporaryDirectory(prefix="callis-trading-") as folder:
        store = str(pathlib.Path(folder) / "offers.db")
        out = subprocess.run([peer, "fill", store, str(offers)], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        properties = int(out[1])
        with Server(programs) as idle:
            before = idle.mib()
        with Server(programs, "--store", store) as server:
            after = server.mib()
            found["trading-offer"] = ((after - before) * 2**20 - properties) / offers
            progress(f"{offers} offers: {after:.1f} MiB, idle {before:.1f} MiB, properties {properties / offers:.0f} bytes an offer, "
                     f"{found['trading-offer']:.0f} bytes besides")
            out = subprocess.run([peer, "query", server.reference, str(offers), str(rounds)], stdout=subprocess.PIPE, text=True,
                                 check=True).stdout.split()
        values = dict(zip(out[::2], map(float, out[1::2])))
        found["trading-index"] = values["index_us"] * 1e3
        found["trading-scan"] = values["scan_us"] * 1e3 / offers
        found["trading-evaluate"] = values["evaluate_us"] * 1e3 / offers
        progress(f"by index {values['index_us']:.0f} us, all {values['scan_us']:.0f} and {values['evaluate_us']:.0f} us")
    return found


# ---- a part of the suite ----

def estimate(context):
    return context.pick(1, 5, 20)


def run(context):
    for program in PROGRAMS:
        if not os.path.exists(os.path.join(context.build, "bin", program)):
            context.results.missing(SUITE, f"{JUDGED} trading", f"{program} has not been built")
            return
    found = measure(context.build, context.pick(2_000, 20_000, 100_000), context.pick(3, 20, 50),
                    lambda what: context.progress(SUITE, what))
    for case, value in found.items():
        context.results.add(SUITE, JUDGED, case, "bytes" if case == "trading-offer" else "ns", value)


def bars(results):
    if "trading-index" not in results.cases(SUITE):
        return []

    def value(case, unit):
        return results.median(SUITE, JUDGED, case, unit)

    longer = value("trading-evaluate", "ns") / 1e3
    return [Row("services: a query of callis trading that an index serves", "trading-index", value("trading-index", "ns") / 1e6, "ms",
                ("<=", BARS["trading-index"]), "over loopback"),
            Row("services: a query of callis trading that looks at all offers, for each", "trading-scan", value("trading-scan", "ns") / 1e3,
                "us", ("<=", BARS["trading-scan"]), f"{longer:.2f} us with a longer constraint"),
            Row("services: memory of an offer besides its properties", "trading-offer", value("trading-offer", "bytes"), "bytes",
                ("<=", BARS["trading-offer"]), "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    print(measure(options.build, 20_000 if options.quick else 100_000, 20 if options.quick else 50, print))


if __name__ == "__main__":
    sys.exit(main())
