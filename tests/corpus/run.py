#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""IDL files that other ORBs ship, through callis-idl in both stub styles, and what it made of them through GCC and Clang.

    run.py SET --build BUILD --cache FOLDER [--full] [FILE...]      SET: omniorb, jacorb

Without --full a few files. refused.txt says which files the compiler refuses and why; it is a fault when it refuses
another one, and when one of these compiles. The exit status is 77 when the set cannot be had here.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sets  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STYLES = ("interpreted", "compiled")
COMPILERS = ("g++", "clang++-14")
STRICT = ("-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Werror")
# What every generated file includes, so that it is read once.
PRECOMPILED = "".join(f"#include <callis/{h}>\n" for h in ("corba.h", "portable_server.h", "classic/coder.h", "classic/layout.h"))
SKIPPED = 77


def run(command, folder=None):
    """(good, what it said)"""
    done = subprocess.run([str(c) for c in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    return done.returncode == 0, done.stdout


def refused_files():
    """{set/file: reason} of refused.txt."""
    found = {}
    for line in (HERE / "refused.txt").read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            name, reason = line.split(None, 1)
            found[name] = reason
    return found


def first_error(said):
    """The message, with the place in the last part of the path."""
    line = next((line for line in said.splitlines() if "error" in line), said.strip().split("\n")[-1])
    return re.sub(r"\S*/(\S+?\.\w+:)", r"\1", line)


class Corpus:
    def __init__(self, chosen, build, scratch):
        self.set, self.scratch = chosen, scratch
        self.idl = pathlib.Path(build).resolve() / "bin" / "callis-idl"
        self.faults = []
        self.units = 0

    def compile_idl(self, file):
        """What the compiler has against it, or None."""
        options = [f"-I{i}" for i in self.set.includes_of(file)] + [f"-D{d}" for d in self.set.defines]
        for style in STYLES:
            folder = self.scratch / style
            folder.mkdir(exist_ok=True)
            good, said = run([self.idl, f"--stubs={style}", "-o", folder, *options, self.set.folder / file])
            if not good:
                return first_error(said)
        return None

    def precompile(self):
        for compiler in COMPILERS:
            header = self.scratch / f"{compiler}.h"
            header.write_text(PRECOMPILED, encoding="utf-8")
            suffix = ".gch" if compiler == "g++" else ".pch"
            good, said = run([compiler, *STRICT, "-I", ROOT, "-x", "c++-header", header, "-o", str(header) + suffix])
            if not good:
                sys.exit(f"{compiler} does not compile callis's headers:\n{said}")

    def compile_cxx(self, compiler, source):
        use = ["-include", self.scratch / f"{compiler}.h"] if compiler == "g++" else \
            ["-include-pch", self.scratch / f"{compiler}.h.pch"]
        good, said = run([compiler, *STRICT, "-fsyntax-only", *use, "-I", ROOT, "-I", source.parent, source])
        return None if good else f"{compiler} {source.relative_to(self.scratch)}:\n{said[:3000]}"

    def lacking(self, file):
        """A header that its generated code includes and that there is none of, or None."""
        text = (self.scratch / STYLES[0] / f"{pathlib.Path(file).stem}.h").read_text(encoding="utf-8")
        names = re.findall(r'^#include [<"](.*?)[>"]', text, re.M)
        ours = (n for n in names if not n.startswith("callis/") and n.endswith(".h"))
        return next((n for n in ours if not (self.scratch / STYLES[0] / n).exists()), None)

    def remove(self, file):
        """What was generated for it: others must not find it."""
        for style in STYLES:
            for end in (".h", "_skel.h"):
                (self.scratch / style / f"{pathlib.Path(file).stem}{end}").unlink(missing_ok=True)

    def check(self, files):
        listed = refused_files()
        accepted = []
        reasons = dict(zip(files, self.pool.map(self.compile_idl, files)))
        more = True
        while more:  # until no file includes one that is refused
            more = False
            for file in files:
                header = not reasons[file] and self.lacking(file)
                if header:
                    reasons[file] = f"it includes {header}, which is refused"
                    more = True
                if reasons[file]:
                    self.remove(file)
        for file, why in reasons.items():
            name = f"{self.set.name}/{file}"
            if why and name not in listed:
                self.faults.append(f"{name} is refused, which refused.txt does not say: {why}")
            elif not why and name in listed:
                self.faults.append(f"{name} compiles, but refused.txt says: {listed[name]}")
            if not why:
                accepted.append(file)
        return accepted

    def included_too(self, files):
        """The files that these include by any way: their headers are needed."""
        found, work = [], list(files)
        while work:
            file = work.pop()
            if file in found:
                continue
            found.append(file)
            text = (self.set.folder / file).read_text(encoding="utf-8", errors="replace")
            for spelled in re.findall(r'^\s*#\s*include\s*[<"](.*?)[>"]', text, re.M):
                path = next((i / spelled for i in self.set.includes_of(file) if (i / spelled).exists()), None)
                if path:
                    work.append(str(path.relative_to(self.set.folder)))
        return sorted(found)

    def run(self, files):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as self.pool:
            accepted = self.check(self.included_too(files))
            self.precompile()
            jobs = [(c, self.scratch / style / f"{pathlib.Path(f).stem}{end}.cpp")
                    for f in accepted for style in STYLES for end in ("", "_skel") for c in COMPILERS]
            self.units = len(jobs)
            self.faults += filter(None, self.pool.map(lambda job: self.compile_cxx(*job), jobs))
        return accepted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=sets.SETS)
    parser.add_argument("--build", required=True)
    parser.add_argument("--cache", required=True, type=pathlib.Path, help="where what is downloaded stays")
    parser.add_argument("--full", action="store_true", help="all files")
    parser.add_argument("files", nargs="*")
    arguments = parser.parse_args()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="callis-corpus-"))
    try:
        chosen = sets.SETS[arguments.set](arguments.cache.resolve())
        for compiler in COMPILERS:
            if shutil.which(compiler) is None:
                raise sets.Missing(f"{compiler} is not installed")
        corpus = Corpus(chosen, arguments.build, scratch)
        files = arguments.files or (chosen.files() if arguments.full else chosen.sample)
        accepted = corpus.run(files)
    except sets.Missing as why:
        print(f"missing: {why}")
        return SKIPPED
    finally:
        shutil.rmtree(scratch)
    print("\n".join(corpus.faults))
    print(f"{chosen.name}: {len(files)} files, {len(accepted)} compiled with what they include, {corpus.units} translation units")
    return 1 if corpus.faults or not accepted else 0


if __name__ == "__main__":
    sys.exit(main())
