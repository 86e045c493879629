#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says whose headers and static libraries are compiled into each program and library of a build, by Ninja's own records.

    compiled_in.py BUILD

Prints JSON: "files" has a list of Debian packages for each program and library, by the file's name; "versions" has the packages'."""
import json
import os
import pathlib
import re
import subprocess
import sys

STATIC = r"lib(c6-dev|stdc\+\+-\d+-dev|gcc-\d+-dev)(-\w+-cross)?$"  # whose archives a static program has, beside the headers


def lines_of(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()


def headers_by_object(build):
    """What each object, and each precompiled header, was made of."""
    found, current = {}, []
    for line in lines_of("ninja", "-C", build, "-t", "deps"):
        if line.startswith("    "):
            current.append(os.path.realpath(build / line.strip()))
        elif line and "#deps" in line:
            current = found.setdefault(line.split(": #deps")[0], [])
    return found


def inputs_by_output(build):
    """Of build.ninja: what each file is made of, without what has to be there before."""
    found = {}
    for line in (build / "build.ninja").read_text(encoding="utf-8").replace("$\n", "").splitlines():
        if line.startswith("build "):
            outputs, _, rest = line[len("build "):].replace("$ ", "\\x20").replace("$:", ":").partition(": ")
            inputs = rest.split(" || ")[0].split()[1:]
            found.update((output, inputs) for output in outputs.split() if output != "|")
    return found


def objects_of(target, inputs, seen=None):
    """The objects, and precompiled headers, that are linked into a program or library. What a shared library has is not in who links it."""
    seen = set() if seen is None else seen
    for name in inputs.get(target, ()):
        if name.endswith((".o", ".a", ".gch")) and name not in seen:
            seen.add(name)
            objects_of(name, inputs, seen)
    return seen


def packages_by_file(files):
    """Debian's package of each file that belongs to one; files may be many."""
    owners = {}
    names = sorted(files)
    for first in range(0, len(names), 500):
        said = subprocess.run(["dpkg", "-S", *names[first:first + 500]], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False).stdout
        for line in said.splitlines():
            packages, _, path = line.partition(": ")
            owners[path] = packages.split(", ")[0].split(":")[0]
    return owners


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    objects = headers_by_object(build)
    outside = {h for headers in objects.values() for h in headers if h.startswith("/usr/")}
    owners = packages_by_file(outside)
    of_object = {o: {owners[h] for h in headers if h in owners} for o, headers in objects.items()}
    every = set().union(*of_object.values()) if of_object else set()
    files, inputs = {}, inputs_by_output(build)
    binaries = [p for p in (build / "bin").glob("callis*") if p.is_file()]
    binaries += [p for p in (build / "lib/installed").glob("lib*") if not p.is_symlink()]
    for binary in sorted(binaries):
        packages = set().union(*(of_object.get(o, set()) for o in objects_of(str(binary.relative_to(build)), inputs)))
        kind = subprocess.run(["file", "-b", binary], stdout=subprocess.PIPE, text=True, check=True).stdout
        if re.search("statically linked|static-pie", kind):
            packages |= {p for p in every if re.fullmatch(STATIC, p)}
        files[binary.name] = sorted(packages)
    used = sorted(set().union(*map(set, files.values()))) if files else []
    versions = dict(line.split(" ", 1) for line in lines_of("dpkg-query", "-W", "-f", "${Package} ${Version}\n", *used)) if used else {}
    json.dump({"files": files, "versions": versions}, sys.stdout, indent=1, sort_keys=True)
    print()


if __name__ == "__main__":
    main()
