#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""callis and omniORB in one process, which loads one or both as plugins, without RTLD_DEEPBIND. program.cpp says what they do.

    run.py PROGRAM local|global --programs FOLDER       PROGRAM: callis, omniorb, or neither
    run.py names --libraries FOLDER --omniorb FOLDER    no name of callis's libraries is one of omniORB's

The folder of the programs has two_orbs_PROGRAM and the plugins two_orbs_plugin_callis.so and two_orbs_plugin_omniorb.so.
"""
import argparse
import itertools
import pathlib
import subprocess
import sys
import tempfile
import time

ORBS = ("callis", "omniorb")
SECONDS = 100
# Its libraries; those of its services are looked at where they are installed (libcos4-dev).
OMNIORB = ("omniORB4", "omniDynamic4", "omniCodeSets4", "omniConnectionMgmt4", "omnithread")
OF_SERVICES = ("COS4", "COSDynamic4")


class Server:
    """A program of one ORB in a process of its own."""

    def __init__(self, program, file):
        self.process = subprocess.Popen([program, "serve", file], stdin=subprocess.PIPE)
        ends = time.monotonic() + SECONDS
        while not file.exists():
            if self.process.poll() is not None or time.monotonic() > ends:
                sys.exit(f"{program.name} does not serve: status {self.process.returncode}")
            time.sleep(0.01)
        self.ior = file.read_text(encoding="ascii").strip()

    def end(self):
        self.process.stdin.close()
        if self.process.wait(SECONDS) != 0:
            sys.exit(f"the server ended with status {self.process.returncode}")


def load(program, mode, folder):
    """The plugins in each order: those of the ORBs that are not the program's."""
    plugins = [folder / f"two_orbs_plugin_{orb}.so" for orb in ORBS if orb != program]
    program = folder / f"two_orbs_{program}"
    for needed in (program, *plugins, *(folder / f"two_orbs_{orb}" for orb in ORBS)):
        if not needed.exists():
            sys.exit(f"there is no {needed.name}: is omniORB there (omniidl, libomniorb4-dev)?")
    with tempfile.TemporaryDirectory() as files:
        servers = [Server(folder / f"two_orbs_{orb}", pathlib.Path(files) / orb) for orb in ORBS]
        try:
            for order in itertools.permutations(plugins):
                done = subprocess.run([program, "load", mode, *order, "--", *(s.ior for s in servers)], timeout=SECONDS, capture_output=True,
                                      text=True, check=False)
                if done.returncode != 0 or done.stdout != "OK: 2 ORBs\n":
                    sys.exit(f"{program.name} with {[p.name for p in order]}: status {done.returncode}\n{done.stdout}{done.stderr}")
        finally:
            for server in servers:
                server.end()


def defined(library):
    out = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[0].split("@")[0] for line in out.splitlines()}


def readable(mangled):
    return subprocess.run(["c++filt"], input="".join(f"{n}\n" for n in mangled), capture_output=True, text=True, check=True).stdout.splitlines()


def names(libraries, omniorb):
    theirs, looked_at = set(), []
    for name in (*OMNIORB, *OF_SERVICES):
        library = omniorb / f"lib{name}.so"
        if library.exists():
            theirs |= defined(library)
            looked_at.append(name)
        elif name in OMNIORB:
            sys.exit(f"there is no {library} (libomniorb4-dev)")
    ours = sorted(libraries.glob("libcallis*.so"))
    if not any(library.name == "libcallis.so" for library in ours):
        sys.exit(f"there is no libcallis.so in {libraries}")
    common = []
    for library in ours:
        common += [f"{library.name}: {name}" for name in readable(sorted(defined(library) & theirs))]
    print(f"{len(ours)} libraries of callis, and of omniORB {', '.join(looked_at)}")
    if common:
        sys.exit(f"{len(common)} names of omniORB's libraries are also in callis's:\n  " + "\n  ".join(common[:40]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=(*ORBS, "neither", "names"))
    parser.add_argument("mode", choices=("local", "global"), nargs="?")
    for name in ("programs", "libraries", "omniorb"):
        parser.add_argument(f"--{name}", type=pathlib.Path)
    options = parser.parse_args()
    if options.what == "names":
        names(options.libraries, options.omniorb)
    else:
        load(options.what, options.mode, options.programs)
    print("OK")


if __name__ == "__main__":
    main()
