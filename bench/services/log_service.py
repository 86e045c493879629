# SPDX-License-Identifier: Apache-2.0
"""Measurements of `callis logging` for the suite of the services: 4 clients write records of 64 bytes into one log that is reliable,
500 with a call (write_records), beside the same rows written into SQLite by one program, 500 in a transaction, each synced.

    PYTHONPATH=bench/common python3 bench/services/log_service.py --build FOLDER [--quick]      prints what it measures
"""
import argparse
import os
import pathlib
import signal
import statistics
import subprocess
import sys
import tempfile

from report import Row

SUITE = "services"
OURS = "callis-interpreted"
THREADS = 4
BATCH = 500
BARS = {"records": 100_000}


def raw(programs, folder, seconds):
    out = subprocess.run([str(programs / "callis_logging_peer"), "--raw", os.path.join(folder, "raw.db"), str(seconds), str(BATCH)],
                         stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return float(out[1])


def ours(programs, folder, seconds):
    service = subprocess.Popen([str(programs / "callis-logging"), "-ORBEndpoint", "tcp:127.0.0.1:0", "--store",
                                os.path.join(folder, "logs.db")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        reference = service.stdout.readline().strip()
        out = subprocess.run([str(programs / "callis_logging_peer"), reference, str(THREADS), str(seconds), str(BATCH)],
                             stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        return float(out[1])
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait()


def measure(build, rounds, seconds, progress=print):
    """{"ours": [records a second, of each round], "raw": [...]}"""
    programs = pathlib.Path(build) / "bin"
    found = {"ours": [], "raw": []}
    for number in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            found["raw"].append(raw(programs, folder, seconds))
            found["ours"].append(ours(programs, folder, seconds))
        progress(f"round {number}: {found['ours'][-1]:,.0f} records written a second, SQLite alone {found['raw'][-1]:,.0f}")
    return found


def estimate(context):
    return context.pick(3, 5, 50)


def run(context):
    for program in ("callis-logging", "callis_logging_peer"):
        if not os.path.exists(os.path.join(context.build, "bin", program)):
            context.results.missing(SUITE, f"{OURS} write_records", f"{program} has not been built")
            return
    found = measure(context.build, context.pick(1, 1, 5), context.pick(1, 2, 4), lambda text: context.progress(SUITE, text))
    for system, rates in ((OURS, found["ours"]), ("sqlite", found["raw"])):
        for number, rate in enumerate(rates):
            context.results.add(SUITE, system, "write-records", "calls_per_s", rate, number)


def bars(results):
    if "write-records" not in results.cases(SUITE):
        return []
    written, alone = (results.median(SUITE, system, "write-records", "calls_per_s") for system in (OURS, "sqlite"))
    return [Row("services: records written to a reliable log a second", "write-records", written, "a second", (">=", BARS["records"]),
                f"SQLite alone {alone:,.0f}")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    found = measure(options.build, 1 if options.quick else 5, 1 if options.quick else 4)
    written, alone = statistics.median(found["ours"]), statistics.median(found["raw"])
    print(f"write_records {written:,.0f} records a second (bar {BARS['records']:,}), SQLite alone {alone:,.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
