#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the other middleware's measuring programs, each peer by itself.

    build.py --out FOLDER [PEER...]     FOLDER/PEER/server and FOLDER/PEER/client; without names all peers

Only what has changed is built again. A peer that cannot be built hinders no other: FOLDER/PEER/missing says why, and
FOLDER/PEER/log has all that its tools said. The exit status is 0 all the same; --strict makes it 1.
"""
import argparse
import functools
import itertools
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# A peer that is another one's programs with an option more.
MODES = {"ice-batch": ("ice", "--buffered"), "opt-rpc": ("rpc", "--opaque")}
PEERS = ("raw", "ace", "rpc", "opt-rpc", "jacorb", "ice", "ice-batch", "grpc", "capnp")
SIDES = ("server", "client")
PATIENCE = 900  # seconds; Maven may wait long for a network that is not there


ERROR = re.compile(r"\berror\b|\bERROR\b|undefined reference|cannot |No such file")


def reason(log):
    """What a failed build says about the cause: cmake's message, or the first line of the failed command's output that
    looks like one."""
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        if line.startswith("CMake Error"):
            said = itertools.takewhile(lambda text: not text.startswith(("Call Stack", "CMake", "--")),
                                       lines[number + 1:])
            return " ".join(list(said)[:3]) or line
        if line.startswith("FAILED:"):
            said = lines[number + 2:]  # behind the command
            return next(filter(ERROR.search, said), said[0] if said else line)
    return lines[-1] if lines else "its build said nothing"


def run(command, log):
    """True if it went well; what it says goes to the end of the log."""
    with open(log, "a", encoding="utf-8") as out:
        try:
            return subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, check=False,
                                  timeout=PATIENCE).returncode == 0
        except (OSError, subprocess.TimeoutExpired) as problem:
            out.write(f"error: {problem}\n")
            return False


def build_project(out, peer):
    """Builds the CMake project of a peer. None, or why not."""
    folder = out / peer
    log = folder / "log"
    log.write_text("", encoding="utf-8")
    project = folder / "cmake"
    if not (project / "build.ninja").exists():
        (project / "CMakeCache.txt").unlink(missing_ok=True)  # it may remember what was not installed then
        if not run(["cmake", "-G", "Ninja", "-S", HERE / peer, "-B", project, f"-DBENCH_OUT={folder}"], log):
            return reason(log.read_text(encoding="utf-8"))
    if not run(["cmake", "--build", project], log):
        return reason(log.read_text(encoding="utf-8"))
    return None


def write_script(path, text):
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def build_mode(out, peer):
    """Scripts that start the programs of the peer which has the mode. None, or why not."""
    other, option = MODES[peer]
    why = build(out, other)
    if why:
        return why
    for side in SIDES:
        write_script(out / peer / side, f'#!/bin/sh\nexec {out / other / side} "$@" {option}\n')
    return None


def packages_missing(out, peer):
    """What ./dev could not install for the peer, if anything."""
    file = out / peer / "packages"
    return file.read_text(encoding="utf-8").strip() if file.exists() else ""


@functools.cache
def build(out, peer):
    """None if the peer is there afterwards, or why not."""
    folder = out / peer
    folder.mkdir(parents=True, exist_ok=True)
    why = build_mode(out, peer) if peer in MODES else build_project(out, peer)
    if why:
        absent = packages_missing(out, MODES.get(peer, (peer,))[0])
        why = f"{why} ({absent})" if absent else why
        (folder / "missing").write_text(why + "\n", encoding="utf-8")
        for side in SIDES:  # not an old one either
            (folder / side).unlink(missing_ok=True)
    else:
        (folder / "missing").unlink(missing_ok=True)
    return why


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--strict", action="store_true", help="exit status 1 if a peer is missing")
    parser.add_argument("peers", nargs="*", metavar="PEER", default=PEERS)
    arguments = parser.parse_args()
    unknown = set(arguments.peers) - set(PEERS)
    if unknown:
        parser.error(f"no such peer: {', '.join(sorted(unknown))}")
    out = arguments.out.resolve()
    missing = 0
    for peer in arguments.peers:
        why = build(out, peer)
        missing += why is not None
        print(f"{peer}: {'ok' if why is None else 'missing: ' + why}", flush=True)
    return 1 if arguments.strict and missing else 0


if __name__ == "__main__":
    sys.exit(main())
