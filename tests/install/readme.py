# SPDX-License-Identifier: Apache-2.0
"""Types what README.md says under "A client and a server": writes the files that stand there into an empty folder and runs the
commands as they are, by CMake and by hand, in a home of its own.

A file is a fenced block; its name is the last word in back quotes of the line before it. Commands are the lines that are
indented by four, a block for each way: install callis, by CMake, by hand. Two things differ from a person who types: packages are
not installed but must be there, and after a command that goes on in the background what it is to print is awaited."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SECTION = "## A client and a server"
ANSWER = "Hello!"
SECONDS = 30  # until a server has printed its reference


def section():
    return (ROOT / "README.md").read_text(encoding="utf-8").split(SECTION + "\n")[1].split("\n## ")[0]


def files(text):
    """{name: content}"""
    found = {}
    for before, content in re.findall(r"([^\n]+)\n\n```\w+\n(.*?)```", text, re.S):
        names = re.findall(r"`([^`]+)`", before)
        if not names:
            sys.exit(f"README.md: a block without the name of its file, after: {before}")
        found[names[-1]] = content
    return found


def commands(text):
    """Lists of lines, one list a block."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    return [[line[4:] for line in block.splitlines()] for block in re.findall(r"(?:^ {4}\S.*\n)+", text, re.M)]


def check_packages(line):
    for package in line.split()[3:]:
        shown = subprocess.run(["dpkg-query", "-W", "-f=${db:Status-Status}", package], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True, check=False).stdout
        if shown != "installed":
            sys.exit(f"README.md needs the package {package}")


def script(lines):
    """The lines for a shell that stops at the first that fails."""
    typed = ["set -em", "trap 'kill $(jobs -p) 2>/dev/null || :' EXIT"]
    for line in lines:
        if line.startswith("sudo apt install "):
            check_packages(line)
            continue
        typed.append(line)
        if line.endswith(" &"):
            name = line.split("> ")[1].split()[0]
            typed.append(f"timeout {SECONDS} sh -c 'until test -s {name}; do sleep 0.05; done'")
    return "\n".join(typed) + "\n"


def type_in(lines, folder, environment):
    """What was printed, and the seconds that it took: of the clock and of processors."""
    before, started = os.times(), time.monotonic()
    done = subprocess.run(["bash", "-c", script(lines)], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)
    after = os.times()
    if done.returncode != 0:
        sys.exit("\n".join(lines) + f"\n\nstatus {done.returncode}\n{done.stdout}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return done.stdout, (time.monotonic() - started, used)


def run(folder, build=None):
    """In a new folder. With `build`, callis is installed from there; else it is built as README.md says, in a copy of the tree.
    Returns {"install", "cmake", "hand": (seconds, processor seconds)}."""
    text = section()
    sources, blocks = files(text), commands(text)
    if len(blocks) != 3 or len(sources) != 4:
        sys.exit(f"README.md has other blocks than this test knows: {list(sources)}, {blocks}")
    home = folder / "home"
    home.mkdir()
    environment = {"HOME": str(home), "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "CCACHE_DISABLE": "1",
                   "CALLIS_ENDPOINT": "tcp:127.0.0.1:0"}  # the test is this machine's alone
    install, by_cmake, by_hand = blocks
    took = {}
    if build is None:
        tree = folder / "tree"
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns("build", ".git", "out"))
        _, took["install"] = type_in(install, tree, environment)
    else:
        last = [line for line in install if line.startswith("cmake --install build/user ")]
        _, took["install"] = type_in([line.replace("build/user", f"'{build}'") for line in last], folder, environment)
    for way, lines in (("cmake", by_cmake), ("hand", by_hand)):
        place = folder / way
        place.mkdir()
        for name, content in sources.items():
            if way == "cmake" or name != "CMakeLists.txt":
                (place / name).write_text(content, encoding="utf-8")
        said, took[way] = type_in(lines, place, environment)
        if ANSWER not in said.splitlines():
            sys.exit(f"{way} printed:\n{said}")
    for way, (seconds, used) in took.items():
        print(f"{way}: {seconds:.1f} s, {used:.1f} s of processors")
    return took
