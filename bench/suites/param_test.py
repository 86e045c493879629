# SPDX-License-Identifier: Apache-2.0
"""Param_Test: the latency of seven two-way operations, over TCP in three placements and, for callis, over memory."""
import pairs
from report import Row

SUITE = "param_test"
TITLE = "Param_Test: latency of calls with seven kinds of arguments"
NEEDS = ("programs", "peers")
OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence")
# raw and callis-shared, the same with the shared library, stand beside callis-interpreted: bars are ratios of two within a round.
SYSTEMS = ("callis-interpreted", "raw", "callis-shared", "omniorb", "callis-dii", "omniorb-dii", "jacorb-dii", "callis-compiled",
           "callis-hybrid", "ice", "grpc", "capnp", "jacorb", "ace", "rpc")
DYNAMIC, THEIRS = "callis-dii", ("omniorb-dii", "jacorb-dii")  # DII clients of DSI servers
CALLIS = ("callis-interpreted", "callis-compiled", "callis-hybrid")
FLOOR = {"test_short": 1.05, "test_unbounded_string": 1.08, "test_fixed_struct": 1.06, "test_strseq": 1.25,
         "test_var_struct": 1.30, "test_nested_struct": 1.30, "test_struct_sequence": 3.0}
BARRED = SYSTEMS[:7]  # what the bars are about; these have more rounds than the others
JUDGED, SHARED = "callis-interpreted", "callis-shared"
TIMEOUT = {"tiny": 60, "quick": 60, "full": 300}


def rounds(context):
    """(of the systems that bars are about, of the others)"""
    return context.pick((1, 1), (5, 2), (11, 4))


def calls(context):
    return context.pick(20, 2000, 10000)


def placements(context):
    every = context.placements()
    return {"one-cpu": every["one-cpu"]} if context.scale == "tiny" else every


def estimate(context):
    of_barred, of_others = rounds(context)
    runs = sum(of_barred if s in BARRED else of_others for s in pairs.here(context, SYSTEMS)) * len(placements(context))
    return runs * context.pick(0.3, 1, 3.2)


def measure(context, system, place, cpus):
    """What a client finds; over memory its server is in its own process."""
    options = ("--calls", calls(context))
    if place == "memory":
        return pairs.alone(context, system, SUITE, cpus[1], *options, seconds=TIMEOUT[context.scale])
    with pairs.Pair(context, system, SUITE, cpus) as pair:
        return pair.run(*options, seconds=TIMEOUT[context.scale])


def run(context):
    """Systems are the innermost loop, so that those which are compared have seen the same machine."""
    systems = pairs.present(context, SUITE, SYSTEMS)
    failed = pairs.Failed(context, SUITE)
    for n in range(max(rounds(context))):
        for place, cpus in {**placements(context), "memory": context.placements()["one-cpu"]}.items():
            for system in CALLIS if place == "memory" else SYSTEMS:
                if system not in systems or n >= rounds(context)[system not in BARRED] or failed.has(system, place):
                    continue
                context.progress(SUITE, f"round {n}: {system} {place}")
                with failed.noted(system, place):
                    pairs.add(context, SUITE, system, place, n, measure(context, system, place, cpus))


def others(results, case, base, systems):
    """What the other systems reached, for the notes."""
    found = [(s, results.ratio(SUITE, case, "p50_us", s, base)) for s in systems]
    return ", ".join(f"{s.removeprefix('callis-')} {r[0]:.2f}" for s, r in found if r)


def row(results, section, case, other, limit, systems):
    ratio = results.ratio(SUITE, case, "p50_us", JUDGED, other)
    mine, its = (results.median(SUITE, s, case, "p50_us") for s in (JUDGED, other))
    note = f"{mine:.2f} ÷ {its:.2f} us, {ratio[1]:.3f} to {ratio[2]:.3f}" if ratio else "not measured"
    rest = others(results, case, other, systems)
    return Row(section, case, ratio[0] if ratio else None, "x", ("<=", limit), f"{note}; {rest}" if rest else note)


def shared_row(results, case):
    """What the shared library costs."""
    ratio = results.ratio(SUITE, case, "p50_us", SHARED, JUDGED)
    shared, static = (results.median(SUITE, s, case, "p50_us") for s in (SHARED, JUDGED))
    note = f"{shared:.2f} ÷ {static:.2f} us, {ratio[1]:.3f} to {ratio[2]:.3f}" if ratio else "not measured"
    return Row("Param_Test, one CPU: p50, callis by its shared library ÷ by the static one", case, ratio[0] if ratio else None,
               "x", ("<=", 1.03), note)


def dynamic_row(results, case, other, dynamic, least):
    """How much as fast DII and DSI are as something else."""
    ratio = results.ratio(SUITE, case, "p50_us", other, dynamic)
    its, mine = (results.median(SUITE, s, case, "p50_us") for s in (other, dynamic))
    note = f"{its:.2f} ÷ {mine:.2f} us, {ratio[1]:.3f} to {ratio[2]:.3f}" if ratio else "not measured"
    return Row(f"Param_Test, one CPU, DII to DSI: p50, {other} ÷ {dynamic}", case, ratio[0] if ratio else None, "x",
               (">=", least), note)


def bars(results):
    beside = [s for s in SYSTEMS if s not in (JUDGED, "raw")]
    if not results.cases(SUITE):
        return []
    rows = [row(results, "Param_Test, one CPU: p50, callis ÷ raw ping-pong of the same bytes", f"one-cpu/{o}", "raw", limit,
                beside) for o, limit in FLOOR.items()]
    rows += [shared_row(results, f"one-cpu/{o}") for o in OPERATIONS]
    rows += [dynamic_row(results, f"one-cpu/{o}", JUDGED, DYNAMIC, 0.8) for o in OPERATIONS]
    rows += [dynamic_row(results, f"one-cpu/{o}", its, DYNAMIC, 2.0) for its in THEIRS for o in OPERATIONS]
    measured = set(case.split("/")[0] for case in results.cases(SUITE))
    for other in ("raw", "omniorb"):
        section = f"Param_Test, two CPUs: p50, callis ÷ {other}"
        if "two-cpu" in measured:
            rows += [row(results, section, f"two-cpu/{o}", other, 1.0, beside if other == "raw" else ()) for o in OPERATIONS]
    return rows
