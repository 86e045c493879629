#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`./dev COMMAND --help` and `./dev help COMMAND` say what the command does, and do not do it. Pages and the workflows of hosts name
commands that exist.

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


def named_in_vain(root, dev):
    """Where a text says `./dev COMMAND` and there is no such command."""
    commands = set(re.findall(r"^cmd_(\w+)\(", dev, re.MULTILINE)) | {"help"}
    hosts = [*(root / ".github").rglob("*.*"), *(root / ".gitlab").rglob("*.*"), root / ".gitlab-ci.yml"]
    pages = [*root.glob("*.md"), *(root / "docs").rglob("*.md"), *(root / "tests").rglob("*.md"), *(root / "bench").rglob("*.md")]
    return [f"{path.relative_to(root)}: there is no ./dev {command}" for path in hosts + pages if path.is_file()
            for command in re.findall(r"\./dev ([a-z]\w*)", path.read_text(encoding="utf-8")) if command not in commands]


def main():
    root = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        faults = check(pathlib.Path(shutil.copy(root / "dev", folder)))
    faults += named_in_vain(root, (root / "dev").read_text(encoding="utf-8"))
    for f in faults:
        print(f)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
