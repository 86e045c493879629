#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the fuzz targets of this folder with clang and libFuzzer, under AddressSanitizer and
UndefinedBehaviorSanitizer, and runs each for a while, or for a number of executions. Corpora are kept, so that a later
run goes on where this one ended; an input that fails is left beside its corpus and its name printed. An execution that
takes too much processor time fails, too (target.h)."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TARGETS = {"plan_decode": ("base", "cdr", "marshal"), "type_code": ("base", "cdr", "marshal"),
           "type_code_to_plan": ("base", "cdr", "marshal", "classic", "value", "typecode"),
           "any": ("base", "cdr", "marshal", "classic", "value", "typecode"),
           "value_graph": ("base", "cdr", "marshal", "classic", "value", "typecode"),
           "dyn_any": ("base", "cdr", "marshal", "classic", "value", "typecode", "dynamic"),
           "call_json": ("base", "cdr", "marshal", "classic", "value", "typecode", "dynamic"),
           "fixed": ("base", "cdr", "marshal", "classic"),
           "giop_connection": ("base", "cdr", "ior", "giop"),
           "flows": ("base", "services/streams/flows", "services/streams/payload"),
           "tls": ("base", "transport", "callis/transport/tls"),
           "constraint": ("base",),
           "idl_front": ("idl/source", "idl/parse", "idl/ast", "idl/sema", "idl/backends/classic")}
EXTRA = {"giop_connection": ["callis/giop/testing/driver.cpp", "callis/giop/testing/wire.cpp"],
         "idl_front": [f"idl/driver/{name}.cpp" for name in ("compile", "dump", "json", "json_writer")]}
EXTRA["call_json"] = [f"tools/call/{name}.cpp" for name in ("expected", "from_json", "type_from_json", "to_json", "texts", "types")]
EXTRA["call_json"] += ["services/json/json.cpp", "services/json/read.cpp"]
EXTRA["constraint"] = [f"services/constraints/{name}.cpp" for name in ("refused", "lexer", "parser", "evaluator", "constraint", "preference")]
EXTRA["tls"] = ["callis/transport/tls/issue.cpp"]
LINKS = {"tls": ["-lssl", "-lcrypto"]}  # of the system, without sanitizers
# These need the ORB, which is linked as a build with CMake has made it, without sanitizers: its libraries, and what it has made
# of IDL files.
BUILT = {"dyn_any": ("poa", "orb", "transport", "giop", "ior"),
         "call_json": ("idl_driver", "idl_backends", "idl_classic", "idl_sema", "idl_parse", "idl_ast", "idl_source",
                       "poa", "orb", "transport", "giop", "ior")}
OPTIONS = {"idl_front": [f"-dict={ROOT}/tests/fuzz/idl.dict"]}
LONGEST = {"type_code_to_plan": 16384}  # inputs, in bytes; else 4096
SLOWEST = {"idl_front": 5000, "call_json": 500}           # ms of processor time, as promised of callis-idl without sanitizers; else --slowest
FLAGS = ["-std=c++20", "-O2", "-g1", f"-I{ROOT}", f"-DCALLIS_SOURCE_DIR=\"{ROOT}\""]
# Stacks of allocations are short and freed memory is kept for a while only: half the time went there.
ASAN = "malloc_context_size=3:quarantine_size_mb=16"
SANITIZERS = ["-fsanitize=fuzzer,address,undefined", "-fno-sanitize=vptr", "-fno-sanitize-recover=undefined"]


def library_sources(name):
    folder = name if "/" in name else f"callis/{name}"
    text = (ROOT / folder / "CMakeLists.txt").read_text()
    body = re.search(r"callis_library\([^)]*?SOURCES([^)]*?)(?:DEPS|\))", text)
    return [f"{folder}/{s}" for s in body.group(1).split() if s.endswith(".cpp")]


def idl_seeds():
    """Texts of idl/testdata, and what tests/hostile_idl makes of sizes that fit."""
    for path in sorted((ROOT / "idl" / "testdata").glob("*/*.idl")):
        yield path.read_bytes()
    sys.path.insert(0, str(ROOT / "tests" / "hostile_idl"))
    import files
    for case in files.CASES:
        for size in (3, 12):
            yield case.text(size).encode("latin-1")


SEEDS = {"idl_front": idl_seeds}  # others write theirs themselves (seeds.h)


def write_seeds(name, corpus):
    if name in SEEDS and not any(corpus.iterdir()):
        for i, text in enumerate(SEEDS[name]()):
            if len(text) <= LONGEST.get(name, 4096):
                (corpus / f"seed{i}").write_bytes(text)


def compile_all(compiler, flags, sources, out):
    launcher = ["ccache"] if shutil.which("ccache") else []

    def one(source):
        target = out / (source.replace("/", "_") + ".o")
        subprocess.run([*launcher, compiler, *flags, "-c", str(ROOT / source), "-o", str(target)], check=True)
        return str(target)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(one, sources))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True, help="directory for programs and corpora")
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default 60)")
    parser.add_argument("--runs", type=int, help="executions of each target, instead of seconds")
    parser.add_argument("--slowest", type=int, metavar="MS", default=100,
                        help="of processor time that an execution may take (default 100)")
    parser.add_argument("--plain", action="store_true", help="without sanitizers, for more executions")
    parser.add_argument("--compiler", default="clang++-14")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "dev",
                        help="where CMake has built callis_dynamic and callis_tools_call (default build/dev)")
    parser.add_argument("targets", nargs="*", default=list(TARGETS))
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    flags = FLAGS + (["-fsanitize=fuzzer"] if options.plain else SANITIZERS)
    much = f"-runs={options.runs}" if options.runs else f"-max_total_time={options.seconds}"
    failed = []
    made = {}
    for name in options.targets:
        sources = [s for library in TARGETS[name] for s in library_sources(library)] + EXTRA.get(name, [])
        sources.append(f"tests/fuzz/{name}.cpp")
        archives = []
        if name in BUILT:
            generated = options.build / "include"
            includes = [f"-I{generated}", f"-I{generated}/callis/idl"]
            sources += [str(generated / "callis" / "idl" / f"{file}.cpp") for file in ("DynamicAny",)
                        if (generated / "callis" / "idl" / f"{file}.cpp").exists()]
            # What the archives refer to as the features of the libraries that are compiled here.
            features = (options.build / "features" / f"{library}.cpp" for library in TARGETS[name])
            sources += [str(file) for file in features if file.exists()]
            archives = ["-Wl,--start-group", *(f"{options.build}/lib/libcallis_{library}.a" for library in BUILT[name]),
                        "-Wl,--end-group"]
        todo = [s for s in sources if s not in made]
        made.update(zip(todo, compile_all(options.compiler, flags + (includes if name in BUILT else []), todo, options.out)))
        program = options.out / name
        subprocess.run([options.compiler, *flags, "-o", str(program), *(made[s] for s in sources), *archives, *LINKS.get(name, []), "-lpthread"],
                       check=True)
        corpus = options.out / f"{name}.corpus"
        corpus.mkdir(exist_ok=True)
        write_seeds(name, corpus)
        print(f"== {name}, {f'{options.runs} executions' if options.runs else f'{options.seconds} s'}", flush=True)
        done = subprocess.run([str(program), str(corpus), much, f"-max_len={LONGEST.get(name, 4096)}", "-print_final_stats=1",
                               "-verbosity=0",
                               "-entropic=0",  # the schedule took three quarters of the time
                               *OPTIONS.get(name, []), f"-artifact_prefix={options.out}/{name}."],
                              env={"ASAN_OPTIONS": ASAN, **os.environ, "CALLIS_FUZZ_MS": str(SLOWEST.get(name, options.slowest))})
        if done.returncode != 0:
            failed.append(name)
    if failed:
        print("failed:", ", ".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
