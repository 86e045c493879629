#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs the build and runs the commands that docs/guide/getting-started.md has for programs built without CMake, with the
minimal client and server of bench/footprint: the program must take options of features; linked with callis_minimal it must name what it lacks,
and with the line of callis_features that gives it back it must have it."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OPTIONS = ["-ORBServerThreads", "pool", "-ORBClientConnections", "shared"]


def commands():
    page = (ROOT / "docs/guide/getting-started.md").read_text(encoding="utf-8")
    section = page.split("## Without CMake", 1)[1].split("\n## ", 1)[0]
    return re.search(r"```sh\n(.*?)```", section, re.DOTALL).group(1)


def run(program):
    done = subprocess.run([program, *OPTIONS], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                          check=False)
    return done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build")
    parser.add_argument("--compiler", default="c++", help="with the flags that the build wants")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        here = pathlib.Path(folder)
        shutil.copy(ROOT / "bench/footprint/minimal.idl", here / "bank.idl")
        source = (ROOT / "bench/footprint/minimal.cpp").read_text(encoding="utf-8")
        (here / "program.cpp").write_text(source.replace("minimal_skel.h", "bank_skel.h"), encoding="utf-8")
        prefix = here / "installed"
        subprocess.run(["cmake", "--install", args.build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
        libraries = next(prefix.glob("lib*/**/libcallis.so")).parent
        environment = dict(os.environ, PATH=f"{prefix}/bin:{os.environ['PATH']}", PKG_CONFIG_PATH=f"{libraries}/pkgconfig")
        os.environ["LD_LIBRARY_PATH"] = str(libraries)
        shown = re.sub(r"^c\+\+", lambda _: args.compiler, commands(), flags=re.MULTILINE)
        link = shown[shown.rindex(args.compiler):].replace("$(pkg-config --libs callis)", f"{libraries}/libcallis.a -pthread")
        minimal = f"@{libraries}/callis/callis_minimal"
        without = link.replace("-o program", f"-o none {minimal}")
        some = link.replace("-o program", f"-o some {minimal} -Wl,-u,callis_feature_pool")
        for script in (shown, without, some):
            subprocess.run(["sh", "-e", "-c", script], cwd=here, env=environment, check=True)
        status, text = run(here / "program")
        if status != 0 or text != "OK\n":
            sys.exit(f"with features: status {status}, {text}")
        status, text = run(here / "none")
        if status == 0 or "linked without the feature pool" not in text:
            sys.exit(f"without features: status {status}, {text}")
        status, text = run(here / "some")
        if status == 0 or "linked without the feature sharing" not in text:
            sys.exit(f"with the feature pool alone: status {status}, {text}")


if __name__ == "__main__":
    main()
