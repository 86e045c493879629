#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""IDL files through callis-idl in all styles of stubs, and every file that it made, alone, through GCC and Clang.

    run.py SET --build BUILD --cache FOLDER [--full] [FILE...]      SET: omniorb, debian, jacorb, callis, pieces

A generated source includes its generated header first: so that one compilation shows that both include what they use.
What the header includes of callis is compiled once for all that begin with the same; a source never gets more than this
from its surroundings.

Without --full a few files. refused.txt says which files the compiler refuses and why; it is a fault when it refuses
another one, and when one of these compiles. The exit status is 77 when the set cannot be had here.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import sets  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
STYLES = ("interpreted", "compiled", "hybrid")
COMPILERS = ("g++", "clang++-14")
STRICT = ("-std=c++20", "-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wsign-conversion", "-Werror")
SKIPPED = 77


def run(command, folder=None):
    """(good, what it said)"""
    done = subprocess.run([str(c) for c in command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", check=False)
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


def every_second(declarations):
    """Half of what has operations, for hybrid stubs: the others stay interpreted."""
    named = []

    def visit(list_of):
        for d in list_of:
            if d["main"] and d["kind"] in ("operation", "attribute"):
                named.append(d["scoped_name"])
            if d["kind"] != "valuetype":  # whose operations have no stubs
                visit(d.get("contents", ()))

    visit(declarations)
    return named[::2]


def callis_includes(file):
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("#include <callis/")]


class Precompiled:
    """Beginnings that many files share, compiled once for each compiler."""

    def __init__(self, folder):
        self.folder = folder
        self.lock = threading.Lock()
        self.made = {}

    def get(self, compiler, lines):
        """The options that put it in front of a file."""
        key = (compiler, lines)
        with self.lock:
            if key not in self.made:
                self.made[key] = (threading.Lock(), self.folder / f"{compiler}{len(self.made)}.h", [])
            lock, header, state = self.made[key]
        compiled = header.with_name(header.name + (".gch" if compiler == "g++" else ".pch"))
        with lock:
            if not state:
                header.write_text("\n".join(key[1]) + "\n", encoding="utf-8")
                good, said = run([compiler, *STRICT, "-I", ROOT, "-x", "c++-header", header, "-o", compiled])
                if not good:
                    sys.exit(f"{compiler} does not compile callis's headers:\n{said}")
                state.append(True)
        return ["-include", header] if compiler == "g++" else ["-include-pch", compiled]


class Corpus:
    def __init__(self, chosen, build, scratch):
        self.set, self.scratch = chosen, scratch
        self.idl = pathlib.Path(build).resolve() / "bin" / "callis-idl"
        self.precompiled = Precompiled(scratch)
        self.faults = []
        self.units = 0

    def folder(self, style, file):
        """Where the code of a file is: that of each by itself where names of files repeat."""
        return self.scratch / style / (re.sub(r"\W", "_", file) if self.set.apart else "")

    def options(self, file):
        return [f"-I{i}" for i in self.set.includes_of(file)] + [f"-D{d}" for d in self.set.defines]

    def hybrid(self, file, options):
        done = subprocess.run([str(c) for c in (self.idl, "--emit", "json", *options, self.set.folder / file)], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        if done.returncode != 0:
            return []
        units = json.loads(done.stdout)["units"]
        return [f"--stubs-for={name}=compiled" for name in every_second(units[0]["declarations"])]

    def compile_idl(self, file):
        """What the compiler has against it, or None."""
        options = self.options(file)
        for style in STYLES:
            chosen = self.hybrid(file, options) if style == "hybrid" else []
            folder = self.folder(style, file)
            folder.mkdir(parents=True, exist_ok=True)
            among = [file, *self.included_too([file])] if self.set.apart else [file]
            for each in dict.fromkeys(among):
                more = chosen if each == file else []
                good, said = run([self.idl, f"--stubs={style}", "-o", folder, *options, *more, self.set.folder / each])
                if not good:
                    return first_error(said)
        return None

    def beginning(self, source):
        own = source.parent / f"{source.stem.removesuffix('_skel')}.h"
        lines = callis_includes(own)
        if source.stem.endswith("_skel"):  # whether own compiles alone is seen in the stubs
            lines += callis_includes(source.with_suffix(".h"))
        return tuple(dict.fromkeys(lines))

    def compile_cxx(self, compiler, source):
        front = self.precompiled.get(compiler, self.beginning(source))
        good, said = run([compiler, *STRICT, "-fsyntax-only", *front, "-I", ROOT, "-I", source.parent, source])
        return None if good else f"{compiler} {source.relative_to(self.scratch)}:\n{said[:3000]}"

    def lacking(self, file):
        """A header that its generated code includes and that there is none of, or None."""
        folder = self.folder(STYLES[0], file)
        text = (folder / f"{pathlib.Path(file).stem}.h").read_text(encoding="utf-8")
        names = re.findall(r'^#include [<"](.*?)[>"]', text, re.M)
        ours = (n for n in names if not n.startswith("callis/") and n.endswith(".h"))
        return next((n for n in ours if not (folder / n).exists()), None)

    def remove(self, file):
        """What was generated for it: others must not find it."""
        for style in STYLES:
            for end in (".h", "_skel.h"):
                (self.folder(style, file) / f"{pathlib.Path(file).stem}{end}").unlink(missing_ok=True)

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
            beside = (self.set.folder / file).parent
            for spelled in re.findall(r'^\s*#\s*include\s*[<"](.*?)[>"]', text, re.M):
                places = (*self.set.includes_of(file), beside)
                path = next((i / spelled for i in places if (i / spelled).exists()), None)
                if path:
                    work.append(os.path.relpath(path, self.set.folder))
        return sorted(found)

    def units_of(self, file):
        """The generated sources of a file, those of one text once. The headers of all styles are the same."""
        seen = collections.defaultdict(set)
        for style in STYLES:
            for end in ("", "_skel"):
                source = self.folder(style, file) / f"{pathlib.Path(file).stem}{end}.cpp"
                text = source.read_bytes()
                if text not in seen[end]:
                    seen[end].add(text)
                    yield source

    def run(self, files, compilers):
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as self.pool:
            accepted = self.check(files if self.set.apart else self.included_too(files))
            sources = [source for f in accepted for source in self.units_of(f)]
            # In turn, where each file is short and there are many: what one compiler misses the other has seen elsewhere.
            turns = {}
            jobs = [(c, s) for s in sources for c in
                    ([compilers[turns.setdefault(self.beginning(s), len(turns)) % len(compilers)]] if self.set.in_turn
                     else compilers)]
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
    arguments = parser.parse_intermixed_args()
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="callis-corpus-"))
    compilers = [c for c in COMPILERS if shutil.which(c)]
    try:
        chosen = sets.SETS[arguments.set](arguments.cache.resolve())
        if arguments.full:
            chosen.in_turn = False
        if not compilers:
            raise sets.Missing(f"neither of {', '.join(COMPILERS)} is installed")
        corpus = Corpus(chosen, arguments.build, scratch)
        files = arguments.files or (chosen.files() if arguments.full else chosen.sample)
        accepted = corpus.run(files, compilers)
    except sets.Missing as why:
        print(f"missing: {why}")
        return SKIPPED
    finally:
        shutil.rmtree(scratch)
    print("\n".join(corpus.faults))
    print(f"{chosen.name}: {len(files)} files, {len(accepted)} compiled with what they include, {corpus.units} translation "
          f"units, {len(corpus.precompiled.made)} beginnings, {', '.join(compilers)}")
    return 1 if corpus.faults or not accepted else 0


if __name__ == "__main__":
    sys.exit(main())
