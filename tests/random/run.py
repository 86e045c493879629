#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random IDL files through the compiler, and random values through what it made of them.

    run.py --build BUILD [--seed N] [--files N] [--batch N] [--first N] [--features A,B] [--omniorb sometimes|always|never]

For each batch: the files are compiled in both stub styles, the generated code is built at the strict flags, values go
through every operation in both byte orders, and both styles must put the same bytes on the wire; so the client of one
style understands the server of the other. Every other batch is left to what omniORB knows as well, and calls go over TCP
from each ORB to the other. A failure prints the seed and keeps the files; --seed, --first and --files
given again make it happen again.
"""
import argparse
import os
import pathlib
import random
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build  # noqa: E402
import driver  # noqa: E402
import features  # noqa: E402
import idl  # noqa: E402
import make  # noqa: E402
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from tests.harness.process import Failure, Processes  # noqa: E402

OMNIORB_IDL = "/usr/share/idl/omniORB"
PAIRS = (("omni", "interpreted"), ("omni", "compiled"), ("interpreted", "omni"), ("compiled", "omni"),
         ("interpreted", "compiled"), ("compiled", "interpreted"))


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def generate(tree, out, files):
    """IDL, both styles of C++, the programs."""
    for f in files:
        write(out / f"{f.stem}.idl", idl.text(f))
        write(out / f"{f.stem}_driver.cpp", driver.text(f))
    write(out / "table.cpp", driver.table(files))
    names = [f"{f.stem}.idl" for f in files]
    for style in build.STYLES:
        (out / style).mkdir(exist_ok=True)
        build.run([tree.idl, f"--stubs={style}", "-o", style, *names], out)
    for f in files:
        for header in (f"{f.stem}.h", f"{f.stem}_skel.h"):
            texts = [(out / style / header).read_text(encoding="utf-8") for style in build.STYLES]
            if texts[0] != texts[1]:
                raise build.Failed(f"{header} is not the same in both styles")


def exchange_in_process(out, seed, rounds):
    """Runs both programs and compares what they put on the wire; the number of calls."""
    transcripts = []
    for style in build.STYLES:
        transcript = out / f"{style}.transcript"
        build.run([out / f"loop_{style}", seed, rounds, transcript], out)
        transcripts.append(transcript.read_text(encoding="utf-8").splitlines())
    if len(transcripts[0]) != len(transcripts[1]):
        raise build.Failed("the styles made different numbers of calls")
    for a, b in zip(*transcripts):
        if a != b:
            raise build.Failed(f"interpreted and compiled stubs differ on the wire:\n  {a}\n  {b}")
    return len(transcripts[0])


def prepare_omniorb(tree, shared):
    """The control interface, through both IDL compilers."""
    for command in ([tree.idl, "-o", "control"], ["omniidl", "-bcxx", "-Comni"]):
        (shared / command[-1].removeprefix("-C")).mkdir(exist_ok=True)
        build.run([*command, build.HERE / "programs" / "control.idl"], shared)


def generate_omniorb(out, files):
    (out / "omni").mkdir()
    for f in files:
        build.run(["omniidl", "-bcxx", "-Wba", f"-I{OMNIORB_IDL}", "-Comni", f"{f.stem}.idl"], out)


def exchange_over_tcp(out, client, server, seed, rounds):
    endpoint = ["-ORBendPoint", "giop:tcp:127.0.0.1:"] if server == "omni" else ["-ORBEndpoint", "tcp:127.0.0.1"]
    with Processes() as processes:
        try:
            serving = processes.start("server", [out / f"server_{server}", *endpoint])
            ior = serving.wait_for(lambda line: line.startswith("control "), 30)[-1].split()[1]
            calling = processes.start("client", [out / f"client_{client}", ior, seed, rounds])
            status = calling.finish(120)
            serving.end_input()
            if status != 0 or serving.finish(30) != 0:
                raise Failure(f"{client} to {server}: exit status {status}")
            return int(calling.output[-1].split()[0])
        except Failure as failure:
            raise build.Failed(f"{client} to {server}: {failure}\n{processes.describe()}") from None


def run_batch(tree, shared, out, files, with_omniorb, arguments):
    """The number of calls."""
    generate(tree, out, files)
    parts = build.shared_part(tree, shared) + build.batch_part(tree, shared, out, files)
    if with_omniorb:
        prepare_omniorb(tree, shared)
        generate_omniorb(out, files)
        parts += build.remote_shared_part(shared) + build.remote_part(tree, shared, out, files)
    build.ninja(tree, shared, out, parts, arguments.jobs)
    calls = exchange_in_process(out, arguments.seed, arguments.rounds)
    for client, server in PAIRS if with_omniorb else ():
        calls += exchange_over_tcp(out, client, server, arguments.seed, arguments.rounds)
    return calls


def run(arguments, scratch):
    tree = build.Tree(arguments.build, arguments.compiler, arguments.flags)
    shared = scratch / "shared"
    shared.mkdir(parents=True)
    calls = 0
    for number, first in enumerate( range(arguments.first, arguments.first + arguments.files, arguments.batch)):
        count = min(arguments.batch, arguments.first + arguments.files - first)
        out = scratch / f"batch_{first}"
        out.mkdir()
        with_omniorb = arguments.omniorb == "always" or (arguments.omniorb == "sometimes" and number % 2 == 1)
        wanted = arguments.features - features.NOT_OMNIORB if with_omniorb else arguments.features
        files = make.batch(arguments.seed, first, count, wanted)
        try:
            calls += run_batch(tree, shared, out, files, with_omniorb, arguments)
        except build.Failed as failure:
            print(f"FAILED: seed {arguments.seed}, files {first} to {first + count - 1} in {out}\n"
                  f"again: run.py --build {arguments.build} --seed {arguments.seed} --first {first} --files {count} "
                  f"--batch {count} --omniorb {'always' if with_omniorb else 'never'}\n{failure}", flush=True)
            return False
        shutil.rmtree(out)
        print(f"files {first} to {first + count - 1}: {calls} calls so far", flush=True)
    print(f"seed {arguments.seed}: {arguments.files} files, {calls} calls in each style")
    return calls > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", required=True, help="CMake's build folder")
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--flags", default="", help="more options of the compiler and linker, such as -fsanitize=address")
    parser.add_argument("--seed", type=int, default=None, help="default: a new one")
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--batch", type=int, default=20, help="files of one program")
    parser.add_argument("--rounds", type=int, default=5, help="values of each operation")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--features", type=lambda text: frozenset(text.split(",")) - {""}, default=features.AVAILABLE)
    parser.add_argument("--omniorb", choices=("sometimes", "always", "never"), default="sometimes")
    parser.add_argument("--out", type=pathlib.Path, help="default: a temporary folder")
    arguments = parser.parse_args()
    if arguments.seed is None:
        arguments.seed = random.randrange(1 << 31)
        print(f"seed {arguments.seed}", flush=True)
    if arguments.out:
        shutil.rmtree(arguments.out, ignore_errors=True)
    scratch = (arguments.out or pathlib.Path(tempfile.mkdtemp(prefix="callis-random-"))).resolve()
    good = run(arguments, scratch)
    if good:
        shutil.rmtree(scratch)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
