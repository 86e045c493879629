#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Links the programs of headers/ without CMake in the ways that there are, and runs them: what a public header promises
must be there by itself, and what a skeleton needs with the skeleton. Options of the linker that leave features out must leave them out."""
import argparse
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
HEADERS = ["corba", "portable_server", "messaging", "interceptors", "dynamic_any", "imr", "rt"]
SKELETONS = ["skeleton", "servant"]  # programs that include alone_skel.h instead of a header of callis
GENERATED = ["alone.o", "alone_skel.o"]
# As docs/guide/getting-started.md has them.
LIBRARIES = ["imr_client", "rt", "dynamic", "interceptors", "messaging", "poa", "orb", "giop", "ior", "transport", "typecode", "value", "classic",
             "marshal", "cdr", "base"]
WAYS = {
    "archives": ["{program}", "{archives}"],
    "archives without what nobody needs": ["-Wl,--gc-sections", "-Wl,--as-needed", "{program}", "{archives}"],
    "all static": ["-static", "{program}", "{archives}"],
    "callis as a shared library": ["-Wl,--as-needed", "{program}", "-lcallis", "-Wl,-rpath,{here}"],
    "a shared library that has callis": ["{main}", "-Wl,--as-needed", "-l{header}", "-Wl,-rpath,{here}"],
}


class Builder:
    def __init__(self, here, build, compiler):
        self.here, self.build, self.compiler = here, build, compiler
        self.archives = [f"-L{build}/lib"] + [f"-lcallis_{name}" for name in LIBRARIES] + ["-lpthread"]

    def run(self, *arguments):
        words = self.compiler + [str(a) for a in arguments]
        done = subprocess.run(words, cwd=self.here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        if done.returncode != 0:
            sys.exit(f"{' '.join(words)}\n{done.stdout}")

    def compile(self, header, *options, to):
        self.compile_file(HERE / "headers" / f"{header}.cpp", *options, to=to)

    def compile_file(self, source, *options, to):
        includes = [f"-I{ROOT}", f"-I{self.build}/include", f"-I{self.here}"]
        self.run("-std=c++20", "-O1", "-fPIC", *includes, *options, "-c", source, "-o", to)

    def generate(self):
        subprocess.run([self.build / "bin" / "callis-idl", "-o", self.here, HERE / "alone.idl"], check=True)
        for name in GENERATED:
            self.compile_file(self.here / name.replace(".o", ".cpp"), to=name)

    def whole_library(self):
        self.run("-shared", "-o", "libcallis.so", f"-L{self.build}/lib", "-Wl,--whole-archive",
                 *[f"-lcallis_{name}" for name in LIBRARIES], "-Wl,--no-whole-archive", "-lpthread")

    def link(self, way, header):
        generated = GENERATED if header in SKELETONS else []
        places = {"program": f"{header}.o", "main": "main.o", "header": header, "here": self.here}
        if "{main}" in way:
            subprocess.run(["objcopy", "--redefine-sym", "main=callis_test_main", f"{header}.o", f"{header}_main.o"], cwd=self.here, check=True)
            self.run("-shared", "-o", f"lib{header}.so", f"{header}_main.o", *generated, *self.archives)
            generated = []
        words = []
        for word in way:
            words += self.archives if word == "{archives}" else [word.format(**places)]
            words += generated if word == "{program}" else []
        self.run("-o", "program", f"-L{self.here}", *words)
        return self.result()

    def result(self):
        done = subprocess.run([self.here / "program"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=60, check=False)
        return f"status {done.returncode}, {done.stdout.strip()}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--compiler", default="c++", help="with the flags that the build wants")
    args = parser.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        builder = Builder(pathlib.Path(folder), pathlib.Path(args.build).resolve(), args.compiler.split())
        sanitized = "-fsanitize" in args.compiler
        (builder.here / "main.cpp").write_text("extern \"C\" int callis_test_main();\nint main() { return callis_test_main(); }\n")
        builder.run("-c", "main.cpp", "-o", "main.o")
        builder.whole_library()
        builder.generate()
        for header in HEADERS + SKELETONS:
            builder.compile(header, to=f"{header}.o")
            for name, way in WAYS.items():
                if sanitized and "-static" in way:
                    continue
                result = builder.link(way, header)
                if result != "status 0, OK":
                    wrong.append(f"headers/{header}.cpp, {name}: {result}")
        result = builder.link([f"@{builder.build}/lib/callis_minimal", "{program}", "{archives}"], "corba")
        if "linked without the feature" not in result:
            wrong.append(f"callis/corba.h with callis_minimal: {result}")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
