#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails on a link of README.md, HACKING.md, docs/, the examples or another folder's README.md that leads nowhere; on a page that the site
or the guide's index does not list; on a folder that its parent's README.md does not list.

    doc_links.py ROOT
    doc_links.py --self-test

A link may lead to a file, to a folder, or to a heading of a page. Links to other hosts are not followed. A heading must have the same
anchor in repositories' viewers and on the site (MkDocs), which cut headings in slightly different ways."""
import pathlib
import re
import sys
import tempfile
import unicodedata
import urllib.parse

FOLDERS = ("callis", "services", "tools", "tests", "bench")  # whose README.md says what is in each folder
LINK = re.compile(r"(?<!\\)!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]*(?:\([^()]*\))?[^()\s]*)(?:\s+\"[^\"]*\")?\)")
PAGES = ("*.md", "docs/**/*.md", "examples/**/*.md", *(f"{folder}/**/README.md" for folder in ("idl", "packaging", *FOLDERS)))


def prose(text):
    """The lines of a page without its blocks of code, with their numbers."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        mark = re.match(r"\s*(`{3,}|~{3,})", line)
        if mark:
            fence = mark[1] if fence is None else None if line.strip().startswith(fence) else fence
        elif fence is None and not line.startswith("    "):
            yield number, re.sub(r"<!--.*?-->", "", line)


def anchors(text, cut):
    found = set()
    for _, line in prose(text):
        found |= set(re.findall(r"<a (?:id|name)=\"([^\"]+)\"", line))
        heading = re.match(r"#{1,6} +(.*?)(?: +#+)?$", line)
        if not heading:
            continue
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).replace("`", "")
        base = anchor = cut(words)
        count = 0
        while anchor in found:
            count += 1
            anchor = f"{base}{'_' if cut is of_site else '-'}{count}"
        found.add(anchor)
    return found


def of_viewer(words):
    return re.sub(r"[^\w\- ]", "", words.lower().replace("*", "")).replace(" ", "-")


def of_site(words):
    words = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode()
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", words).strip().lower())


def links(text):
    for number, line in prose(text):
        for target in LINK.findall(re.sub(r"(`+)(?:(?!\1).)*?\1", lambda m: "x" * len(m[0]), line)):
            yield number, target


def wrong_links(root):
    wrong = []
    for page in sorted({p for pattern in PAGES for p in root.glob(pattern)}):
        text = page.read_text(encoding="utf-8")
        for number, target in links(text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            to = page if not path else (page.parent / urllib.parse.unquote(path)).resolve()
            where = f"{page.relative_to(root)}:{number}: {target}"
            if not to.exists():
                wrong.append(f"{where}: there is no such file")
            elif anchor and to.suffix == ".md":
                there = to.read_text(encoding="utf-8")
                if anchor not in anchors(there, of_viewer):
                    wrong.append(f"{where}: no such heading")
                elif anchor not in anchors(there, of_site):
                    wrong.append(f"{where}: MkDocs cuts this heading in another way; word it without marks between words")
    return wrong


def unlisted(root):
    listed = set(re.findall(r": ([\w./-]+\.md)$", (root / "docs/site/mkdocs.yml").read_text(encoding="utf-8"), re.M))
    pages = {str(p.relative_to(root)) for p in root.glob("docs/**/*.md")}
    index = root / "docs/guide/index.md"
    linked = {target for _, target in links(index.read_text(encoding="utf-8"))}
    return ([f"docs/site/mkdocs.yml: the navigation has no {p}" for p in sorted(pages - listed)] +
            [f"docs/site/mkdocs.yml: there is no {p}" for p in sorted(listed) if not (root / p).exists()] +
            [f"docs/guide/index.md: there is no link to {p.name}" for p in sorted(index.parent.glob("*.md")) if p.name not in linked | {index.name}])


def undescribed(root):
    for folder in FOLDERS:
        page = root / folder / "README.md"
        rows = re.findall(r"^\| (.*?) \| ", page.read_text(encoding="utf-8"), re.M)
        named = {name for row in rows for name in re.findall(r"[`\[]([\w-]+)[`\]]", row)}
        for path in sorted(page.parent.iterdir()):
            if path.is_dir() and path.name not in named | {"__pycache__", "out"}:
                yield f"{folder}/README.md: there is no line about {path.name}"


def self_test():
    cases = [("[a](b.md)", 0), ("[a](no.md)", 1), ("[a](b.md#one-two)", 0), ("[a](b.md#one)", 1), ("[a](#here)", 0), ("[a](#there)", 1),
             ("`[a](no.md)`", 0), ("```\n[a](no.md)\n```", 0), ("[a](https://example.org/x)", 0), ("[a](b.md#a--b)", 1),
             ("[a](b.md#one-two-1)", 1), ("[`x[i]`](no.md)", 1), ("<!-- [a](no.md) -->", 0), ("| [a](no.md) | [b](no.md) |", 2)]
    for text, count in cases:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / "b.md").write_text("# One two\n## One: two\n## A & b\n", encoding="utf-8")
            (root / "a.md").write_text(f"# Here\n\n{text}\n", encoding="utf-8")
            found = wrong_links(root)
            assert len(found) == count, (text, found)
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder).resolve()
        (root / "docs/site").mkdir(parents=True)
        (root / "docs/a.md").write_text("# A\n", encoding="utf-8")
        (root / "docs/site/mkdocs.yml").write_text("nav:\n  - B: docs/b.md\n", encoding="utf-8")
        (root / "docs/guide").mkdir()
        (root / "docs/guide/index.md").write_text("[c](c.md)\n", encoding="utf-8")
        for page in "cd":
            (root / f"docs/guide/{page}.md").touch()
        for name in FOLDERS:
            (root / name / "e").mkdir(parents=True)
            (root / name / "README.md").write_text("e\n" if name == "bench" else "| `e` | what it is |\n", encoding="utf-8")
        assert list(undescribed(root)) == ["bench/README.md: there is no line about e"], list(undescribed(root))
        # a.md, guide/c.md, guide/d.md and guide/index.md are not in the navigation; there is no b.md; the index lacks d.md
        assert len(unlisted(root)) == 6, unlisted(root)


def main():
    if sys.argv[1] == "--self-test":
        return self_test()
    root = pathlib.Path(sys.argv[1]).resolve()
    wrong = wrong_links(root) + unlisted(root) + list(undescribed(root))
    print("\n".join(wrong) if wrong else "all links lead somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
