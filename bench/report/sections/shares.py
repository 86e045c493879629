# SPDX-License-Identifier: Apache-2.0
"""Where the time goes, kernel and user, in the form of SIGCOMM'96's Tables 2 and 3."""
import look
import shared

SUITE = "shares"
METRIC = "share"
CALL = "call/"  # before a system call's name and size


def parse(case):
    """(what, side, name) of KIND/WHAT/SIDE/NAME; None for another."""
    parts = case.split("/", 3)
    return (f"{parts[0]}: {parts[1]}", parts[2], parts[3]) if len(parts) == 4 and parts[0] in ("flood", "calls") else None


def understood(_system, case, metric):
    found = parse(case)
    return found is not None and metric in (("calls",) if found[2].startswith(CALL) else (METRIC, "ms"))


def build(report):
    if not shared.opening(report, SUITE, "shares: where the time goes", (
            "Shares of a side's processor time, by samples: system calls with all that the kernel does for them, and user functions. Over "
            "loopback the kernel does much of the receiver's work within the sender's call. SIGCOMM'96 measured the same by Quantify.")):
        return
    for side in ("sender", "receiver"):
        rows = []
        for system in look.systems_in_order(report.results.systems(SUITE)):
            for case in report.results.cases(SUITE):
                found, value = parse(case), report.results.median(SUITE, system, case, METRIC)
                if found and found[1] == side and value is not None and "/" in found[2]:
                    ms = report.results.median(SUITE, system, case, "ms")
                    rows.append([look.label(system), found[0], found[2].replace("/", ": ", 1), shared.plain_cell(ms), shared.percent(value)])
        if rows:
            report.page.start("beside")
            report.page.table(["system", "what", "function", "ms", "%"], rows, f"The {side}'s time by function, of 64 MB and of 2,000 calls; the form of SIGCOMM'96, Table "
                              f"{2 if side == 'sender' else 3}.", labels=3)
            shared.paper_table(report, "sigcomm96", "table2" if side == "sender" else "table3")
            report.page.end()
    _system_calls(report)
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)


def _system_calls(report):
    """By name and size, as truss showed them."""
    rows = {}
    for system in look.systems_in_order(report.results.systems(SUITE)):
        for case in report.results.cases(SUITE, "calls"):
            what, side, name = parse(case) or ("", "", "")
            value = report.results.value(SUITE, system, case, "calls")
            if name.startswith(CALL) and value is not None:
                call, size = name.removeprefix(CALL).rsplit("/", 1)
                rows.setdefault((look.label(system), what, call, size), {})[side] = value.median
    if rows:
        cells = [[*labels, *(shared.plain_cell(sides.get(side)) for side in ("sender", "receiver"))] for labels, sides in rows.items()]
        report.page.details("System calls by size")
        report.page.table(["system", "what", "call", "bytes", "sender", "receiver"], cells, "System calls of 64 MB of a flood in buffers of 128 KB, and "
                          "of a call; bytes: the nearest power of two to what each moved. SIGCOMM'96 has such counts of truss in its text.", labels=4)
        report.page.end_details()
