#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call costs in things that can be counted, for client and server over TCP: user instructions (callgrind),
heap allocations and lock operations (tools/counter.cpp), system calls (strace). Always the difference between two
points of steady state, divided by the calls between them, so starting and warming up do not count."""
import argparse
import os
import re
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
from pairs import OURS, Pair  # noqa: E402
from processes import Caller, Failure  # noqa: E402
from report import say  # noqa: E402
from suite import Context  # noqa: E402

WARM_UP = 200  # calls before anything counts
CPU = max(os.sched_getaffinity(0))  # of both: the tools slow processes down, and a wait that spins would count as work
SENDS = ("sendto", "sendmsg", "write", "writev", "sendmmsg")
RECEIVES = ("recvfrom", "recvmsg", "read", "readv", "recvmmsg")


def seen(count, what):
    """A count that cannot be 0: if it is, the tool has not counted."""
    if count <= 0:
        raise Failure(f"no {what} were counted")
    return count


def of(build):
    return Context(build=build, minsize="", peers="")


# ---- instructions ----

def collected(folder):
    """Instructions in the callgrind files of a folder, summed."""
    total = 0
    for name in os.listdir(folder):
        with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
            totals = re.findall(r"^(?:totals|summary): (\d+)", f.read(), re.M)
            total += int(totals[-1]) if totals else 0
    return total


def annotated(folder):
    """{function: instructions} in the callgrind files of a folder."""
    found = {}
    for name in os.listdir(folder):
        out = subprocess.run(["callgrind_annotate", "--threshold=100", os.path.join(folder, name)],
                             stdout=subprocess.PIPE, text=True, check=True).stdout
        for m in re.finditer(r"^ *([\d,]+) \([ \d.]+%\) +[^:]*:(.*?)(?: \[[^\]]*\])?$", out, re.M):
            found[m.group(2)] = found.get(m.group(2), 0) + int(m.group(1).replace(",", ""))
    found.pop("function", None)  # the head of the columns, beside the sum
    return found


def instructions_of_run(build, system, operation, calls, read=collected):
    """What read() makes of the callgrind files of (client, server) of a whole run."""
    with tempfile.TemporaryDirectory() as scratch:
        folders = [os.path.join(scratch, side) for side in ("client", "server")]
        for folder in folders:
            os.mkdir(folder)
        os.environ["CALLIS_SPIN"] = "0"  # how often a wait spins depends on what else the machine does
        valgrind = lambda folder: ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={folder}/%p"]
        with Pair(of(build), system, "param_test", (CPU, CPU), prefix=valgrind(folders[1])) as server:
            with Caller(build, OURS[system], server.reference, CPU, prefix=valgrind(folders[0])) as caller:
                caller.calls(operation, WARM_UP)
                caller.calls(operation, calls)
        return [read(folder) for folder in folders]


def instructions(build, system, operation, short, long):
    """(client, server) instructions a call, of runs of so many calls."""
    few, many = (instructions_of_run(build, system, operation, n) for n in (short, long))
    return [seen((b - a) / (long - short), "instructions") for a, b in zip(few, many)]


def by_function(build, system, operation):
    """[(side, [(function, instructions a call), ...])], what takes most first."""
    few, many = (instructions_of_run(build, system, operation, n, annotated) for n in (200, 2200))
    for side, a, b in zip(("client", "server"), few, many):
        a_call = {function: (n - a.get(function, 0)) / 2000 for function, n in b.items()}
        yield side, sorted(a_call.items(), key=lambda item: -item[1])


def print_functions(build, system, operation, count):
    """The functions that take most of a call, for whoever wants to make it shorter."""
    for side, functions in by_function(build, system, operation):
        say(f"\n{side}, {operation}: {sum(n for _, n in functions):,.0f} user instructions a call\n")
        for function, n in functions[:count]:
            say(f"  {n:8.1f}  {function}")


# ---- the page ----

PAGE_HEAD = """# What a call costs, function by function

This page is made by `python3 bench/tools/counts.py --page docs/design/costs.md` from a build of preset release. It
has the user instructions of a call over TCP, as valgrind counts them. The kernel's are not among them, and functions
with less than {least} are left out. A function's figure has the functions that the compiler put into it.
`bench/budgets.txt` holds the sums of preset dev, which only go down.
"""


PAGE_OPERATIONS = (("test_short", "Flat: neither Encoder nor Decoder is needed."),
                   ("test_unbounded_string", "A string has no fixed size: by Encoder and Decoder."))


def short_name(function):
    """Without namespaces, arguments and template arguments."""
    name = re.sub(r"\(anonymous namespace\)::|callis::\w+::|callis::", "", function)
    name = re.sub(r"^(?:void|bool) (?=\w+<)", "", name)
    return re.sub(r"[(<\[].*", "", name).strip() or function


def write_page(build, system, operations, path, least=5):
    page = PAGE_HEAD.format(least=least)
    for operation, what in operations:
        for side, functions in by_function(build, system, operation):
            page += f"\n## {operation}, {side}: {sum(n for _, n in functions):,.0f}\n\n{what}\n\n| Function | Instructions |\n|---|---|\n"
            for function, n in functions:
                if n >= least:
                    page += f"| `{short_name(function)}` | {n:,.0f} |\n"
    with open(path, "w", encoding="utf-8") as f:
        f.write(page)


# ---- allocations and locks ----

SINGLES = 3  # commands of one call
COUNTERS = ("allocations", "frees", "bytes", "locks", "waits", "wakes")


def read_counters(path):
    with open(path, "rb") as f:
        return dict(zip(COUNTERS, struct.unpack(f"{len(COUNTERS)}Q", f.read(8 * len(COUNTERS)))))


def of_a_call(singles, longer, calls):
    """{counter: of a call}. singles: what commands of one call have counted; longer: what a command of so many calls more
    has. A command of its own costs the caller a few allocations, which the least of the singles takes off: in the others
    a thread in the background may have counted, too."""
    return {c: (longer[c] - min(single[c] for single in singles)) / calls for c in COUNTERS}


def counters(build, system, operations, calls):
    """{operation: (client's, server's counters a call)}"""
    preload = os.path.abspath(os.path.join(build, "bench", "bench_counter.so"))
    result = {}
    with tempfile.TemporaryDirectory() as scratch:
        files = [os.path.join(scratch, side) for side in ("client", "server")]
        environment = lambda file: {"LD_PRELOAD": preload, "BENCH_COUNT_FILE": file}
        with Pair(of(build), system, "param_test", (CPU, CPU), environment=environment(files[1])) as server:
            with Caller(build, OURS[system], server.reference, CPU, environment=environment(files[0])) as caller:
                for operation in operations:
                    caller.calls(operation, WARM_UP)
                    points = [[read_counters(f) for f in files]]
                    for n in SINGLES * (1,) + (calls + 1,):
                        caller.calls(operation, n)
                        points.append([read_counters(f) for f in files])
                    for counted in points[-1]:  # since the process began
                        seen(counted["allocations"], "allocations")
                    result[operation] = []
                    for side in zip(*points):
                        *singles, longer = [{c: b[c] - a[c] for c in COUNTERS} for a, b in zip(side, side[1:])]
                        result[operation].append(of_a_call(singles, longer, calls))
    return result


# ---- system calls ----

def traced(path):
    """{system call: count} of strace -c."""
    found = {}
    with open(path, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)(?:\s+\d+)?\s+(\w+)$", line)
            if m and m.group(2) != "total":
                found[m.group(2)] = int(m.group(1))
    return found


def system_calls_of_run(build, system, operation, calls):
    with tempfile.TemporaryDirectory() as scratch:
        files = [os.path.join(scratch, side) for side in ("client", "server")]
        strace = lambda file: ["strace", "-f", "-qq", "-c", "-o", file]
        with Pair(of(build), system, "param_test", (CPU, CPU), prefix=strace(files[1])) as server:
            with Caller(build, OURS[system], server.reference, CPU, prefix=strace(files[0])) as caller:
                caller.calls(operation, WARM_UP)
                caller.calls(operation, calls)
        return [traced(f) for f in files]


def system_calls(build, system, operation, short, long):
    """(client's, server's {system call: times a call}), of runs of so many calls."""
    few, many = (system_calls_of_run(build, system, operation, n) for n in (short, long))
    sides = []
    for a, b in zip(few, many):
        seen(len(b), "system calls")
        a_call = {name: (n - a.get(name, 0)) / (long - short) for name, n in b.items()}
        sides.append({name: n for name, n in sorted(a_call.items()) if n > 0.005})
    return sides


def kinds(calls):
    """(sends, receives, others) a call"""
    sends = sum(n for name, n in calls.items() if name in SENDS)
    receives = sum(n for name, n in calls.items() if name in RECEIVES)
    return sends, receives, sum(calls.values()) - sends - receives


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--functions", type=int, metavar="N", default=20,
                        help="print the N functions of each side that take most instructions of a call")
    parser.add_argument("--system", default="callis-interpreted", help="whose")
    parser.add_argument("--operation", default="test_short", help="which")
    parser.add_argument("--page", metavar="FILE", help="write the page docs/design/costs.md instead")
    arguments = parser.parse_args()
    if arguments.page:
        write_page(arguments.build, arguments.system, PAGE_OPERATIONS, arguments.page)
        sys.exit()
    print_functions(arguments.build, arguments.system, arguments.operation, arguments.functions)
