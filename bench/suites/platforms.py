# SPDX-License-Identifier: Apache-2.0
"""Platforms: instructions on x86-64, AArch64 and ARMv7, counted under QEMU's user-mode emulation. Counts, never times.

Cases, all metric instructions, of preset release's options by GCC:
    MACHINE/memory/OPERATION          a call of Param_Test within one process, both sides; by DII and DSI test_short alone
    MACHINE/tcp/test_short            a call over TCP, client and server; .../client and .../server are its parts
    MACHINE/ladder/TYPE               a buffer of 64 KB encoded, decoded and freed: the papers' interpreter, their last step, plans
    MACHINE/valgrind/OPERATION        the machine that measures: the same call counted by valgrind, to check the emulator's counts
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", folder) for folder in ("caches", "platforms")]
import cachegrind  # noqa: E402
import emulated  # noqa: E402
import toolchains  # noqa: E402
from pairs import Failed  # noqa: E402
from processes import Failure, program  # noqa: E402
from report import Row  # noqa: E402

SUITE = "platforms"
TITLE = "platforms: instructions of calls and marshaling on three kinds of processors"
NEEDS = ("programs", "platforms")
MACHINES = tuple(emulated.EMULATORS)
JUDGED, COMPILED = "callis-interpreted", "callis-compiled"
STYLES = {JUDGED: "interpreted", COMPILED: "compiled", "callis-dii": "dii"}
RUNGS = {"ladder-original": "original", "ladder-sender": "sender", JUDGED: "plan"}
OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct", "test_nested_struct",
              "test_struct_sequence")
TYPES = ("short", "char", "long", "octet", "double", "BinStruct")
AGREE = 0.05  # how far the emulator's count may be from valgrind's


def operations(context, system):
    """DII's caller has one."""
    return OPERATIONS[:1] if system == "callis-dii" else context.pick(OPERATIONS[:1], OPERATIONS, OPERATIONS)


def types(context):
    return context.pick(TYPES[-1:], ("double", "BinStruct"), TYPES)


def estimate(context):
    here = [m for m in MACHINES if not emulated.lacking(context.build, m)]
    return len(here) * context.pick(8, 60, 120)


def add_call(context, machine, system, operation):
    value = emulated.call_in_memory(context.build, machine, STYLES[system], operation, context.pick(100, 500, 2000))
    context.results.add(SUITE, system, f"{machine}/memory/{operation}", "instructions", value)


def add_tcp(context, machine):
    client, server = emulated.call_over_tcp(context.build, machine, "test_short", context.pick(100, 1000, 2000))
    for end, value in (("", client + server), ("/client", client), ("/server", server)):
        context.results.add(SUITE, JUDGED, f"{machine}/tcp/test_short{end}", "instructions", value)


def add_ladder(context, machine, system, kind):
    context.results.add(SUITE, system, f"{machine}/ladder/{kind}", "instructions",
                        emulated.marshaling(context.build, machine, RUNGS[system], kind, 2, 6))


def add_valgrind(context, machine, operation):
    """Counted in the same steps as under the emulator: a command of so many calls more."""
    why = cachegrind.lacking()
    if why:
        raise Failure(why)
    command = [program(context.build, "caller", STYLES[JUDGED]), "param_test", "--reference", "memory"]
    few, many = context.pick((20, 120), (100, 600), (200, 2200))
    found = cachegrind.a_step(lambda n: cachegrind.events(command, f"{operation} {emulated.WARM_UP}\n{operation} {n}\n"), few, many)
    context.results.add(SUITE, JUDGED, f"{machine}/valgrind/{operation}", "instructions", found["instructions"])


def run(context):
    failed = Failed(context, SUITE)
    for machine in MACHINES:
        why = emulated.lacking(context.build, machine)
        if why:
            context.results.missing(SUITE, f"{JUDGED} {machine}", why)
            continue
        for system in filter(context.wants, STYLES):
            for operation in operations(context, system):
                context.progress(SUITE, f"{machine} {system} {operation}")
                with failed.noted(system, f"{machine} {operation}"):
                    add_call(context, machine, system, operation)
        if context.wants(JUDGED):
            with failed.noted(JUDGED, f"{machine} TCP"):
                add_tcp(context, machine)
        for system in filter(context.wants, RUNGS):
            for kind in types(context):
                with failed.noted(system, f"{machine} {kind}"):
                    add_ladder(context, machine, system, kind)
        if machine == toolchains.NATIVE and context.wants(JUDGED):
            with failed.noted(JUDGED, "valgrind"):
                add_valgrind(context, machine, "test_short")


def ratio_rows(results):
    for machine in MACHINES:
        for operation in OPERATIONS:
            of = {s: results.median(SUITE, s, f"{machine}/memory/{operation}", "instructions") for s in STYLES}
            if of[JUDGED] and of[COMPILED]:
                yield Row("platforms: instructions of a call in one process, interpreted ÷ compiled stubs", f"{machine}, {operation}",
                          of[JUDGED] / of[COMPILED], "x", None, ", ".join(f"{s.removeprefix('callis-')} {n:,.0f}" for s, n in of.items() if n))


def bars(results):
    rows = list(ratio_rows(results))
    for machine in MACHINES:
        sides = [results.median(SUITE, JUDGED, f"{machine}/tcp/test_short{end}", "instructions") for end in ("", "/client", "/server")]
        if sides[0]:
            rows.append(Row("platforms: instructions of test_short over TCP, both sides", machine, sides[0], "", None,
                            f"client {sides[1]:,.0f}, server {sides[2]:,.0f}"))
        counted, other = (results.median(SUITE, JUDGED, f"{machine}/{how}/test_short", "instructions") for how in ("memory", "valgrind"))
        if counted and other:
            rows.append(Row("platforms: how far the emulator's count is from valgrind's", f"{machine}, test_short", abs(counted / other - 1),
                            "", ("<=", AGREE), f"{counted:,.1f} and {other:,.1f}"))
    return rows
