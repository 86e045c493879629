#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which tests a change can break, for ./dev test --changed, by what Ninja knows of the build.

usage: changed.py BUILD [--since COMMIT] [--seconds N] [CTEST-ARGUMENTS...]

Changed files are those that differ from COMMIT; without it those that are not committed, or those of the last commit when
all is committed. A program is affected when Ninja would build it again. Of the affected test programs those are chosen that stand
nearest to the changed files, as many as build and run within N seconds (90) by the times of the last build and of the last run. A
test that a script runs is chosen when the script itself, or another file of its folder, has changed: which programs a script
starts Ninja does not know.

A changed header is also compiled alone.

Standard output has two lines: the targets to build, and a regular expression for `ctest -R`. What is affected, what of it is run and
what is not goes to standard error. The arguments are those by which CTest lists the tests of a whole run.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
UNKNOWN_COST = 2.0  # seconds of a step of the build, or of a test, that has not run yet
WHOLE = re.compile(r"cmake/|CMakeLists[.]txt$|CMakePresets[.]json$")  # of the top folder: everything hangs on it
UNESCAPED = re.compile(r"\$([ :$])")


class Graph:
    """What is made of what: build.ninja's statements, and the headers that compilers have told Ninja of."""

    def __init__(self, build):
        self.build = str(build.resolve()) + "/"
        self.uses = collections.defaultdict(set)   # file: what is made of it
        self.inputs = {}                           # what is made: its inputs
        self._statements((build / "build.ninja").read_text())
        self._headers(subprocess.run(["ninja", "-C", build, "-t", "deps"], stdout=subprocess.PIPE, text=True, check=True).stdout)

    def _path(self, word):
        word = UNESCAPED.sub(r"\1", word.replace("${cmake_ninja_workdir}", self.build))
        return (word + "/")[len(self.build):-1] or "." if (word + "/").startswith(self.build) else word

    def _statements(self, text):
        for line in re.findall(r"^build (.*)$", text.replace("$\n", ""), re.MULTILINE):
            outputs, inputs = re.split(r"(?<!\$): ", line, maxsplit=1)
            made = [self._path(w) for w in re.split(r"(?<!\$) ", outputs) if w not in ("", "|")]
            words = re.split(r"(?<!\$) ", inputs.split(" || ")[0])[1:]  # the first is the rule
            if made[0] == "build.ninja":
                continue
            used = [self._path(w) for w in words if w not in ("", "|")]
            for output in made:
                self.inputs[output] = used
                for each in used:
                    self.uses[each].add(output)

    def _headers(self, text):
        output = None
        for line in text.splitlines():
            if line.startswith(" "):
                self.uses[self._path(line.strip())].add(output)
            elif line:
                output = line.split(": #deps")[0]

    def made_of(self, files):
        """All that is made of these files, by whatever steps."""
        found, left = set(), list(files)
        while left:
            for output in self.uses.get(left.pop(), ()):
                if output not in found:
                    found.add(output)
                    left.append(output)
        return found

    def folder_of(self, program):
        """The folder in the tree whose CMakeLists.txt makes the program."""
        own = f"/{os.path.basename(program)}.dir/"
        return next((i.split("/CMakeFiles/")[0] for i in self.inputs.get(program, ()) if own in i), os.path.dirname(program))


def git(root, *arguments):
    return subprocess.run(["git", "-C", root, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def changed_files(root, commit):
    """(paths from the root, what they differ from)"""
    new = git(root, "ls-files", "--others", "--exclude-standard").split("\n")
    since = commit or "HEAD"
    files = set(git(root, "diff", "--name-only", since).split("\n") + new) - {""}
    if not files and not commit:
        since = "HEAD~1"
        files = set(git(root, "diff", "--name-only", since).split("\n")) - {""}
    return sorted(files), since


def seconds_of_steps(build):
    """{output: seconds} by Ninja's log."""
    times = {}
    for line in (build / ".ninja_log").read_text().splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        times[output] = (int(end) - int(begin)) / 1000
    return times


def seconds_of_tests(build):
    """{test: seconds} by CTest's own record of what tests took."""
    file = build / "Testing/Temporary/CTestCostData.txt"
    lines = file.read_text().splitlines() if file.exists() else []
    return {words[0]: float(words[2]) for words in map(str.split, lines) if len(words) == 3}


def tests_of(build, arguments):
    """[(name, command, labels)]"""
    listed = subprocess.run(["ctest", "--test-dir", build, *arguments, "--show-only=json-v1"], stdout=subprocess.PIPE, check=True)
    for test in json.loads(listed.stdout)["tests"]:
        labels = next((p["value"] for p in test.get("properties", ()) if p["name"] == "LABELS"), [])
        yield test["name"], test.get("command", []), labels


def nearness(folder, files):
    """How many of the folder's names the nearest changed file has in common with it."""
    def common(file):
        pairs = zip(folder.split("/"), file.split("/"))
        return next((n for n, (a, b) in enumerate(pairs) if a != b), min(folder.count("/"), file.count("/")) + 1)
    return max(common(file) for file in files)


class Choice:
    """What of the affected tests is run."""

    def __init__(self, root, build, files, seconds, tests):
        self.files, self.targets, self.run, self.left = files, [], [], []
        graph = Graph(build)
        seeds = {f"{root}/{file}" for file in files}
        folders = {os.path.dirname(f) for f in files if os.path.basename(f) == "CMakeLists.txt"}
        seeds |= {o for o in graph.inputs if o.split("/CMakeFiles/")[0] in folders and "/CMakeFiles/" in o}
        self.affected = graph.made_of(seeds) | (seeds & set(graph.inputs))
        self.unknown = [f for f in files if f.endswith((".cpp", ".h", ".inc", ".idl")) and f"{root}/{f}" not in graph.uses]
        self._headers(graph)
        self._scripts(root, tests)
        self._programs(graph, build, seconds, tests)

    def _headers(self, graph):
        """What compiles a changed header alone (callis_library() in CMake)."""
        ids = {re.sub(r"\W", "_", f) for f in self.files if f.endswith(".h")}
        self.alone = [o for o in graph.inputs if "/header_alone/" in o and o.endswith(".o") and os.path.basename(o).split(".")[0] in ids]
        self.targets += self.alone

    def _scripts(self, root, tests):
        folders = {f"{root}/{os.path.dirname(f)}/" for f in self.files if "/" in f}
        self.run += [name for name, command, _ in tests if any(w.startswith(tuple(folders)) for w in command if w.endswith((".py", ".sh")))]

    def _programs(self, graph, build, seconds, tests):
        programs, scripts = collections.defaultdict(list), []
        for name, command, labels in tests:
            paths = [graph._path(w) for w in command]
            if paths and paths[0] in self.affected:
                programs[paths[0]].append(name)
            elif name not in self.run and self.affected and self._touches(paths):
                scripts.append((name, labels))
        steps, costs = seconds_of_steps(build), seconds_of_tests(build)
        left = seconds * len(os.sched_getaffinity(0))
        built = set()

        def cost(program):
            again = self._below(graph, program) - built
            return sum(steps.get(o, UNKNOWN_COST) for o in again) + sum(costs.get(t, UNKNOWN_COST) for t in programs[program])
        order = sorted(programs, key=lambda p: (-nearness(graph.folder_of(p), self.files), cost(p), p))
        for program in order:
            needs = cost(program)
            if needs <= left or program == order[0]:
                left -= needs
                built |= self._below(graph, program)
                self.targets.append(program)
                self.run += programs[program]
            else:
                self.left += [(name, [graph.folder_of(program)]) for name in programs[program]]
        self.left += scripts

    def _touches(self, paths):
        """Whether a script is told of an affected program, or of the folder or the build that has one."""
        return any(p == "." or p in self.affected or any(a.startswith(p.rstrip("/") + "/") for a in self.affected) for p in paths if p)

    def _below(self, graph, program):
        """The affected steps by which the program is made."""
        found, left = set(), [program]
        while left:
            output = left.pop()
            if output in self.affected and output not in found:
                found.add(output)
                left += graph.inputs.get(output, ())
        return found


def some(names, most=12):
    return " ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "") if names else "none"


def grouped(left):
    """Tests that are not run, by their first label or folder: `interop (45)`."""
    counts = collections.Counter((labels or ["others"])[0] for _, labels in left)
    return ", ".join(f"{group} ({count})" for group, count in counts.most_common()) or "nothing"


def main(words=None):
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n\n")[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--since")
    parser.add_argument("--seconds", type=float, default=90)
    arguments, ctest = parser.parse_known_args(words)
    files, since = changed_files(ROOT, arguments.since)
    say = lambda *words: print(*words, file=sys.stderr)  # noqa: E731
    if not files:
        say(f"nothing has changed since {since}")
        return 3
    say(f"changed since {since}: {some(files)}")
    if any(WHOLE.match(f) for f in files):
        say("everything may be affected: ./dev test")
        return 3
    choice = Choice(ROOT, arguments.build, files, arguments.seconds, list(tests_of(arguments.build, ctest)))
    if choice.unknown:
        say(f"not known to the last build: {some(choice.unknown)}")
    say(f"run: {some(choice.run)}")
    say(f"not run, though it may be affected: {grouped(choice.left)}; ./dev test runs it")
    if choice.alone:
        say(f"compiled alone: {len(choice.alone)} headers")
    print(" ".join(choice.targets))
    print("^(" + "|".join(re.escape(n) for n in choice.run) + ")$")
    return 0 if choice.run else 3


if __name__ == "__main__":
    sys.exit(main())
