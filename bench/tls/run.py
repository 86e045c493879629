#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A call of three shorts over TLS: callis, omniORB, and OpenSSL alone with as many bytes; in turns, so that a busy machine is busy for
all. Prints the median and the least nanoseconds of each, and the ratios.

    run.py --build build/release [--calls 20000] [--rounds 9]
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile

REQUEST, REPLY = 96, 30  # bytes of GIOP 1.2 of this call, for OpenSSL alone


def lines_of(command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


class Orb:
    def __init__(self, programs, name, server, client):
        self.name, self.client = name, [programs / f"bench_tls_client_{name}"]
        self.told = client
        self.server = subprocess.Popen([str(w) for w in (programs / f"bench_tls_server_{name}", *server)], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)
        self.reference = self.server.stdout.readline().strip()

    def measure(self, calls):
        return int(lines_of([*self.client, self.reference, calls, *self.told])[0])

    def close(self):
        self.server.stdin.close()
        self.server.wait(20)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    programs = options.build / "bin"
    with tempfile.TemporaryDirectory(prefix="callis-tls-") as folder:
        site = pathlib.Path(folder) / "site"
        lines_of([programs / "callis-tls", "init", site, "--host", "127.0.0.1"])
        both = site / "both.pem"
        both.write_text((site / "server.key").read_text() + (site / "server.pem").read_text())
        of_callis = ["-ORBTlsCA", site / "ca.pem", "-ORBTlsCertificate", site / "server.pem", "-ORBTlsKey", site / "server.key"]
        of_omni = ["-ORBsslCAFile", site / "ca.pem", "-ORBsslKeyFile", both, "-ORBsslKeyPassword", "none"]
        systems = [Orb(programs, "callis", ["-ORBEndpoint", "tls:127.0.0.1:0", *of_callis], of_callis)]
        if (programs / "bench_tls_server_omni").exists():
            systems.append(Orb(programs, "omni", ["-ORBendPoint", "giop:ssl:127.0.0.1:", *of_omni],
                               [*of_omni, "-ORBclientTransportRule", "* ssl"]))
        taken = {}
        try:
            for _ in range(options.rounds):
                for system in systems:
                    taken.setdefault(system.name, []).append(system.measure(options.calls))
                taken.setdefault("openssl", []).append(
                    int(lines_of([programs / "bench_tls_raw", site / "ca.pem", site / "server.pem", site / "server.key", options.calls,
                                  REQUEST, REPLY])[0]))
        finally:
            for system in systems:
                system.close()
    for name, values in taken.items():
        print(f"{name:8} median {statistics.median(values):8.0f} ns, least {min(values):8d} ns")
    for name in taken:
        if name != "callis":
            ratios = [a / b for a, b in zip(taken["callis"], taken[name])]
            print(f"callis / {name}: {statistics.median(ratios):.2f} (median of {len(ratios)} rounds), of the least "
                  f"{min(taken['callis']) / min(taken[name]):.2f}")


if __name__ == "__main__":
    main()
