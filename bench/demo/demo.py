#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The demonstration behind ./dev demo: typed calls between processes, with callis on both sides, with
omniORB's programs on one side, and with omniORB alone for comparison; then calls of high priority under a flood of others
(real_time.py). A table of each kind of measurement at the end.

It measures as the benchmark does (docs/design/measurement.md): client and server are pinned to one CPU, the pairs
take turns, round by round, and what is printed is the median over the rounds. A ratio is the median of the ratios
within rounds. There are as many rounds as fit into the time. Every value that crosses the wire is checked by the
programs themselves; a wrong one ends the run.
"""
import argparse
import json
import os
import signal
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "../common"))
import code_sizes  # noqa: E402
import real_time  # noqa: E402
from pairs import Pair, programs  # noqa: E402
from processes import Failure  # noqa: E402
from report import machine, say, table  # noqa: E402
from suite import Context, duration  # noqa: E402

OMNI_EXAMPLES = "/usr/lib/omniorb/examples/echo"
OPERATIONS = ["test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence"]
TYPES = ["short", "char", "long", "octet", "double", "BinStruct"]
# (column title, the client's system, the server's)
PAIRS = [("interpreted", "callis-interpreted", "callis-interpreted"),
         ("compiled", "callis-compiled", "callis-compiled"), ("to omniORB", "callis-interpreted", "omniorb"),
         ("from omniORB", "omniorb", "callis-interpreted"), ("omniORB alone", "omniorb", "omniorb")]
JUDGED, BASE = "interpreted", "omniORB alone"
MOST_ROUNDS = 15
NOISE = 0.15  # the middle half of a ratio's rounds lies further apart than this: the machine was not quiet
READ_NEXT = [
    ("examples/README.md", "small programs to begin with, from a first call to a naming service"),
    ("docs/guide/getting-started.md", "building, compiling IDL, options, errors; docs/guide/index.md lists every page"),
    ("docs/guide/stubs.md", "what interpreted and compiled stubs are, and which to choose"),
    ("docs/design/measurement.md", "how callis is measured, beside eight other systems, raw sockets among them"),
]
REPORT = "bench/out/report.html"


class Server:
    """A server of the echo example: started, waited for by the line it prints, ended on leaving."""

    def __init__(self, command, ready):
        self.command, self.ready = command, ready

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        for line in self.process.stdout:
            if self.ready(line):
                return line.strip()
        raise SystemExit(f"demo: the server ended before it was ready: {' '.join(self.command)}")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def run(command, seconds):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise SystemExit(f"demo: no end after {seconds} s: {' '.join(command)}")
    if done.returncode != 0:
        raise SystemExit(f"demo: exit status {done.returncode}: {' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


class Progress:
    """What is measured, and how long it will still take: on a terminal a line that is written over and over, elsewhere
    a line a round."""

    def __init__(self, stream):
        self.stream, self.over, self.last = stream, stream.isatty(), None

    def show(self, number, what, left):
        text = f"demo: round {number + 1}, {left} left"
        if self.over:
            print(f"\r\033[K{text}: {what}", end="", file=self.stream, flush=True)
        elif number != self.last:
            print(text, file=self.stream, flush=True)
        self.last = number

    def show_last(self, what, left):
        """Of what comes after the rounds."""
        text = f"demo: {what}, {left} left"
        print(f"\r\033[K{text}" if self.over else text, end="" if self.over else "\n", file=self.stream, flush=True)

    def done(self):
        if self.over:
            print("\r\033[K", end="", file=self.stream, flush=True)


def rounds(seconds, clock=time.monotonic):
    """0, 1, 2 ... as long as another round, which takes as long as those before, ends within the seconds: one at least,
    MOST_ROUNDS at most. Beside each: the seconds until the last ends, by what the rounds before have taken."""
    started = clock()
    yield 0, seconds
    for n in range(1, MOST_ROUNDS):
        passed = clock() - started
        each = passed / n
        if passed + each > seconds:
            return
        yield n, min(seconds - passed, (MOST_ROUNDS - n) * each)


def measure(context, pair, arguments, number):
    """Adds what a pair does in a round to the results, whose systems are the titles of the pairs."""
    title, client, server = pair
    with Pair(context, client, "param_test", context.placements()["one-cpu"], server_system=server) as running:
        found = {"param_test": running.run("--calls", arguments.calls),
                 "ttcp": running.run("--megabytes", arguments.megabytes, "--sizes", "64K", suite="ttcp")}
    for suite, wanted in (("param_test", OPERATIONS), ("ttcp", TYPES)):
        values = {(case.removesuffix("/64K"), metric): value for (case, metric), value in found[suite].items()}
        missing = set(wanted) - {case for case, _ in values}
        if missing:
            raise Failure(f"no result for {', '.join(sorted(missing))}")
        for (case, metric), value in values.items():
            context.results.add(suite, title, case, metric, value, number)


def present(context):
    """The pairs whose programs are there. callis's own have to be."""
    found = []
    for pair in PAIRS:
        try:
            for system in pair[1:]:
                programs(context, system)
            found.append(pair)
        except Failure as e:
            if "omniorb" not in pair[1:]:
                raise SystemExit(f"demo: {pair[0]}: {e}") from None
            say(f"without {pair[0]}: {e}")
    return found


def times_faster(results, suite, case, metric):
    """How many times as fast callis is as omniORB: (lower quartile, median, upper quartile), None without omniORB."""
    pair = (BASE, JUDGED) if metric == "p50_us" else (JUDGED, BASE)  # of a time the smaller is the better one
    return results.quartiles(suite, case, metric, *pair)


def rows(results, suite, cases, metric, digits, titles):
    """A row of text a case: the median of each pair, then the ratio."""
    def cells(case):
        low, middle, high = times_faster(results, suite, case, metric) or (None,) * 3
        yield case
        for title in titles:
            yield f"{results.median(suite, title, case, metric):.{digits}f}"
        yield f"{middle:.2f} ({low:.2f}-{high:.2f})" if middle else "-"
    return [list(cells(case)) for case in cases]


def verdict(results):
    """A sentence on how far the rounds agree; None where nothing was compared."""
    found = [times_faster(results, "param_test", case, "p50_us") for case in OPERATIONS]
    if not all(found):
        return None
    spread = max((high - low) / middle for low, middle, high in found)
    if spread > NOISE:
        return (f"WARNING: the rounds differ (the middle half of a ratio's by {spread:.0%}): something else runs on this\n"
                "machine, and the times are noise. Run it again when the machine is quiet.")
    return f"The rounds agree: the middle half of each ratio of Param_Test lies within {spread:.0%}."


def show(results, titles, arguments, count):
    head = [*titles, "times omniORB's speed"]
    many = f"medians of {count} round{'s' if count > 1 else ''}"
    say(f"Param_Test, microseconds a call: {many} of {arguments.calls} calls (test_struct_sequence a tenth)\n")
    table(["operation", *head], rows(results, "param_test", OPERATIONS, "p50_us", 1, titles), notes=False)
    say(f"\nttcp, Gbit/s of payload: {many} of one-way floods of {arguments.megabytes} MB in buffers of 64 KiB\n")
    table(["type", *head], rows(results, "ttcp", TYPES, "gbit_s", 2, titles), notes=False)
    say(f"""
TCP over loopback, two processes pinned to one CPU: times are the work of both sides. Every value has been checked.
interpreted, compiled: callis on both sides, with stubs of that kind. to omniORB: callis's interpreted client calls a
server built with omniORB. from omniORB: a client built with omniORB calls callis's interpreted server.
times omniORB's speed: {JUDGED} against {BASE}, above 1 callis is faster: the median of the ratios within
rounds, and their quartiles.
""")
    if verdict(results):
        say(verdict(results) + "\n")


def read_next():
    """Lines on where to go from here."""
    report = os.path.join(ROOT, REPORT)
    made = "not there yet"
    if os.path.exists(report):
        made = "made " + time.strftime("%Y-%m-%d", time.localtime(os.path.getmtime(report)))
    figures = (REPORT, f"the whole benchmark's figures and bars; `./dev bench --quick` writes it ({made})")
    return [f"  {path:<30} {what}" for path, what in [*READ_NEXT, figures]]


def echo(build):
    """omniORB's own example programs, as Debian ships them, on the other side."""
    if not os.path.exists(os.path.join(OMNI_EXAMPLES, "eg2_clt")):
        return [("omniORB's examples", f"not in {OMNI_EXAMPLES} (Debian's omniorb-doc)")]
    lines = []
    ours = lambda name: os.path.join(build, "bin", name)
    with Server([ours("hello_server"), "-ORBEndpoint", "tcp:127.0.0.1:0"], lambda l: l.startswith("IOR:")) as ior:
        answer = run([os.path.join(OMNI_EXAMPLES, "eg2_clt"), ior], 20)
        lines.append(("omniORB's eg2_clt calls our hello_server", answer.strip().splitlines()[-1]))
    with Server([os.path.join(OMNI_EXAMPLES, "eg2_impl"), "-ORBendPoint", "giop:tcp:127.0.0.1:"],
                lambda l: l.startswith("IOR:")) as ior:
        answer = run([ours("hello_client"), ior], 20)
        lines.append(("our hello_client calls omniORB's eg2_impl", answer.strip().splitlines()[-1]))
    return lines


def show_code(build):
    say("\nCode of Param_Test: bytes that an operation adds to a program at -O2, and the heap that plans take with interpreted stubs\n")
    try:
        table(code_sizes.HEAD, code_sizes.rows(code_sizes.measure(build)), notes=False)
    except (OSError, Failure) as e:
        say(f"  not measured: {e}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build/release", help="build folder with the programs")
    parser.add_argument("--seconds", type=float, default=40, help="time for the rounds; there is one at least")
    parser.add_argument("--calls", type=int, default=1000, help="calls of each operation in a round")
    parser.add_argument("--megabytes", type=int, default=16, help="megabytes of each type in a round")
    parser.add_argument("--json", type=argparse.FileType("w"), help="write the results here too, one a line")
    arguments = parser.parse_args()

    facts = machine()
    say(f"{facts['processor']}, {facts['cpus']} CPUs, Linux {facts['kernel']}, c++ {facts['compiler']}\n")
    context = Context(build=arguments.build, minsize="", peers="")
    pairs, progress, count = present(context), Progress(sys.stderr), 0
    for number, left in rounds(arguments.seconds):
        for pair in pairs:
            progress.show(number, pair[0], duration(left))
            try:
                measure(context, pair, arguments, number)
            except Failure as e:
                raise SystemExit(f"demo: {pair[0]}: {e}") from None
        count = number + 1
    progress.show_last("real time", duration(real_time.SECONDS))
    real_time.measure(context, calls=min(arguments.calls, real_time.CALLS))
    progress.done()
    if arguments.json:
        for line in context.results.lines():
            arguments.json.write(json.dumps(line) + "\n")

    show(context.results, [title for title, _, _ in pairs], arguments, count)
    for what, answer in echo(arguments.build):
        say(f"  {what}: {answer}")
    show_code(arguments.build)
    real_time.show(context.results)
    say("\n".join(["\nRead next\n", *read_next()]))


if __name__ == "__main__":
    main()
