# SPDX-License-Identifier: Apache-2.0
"""The papers' interpreter, their four steps and callis's engine, rung by rung (bench/ladder/README.md): in memory, over
ttcp, and instructions by function."""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "common"), os.path.join(HERE, "..", "tools")]
import callgrind  # noqa: E402
from pairs import Pair, values  # noqa: E402
from processes import Failure, pin  # noqa: E402
from report import Row  # noqa: E402

TITLE = "the papers' interpreter, their four steps and callis's engine"
NEEDS = ("programs",)
TYPES = ("short", "char", "long", "octet", "double", "BinStruct")
PROFILED = ("double", "BinStruct")  # those of the papers' tables
FACTORS = {"double": 1.9, "long": 3.3, "short": 4.0, "char": 5.0, "octet": 5.0, "BinStruct": 6.7}
RUNGS = ("original", "inlining", "precomputing", "receiver", "sender", "plan")
SYSTEMS = {rung: f"ladder-{rung}" for rung in RUNGS[:-1]} | {"plan": "callis-interpreted"}
BYTES = 65536
TOP_FUNCTIONS = 10


# ---- the three measurements of one rung ----

def memory_program(context, rung):
    path = os.path.join(context.build, "bin", f"ladder_memory_{rung}")
    if not os.path.exists(path):
        raise Failure("its programs have not been built")
    return path


def run_memory(context, rung):
    """{(case, metric): value} of all types in memory."""
    command = [memory_program(context, rung), "--bytes", str(BYTES), "--slice-us", str(context.pick(300, 10_000, 50_000))]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False,
                          preexec_fn=pin(context.cpus[1]))
    if done.returncode != 0:
        raise Failure(done.stderr.strip() or f"exit status {done.returncode}")
    return {(f"memory/{case}", metric): value for (case, metric), value in values(done.stdout).items()}


def run_ttcp(context, rung, placement):
    """The same for floods from process to process."""
    cpus = context.placements()[placement]
    sizes = context.pick("64K", "64K,128K", "1K,2K,4K,8K,16K,32K,64K,128K")
    megabytes = context.megabytes or context.pick(1, 8, 32)
    with Pair(context, f"ladder-{rung}", "ttcp", cpus) as pair:
        found = pair.run("--sizes", sizes, "--megabytes", megabytes, seconds=900)
    return {(f"{placement}/{case}", metric): value for (case, metric), value in found.items()}


def counted(context, rung, kind, direction, times):
    """What callgrind counts of a whole run with so many buffers."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={folder}/%p", memory_program(context, rung),
                   "--bytes", str(BYTES), "--types", kind, "--only", direction, "--count", str(times)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False,
                              env={**os.environ, **callgrind.ENVIRONMENT})
        if done.returncode != 0:
            raise Failure(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "callgrind failed")
        return callgrind.read_folder(folder)


def profile(context, rung, kind, direction):
    """{(function, library): Cost} of one buffer encoded, or decoded and freed."""
    few, many = (counted(context, rung, kind, direction, times) for times in (1, 3))
    return callgrind.difference(many, few, 2)


def by_function(costs):
    """[(name, Cost)] of the costly ones, most instructions first."""
    named = {}
    for (function, _), cost in costs.items():
        one = named.setdefault(callgrind.short(function).removeprefix("ladder::"), callgrind.Cost())
        one.instructions += cost.instructions
        one.calls += cost.calls
    return sorted(named.items(), key=lambda item: -item[1].instructions)[:TOP_FUNCTIONS]


def add_profiles(context, rung):
    types = context.pick(("BinStruct",), PROFILED, TYPES)
    for kind in types:
        for direction in ("encode", "decode"):
            costs = profile(context, rung, kind, direction)
            total = sum(cost.instructions for cost in costs.values())
            if total <= 0:
                raise Failure("callgrind counted nothing")
            case = f"memory/{kind}/{direction}"
            add = lambda name, metric, value: context.results.add("ladder", SYSTEMS[rung], name, metric, value)
            add(case, "instructions", total)
            for name, cost in by_function(costs):
                add(f"{case}/function/{name}", "instructions", cost.instructions)
                add(f"{case}/function/{name}", "calls", cost.calls)


# ---- the suite ----

def placements(context):
    return context.pick(("one-cpu",), ("one-cpu",), ("one-cpu", "two-cpu"))


def rounds(context):
    return context.pick(1, 2, 3)


def estimate(context):
    wanted = len(chosen(context))
    return wanted * (rounds(context) * context.pick(0.7, 5, 32) + context.pick(0.4, 3, 12))


def chosen(context):
    return [rung for rung in RUNGS if context.wants(SYSTEMS[rung])]


def run(context):
    rungs = chosen(context)
    for number in range(rounds(context)):
        for rung in list(rungs):
            context.progress("ladder", f"{rung}, round {number + 1} of {rounds(context)}")
            try:
                found = run_memory(context, rung)
                for placement in placements(context):
                    found |= run_ttcp(context, rung, placement)
            except Failure as e:
                context.results.missing("ladder", SYSTEMS[rung], str(e))
                rungs.remove(rung)
                continue
            for (case, metric), value in found.items():
                context.results.add("ladder", SYSTEMS[rung], case, metric, value, number)
    for rung in context.pick(rungs[-1:], rungs, rungs):
        context.progress("ladder", f"{rung}, instructions by function")
        try:
            add_profiles(context, rung)
        except (Failure, OSError) as e:
            context.results.missing("ladder", f"{SYSTEMS[rung]}, instructions", str(e))


def instructions(results, system, kind):
    """Of one buffer, both ways; None when they were not counted."""
    both = [results.median("ladder", system, f"memory/{kind}/{way}", "instructions") for way in ("encode", "decode")]
    return None if None in both else sum(both)


def bars(results):
    """Step 4 against the original; what callis's engine adds; and what of it arrives through TCP."""
    rows = []
    first, last, engine = (SYSTEMS[rung] for rung in ("original", "sender", "plan"))
    section = "ladder: in memory, 64 KB, encoding, decoding and freeing"
    for kind in TYPES:
        found = results.ratio("ladder", f"memory/{kind}/both", "gbit_s", last, first)
        if not found:
            continue
        wire = results.ratio("ladder", f"one-cpu/{kind}/64K", "gbit_s", last, first)
        note = f"{found[1]:.2f} to {found[2]:.2f}"
        if wire:
            note += f"; over ttcp, one CPU: {wire[0]:.2f}, where the system calls are in it too"
        executed = instructions(results, first, kind), instructions(results, last, kind)
        if None not in executed:
            note += f"; instructions: {executed[0] / executed[1]:.2f}"
        rows.append(Row(section, f"{kind}, step 4 ÷ original", found[0], "", (">=", FACTORS[kind]), note))
    for kind in TYPES:
        found = results.ratio("ladder", f"memory/{kind}/both", "gbit_s", engine, last)
        if not found:
            continue
        wire = results.ratio("ladder", f"one-cpu/{kind}/64K", "gbit_s", engine, last)
        note = f"{found[1]:.2f} to {found[2]:.2f}" + (f"; over ttcp, one CPU: {wire[0]:.2f}" if wire else "")
        rows.append(Row(section, f"{kind}, callis's engine ÷ step 4", found[0], note=note))
    return rows
