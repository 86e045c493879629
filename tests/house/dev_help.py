#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev COMMAND --help` and `./dev help COMMAND` say what the command does, and do not do it.

    dev_help.py ROOT
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


def check(dev):
    """What is wrong; dev: a copy of the script in a folder where nothing can be built."""
    commands = re.findall(r"^cmd_(\w+)\(", dev.read_text(), re.MULTILINE)
    kept = dev.parent / "build" / "kept"
    kept.parent.mkdir()
    kept.touch()
    faults = [] if commands else ["no commands found"]

    def expect(arguments, status, wanted):
        done = subprocess.run(["bash", dev, *arguments], capture_output=True, text=True, timeout=60)
        said = done.stdout + done.stderr
        if done.returncode != status or not all(w in said for w in wanted) or not kept.exists():
            faults.append(f"dev {' '.join(arguments)}: status {done.returncode}, said: {said[:300]!r}")
        return done.stdout

    for c in commands:
        asked = ([c, "--help"], [c, "-h"], ["help", c], ["--help", c], [c, "--anything", "--help"])
        texts = [expect(a, 0, [f"usage: ./dev {c}", f"\n  {c} "]) for a in asked]
        if len(set(texts)) != 1 or any(f"\n  {other} " in texts[0] for other in commands if other != c):
            faults.append(f"{c}: what it says is not about {c} alone")
    every = [f"\n  {c} " for c in commands]
    for a in ([], ["help"], ["--help"]):
        expect(a, 0, ["usage: ./dev COMMAND", *every])
    for a in (["nonsense"], ["nonsense", "--help"], ["help", "nonsense"]):
        expect(a, 2, ["unknown command: nonsense"])
    return faults


def main():
    with tempfile.TemporaryDirectory() as folder:
        faults = check(pathlib.Path(shutil.copy(pathlib.Path(sys.argv[1]) / "dev", folder)))
    for f in faults:
        print(f)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
