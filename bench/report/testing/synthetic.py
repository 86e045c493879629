#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Made-up results in the form of a full run, to test the report with: synthetic.py OUT.jsonl [--quick]

The numbers are plausible, follow from a seed, and are not measured; the machine line says so, and the page's title too.
"""
import argparse
import itertools
import json
import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.dirname(HERE), os.path.join(os.path.dirname(os.path.dirname(HERE)), "common")]
from look import OPERATIONS, TYPES, size_text  # noqa: E402
from suite import Results  # noqa: E402

SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 1024)  # KB
SPEED = {"raw": 1.0, "ace": 0.98, "callis-interpreted": 0.98, "callis-compiled": 0.9, "callis-dii": 0.8, "rpc": 0.2,
         "opt-rpc": 0.7, "omniorb": 0.75, "omniorb-dii": 0.3, "jacorb": 0.35, "jacorb-dii": 0.2, "ice": 0.7, "ice-batch": 0.8,
         "grpc": 0.35, "capnp": 0.5}
# Type: factor on the throughput of systems that marshal element by element.
MARSHALING = {"short": 0.8, "char": 0.4, "long": 0.9, "octet": 1.0, "double": 0.95, "BinStruct": 0.35}
FLOOR_US = dict(zip(OPERATIONS, (12.8, 13.3, 12.9, 16.0, 16.6, 16.6, 40.0)))
LATENCY = {"raw": 1.0, "callis-interpreted": 1.05, "callis-compiled": 1.08, "callis-hybrid": 1.05, "callis-shared": 1.06,
           "callis-dii": 1.25, "omniorb": 1.3, "omniorb-dii": 1.6, "ice": 2.2, "capnp": 3.1, "jacorb": 3.2, "jacorb-dii": 4.0, "grpc": 7.5}
PLACEMENT = {"one-cpu": 1.0, "two-cpu": 2.8, "free": 2.1}
RUNGS = {"ladder-original": 0.0, "ladder-inlining": 0.03, "ladder-precomputing": 0.6, "ladder-receiver": 0.8,
         "ladder-sender": 1.0, "callis-interpreted": 3.0}  # share of the way to LADDER_END
LADDER_END = {"short": 4.2, "char": 5.3, "long": 3.5, "octet": 5.5, "double": 2.3, "BinStruct": 8.0}
STRATEGIES = {"demux-linear": lambda n: 6 + 2.8 * n, "demux-index": lambda n: 7.0,
              "demux-binary": lambda n: 9 + 8 * math.log2(n + 1), "demux-hash": lambda n: 22 + 3 * math.log10(n + 1),
              "demux-perfect": lambda n: 13.0, "demux-active": lambda n: 4.0}
STUB_BYTES = {"callis-interpreted": (180, 90), "callis-compiled": (1400, 900), "omniorb": (1900, 1500)}


class Maker:
    def __init__(self, quick):
        self.results, self.random, self.quick = Results(), random.Random(4), quick
        self.rounds = 2 if quick else 5

    def add(self, suite, system, case, metric, value):
        for n in range(self.rounds):
            self.results.add(suite, system, case, metric, value * self.random.uniform(0.96, 1.05), n)

    def exact(self, suite, system, case, metric, value):
        self.results.add(suite, system, case, metric, int(value))

    def pick(self, words, count):
        return words[-count:] if self.quick else words

    def ttcp(self):
        for placement, slower in {"one-cpu": 1.0, "two-cpu": 0.7, "free": 0.8}.items():
            for system, speed in SPEED.items():
                for kind in TYPES:
                    for size in self.pick(SIZES, 3):
                        self.flood(placement, slower, system, speed, kind, size)

    def flood(self, placement, slower, system, speed, kind, size):
        by_type = 1.0 if system in ("raw", "ace", "opt-rpc") or system.startswith("callis") else MARSHALING[kind]
        peak = 45 * slower * size / (size + 6) * speed * by_type
        case = f"{placement}/{kind}/{size_text(size << 10)}"
        self.add("ttcp", system, case, "gbit_s", peak)
        self.add("ttcp", system, case, "receiver_gbit_s", peak * 1.01)
        if not self.quick:
            if placement == "two-cpu" and size in (1, 16, 128):
                self.add("ttcp", system, f"{case}/queue8K", "gbit_s", peak * 0.35)
                self.add("ttcp", system, f"{case}/queue64K", "gbit_s", peak * 0.8)
            if placement == "one-cpu" and size <= 8 and system in ("callis-interpreted", "callis-compiled", "rpc"):
                self.add("ttcp", system, f"{case}/buffered", "gbit_s", 40 * by_type)

    def param_test(self):
        for placement, slower in PLACEMENT.items():
            for system, factor in LATENCY.items():
                for n, operation in enumerate(self.pick(OPERATIONS, 4)):
                    p50 = FLOOR_US[operation] * slower * factor ** (1 + 0.1 * n)
                    self.latencies(system, f"{placement}/{operation}", p50)
        for system, factor in (("callis-interpreted", 1.0), ("callis-compiled", 1.1), ("callis-hybrid", 1.05)):
            for operation in OPERATIONS:
                much = 3 if operation == "test_struct_sequence" else 0.1  # a call of it copies 297 strings
                self.latencies(system, f"memory/{operation}", FLOOR_US[operation] / 3 * much * factor)

    def latencies(self, system, case, p50):
        for metric, value in (("p50_us", p50), ("p99_us", 1.6 * p50), ("p999_us", 3 * p50), ("calls_per_s", 0.94e6 / p50)):
            self.add("param_test", system, case, metric, value)

    def whitebox(self):
        layers = {"marshal": 160, "demarshal": 210, "headers": 300, "transport": 150, "system-calls": 60, "memory": 40,
                  "demultiplexing": 60, "upcall": 80, "stub": 50, "copying": 30, "locks": 0, "other": 10, "unclassified": 5}
        for system, cost in (("callis-interpreted", 1.0), ("callis-compiled", 1.1), ("omniorb", 4.0)):
            for n, name in enumerate((*OPERATIONS, "double", "BinStruct")):
                much = 30 if name == "test_strseq" else n + 1
                for side in ("client", "server"):
                    for layer, count in layers.items():
                        self.exact("whitebox", system, f"{name}/{side}/{layer}", "instructions", count * cost * much)
                        self.exact("whitebox", system, f"{name}/{side}/{layer}", "calls", 3 + n)
                    for function in ("callis::marshal::encode(Plan const&)", "operator/ <T>", "recv"):
                        case = f"{name}/{side}/function/{function}"
                        self.exact("whitebox", system, case, "instructions", 50 * len(function) * cost)
                        self.exact("whitebox", system, case, "calls", 1)

    def ladder(self):
        for rung, share in RUNGS.items():
            for kind in self.pick(TYPES, 3):
                factor = 1 + (LADDER_END[kind] - 1) * share
                for what, ns in (("encode", 10.0), ("decode", 15.0), ("both", 25.0)):
                    self.add("ladder", rung, f"memory/{kind}/{what}", "ns_per_element", ns / factor)
                    self.add("ladder", rung, f"memory/{kind}/{what}", "gbit_s", 8 * factor / ns)
                for size in self.pick(SIZES[:8], 2):
                    self.add("ladder", rung, f"one-cpu/{kind}/{size}K", "gbit_s", min(30.0, 0.8 * factor * size / (size + 5)))
                self.functions(rung, kind, 2e6 / factor)

    def functions(self, rung, kind, instructions):
        for what, names in (("encode", ("encoder", "traverse")), ("decode", ("decoder", "traverse", "get_long"))):
            self.exact("ladder", rung, f"memory/{kind}/{what}", "instructions", instructions)
            for n, name in enumerate(names):
                case = f"memory/{kind}/{what}/function/CDR::{name}(TypeCode const&, void*)"
                self.exact("ladder", rung, case, "instructions", instructions / (n + 2))
                self.exact("ladder", rung, case, "calls", 2048 * (n + 1))

    def demux(self):
        for system, ns in STRATEGIES.items():
            for axis, counts in (("operations", (1, 10, 50, 100, 500)), ("objects", (1, 100, 1000, 10000)),
                                 ("poas", (1, 5, 10, 25, 50))):
                for n in self.pick(counts, 3):
                    for way, much in (("random", 0.55), ("worst", 1.0)):
                        self.add("demux", system, f"{axis}{n}/{way}", "ns", ns(max(1, n * much)))
                        self.add("demux", system, f"call/memory/{axis}{n}/{way}", "ns", 120 + ns(max(1, n * much)))
            self.add("demux", system, "objects10000/operations500/random", "ns", 2 * ns(500))
        for system, base, slope in (("callis-interpreted", 13.0, 0.005), ("demux-linear", 13.5, 0.01), ("demux-perfect", 13.1, 0.005), ("omniorb", 16.0, 0.3), ("jacorb", 44.0, 0.4)):
            for case, more in (("objects1/first", 0), ("objects10000/first", 2), ("objects10000/last", 2.1), ("oneway/last", 250), ("objects1/last", 0.5)):
                self.add("demux", system, f"call/one-cpu/{case}", "p50_us", base + slope * more)

        for system, ns in STRATEGIES.items():
            for n, (way, base) in itertools.product((1, 100, 1000), (("two-way", 13_000), ("one-way", 1300))):
                for end in ("", "/objects10000"):
                    self.add("demux", system, f"iterations/{n}/{way}{end}", "ns", base + ns(100))
            for name, much in (("all", 3), ("find", 2), ("handle", 1)):
                self.exact("demux", system, f"iterations/functions/{name}", "instructions", 100 * much + ns(100))
                self.exact("demux", system, f"iterations/functions/{name}", "calls", 1)

    def sizes(self):
        for target in ("x86-64/gcc/-O2", "x86-64/gcc/-Os", "x86-64/clang/-Os", "aarch64/gcc/-Os"):
            for system, (stub, skeleton) in STUB_BYTES.items():
                for n, operation in enumerate((*OPERATIONS, "all")):
                    for part, size in (("stub", stub), ("skeleton", skeleton), ("operators", stub // 4), ("tables", 60),
                                       ("skeleton/alone", skeleton // 2), ("stub/eh", 80), ("ram", 40),
                                       ("stub/whole", stub + 20), ("skeleton/whole", skeleton + 20)):
                        self.exact("sizes", system, f"{target}/{operation}/{part}", "bytes", size * (1 + 0.1 * n))
        for system, share in (("callis-interpreted", 0.25), ("callis-compiled", 1.0), ("omniorb", 1.4)):
            for service, size in (("CosNaming", 30000), ("CosTime", 12000)):
                for part in ("stub", "skeleton"):
                    for group in ("cos", "xviii"):
                        self.exact("sizes", system, f"x86-64/gcc/-Os/{group}/{service}/{part}", "bytes", size * share)
        for n, what in enumerate(("structures", "sequences", "operations")):
            self.exact("sizes", "callis-interpreted", f"x86-64/gcc/-Os/xviii/CosNaming/{what}", "declared", 2 + n)
        for n, library in enumerate(("base", "cdr", "marshal", "orb", "poa")):
            for kind, size in (("code", 9000), ("rodata", 2000), ("data", 100), ("eh", 1500)):
                for group in ("library", "program"):
                    self.exact("sizes", "callis-interpreted", f"x86-64/gcc/-Os/{group}/{library}/{kind}", "bytes", size * (n + 1))
        self.exact("sizes", "callis-interpreted", "x86-64/gcc/-Os/library/cdr/object/encoder/code", "bytes", 2000)

    def services(self):
        for system, share in (("callis-interpreted", 0.3), ("omniorb", 1.0)):
            for service in ("CosNaming", "CosTrading"):
                self.exact("services", system, service, "bytes", 260000 * share)
                self.add("services", system, service, "ns", 9e9 * (0.4 + share))
        for system, case, a_second in (("callis-interpreted", "durable-bind", 5e3), ("sqlite", "durable-bind", 5.5e3),
                                       ("callis-interpreted", "resolve", 9e4), ("omninames", "resolve", 2.5e4),
                                       ("callis-interpreted", "first-call", 58), ("process", "first-call", 66),
                                       ("callis-interpreted", "events-10", 3e4), ("omnievents", "events-10", 1e4)):
            self.add("services", system, case, "calls_per_s", a_second)
        for system, rate in (("callis-interpreted", 15), ("raw", 14)):
            for n, carrier in enumerate(("tcp", "udp", "rtp")):
                self.add("services", system, f"flow-{carrier}", "gbit_s", rate / (n + 1))
            self.add("services", system, "flow-jitter", "p50_us", rate)
            self.add("services", system, "flow-jitter", "p99_us", rate * 5)

    def scale(self):
        for system, share in {"raw": 1.0, "callis-interpreted": 0.97, "omniorb": 0.75, "ice": 0.48, "grpc": 0.25}.items():
            for n in (1, 8, 64):
                self.add("scale", system, f"free/clients{n}", "calls_per_s", 75000 * share * n / (n + 0.4))

    def engine(self):
        for system, slower in (("callis-interpreted", 1.0), ("callis-compiled", 1.03), ("callis-hybrid", 0.98)):
            for n, operation in enumerate(OPERATIONS):
                self.add("engine", system, f"memory/{operation}", "ns", 150 * (n + 1) * slower)
                self.add("engine", system, f"memory/{operation}/cold", "ns", 1500 * (n + 1) * slower)
        for what in ("encode", "decode"):
            for order in ("native", "swapped"):
                for system, ns in (("callis-interpreted", 1.0), ("one-by-one", 9.0), ("inlined", 3.0)):
                    self.add("engine", system, f"{what}/BinStruct/{order}/512", "ns_per_element", ns)
                for system in ("callis-interpreted", "memcpy"):
                    self.add("engine", system, f"{what}/octet/{order}/64K", "ns", 2000)
                self.add("engine", "callis-interpreted", f"{what}/octet/{order}/64K/empty", "ns", 12)

    def core(self):
        for system, many in (("callis-interpreted", 1), ("callis-compiled", 1), ("omniorb", 4)):
            for n, operation in enumerate(OPERATIONS):
                for case, share in ((operation, 1.0), (f"{operation}/client", 0.55), (f"{operation}/server", 0.45)):
                    self.exact("core", system, case, "instructions", 1400 * share * many * (1 + n))
                    for metric in ("allocations", "locks"):
                        self.exact("core", system, case, metric, many - 1 + n if operation != "test_fixed_struct" else many - 1)
            for side in ("client", "server"):
                self.exact("core", system, f"test_short/{side}", "syscalls", 2)
                for kind, count in (("send", 1), ("receive", 1), ("other", 0)):
                    self.exact("core", system, f"test_short/{side}/{kind}", "syscalls", count)
        for system, speed in (("callis-interpreted", 1.0), ("callis-pool", 0.9), ("omniorb", 0.7)):
            self.add("core", system, "crowd", "calls_per_s", 150000 * speed)
            self.add("core", system, "idle", "bytes", 1800 / speed)
            self.add("core", system, "idle", "connections_per_s", 30000 * speed)
            for case in ("idle/among", "idle/alone"):
                self.add("core", system, case, "p99_us", 20 / speed)
        for system, way in itertools.product(("callis-interpreted", "raw"), ("tcp", "unix")):
            self.add("core", system, f"ping-pong/{way}/test_short", "p50_us", 12.5)
        for suite in ("core", "demux"):
            for system, case, ns in (("array", "request/objects10000/operations500/active", 7), ("virtual", "collocated/direct/void", 1.5)):
                self.add(suite, system, case, "ns", ns)
                self.add(suite, "callis-interpreted", case, "ns", ns + 10)

    def realtime(self):
        for system, case, slower in (("raw", "lanes", 1.0), ("callis-rt", "lanes", 1.1), ("raw", "none", 1.0),
                                     ("callis-interpreted", "none", 30.0), ("omniorb", "none", 3.0)):
            for metric, us in (("p50_us", 16), ("p99_us", 25), ("p999_us", 30), ("p9999_us", 60), ("greatest_us", 90)):
                self.add("realtime", system, f"one-cpu/{case}/low50", metric, us * slower)
        for system, case, us in (("callis-rt", "lanes", 0), ("callis-rt-off", "lanes", 4000), ("callis-rt-locked", "lanes", 900),
                                 ("omniorb", "none", 5000)):
            for n, metric in enumerate(("p50_us", "p99_us", "greatest_us")):
                self.exact("realtime", system, f"one-cpu/{case}/low50/watched", f"inverted_{metric}", us * (n + 1))
                self.exact("realtime", system, f"one-cpu/{case}/low50/watched", f"waited_{metric}", us * (n + 1) + 3)
        self.exact("realtime", "callis-rt", "counts", "allocations", 0)

    def idle(self):
        for system, case, count in (("callis-interpreted", "server", 0), ("callis-interpreted", "client", 0),
                                    ("callis-interpreted", "service/naming", 1), ("omniorb", "server", 2)):
            self.exact("idle", system, case, "wakeups_per_s", count)
            self.exact("idle", system, case, "cpu_us_per_s", count * 30)

    def caches(self):
        for system, case, much in (("ladder-original", "memory/double/both", 300), ("callis-interpreted", "memory/double/both", 200),
                                   ("callis-interpreted", "call/test_short", 0), ("callis-compiled", "call/test_short/cold", 150),
                                   ("callis-interpreted", "many/objects10000/operations500", 40)):
            for n, metric in enumerate(("instructions", "code_misses", "data_misses", "last_misses")):
                self.exact("caches", system, case, metric, much * (4 - n))

    def shares(self):
        for system, user in (("raw", 0.02), ("callis-interpreted", 0.05), ("omniorb", 0.6), ("rpc", 0.7)):
            for side, call in (("sender", "writev"), ("receiver", "recvfrom")):
                for kind in ("char", "BinStruct"):
                    for name, share in (("kernel", 1 - user), ("user", user), (f"kernel/{call}", 1 - user), ("user/encode", user)):
                        self.add("shares", system, f"flood/{kind}/{side}/{name}", "share", share)
                        self.add("shares", system, f"flood/{kind}/{side}/{name}", "ms", 40 * share)
                    self.exact("shares", system, f"flood/{kind}/{side}/call/{call}/128K", "calls", 512)

    def network(self):
        speeds = {"raw": 1.0, "ace": 0.98, "callis-interpreted": 0.97, "omniorb": 0.9, "rpc": 0.3, "grpc": 0.6}
        for link, mbit in (("loopback", 20_000), ("atm-155", 155), ("1G", 1000)):
            for system, speed in speeds.items():
                for kind in self.pick(("char", "double", "BinStruct"), 2):
                    other = system in ("omniorb", "rpc") and kind == "BinStruct"
                    speed_here = speed * (0.33 if other else 1.0) * (0.5 if other and link == "loopback" else 1.0)
                    for size in ("1K", "8K", "64K"):
                        self.add("network", system, f"{link}/ttcp/{kind}/{size}", "gbit_s", speed_here * mbit / 1000)
                    if system != "raw":
                        self.add("network", system, f"{link}/share/{kind}", "share", speed_here)
        for link, trip in (("loopback", 30), ("20ms", 20_000)):
            for system, more in (("raw", 0), ("callis-interpreted", 2), ("omniorb", 6)):
                for operation in OPERATIONS[:2]:
                    self.add("network", system, f"{link}/call/{operation}", "p50_us", trip + more)
        for system in ("callis-interpreted", "omniorb"):
            for n, what in enumerate(("call", "after-one-way", "one-ways", "large")):
                self.add("network", system, f"20ms/far/{what}", "p50_us", 20_000 * (1 + n))
            self.add("network", system, "20ms/far/together", "calls_per_s", 395)
        self.add("network", "callis-interpreted", "20ms/far/after-one-way/nagle", "p50_us", 42_000)
        self.add("network", "callis-dii", "20ms/far/pipelined", "p50_us", 20_500)

    def platforms(self):
        for n, machine in enumerate(("x86-64", "aarch64", "armv7")):
            for system, slower in (("callis-interpreted", 1.1), ("callis-compiled", 1.0), ("callis-dii", 4.0)):
                for k, operation in enumerate(self.pick(OPERATIONS, 3)):
                    self.exact("platforms", system, f"{machine}/memory/{operation}", "instructions", 900 * slower * (k + 1) * (1 + 0.2 * n))
            for end, count in (("", 1300), ("/client", 520), ("/server", 780)):
                self.exact("platforms", "callis-interpreted", f"{machine}/tcp/test_short{end}", "instructions", count * (1 + 0.2 * n))
            for system, count in (("ladder-original", 9e5), ("ladder-sender", 2e5), ("callis-interpreted", 2e4)):
                self.exact("platforms", system, f"{machine}/ladder/BinStruct", "instructions", count)

    def growth(self):
        for n in (1000, 2000, 10_000):
            for metric, value in (("bytes", 700 + 1e5 / n), ("connections_per_s", 3e4), ("cpu_us", 8), ("p99_us", 20)):
                self.add("growth", "callis-pool", f"connections/{n}", metric, value)
            self.add("growth", "callis-pool", f"connections/{n}/kernel", "bytes", 3500)
            self.add("growth", "callis-pool", f"connections/{n}/alone", "p99_us", 19)
            for kind, each in (("active", 300), ("default", 0)):
                self.add("growth", "callis-interpreted", f"{kind}/{n}", "bytes", 2e5 + each * n)
                self.add("growth", "callis-interpreted", f"{kind}/{n}", "ns", 700)
            self.add("growth", "callis-interpreted", f"active/{n}/make", "ns", 900)
        self.add("growth", "callis-pool", "process", "bytes", 5e6)
        for what, metric, value in (("descriptors", "declared", 20_000), ("processors", "declared", 2), ("memory", "bytes", 24e9)):
            self.exact("growth", "callis-pool", f"limits/{what}", metric, value)

    def bars(self):
        for operation in OPERATIONS:
            yield bar("engine", "calls: interpreted against compiled stubs", operation, 0.97, "x", ["<=", 1.1])
        if not self.quick:
            yield bar("core", "core: a call over TCP", "user instructions, test_short", 1380, "", ["<=", 1500])
        yield bar("param_test", "one CPU: p50 ÷ raw", "test_short", 1.05, "", ["<=", 1.05])
        yield bar("param_test", "one CPU: p50 ÷ raw", "test_struct_sequence", 3.4, "", ["<=", 3.0])
        yield bar("sizes", "minimal program, static, -Os", "libc, libstdc++, libgcc: not counted", 960000, "bytes", None)
        yield bar("sizes", "minimal program, static, -Os", "callis, text", 96000, "bytes", ["<=", 100000])
        yield bar("engine", "cold calls", "test_short", 2.1, "us", None)

    def write(self, path):
        for part in (self.ttcp, self.param_test, self.whitebox, self.ladder, self.demux, self.sizes, self.services,
                     self.scale, self.engine, self.realtime, self.idle, self.caches, self.shares, self.network, self.platforms,
                     self.growth):
            part()
        if not self.quick:
            self.core()
        if self.quick:
            self.results.missing("ttcp", "jacorb", "no Java here")
        machine = {"processor": "made up", "cpus": 2, "kernel": "0", "compiler": "0", "governor": "none", "load": 0.0,
                   "scale": "quick" if self.quick else "full", "synthetic": True}
        self.results.write(path, machine)
        with open(path, "a", encoding="utf-8") as f:
            f.writelines(json.dumps({"bar": b}) + "\n" for b in self.bars())


def bar(suite, section, name, value, unit, limit):
    held = None if limit is None else value <= limit[1] if limit[0] == "<=" else value >= limit[1]
    return {"suite": suite, "section": section, "name": name, "value": value, "unit": unit, "bar": limit, "pass": held,
            "note": ""}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--quick", action="store_true", help="fewer points and a missing system, as a quick run has them")
    arguments = parser.parse_args()
    Maker(arguments.quick).write(arguments.file)


if __name__ == "__main__":
    main()
