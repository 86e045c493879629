#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a built peer's suites with tiny counts: every case and metric must come, with a value above 0; and with a wrong
value on the wire the client must fail.

    smoke_test.py FOLDER PEER [SUITE...]     FOLDER is build.py's
"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile

OPERATIONS = ("test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence")
TYPES = ("short", "char", "long", "octet", "double", "BinStruct")
SIZES = ("1K", "64K", "1M")
CALLS, GBITS = ("p50_us", "p99_us", "p999_us", "calls_per_s"), ("gbit_s", "receiver_gbit_s")
ARGUMENTS = {"param_test": ["--calls", "200"],
             "ttcp": ["--megabytes", "1", "--sizes", ",".join(SIZES)],
             "scale": ["--clients", "3", "--seconds", "0.2"],
             "far": ["--calls", "5"],
             "demux": ["--objects", "50", "--calls", "200"]}
SUITES = {"raw": ("param_test", "ttcp", "scale"), "ace": ("param_test", "ttcp"), "rpc": ("param_test", "ttcp"),
          "opt-rpc": ("ttcp",), "jacorb": ("param_test", "ttcp", "scale", "demux"),
          "ice": ("param_test", "ttcp", "scale", "far", "demux"), "ice-batch": ("ttcp",),
          "grpc": ("param_test", "ttcp", "scale", "far"), "capnp": ("param_test", "ttcp", "scale")}
DYNAMIC = ("jacorb",)  # have param_test and ttcp without stubs and skeletons, too: --dynamic
HOLDS_BACK = ("ice", "ice-batch", "rpc", "opt-rpc")
SECONDS = 100


def expected(suite):
    """All (case, metric) that a client of the suite prints for its ARGUMENTS."""
    if suite == "param_test":
        return {(o, m) for o in OPERATIONS for m in CALLS}
    if suite == "ttcp":
        return {(f"{t}/{s}", m) for t in TYPES for s in SIZES for m in GBITS}
    if suite == "scale":
        return {("clients3", "calls_per_s")}
    if suite == "far":
        return {("together", "calls_per_s"), *((c, m) for c in ("call", "after-one-way", "one-ways", "large", "pipelined") for m in CALLS)}
    return {(f"objects50/{which}", m) for which in ("first", "last") for m in CALLS}


class Server:
    def __init__(self, programs, suite, options):
        self.folder = tempfile.TemporaryDirectory(prefix="callis-peer-")
        self.reference = os.path.join(self.folder.name, "reference")
        self.command = [programs / "server", suite, "--reference", self.reference, *options]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True)
        if not any(line.strip() == "ready" for line in self.process.stdout):
            self.__exit__()
            raise SystemExit(f"the server ended before it was ready: {self.command}")
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise SystemExit(f"the server does not end on SIGTERM: {self.command}") from None
        finally:
            self.process.stdout.close()
            self.folder.cleanup()


def run_client(programs, suite, server_options=(), client_options=()):
    """Its exit status, standard output and standard error."""
    server_arguments = ARGUMENTS[suite][:2] if suite == "demux" else []
    with Server(programs, suite, [*server_arguments, *server_options]) as server:
        client = subprocess.run([programs / "client", suite, "--reference", server.reference, *ARGUMENTS[suite],
                                 *client_options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                timeout=SECONDS, check=False)
    return client.returncode, client.stdout, client.stderr


def check_results(programs, suite, client_options=(), server_options=()):
    status, out, err = run_client(programs, suite, server_options, client_options)
    if status != 0:
        raise SystemExit(f"{suite}: exit status {status}: {err}")
    lines = [json.loads(line) for line in out.splitlines()]
    if any(not line["value"] > 0 for line in lines):
        raise SystemExit(f"{suite}: a value that is not above 0: {out}")
    seen = [(line["case"], line["metric"]) for line in lines]
    if len(seen) != len(set(seen)) or set(seen) != expected(suite):
        raise SystemExit(f"{suite}: wrong lines: {sorted(set(seen) ^ expected(suite))}\n{out}")


def check_corrupt(programs, suite, options=()):
    """A server that answers wrongly; in ttcp a client that sends a wrong element, which the server must find."""
    wrong = ([], ["--corrupt"]) if suite == "ttcp" else (["--corrupt"], [])
    status, _, err = run_client(programs, suite, *([*one, *options] for one in wrong))
    if status != 1 or "wrong" not in err:
        raise SystemExit(f"{suite}: a wrong value and the client's exit status is {status}: {err}")


def check_unbuffered(programs):
    """A peer that cannot hold one-ways back must say so."""
    status, out, err = run_client(programs, "ttcp", client_options=["--buffered"])
    if status == 0 or out or not err:
        raise SystemExit(f"ttcp --buffered: exit status {status}, {out!r} {err!r}")


def main():
    peer = sys.argv[2]
    programs = pathlib.Path(sys.argv[1]).resolve() / peer
    if not all((programs / side).exists() for side in ("server", "client")):
        raise SystemExit(f"{peer} is not built in {programs.parent}")
    for suite in sys.argv[3:] or SUITES[peer]:
        check_results(programs, suite)
        check_corrupt(programs, suite)
        if suite in ("param_test", "ttcp") and peer in DYNAMIC:
            check_results(programs, suite, ["--dynamic"], ["--dynamic"])
            check_corrupt(programs, suite, ["--dynamic"])
        if suite == "ttcp" and peer in HOLDS_BACK:
            check_results(programs, suite, ["--buffered"])
        elif suite == "ttcp":
            check_unbuffered(programs)
        print(f"{peer} {suite}: right")


if __name__ == "__main__":
    main()
