#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TLS of callis beside OpenSSL alone and omniORB's, with the bars that it has to keep. Systems take turns, so that a busy machine is busy
for all.

    ./dev bench tls [--calls 20000] [--rounds 9] [--only calls|bytes|handshakes|memory|crowd]...

calls       a call of three shorts; OpenSSL: as many bytes there and back
bytes       a call with 16 and 64 KiB
handshakes  connections a second, full and resumed, each with one LocateRequest; the client is OpenSSL alone, the servers differ
memory      of a server for 1,000 idle connections
crowd       the 99th percentile of a good client's calls, beside 200 handshakes that stop after their first bytes"""
import argparse
import os
import pathlib
import re
import socket
import statistics
import subprocess
import tempfile

REQUEST, REPLY = 96, 30  # bytes of GIOP 1.2 of a call of three shorts, for OpenSSL alone
PUT_REQUEST, PUT_REPLY = 92, 28  # and of one of many bytes, without these
PARTS = ("calls", "bytes", "handshakes", "memory", "crowd")


def lines_of(command):
    return subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True).stdout.split()


class Server:
    """A process that prints where it is, and serves until its input ends."""

    def __init__(self, name, command, told=()):
        self.name, self.told = name, told
        self.process = subprocess.Popen([str(w) for w in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.place = self.process.stdout.readline().strip()

    def close(self):
        self.process.stdin.close()
        if self.name == "openssl":
            self.process.kill()
        self.process.wait(20)

    def resident(self):
        """KiB."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1))

    def processor(self):
        """Seconds, of threads that have ended, too."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Bench:
    def __init__(self, options, site):
        self.options, self.programs = options, options.build / "bin"
        self.files = [site / "ca.pem", site / "server.pem", site / "server.key"]
        lines_of([self.programs / "callis-tls", "init", site, "--host", "127.0.0.1"])
        both = site / "both.pem"
        both.write_text((site / "server.key").read_text() + (site / "server.pem").read_text())
        self.of_callis = ["-ORBTlsCA", self.files[0], "-ORBTlsCertificate", self.files[1], "-ORBTlsKey", self.files[2]]
        self.of_omni = ["-ORBsslCAFile", self.files[0], "-ORBsslKeyFile", both, "-ORBsslKeyPassword", "none"]
        self.rows = []

    def callis(self, *more):
        return Server("callis", [self.programs / "bench_tls_server_callis", "-ORBEndpoint", "tls:127.0.0.1:0", *self.of_callis, *more],
                      self.of_callis)

    def omni(self, *more):
        return Server("omni", [self.programs / "bench_tls_server_omni", "-ORBendPoint", "giop:ssl:127.0.0.1:", *self.of_omni, *more],
                      [*self.of_omni, "-ORBclientTransportRule", "* ssl"])

    def openssl(self):
        return Server("openssl", [self.programs / "bench_tls_connections", "serve", *self.files])

    def orbs(self):
        return [self.callis(), *([self.omni()] if (self.programs / "bench_tls_server_omni").exists() else [])]

    def client(self, server, calls, *more):
        return int(lines_of([self.programs / f"bench_tls_client_{server.name}", server.place, calls, *more, *server.told])[0])

    def raw(self, turns, there, back):
        return int(lines_of([self.programs / "bench_tls_raw", *self.files, turns, there, back])[0])

    def port(self, server):
        if server.name == "openssl":
            return int(server.place)
        shown = subprocess.run([self.programs / "callis-ior", server.place], stdout=subprocess.PIPE, text=True, check=True).stdout
        return int(re.search(r"TLS on port (\d+)", shown).group(1))

    def row(self, what, value, bar, good):
        """bar: words; good: whether it is kept, or None if there is none."""
        self.rows.append((what, value, bar, {True: "kept", False: "missed", None: ""}[good]))
        print("  ".join(self.rows[-1]), flush=True)

    def rounds(self, measures, least=False):
        """{name: values} of functions that take turns."""
        taken = {name: [] for name in measures}
        for _ in range(self.options.rounds):
            for name, measure in measures.items():
                taken[name].append(measure())
        return taken

    def ratio(self, taken, other):
        return statistics.median(a / b for a, b in zip(taken["callis"], taken[other]))

    def in_turns(self, what, calls, more, there, back, bars):
        servers = self.orbs()
        try:
            measures = {s.name: lambda s=s: self.client(s, calls, *more) for s in servers}
            taken = self.rounds(measures | {"openssl": lambda: self.raw(calls, there, back)})
        finally:
            for server in servers:
                server.close()
        for name, values in taken.items():
            self.row(f"{what}, {name}", f"{statistics.median(values) / 1000:.1f} us", "", None)
        for other, (words, most) in bars.items():
            if other in taken:
                ratio = self.ratio(taken, other)
                self.row(f"{what}, callis / {other}", f"{ratio:.2f}", words, ratio <= most)

    def calls(self):
        self.in_turns("a call of three shorts", self.options.calls, (), REQUEST, REPLY, {"openssl": ("<= 1.10", 1.10), "omni": ("< 1", 1.0)})

    def bytes(self):
        for kib in (16, 64):
            n = kib << 10
            self.in_turns(f"a call of {kib} KiB", max(200, self.options.calls // 10), (n,), n + PUT_REQUEST, PUT_REPLY,
                          {"openssl": ("<= 1.05 (0.95 of its throughput)", 1 / 0.95), "omni": ("", 1e9)})

    def handshakes(self):
        """By the clock, and by the server's processor time: threads of a busy machine wait for each other."""
        count = max(100, self.options.calls // 20)
        for kind in ("full", "resumed"):
            servers = [*self.orbs()[:1], self.openssl()]

            def measure(server, port, kind=kind):
                before = server.processor()
                rate = int(lines_of([self.programs / "bench_tls_connections", kind, *self.files, port, count])[0])
                return rate, (server.processor() - before) / count * 1e6

            try:
                taken = self.rounds({s.name: lambda s=s, port=self.port(s): measure(s, port) for s in servers})
            finally:
                for server in servers:
                    server.close()
            for name, values in taken.items():
                rate, each = (statistics.median(v) for v in zip(*values))
                self.row(f"{kind} handshakes, {name}", f"{rate:.0f} a second, {each:.0f} us of the server's processor", "", None)
            rates = self.ratio({name: [v[0] for v in values] for name, values in taken.items()}, "openssl")
            self.row(f"{kind} handshakes a second, callis / openssl", f"{rates:.2f}", ">= 0.90", rates >= 0.9)
            ratio = 1 / self.ratio({name: [v[1] for v in values] for name, values in taken.items()}, "openssl")
            self.row(f"{kind} handshakes by the server's processor, callis / openssl", f"{ratio:.2f}", ">= 0.90", ratio >= 0.9)

    def memory(self, count=1000):
        found = {}
        makers = {"callis": lambda: self.callis("-ORBMaxConnectionsPerPeer", count + 10, "-ORBServerThreads", "pool"), "openssl": self.openssl}
        if (self.programs / "bench_tls_server_omni").exists():
            makers["omni"] = lambda: self.omni("-ORBmaxServerThreadPerConnection", 1, "-ORBthreadPerConnectionPolicy", 0)
        for name, make in makers.items():
            server = make()
            try:
                port = self.port(server)
                for _ in range(2):  # what the first connections load is no part of it
                    lines_of([self.programs / "bench_tls_connections", "full", *self.files, port, 20])
                before = server.resident()
                holder = subprocess.Popen([str(w) for w in (self.programs / "bench_tls_connections", "hold", *self.files, port, count)],
                                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
                if holder.stdout.readline() != "held\n":
                    raise SystemExit(f"{name} does not hold {count} connections")
                found[name] = (server.resident() - before) / count
                holder.stdin.close()
                holder.wait(20)
            finally:
                server.close()
            self.row(f"memory of an idle connection, {name}", f"{found[name]:.1f} KiB", "", None)
        ratio = found["callis"] / found["openssl"]
        self.row("memory of an idle connection, callis / openssl", f"{ratio:.2f}", "<= 1.20", ratio <= 1.2)

    def crowd(self, count=200):
        server = self.callis()
        try:
            port = self.port(server)
            alone, beside = [], []
            for _ in range(self.options.rounds):
                alone.append(self.client(server, self.options.calls, "p99"))
                half_open = []
                for _ in range(count):
                    half_open.append(socket.create_connection(("127.0.0.1", port)))
                    half_open[-1].sendall(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
                beside.append(self.client(server, self.options.calls, "p99"))
                for one in half_open:
                    one.close()
        finally:
            server.close()
        self.row("99th percentile of a call, alone", f"{statistics.median(alone) / 1000:.1f} us", "", None)
        self.row(f"99th percentile of a call, beside {count} half-open handshakes", f"{statistics.median(beside) / 1000:.1f} us", "", None)
        ratio = statistics.median(b / a for a, b in zip(alone, beside))
        self.row("beside / alone", f"{ratio:.2f}", "<= 2", ratio <= 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", action="append", choices=PARTS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="callis-tls-") as folder:
        bench = Bench(options, pathlib.Path(folder) / "site")
        for part in options.only or PARTS:
            getattr(bench, part)()
    print("\n| Measured | Value | Bar | |\n|---|---|---|---|")
    for row in bench.rows:
        print(f"| {' | '.join(row)} |")
    return 1 if any(row[3] == "missed" for row in bench.rows) else 0


if __name__ == "__main__":
    raise SystemExit(main())
