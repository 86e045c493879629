# SPDX-License-Identifier: Apache-2.0
"""`callis imr`: how long the first call takes to a server that has to be started, against the server's own start.

The server is the tests' (callis_imr_counter). Its own start: from its process's creation until it prints its reference, which it does
when its adapters are active. The first call: from the connection to the repository until its LOCATION_FORWARD is here, with the server
stopped before. Both in turn.

Cases: first-call (calls_per_s, one after the other), of callis-interpreted the call, of `process` the server's own start; imr-idle,
resident memory without servers (bytes).

    PYTHONPATH=bench/common python3 bench/services/imr.py --build FOLDER      alone: prints what it measures
"""
import argparse
import os
import pathlib
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time

from report import Row

SUITE = "services"
JUDGED, OTHER = "callis-interpreted", "process"
BARS = {"first-call": 1.2, "imr-idle": 8.0}
KEY = bytes.fromhex("ca111552") + b"\x07counter" + bytes.fromhex("ca111550") + b"\0\x01\0\0\0\x05plantcounter"


def resident(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


def own_start(server):
    begun = time.perf_counter_ns()
    with subprocess.Popen([server, "-ORBEndpoint", "tcp:127.0.0.1:0"], stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        took = time.perf_counter_ns() - begun
        process.kill()
    if not line.startswith("IOR:"):
        raise RuntimeError(f"{server} does not start")
    return took


def receive(connection, count):
    data = b""
    while len(data) < count:
        part = connection.recv(count - len(data))
        if not part:
            raise RuntimeError("the repository has closed the connection")
        data += part
    return data


def first_call(port):
    body = struct.pack("<IHxxI", 1, 0, len(KEY)) + KEY
    begun = time.perf_counter_ns()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(b"GIOP\x01\x02\x01\x03" + struct.pack("<I", len(body)) + body)
        header = receive(connection, 12)
        answer = receive(connection, struct.unpack("<I", header[8:])[0])
    took = time.perf_counter_ns() - begun
    status = struct.unpack_from("<I", answer, 4)[0]
    if header[7] != 4 or status != 2:
        raise RuntimeError(f"no OBJECT_FORWARD: status {status}")
    return took


def measure(build, rounds):
    bin_folder = pathlib.Path(build).resolve() / "bin"
    server, program = bin_folder / "callis_imr_counter", bin_folder / "callis-imr"
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
            [program, "serve", "--allow", "admin=any", "--store", f"{folder}/servers.db", "-ORBEndpoint", f"tcp:127.0.0.1:{port}"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as repository:
        def tell(command, *words):
            subprocess.run([program, command, "--imr", f"corbaloc::127.0.0.1:{port}/ImplRepoService", "counter", *words], check=True)
        try:
            if not repository.stdout.readline().startswith("IOR:"):
                raise RuntimeError("callis imr does not start")
            idle = resident(repository.pid)
            tell("add", "--", str(server), "-ORBEndpoint", "tcp:127.0.0.1:0")
            calls, starts = [], []
            for _ in range(rounds):
                starts.append(own_start(server))
                calls.append(first_call(port))
                tell("stop")
            return calls, starts, idle
        finally:
            repository.terminate()


def estimate(context):
    return context.pick(1, 3, 6)


def run(context):
    for program in ("callis-imr", "callis_imr_counter"):
        if not os.path.exists(os.path.join(context.build, "bin", program)):
            context.results.missing(SUITE, f"{JUDGED} imr", f"{program} has not been built")
            return
    context.progress(SUITE, "the first call through callis imr")
    calls, starts, idle = measure(context.build, context.pick(2, 20, 60))
    for number, (call, start) in enumerate(zip(calls, starts)):
        context.results.add(SUITE, JUDGED, "first-call", "calls_per_s", 1e9 / call, number)
        context.results.add(SUITE, OTHER, "first-call", "calls_per_s", 1e9 / start, number)
    context.results.add(SUITE, JUDGED, "imr-idle", "bytes", idle)


def bars(results):
    if "first-call" not in results.cases(SUITE):
        return []
    mine, its = (1e3 / results.median(SUITE, system, "first-call", "calls_per_s") for system in (JUDGED, OTHER))
    return [Row("services: first call through callis imr ÷ the server's own start", "first-call", mine / its, "",
                ("<=", BARS["first-call"]), f"{mine:.1f} ÷ {its:.1f} ms"),
            Row("services: memory of an idle callis imr", "imr-idle", results.median(SUITE, JUDGED, "imr-idle", "bytes") / 2**20, "MiB",
                ("<=", BARS["imr-idle"]), "")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True)
    options = parser.parse_args()
    calls, starts, idle = measure(options.build, 30)
    print(f"first call {statistics.median(calls) / 1e6:.2f} ms, own start {statistics.median(starts) / 1e6:.2f} ms, "
          f"ratio {statistics.median(calls) / statistics.median(starts):.2f}; idle {idle / 2**20:.1f} MiB")


if __name__ == "__main__":
    sys.exit(main())
