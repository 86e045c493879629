#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the measuring programs for other processors, as preset release builds them for this one: build.py --native BUILD [MACHINE...]

BUILD has a callis-idl of this machine. The programs come into BUILD/platforms/MACHINE/bin. A machine that cannot be built for
hinders no other: BUILD/platforms/MACHINE/missing says why, BUILD/platforms/MACHINE/log has what the tools said.
"""
import argparse
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(HERE, "..", "sizes"))
import toolchains  # noqa: E402

TARGETS = ["bench_caller_interpreted", "bench_caller_compiled", "bench_caller_dii", "bench_server_interpreted", "bench_client_interpreted",
           "ladder_memory_original", "ladder_memory_sender", "ladder_memory_plan"]
ERROR = re.compile(r": (?:fatal )?error: |CMake Error|undefined reference")
MACHINES = [machine for machine in toolchains.TRIPLES if machine != toolchains.NATIVE]


def toolchain_file(folder, machine):
    """CMake's description of the cross compiler."""
    path = os.path.join(folder, "toolchain.cmake")
    triple = toolchains.TRIPLES[machine]
    with open(path, "w", encoding="utf-8") as f:
        f.write(f"set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR {triple.partition('-')[0]})\n"
                f"set(CMAKE_C_COMPILER {triple}-gcc)\nset(CMAKE_CXX_COMPILER {triple}-g++)\n")
    return path


def build(native, machine, jobs):
    """None, or why not."""
    folder = os.path.join(native, "platforms", machine)
    os.makedirs(folder, exist_ok=True)
    why = toolchains.toolchain(machine, "gcc").missing()
    if why:
        return why
    configure = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", f"-DCMAKE_TOOLCHAIN_FILE={toolchain_file(folder, machine)}",
                 "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "-DCALLIS_BUILD_TESTS=OFF",
                 "-DCALLIS_COMPONENTS=core;rt", f"-DCALLIS_IDL_EXECUTABLE={os.path.join(native, 'bin', 'callis-idl')}"]
    commands = [configure, ["cmake", "--build", folder, *(["-j", str(jobs)] if jobs else []), "--target", *TARGETS]]
    with open(os.path.join(folder, "log"), "w+", encoding="utf-8") as log:
        for command in commands:
            if subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False).returncode != 0:
                log.seek(0)
                said = [line.strip() for line in log if ERROR.search(line)] or ["its build said nothing"]
                return said[0]
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--native", default=os.path.join(ROOT, "build", "release"), metavar="BUILD")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("machines", nargs="*", metavar="MACHINE", help=", ".join(MACHINES))
    arguments = parser.parse_args()
    for machine in arguments.machines or MACHINES:
        if machine not in MACHINES:
            parser.error(f"no such machine: {machine}")
        why = build(os.path.abspath(arguments.native), machine, arguments.jobs)
        missing = os.path.join(os.path.abspath(arguments.native), "platforms", machine, "missing")
        if why:
            with open(missing, "w", encoding="utf-8") as f:
                f.write(why + "\n")
        elif os.path.exists(missing):
            os.remove(missing)
        print(f"{machine}: {'missing: ' + why if why else 'built'}", flush=True)


if __name__ == "__main__":
    main()
