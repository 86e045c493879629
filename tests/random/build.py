# SPDX-License-Identifier: Apache-2.0
"""Builds the programs of a batch of random files: a build.ninja of its own."""
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STRICT = "-Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Werror"
# Those that exist, lower layers last; the loopback ORB stands in for orb and poa.
LIBRARIES = ("poa", "orb", "giop", "ior", "transport", "value", "typecode", "classic", "marshal", "cdr", "base")
NOT_IN_LOOP = ("poa", "orb", "giop", "ior", "transport")
STYLES = ("interpreted", "compiled")
ROLES = ("server", "client")


class Failed(Exception):
    """A tool refused what it should take; the text is what it said."""


def run(command, folder=None):
    """What it printed."""
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
        return [f"@{self.build / 'lib' / 'callis_features'}"] + [str(f) for f in found if f.exists()]


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


def joined(folder, name, sources, together):
    """Paths without .cpp of what to compile: the sources, or one that includes them all (names are unique in a batch)."""
    if not together:
        return [folder / s for s in sources]
    (folder / f"{name}.cpp").write_text("".join(f'#include "{s}.cpp"\n' for s in sources), encoding="utf-8")
    return [folder / name]


def cxx(shared, source, out=None, headers=()):
    return (f"build {out or source}.o: cxx {source}.cpp | {shared}/everything.h.gch\n"
            f"  options = -include {shared}/everything.h " + " ".join(f"-I{h}" for h in headers))


def omni_cxx(shared, source, out, headers):
    return (f"build {out}.o: omni_cxx {source} | {shared}/omniorb.h.gch\n"
            f"  options = -include {shared}/omniorb.h -I{headers}")


def shared_part(shared):
    """What all batches use: precompiled headers and the programs' own sources."""
    pch = shared / "everything.h"
    pch.write_text('#include "programs/everything.h"\n', encoding="utf-8")
    return [f"build {pch}.gch: pch {pch}", cxx(shared, ROOT / "tests/mapping/loopback", shared / "loopback"),
            cxx(shared, HERE / "programs/loop", shared / "loop")]


def remote_shared_part(shared):
    """Server and client of both ORBs; control.idl has been compiled into shared/control and shared/omni."""
    (shared / "omniorb.h").write_text('#include "programs/omniorb.h"\n', encoding="utf-8")
    lines = [f"build {shared}/omniorb.h.gch: omni_pch {shared}/omniorb.h"]
    for name in ROLES:
        program = HERE / "programs" / name
        lines += [cxx(shared, program, shared / name, [shared / "control"]),
                  omni_cxx(shared, f"{program}.cpp", shared / f"{name}_omni", shared / "omni")]
    lines += [cxx(shared, shared / "control" / name, shared / name) for name in ("control", "control_skel")]
    return [*lines, omni_cxx(shared, shared / "omni/controlSK.cc", shared / "controlSK", shared / "omni")]


def link(program, objects, libraries):
    return f"build {program}: link {' '.join(str(o) + '.o' for o in objects)}\n  libraries = {' '.join(libraries)}"


def batch_part(tree, shared, out, files, together):
    """The batch's objects, and a program for each style; the lines, and the objects of each style's programs."""
    drivers = joined(out, "drivers", [*(f"{f.stem}_driver" for f in files), "table"], together)
    lines = [cxx(shared, d, headers=[out / "interpreted"]) for d in drivers]
    objects = {}
    for style in STYLES:
        stubs = joined(out / style, "stubs", [f.stem + end for f in files for end in ("", "_skel")], together)
        lines += [cxx(shared, s) for s in stubs]
        objects[style] = drivers + stubs
        lines.append(link(out / f"loop_{style}", [*objects[style], shared / "loop", shared / "loopback"], tree.libraries(NOT_IN_LOOP)))
    return lines, objects


def remote_part(tree, shared, out, files, objects):
    """Programs that talk over TCP: client_STYLE, server_STYLE and those of omniORB, whose sources are always together."""
    joined(out, "drivers", [*(f"{f.stem}_driver" for f in files), "table"], True)
    (out / "omni/stubs.cc").write_text('#include "batchSK.cc"\n#include "batchDynSK.cc"\n', encoding="utf-8")
    lines = [omni_cxx(shared, out / "drivers.cpp", out / "drivers_omni", out / "omni"),
             omni_cxx(shared, out / "omni/stubs.cc", out / "omni/stubs", out / "omni")]
    for role in ROLES:
        lines.append(link(out / f"{role}_omni", [out / "drivers_omni", out / "omni/stubs", shared / f"{role}_omni", shared / "controlSK"],
                          ["-lomniDynamic4", "-lomniORB4", "-lomnithread"]))
        for style in STYLES:
            lines.append(link(out / f"{role}_{style}", [*objects[style], *(shared / n for n in (role, "control", "control_skel"))],
                              tree.libraries()))
    return lines


def ninja(tree, out, lines, jobs):
    file = out / "build.ninja"
    file.write_text("ninja_required_version = 1.8\n" + "\n".join([rules(tree), *lines]) + "\n", encoding="utf-8")
    run(["ninja", "--quiet", "-f", file, "-j", jobs, "-k", "0"], out)
