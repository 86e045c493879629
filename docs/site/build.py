#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the site of callis from the pages of the repository: build/docs-site.

    build.py [--no-api]      without the C++ API reference, which Doxygen makes

The pages, and the files that they link to, are copied to build/docs/pages under their own paths, so that links are the same here and
there. What stands in <!-- site: ... --> is about the API reference, and in <!-- report: ... --> about the report of ./dev bench, which
the site has when it is there. A link to a folder leads to its README.md, or to a list of its files that is made here. MkDocs makes the site, strictly; then
every link and anchor of the result is looked up."""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys
import urllib.parse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PAGES = ROOT / "build/docs/pages"
SITE = ROOT / "build/docs-site"
REPORT = ROOT / "bench/out/report.html"  # of ./dev bench, when it has been run
sys.path.insert(0, str(ROOT / "tests/house"))
import doc_links  # noqa: E402, pylint: disable=wrong-import-position


def public_headers():
    """Those that stand under HEADERS in a CMakeLists.txt of the runtime, but for the ones of its insides."""
    for lists in sorted((ROOT / "callis").rglob("CMakeLists.txt")):
        for name in re.findall(r"[\w/]+\.h\b", lists.read_text(encoding="utf-8")):
            header = lists.parent / name
            if header.exists() and "internal" not in header.parts and "testing" not in header.parts:
                yield header


def make_api():
    folder = ROOT / "build/docs"
    text = (HERE / "Doxyfile").read_text(encoding="utf-8")
    headers = sorted({str(h.relative_to(ROOT)) for h in public_headers()})
    settings = {"INPUT": " ".join(headers), "OUTPUT_DIRECTORY": folder, "HTML_OUTPUT": "pages/api",
                "INPUT_FILTER": f'"{sys.executable} {HERE / "comments.py"}"'}
    text += "".join(f"{key} = {value}\n" for key, value in settings.items())
    print(f"{len(headers)} headers")
    done = subprocess.run(["doxygen", "-"], input=text, text=True, cwd=ROOT, stderr=subprocess.PIPE, check=False)
    if done.returncode or done.stderr.strip():
        sys.exit(f"{done.stderr}\nDoxygen is not content")


def listing(folder):
    names = sorted(p.name + ("/" if p.is_dir() else "") for p in folder.iterdir())
    return f"# {folder.relative_to(ROOT)}\n\n" + "".join(f"* [{n}]({n})\n" for n in names)


def stage(path, with_api):
    """Copies a page, and what it links to, once."""
    to = PAGES / path.relative_to(ROOT)
    if path.is_dir():
        page = path / "README.md"
        if page.exists():
            return stage(page, with_api)
        if not (to / "README.md").exists():
            to.mkdir(parents=True, exist_ok=True)
            stage_text(to / "README.md", listing(path), path, with_api)
    elif not to.exists():
        to.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            text = path.read_text(encoding="utf-8")
            text = re.sub(r"<!-- site: (.*?) -->", r"\1" if with_api else "", text)
            text = re.sub(r"<!-- report: (.*?) -->", r"\1" if REPORT.exists() else "", text)
            text = re.sub(r"^```wire (.*)$", r'```text title="\1, on the wire"', text, flags=re.M)  # MkDocs knows one word of a fence
            text = re.sub(r"^```(\w+) [^`\n\"]*$", r"```\1", text, flags=re.M)
            stage_text(to, text, path.parent, with_api)
        else:
            shutil.copy(path, to)
    return None


def stage_text(to, text, folder, with_api):
    """folder: from which the links lead."""
    to.write_text(text, encoding="utf-8")  # so that pages that link to each other come to an end
    lines = text.splitlines(keepends=True)
    for number, target in doc_links.links(text):
        if re.match(r"[a-z]+:", target) or not target.partition("#")[0]:
            continue
        path = pathlib.Path(os.path.normpath(folder / urllib.parse.unquote(target.partition("#")[0])))
        if not path.is_relative_to(ROOT) or (ROOT / "build") in path.parents or not path.exists():
            continue
        stage(path, with_api)
        if path.is_dir():
            lines[number - 1] = lines[number - 1].replace(f"]({target})", f"]({target.rstrip('/')}/README.md)")
    to.write_text("".join(lines), encoding="utf-8")


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.targets = set(), []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif name in ("href", "src") and value and tag in ("a", "img", "link", "script"):
                self.targets.append(value)


def check_site():
    pages = {p: Page(p) for p in SITE.rglob("*.html") if "api" not in p.relative_to(SITE).parts and p.name != "404.html"}
    wrong = []
    for path, page in pages.items():
        for target in page.targets:
            if re.match(r"[a-z]+:", target) or target.startswith("//"):
                continue
            name, _, anchor = target.partition("#")
            name = urllib.parse.unquote(name.partition("?")[0])
            to = pathlib.Path(os.path.normpath(path.parent / name)) if name else path
            to = to / "index.html" if to.is_dir() else to
            if not to.exists():
                wrong.append(f"{path.relative_to(SITE)}: {target}: no such file")
            elif anchor and to in pages and urllib.parse.unquote(anchor) not in pages[to].ids:
                wrong.append(f"{path.relative_to(SITE)}: {target}: no such anchor")
    if wrong:
        sys.exit("\n".join(sorted(set(wrong))))
    print(f"{len(pages)} pages, all links lead somewhere")


def main():
    with_api = "--no-api" not in sys.argv
    for folder in (ROOT / "build/docs", SITE):
        shutil.rmtree(folder, ignore_errors=True)
    PAGES.mkdir(parents=True)
    if with_api:
        make_api()
    for name in ("site.css", "site.js"):
        shutil.copy(HERE / name, PAGES / name)
    if REPORT.exists():
        shutil.copy(REPORT, PAGES / "report.html")
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.md")]:
        stage(page, with_api)
    # Python's warnings are about MkDocs' own libraries.
    subprocess.run(["mkdocs", "build", "--quiet", "--strict", "--config-file", HERE / "mkdocs.yml"], check=True,
                   env=dict(os.environ, PYTHONWARNINGS="ignore"))
    check_site()
    print(f"{SITE.relative_to(ROOT)}/index.html; with search: python3 -m http.server --directory {SITE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
