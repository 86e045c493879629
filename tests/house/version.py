#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a text that names another version than CMakeLists.txt: find_package(callis X.Y), packages (libcallisX.Y), sonames
(libcallis.so.X.Y), "this is X.Y" in README.md, and the newest release of CHANGELOG.md.

    version.py ROOT
    version.py --self-test

Pages say what is true of the version at hand; CHANGELOG.md, which tells of older ones, is looked at for its first release alone."""
import pathlib
import re
import sys
import tempfile

NAMED = (r"find_package\(callis (\d+\.\d+)", r"\blibcallis[a-z-]*(\d+\.\d+)\b", r"\blibcallis\w*\.so\.(\d+\.\d+)", r"\bthis is (\d+\.\d+)\b")
FILES = ("README.md", "docs/**/*.md", "tests/install/consumers/**/CMakeLists.txt", "examples/**/CMakeLists.txt", "packaging/**/*.md", "packaging/image/*")


def version_of(root):
    return re.search(r"^project\(callis VERSION (\d+\.\d+\.\d+)", (root / "CMakeLists.txt").read_text(encoding="utf-8"), re.M)[1]


def newest_release(changelog):
    """The number of the first heading that has one; work that comes after it stands above, under "Unreleased"."""
    found = re.search(r"^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$", changelog, re.M)
    return found[1] if found else None


def check(root):
    version = version_of(root)
    short = version.rpartition(".")[0]
    for path in sorted({p for pattern in FILES for p in root.glob(pattern) if p.is_file()}):
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            for pattern in NAMED:
                for named in re.findall(pattern, line):
                    if named != short:
                        yield f"{path.relative_to(root)}:{number}: names version {named}; this is {short}"
    newest = newest_release((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if newest != version:
        yield f"CHANGELOG.md: the newest release is {newest}; CMakeLists.txt has {version}"


def self_test():
    changelog = "# Changelog\n\n## 1.2.0 (2026-01-31)\n\n## 1.1.0 (2025-01-31)\nlibcallis1.1\n"
    good = "find_package(callis 1.2 CONFIG) libcallis1.2 libcallis-log-sink1.2 libcallis_rt.so.1.2 (this is 1.2)\n"
    cases = [(good, changelog, 0), ("", changelog.replace("1.2.0", "Unreleased"), 1), ("", "## Unreleased\n" + changelog, 0)]
    cases += [(word.replace("1.2", "1.1"), changelog, 1) for word in ("find_package(callis 1.2)", *good.split()[3:6], "this is 1.2")]
    for text, changes, count in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "CMakeLists.txt").write_text("project(callis VERSION 1.2.0 LANGUAGES CXX)\n", encoding="utf-8")
            (root / "README.md").write_text(text, encoding="utf-8")
            (root / "CHANGELOG.md").write_text(changes, encoding="utf-8")
            found = list(check(root))
            if len(found) != count:
                yield f"{text!r}, {changes!r}: {found}"


def main():
    wrong = list(self_test() if sys.argv[1] == "--self-test" else check(pathlib.Path(sys.argv[1]).resolve()))
    print("\n".join(wrong) if wrong else "one version")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
