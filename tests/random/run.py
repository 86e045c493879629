#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random IDL files through the compiler, and random values through what it made of them.

    run.py --build BUILD [--seed N] [--files N] [--batch N] [--first N] [--features A,B] [--omniorb sometimes|always|never]

For each batch: the files are compiled in both stub styles, the generated code is built at the strict flags, values go
through every operation in both byte orders, and both styles must put the same bytes on the wire; so the client of one
style understands the server of the other. Every other batch is left to what omniORB knows as well, and calls go over TCP
from each ORB to the other. What is generated for the files of a batch is compiled together, which costs a third; in
every eleventh batch each source by itself (--apart).

All batches are tried. A failure prints how to make it happen again, and keeps the files.
"""
import argparse
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import resource
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import build  # noqa: E402
import driver  # noqa: E402
import features  # noqa: E402
import idl  # noqa: E402
import make  # noqa: E402
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
from tests.harness.process import Failure, Processes  # noqa: E402

OMNIORB_IDL = "/usr/share/idl/omniORB"
# It takes messages of 2 MiB at most, and callis of 16.
OMNIORB_OPTIONS = ("-ORBgiopMaxMsgSize", 16 << 20)
# What loop.cpp says at its end.
VALUES = re.compile(r"(\d+) numbers drawn for (\d+) arguments and results, (\d+) of them cut short")
PAIRS = (("omni", "interpreted"), ("omni", "compiled"), ("interpreted", "omni"), ("compiled", "omni"),
         ("interpreted", "compiled"), ("compiled", "interpreted"))


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def generate(tree, out, files, many_values):
    """IDL, both styles of C++, the programs."""
    for f in files:
        write(out / f"{f.stem}.idl", idl.text(f))
        write(out / f"{f.stem}_driver.cpp", driver.text(f))
    write(out / "table.cpp", driver.table(files, many_values))
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
    """Runs both programs and compares what they put on the wire; the number of calls, and what the values were made of."""
    transcripts = []
    for style in build.STYLES:
        transcript = out / f"{style}.transcript"
        said = build.run([out / f"loop_{style}", seed, rounds, transcript], out)
        transcripts.append(transcript.read_text(encoding="utf-8").splitlines())
    if len(transcripts[0]) != len(transcripts[1]):
        raise build.Failed("the styles made different numbers of calls")
    for a, b in zip(*transcripts):
        if a != b:
            raise build.Failed(f"interpreted and compiled stubs differ on the wire:\n  {a}\n  {b}")
    return len(transcripts[0]), [int(n) for n in VALUES.search(said).groups()]


def prepare_omniorb(tree, shared):
    """The control interface, through both IDL compilers."""
    for command in ([tree.idl, "-o", "control"], ["omniidl", "-bcxx", "-Comni"]):
        (shared / command[-1].removeprefix("-C")).mkdir(exist_ok=True)
        build.run([*command, build.HERE / "programs" / "control.idl"], shared)


def generate_omniorb(out, files):
    """All files as one, and headers by their names."""
    (out / "omni").mkdir()
    text = ["#include <orb.idl>"]
    for f in files:
        text += [line for line in idl.text(f).splitlines() if not line.startswith("#include")] + ['#pragma prefix ""']
        write(out / "omni" / f"{f.stem}.hh", '#include "batch.hh"\n')
    write(out / "batch.idl", "\n".join(text) + "\n")
    build.run(["omniidl", "-bcxx", "-Wba", f"-I{OMNIORB_IDL}", "-Comni", "batch.idl"], out)


def exchange_over_tcp(out, client, server, seed, rounds):
    endpoint = ["-ORBEndpoint", "tcp:127.0.0.1"]
    if server == "omni":
        endpoint = ["-ORBendPoint", "giop:tcp:127.0.0.1:", *OMNIORB_OPTIONS]
    options = OMNIORB_OPTIONS if client == "omni" else ()
    with Processes() as processes:
        try:
            serving = processes.start("server", [out / f"server_{server}", *endpoint])
            ior = serving.wait_for(lambda line: line.startswith("control "), 30)[-1].split()[1]
            calling = processes.start("client", [out / f"client_{client}", ior, seed, rounds, *options])
            status = calling.finish(120)
            serving.end_input()
            if status != 0 or serving.finish(30) != 0:
                raise Failure(f"{client} to {server}: exit status {status}")
            return int(calling.output[-1].split()[0])
        except Failure as failure:
            raise build.Failed(f"{client} to {server}: {failure}\n{processes.describe()}") from None


@dataclasses.dataclass
class Batch:
    """Which files, and how they are tried."""
    first: int
    count: int
    omniorb: bool
    apart: bool

    def again(self, arguments):
        return (f"run.py --build {arguments.build} --seed {arguments.seed} --first {self.first} --files {self.count} "
                f"--batch {self.count} --omniorb {'always' if self.omniorb else 'never'} "
                f"--apart {'always' if self.apart else 'never'}")


@dataclasses.dataclass
class Figures:
    """What was done for one batch, or for many."""
    files: int = 0
    files_omniorb: int = 0
    local: int = 0  # calls within the process, of one style
    remote: int = 0  # calls over TCP
    compiling: float = 0.0  # seconds of processors, without this script's
    calling: float = 0.0
    drawn: int = 0  # numbers, for so many arguments and results, of which some were cut short (host.h)
    values: int = 0
    cut: int = 0
    failures: list = dataclasses.field(default_factory=list)

    def add(self, other):
        for each in dataclasses.fields(self):
            setattr(self, each.name, getattr(self, each.name) + getattr(other, each.name))


def processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def prepare(tree, shared, omniorb, jobs):
    """Builds what all batches use."""
    lines = build.shared_part(shared)
    if omniorb:
        prepare_omniorb(tree, shared)
        lines += build.remote_shared_part(shared)
    build.ninja(tree, shared, lines, jobs)


def try_batch(tree, scratch, batch, jobs, arguments):
    """Its figures. Raises build.Failed."""
    shared, out = scratch / "shared", scratch / f"batch_{batch.first}"
    out.mkdir()
    wanted = features.of_omniorb(arguments.features, batch.first) if batch.omniorb else arguments.features
    files = make.batch(arguments.seed, batch.first, batch.count, wanted)
    begun = processor_time()
    generate(tree, out, files, "many_values" in wanted)
    lines, objects = build.batch_part(tree, shared, out, files, not batch.apart)
    if batch.omniorb:
        generate_omniorb(out, files)
        lines += build.remote_part(tree, shared, out, files, objects)
    build.ninja(tree, out, lines, jobs)
    built = processor_time()
    local, (drawn, values, cut) = exchange_in_process(out, arguments.seed, arguments.rounds)
    figures = Figures(batch.count, batch.count if batch.omniorb else 0, local, drawn=drawn, values=values, cut=cut)
    for client, server in PAIRS if batch.omniorb else ():
        figures.remote += exchange_over_tcp(out, client, server, arguments.seed, arguments.rounds)
    figures.compiling, figures.calling = built - begun, processor_time() - built
    shutil.rmtree(out)
    return figures


def run_batch(*arguments):
    """In a process of its own: failures come back as text."""
    try:
        return try_batch(*arguments)
    except build.Failed as failure:
        return Figures(failures=[str(failure)])


def chosen(option, usually):
    return option == "always" or (option == "sometimes" and usually)


def batches(arguments):
    """The choice goes by the files' numbers, so that slices of a run are tried as in the whole."""
    end = arguments.first + arguments.files
    for first in range(arguments.first, end, arguments.batch):
        number = first // arguments.batch
        yield Batch(first, min(arguments.batch, end - first), chosen(arguments.omniorb, number % 2 == 1),
                    chosen(arguments.apart, number % 11 == 5))


def run(arguments, scratch):
    tree = build.Tree(arguments.build, arguments.compiler, arguments.flags)
    todo = list(batches(arguments))
    (scratch / "shared").mkdir(parents=True)
    prepare(tree, scratch / "shared", any(b.omniorb for b in todo), arguments.jobs)
    workers = max(1, min(arguments.jobs, len(todo)))
    total, begun = Figures(compiling=processor_time()), time.monotonic()
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        running = {pool.submit(run_batch, tree, scratch, b, max(1, arguments.jobs // workers), arguments): b for b in todo}
        for done in concurrent.futures.as_completed(running):
            report(total, done.result(), running[done], scratch, arguments)
    print(f"seed {arguments.seed}: {total.files} of {arguments.files} files passed, {total.files_omniorb} of them with omniORB too; "
          f"{total.local} calls in the process in each style (interpreted, compiled), half of them in each byte order, "
          f"and {total.remote} calls over TCP; {total.drawn / max(1, total.values):.0f} random numbers an argument or result, "
          f"{total.cut} of {total.values} of these cut short\n"
          f"{(time.monotonic() - begun) / 60:.1f} minutes; processors: {total.compiling / 60:.1f} minutes for compilers, "
          f"{total.calling / 60:.1f} for calls; {len(total.failures)} batches failed")
    return not total.failures and total.local > 0


def report(total, figures, batch, scratch, arguments):
    total.add(figures)
    what = f"files {batch.first} to {batch.first + batch.count - 1}{' (omniORB)' if batch.omniorb else ''}{' (apart)' if batch.apart else ''}"
    for failure in figures.failures:
        print(f"FAILED: seed {arguments.seed}, {what} in {scratch / f'batch_{batch.first}'}\n"
              f"again: {batch.again(arguments)}\n{failure}", flush=True)
    if not figures.failures:
        print(f"{what}: {figures.local} calls in each style, {figures.remote} over TCP, "
              f"{figures.compiling + figures.calling:.0f} seconds of a processor", flush=True)


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
    parser.add_argument("--apart", choices=("sometimes", "always", "never"), default="sometimes")
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
