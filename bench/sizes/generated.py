# SPDX-License-Identifier: Apache-2.0
"""From IDL to the object files of a stub and of a skeleton, for callis's styles and for omniORB.

A stub is what a client takes in, a skeleton what a server takes in: what `ld --gc-sections` keeps of the generated code
when it starts from the class of the one or the other side. callis's stub is a file of its own and counted whole.
omniORB has one file for both: what it registers at the start of a program would bring in the client's side always, so
that is left out on both sides; its call descriptors serve both and count in each.
"""
import os
import shutil

import objects
from interfaces import ROOT
from toolchains import run

FLAGS = ["-DNDEBUG", "-fPIE", "-ffunction-sections", "-fdata-sections"]
# The classes that servants derive from: their virtual functions, what makes and what destroys them. Without _this(), which
# makes a client of a server.
SKELETON = r"^_ZTV\S*POA_|^_ZN\S*POA_\S*[CD]2Ev$"
OMNI_STUB = r"^_Z(TV|N)\S*_objref_"  # what clients hold: its operations are no virtual functions
LEVELS = ("-O2", "-Os")


class Callis:
    """One style of stubs."""

    def __init__(self, build, style):
        self.name, self.style = f"callis-{style}", style
        self.idl = os.path.join(build, "bin", "callis-idl")
        self.flags = ["-std=c++20", "-I", ROOT]
        self.headers = ["callis/corba.h", "callis/portable_server.h", "callis/classic/coder.h", "callis/classic/layout.h"]

    def missing(self, _toolchain=None):
        return None if os.path.exists(self.idl) else "callis-idl has not been built"

    def generate(self, file, folder, includes=()):
        run([self.idl, f"--stubs={self.style}", *(f"-I{i}" for i in includes), "-o", folder, file])

    def parts(self, shop, stem, folder):
        """{part: {kind: bytes}}; "alone" is the skeleton's file without what it takes of the other."""
        stub, alone, linked = (os.path.join(folder, f"{stem}{shop.level}{end}") for end in (".o", ".skel.o", ".linked.o"))
        shop.compile(self, os.path.join(folder, f"{stem}.cpp"), stub)
        shop.compile(self, os.path.join(folder, f"{stem}_skel.cpp"), alone)
        roots = objects.defined(alone, SKELETON)
        shop.link(roots, [alone, stub], linked)
        return {"stub": objects.sections(stub), "alone": objects.sections(alone), "skeleton": objects.sections(linked)}


class OmniOrb:
    name = "omniorb"
    HEADERS = "/usr/include"

    def __init__(self, scratch):
        # Only omniORB's own headers: beside them lie those of this machine's C library.
        self.include = os.path.join(scratch, "omniorb-headers")
        self.flags = ["-std=c++17", "-w", "-isystem", self.include]
        self.headers = ["omniORB4/CORBA.h"]
        if self.missing() is None and not os.path.exists(self.include):
            os.makedirs(self.include)
            for name in ("omniORB4", "omnithread", "omnithread.h", "omniconfig.h"):
                if os.path.exists(os.path.join(self.HEADERS, name)):
                    os.symlink(os.path.join(self.HEADERS, name), os.path.join(self.include, name))
            # The services' IDL asks for it by a pragma. It belongs to the build of omniORB's libraries of services and says
            # what is imported from Windows DLLs.
            with open(os.path.join(self.include, "COS_sysdep.h"), "w", encoding="utf-8"):
                pass

    def missing(self, toolchain=None):
        if shutil.which("omniidl") is None or not os.path.exists(os.path.join(self.HEADERS, "omniORB4", "CORBA.h")):
            return "omniidl or omniORB's headers are not installed"
        if toolchain and toolchain.bits == 32:
            return "omniORB's installed headers are for 64 bits: they take a long for one of 8 bytes"
        return None

    def generate(self, file, folder, includes=()):
        run(["omniidl", "-bcxx", "-nf", "-Wbh=.hh", "-Wbs=SK.cc", *(f"-I{i}" for i in includes), f"-C{folder}", file])

    def parts(self, shop, stem, folder):
        whole, lean = (os.path.join(folder, f"{stem}{shop.level}{end}") for end in (".o", ".lean.o"))
        shop.compile(self, os.path.join(folder, f"{stem}SK.cc"), whole)
        shop.tool("objcopy", "--wildcard", "-R", "*init_array*", whole, lean)
        result = {}
        for part, pattern in (("stub", OMNI_STUB), ("skeleton", SKELETON)):
            linked = os.path.join(folder, f"{stem}{shop.level}.{part}.o")
            shop.link(objects.defined(whole, pattern), [lean], linked)
            result[part] = objects.sections(linked)
        return result


class Shop:
    """One toolchain at one level. What is included is precompiled: that changes the time, not the code."""

    def __init__(self, toolchain, level, folder):
        self.toolchain, self.level = toolchain, level
        self.folder = os.path.join(folder, toolchain.name.replace("/", "-") + level)
        self.precompiled = {}  # options that include it, by a system's flags
        self.jobs = {}

    def start(self, pool, system, act, *arguments):
        """Puts act(*arguments), which compiles for the system, into the pool."""
        key = tuple(system.flags)
        if key not in self.jobs:
            self.jobs[key] = pool.submit(self.precompile, system)
        return pool.submit(after, self.jobs[key], act, *arguments)

    def command(self, system):
        return [*self.toolchain.command, *FLAGS, *system.flags, self.level]

    def precompile(self, system):
        folder = os.path.join(self.folder, f"precompiled-{system.name}")
        os.makedirs(folder)
        header = os.path.join(folder, "all.h")
        with open(header, "w", encoding="utf-8") as f:
            f.writelines(f"#include <{h}>\n" for h in system.headers)
        run([*self.command(system), "-x", "c++-header", header, "-o", header + ".gch"])
        clang = self.toolchain.compiler == "clang"
        self.precompiled[tuple(system.flags)] = ["-include-pch", header + ".gch"] if clang else ["-include", header]

    def compile(self, system, source, target):
        run([*self.command(system), *self.precompiled[tuple(system.flags)], "-I", os.path.dirname(source), "-c", source,
             "-o", target])

    def tool(self, name, *arguments):
        run([self.toolchain.prefix + name, *arguments])

    def link(self, roots, files, target):
        """What of the files is reached from the roots."""
        if not roots:
            raise OSError(f"nothing to start from in {files[0]}")
        self.tool("ld", "-r", "--gc-sections", *(word for root in roots for word in ("-u", root)), *files, "-o", target)


def after(other, act, *arguments):
    """The pool takes jobs in order: the other one has begun by now."""
    other.result()
    return act(*arguments)
