#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The demonstration behind ./dev demo: typed calls between processes, with callis on both sides, with
omniORB's programs on one side, and with omniORB alone for comparison; one table at the end.

Every value that crosses the wire is checked by the programs themselves; a wrong one ends the run.
"""
import argparse
import json
import os
import signal
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
for folder in ("../common", "../sizes"):
    sys.path.insert(0, os.path.join(HERE, folder))
import sizes  # noqa: E402
from pairs import Pair  # noqa: E402
from processes import Failure  # noqa: E402
from report import table  # noqa: E402
from suite import Context  # noqa: E402

OMNI_EXAMPLES = "/usr/lib/omniorb/examples/echo"
OPERATIONS = ["test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence"]
TYPES = ["short", "char", "long", "octet", "double", "BinStruct"]
# (column title, the client's system, the server's)
PAIRS = [("interpreted", "callis-interpreted", "callis-interpreted"), ("compiled", "callis-compiled", "callis-compiled"),
         ("to omniORB", "callis-interpreted", "omniorb"), ("from omniORB", "omniorb", "callis-interpreted"),
         ("omniORB alone", "omniorb", "omniorb")]


def say(text):
    print(text, flush=True)


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


def measure(title, client, server, arguments):
    """{case: {metric: value}}"""
    results = {}
    context = Context(build=arguments.build, minsize="", peers="")
    with Pair(context, client, "param_test", server_system=server) as pair:
        found = {**pair.run("--calls", arguments.calls, seconds=170),
                 **pair.run("--megabytes", arguments.megabytes, "--sizes", "64K", suite="ttcp", seconds=170)}
    for (case, metric), value in found.items():
        results.setdefault(case.removesuffix("/64K"), {})[metric] = value
    missing = [c for c in OPERATIONS + TYPES if c not in results]
    if missing:
        raise Failure(f"{title}: no result for {', '.join(missing)}")
    if arguments.json:
        for case, metrics in results.items():
            arguments.json.write(json.dumps({"pair": title, "case": case, **metrics}) + "\n")
    return results


def echo(build):
    """omniORB's own example programs, as Debian ships them, on the other side."""
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


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", default="build/release", help="build folder with the programs")
    parser.add_argument("--calls", type=int, default=2000, help="calls of each operation")
    parser.add_argument("--megabytes", type=int, default=64, help="megabytes of each type")
    parser.add_argument("--json", type=argparse.FileType("w"), help="write the results here too, one a line")
    arguments = parser.parse_args()

    all_results = {}
    for title, client, server in PAIRS:
        say(f"running: {client} client, {server} server")
        try:
            all_results[title] = measure(title, client, server, arguments)
        except Failure as e:
            raise SystemExit(f"demo: {title}: {e}") from None
    say("running: omniORB's echo example")
    echoes = echo(arguments.build)

    titles = [title for title, _, _ in PAIRS]
    say(f"\nParam_Test over TCP loopback, two processes, {arguments.calls} calls each "
        "(test_struct_sequence a tenth), every value checked")
    say("calls per second, p50 / p99 in microseconds\n")
    cell = lambda r: f"{r['calls_per_s']:,.0f}  {r['p50_us']:.1f} / {r['p99_us']:.1f}"
    table(["operation"] + titles, [[op] + [cell(all_results[t][op]) for t in titles] for op in OPERATIONS],
          notes=False)
    say(f"\nttcp: one-way flood of {arguments.megabytes} MB in buffers of 64 KiB, Gbit/s of payload\n")
    table(["type"] + titles, [[ty] + [f"{all_results[t][ty]['gbit_s']:.2f}" for t in titles] for ty in TYPES],
          notes=False)
    say("\ninterpreted, compiled: callis on both sides. to / from omniORB: callis's interpreted client calls a server\n"
        "built with omniORB, and a client built with omniORB calls callis's interpreted server.\n")
    for what, answer in echoes:
        say(f"  {what}: {answer}")
    say("\nCode of Param_Test, bytes of machine code, read-only data and tables (this build, from the object files)\n")
    table(*sizes.param_test_table(arguments.build), notes=False)


if __name__ == "__main__":
    main()
