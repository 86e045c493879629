# SPDX-License-Identifier: Apache-2.0
"""Sizes: what generated stubs and skeletons, callis's libraries and a whole program take, in bytes.

Cases, each ARCH/COMPILER/LEVEL/...:
    OPERATION/stub|skeleton|operators|tables     what an operation of Param_Test adds; "all": the seven in one interface
    OPERATION/skeleton/alone                     callis: x_skel.cpp without what it takes of x.cpp
    OPERATION/ram                                writable data of the stub, and plans on the heap (sizes/plans.py)
    OPERATION/stub|skeleton/whole                the same with the plans on the heap: what a program needs in all
    cos/SERVICE/stub|skeleton                    a whole service
    xviii/SERVICE/stub|skeleton                  those of JSAC'99's Table XVIII, with callis's own IDL
    xviii/SERVICE/structures|sequences|operations   what its IDL declares
    library/NAME/code|rodata|data|eh             all objects of a library
    library/NAME/object/OBJECT/code|...          those of cdr and marshal one by one
    program/LIBRARY/code|rodata|data|eh          what the minimal program has of a library
    profile/micro|micro_client|micro_server      what a program of the micro profile has of callis, text and read-only data
"""
import concurrent.futures
import json
import os
import shutil
import sys
import tempfile

from processes import Failure
from report import Row

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "sizes"))
import generated  # noqa: E402
import interfaces  # noqa: E402
import libraries  # noqa: E402
import objects  # noqa: E402
import operations  # noqa: E402
import plans  # noqa: E402
import services  # noqa: E402
import table_xviii  # noqa: E402
import toolchains  # noqa: E402

PAPER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "papers", "jsac99.json")
SUITE = "sizes"
TITLE = "bytes of stubs, skeletons, libraries and a program"
NEEDS = ("sizes",)
RATIO_BARS = {"stub": 0.25, "skeleton": 0.35}
SMALL = ("test_short", "test_strseq")
KB = 1000  # the stricter reading
HOME = f"{toolchains.NATIVE}/gcc"  # what bars are about
STYLES = ("callis-interpreted", "callis-compiled")


def plan(context, toolchain):
    """[(level, operations)] for a toolchain."""
    home = toolchain.name == HOME
    everything = [*interfaces.OPERATIONS, interfaces.ALL]
    if context.scale == "tiny":
        return [("-Os", SMALL)] if home else []
    if context.scale == "quick" and not home:
        return [("-Os", ["test_strseq"])]
    return [(level, everything) for level in generated.LEVELS]


def services_measured(context):
    """{service: file}"""
    few = context.pick((), ("CosNaming", "CosTime"), None)
    return {name: file for name, file in services.files().items() if few is None or name in few}


def estimate(context):
    return context.pick(10, 60, 420)


# ---- measuring ----

def add(context, system, target, case, value):
    context.results.add(SUITE, system, f"{target}/{case}", "bytes", value)


def plans_on_the_heap(context, chosen):
    """{operation: bytes} with interpreted stubs. Nothing if they cannot be measured, which is reported."""
    context.progress(SUITE, "plans on the heap")
    try:
        return {o: plans.of_all(context.build) if o == interfaces.ALL else plans.of_operation(context.build, o) for o in chosen}
    except (Failure, OSError) as e:
        context.results.missing(SUITE, "plans", str(e))
        return {}


def add_operations(context, target, measured, heap):
    """heap: what plans take of it, by operation; nothing for targets whose programs do not run here."""
    for (operation, system, part), sums in measured.items():
        if part in ("stub", "skeleton") and operation in heap:
            more = heap[operation] if system == STYLES[0] else 0
            add(context, system, target, f"{operation}/{part}/whole", objects.footprint(sums) + more)
            if part == "stub":
                add(context, system, target, f"{operation}/ram", sums["data"] + sums["bss"] + more)
        name = {"alone": "skeleton/alone"}.get(part, part)
        add(context, system, target, f"{operation}/{name}", objects.footprint(sums))
        add(context, system, target, f"{operation}/{name}/eh", sums["eh"])
        if part == "stub":
            add(context, system, target, f"{operation}/operators", sums["operators"])
            add(context, system, target, f"{operation}/tables", objects.tables(sums))


def add_service(context, target, system, service, measured):
    for part in ("stub", "skeleton"):
        add(context, system, target, f"cos/{service}/{part}", objects.footprint(measured[part]))


def systems_of(context, scratch):
    found = []
    for system in (*(generated.Callis(context.build, s.removeprefix("callis-")) for s in STYLES), generated.OmniOrb(scratch)):
        why = system.missing()
        if why:
            context.results.missing(SUITE, system.name, why)
        elif context.wants(system.name):
            found.append(system)
    return found


def usable(context, toolchain, systems):
    """The systems that this toolchain can be measured with; what it cannot is reported."""
    if not plan(context, toolchain):
        return []
    why = toolchain.missing()
    if why:
        context.results.missing(SUITE, toolchain.name, why)
        return []
    for system in systems:
        if system.missing(toolchain):
            context.results.missing(SUITE, f"{system.name} {toolchain.name}", system.missing(toolchain))
    return [s for s in systems if not s.missing(toolchain)]


def report_refusals(context, systems):
    """Every service that callis-idl does not compile is reported with its words, also those that are not measured now."""
    if not services.files():
        context.results.missing(SUITE, "cos", f"no IDL files in {services.FOLDER}/COS: omniorb-idl is not installed")
    for system in systems if context.scale != "tiny" else ():
        for name, file in services.files().items() if system.name == STYLES[0] else ():
            why = services.refusal(system, file)
            if why:
                context.results.missing(SUITE, f"{system.name} cos/{name}", why)


def start_services(context, pool, shop, systems):
    """Puts the services into the pool; a function that waits and adds what was found. What callis refuses has omniORB's
    sizes only."""
    jobs = {(s.name, name): shop.start(pool, s, services.sizes, shop, s, name, file)
            for name, file in services_measured(context).items() for s in systems if not services.refusal(s, file)}

    def finish():
        for (system, name), job in jobs.items():
            try:
                add_service(context, f"{shop.toolchain.name}/{shop.level}", system, name, job.result())
            except OSError as e:
                context.results.missing(SUITE, f"{system} cos/{name}", services.reason(e))
    return finish


def start_table_xviii(context, pool, shop, systems):
    """The same for the services of the papers' table."""
    idl = os.path.join(context.build, "bin", "callis-idl")
    chosen = table_xviii.services()
    if context.scale == "tiny":
        chosen = {name: chosen[name] for name in ("Naming",)}
    jobs = {(s.name, name): shop.start(pool, s, table_xviii.sizes, shop, s, idl, name, files)
            for name, files in chosen.items() for s in systems}

    def finish():
        target = f"{shop.toolchain.name}/{shop.level}"
        for name, files in chosen.items() if STYLES[0] in {s.name for s in systems} else ():
            for what, n in table_xviii.counts(idl, files).items():
                context.results.add(SUITE, STYLES[0], f"{target}/xviii/{named(name)}/{what}", "declared", n)
        for (system, name), job in jobs.items():
            try:
                for part, n in job.result().items():
                    add(context, system, target, f"xviii/{named(name)}/{part}", n)
            except OSError as e:
                context.results.missing(SUITE, f"{system} xviii/{named(name)}", services.reason(e))
        for name in table_xviii.SERVICES.keys() - table_xviii.services().keys():
            context.results.missing(SUITE, f"xviii/{named(name)}", "its IDL is not in services/ yet")
    return finish


def named(service):
    """As a part of a case's name."""
    return service.replace("/", "")


def measure_generated(context, scratch):
    systems = systems_of(context, scratch)
    report_refusals(context, systems)
    chosen = SMALL if context.scale == "tiny" else [*interfaces.OPERATIONS, interfaces.ALL]
    heap = plans_on_the_heap(context, chosen) if STYLES[0] in {s.name for s in systems} else {}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        started = []
        for toolchain in toolchains.every():
            able = usable(context, toolchain, systems)
            for level, chosen in plan(context, toolchain) if able else ():
                shop = generated.Shop(toolchain, level, scratch)
                finish = operations.start(pool, shop, able, chosen)
                home = toolchain.name == HOME and level == "-Os"
                others = [start(context, pool, shop, able) for start in (start_services, start_table_xviii)] if home else []
                started.append((shop, finish, others))
        for shop, finish, others in started:
            target = f"{shop.toolchain.name}/{shop.level}"
            context.progress(SUITE, f"generated code, {target}")
            add_operations(context, target, finish(), heap if shop.toolchain.name == HOME else {})
            for finish_other in others:
                finish_other()


def measure_libraries(context):
    for level, build in (("-Os", context.minsize), ("-O2", context.build)):
        target = f"{HOME}/{level}"
        for component in libraries.COMPONENTS:
            try:
                members = libraries.library(build, component)
            except OSError:
                context.results.missing(SUITE, f"library/{component} {level}", f"it has not been built in {build}")
                continue
            for kind, n in libraries.total(members).items():
                add(context, STYLES[0], target, f"library/{component}/{kind}", n)
            for name, sums in members.items() if component in ("cdr", "marshal") else ():
                add(context, STYLES[0], target, f"library/{component}/object/{name}/code", sums["code"])


def measure_program(context):
    try:
        for library, sums in sorted(libraries.program(context.minsize).items()):
            for kind, n in sums.items():
                add(context, STYLES[0], f"{HOME}/-Os", f"program/{library}/{kind}", n)
    except OSError:
        context.results.missing(SUITE, "program", f"footprint_minimal has not been built in {context.minsize}")
    for name in libraries.MICRO:
        try:
            add(context, STYLES[0], f"{HOME}/-Os", f"profile/{name}", libraries.micro_program(context.minsize, name))
        except OSError:
            context.results.missing(SUITE, f"profile/{name}", f"footprint_{name} has not been built in {context.minsize}")


def run(context):
    scratch = tempfile.mkdtemp(prefix="callis-sizes-")
    try:
        measure_generated(context, scratch)
    finally:
        shutil.rmtree(scratch)
    if context.wants(STYLES[0]):
        measure_libraries(context)
        measure_program(context)


# ---- rows ----

class Reader:
    """Values of one target."""

    def __init__(self, results, target):
        self.results, self.target = results, target

    def of(self, system, case):
        return self.results.median(SUITE, system, f"{self.target}/{case}", "bytes")

    def ratio(self, case):
        few, many = (self.of(s, case) for s in STYLES)
        return few / many if few is not None and many else None


def operation_row(read, section, operation, part, limit):
    case = f"{operation}/{part}"
    few, many, omni = (read.of(s, case) for s in (*STYLES, "omniorb"))
    if few is None or many is None:
        return Row(section, operation, None, "", limit, "not measured")
    note = f"{few:,} ÷ {many:,} bytes"
    if omni:
        note += f"; omniORB {omni:,}"
    if part == "stub":
        note += f"; interpreted: tables {read.of(STYLES[0], operation + '/tables')}"
        note += f"; compiled: operators {read.of(STYLES[1], operation + '/operators')}"
    else:
        note += f"; x_skel.cpp alone {read.of(STYLES[0], case + '/alone')} ÷ {read.of(STYLES[1], case + '/alone')}"
    note += f"; unwinding tables {read.of(STYLES[0], case + '/eh')} ÷ {read.of(STYLES[1], case + '/eh')}"
    name = "all in one interface" if operation == interfaces.ALL else operation
    return Row(section, name, read.ratio(case), "", limit, note)


def operation_rows(results):
    rows = []
    measured = set(results.cases(SUITE))
    for part, bar in RATIO_BARS.items():
        for level in generated.LEVELS:
            read = Reader(results, f"{HOME}/{level}")
            for operation in [o for o in (*interfaces.OPERATIONS, interfaces.ALL) if f"{read.target}/{o}/{part}" in measured]:
                rows.append(operation_row(read, f"{part}s {level}: bytes that an operation adds, with tables or helpers, "
                                                "interpreted ÷ compiled", operation, part,
                                          None if operation == interfaces.ALL else ("<=", bar)))
    read = Reader(results, f"{HOME}/-Os")
    for operation in (*interfaces.OPERATIONS, interfaces.ALL):
        few, many = (read.of(s, f"{operation}/stub/whole") for s in STYLES)
        if None not in (few, many):
            rows.append(Row("stubs -Os and plans on the heap, interpreted ÷ compiled", operation, few / many, "", None,
                            f"{few:,} ÷ {many:,} bytes; writable: {read.of(STYLES[0], f'{operation}/ram'):,} ÷ "
                            f"{read.of(STYLES[1], f'{operation}/ram'):,}"))
    both = [read.of(STYLES[0], f"test_short/{part}") for part in ("stub", "skeleton/alone")]
    rows.append(Row("test_short, interpreted, -Os", "stub, skeleton and tables", None if None in both else sum(both), "bytes",
                    ("<=", 200), "stub {}, of which tables {}; skeleton {}".format(
                        both[0], read.of(STYLES[0], "test_short/tables"), both[1])))
    return rows


def other_rows(results):
    """For information: interpreted ÷ compiled with other targets, and the services."""
    rows = []
    for case in results.cases(SUITE):
        arch, compiler, level, name, *part = case.split("/")
        if name == "xviii":
            continue
        read = Reader(results, f"{arch}/{compiler}/{level}")
        omni = results.median(SUITE, "omniorb", case, "bytes")
        values = [results.median(SUITE, s, case, "bytes") for s in STYLES]
        note = "{:,} ÷ {:,} bytes".format(*values) if None not in values else "not measured"
        note += f"; omniORB {omni:,}" if omni else ""
        if read.target.startswith(HOME) and name == "cos":
            rows.append(Row(f"object services {level}: whole files, interpreted ÷ compiled", "/".join(part),
                            read.ratio("/".join([name, *part])), "", None, note))
        elif not read.target.startswith(HOME) and part in (["stub"], ["skeleton"]):
            rows.append(Row("other compilers and machines: interpreted ÷ compiled", case, read.ratio(f"{name}/{part[0]}"), "",
                            None, note))
    return rows


def table_xviii_rows(results):
    """What today's IDL declares, beside the papers' numbers, and the bytes of its code."""
    read = Reader(results, f"{HOME}/-Os")
    rows = []
    with open(PAPER, encoding="utf-8") as f:
        then = {row[0]: row[1:] for row in json.load(f)["tables"]["tablexviii"]["rows"]}
    for service in then:
        case = f"xviii/{named(service)}"
        declared = [results.median(SUITE, STYLES[0], f"{read.target}/{case}/{what}", "declared") for what in table_xviii.COUNTS]
        if None in declared:
            continue
        words = "{:.0f} structures, {:.0f} sequences, {:.0f} operations and attributes".format(*declared)
        words += " (then {}, {}, {})".format(*then[service])
        for part in ("stub", "skeleton"):
            few, many, omni = (read.of(s, f"{case}/{part}") for s in (*STYLES, "omniorb"))
            note = f"{few:,} ÷ {many:,} bytes" if None not in (few, many) else "not measured"
            note += f"; omniORB {omni:,}" if omni else ""
            rows.append(Row("JSAC'99, Table XVIII, with today's IDL -Os: interpreted ÷ compiled", f"{service}/{part}",
                            read.ratio(f"{case}/{part}"), "", None, f"{note}; {words}"))
    return rows


def library_rows(results):
    section = "libraries, preset minsize: all objects, used or not"
    read = Reader(results, f"{HOME}/-Os")
    rows, text = [], 0
    for component in libraries.COMPONENTS:
        code, rodata, data, eh = (read.of(STYLES[0], f"library/{component}/{k}") for k in ("code", "rodata", "data", "eh"))
        if code is None:
            continue
        rows.append(Row(section, component, code, "bytes", None,
                        f"read-only data {rodata:,}, data {data:,}, unwinding tables {eh:,}"))
        text += code if component in ("cdr", "marshal") else 0
    return rows + [Row(section, "cdr and marshal, text", text or None, "bytes", ("<=", 25 * KB))]


def program_rows(results):
    section = "minimal client and server, static, preset minsize: what callis has in it"
    prefix = f"{HOME}/-Os/program/"
    read = Reader(results, f"{HOME}/-Os")
    rows, text, rodata = [], None, 0
    for library in dict.fromkeys(c.removeprefix(prefix).split("/")[0] for c in results.cases(SUITE) if c.startswith(prefix)):
        values = {k: read.of(STYLES[0], f"program/{library}/{k}") for k in ("code", "rodata", "data", "eh")}
        ours = library != libraries.footprint.SYSTEM
        if ours:
            text, rodata = (text or 0) + values["code"], rodata + values["rodata"]
        rows.append(Row(section, library if ours else "libc, libstdc++, libgcc: not counted", values["code"], "bytes", None,
                        "read-only data {rodata:,}, data {data:,}, unwinding tables {eh:,}".format(**values)))
    return rows + [Row(section, "callis, text", text, "bytes", ("<=", 100 * KB),
                       f"with read-only data {(text or 0) + rodata:,}")]


def micro_rows(results):
    read = Reader(results, f"{HOME}/-Os")
    return [Row("micro profile, static, preset minsize: text and read-only data of callis", what, read.of(STYLES[0], f"profile/{name}"),
                "bytes", ("<=", most)) for name, (what, most) in libraries.MICRO.items()]


def bars(results):
    if not results.cases(SUITE):
        return []
    return operation_rows(results) + other_rows(results) + table_xviii_rows(results) + library_rows(results) + \
        program_rows(results) + micro_rows(results)
