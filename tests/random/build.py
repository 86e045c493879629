# SPDX-License-Identifier: Apache-2.0
"""Builds the programs of a batch of random files: a build.ninja of its own."""
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STRICT = "-Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Werror"
# Those that exist, lower layers last; the loopback ORB stands in for orb and poa.
LIBRARIES = ("poa", "orb", "giop", "ior", "transport_tcp", "transport_memory", "transport", "value", "typecode", "classic",
             "marshal", "cdr", "base")
NOT_IN_LOOP = ("poa", "orb", "giop", "ior", "transport_tcp", "transport_memory", "transport")
STYLES = ("interpreted", "compiled")


class Failed(Exception):
    """A tool refused what it should take; the text is what it said."""


def run(command, folder=None):
    done = subprocess.run([str(c) for c in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    if done.returncode != 0:
        raise Failed(" ".join(map(str, command)) + "\n" + done.stdout[:6000])
    return done.stdout


class Tree:
    """The compilers and what CMake built."""

    def __init__(self, build, compiler, flags):
        self.build = pathlib.Path(build).resolve()
        self.compiler, self.flags = compiler, flags
        self.idl = self.build / "bin" / "callis-idl"

    def libraries(self, without=()):
        found = [self.build / "lib" / f"libcallis_{n}.a" for n in LIBRARIES if n not in without]
        return [str(f) for f in found if f.exists()]


def rules(tree):
    base = f"{tree.compiler} -std=c++20 -O0 {tree.flags} -I{ROOT} -I{HERE}"
    return f"""
rule cxx
  description = CXX $out
  command = {base} {STRICT} $options -MMD -MF $out.d -c $in -o $out
  depfile = $out.d
  deps = gcc
rule pch
  command = {base} {STRICT} -MMD -MF $out.d -x c++-header $in -o $out
  depfile = $out.d
  deps = gcc
rule omni_cxx
  command = {base} -DRANDOM_OMNIORB -w $options -c $in -o $out
rule omni_pch
  command = {base} -DRANDOM_OMNIORB -w -x c++-header $in -o $out
rule link
  command = {tree.compiler} {tree.flags} $in -Wl,--start-group $libraries -Wl,--end-group -lpthread -o $out
"""


def shared_part(tree, shared):
    """What all batches use: precompiled headers and the programs' own sources."""
    pch = shared / "everything.h"
    pch.write_text('#include "programs/everything.h"\n', encoding="utf-8")
    lines = [f"build {pch}.gch: pch {pch}"]
    for name, source in (("loopback", ROOT / "tests/mapping/loopback.cpp"), ("loop", HERE / "programs/loop.cpp")):
        lines.append(f"build {shared}/{name}.o: cxx {source} | {pch}.gch\n  options = -include {pch}")
    return lines


def batch_part(tree, shared, out, files):
    """The batch's objects, and a program for each style."""
    lines = []
    use = f"-include {shared}/everything.h"
    headers = out / "interpreted"
    drivers = []
    for source in [*(f"{f.stem}_driver" for f in files), "table"]:
        lines.append(f"build {out}/{source}.o: cxx {out}/{source}.cpp | {shared}/everything.h.gch\n  options = {use} -I{headers}")
        drivers.append(f"{out}/{source}.o")
    for style in STYLES:
        stubs = []
        for f in files:
            for source in (f.stem, f.stem + "_skel"):
                path = out / style / source
                lines.append(f"build {path}.o: cxx {path}.cpp | {shared}/everything.h.gch\n  options = {use}")
                stubs.append(f"{path}.o")
        objects = [*drivers, *stubs, f"{shared}/loop.o", f"{shared}/loopback.o"]
        lines.append(f"build {out}/loop_{style}: link {' '.join(objects)}\n  libraries = " + " ".join(tree.libraries(NOT_IN_LOOP)))
    return lines


def remote_shared_part(shared):
    """Server and client of both ORBs; control.idl has been compiled into shared/control and shared/omni."""
    lines = []
    for name in ("server", "client"):
        lines.append(f"build {shared}/{name}.o: cxx {HERE}/programs/{name}.cpp | {shared}/everything.h.gch\n"
                     f"  options = -include {shared}/everything.h -I{shared}/control")
        lines.append(f"build {shared}/{name}_omni.o: omni_cxx {HERE}/programs/{name}.cpp | {shared}/omniorb.h.gch\n"
                     f"  options = -include {shared}/omniorb.h -I{shared}/omni")
    for name in ("control", "control_skel"):
        lines.append(f"build {shared}/{name}.o: cxx {shared}/control/{name}.cpp | {shared}/everything.h.gch\n"
                     f"  options = -include {shared}/everything.h")
    lines.append(f"build {shared}/controlSK.o: omni_cxx {shared}/omni/controlSK.cc | {shared}/omniorb.h.gch\n"
                 f"  options = -include {shared}/omniorb.h")
    (shared / "omniorb.h").write_text('#include "programs/omniorb.h"\n', encoding="utf-8")
    lines.append(f"build {shared}/omniorb.h.gch: omni_pch {shared}/omniorb.h")
    return lines


def remote_part(tree, shared, out, files):
    """Programs that talk over TCP: client_STYLE, server_STYLE and those of omniORB."""
    lines, drivers, stubs = [], [], []
    for source in [*(f"{f.stem}_driver" for f in files), "table"]:
        lines.append(f"build {out}/{source}_omni.o: omni_cxx {out}/{source}.cpp | {shared}/omniorb.h.gch\n"
                     f"  options = -include {shared}/omniorb.h -I{out}/omni")
        drivers.append(f"{out}/{source}_omni.o")
    for source in [f.stem + end for f in files for end in ("SK", "DynSK")]:
        lines.append(f"build {out}/omni/{source}.o: omni_cxx {out}/omni/{source}.cc | {shared}/omniorb.h.gch\n"
                     f"  options = -include {shared}/omniorb.h -I{out}/omni")
        stubs.append(f"{out}/omni/{source}.o")
    for role in ("server", "client"):
        lines.append(f"build {out}/{role}_omni: link {' '.join(drivers + stubs)} {shared}/{role}_omni.o {shared}/controlSK.o\n"
                     "  libraries = -lomniDynamic4 -lomniORB4 -lomnithread")
        for style in STYLES:
            ours = [f"{out}/{s}.o" for s in [*(f"{f.stem}_driver" for f in files), "table"]] + \
                   [f"{out}/{style}/{f.stem}{end}.o" for f in files for end in ("", "_skel")] + \
                   [f"{shared}/{role}.o", f"{shared}/control.o", f"{shared}/control_skel.o"]
            lines.append(f"build {out}/{role}_{style}: link {' '.join(ours)}\n  libraries = " + " ".join(tree.libraries()))
    return lines


def ninja(tree, shared, out, parts, jobs):
    lines = [rules(tree), *parts]
    file = out / "build.ninja"
    file.write_text("ninja_required_version = 1.8\n" + "\n".join(lines) + "\n", encoding="utf-8")
    run(["ninja", "--quiet", "-f", file, "-j", jobs, "-k", "0"], shared)
