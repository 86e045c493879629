# SPDX-License-Identifier: Apache-2.0
"""IDL files that keep a compiler busy. tests of idl/ have many more; these are the ones that took gigabytes or hours."""
from attack.attack import CompilerAttack


class TokensDouble(CompilerAttack):
    """Forty macros, each the one before twice."""

    promised = "<= 5 s, <= 1 GB"

    def text(self):
        yield "const long m0 = 1;\n#define x0 1 +\n"
        for number in range(1, 40):
            yield f"#define x{number} x{number - 1} x{number - 1}\n"
        yield "const long all = x39 1;\n"


class TokensPasted(CompilerAttack):
    """Forty macros, each pastes the one before to itself."""

    promised = "<= 5 s, <= 1 GB"

    def text(self):
        yield "#define cat(a, b) a ## b\n#define y0(a) a\n"
        for number in range(1, 40):
            yield f"#define y{number}(a) y{number - 1}(cat(a, a))\n"
        yield "const long y39(n) = 1;\n"


class StructsDouble(CompilerAttack):
    """Forty structs, each with the one before twice, in sequences; with compiled stubs."""

    promised = "<= 5 s, <= 1 GB"
    options = ("--stubs=compiled",)

    def text(self):
        yield "struct s0 { long a; long b; };\n"
        for number in range(1, 41):
            yield f"struct s{number} {{ s{number - 1} a; s{number - 1} b; }};\n"
        yield "typedef sequence<s40> Many;\ninterface I { void op(in Many m); };\n"


class ManyOperators(CompilerAttack):
    """An expression of 300,000 operators, and as many parentheses."""

    promised = "<= 5 s, <= 1 GB"

    def text(self):
        yield "const long sum = 1" + " + 1" * 300_000 + ";\n"
        yield "const long deep = " + "(" * 300_000 + "1" + ")" * 300_000 + ";\n"


class NoClosingQuote(CompilerAttack):
    """A megabyte without a closing quote."""

    promised = "<= 5 s, <= 1 GB, a diagnostic"

    def text(self):
        yield 'const string s = "' + "x" * 1_000_000


class ManyStructs(CompilerAttack):
    """Ten thousand structs, a union of ten thousand cases, an interface of ten thousand bases."""

    promised = "<= 5 s, <= 1 GB"

    def text(self):
        for number in range(10_000):
            yield f"struct t{number} {{ long a; }};\ninterface b{number} {{}};\n"
        yield "union u switch (long) {\n" + "".join(f"case {n}: long c{n};\n" for n in range(10_000)) + "};\n"
        yield "interface all : " + ", ".join(f"b{number}" for number in range(10_000)) + " {};\n"
