# SPDX-License-Identifier: Apache-2.0
"""Bytes of generated code that an operation of Param_Test adds to an interface.

For each operation two interfaces are compiled: one with the types that the operation needs and an operation without
parameters, and the same with the operation as well. The difference of their object files is the operation's: code,
read-only data, tables, data, zeroed memory, and whatever helpers the compiler made for it. What an interface or a file
has once, whatever its operations, is in both and so not counted.

A stub is everything in x.cpp. A skeleton is what a server needs: x_skel.cpp, and of x.cpp what the linker keeps for it
(the tables, or the coders of the types), which is what it would take in a program without clients.
"""
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import tempfile

OPERATIONS = ["test_short", "test_unbounded_string", "test_fixed_struct", "test_strseq", "test_var_struct",
              "test_nested_struct", "test_struct_sequence"]
ROOT = os.path.normpath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
IDL = os.path.join(ROOT, "bench", "idl", "param_test.idl")
FLAGS = ["-std=c++20", "-DNDEBUG", "-ffunction-sections", "-fdata-sections"]
STYLES = ("interpreted", "compiled")
PARTS = ("stub", "skeleton")
SOURCES = {"stub": "x.cpp", "skeleton": "x_skel.cpp"}
SKELETON_ROOT = "_ZTV14POA_Param_Test"  # the class that servants derive from: all that a server refers to
ALL = "all"  # the operations, in one interface
NEIGHBOUR = "  void neighbour();\n"


# ---- interfaces ----

def declarations(idl):
    """({type name: its declaration}, {operation: its declaration}), in the file's order."""
    with open(idl, encoding="utf-8") as f:
        text = re.sub(r"//.*", "", f.read())
    body = re.search(r"interface \w+ \{(.*)\};", text, re.S).group(1)
    types, operations = {}, {}
    for m in re.finditer(r"\s*(struct (\w+) \{.*?\};|typedef [^;]* (\w+);|[^;]*?\b(\w+)\([^;]*\);)", body, re.S):
        if m.group(4):
            operations[m.group(4)] = m.group(1)
        else:
            types[m.group(2) or m.group(3)] = m.group(1)
    return types, operations


def needed(types, declaration):
    """Names of the types that a declaration uses, in the order of their declarations."""
    found, work = set(), [declaration]
    while work:
        for word in re.findall(r"\w+", work.pop()):
            if word in types and word not in found:
                found.add(word)
                work.append(types[word])
    return [t for t in types if t in found]


def interface(types, names, operations):
    return "interface Param_Test {\n" + "".join(f"  {types[t]}\n" for t in names) + NEIGHBOUR + \
        "".join(f"  {o}\n" for o in operations) + "};\n"


def interfaces(chosen):
    """{name: IDL}: "with X" and "without X" for each operation, which may be ALL."""
    types, operations = declarations(IDL)
    result = {}
    for name in chosen:
        texts = list(operations.values()) if name == ALL else [operations[name]]
        names = needed(types, " ".join(texts))
        result[f"with {name}"] = interface(types, names, texts)
        result[f"without {name}"] = interface(types, names, [])
    return result


# ---- object files ----

KINDS = ("code", "rodata", "data", "bss", "eh")  # eh: unwinding tables


def members(file):
    """{object: {kind: bytes}} of an archive's members, or of the one object file; allocated sections only."""
    out = subprocess.run(["readelf", "-SW", file], check=True, stdout=subprocess.PIPE, text=True).stdout
    sums = dict.fromkeys(KINDS, 0)
    result = {}
    for line in out.splitlines():
        archived = re.match(r"File: .*\((.*?)(\.cpp)?\.o\)$", line)
        if archived:
            sums = result.setdefault(archived.group(1), dict.fromkeys(KINDS, 0))
        m = re.match(r"\s*\[\s*\d+\] (\S+)\s+(\w+)\s+[0-9a-f]+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+\s+(\w*)\s", line)
        if not m or "A" not in m.group(4) or m.group(2) == "NOTE":
            continue
        name, kind, size, flags = m.group(1), m.group(2), int(m.group(3), 16), m.group(4)
        if name.startswith((".eh_frame", ".gcc_except_table")):
            sums["eh"] += size
        elif "X" in flags:
            sums["code"] += size
        elif kind == "NOBITS":
            sums["bss"] += size
        else:
            sums["data" if "W" in flags else "rodata"] += size
    return result or {os.path.basename(file): sums}


def sections(file):
    """{kind: bytes} of an object file."""
    return next(iter(members(file).values()))


def footprint(sums):
    """What is counted: everything but the unwinding tables."""
    return sum(n for kind, n in sums.items() if kind != "eh")


class Workshop:
    """Compiles each interface once for each style, part and optimisation. Include headers are precompiled: that
    changes the time, not the code."""

    def __init__(self, build, folder, jobs):
        self.compiler_idl, self.folder = os.path.join(build, "bin", "callis-idl"), folder
        self.compiler = os.environ.get("CXX", "c++")
        self.pool = concurrent.futures.ThreadPoolExecutor(jobs)
        self.objects = {}

    def run(self, command):
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            raise OSError(f"{' '.join(command)}\n{done.stdout}")

    def compile_all(self, idls, levels):
        headers = {level: self.pool.submit(self.precompile, level) for level in levels}
        for header in headers.values():
            header.result()
        jobs = []
        for n, (name, idl) in enumerate(idls.items()):
            for style in STYLES:
                folder = os.path.join(self.folder, str(n), style)
                os.makedirs(folder)
                file = os.path.join(folder, "x.idl")
                with open(file, "w", encoding="utf-8") as f:
                    f.write(idl)
                self.run([self.compiler_idl, f"--stubs={style}", "-o", folder, file])
                for level in levels:
                    jobs.append(self.pool.submit(self.make_objects, (name, style, level), folder))
        for job in jobs:
            job.result()

    def make_objects(self, key, folder):
        level = key[2]
        files = {}
        for part, source in SOURCES.items():
            files[part] = os.path.join(folder, f"{part}{level}.o")
            self.compile(level, os.path.join(folder, source), files[part])
        files["alone"] = files["skeleton"]
        files["skeleton"] = os.path.join(folder, f"linked{level}.o")
        self.run(["ld", "-r", "--gc-sections", "-u", SKELETON_ROOT, files["alone"], files["stub"],
                  "-o", files["skeleton"]])
        for part, file in files.items():
            self.objects[key + (part,)] = file

    def command(self, level):
        return [self.compiler, *FLAGS, level, "-I", ROOT]

    def precompile(self, level):
        folder = os.path.join(self.folder, f"precompiled{level}")
        os.makedirs(folder)
        header = os.path.join(folder, "callis.h")
        with open(header, "w", encoding="utf-8") as f:
            f.write("#include <callis/corba.h>\n#include <callis/portable_server.h>\n"
                    "#include <callis/classic/coder.h>\n#include <callis/classic/layout.h>\n")
        self.run([*self.command(level), "-x", "c++-header", header, "-o", header + ".gch"])

    def compile(self, level, source, target):
        header = os.path.join(self.folder, f"precompiled{level}", "callis.h")
        self.run([*self.command(level), "-include", header, "-c", source, "-o", target])


def measure(build, levels, chosen, jobs):
    """{(operation or ALL, style, level, part): {kind: bytes}}; part "alone" is x_skel.cpp by itself."""
    folder = tempfile.mkdtemp(prefix="callis-sizes-")
    try:
        shop = Workshop(build, folder, jobs)
        shop.compile_all(interfaces(chosen), levels)
        result = {}
        for key in itertools.product(chosen, STYLES, levels, (*PARTS, "alone")):
            with_it, without = (sections(shop.objects[(f"{w} {key[0]}", *key[1:])]) for w in ("with", "without"))
            result[key] = {kind: with_it[kind] - without[kind] for kind in with_it}
        return result
    finally:
        shutil.rmtree(folder)
