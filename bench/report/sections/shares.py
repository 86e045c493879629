# SPDX-License-Identifier: Apache-2.0
"""Where the time goes, kernel and user, in the form of SIGCOMM'96's Tables 2 and 3."""
import look
import shared

SUITE = "shares"
METRIC = "share"


def parse(case):
    """(what, side, name) of KIND/WHAT/SIDE/NAME; None for another."""
    parts = case.split("/", 3)
    return (f"{parts[0]}: {parts[1]}", parts[2], parts[3]) if len(parts) == 4 and parts[0] in ("flood", "calls") else None


def understood(_system, case, metric):
    return parse(case) is not None and metric == METRIC


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
                    rows.append([look.label(system), found[0], found[2].replace("/", ": ", 1), shared.percent(value)])
        if rows:
            report.page.start("beside")
            report.page.table(["system", "what", "function", "%"], rows, f"The {side}'s time by function; the form of SIGCOMM'96, Table "
                              f"{2 if side == 'sender' else 3}.", labels=3)
            shared.paper_table(report, "sigcomm96", "table2" if side == "sender" else "table3")
            report.page.end()
    shared.leftovers(report, SUITE, understood)
    shared.closing(report, SUITE)
