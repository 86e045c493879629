#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the Debian packages of two folders byte by byte, and says which files within them differ.

    compare.py FOLDER FOLDER

Exit status: 0: the same; 1: not."""
import hashlib
import pathlib
import stat
import subprocess
import sys
import tempfile


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def what(path):
    """What must be the same of a file in a package: kind, mode, time, content."""
    status = path.lstat()
    content = str(path.readlink()) if path.is_symlink() else sha256(path) if path.is_file() else ""
    return {"mode": stat.filemode(status.st_mode), "time": int(status.st_mtime), "content": content}


def unpacked(deb, folder):
    subprocess.run(["dpkg-deb", "--raw-extract", deb, folder], check=True)
    return {str(p.relative_to(folder)): what(p) for p in folder.rglob("*")}


def within(one, other):
    """How two packages differ."""
    with tempfile.TemporaryDirectory() as place:
        files = [unpacked(deb, pathlib.Path(place) / name) for deb, name in ((one, "one"), (other, "other"))]
    found = []
    for name in sorted(files[0].keys() | files[1].keys()):
        a, b = (f.get(name) for f in files)
        if a is None or b is None:
            found.append(f"{name} is in one alone")
        elif a != b:
            found.append(f"{name}: {', '.join(part for part in a if a[part] != b[part])}")
    return found or ["the archive, and no file in it"]


def differences(one, other):
    """A line for each package that differs."""
    names = [{p.name for p in folder.glob("*.deb")} for folder in (one, other)]
    for name in sorted(names[0] | names[1]):
        if name not in names[0] or name not in names[1]:
            yield f"{name} was built once alone"
        elif sha256(one / name) != sha256(other / name):
            yield f"{name}: {'; '.join(within(one / name, other / name))}"
    if not names[0] | names[1]:
        yield "there are no packages"


def main():
    found = list(differences(*map(pathlib.Path, sys.argv[1:3])))
    print("\n".join(found) if found else "the same")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
