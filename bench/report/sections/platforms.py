# SPDX-License-Identifier: Apache-2.0
"""Instructions on three kinds of processors, beside the times of INFOCOM'99's three platforms (Tables 2 to 4)."""
import look
import shared

SUITE, METRIC = "platforms", "instructions"
MACHINES = {"x86-64": "x86-64", "aarch64": "AArch64", "armv7": "ARMv7"}
KINDS = ("memory", "tcp", "ladder", "valgrind")
STYLES = ("callis-interpreted", "callis-compiled", "callis-dii")
RUNGS = ("ladder-original", "ladder-sender", "callis-interpreted")
PAPER = ("table2", "table3", "table4")


def parse(case):
    """(machine, kind, what) of MACHINE/KIND/WHAT; None for another."""
    parts = case.split("/", 2)
    return tuple(parts) if len(parts) == 3 and parts[0] in MACHINES and parts[1] in KINDS else None


def understood(_system, case, metric):
    return parse(case) is not None and metric == METRIC


def build(report):
    if not shared.opening(report, SUITE, "platforms: three kinds of processors", (
            "User instructions, counted by a plugin of QEMU that runs the programs of all three; the kernel's are not in it. These are counts "
            "and say nothing about time: a processor runs several instructions at once, and waits for memory. INFOCOM'99 had times of an "
            "UltraSPARC, and of Pentium Pros with Windows NT and Linux.")):
        _papers(report)
        return
    machines = look.ordered([p[0] for p in map(parse, report.results.cases(SUITE)) if p], MACHINES)
    _calls(report, machines)
    _table(report, machines, "memory", [(s, o) for o in look.OPERATIONS for s in STYLES], "A call within one process, both sides.")
    _table(report, machines, "tcp", [("callis-interpreted", f"test_short{end}") for end in ("", "/client", "/server")],
           "A call of three shorts over TCP, both sides and each.")
    _table(report, machines, "ladder", [(s, t) for t in look.TYPES for s in RUNGS],
           "A buffer of 64 KB encoded, decoded and freed: the papers' interpreter, their last step, callis's plans.")
    shared.leftovers(report, SUITE, understood)
    _papers(report)
    shared.closing(report, SUITE)


def _value(report, system, machine, kind, what):
    return report.results.value(SUITE, system, f"{machine}/{kind}/{what}", METRIC)


def _calls(report, machines):
    """Interpreted ÷ compiled, a dot a machine: what the papers' three columns come to."""
    series = []
    for n, machine in enumerate(machines):
        found = {o: shared.ratio(*(_value(report, s, machine, "memory", o) for s in STYLES[:2])) for o in look.OPERATIONS}
        series.append((look.other_style(MACHINES[machine], n), {o: v for o, v in found.items() if v}))
    if any(values for _, values in series):
        report.page.figure(report.draw.dots([o for o in look.OPERATIONS if any(o in v for _, v in series)], series,
                                            "instructions of interpreted against compiled stubs", "instructions, interpreted ÷ compiled stubs",
                                            log=False, reference=1.0),
                           "Instructions of a call in one process, interpreted stubs divided by compiled stubs, on three processors.",
                           "figure-platforms")


def _table(report, machines, kind, wanted, caption):
    rows = []
    for system, what in wanted:
        values = [_value(report, system, machine, kind, what) for machine in machines]
        if any(values):
            rows.append([what, look.label(system), *(shared.plain_cell(v and v.median) for v in values)])
    if rows:
        report.page.table(["of", "system", *(MACHINES[m] for m in machines)], rows, f"{caption} Instructions.", labels=2)


def _papers(report):
    report.page.start("beside")
    for name in PAPER:
        shared.paper_table(report, "infocom99", name)
    report.page.end()
