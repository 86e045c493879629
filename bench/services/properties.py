# SPDX-License-Identifier: Apache-2.0
"""Measurements of `callis properties` for the suite of the services: 16 clients read one of 1,000 properties of a set at random
(get_property), and in turn make the plainest call that a set has. The ratio is what the name, the look-up and the value cost.

    PYTHONPATH=bench/common python3 bench/services/properties.py --build FOLDER [--quick]      prints what it measures
"""
import argparse
import os
import pathlib
import signal
import statistics
import subprocess
import sys

from report import Row

SUITE = "services"
OURS = "callis-interpreted"
THREADS = 16
BARS = {"get_ratio": 0.7, "idle_mib": 8.0}


def measure(build, rounds, seconds, progress=print):
    """{"reads": [a second, of each round], "plain": [...], "idle_mib": n}"""
    programs = pathlib.Path(build) / "bin"
    found = {"reads": [], "plain": []}
    service = subprocess.Popen([str(programs / "callis-properties"), "-ORBEndpoint", "tcp:127.0.0.1:0"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True)
    try:
        reference = service.stdout.readline().strip()
        lines = pathlib.Path(f"/proc/{service.pid}/status").read_text(encoding="ascii").splitlines()
        found["idle_mib"] = int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024
        progress(f"idle: {found['idle_mib']:.1f} MiB")
        for number in range(rounds):
            out = subprocess.run([str(programs / "callis_properties_peer"), reference, str(THREADS), str(seconds)],
                                 stdout=subprocess.PIPE, text=True, check=True).stdout.split()
            found["reads"].append(float(out[1]))
            found["plain"].append(float(out[3]))
            progress(f"round {number}: {out[1]} properties read a second, {out[3]} plain calls")
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait()
    return found


def estimate(context):
    return context.pick(2, 4, 30)


def run(context):
    for program in ("callis-properties", "callis_properties_peer"):
        if not os.path.exists(os.path.join(context.build, "bin", program)):
            context.results.missing(SUITE, f"{OURS} get_property", f"{program} has not been built")
            return
    found = measure(context.build, context.pick(1, 1, 5), context.pick(1, 1, 4), lambda text: context.progress(SUITE, text))
    for case, rates in (("get-property", found["reads"]), ("properties-plain", found["plain"])):
        for number, rate in enumerate(rates):
            context.results.add(SUITE, OURS, case, "calls_per_s", rate, number)
    context.results.add(SUITE, OURS, "properties-idle", "bytes", found["idle_mib"] * 2**20)


def bars(results):
    if "properties-idle" not in results.cases(SUITE):
        return []

    def rate(case):
        return results.median(SUITE, OURS, case, "calls_per_s")
    reads, plain = rate("get-property"), rate("properties-plain")
    return [Row("services: properties read ÷ plain calls of the same set", "get-property", reads / plain, "", (">=", BARS["get_ratio"]),
                f"{reads:,.0f} ÷ {plain:,.0f} a second"),
            Row("services: memory of an idle callis properties", "properties-idle",
                results.median(SUITE, OURS, "properties-idle", "bytes") / 2**20, "MiB", ("<=", BARS["idle_mib"]), "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    found = measure(options.build, 1 if options.quick else 5, 1 if options.quick else 4)
    reads, plain = statistics.median(found["reads"]), statistics.median(found["plain"])
    print(f"get_property {reads:,.0f} a second, {reads / plain:.2f} of a plain call's (bar {BARS['get_ratio']})")
    print(f"idle {found['idle_mib']:.1f} MiB (bar {BARS['idle_mib']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
