# SPDX-License-Identifier: Apache-2.0
"""IDL files that a compiler may choke on. CASES: name, what makes the text of a file from a size, the sizes for the short and
the long run, and what is expected: "good", or a part of the error, or "any": good, or an error with its place. Text is str in
ISO 8859-1, so that it can hold any byte.

Most texts are made of a template: $i is a number from 0, $j the next one, $n the size."""
import random
from typing import NamedTuple


class Case(NamedTuple):
    name: str
    text: object  # size -> str
    sizes: tuple  # of the short and of the long run
    expected: str = "good"


def fill(template, n, i=0):
    return template.replace("$i", str(i)).replace("$j", str(i + 1)).replace("$n", str(n)) if "$" in template else template


def each(line, before="", after="", separator="\n"):
    """The line for every $i below the size, between what stands once before and after."""
    def text(n):
        end = separator if separator == "\n" else ""
        return fill(before, n) + separator.join(fill(line, n, i) for i in range(n)) + end + fill(after, n)
    return text


def repeat(piece, before="", after=""):
    return lambda n: fill(before, n) + piece * n + fill(after, n)


def around(opening, inner, closing, before="", after=""):
    """The opening as often as the size says, then the closing as often."""
    return lambda n: before + opening * n + inner + closing * n + after


def both(*texts):
    """One behind the other."""
    return lambda n: "".join(text(n) for text in texts)


def with_size(change, text):
    return lambda n: text(change(n))


def replaced(text, old, new):
    return lambda n: text(n).replace(old, new)


# ---- What several cases are made of ----

STRUCT = "struct s0 { long a; };\n"
MANY = "typedef sequence<s$n> many;\n"


def nested(line, after, before=STRUCT):
    """Types each made of the one before."""
    return each(line, before, after)


NESTED_STRUCTS = nested("struct s$j { s$i a; s$i b; };", MANY + "struct holder { many m; };\n"
                        "interface I { many f(in many m); s$n g(in s$n a, out s$n b); };\n")
NESTED_ARRAYS = nested("struct s$j { s$i a[4]; };", MANY + "interface I { many f(in s$n m); };\n")
BASES = both(each("interface B$i { void f$i(); };"), each("B$i", "interface D : ", " { void own(); };\n", ", "))
WIDE_STRUCT = each("  long m$i;", "struct s {\n", "};\ninterface I { s f(in s a); };\n")
OPERATIONS = each("  void f$i(in long a);", "interface I {\n", "};\n")


def doubled(step):
    return each("#define A$j " + step, "#define A0 x\n", "const long a = A$n;\n")


def operators(operator):
    return repeat(f" {operator} 1", "const long a = 1", ";\n")


# ---- What no template can say ----

def derived_from_many(n):
    """A few interfaces with many bases each, of which each has all operations."""
    names = ", ".join(f"B{k}" for k in range(n // 10))
    return BASES(n // 10) + each(f"interface E$i : {names} {{}};")(9)


def used_in_many_bases(n):
    """Names of all bases, used and declared again where they are inherited."""
    return each("interface B$i { typedef long t$i; };")(n) + each("B$i", "interface D : ", " {\n", ", ")(n) + \
        each("typedef t$j u$i;")(n - 1) + "typedef string t0;\n};\ninterface E : D { typedef t1 v; };\n"


def ambiguous_in_many_bases(n):
    return each("interface B$i { typedef long t; };")(n) + each("B$i", "interface D : ", " {\n", ", ")(n) + \
        each("typedef long t; typedef t u$i;")(n) + "};\n"


def hidden_in_many_bases(n):
    """Two layers, all of one derived from all of the other; names that both have."""
    side = int(n ** 0.5)
    upper = ", ".join(f"A{k}" for k in range(side))
    return each("interface A$i { " + " ".join(f"typedef long t$i_{k};" for k in range(20)) + " };")(side) + \
        each(f"interface B$i : {upper} {{ " + " ".join(f"typedef long t$i_{k};" for k in range(20)) + " };")(side) + \
        each("B$i", "interface D : ", " {\n", ", ")(side) + \
        each(" ".join(f"typedef t$i_{k} u$i_{k};" for k in range(20)))(side) + "};\n"


def supported_by_many(n):
    """Each abstract base supports another interface; the value supports one that derives from all."""
    return each("interface I$i { void f$i(); };\nabstract valuetype A$i supports I$i { void g$i(); };")(n) + \
        each("I$i", "interface All : ", " {};\n", ", ")(n) + each("A$i", "valuetype V : ", " supports All {};\n", ", ")(n)


def values_with_many_bases(n):
    """Values with many bases each, of which each has many operations."""
    side = max(1, int(n ** 0.5))
    operations = " ".join(f"void f$i_{k}();" for k in range(side // 10))
    names = ", ".join(f"A{k}" for k in range(side))
    return each(f"abstract valuetype A$i {{ {operations} }};")(side) + each(f"valuetype V$i : {names} {{}};")(side)


def structs_of_the_last(n):
    return STRUCT + \
        "\n".join(f"struct s{i + 1} {{ s{max(0, i - i % 30)} a; string b; }};" for i in range(n)) + "\n"


def mutual_sequences(n):
    """Every struct refers to every other through sequences."""
    return each("struct s$i;")(n) + "\n".join(
        f"struct s{i} {{ " + " ".join(f"sequence<s{(i * 7 + k) % n}> m{k};" for k in range(8)) + " };" for i in range(n)) + "\n" + \
        each("interface I$i { void f(in s$i a); };")(n // 10 + 1)


def forwards(n):
    return each("interface I$i;")(n) + \
        "\n".join(f"interface I{i} {{ void f(in I{(i * 31 + 7) % n} a); }};" for i in range(n)) + "\n"


def versions(n):
    return "\n".join(f"struct s{i} {{ long a; }};\n#pragma version s{i} 1.{i % 60000}" for i in range(n)) + "\n"


def constants(n):
    return "const long c1 = 1;\n" + "\n".join(f"const long c{i + 1} = c{i} + 1;" for i in range(1, n)) + "\n"


def many_long_names(n):
    name = "a" * 1000
    return f"struct {name}0 {{ long a; }};\n" + \
        "\n".join(f"struct {name}{i} {{ {name}{max(0, i - 1)} m; }};" for i in range(1, n)) + "\n"


def many_parameters(n):
    return each("p$i", "#define A(", ") 1\n", ", ")(n) + each("1", "const long a = A(", ");\n", ", ")(n)


def noise(n):
    source = random.Random(n)
    return "".join(chr(source.randrange(256)) for _ in range(n))


def noise_of_words(n):
    source = random.Random(n)
    tokens = ("struct { } ; : :: , < > ( ) [ ] = + - * / % << >> | & ^ ~ long short string sequence union switch case default enum "
              "interface valuetype module typedef const exception raises in out inout attribute readonly a b c d 1 2 \"s\" 'c' 1.5 "
              "#define #if #endif \n @id abstract local custom supports factory").split(" ")
    return " ".join(source.choices(tokens, k=n)) + "\n"


# ---- The files ----

CASES = [
    # Tokens that grow by macros.
    Case("macro_doubles", doubled("A$i A$i"), (30, 60), "more than"),
    Case("macro_doubles_tightly", doubled("(A$i+A$i)"), (30, 60), "more than"),
    Case("macro_quadruples", doubled("A$i A$i A$i A$i"), (20, 200), "more than"),
    Case("macro_pastes", each("#define A$j Q(A$i, A$i)", "#define P(a, b) a ## b\n#define Q(a, b) P(a, b)\n#define A0 x\n",
                              "typedef long A$n;\n"), (30, 60), "any"),
    Case("macro_calls_double", around("D(", "a", ")", "#define D(x) x x\ntypedef long ", ";\n"), (30, 60), "more than"),
    Case("macro_calls_paste", around("E(", "a", ")", "#define D(x) x ## x\n#define E(x) D(x)\ntypedef long ", ";\n"),
         (30, 60), "any"),
    Case("macro_stringizes", around("T(", "a\"\\\\", ")", "#define S(x) #x\n#define T(x) S(x)\nconst string s = ", ";\n"),
         (30, 60), "any"),
    Case("macro_in_condition", each("#define A$j (A$i + A$i)", "#define A0 1\n", "#if A$n > 3\nconst long a = 1;\n#endif\n"),
         (30, 60), "more than"),
    Case("macro_uses", each("A", "#define A a b c d e f g h\n", "\n"), (3_000, 100_000), "any"),
    Case("macros", both(each("#define M$i $i"), each("const long c$i = M$i;")), (2_000, 20_000)),
    Case("macro_chain", each("#define M$j M$i", "#define M0 1\n", "const long c = M$n;\n"), (100, 20_000), "any"),
    Case("macro_doubles_strings", each("#define S$j S$i S$i", "#define S0 \"xxxxxxxx\"\n", "const string s = S$n;\n"),
         (30, 60), "more than"),

    # Types that double.
    Case("nested_structs", NESTED_STRUCTS, (40, 62), "4 GB"),
    Case("nested_variable_structs", replaced(NESTED_STRUCTS, "long a;", "string a; long b;"), (40, 62), "4 GB"),
    Case("nested_empty_structs", replaced(NESTED_STRUCTS, "{ long a; }", "{}"), (40, 62)),
    Case("nested_arrays", NESTED_ARRAYS, (30, 62), "4 GB"),
    Case("nested_empty_arrays", replaced(NESTED_ARRAYS, "{ long a; }", "{}"), (30, 62)),
    Case("nested_typedef_arrays", nested("typedef t$i t$j[4];", "interface I { void f(in t$n a); };\n", "typedef long t0;\n"),
         (30, 62), "4 GB"),
    Case("nested_unions", nested("union s$j switch (long) { case 0: s$i a; case 1: s$i b; };",
                                 MANY + "interface I { many f(in s$n m); };\n"), (40, 62)),
    Case("nested_sequences", nested("struct s$j { sequence<s$i> a; sequence<s$i> b; };", "interface I { s$n f(in s$n m); };\n"),
         (40, 62)),
    Case("nested_maps", nested("struct s$j { map<long, s$i> a; map<long, s$i> b; };", "interface I { void f(in s$n m); };\n"),
         (40, 62), "any"),
    Case("nested_exceptions", both(NESTED_STRUCTS, repeat("", "exception E { s$n a; s$n b; };\n"
                                                              "interface J { void h() raises (E); };\n")), (40, 62), "4 GB"),
    Case("nested_values", both(NESTED_STRUCTS, repeat("", "valuetype V { public s$n a; public s$n b; factory make(in s$n a); };\n"
                                                          "valuetype B s$n;\n")), (40, 62), "4 GB"),
    Case("derived_structs", nested("struct s$j : s$i { long a$j; };", "interface I { void f(in s$n m); };\n",
                                   "struct s0 { long a0; };\n"),
         (60, 1_000), "any"),
    Case("mutual_sequences", mutual_sequences, (200, 5_000), "any"),
    Case("chain_through_sequences", both(each("struct s$i;", "struct s$n { long a; };\n"),
                                         each("struct s$i { sequence<s$j> m; };", after="interface I { void f(in s0 a); };\n")),
         (20_000, 40_000), "any"),
    Case("string_constants", each("const string s$j = s$i + s$i;", "const string s0 = \"xxxxxxxx\";\n"), (40, 40), "any"),

    # Very many.
    Case("bases", BASES, (1_000, 10_000)),
    Case("bases_in_a_row", each("interface B$j : B$i { void f$j(); };", "interface B0 { void f0(); };\n"), (200, 5_000), "any"),
    Case("diamonds", each("interface L$i : A$i {}; interface R$i : A$i {}; interface A$j : L$i, R$i {};", "interface A0 {};\n"),
         (60, 2_000), "any"),
    Case("value_diamonds", each("abstract valuetype L$i : A$i {}; abstract valuetype R$i : A$i {};\n"
                                "abstract valuetype A$j : L$i, R$i {};", "abstract valuetype A0 {};\n", "valuetype V : A$n {};\n"),
         (60, 240)),
    Case("derived_from_many", derived_from_many, (2_000, 20_000)),
    Case("bitsets_in_a_row", each("bitset b$j : b$i {};", "bitset b0 { bitfield<1> a; };\n"), (400, 60_000), "any"),
    Case("used_in_many_bases", used_in_many_bases, (2_000, 20_000)),
    Case("ambiguous_in_many_bases", ambiguous_in_many_bases, (2_000, 30_000), "error"),
    Case("hidden_in_many_bases", hidden_in_many_bases, (2_000, 90_000), "any"),
    Case("supported_by_many", supported_by_many, (500, 10_000), "any"),
    Case("values_with_many_bases", values_with_many_bases, (2_000, 250_000), "any"),
    Case("structs", each("struct s$i { long a; string b; };"), (2_000, 60_000)),
    Case("structs_of_31_doublings", NESTED_STRUCTS, (26, 29)),
    Case("derived_with_many_members", both(WIDE_STRUCT, with_size(lambda n: n // 10, each("struct d$i : s { long x$i; };"))),
         (4_000, 60_000), "members in all"),
    Case("derived_with_many_operations", both(OPERATIONS, with_size(lambda n: n // 10, each("interface D$i : I {};"))),
         (4_000, 40_000), "operations and bases in all"),
    Case("structs_of_the_last", structs_of_the_last, (2_000, 100_000), "any"),
    Case("wide_struct", WIDE_STRUCT, (5_000, 100_000)),
    Case("wide_variable_struct", each("  string m$i;", "struct s {\n", "};\ninterface I { s f(in s a); };\n"), (5_000, 100_000)),
    Case("wide_value", each("  public string m$i;", "valuetype v {\n", "};\n"), (5_000, 100_000)),
    Case("wide_exception", each("  long m$i;", "exception x {\n", "};\n"), (5_000, 100_000)),
    Case("cases", each("  case $i: long m$i;", "union u switch (long) {\n", "};\ninterface I { u f(in u a); };\n"),
         (3_000, 100_000)),
    Case("labels", each("  case $i:", "union u switch (long) {\n", "  long m;\n  default: string t;\n};\n"), (5_000, 100_000)),
    Case("enum_cases", both(each("e$i", "enum e { ", " };\n", ", "),
                            each("  case e$i: long m$i;", "union u switch (e) {\n", "};\n")),
         (3_000, 100_000)),
    Case("prefixes", each("#pragma prefix \"p$i\"", after="struct s { long a; };\n"), (5_000, 100_000)),
    Case("prefixes_and_types", each("#pragma prefix \"p$i\"\nstruct s$i { long a; };"), (2_000, 50_000)),
    Case("prefixes_in_modules", each("module m$i {\n#pragma prefix \"p$i\"\nstruct s { long a; };\n};"), (2_000, 50_000)),
    Case("ids", each("struct s$i { long a; };\n#pragma ID s$i \"IDL:x/s$i:1.0\""), (2_000, 50_000)),
    Case("versions", versions, (2_000, 50_000)),
    Case("type_prefixes", each("module m$i { struct s { long a; }; typeprefix ::m$i \"p\"; };"), (1_000, 50_000), "any"),
    Case("enumerators", each("e$i", "enum e { ", " };\n", ", "), (5_000, 100_000)),
    Case("enums", each("enum e$i { a$i, b$i, c$i };"), (2_000, 50_000)),
    Case("operations", OPERATIONS, (2_000, 65_000)),
    Case("operations_by_case", each("  string f$i(in string a, out long b);", "interface I {\n", "};\n"), (2_000, 65_000)),
    Case("attributes", each("  attribute string a$i;", "interface I {\n", "};\n"), (2_000, 32_000)),
    Case("parameters", each("in long p$i", "interface I { void f(", "); };\n", ", "), (2_000, 100_000), "any"),
    Case("raised", both(each("exception x$i { string why; };"), each("x$i", "interface I { void f() raises (", "); };\n", ", ")),
         (2_000, 60_000)),
    Case("contexts", each("\"c$i\"", "interface I { void f() context (", "); };\n", ", "), (2_000, 100_000), "any"),
    Case("constants", constants, (3_000, 100_000)),
    Case("fixed_constants", each("const fixed c$j = c$i / 1.3d * 1.2d;", "const fixed c0 = 1.1d;\n"), (2_000, 20_000), "any"),
    Case("typedefs", each("typedef t0 t$j;", "typedef long t0;\n"), (3_000, 100_000)),
    Case("typedefs_of_typedefs", each("typedef t$i t$j;", "typedef long t0;\n", "interface I { void f(in t$n a); };\n"),
         (5_000, 100_000), "one inside the other"),
    Case("forwards", forwards, (1_000, 20_000)),
    Case("value_types", each("valuetype V$i { public long a; };"), (1_000, 20_000)),
    Case("boxes", each("valuetype V$i long;"), (1_000, 20_000)),
    Case("values_in_a_row", each("valuetype V$j : V$i { public long m$j; };", "valuetype V0 { public long m0; };\n"),
         (60, 5_000), "any"),
    Case("modules_again", each("module M { struct s$i { long a; }; };"), (2_000, 50_000)),
    Case("modules", each("module M$i { struct s { long a; }; };"), (2_000, 50_000)),
    Case("annotations", each("@verbatim(text=\"a$i\") struct s$i { @id($i) long a; };"), (2_000, 50_000)),
    Case("annotation_declarations", both(each("@annotation a$i { long v default 1; };"),
                                         each("@a$i(v=$i) struct s$i { long m; };")),
         (1_000, 20_000), "any"),
    Case("anonymous", each("  sequence<long, $j> m$i;", "struct s {\n", "};\n"), (2_000, 50_000)),
    Case("natives", each("native n$i;"), (3_000, 100_000)),
    Case("locals", each("local interface L$i { void f(); attribute long a; };"), (1_000, 20_000)),
    Case("bits", each("bitmask b$i { x$i, y$i }; bitset t$i { bitfield<3> a; bitfield<5> b; };"), (1_000, 20_000), "any"),
    Case("unlike_case", each("struct Name$i { long a; };\nstruct nAme$i { long a; };"), (1_000, 50_000), "error"),
    Case("unknown_names", both(each("struct known$i { long a; };"), each("typedef knwon$i t$i;")), (1_000, 50_000), "error"),

    # Deep.
    Case("deep_modules", both(each("module m$i {", after="struct s { long a; };\n"), repeat("};\n")), (1_000, 100_000), "any"),
    Case("deep_parentheses", around("(", "1", ")", "const long a = ", ";\n"), (10_000, 1_000_000), "deep"),
    Case("deep_structs", lambda n: "struct s {" * n + " long a; " + "} m;" * (n - 1) + "};\n", (10_000, 300_000), "deep"),
    Case("deep_sequences", around("sequence<", "long", ">", "typedef ", " t;\n"), (10_000, 300_000), "deep"),
    Case("deep_conditions", around("#if 1\n", "const long a = 1;\n", "#endif\n"), (1_000, 100_000), "any"),
    Case("deep_brackets", repeat("[2]", "typedef long t", ";\n"), (1_000, 100_000), "any"),
    Case("deep_names", each("a", "typedef ", " t;\n", "::"), (10_000, 300_000), "error"),

    # Long.
    Case("operators", operators("+"), (10_000, 300_000), "any"),
    Case("operators_or", operators("|"), (10_000, 300_000), "any"),
    Case("operators_shift", operators("<<"), (10_000, 300_000), "any"),
    Case("operators_unary", repeat("- ", "const long a = ", "1;\n"), (10_000, 300_000), "any"),
    Case("numbers", repeat("const long a = 1;\n", "struct s { long a; };\nmodule m {\n", "};\n"), (10_000, 200_000), "error"),
    Case("pasted_words", repeat("P(a, b) ", "#define P(a, b) a##b\ntypedef long ", ";\n"), (10_000, 400_000), "error"),
    Case("condition_operators", repeat(" + 1", "#if 1", "\nconst long a = 1;\n#endif\n"), (10_000, 300_000), "any"),
    Case("condition_operators_or", repeat(" || 0", "#if 0", "\nconst long a = 1;\n#endif\n"), (10_000, 300_000), "any"),
    Case("condition_unary", repeat("!", "#if ", "1\n#endif\n"), (10_000, 300_000), "deep"),
    Case("condition_ternary", around("1 ? ", "1", " : 0", "#if ", "\n#endif\n"), (10_000, 300_000), "deep"),
    Case("open_quote", repeat("x", "const string s = \""), (1_000_000, 8_000_000), "error"),
    Case("open_quote_and_more", repeat("x\n", "const string s = \""), (100_000, 4_000_000), "error"),
    Case("open_character", repeat("x", "const char c = '", ";\n"), (1_000_000, 8_000_000), "error"),
    Case("open_comment", repeat("x ", "struct s { long a; };\n/* "), (500_000, 4_000_000), "comment"),
    Case("open_comments", repeat("/*", "/* x */ struct s { long a; };\n"), (500_000, 4_000_000), "comment"),
    Case("quotes", repeat("\""), (100_000, 1_000_001), "error"),
    Case("lone_quotes", each("const char c = '"), (10_000, 300_000), "error"),
    Case("one_name", repeat("a", "struct ", " { long a; };\n"), (1_000_000, 8_000_000), "any"),
    Case("many_long_names", many_long_names, (200, 2_000), "any"),
    Case("one_string", repeat("x", "const string s = \"", "\";\n"), (1_000_000, 8_000_000), "any"),
    Case("many_strings", repeat("\"x\" ", "const string s = ", ";\n"), (10_000, 300_000), "any"),
    Case("one_number", repeat("1", "const long long a = ", ";\n"), (1_000_000, 8_000_000), "error"),
    Case("one_octal", repeat("0", "const long long a = ", ";\n"), (1_000_000, 8_000_000), "any"),
    Case("one_float", repeat("1", "const double a = 0.", ";\n"), (1_000_000, 8_000_000), "any"),
    Case("one_exponent", repeat("9", "const double a = 1e", ";\n"), (1_000_000, 8_000_000), "error"),
    Case("one_fixed", repeat("0", "const fixed a = 1.", "1d;\n"), (1_000_000, 8_000_000), "error"),
    Case("blanks", repeat(" \t", after="const long a = 1;\n"), (1_000_000, 4_000_000)),
    Case("blank_lines", repeat("\n", after="const long a = 1;\n"), (500_000, 8_000_000)),
    Case("continued", repeat(" \\\n", "#define A \\\n", " 1\nconst long a = A;\n"), (10_000, 1_000_000), "any"),
    Case("continued_word", repeat("a\\\n", "const long a", " = 1;\n"), (10_000, 1_000_000), "any"),
    Case("one_line", each("typedef s t$i;", "struct s { long a; }; ", "\n", " "), (5_000, 100_000)),
    Case("one_line_of_faults", each("typedef nothing t$i;", after="\n", separator=" "), (5_000, 100_000), "error"),
    Case("faults", each("typedef nothing$i t$i;"), (5_000, 100_000), "error"),
    Case("semicolons", repeat(";"), (100_000, 3_000_000), "any"),
    Case("braces", repeat("{"), (100_000, 3_000_000), "error"),
    Case("closing", repeat("}"), (100_000, 3_000_000), "error"),
    Case("nul", repeat("\0", "struct s { long a; };\n"), (1_000, 1_000_000), "NUL"),
    Case("bad_utf8", both(repeat("\xc3\x28\xa0\xff", "// ", "\n"),
                          repeat("\xff\xfe", "const string s = \"", "\";\ntypedef long \xe4\xf6;\n")),
         (1_000, 1_000_000), "error"),
    Case("noise", noise, (100_000, 1_000_000), "error"),
    Case("noise_of_words", noise_of_words, (20_000, 500_000), "error"),

    # Directives.
    Case("pragmas", each("#pragma unknown " + "x " * 10), (1_000, 100_000), "any"),
    Case("long_pragma", repeat("x ", "#pragma unknown ", "\nconst long a = 1;\n"), (50_000, 3_000_000), "any"),
    Case("long_error", repeat("x ", "#error ", "\n"), (50_000, 3_000_000), "#error"),
    Case("long_define", repeat("x ", "#define A ", "\nconst long a = 1;\n"), (50_000, 2_000_000), "any"),
    Case("many_parameters", many_parameters, (1_000, 100_000), "any"),
    Case("faulty_directives", repeat("typedef long t;\n", "const long a = 1;\n", "#if\n#endif\n" * 12), (2_000, 200_000), "error"),
    Case("skipped", repeat("a + ", "#if 0\n", "\n#endif\nconst long a = 1;\n"), (100_000, 2_000_000), "any"),
    Case("many_defines", each("#define A$i a b c d e f g h i j k l m n o p"), (2_000, 120_000), "any"),
    Case("undefs", each("#define A $i\n#undef A"), (2_000, 50_000)),
    Case("line_directives", each("#line $j \"x$i.idl\"\nconst long c$i = 1;"), (2_000, 50_000)),
    Case("markers", each("# $j \"x$i.idl\" 1\nconst long c$i = 1;"), (2_000, 50_000), "any"),
    Case("itself", repeat("#include \"itself.idl\"\n"), (1, 100), "include each other"),
]
