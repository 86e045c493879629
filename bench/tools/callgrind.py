# SPDX-License-Identifier: Apache-2.0
"""What callgrind has written, by function: instructions of its own and how often it was called.

The files are read as the manual's chapter on the format describes them: names are defined once, as "(number) name",
and may be left away afterwards; after a line calls= follows one with the callee's cost, which is not the caller's own.
Recursive copies of a function ("f'2") are added to the function.
"""
import os
import re
from dataclasses import dataclass, field

# For what runs under callgrind: no `rep movsb` and `rep stosb`, which it would count byte by byte.
ENVIRONMENT = {"GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1073741824:"
                                 "glibc.cpu.x86_rep_stosb_threshold=1073741824"}
NAME = re.compile(r"\((\d+)\)(?: (.*))?$")
RECURSIVE = re.compile(r"'\d+$")


@dataclass
class Cost:
    instructions: float = 0
    calls: float = 0
    callers: dict = field(default_factory=dict)  # {(function, library): instructions in here and below on its behalf}


class Names:
    """One of the file's number spaces: functions, objects, files."""

    def __init__(self):
        self.known = {}

    def of(self, text):
        m = NAME.match(text)
        if not m:
            return text
        if m.group(2) is not None:
            self.known[m.group(1)] = m.group(2)
        return self.known[m.group(1)]


def read(path, found=None):
    """{(function, library): Cost} of one file, added to found if there is one. A library's name is without its folder."""
    found = {} if found is None else found
    functions, objects = Names(), Names()
    library = callee_library = ""
    function = called = None  # called: the callee whose cost the next line has

    def cost(name, where):
        return found.setdefault((RECURSIVE.sub("", name), os.path.basename(where)), Cost())

    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            key, equals, text = line.rstrip("\n").partition("=")
            if not equals:
                fields = line.split()
                if len(fields) < 2 or fields[0][0] not in "0123456789+-*" or function is None:
                    continue
                if called is None:
                    cost(function, library).instructions += int(fields[1])
                else:
                    caller = (RECURSIVE.sub("", function), os.path.basename(library))
                    called.callers[caller] = called.callers.get(caller, 0) + int(fields[1])
                called = None
            elif key == "ob":
                library = callee_library = objects.of(text)
            elif key == "fn":
                function, callee_library = functions.of(text), library
            elif key == "cob":
                callee_library = objects.of(text)
            elif key == "cfn":
                callee = functions.of(text)
            elif key == "calls":
                called = cost(callee, callee_library)
                called.calls += int(text.split()[0])
                callee_library = library
    return found


def read_folder(folder):
    """All files of a folder, added up."""
    found = {}
    for name in os.listdir(folder):
        read(os.path.join(folder, name), found)
    return found


def difference(many, few, times):
    """What one of the times costs that many has more than few. What does not cost anything is left out."""
    a_time = {}
    for key, cost in many.items():
        base = few.get(key, Cost())
        one = Cost((cost.instructions - base.instructions) / times, (cost.calls - base.calls) / times,
                   {caller: (n - base.callers.get(caller, 0)) / times for caller, n in cost.callers.items()})
        if one.instructions > 0 or one.calls > 0:
            a_time[key] = one
    return a_time


OPERATOR = re.compile(r"operator(<<=|>>=|<=>|<<|>>|<=|>=|->\*|->|<|>|\(\))")


def short(function):
    """A function's name without parameters, template arguments and result, for tables."""
    signs = []

    def hidden(m):
        signs.append(m.group(1))
        return f"operator{{{len(signs) - 1}}}"

    name = OPERATOR.sub(hidden, re.sub(r" \[clone .*\]$", "", function.replace("(anonymous namespace)::", "")))
    depth, out = 0, []
    for c in name:
        depth += c in "<("
        if depth == 0:
            out.append(c)
        depth -= c in ">)" and depth > 0
    text = re.sub(r" const$", "", "".join(out)).strip()
    if "operator" not in text:
        text = text.split(" ")[-1]  # "void f" of templates
    return re.sub(r"\{(\d+)\}", lambda m: signs[int(m.group(1))], text) or function
