#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""callis::micro on another machine: preset micro built by a cross compiler and installed, whole static programs with it, run
under qemu-user: alone, and in calls with programs of omniORB and callis on this machine, both ways. Sizes have bounds."""
import argparse
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
sys.path.insert(0, str(ROOT / "bench/footprint"))

import footprint  # noqa: E402
from harness.process import Failure, Processes  # noqa: E402
from interop import peers  # noqa: E402

TIMEOUT = 100
# Toolchain file, emulator, and the most bytes of text and read-only data of callis: client and server, client, server.
MACHINES = {
    "aarch64": ("aarch64-linux-gnu", "qemu-aarch64", (92_800, 67_100, 82_600)),
    "armv7": ("arm-linux-gnueabihf", "qemu-arm", (64_000, 46_200, 56_900)),
    "riscv64": ("riscv64-linux-gnu", "qemu-riscv64", (73_400, 52_800, 65_900)),
}
PEERS = ("omni", "callis-interpreted")
GROUPS = ("calls", "large", "code_sets")
FACTS = ["server=latin1", "wide=no", "marks=yes", "throws=any", "high=yes", "texts=no", "component=no"]


def run(*words):
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\nstatus {done.returncode}\n{done.stdout}")
    return done.stdout


def build(options, toolchain):
    """The programs' folder."""
    library, prefix, programs = (options.out / name for name in ("library", "prefix", "programs"))
    told = [f"-DCMAKE_TOOLCHAIN_FILE={ROOT}/cmake/toolchains/{toolchain}.cmake", f"-DCALLIS_IDL_EXECUTABLE={options.idl}"]
    run("cmake", "--preset", "micro", "-S", ROOT, "-B", library, *told)
    run("cmake", "--build", library)
    run("cmake", "--install", library, "--prefix", prefix)
    run("cmake", "-S", ROOT / "tests/cross/micro", "-B", programs, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=MinSizeRel", "-DCMAKE_CXX_FLAGS_MINSIZEREL=-Oz -DNDEBUG", f"-DCALLIS_SOURCES={ROOT}", *told)
    run("cmake", "--build", programs)
    return programs


def sizes(programs, bounds):
    good = True
    for name, bound in zip(("micro", "micro_client", "micro_server"), bounds):
        taken = sum(p.size for p in footprint.pieces(programs / f"{name}.map")
                    if p.library != footprint.SYSTEM and p.kind in ("text", "rodata"))
        whole = (programs / name).stat().st_size
        print(f"{name}: {taken} bytes of callis, at most {bound}; the file with its symbols: {whole}")
        good = good and taken <= bound
    return good


def talk(processes, server, client, group, told):
    serving = processes.start("server", server)
    reference = serving.wait_for(lambda line: line.startswith("IOR:"), TIMEOUT)[-1]
    calling = processes.start("client", [*client, reference, group, *FACTS, *told])
    status = calling.finish(TIMEOUT)
    serving.end_input()
    if status != 0 or serving.finish(TIMEOUT) != 0:
        raise Failure("\n".join([f"group {group}: the client ended with status {status}", *calling.output]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--machine", choices=MACHINES, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for all that is built")
    parser.add_argument("--idl", type=pathlib.Path, required=True, help="callis-idl of this machine")
    parser.add_argument("--peers", type=pathlib.Path, required=True, help="folder of mixed_client_omni and its like")
    options = parser.parse_args()
    toolchain, emulator, bounds = MACHINES[options.machine]
    compiler = f"{toolchain}-g++"
    for tool in (compiler, emulator):
        if not shutil.which(tool):
            print(f"SKIPPED: {tool} is not installed")
            return 77
    programs = build(options, toolchain)
    if not sizes(programs, bounds):
        return 1
    if run(emulator, programs / "micro").split() != ["OK"]:
        return 1
    for peer in PEERS:
        of_micro, of_peer = peers.options("micro"), peers.options(peer)
        for group in GROUPS:
            for here in ("client", "server"):
                micro = [emulator, programs / f"mixed_{'server' if here == 'client' else 'client'}"]
                other = [options.peers / f"mixed_{here}_{peer.replace('-', '_')}"]
                with Processes() as processes:
                    if here == "client":
                        talk(processes, [*micro, *of_micro], other, group, of_peer)
                    else:
                        talk(processes, [*other, *of_peer], micro, group, of_micro)
                print(f"{options.machine} {'serves' if here == 'client' else 'calls'} {peer}: {group}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
