# SPDX-License-Identifier: Apache-2.0
"""A network: ttcp and Param_Test between two network namespaces, over links of several rates, round trips and losses.

Cases; LINK is loopback (no network), or one of NEAR and FAR:
    LINK/ttcp/TYPE/SIZE       gbit_s, receiver_gbit_s of a one-way flood
    LINK/share/TYPE           share: the best throughput of all sizes ÷ that of C sockets in the same round
    LINK/call/OPERATION       p50_us ... of a two-way call of Param_Test
    LINK/far/WHAT             what costs round trips, for those that have it (bench/peers/common/far.h): p50_us of call,
                              after-one-way (a one-way and a call), one-ways (100 of 1 KB), large (256 KB); calls_per_s of
                              together (8 threads); pipelined: 16 calls of one thread, all sent before the first result, by
                              DII's deferred calls (systems callis-dii, omniorb-dii), Ice's and gRPC's asynchronous ones
    LINK/far/large/fragments, LINK/far/after-one-way/nagle
                              callis with -ORBFragmentSize 8192, and with Nagle's algorithm, which callis turns off
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "network"))
import namespaces  # noqa: E402
import pairs  # noqa: E402
from namespaces import HOSTS  # noqa: E402
from report import Row  # noqa: E402
from wires import BY_NAME, FAR, LONG, LOOPBACK, NEAR  # noqa: E402

SUITE = "network"
TITLE = "network: floods and calls over links of several rates and round trips"
NEEDS = ("programs", "peers")
JUDGED, FLOOR = "callis-interpreted", "raw"
SYSTEMS = (JUDGED, FLOOR, "callis-compiled", "omniorb", "ace", "rpc", "opt-rpc", "jacorb", "ice", "grpc", "capnp")
FAR_SYSTEMS = (JUDGED, "omniorb", "ice", "grpc", "callis-dii", "omniorb-dii")
DEFERRED = ("callis-dii", "omniorb-dii")  # far alone
NO_CALLS = ("opt-rpc",)  # ttcp alone
TYPES = ("short", "char", "long", "octet", "double", "BinStruct")
OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct", "test_nested_struct",
              "test_struct_sequence")
FULL_MBIT = 150    # up to this rate callis has to fill the link
FILLED = 0.95      # of what C sockets reach
ROUND_TRIP = 1.05  # how many round trips a call may take
PIPELINED = 1.2    # and 16 of them


def wires(context):
    return context.pick((LOOPBACK, NEAR[0], BY_NAME[LONG]), (LOOPBACK, *NEAR, FAR[1], *FAR[3:]), (LOOPBACK, *NEAR, *FAR))


def rounds(context):
    return context.pick(1, 1, 2)


def flood_options(context, wire):
    """Options of ttcp's client: about as long over each link."""
    seconds = context.pick(0.05, 0.15, 0.3)
    megabytes = context.megabytes or max(1, round(min(wire.mbit or 10_000, 20_000) * seconds / 8))
    if wire.far:
        kinds, sizes = context.pick(("octet",), ("octet", "BinStruct"), ("octet", "BinStruct")), ("8K", "64K")
    else:
        few = ("char", "double", "BinStruct")
        kinds = context.pick(("char", "BinStruct"), few, TYPES if wire in (LOOPBACK, NEAR[0]) else few)
        sizes = context.pick(("64K",), ("1K", "8K", "64K"), ("1K", "4K", "16K", "64K", "128K"))
    return ["--megabytes", megabytes, "--types", ",".join(kinds), "--sizes", ",".join(sizes)]


def call_options(context, wire):
    most = context.pick(20, 500, 3000)
    calls = min(most, max(10, int(context.pick(0.1, 0.2, 0.5) * 1e6 / wire.round_trip_us))) if wire.far else most
    names = OPERATIONS[:1] if context.scale == "tiny" else OPERATIONS
    return ["--calls", calls, "--operations", ",".join(names)]


def has_far(wire):
    return wire.name in ("1ms", LONG)


def estimate(context):
    if namespaces.lacking():
        return 1
    seconds = 0
    for wire in wires(context):
        points = len(flood_options(context, wire)[3].split(",")) * len(flood_options(context, wire)[5].split(","))
        calls = call_options(context, wire)[1] * 6.5 * max(wire.round_trip_us, 100) / 1e6
        a_system = 1 + points * context.pick(0.1, 0.25, 0.5) + calls
        seconds += a_system * len(pairs.here(context, SYSTEMS))
        seconds += (context.pick(3, 8, 15) * len(pairs.here(context, FAR_SYSTEMS))) if has_far(wire) else 0
    return seconds * rounds(context)


class Pair(pairs.Pair):
    """A server at one end of a link, clients at the other; ends None: both here, over the loopback."""

    def __init__(self, context, system, suite, ends, environment=None):
        if ends is None:
            super().__init__(context, system, suite, environment=environment)
            return
        server, client = ends
        super().__init__(context, system, suite, environment={"BENCH_HOST": HOSTS[0], **(environment or {})}, prefix=server.prefix,
                         client_prefix=client.prefix)
        self.server_options = [word.replace("127.0.0.1", HOSTS[0]) for word in self.server_options]


def variants(context, system):
    """[(what, options, environment, what stands behind the case)] of far."""
    calls = ["--calls", context.pick(3, 10, 30)]
    if system in DEFERRED:
        return [(calls, {}, "")]
    found = [("call,after-one-way,one-ways,large,together,pipelined", [], {}, "")]
    if system == JUDGED:
        nagle = {"LD_PRELOAD": os.path.join(context.build, "bench", "bench_nagle.so")}
        found += [("large", ["-ORBFragmentSize", "8192"], {}, "/fragments"), ("after-one-way", [], nagle, "/nagle")]
    return [(["--operations", what, *calls, *options], environment, behind) for what, options, environment, behind in found]


def measure(context, failed, number, wire, ends):
    for system in pairs.here(context, SYSTEMS):
        with failed.noted(system, f"{wire.name} ttcp"), Pair(context, system, "ttcp", ends) as pair:
            context.progress(SUITE, f"round {number}: {wire.name} {system}")
            found = pair.run(*flood_options(context, wire), seconds=context.pick(60, 120, 300))
            pairs.add(context, SUITE, system, f"{wire.name}/ttcp", number, found)
        if system in NO_CALLS:
            continue
        with failed.noted(system, f"{wire.name} calls"), Pair(context, system, "param_test", ends) as pair:
            pairs.add(context, SUITE, system, f"{wire.name}/call", number, pair.run(*call_options(context, wire), seconds=120))
    if not has_far(wire):
        return
    for system in pairs.here(context, FAR_SYSTEMS):
        for options, environment, behind in variants(context, system):
            with failed.noted(system, f"{wire.name} far{behind}"), Pair(context, system, "far", ends, environment) as pair:
                pairs.add(context, SUITE, system, f"{wire.name}/far", number, pair.run(*options, seconds=120), behind)


def add_shares(context, number, wire):
    """The best of all sizes, beside that of C sockets."""
    best = {}
    for (suite, system, case, metric), values in context.results.values.items():
        parts = case.split("/")
        if suite == SUITE and metric == "gbit_s" and parts[:2] == [wire.name, "ttcp"] and number in values:
            best[system, parts[2]] = max(best.get((system, parts[2]), 0.0), values[number])
    for (system, kind), value in best.items():
        if system != FLOOR and best.get((FLOOR, kind)):
            context.results.add(SUITE, system, f"{wire.name}/share/{kind}", "share", value / best[FLOOR, kind], number)


def run(context):
    why = namespaces.lacking()
    if why:
        for system in filter(context.wants, SYSTEMS):
            context.results.missing(SUITE, system, why)
        return
    pairs.present(context, SUITE, (*SYSTEMS, *DEFERRED))
    failed = pairs.Failed(context, SUITE)
    for number in range(rounds(context)):
        for wire in wires(context):
            if wire == LOOPBACK:
                measure(context, failed, number, wire, None)
            else:
                with failed.noted(JUDGED, wire.name), namespaces.link(wire, os.path.join(context.build, "bin", "bench_network_link")) as ends:
                    measure(context, failed, number, wire, ends)
            add_shares(context, number, wire)


def flood_rows(results):
    for case in results.cases(SUITE):
        link, what, *kind = case.split("/")
        value = results.median(SUITE, JUDGED, case, "share") if what == "share" else None
        if value is None:
            continue
        wire = BY_NAME[link]
        beside = [(s, results.median(SUITE, s, case, "share")) for s in SYSTEMS if s not in (JUDGED, FLOOR)]
        bar = (">=", FILLED) if 0 < wire.mbit <= FULL_MBIT + 5 and not wire.far else None
        yield Row("network: throughput, callis ÷ C sockets, the best of all sizes", f"{link}, {kind[0]}", value, "x", bar,
                  ", ".join([wire.words] + [f"{s.removeprefix('callis-')} {share:.2f}" for s, share in beside if share]))


def far_rows(results):
    section = f"network: round trips, callis over {BY_NAME[LONG].words}"
    trip = BY_NAME[LONG].round_trip_us
    for what, bar in (("call", ROUND_TRIP), ("after-one-way", ROUND_TRIP), ("after-one-way/nagle", None), ("one-ways", None), ("large", None),
                      ("large/fragments", None)):
        case = f"{LONG}/far/{what}"
        value = results.median(SUITE, JUDGED, case, "p50_us")
        beside = [(s, results.median(SUITE, s, case, "p50_us")) for s in FAR_SYSTEMS if s != JUDGED]
        if value is not None:
            yield Row(section, f"{what}: p50 ÷ the round trip", value / trip, "x", ("<=", bar) if bar else None,
                      ", ".join(f"{s} {us / trip:.2f}" for s, us in beside if us))
    case = f"{LONG}/far/pipelined"
    value = results.median(SUITE, DEFERRED[0], case, "p50_us")
    if value is not None:
        beside = [(s, results.median(SUITE, s, case, "p50_us")) for s in FAR_SYSTEMS if s != DEFERRED[0]]
        yield Row(section, "pipelined, 16 deferred calls of one thread: p50 ÷ the round trip", value / trip, "x", ("<=", PIPELINED),
                  ", ".join(f"{s} {us / trip:.2f}" for s, us in beside if us))
    case = f"{LONG}/far/together"
    value = results.median(SUITE, JUDGED, case, "calls_per_s")
    if value is not None:
        beside = [(s, results.median(SUITE, s, case, "calls_per_s")) for s in FAR_SYSTEMS if s != JUDGED]
        yield Row(section, "8 threads: calls in a round trip", value * trip / 1e6, "", (">=", 7.5),
                  ", ".join(f"{s} {n * trip / 1e6:.2f}" for s, n in beside if n))


def bars(results):
    return [*flood_rows(results), *far_rows(results)]
