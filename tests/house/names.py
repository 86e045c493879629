#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on what no file may have: a missing licence line, tabs, notes of what is to be done, a machine's paths.

    names.py ROOT         checks every file that git knows (or every file, where there is no git)
    names.py --self-test

Files above 800 lines are listed, not refused: they are candidates for being split.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LICENCE = "SPDX-License-Identifier: Apache-2.0"
SOURCES = (".h", ".cpp", ".inc", ".py", ".idl", ".java", ".cc", ".hh", ".sh")
TEXTS = (*SOURCES, ".md", ".txt", ".cmake", ".json", ".yml", ".toml", ".diag")
MANY_LINES = 800
# The words are put together here so that this file passes its own rule.
_NOTES = re.compile(r"\b(" + "|".join(("TO" + "DO", "FIX" + "ME", "X" + "XX")) + r")\b")
_PATHS = re.compile(r"(?<![\w.}-])/(?:" + "|".join(("wo" + "rk", "ro" + "ot", "ho" + "me")) + r")/")
_INPUTS = ("idl/testdata/",)  # as odd as the compiler must bear
_SKIPPED = ("build", ".git", ".cache", "__pycache__")


def files(root):
    if (root / ".git").exists():
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, check=True).stdout
        names = [name for name in listed.decode().split("\0") if name]
    else:
        names = [str(path.relative_to(root)) for path in root.rglob("*")]
        names = [name for name in names if not set(pathlib.PurePath(name).parts) & set(_SKIPPED)]
    return [name for name in sorted(names) if (root / name).is_file()]


def faults_of(name, text):
    lines = text.splitlines()
    if name.startswith(_INPUTS):
        return
    suffix = pathlib.PurePath(name).suffix
    if suffix in SOURCES and text.strip():
        if not any(LICENCE in line for line in lines[:2]):
            yield f"{name}:1: no line `{LICENCE}`"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield f"{name}:{number}: a tab"
        if line.rstrip() != line and suffix != ".md":
            yield f"{name}:{number}: blanks at the end"
        if _NOTES.search(line):
            yield f"{name}:{number}: a note of what is to be done"
        if _PATHS.search(line):
            yield f"{name}:{number}: a path of somebody's machine"
    if text and not text.endswith("\n"):
        yield f"{name}:{len(lines)}: no end of line at the end"


def check(root):
    """Faults, files with many lines, number of files looked at."""
    faults, large, seen = [], [], 0
    for name in files(root):
        if not name.endswith(TEXTS):
            continue
        seen += 1
        text = (root / name).read_text(encoding="utf-8", errors="replace")
        faults += faults_of(name, text)
        if text.count("\n") > MANY_LINES:
            large.append(f"{name}: {text.count(chr(10))} lines")
    return faults, large, seen


SAMPLES = [  # name, text, is it good?
    ("a.cpp", f"// {LICENCE}\nint x;\n", True),
    ("a.py", f"#!/usr/bin/env python3\n# {LICENCE}\n", True),
    ("a.md", "No licence line is asked for here.\n", True),
    ("b.cpp", "int x;\n", False),
    ("c.h", f"// {LICENCE}\n\tint x;\n", False),
    ("d.h", f"// {LICENCE}\nint x;  // {'TO' + 'DO'}: y\n", False),
    ("e.md", f"See /{'wo' + 'rk'}/there/a.md\n", False),
    ("f.md", f"See `/{'ro' + 'ot'}/x`\n", False),
    ("g.cmake", f"a/{'wo' + 'rk'}/b is relative\n", True),
    ("h.cpp", f"// {LICENCE}\nint x; \n", False),
    ("i.cpp", f"// {LICENCE}\nint x;", False),
    ("idl/testdata/k.idl", "\todd", True),
    ("__pycache__/j.py", "nobody looks here\n", True),
]


def self_test():
    wrong = []
    for name, text, good in SAMPLES:
        with tempfile.TemporaryDirectory() as directory:
            root = pathlib.Path(directory)
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
            faults, _, _ = check(root)
            if bool(faults) == good:
                wrong.append(f"{name}: {faults or 'let through'}")
    with tempfile.TemporaryDirectory() as directory:
        root = pathlib.Path(directory)
        (root / "long.md").write_text("x\n" * (MANY_LINES + 1), encoding="utf-8")
        if len(check(root)[1]) != 1:
            wrong.append("a long file was not listed")
    return wrong


def main():
    if sys.argv[1:] == ["--self-test"]:
        faults = self_test()
    else:
        faults, large, seen = check(pathlib.Path(sys.argv[1]).resolve())
        print(f"{seen} files")
        print("".join(f"more than {MANY_LINES} lines: {each}\n" for each in large), end="")
        if seen == 0:
            faults.append("nothing was found to check")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
