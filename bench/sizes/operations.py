# SPDX-License-Identifier: Apache-2.0
"""Bytes of generated code that an operation of Param_Test adds to an interface.

For each operation two interfaces are compiled: one with the types that the operation needs and an operation without
parameters, and the same with the operation as well. The difference of their object files is the operation's: code,
read-only data, tables, data, zeroed memory, and whatever helpers the compiler made for it. What an interface or a file
has once, whatever its operations, is in both and so not counted.
"""
import concurrent.futures
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
PARTS = ("stub", "skeleton")  # x.cpp, x_skel.cpp
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

def sections(objects):
    """{kind: bytes} of allocated sections: code, rodata, data, bss, and eh (unwinding tables)."""
    out = subprocess.run(["readelf", "-SW", *objects], check=True, stdout=subprocess.PIPE, text=True).stdout
    sums = dict.fromkeys(("code", "rodata", "data", "bss", "eh"), 0)
    for line in out.splitlines():
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
    return sums


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
                for part, source in zip(PARTS, ("x.cpp", "x_skel.cpp")):
                    for level in levels:
                        key = (name, style, part, level)
                        self.objects[key] = os.path.join(folder, f"{part}{level}.o")
                        jobs.append(self.pool.submit(self.compile, level, os.path.join(folder, source),
                                                     self.objects[key]))
        for job in jobs:
            job.result()

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
    """{(operation or ALL, style, part, level): {kind: bytes}}"""
    folder = tempfile.mkdtemp(prefix="callis-sizes-")
    try:
        shop = Workshop(build, folder, jobs)
        shop.compile_all(interfaces(chosen), levels)
        result = {}
        for name in chosen:
            for style in STYLES:
                for part in PARTS:
                    for level in levels:
                        with_it, without = (sections([shop.objects[f"{w} {name}", style, part, level]])
                                            for w in ("with", "without"))
                        result[name, style, part, level] = {k: with_it[k] - without[k] for k in with_it}
        return result
    finally:
        shutil.rmtree(folder)
