# SPDX-License-Identifier: Apache-2.0
"""Writes an IDL of about as many lines as asked for, as a large project has it: files that include each other behind
guards, modules, comments, constants, enums, structs, unions, sequences, exceptions, interfaces that inherit, macros.
The same arguments give the same files.

    big_idl.py DIRECTORY [LINES]        prints the main file's path and the number of lines
"""
import pathlib
import random
import sys

BASIC = ["long", "unsigned long", "short", "octet", "boolean", "double", "float", "char", "string", "long long",
         "string<40>", "unsigned short", "sequence<octet>", "sequence<string>"]
NOUNS = "Account Order Sensor Route Track Device Signal Invoice Channel Target Frame Session Alarm Plan Region".split()
WORDS = "The value is kept until the next change and is never negative as long as the owner lives".split()


class Writer:
    """One file: declares types of its own and uses those of the files it includes."""

    def __init__(self, number, random_source, known):
        self.number, self.random, self.lines = number, random_source, []
        self.known = list(known)  # names of types declared so far
        self.interfaces = [n for n in known if n.endswith("Service")]
        self.count = 0

    def line(self, text="", depth=1):
        self.lines.append("  " * depth + text if text else "")

    def name(self, kind):
        self.count += 1
        return f"{self.random.choice(NOUNS)}{self.number}_{self.count}{kind}"

    def type(self):
        if self.known and self.random.random() < 0.4:
            return self.random.choice(self.known)
        return self.random.choice(BASIC)

    def parameter_type(self):  # no anonymous types
        while True:
            t = self.type()
            if not t.startswith("sequence") and "<" not in t:
                return t

    def declare(self, name):
        self.known.append(f"::Big::Part{self.number}::{name}")

    def comment(self, depth=1):
        text = " ".join(self.random.choices(WORDS, k=12))
        if self.random.random() < 0.5:
            self.line("// " + text, depth)
        else:
            self.line("/* " + text, depth)
            self.line(" * " + text, depth)
            self.line(" */", depth)

    def struct(self):
        name = self.name("Info")
        self.line(f"struct {name} {{")
        for i in range(self.random.randint(3, 9)):
            self.line(f"{self.type()} member_{i};" + ("  // in the unit of the plant" if i % 4 == 0 else ""), 2)
        self.line("};")
        self.declare(name)
        self.line(f"typedef sequence<{name}> {name}Seq;")
        self.declare(name + "Seq")

    def union(self):
        name, kinds = self.name("Choice"), self.name("Kind")
        members = [f"{kinds}_{i}" for i in range(self.random.randint(3, 6))]
        self.line(f"enum {kinds} {{ {', '.join(members)} }};")
        self.declare(kinds)
        self.line(f"union {name} switch ({kinds}) {{")
        for i, member in enumerate(members[:-1]):
            self.line(f"case {member}:", 2)
            self.line(f"{self.type()} value_{i};", 3)
        self.line(f"default: {self.parameter_type()} other;", 2)
        self.line("};")
        self.declare(name)

    def constants(self):
        name = self.name("Limit")
        self.line(f"const unsigned long {name} = (1 << {self.random.randint(2, 20)}) + {self.random.randint(1, 99)};")
        self.line(f'const string {name}_text = "{" ".join(self.random.choices(WORDS, k=5))}";')
        self.line(f"typedef octet {name}_block[{name} % 64 + 1];")
        self.line(f"const double {name}_ratio = MAX_RATIO / 3.0;")

    def interface(self):
        fault, name = self.name("Fault"), self.name("Service")
        self.line(f"exception {fault} {{ string reason; long code; }};")
        base = ": " + self.random.choice(self.interfaces) if self.interfaces and self.random.random() < 0.4 else ""
        self.line(f"interface {name} {base} {{".replace("  ", " "))
        self.line(f"readonly attribute {self.parameter_type()} current_{self.number}_{self.count};", 2)
        self.line(f"attribute long level_{self.number}_{self.count};", 2)
        for i in range(self.random.randint(3, 10)):
            if i % 3 == 0:
                self.comment(2)
            result = self.random.choice(["void", "long", "string", self.parameter_type()])
            self.line(f"{result} do_{self.number}_{self.count}_{i}(in {self.parameter_type()} first, inout {self.parameter_type()} "
                      f"second,", 2)
            self.line(f"out {self.parameter_type()} third) raises ({fault});", 6)
        self.line("};")
        self.declare(name)
        self.interfaces.append(self.known[-1])

    def write(self, limit):
        makers = [self.struct, self.struct, self.union, self.constants, self.interface, self.interface]
        while len(self.lines) < limit:
            self.comment()
            self.random.choice(makers)()
            self.line()


def generate(directory, lines, files=8):
    directory.mkdir(parents=True, exist_ok=True)
    source = random.Random(20)
    (directory / "big_limits.idl").write_text(
        "#ifndef BIG_LIMITS_IDL\n#define BIG_LIMITS_IDL\n#define MAX_RATIO 12.5\n#endif\n", encoding="ascii")
    known, total = [], 4
    for n in range(files):
        last = n == files - 1
        writer = Writer(n, source, known)
        # The main file has half of it all.
        writer.write((lines // 2 if last else lines // 2 // (files - 1)) - 12 - n)
        known = writer.known
        guard = f"BIG_{n}_IDL"
        text = ["// A part of a large system.", f"#ifndef {guard}", f"#define {guard}", '#include "big_limits.idl"']
        text += [f'#include "big_{k}.idl"' for k in range(n)]
        text += ['#pragma prefix "big.example"', "module Big {", f" module Part{n} {{"] + writer.lines
        text += [" };", "};", "#endif"]
        (directory / f"big_{n}.idl").write_text("\n".join(text) + "\n", encoding="ascii")
        total += len(text)
    return directory / f"big_{files - 1}.idl", total


if __name__ == "__main__":
    main_file, count = generate(pathlib.Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10_000)
    print(main_file, count)
