#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Types the commands of "Secure a site in ten minutes", docs/guide/deployment.md, into a shell.

    site.py --bin DIR --server PROGRAM --idl FILE      with the programs in DIR; PROGRAM is hello_server with TLS
    site.py --self-test

Blocks are those of run.py. In a block of what is printed "..." stands for any words; lines of the job's shell and of programs' logs,
which are no part of the page, are passed over. The naming service's port is replaced by a free one."""
import argparse
import os
import pathlib
import re
import sys
import tempfile

import run

PAGE = run.ROOT / "docs/guide/deployment.md"
HEADING = "## Secure a site in ten minutes\n"
PASSED_OVER = re.compile(r"callis: (warning|info|error): |\[\d+\]")


def section(text):
    if HEADING not in text:
        raise run.Failure(f"the page has no {HEADING.strip()}")
    return text.split(HEADING, 1)[1].split("\n## ", 1)[0]


def as_printed(pattern, line):
    return re.fullmatch(".*".join(re.escape(part) for part in pattern.split("...")), line) is not None


def check(commands, expected, lines, status):
    said = [line for line in lines if not PASSED_OVER.match(line)]
    good = status == 0 if expected is None else len(said) == len(expected) and all(map(as_printed, expected, said))
    if not good:
        raise run.Failure("\n    ".join([f"{commands}\nprinted, and ended with status {status}:", *lines,
                                         *(["the page says:", *expected] if expected else [])]))


def follow(text, folder, environment, port):
    _, steps = run.read_page(section(text))
    shell = run.Shell(folder, environment)
    try:
        for commands, until, expected in steps:
            there = commands.replace("2809", str(port)).replace("callis naming ", f"callis naming -ORBEndpoint tls::{port} ")
            lines, status = shell.run(there, until)
            check(commands, expected, lines, status)
    finally:
        shell.close()
    return len(steps)


def self_test():
    for good, pattern, line in ((True, "a ... c", "a b c"), (False, "a ... c", "a b d"), (True, "a.c", "a.c"), (False, "a.c", "abc")):
        assert as_printed(pattern, line) == good, pattern
    page = HEADING + "\n```sh\n{}\n```\n\n```text\none\n```\n\n## Next\n\n```sh\nfalse\n```\n"
    for good, commands in ((True, "echo 'callis: warning: x'; echo one"), (False, "echo one; echo two"), (False, "true")):
        with tempfile.TemporaryDirectory() as folder:
            try:
                follow(page.format(commands), folder, os.environ, 1)
                passed = True
            except run.Failure:
                passed = False
            assert passed == good, commands
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=pathlib.Path)
    parser.add_argument("--server", type=pathlib.Path)
    parser.add_argument("--idl", type=pathlib.Path)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    with tempfile.TemporaryDirectory(prefix="callis-site-") as made:
        folder = pathlib.Path(made)
        (folder / "bin").mkdir()
        (folder / "bin/hello_server").symlink_to(arguments.server.resolve())
        (folder / "hello.idl").write_bytes(arguments.idl.read_bytes())
        environment = dict(os.environ, PATH=f"{folder}/bin:{arguments.bin.resolve()}:{os.environ['PATH']}", LC_ALL="C",
                           CALLIS_SOCKETS=str(folder / "sockets"))
        try:
            count = follow(PAGE.read_text(encoding="utf-8"), folder, environment, run.fixed_port())
        except run.Failure as e:
            return str(e)
    print(f"{count} blocks of commands did what the page says")
    return 0


if __name__ == "__main__":
    sys.exit(main())
