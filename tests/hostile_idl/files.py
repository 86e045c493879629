# SPDX-License-Identifier: Apache-2.0
"""IDL files that a compiler may choke on. CASES: name, a function from a size to the text of a file, the sizes for the
short and the long run, and what is expected: "good", or a part of the error. Text is str in ISO 8859-1, so that it can hold any byte."""
import random
import string
from typing import NamedTuple


class Case(NamedTuple):
    name: str
    text: object  # size -> str
    sizes: tuple  # of the short and of the long run
    expected: str = "good"  # "any": good, or an error with its place


def lines(n, line):
    return "\n".join(line(i) for i in range(n)) + "\n"


def word(n, letters=string.ascii_lowercase):
    return "".join(letters[i * 7919 % len(letters)] for i in range(n))


# ---- Tokens that grow by macros ----

def doubled(step):
    def text(n):
        return "#define A0 x\n" + "".join(f"#define A{i} {step(i - 1)}\n" for i in range(1, n + 1)) + f"const long a = A{n};\n"
    return text


def pasted(n):
    rest = "#define P(a, b) a ## b\n#define Q(a, b) P(a, b)\n#define A0 x\n"
    return rest + "".join(f"#define A{i} Q(A{i - 1}, A{i - 1})\n" for i in range(1, n + 1)) + f"typedef long A{n};\n"


def called(n):
    return "#define D(x) x x\n" + "typedef long " + "D(" * n + "a" + ")" * n + ";\n"


def pasted_calls(n):
    return "#define D(x) x ## x\n#define E(x) D(x)\ntypedef long " + "E(" * n + "a" + ")" * n + ";\n"


def stringized(n):
    return "#define S(x) #x\n#define T(x) S(x)\nconst string s = " + "T(" * n + "a\"\\\\" + ")" * n + ";\n"


def conditions(n):
    return "".join("#define A0 1\n" if i == 0 else f"#define A{i} (A{i - 1} + A{i - 1})\n" for i in range(n + 1)) + \
        f"#if A{n} > 3\nconst long a = 1;\n#endif\n"


def words_to_expand(n):
    return "#define A a b c d e f g h\n" + lines(n, lambda i: "A") + "\n"


def many_macros(n):
    return lines(n, lambda i: f"#define M{i} {i}") + lines(n, lambda i: f"const long c{i} = M{i};")


def chain(n):
    return "#define M0 1\n" + lines(n, lambda i: f"#define M{i + 1} M{i}") + f"const long c = M{n};\n"


# ---- Types that double ----

def nested_structs(n):
    return "struct s0 { long a; };\n" + lines(n, lambda i: f"struct s{i + 1} {{ s{i} a; s{i} b; }};") + \
        f"typedef sequence<s{n}> many;\nstruct holder {{ many m; }};\ninterface I {{ many f(in many m); s{n} g(in s{n} a, out s{n} b); }};\n"


def nested_variable_structs(n):
    return nested_structs(n).replace("long a;", "string a; long b;")


def nested_empty_structs(n):
    return nested_structs(n).replace("{ long a; }", "{}")


def nested_arrays(n):
    return "struct s0 { long a; };\n" + lines(n, lambda i: f"struct s{i + 1} {{ s{i} a[4]; }};") + \
        f"typedef sequence<s{n}> many;\ninterface I {{ many f(in s{n} m); }};\n"


def nested_empty_arrays(n):
    return nested_arrays(n).replace("{ long a; }", "{}")


def nested_typedef_arrays(n):
    return "typedef long t0;\n" + lines(n, lambda i: f"typedef t{i} t{i + 1}[4];") + f"interface I {{ void f(in t{n} a); }};\n"


def nested_unions(n):
    return "struct s0 { long a; };\n" + lines(
        n, lambda i: f"union s{i + 1} switch (long) {{ case 0: s{i} a; case 1: s{i} b; }};") + \
        f"typedef sequence<s{n}> many;\ninterface I {{ many f(in s{n} m); }};\n"


def nested_sequences(n):
    return "struct s0 { long a; };\n" + lines(
        n, lambda i: f"struct s{i + 1} {{ sequence<s{i}> a; sequence<s{i}> b; }};") + \
        f"interface I {{ s{n} f(in s{n} m); }};\n"


def nested_exceptions(n):
    return nested_structs(n) + f"exception E {{ s{n} a; s{n} b; }};\ninterface J {{ void h() raises (E); }};\n"


def nested_values(n):
    return nested_structs(n) + f"valuetype V {{ public s{n} a; public s{n} b; factory make(in s{n} a); }};\nvaluetype B s{n};\n"


def nested_maps(n):
    return "struct s0 { long a; };\n" + lines(n, lambda i: f"struct s{i + 1} {{ map<long, s{i}> a; map<long, s{i}> b; }};") + \
        f"interface I {{ void f(in s{n} m); }};\n"


def derived_structs(n):
    return "struct s0 { long a0; };\n" + lines(n, lambda i: f"struct s{i + 1} : s{i} {{ long a{i + 1}; }};") + \
        f"interface I {{ void f(in s{n} m); }};\n"


def mutual_sequences(n):
    """Every struct refers to every other through sequences."""
    return lines(n, lambda i: f"struct s{i};") + lines(
        n, lambda i: f"struct s{i} {{ " + " ".join(f"sequence<s{(i * 7 + k) % n}> m{k};" for k in range(8)) + " };") + \
        lines(n // 10 + 1, lambda i: f"interface I{i} {{ void f(in s{i} a); }};")


def doubling_strings(n):
    return "#define S0 \"xxxxxxxx\"\n" + lines(n, lambda i: f"#define S{i + 1} S{i} S{i}") + f"const string s = S{n};\n"


def string_constants(n):
    return "const string s0 = \"xxxxxxxx\";\n" + lines(n, lambda i: f"const string s{i + 1} = s{i} + s{i};")


# ---- Very many ----

def bases(n):
    return lines(n, lambda i: f"interface B{i} {{ void f{i}(); }};") + \
        "interface D : " + ", ".join(f"B{i}" for i in range(n)) + " { void own(); };\n"


def bases_in_a_row(n):
    return "interface B0 { void f0(); };\n" + lines(n, lambda i: f"interface B{i + 1} : B{i} {{ void f{i + 1}(); }};")


def diamonds(n):
    return "interface A0 {};\n" + lines(
        n, lambda i: f"interface L{i} : A{i} {{}}; interface R{i} : A{i} {{}}; interface A{i + 1} : L{i}, R{i} {{}};")


def derived_from_many(n):
    """A few interfaces with many bases each, of which each has all operations."""
    return bases(n // 10) + lines(9, lambda i: f"interface E{i} : " + ", ".join(f"B{k}" for k in range(n // 10)) + " {};")


def structs(n):
    return lines(n, lambda i: f"struct s{i} {{ long a; string b; }};")


def structs_of_the_last(n):
    return "struct s0 { long a; };\n" + lines(n, lambda i: f"struct s{i + 1} {{ s{max(0, i - i % 30)} a; string b; }};")


def wide_struct(n):
    return "struct s {\n" + lines(n, lambda i: f"  long m{i};") + "};\ninterface I { s f(in s a); };\n"


def wide_variable_struct(n):
    return "struct s {\n" + lines(n, lambda i: f"  string m{i};") + "};\ninterface I { s f(in s a); };\n"


def wide_value(n):
    return "valuetype v {\n" + lines(n, lambda i: f"  public string m{i};") + "};\n"


def wide_exception(n):
    return "exception x {\n" + lines(n, lambda i: f"  long m{i};") + "};\n"


def cases(n):
    return "union u switch (long) {\n" + lines(n, lambda i: f"  case {i}: long m{i};") + "};\ninterface I { u f(in u a); };\n"


def labels(n):
    return "union u switch (long) {\n" + lines(n, lambda i: f"  case {i}:") + "  long m;\n  default: string t;\n};\n"


def enum_cases(n):
    return "enum e { " + ", ".join(f"e{i}" for i in range(n)) + " };\nunion u switch (e) {\n" + \
        lines(n, lambda i: f"  case e{i}: long m{i};") + "};\n"


def prefixes(n):
    return lines(n, lambda i: f"#pragma prefix \"p{i}\"") + "struct s { long a; };\n"


def prefixes_and_types(n):
    return lines(n, lambda i: f"#pragma prefix \"p{i}\"\nstruct s{i} {{ long a; }};")


def prefixes_in_modules(n):
    return lines(n, lambda i: f"module m{i} {{\n#pragma prefix \"p{i}\"\nstruct s {{ long a; }};\n}};")


def ids(n):
    return lines(n, lambda i: f"struct s{i} {{ long a; }};\n#pragma ID s{i} \"IDL:x/s{i}:1.0\"")


def versions(n):
    return lines(n, lambda i: f"struct s{i} {{ long a; }};\n#pragma version s{i} 1.{i % 60000}")


def type_prefixes(n):
    return lines(n, lambda i: f"module m{i} {{ struct s {{ long a; }}; typeprefix m{i} \"p\"; }};".replace(f"m{i} \"", f"::m{i} \""))


def enumerators(n):
    return "enum e { " + ", ".join(f"e{i}" for i in range(n)) + " };\n"


def enums(n):
    return lines(n, lambda i: f"enum e{i} {{ a{i}, b{i}, c{i} }};")


def operations(n):
    return "interface I {\n" + lines(n, lambda i: f"  void f{i}(in long a);") + "};\n"


def operations_by_case(n):
    return "interface I {\n" + lines(n, lambda i: f"  string f{i}(in string a, out long b);") + "};\n"


def attributes(n):
    return "interface I {\n" + lines(n, lambda i: f"  attribute string a{i};") + "};\n"


def parameters(n):
    return "interface I { void f(" + ", ".join(f"in long p{i}" for i in range(n)) + "); };\n"


def raised(n):
    return lines(n, lambda i: f"exception x{i} {{ string why; }};") + \
        "interface I { void f() raises (" + ", ".join(f"x{i}" for i in range(n)) + "); };\n"


def contexts(n):
    return "interface I { void f() context (" + ", ".join(f"\"c{i}\"" for i in range(n)) + "); };\n"


def constants(n):
    return lines(n, lambda i: f"const long c{i + 1} = {'c%d + 1' % i if i else 1};")


def fixed_constants(n):
    return "const fixed c0 = 1.1d;\n" + lines(n, lambda i: f"const fixed c{i + 1} = c{i} / 1.3d * 1.2d;")


def typedefs(n):
    return "typedef long t0;\n" + lines(n, lambda i: f"typedef t0 t{i + 1};")


def forwards(n):
    return lines(n, lambda i: f"interface I{i};") + lines(n, lambda i: f"interface I{i} {{ void f(in I{(i * 31 + 7) % n} a); }};")


def value_types(n):
    return lines(n, lambda i: f"valuetype V{i} {{ public long a; }};")


def boxes(n):
    return lines(n, lambda i: f"valuetype V{i} long;")


def values_in_a_row(n):
    return "valuetype V0 { public long m0; };\n" + lines(n, lambda i: f"valuetype V{i + 1} : V{i} {{ public long m{i + 1}; }};")


def modules_again(n):
    return lines(n, lambda i: f"module M {{ struct s{i} {{ long a; }}; }};")


def modules(n):
    return lines(n, lambda i: f"module M{i} {{ struct s {{ long a; }}; }};")


def annotations(n):
    return lines(n, lambda i: f"@verbatim(text=\"a{i}\") struct s{i} {{ @id({i}) long a; }};")


def annotation_declarations(n):
    return lines(n, lambda i: f"@annotation a{i} {{ long v default 1; }};") + lines(n, lambda i: f"@a{i}(v={i}) struct s{i} {{ long m; }};")


def anonymous(n):
    return "struct s {\n" + lines(n, lambda i: f"  sequence<long, {i + 1}> m{i};") + "};\n"


def natives(n):
    return lines(n, lambda i: f"native n{i};")


def locals_(n):
    return lines(n, lambda i: f"local interface L{i} {{ void f(); attribute long a; }};")


def bits(n):
    return lines(n, lambda i: f"bitmask b{i} {{ x{i}, y{i} }}; bitset t{i} {{ bitfield<3> a; bitfield<5> b; }};")


def unlike_case(n):
    return lines(n, lambda i: f"struct Name{i} {{ long a; }};\nstruct nAme{i} {{ long a; }};")


def unknown_names(n):
    return lines(n, lambda i: f"struct known{i} {{ long a; }};") + lines(n, lambda i: f"typedef knwon{i} t{i};")


# ---- Deep ----

def deep_modules(n):
    return lines(n, lambda i: f"module m{i} {{") + "struct s { long a; };\n" + "};\n" * n


def deep_parentheses(n):
    return "const long a = " + "(" * n + "1" + ")" * n + ";\n"


def deep_structs(n):
    return "struct s {" * n + " long a; " + "} m;" * (n - 1) + "};\n"


def deep_sequences(n):
    return "typedef " + "sequence<" * n + "long" + ">" * n + " t;\n"


def deep_conditions(n):
    return "#if 1\n" * n + "const long a = 1;\n" + "#endif\n" * n


def deep_brackets(n):
    return "typedef long t" + "[2]" * n + ";\n"


def deep_names(n):
    return "typedef " + "::".join(["a"] * n) + " t;\n"


# ---- Long ----

def operators(op):
    return lambda n: "const long a = 1" + f" {op} 1" * n + ";\n"


def unary(n):
    return "const long a = " + "- " * n + "1;\n"


def condition_operators(n):
    return "#if 1" + " + 1" * n + "\nconst long a = 1;\n#endif\n"


def condition_operators_long(n):
    return "#if 0" + " || 0" * n + "\nconst long a = 1;\n#endif\n"


def condition_unary(n):
    return "#if " + "!" * n + "1\n#endif\n"


def condition_ternary(n):
    return "#if " + "1 ? " * n + "1" + " : 0" * n + "\n#endif\n"


def open_quote(n):
    return "const string s = \"" + "x" * n


def open_quote_and_more(n):
    return "const string s = \"" + "x\n" * n


def open_character(n):
    return "const char c = '" + "x" * n + ";\n"


def open_comment(n):
    return "struct s { long a; };\n/* " + "x " * n


def open_comments(n):
    return "/* x */ struct s { long a; };\n" + "/*" * n


def quotes(n):
    return "\"" * n


def lone_quotes(n):
    return lines(n, lambda i: "const char c = '")


def one_name(n):
    return "struct " + "a" * n + " { long a; };\n"


def many_long_names(n):
    name = "a" * 1000
    return lines(n, lambda i: f"struct {name}{i} {{ {name}{max(0, i - 1)} m; }};" if i else f"struct {name}0 {{ long a; }};")


def one_string(n):
    return "const string s = \"" + "x" * n + "\";\n"


def many_strings(n):
    return "const string s = " + "\"x\" " * n + ";\n"


def one_number(n):
    return "const long long a = " + "1" * n + ";\n"


def one_octal(n):
    return "const long long a = " + "0" * n + ";\n"


def one_float(n):
    return "const double a = 0." + "1" * n + ";\n"


def one_exponent(n):
    return "const double a = 1e" + "9" * n + ";\n"


def one_fixed(n):
    return "const fixed a = 1." + "0" * n + "1d;\n"


def blanks(n):
    return " \t" * n + "const long a = 1;\n"


def blank_lines(n):
    return "\n" * n + "const long a = 1;\n"


def continued(n):
    return "#define A \\\n" + " \\\n" * n + " 1\nconst long a = A;\n"


def continued_word(n):
    return "const long a" + "a\\\n" * n + " = 1;\n"


def one_line(n):
    return "struct s { long a; }; " + " ".join(f"typedef s t{i};" for i in range(n)) + "\n"


def one_line_of_faults(n):
    return " ".join(f"typedef nothing t{i};" for i in range(n)) + "\n"


def faults(n):
    return lines(n, lambda i: f"typedef nothing{i} t{i};")


def semicolons(n):
    return ";" * n


def braces(n):
    return "{" * n


def closing(n):
    return "}" * n


def nul(n):
    return "struct s { long a; };\n" + "\0" * n


def bad_utf8(n):
    return "// " + "\xc3\x28\xa0\xff" * n + "\nconst string s = \"" + "\xff\xfe" * n + "\";\ntypedef long \xe4\xf6;\n"


def noise(n):
    source = random.Random(n)
    return "".join(chr(source.randrange(256)) for _ in range(n))


def noise_of_words(n):
    source = random.Random(n)
    tokens = ("struct { } ; : :: , < > ( ) [ ] = + - * / % << >> | & ^ ~ long short string sequence union switch case default enum "
              "interface valuetype module typedef const exception raises in out inout attribute readonly a b c d 1 2 \"s\" 'c' 1.5 "
              "#define #if #endif \n @id abstract local custom supports factory").split(" ")
    return " ".join(source.choices(tokens, k=n)) + "\n"


def pragmas(n):
    return lines(n, lambda i: "#pragma unknown " + "x " * 10)


def long_pragma(n):
    return "#pragma unknown " + "x " * n + "\nconst long a = 1;\n"


def long_error(n):
    return "#error " + "x " * n + "\n"


def long_define(n):
    return "#define A " + "x " * n + "\nconst long a = 1;\n"


def many_parameters(n):
    return "#define A(" + ", ".join(f"p{i}" for i in range(n)) + ") 1\nconst long a = A(" + ", ".join(["1"] * n) + ");\n"


def faulty_directives(n):
    return "const long a = 1;\n" + "typedef long t;\n" * n + "#if\n#endif\n" * 12


def skipped(n):
    return "#if 0\n" + "a + " * n + "\n#endif\nconst long a = 1;\n"


def many_defines(n):
    return lines(n, lambda i: f"#define A{i} a b c d e f g h i j k l m n o p")


def undefs(n):
    return lines(n, lambda i: f"#define A {i}\n#undef A")


def line_directives(n):
    return lines(n, lambda i: f"#line {i + 1} \"x{i}.idl\"\nconst long c{i} = 1;")


def markers(n):
    return lines(n, lambda i: f"# {i + 1} \"x{i}.idl\" 1\nconst long c{i} = 1;")


def includes(n):
    return "#include \"itself.idl\"\n" * n


CASES = [
    Case("macro_doubles", doubled(lambda i: f"A{i} A{i}"), (30, 60), "more than"),
    Case("macro_doubles_tightly", doubled(lambda i: f"(A{i}+A{i})"), (30, 60), "more than"),
    Case("macro_quadruples", doubled(lambda i: f"A{i} A{i} A{i} A{i}"), (20, 200), "more than"),
    Case("macro_pastes", pasted, (30, 60), "any"),
    Case("macro_calls_double", called, (30, 60), "more than"),
    Case("macro_calls_paste", pasted_calls, (30, 60), "any"),
    Case("macro_stringizes", stringized, (30, 60), "any"),
    Case("macro_in_condition", conditions, (30, 60), "deep"),
    Case("macro_uses", words_to_expand, (3_000, 100_000), "any"),
    Case("macros", many_macros, (2_000, 20_000)),
    Case("macro_chain", chain, (100, 20_000), "any"),
    Case("macro_doubles_strings", doubling_strings, (30, 60), "more than"),
    Case("nested_structs", nested_structs, (40, 62), "4 GB"),
    Case("nested_variable_structs", nested_variable_structs, (40, 62), "4 GB"),
    Case("nested_empty_structs", nested_empty_structs, (40, 62)),
    Case("nested_arrays", nested_arrays, (30, 62), "4 GB"),
    Case("nested_empty_arrays", nested_empty_arrays, (30, 62)),
    Case("nested_typedef_arrays", nested_typedef_arrays, (30, 62), "4 GB"),
    Case("nested_unions", nested_unions, (40, 62)),
    Case("nested_sequences", nested_sequences, (40, 62)),
    Case("nested_maps", nested_maps, (40, 62), "any"),
    Case("nested_exceptions", nested_exceptions, (40, 62), "4 GB"),
    Case("nested_values", nested_values, (40, 62), "4 GB"),
    Case("derived_structs", derived_structs, (60, 1_000), "any"),
    Case("mutual_sequences", mutual_sequences, (200, 5_000), "any"),
    Case("string_constants", string_constants, (40, 40), "any"),
    Case("bases", bases, (1_000, 10_000)),
    Case("bases_in_a_row", bases_in_a_row, (200, 5_000), "any"),
    Case("diamonds", diamonds, (60, 2_000), "any"),
    Case("derived_from_many", derived_from_many, (2_000, 20_000)),
    Case("structs", structs, (2_000, 100_000)),
    Case("structs_of_31_doublings", lambda n: nested_structs(n), (26, 29)),
    Case("derived_with_many_members", lambda n: wide_struct(n) + lines(n // 10, lambda i: f"struct d{i} : s {{ long x{i}; }};"), (4_000, 60_000), "members in all"),
    Case("derived_with_many_operations", lambda n: operations(n) + lines(n // 10, lambda i: f"interface D{i} : I {{}};"), (4_000, 40_000), "operations and bases in all"),
    Case("structs_of_the_last", structs_of_the_last, (2_000, 100_000), "any"),
    Case("wide_struct", wide_struct, (5_000, 100_000)),
    Case("wide_variable_struct", wide_variable_struct, (5_000, 100_000)),
    Case("wide_value", wide_value, (5_000, 100_000)),
    Case("wide_exception", wide_exception, (5_000, 100_000)),
    Case("cases", cases, (3_000, 100_000)),
    Case("labels", labels, (5_000, 100_000)),
    Case("enum_cases", enum_cases, (3_000, 100_000)),
    Case("prefixes", prefixes, (5_000, 100_000)),
    Case("prefixes_and_types", prefixes_and_types, (2_000, 50_000)),
    Case("prefixes_in_modules", prefixes_in_modules, (2_000, 50_000)),
    Case("ids", ids, (2_000, 50_000)),
    Case("versions", versions, (2_000, 50_000)),
    Case("type_prefixes", type_prefixes, (1_000, 50_000), "any"),
    Case("enumerators", enumerators, (5_000, 100_000)),
    Case("enums", enums, (2_000, 50_000)),
    Case("operations", operations, (2_000, 100_000)),
    Case("operations_by_case", operations_by_case, (2_000, 100_000)),
    Case("attributes", attributes, (2_000, 100_000)),
    Case("parameters", parameters, (2_000, 100_000), "any"),
    Case("raised", raised, (2_000, 100_000)),
    Case("contexts", contexts, (2_000, 100_000), "any"),
    Case("constants", constants, (3_000, 100_000)),
    Case("fixed_constants", fixed_constants, (2_000, 20_000), "any"),
    Case("typedefs", typedefs, (3_000, 100_000)),
    Case("forwards", forwards, (1_000, 20_000)),
    Case("value_types", value_types, (1_000, 20_000)),
    Case("boxes", boxes, (1_000, 20_000)),
    Case("values_in_a_row", values_in_a_row, (60, 5_000), "any"),
    Case("modules_again", modules_again, (2_000, 50_000)),
    Case("modules", modules, (2_000, 50_000)),
    Case("annotations", annotations, (2_000, 50_000)),
    Case("annotation_declarations", annotation_declarations, (1_000, 20_000), "any"),
    Case("anonymous", anonymous, (2_000, 50_000)),
    Case("natives", natives, (3_000, 100_000)),
    Case("locals", locals_, (1_000, 20_000)),
    Case("bits", bits, (1_000, 20_000), "any"),
    Case("unlike_case", unlike_case, (1_000, 50_000), "error"),
    Case("unknown_names", unknown_names, (1_000, 50_000), "error"),
    Case("deep_modules", deep_modules, (1_000, 100_000), "any"),
    Case("deep_parentheses", deep_parentheses, (10_000, 1_000_000), "deep"),
    Case("deep_structs", deep_structs, (10_000, 300_000), "deep"),
    Case("deep_sequences", deep_sequences, (10_000, 300_000), "deep"),
    Case("deep_conditions", deep_conditions, (1_000, 100_000), "any"),
    Case("deep_brackets", deep_brackets, (1_000, 100_000), "any"),
    Case("deep_names", deep_names, (10_000, 300_000), "error"),
    Case("operators", operators("+"), (10_000, 300_000), "any"),
    Case("operators_or", operators("|"), (10_000, 300_000), "any"),
    Case("operators_shift", operators("<<"), (10_000, 300_000), "any"),
    Case("operators_unary", unary, (10_000, 300_000), "any"),
    Case("condition_operators", condition_operators, (10_000, 300_000), "any"),
    Case("condition_operators_or", condition_operators_long, (10_000, 300_000), "any"),
    Case("condition_unary", condition_unary, (10_000, 300_000), "deep"),
    Case("condition_ternary", condition_ternary, (10_000, 300_000), "deep"),
    Case("open_quote", open_quote, (1_000_000, 10_000_000), "error"),
    Case("open_quote_and_more", open_quote_and_more, (100_000, 5_000_000), "error"),
    Case("open_character", open_character, (1_000_000, 10_000_000), "error"),
    Case("open_comment", open_comment, (500_000, 5_000_000), "comment"),
    Case("open_comments", open_comments, (500_000, 5_000_000), "comment"),
    Case("quotes", quotes, (100_000, 1_000_001), "error"),
    Case("lone_quotes", lone_quotes, (10_000, 300_000), "error"),
    Case("one_name", one_name, (1_000_000, 10_000_000), "any"),
    Case("many_long_names", many_long_names, (200, 2_000), "any"),
    Case("one_string", one_string, (1_000_000, 10_000_000), "any"),
    Case("many_strings", many_strings, (10_000, 300_000), "any"),
    Case("one_number", one_number, (1_000_000, 10_000_000), "error"),
    Case("one_octal", one_octal, (1_000_000, 10_000_000), "any"),
    Case("one_float", one_float, (1_000_000, 10_000_000), "any"),
    Case("one_exponent", one_exponent, (1_000_000, 10_000_000), "error"),
    Case("one_fixed", one_fixed, (1_000_000, 10_000_000), "error"),
    Case("blanks", blanks, (1_000_000, 10_000_000)),
    Case("blank_lines", blank_lines, (500_000, 10_000_000)),
    Case("continued", continued, (10_000, 1_000_000), "any"),
    Case("continued_word", continued_word, (10_000, 1_000_000), "any"),
    Case("one_line", one_line, (5_000, 100_000)),
    Case("one_line_of_faults", one_line_of_faults, (5_000, 100_000), "error"),
    Case("faults", faults, (5_000, 100_000), "error"),
    Case("semicolons", semicolons, (100_000, 3_000_000), "any"),
    Case("braces", braces, (100_000, 3_000_000), "error"),
    Case("closing", closing, (100_000, 3_000_000), "error"),
    Case("nul", nul, (1_000, 1_000_000), "NUL"),
    Case("bad_utf8", bad_utf8, (1_000, 1_000_000), "error"),
    Case("noise", noise, (100_000, 1_000_000), "error"),
    Case("noise_of_words", noise_of_words, (20_000, 500_000), "error"),
    Case("pragmas", pragmas, (1_000, 100_000), "any"),
    Case("long_pragma", long_pragma, (50_000, 3_000_000), "any"),
    Case("long_error", long_error, (50_000, 3_000_000), "#error"),
    Case("long_define", long_define, (50_000, 2_000_000), "any"),
    Case("many_parameters", many_parameters, (1_000, 100_000), "any"),
    Case("faulty_directives", faulty_directives, (2_000, 200_000), "error"),
    Case("skipped", skipped, (100_000, 2_000_000), "any"),
    Case("many_defines", many_defines, (2_000, 120_000), "any"),
    Case("undefs", undefs, (2_000, 50_000)),
    Case("line_directives", line_directives, (2_000, 50_000)),
    Case("markers", markers, (2_000, 50_000), "any"),
    Case("itself", includes, (1, 10_000), "include each other"),
]
