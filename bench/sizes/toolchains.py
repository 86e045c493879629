# SPDX-License-Identifier: Apache-2.0
"""Compilers and their linkers, native and cross: what sizes are measured with."""
import os
import platform
import shutil
import subprocess
from dataclasses import dataclass

CLANG = "clang++-14"
TRIPLES = {"x86-64": "x86_64-linux-gnu", "aarch64": "aarch64-linux-gnu", "armv7": "arm-linux-gnueabihf"}
NATIVE = {"x86_64": "x86-64", "aarch64": "aarch64", "armv7l": "armv7"}.get(platform.machine(), platform.machine())


def run(command, text=None):
    """What a tool prints; OSError, with its words, when it fails."""
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        raise OSError(f"{' '.join(command)}\n{done.stdout}")
    return done.stdout


@dataclass(frozen=True)
class Toolchain:
    arch: str
    compiler: str   # gcc, clang
    command: tuple  # the compiler, with the options that choose its target
    prefix: str     # of binutils' names
    bits: int

    @property
    def name(self):
        return f"{self.arch}/{self.compiler}"

    def missing(self):
        """Why it cannot be used; None if it can."""
        for tool in (self.command[0], self.prefix + "ld", self.prefix + "objcopy"):
            if shutil.which(tool) is None:
                return f"{tool} is not installed"
        try:
            run([*self.command, "-std=c++20", "-x", "c++", "-fsyntax-only", "-"], "#include <string>\n")
        except OSError:
            return f"{' '.join(self.command)} finds no C++ library for {self.arch}"
        return None


def toolchain(arch, compiler):
    triple = TRIPLES.get(arch, "")
    native = arch == NATIVE
    if compiler == "clang":
        command = (CLANG,) if native else (CLANG, f"--target={triple}")
    else:
        command = (os.environ.get("CXX", "c++"),) if native else (f"{triple}-g++",)
    return Toolchain(arch, compiler, command, "" if native else f"{triple}-", 32 if arch == "armv7" else 64)


def every():
    """The native compilers first."""
    arches = [NATIVE, *(a for a in TRIPLES if a != NATIVE)]
    return [toolchain(arch, compiler) for arch in arches for compiler in ("gcc", "clang")]
