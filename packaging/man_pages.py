#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a man page of each program, of what it says with --help.

    man_pages.py --programs FOLDER --out FOLDER --version VERSION

FOLDER/callis* are programs that run on this machine; OUT/NAME.1.gz come of them. Commands of a program whose own help it names
("callis events push --help") are sections of its page. The date is that of SOURCE_DATE_EPOCH, or today's.

The help texts have lists of two columns: terms that stand two blanks from the left, and what is said about them."""
import argparse
import collections
import gzip
import os
import pathlib
import re
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
WORD = re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*)|\b([A-Z][A-Z_]+)\b")


def descriptions():
    """What `callis help` says about each program, by its name."""
    table = (ROOT / "tools/callis/main.cpp").read_text(encoding="utf-8")
    found = {f"callis-{name}": text for name, text in re.findall(r'\{"([a-z]+)", "((?:[^"\\]|\\.)*)"\}', table)}
    return {"callis": "runs the programs of callis, a CORBA object request broker", **found}


def help_of(program, *words):
    own_alone = dict(os.environ, PATH="")  # callis lists those beside it, and in PATH
    text = subprocess.run([program, *words, "--help"], env=own_alone, capture_output=True, text=True, check=True, timeout=30).stdout
    return re.sub(r"^([Uu]sage: )\S*/", r"\1", "\n".join(line.rstrip() for line in text.splitlines()), flags=re.M)


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def marked(term):
    """Options and commands in bold type, what stands for something else in italics."""
    out, at = "", 0
    for m in WORD.finditer(term):
        out += escaped(term[at:m.start()]) + (f"\\fB{escaped(m[1])}\\fR" if m[1] else f"\\fI{escaped(m[2])}\\fR")
        at = m.end()
    out += escaped(term[at:])
    return re.sub(r"^([a-z][\w|]*)(?![^ ])", r"\\fB\1\\fR", out)


def items(lines):
    """Of a list: each term with its text. The second column is where most of the texts begin."""
    columns = collections.Counter()
    for line in lines:
        if m := re.match(r"  \S.*?  +(?=\S)|      +(?=\S)", line):
            columns[m.end()] += 1
    column = columns.most_common(1)[0][0] if columns else 1000
    found = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if indent > 4:
            if indent >= column - 3 or not found or found[-1][1]:
                found[-1][1].append(line.strip())
            else:
                found[-1][0] += " " + line.strip()
        elif m := re.match(r" *(\S.*?)  +(\S.*)", line):
            found.append([m[1], [m[2]]])
        elif len(line) > column and line[column - 1] == " " and line[column] not in "[-":
            found.append([line[:column].strip(), [line[column:]]])
        else:
            found.append([line.strip(), []])
    return [(term, " ".join(text)) for term, text in found]


def usage(lines):
    """Each form on a line of its own; its further lines are indented."""
    forms = []
    for line in lines:
        if line.lstrip().startswith(("usage: ", "Usage: ")) or re.match(r" {7}callis", line):
            forms.append(re.sub(r"^ *(?:[uU]sage: )?", "", line))
        else:
            forms[-1] += " " + line.strip()
    return "".join(f".PP\n.in +4n\n.ti -4n\n{marked(re.sub('  +', '  ', form))}\n.in -4n\n" for form in forms)


def body(text, synopsis, section):
    """The page's text. synopsis, section: the requests before the usage, and before the first paragraph behind it."""
    blocks = [b.splitlines() for b in re.split(r"\n\n+", text.strip())]
    # A list may follow a line of text at once, and the usage may.
    parts = []
    for block in blocks:
        if block[0].startswith("-ORB"):  # callis config: what is said about an option stands below it
            parts.append(block)
            continue
        part = []
        for line in block:
            begins_usage = line.startswith(("usage: ", "Usage: "))
            if part and (begins_usage or line.startswith(" ") != part[-1].startswith(" ")) and not part[0].lower().startswith("usage: "):
                parts.append(part)
                part = []
            part.append(line)
        parts.append(part)
    out, said = "", ""
    for part in parts:
        if part[0].lower().startswith("usage: "):
            out += synopsis + "\n" + usage(part)
        elif part[0].startswith("Exit status: "):
            said += ".SH EXIT STATUS\n" + escaped(" ".join(part).removeprefix("Exit status: ")) + "\n"
        elif part[0].startswith("-ORB"):
            for line in part:
                said += f"{escaped(line.strip())}\n.br\n" if line.startswith(" ") else f".TP\n{marked(line)}\n"
        elif part[0].startswith(" "):
            said += "".join(f".TP\n{marked(term)}\n{escaped(what)}\n" if what else f".TP\n{marked(term)}\n\\&\n" for term, what in items(part))
        elif len(part) == 1 and re.fullmatch(r"[A-Za-z][\w ]*:", part[0]):
            said += f".SS {escaped(part[0][:-1])}\n"
        else:
            said += ".PP\n" + escaped(" ".join(part)) + "\n"
    return out + section + "\n" + said


def page(program, about, version, date):
    name = program.name
    text = help_of(program)
    out = (f'.TH {escaped(name.upper())} 1 "{date}" "callis {version}" "User Commands"\n.nh\n.ad l\n.SH NAME\n{escaped(name)} \\- {escaped(about)}\n'
           + body(text, ".SH SYNOPSIS", ".SH DESCRIPTION"))
    for command in dict.fromkeys(re.findall(rf"{name.replace('-', ' ')} ([a-z]+) --help", text)):
        more = body(help_of(program, command), ".PP", ".PP")
        out += f".SH COMMAND {command.upper()}\n" + re.sub(r"^\.SH (.*)", r".SS \1", more, flags=re.M)
    return out + ".SH SEE ALSO\n" + ("The commands that are listed above have pages of their own, as \\fBcallis\\-ior\\fR(1).\n" if name == "callis"
                                     else "\\fBcallis\\fR(1)\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--version", required=True)
    options = parser.parse_args()
    date = time.strftime("%Y-%m-%d", time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    options.out.mkdir(parents=True, exist_ok=True)
    for name, about in descriptions().items():
        if (options.programs / name).exists():
            text = page((options.programs / name).resolve(), about, options.version, date)
            (options.out / f"{name}.1.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
