# SPDX-License-Identifier: Apache-2.0
"""IDL files that keep a compiler busy. tests/hostile_idl has many more; these are the ones that took gigabytes or hours."""
from attack.attack import CompilerAttack


def _file(name, what, *pieces, options=()):
    """An attack. Each piece is text, or a function that makes it."""
    def text(_):
        return (piece if isinstance(piece, str) else piece() for piece in pieces)
    return type(name, (CompilerAttack,), {"__doc__": what, "__module__": __name__, "text": text, "options": options})


def _lines(count, line, begin=0):
    """line(n, n - 1) for so many n."""
    return lambda: "".join(line(number, number - 1) + "\n" for number in range(begin, count))


TokensDouble = _file(
    "TokensDouble", "Forty macros, each the one before twice.",
    "#define x0 1 +\n", _lines(40, lambda n, last: f"#define x{n} x{last} x{last}", 1), "const long all = x39 1;\n")

TokensPasted = _file(
    "TokensPasted", "Forty macros, each pastes the one before to itself.",
    "#define cat(a, b) a ## b\n#define y0(a) a\n", _lines(40, lambda n, last: f"#define y{n}(a) y{last}(cat(a, a))", 1),
    "const long y39(n) = 1;\n")

StructsDouble = _file(
    "StructsDouble", "Forty structs, each with the one before twice, in sequences; with compiled stubs.",
    "struct s0 { long a; long b; };\n", _lines(41, lambda n, last: f"struct s{n} {{ s{last} a; s{last} b; }};", 1),
    "typedef sequence<s40> Many;\ninterface I { void op(in Many m); };\n", options=("--stubs=compiled",))

ManyOperators = _file(
    "ManyOperators", "An expression of 300,000 operators, and as many parentheses.",
    "const long sum = 1", " + 1" * 300_000, ";\nconst long deep = ", "(" * 300_000, "1", ")" * 300_000, ";\n")

NoClosingQuote = _file(
    "NoClosingQuote", "A megabyte without a closing quote.", 'const string s = "', "x" * 1_000_000)

ManyStructs = _file(
    "ManyStructs", "Ten thousand structs, a union of ten thousand cases, an interface of ten thousand bases.",
    _lines(10_000, lambda n, _: f"struct t{n} {{ long a; }};\ninterface b{n} {{}};"),
    "union u switch (long) {\n", _lines(10_000, lambda n, _: f"case {n}: long c{n};"), "};\n",
    "interface all : ", ", ".join(f"b{n}" for n in range(10_000)), " {};\n")
