#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if a folder has more hard sentences than tests/house/prose.txt allows: in comments of C++, and in pages.

    prose.py ROOT           compares each folder with its count; --list FOLDER also prints the folder's findings
    prose.py --write ROOT   lowers the counts to what the folders have; it never raises one
    prose.py --self-test

A finding is
  * a sentence of more than 30 words,
  * a sentence with more than two of "it", "that", "those", "one",
  * a short sentence that a preposition opens and that has no verb ("Of a call."),
  * a sentence that opens with a clause as its subject, or is one ("What it throws ends the making."),
  * a line of a page with more than 118 columns, outside tables, code and link definitions.
Code, drawings, tables, headings and parts of pages that are made hold no sentences. A folder that has no line in
prose.txt may have no finding.
"""
import argparse
import collections
import pathlib
import re
import sys

import layout
import names

BUDGET = "tests/house/prose.txt"
COLUMNS = layout.COLUMNS
MOST_WORDS = 30
MOST_PRONOUNS = 2
SHORT = 6  # words
_HEAD = "# Hard sentences that a folder may have. Counts only go down: python3 tests/house/prose.py --write .\n"
# History, and templates of forms.
_SKIPPED = ("CHANGELOG.md", ".github/", ".gitlab/", "idl/testdata/")

# Neither "so that" nor the number one, which a noun follows.
_PRONOUN = re.compile(r"\b(?:it|(?<!so )that|those|one(?=[,.;:)]|$| (?:that|of|which|who|whose|is|has|in|for|to|by|at|with|from|and|or)\b))"
                      r"\b(?!-)", re.IGNORECASE)
_PREPOSITION = re.compile(r"(?:Of|For|With|Without|By|As|Where|When|To|From|Under|Behind|After|Before|In|On|At)\b")
# Words that are verbs and nothing else; and commands behind a comma ("With CMake, call ...").
_VERB = re.compile(r"\b(?:am|is|are|was|were|be|been|has|have|had|do|does|did|can|could|may|might|must|shall|should|will|would|it|they|we"
                   r"|you|who|which|there|says?|said|makes?|made|gives?|gave|takes?|took|gets?|got|goes|went|asks?|returns?|waits|stands?"
                   r"|comes?|came|begins?|holds|keeps?|kept|puts?|sends?|shows|follows?|becomes?|throws?)\b|, [a-z]+ ", re.IGNORECASE)
_CLAUSE = re.compile(r"(?:What|Whatever|Who|Whoever)\s(?!if\b|about\b).*[^?]$")
_WORD = re.compile(r"[A-Za-z]")
_LIST = re.compile(r"(?:[-*+]|\d+\.)\s+")
# Not the end of a sentence.
_SHORTENED = re.compile(r"(?:\b(?:e\.g|i\.e|etc|cf|vs|pp?)|(?:^|\s)[A-Z]|\.\.)\.$")


def _sentences(text):
    begin = 0
    for end in re.finditer(r"[.!?][)\"*_]*(?=\s|$)", text):
        if _SHORTENED.search(text[begin:end.end()]) and end.end() < len(text):
            continue
        yield text[begin:end.end()].strip()
        begin = end.end()
    if text[begin:].strip():
        yield text[begin:].strip()


def _plain(text):
    """Marks and code become words."""
    text = re.sub(r"``?[^`]+``?|\"[^\"]{1,60}\"|<[^<>\s]+>", "CODE", text)
    text = re.sub(r"!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    return re.sub(r"[*_]{1,2}(?=\S)([^*_]+)(?<=\S)[*_]{1,2}", r"\1", text)


def _is_code(text):
    return bool(re.search(r"[{}]$|\w\(.*;$| = .*;$|^[#|]|--[>-]|[─│►→┌└├]", text))


def faults_of_sentence(sentence):
    words = [w for w in sentence.split() if _WORD.search(w)]
    pronouns = _PRONOUN.findall(sentence)
    if len(words) > MOST_WORDS:
        yield f"{len(words)} words, at most {MOST_WORDS}"
    if len(pronouns) > MOST_PRONOUNS:
        yield f"{len(pronouns)} of it, that, those, one, at most {MOST_PRONOUNS}"
    if len(words) <= SHORT and sentence.endswith(".") and _PREPOSITION.match(sentence) and not _VERB.search(sentence):
        yield "no verb"
    if _CLAUSE.match(sentence):
        yield "opens with a clause"


def comments(text):
    """Paragraphs of comments, as (number of the first line, text)."""
    first, words, column = 0, [], -1
    for number, line in enumerate([*text.splitlines(), ""], 1):
        match = re.match(r"(.*?)(?:^|(?<=\s))(//[/!]?<?)(\s*)(.*)$", line)
        if match and '"' in match[1] and match[1].count('"') % 2:
            match = None  # in a string
        alone = bool(match) and not match[1].strip()
        said = match[4].strip() if match else ""
        goes_on = alone and words and match.start(2) == column and not _LIST.match(said)
        if words and not (goes_on and said and len(match[3]) <= 2):
            yield first, " ".join(words)
            words = []
        if not said or len(match[3]) > 2 or names.LICENCE in said or _is_code(said):
            continue
        if not words:
            first, column = number, match.start(2)
        words.append(_LIST.sub("", said, count=1) if _LIST.match(said) else said)


def paragraphs(text):
    """Paragraphs of a page as (number of the first line, text, 0); a line that is too long as (number, None, columns)."""
    first, words, fence, made = 0, [], "", False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        said = line.strip()
        mark = re.match(r"(```+|~~~+)", said)
        quiet = bool(fence or mark or made)
        if mark and not fence:
            fence = mark[1]
        elif fence and said.startswith(fence):
            fence = ""
        made = "<!-- made by" in said and "begin" in said or made and not ("<!-- made by" in said and "end -->" in said)
        item = bool(_LIST.match(said)) and not quiet
        code = line.startswith("    ") and not words and not item
        quiet = quiet or code or said.startswith(("|", "#", "<", "![")) or bool(re.match(r"\[[^\]]+\]: ", said))
        if words and (quiet or not said or item):
            yield first, " ".join(words), 0
            words = []
        if not quiet and said:
            if len(line) > COLUMNS:
                yield number, None, len(line)
            if not words:
                first = number
            words.append(re.sub(r"^>\s*", "", _LIST.sub("", said, count=1) if item else said))


def faults_of(name, text):
    page = name.endswith(".md")
    for number, said, columns in paragraphs(text) if page else ((*paragraph, 0) for paragraph in comments(text)):
        if said is None:
            yield f"{name}:{number}: {columns} columns, at most {COLUMNS}"
            continue
        for sentence in _sentences(_plain(said)):
            for fault in faults_of_sentence(sentence):
                yield f"{name}:{number}: {fault}: {sentence if len(sentence) < 60 else sentence[:57] + '...'}"


def folder_of(name):
    return "/".join(pathlib.PurePath(name).parts[:-1][:2]) or "."


def findings(root):
    """By folder; and the number of files."""
    found, seen = collections.defaultdict(list), 0
    pages = [name for name in names.files(root) if name.endswith(".md")]
    for name in sorted([*layout.sources(root), *pages]):
        if name.startswith(_SKIPPED):
            continue
        seen += 1
        found[folder_of(name)] += faults_of(name, (root / name).read_text(encoding="utf-8", errors="replace"))
    return {folder: faults for folder, faults in found.items() if faults}, seen


def allowed(text):
    lines = [line.split() for line in text.splitlines() if line and not line.startswith("#")]
    return {folder: int(count) for folder, count in lines}


def compare(found, budget):
    """Says which folders have more than they may."""
    for folder, faults in sorted(found.items()):
        if len(faults) > budget.get(folder, 0):
            yield f"{folder}: {len(faults)} hard sentences or long lines, {budget.get(folder, 0)} allowed (prose.py --list {folder} .)"


def lowered(found, budget):
    """The budget as --write leaves it."""
    counts = {folder: min(count, len(found.get(folder, ()))) for folder, count in budget.items()}
    return _HEAD + "".join(f"{folder} {count}\n" for folder, count in sorted(counts.items()) if count)


SAMPLES = [  # name, text, number of findings
    ("a.h", "// Serves requests until the deadline. Returns whether it has served any.\n", 0),
    ("a.h", "// " + "word " * MOST_WORDS + "\n", 0),
    ("a.h", "// " + "word " * 20 + "\n// " + "word " * 11 + "\n", 1),
    ("a.h", "// " + "word " * 20 + "\n//\n// " + "word " * 11 + "\n", 0),
    ("a.h", "// " + "word " * 20 + ".\n// " + "word " * 11 + "\n", 0),
    ("a.h", "int a;  // " + "word " * 20 + "\n        // " + "word " * 11 + "\n", 1),
    ("a.h", "//   int code = " + "a + " * 40 + "b;\n", 0),
    ("a.h", 'const char* a = "https://x ' + "word " * 40 + '";\n', 0),
    ("a.h", "// It gives that to one of those.\n", 1),
    ("a.h", "// It gives that to the caller; `that` and \"one\" are code.\n", 0),
    ("a.h", "// Of a call.\nint a;\n// With the lock.\n", 2),
    ("a.h", "int a;  // of a call\n// Of both, the first is used.\n// As TAO does.\n", 0),
    ("a.h", "// What it throws ends the making.\n", 1),
    ("a.md", "What is it?\n", 0),
    ("a.md", "# Of a call.\n\n| Of a call. |\n|---|\n\n    Of a call.\n\n```\nOf a call.\n```\n", 0),
    ("a.md", "* " + "word " * 20 + "\n* " + "word " * 20 + "\n", 0),
    ("a.md", "x" * (COLUMNS + 1) + "\n", 1),
    ("a.md", f"| {'x' * COLUMNS} |\n[x]: {'x' * COLUMNS}\n\n    {'x' * COLUMNS}\n", 0),
    ("a.md", "<!-- made by a.py: begin -->\nOf a call.\n<!-- made by a.py: end -->\nOf a call.\n", 1),
]


def self_test():
    wrong = [f"{text!r}: {list(faults_of(name, text))}, {count} expected" for name, text, count in SAMPLES
             if len(list(faults_of(name, text))) != count]
    found = {"a/b": ["x", "y"], "c": ["z"]}
    if len(list(compare(found, {"a/b": 1}))) != 2 or list(compare(found, {"a/b": 2, "c": 1, "d": 1})):
        wrong.append("a folder's count is not compared")
    if allowed(lowered(found, {"a/b": 3, "c": 0, "d": 1})) != {"a/b": 2}:
        wrong.append("--write raises a count, or does not lower one")
    return wrong


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("root", type=pathlib.Path, nargs="?")
    parser.add_argument("--list", metavar="FOLDER")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        faults = self_test()
    else:
        found, seen = findings(options.root)
        path = options.root / BUDGET
        budget = allowed(path.read_text(encoding="utf-8"))
        print(f"{seen} files, {sum(map(len, found.values()))} findings")
        print("".join(f"{fault}\n" for fault in found.get(options.list, ())), end="")
        faults = list(compare(found, budget))
        if options.write:
            path.write_text(lowered(found, budget), encoding="utf-8")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
