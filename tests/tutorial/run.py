#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Does what docs/guide/tutorial.md says: makes its files, and types its commands into a shell.

    run.py --build BUILD        the build is installed, and the tutorial run against it, in folders that go away
    run.py --prefix PREFIX      against a callis that is installed already
    run.py --build BUILD --java LIB    up to where the bank is open; then what docs/guide/from-jacorb.md says, with the libraries in LIB
    run.py --self-test

In the page a comment stands before a block:
    <!-- file: NAME -->         the block is a piece of that file; all pieces together must be examples/tutorial-bank/NAME
    <!-- until: WORDS -->       the block starts a program in the background, which prints that when it is ready
Blocks of `sh` are commands. A block of `text` behind one is what it prints: those lines, all and in that order. Without one, the commands
must end with status 0. The naming service's port is replaced by a free one; HOME is a folder with opt/callis/ in it."""
import argparse
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/guide/tutorial.md"
JAVA_PAGE = ROOT / "docs/guide/from-jacorb.md"
FILES = ROOT / "examples/tutorial-bank"
SECONDS = 120  # for one block; two programs are compiled in one
sys.path.insert(0, str(ROOT / "tests"))
from harness.ports import fixed_port  # noqa: E402, pylint: disable=wrong-import-position

BLOCK = re.compile(r"(?:<!-- (file|until): (.*?) -->\n)?```(\w+)\n(.*?)\n```\n(?:\n```text\n(.*?)\n```\n)?", re.S)


class Failure(Exception):
    pass


def read_page(text, others=False):
    """(the files, [(commands, words to wait for, lines that are printed)]); others: blocks of other kinds are passed over"""
    files, steps = {}, []
    for kind, words, language, code, printed in BLOCK.findall(text):
        if kind == "file":
            files[words] = files.get(words, "") + code + "\n"
        elif language == "sh":
            steps.append((code, words if kind == "until" else None, printed.splitlines() if printed else None))
        elif not others:
            raise Failure(f"neither a file nor commands:\n{code}")
    return files, steps


def same(text):
    return [line for line in text.splitlines() if line.strip()]


def compare(files, folder):
    """The page's pieces have no blank lines at their ends; all else must be the same."""
    for path in folder.iterdir():
        if path.name not in files:
            raise Failure(f"the page has no {path.name}")
    for name, text in files.items():
        there = (folder / name).read_text(encoding="utf-8")
        if same(there) != same(text):
            raise Failure(f"{name}: the page and {folder.name} differ")


class Shell:
    def __init__(self, folder, environment):
        # A process group of its own, whose end is the end of all that it has started, but for jobs, which have theirs.
        self.process = subprocess.Popen(["bash"], cwd=folder, env=environment, text=True, start_new_session=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.queue = queue.Queue()
        threading.Thread(target=self.read, daemon=True).start()
        self.type("set -m")  # jobs, as in a terminal

    def read(self):
        for line in self.process.stdout:
            self.queue.put(line.rstrip("\n"))

    def type(self, text):
        self.process.stdin.write(text + "\n")
        self.process.stdin.flush()

    def lines(self, last):
        """The lines up to the one that last() takes, with that one."""
        found, end = [], time.monotonic() + SECONDS
        while not (found and last(found[-1])):
            try:
                found.append(self.queue.get(timeout=max(0, end - time.monotonic())))
            except queue.Empty:
                raise Failure("\n".join(["nothing more was printed after", *found])) from None
        return found

    def run(self, commands, until):
        """What the commands print, and their status."""
        self.type(f"{commands}\necho \"--- done $?\"")
        lines = self.lines(lambda line: line.startswith("--- done "))
        status = int(lines.pop().split()[-1])
        if until and not any(until in line for line in lines):
            lines += self.lines(lambda line: until in line)
        return lines, status

    def close(self):
        """Ends the jobs that are left, and the shell."""
        if self.process.poll() is None:
            self.type("kill -9 $(jobs -p) 2>/dev/null; exit")
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.process.stdin.close()


def follow(text, examples, home, port, java=None):
    files, steps = read_page(text)
    if examples:
        compare(files, examples)
    if java:
        del steps[1 + next(i for i, step in enumerate(steps) if "build/bank_server" in step[0]):]
        more_files, more_steps = read_page(JAVA_PAGE.read_text(encoding="utf-8"), others=True)
        files |= more_files
        steps += more_steps + [("kill %2; wait %2; kill %1", None, None)]
    folder = home / "bank"
    folder.mkdir()
    if java:
        (folder / "lib").symlink_to(java.resolve())
    for name, code in files.items():
        (folder / name).write_text(code.replace("2809", str(port)), encoding="utf-8")
    shell = Shell(folder, dict(os.environ, HOME=str(home), CCACHE_DISABLE="1", LC_ALL="C"))
    try:
        for commands, until, expected in steps:
            began = time.monotonic()
            lines, status = shell.run(commands.replace("2809", str(port)), until)
            if expected is None and status != 0 or expected is not None and lines != expected:
                raise Failure("\n    ".join([f"{commands}\nprinted, and ended with status {status}:", *lines,
                                             *(["the page says:", *expected] if expected else [])]))
            print(f"{time.monotonic() - began:5.1f} s  {commands.splitlines()[-1]}", flush=True)
    finally:
        shell.close()
    return len(steps)


def self_test():
    def page(commands, printed, before=""):
        return f"<!-- file: a.txt -->\n```text\none\n```\n\nwords\n\n{before}```sh\n{commands}\n```\n" + (
            f"\n```text\n{printed}\n```\n" if printed is not None else "")
    cases = [("all is well", True, page("cat a.txt", "one")), ("prints something else", False, page("echo two", "one")),
             ("prints more", False, page("cat a.txt; echo two", "one")), ("fails", False, page("false", None)),
             ("succeeds", True, page("true", None)), ("fails and says so", True, page("echo one; false", "one")),
             ("waits", True, page("cat a.txt &", "one", "<!-- until: one -->\n")),
             ("a block of another kind", False, page("true", None) + "\n```cpp\nint a;\n```\n")]
    for what, good, text in cases:
        with tempfile.TemporaryDirectory() as folder:
            try:
                follow(text, None, pathlib.Path(folder), 1)
                passed = True
            except Failure:
                passed = False
            assert passed == good, what
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "a.txt").write_text("two\n", encoding="utf-8")
        for files in ({"a.txt": "one\n"}, {}):
            try:
                compare(files, pathlib.Path(folder))
            except Failure:
                continue
            assert False, files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path)
    parser.add_argument("--prefix", type=pathlib.Path)
    parser.add_argument("--java", type=pathlib.Path)
    parser.add_argument("--port", type=int, help="of the naming service; a free one unless given")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if arguments.java and not list(arguments.java.glob("jacorb-3*.jar")):
        print(f"skipped: no JacORB in {arguments.java}")
        return 77
    with tempfile.TemporaryDirectory(prefix="callis-tutorial-") as folder:
        home = pathlib.Path(folder)
        prefix = home / "opt/callis"
        prefix.parent.mkdir()
        if arguments.prefix:
            prefix.symlink_to(arguments.prefix.resolve())
        else:
            subprocess.run(["cmake", "--install", arguments.build, "--prefix", prefix], check=True,
                           stdout=subprocess.DEVNULL)
        try:
            count = follow(PAGE.read_text(encoding="utf-8"), FILES, home, arguments.port or fixed_port(), arguments.java)
        except Failure as e:
            return str(e)
    print(f"{count} blocks of commands did what the page says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
