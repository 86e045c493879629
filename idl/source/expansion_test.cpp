// SPDX-License-Identifier: Apache-2.0
// Macros: the examples of ISO 9899, 6.10.3 (those of ISO 14882 and more), macros that hold any word of IDL,
// definitions, and faults.
#include <idl/source/testing/preprocessing.h>

namespace callis::idl::source {
namespace {

using testing::words;

class Expanding : public testing::Preprocessing {
 protected:
  void expect(const std::string& text, const std::string& expected) {
    EXPECT_EQ(words(run(text)), words(expected)) << out_.text;
    EXPECT_EQ(said(), "");
  }
};

TEST_F(Expanding, RescansAsInExample3) {
  expect(R"(
#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };
)",
         R"(
f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { "hello", "" };
)");
}

TEST_F(Expanding, MakesLiteralsAndWordsAsInExample4) {
  disk_ = {{"dir/vers2.h", "included"}};
  expect(R"(
#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
 == 0) str(: @\n), s);
#include xstr(INCFILE(2).h)
glue(HIGH, LOW);
xglue(HIGH, LOW)
)",
         R"(
printf("x" "1" "= %d, x" "2" "= %s", x1, x2);
fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0" ": @\n", s);
included
"hello";
"hello" ", world"
)");
}

TEST_F(Expanding, LeavesPlacemarkersOutAsInExample5) {
  expect("#define t(x,y,z) x ## y ## z\nt(1,2,3), t(,4,5), t(6,,7), t(8,9,),\nt(10,,), t(,11,), t(,,12), t(,,)",
         "123, 45, 67, 89, 10, 11, 12,");
}

TEST_F(Expanding, TakesTheRestForVariadicMacrosAsInExample7) {
  expect(R"(
#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test): printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);
)",
         R"(
fprintf(stderr, "Flag" );
fprintf(stderr, "X = %d\n", x );
puts( "The first, second, and third items." );
((x>y)?puts("x>y"): printf("x is %d but y is %d", x, y));
)");
}

TEST_F(Expanding, JoinsNothingByHashesThatMacrosMake) {
  expect(R"(
#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
join(x, y)
)",
         R"("x ## y")");
}

TEST_F(Expanding, HoldsEveryWordOfIdl) {
  const std::string body = R"(::A::B << C >> 2 -> ... ; : , = { } ( ) [ ] < > + - * / % ~ | ^ & @id "a b" L"w" 'c' )"
                           R"(L'x' '\'' "\"" 1.5d 0x1F 077 1e-3 .5 18446744073709551615 _escaped)"
                           R"( TRUE sequence<::M::T>>)";
  expect("#define BODY " + body + "\nBODY", body);
  out_ = {};
  for (const std::string& word : words(body)) {
    Files files;
    Diagnostics diagnostics(files);
    const Preprocessed once = preprocess(files, files.add("x", "#define W " + word + "\nW"), options_, diagnostics);
    EXPECT_EQ(once.text, word);
  }
}

TEST_F(Expanding, LeavesAMacroWithoutArgumentsAlone) {
  expect("#define F(x) [x]\nF F ; F\n(1) F\n#define G\n(2)", "F F ; [1] F (2)");
  EXPECT_EQ(place("[ 1 ]"), "dir/main.idl:2:7+1");
}

TEST_F(Expanding, ReadsArgumentsOverLinesAndDirectives) {
  expect("#define F(x, y) y x\nF(a\n#ifdef NO\nb,\n#else\nc,\n#define D d\n#endif\nD // e\n)", "d a c");
}

TEST_F(Expanding, DividesArgumentsByTheirCommasAlone) {
  expect("#define F(x, y) y;x\nF((a, b), 'c,' \",\")", "'c,' \",\" ; (a, b)");
  expect("#define F(x, y) y;x\n#define C ,\nF(a C b, c)", "c;a,b");
}

TEST_F(Expanding, TakesEmptyArguments) {
  expect("#define F(x) <x>\n#define G() g\n#define H(x, y) <x|y>\nF() F( ) G() G( ) H(,) H(a,)",
         "<> <> g g <|> <a|>");
}

TEST_F(Expanding, PutsBlanksIntoLiteralsWhereTheyWere) {
  expect("#define S(x) #x\n#define X(x) S(x)\n#define E\nS( a  +b /* c */ d\n e ) X(a E b) X(aE) X([E]) X(E a)",
         R"("a +b d e" "a b" "aE" "[]" "a")");
  expect("#define S(...) #__VA_ARGS__\n#define X(...) S(__VA_ARGS__)\n#define I(p, q)  q ==\n"
         "#define V(...)  (,)__VA_ARGS__ ## b\n"
         "#define C(a, ...) a,##__VA_ARGS__\nX((a)I(1,)) X((a) I(1,2)) X(V()) X(V(c)) X(C(a,b)) X(C(a, b))",
         R"("(a) ==" "(a) 2 ==" "(,)b" "(,)cb" "a,b" "a, b")");
}

TEST_F(Expanding, EscapesQuotesOfLiteralsInLiterals) {
  expect(R"(#define S(x) #x
S("a\n" '"' \ L"b") S(\))",
         R"("\"a\\n\" '\"' \ L\"b\"" "")");
}

TEST_F(Expanding, DropsTheCommaBeforeNothing) {
  expect("#define F(a, ...) a(b, ## __VA_ARGS__)\nF(x) F(x,) F(x, 1, 2)", "x(b) x(b,) x(b, 1, 2)");
  expect("#define F(a, rest...) a rest\nF(x, 1, 2) F(x)", "x 1, 2 x");
}

TEST_F(Expanding, JoinsWords) {
  expect("#define P(a, b) a ## b\nP(L, \"x\") P(1, .5d) P(:, :) P(<, <) P(_, x) P(x, 1)",
         "L\"x\" 1.5d :: << _x x1");
}

TEST_F(Expanding, WarnsWhereWordsCannotBeJoined) {
  EXPECT_EQ(run("#define P(a, b) a##b\nP(x, ::) P(/, /)"), "x :: / /");
  EXPECT_EQ(said(), "warning 2:1+1 '##' makes no word of 'x' and '::'; both stay as they are\n"
                    "warning 2:10+1 '##' makes no word of '/' and '/'; both stay as they are");
}

TEST_F(Expanding, ReadsOnBelowAMacroAsGccDoes) {
  expect("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)", "2*9*g");
  expect("#define h k\n#define k(x) h\nh(1)(2)(3)", "k(2)(3)");
  expect("#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)", "42");
}

TEST_F(Expanding, KnowsPredefinedMacros) {
  disk_ = {{"dir/a.idl", "\n__FILE__ __LINE__ __BASE_FILE__ __INCLUDE_LEVEL__"}};
  expect("#include \"a.idl\"\n__FILE__ __LINE__ __INCLUDE_LEVEL__ __CALLIS_IDL__ __STDC__",
         "\"dir/a.idl\" 2 \"dir/main.idl\" 1 \"dir/main.idl\" 2 0 1 1");
}

TEST_F(Expanding, TellsTheDate) {
  const auto now = words(run("__DATE__ __TIME__"));
  ASSERT_EQ(now.size(), 2u);
  EXPECT_EQ(now[0].size(), 13u);
  EXPECT_EQ(now[1].size(), 10u);
}

// Definitions -----------------------------------------------------------------------------------------------------

TEST_F(Expanding, TakesTheSameDefinitionAgainAsInExample6) {
  expect(R"(
#define OBJ_LIKE (1-1)
#define OBJ_LIKE /* white space */ (1-1) /* other */
#define FUNC_LIKE(a) ( a )
#define FUNC_LIKE( a )( /* note the white space */ \
 a /* other stuff on this line
 */ )
)",
         "");
}

TEST_F(Expanding, WarnsOfAnotherDefinition) {
  EXPECT_EQ(run("#define O (1-1)\n#define F(a) ( a )\n#define O (0)\n#define O (1 - 1)\n#define F(b) ( a )\n"
                "#define F(b) ( b )\n#define F x\nO F"),
            "( 1 - 1 ) x");
  EXPECT_EQ(diagnostics_.errors(), 0u);
  EXPECT_EQ(diagnostics_.warnings(), 5u);
  EXPECT_TRUE(said().starts_with("warning 3:9+1 macro 'O' is defined again in another way\n"
                                 "note 1:9+1 'O' was defined here\n"))
      << said();
}

TEST_F(Expanding, WarnsOfOnePlaceOnce) {
  disk_ = {{"dir/a.idl", "#define N 1\n#define N 2\n"}};
  run("#include \"a.idl\"\n#include \"a.idl\"");
  EXPECT_EQ(said(), "warning dir/a.idl:2:9+1 macro 'N' is defined again in another way\n"
                    "note dir/a.idl:1:9+1 'N' was defined here\n"
                    "warning dir/a.idl:1:9+1 macro 'N' is defined again in another way\n"
                    "note dir/a.idl:2:9+1 'N' was defined here");
}

TEST_F(Expanding, WarnsOfAnotherDefinitionThanTheOptions) {
  options_.defines = {"N", "M=2", "M=2"};
  EXPECT_EQ(run("#define N\n#define M 2\n<N>"), "< >");
  EXPECT_EQ(said(), "warning 1:9+1 macro 'N' is defined again in another way\n"
                    "note -:0:0+1 'N' was defined by an option or is predefined");
}

TEST_F(Expanding, RefusesFaultyDefinitions) {
  run("#define\n#define 1\n#define F(\n#define F(a,)\n#define F(..., a)\n#define F(a b)\n#define F(a, a)\n"
      "#define X ## a\n#define X a ##\n#define F(a) #b\n#define F(a) #\n#define defined\n#undef __FILE__\n");
  const char* const form = "#define needs a name; its parameters are names in parentheses";
  EXPECT_EQ(said(), std::string("error 1:1+7 ") + form + "\nerror 2:9+1 " + form + "\nerror 3:10+1 " + form +
                        "\nerror 4:13+1 " + form + "\nerror 5:14+1 " + form + "\nerror 6:13+1 " + form +
                        "\nerror 7:14+1 duplicate macro parameter name: a\n"
                        "error 8:11+2 '##' needs a word on each side\nerror 9:13+2 '##' needs a word on each side\n"
                        "error 10:14+1 '#' needs a parameter of the macro behind it\n"
                        "error 11:14+1 '#' needs a parameter of the macro behind it\n"
                        "error 12:9+7 this predefined name may not be redefined: defined\n"
                        "error 13:8+8 #undef may not be used on this predefined name: __FILE__");
}

TEST_F(Expanding, WarnsOfAMissingBlank) {
  EXPECT_EQ(run("#define N+1\nN"), "+ 1");
  EXPECT_EQ(said(), "warning 1:10+1 white space is missing behind the macro's name");
}

TEST_F(Expanding, NamesTheOptionThatIsMalformed) {
  options_.defines = {"1x=4"};
  run("");
  EXPECT_EQ(said(), "error -:1:1+2 -D 1x=4 needs a name; its parameters are names in parentheses");
}

// Faults ----------------------------------------------------------------------------------------------------------

TEST_F(Expanding, RefusesAnotherNumberOfArguments) {
  EXPECT_EQ(run("#define F(a, b) a\n#define G() g\n#define V(a, b, ...) a\nF(1) F(1,2,3) G(1) G(,) V(1) ;"), ";");
  EXPECT_EQ(said(), "error 4:1+1 too few macro arguments: F\nerror 4:6+1 too many macro arguments: F\n"
                    "error 4:15+1 too many macro arguments: G\nerror 4:20+1 too many macro arguments: G\n"
                    "error 4:25+1 too few macro arguments: V");
}

TEST_F(Expanding, RefusesArgumentsThatAreNeverClosed) {
  disk_ = {{"dir/a.idl", "#define F(x) x\nF(a"}};
  EXPECT_EQ(run("#include \"a.idl\"\nb)\n#if F(1\n#endif\n"), "b)");
  EXPECT_EQ(said(), "error dir/a.idl:2:1+1 arguments of a macro are never closed: missing ')'\n"
                    "error 3:5+1 arguments of a macro are never closed: missing ')'\n"
                    "error 3:1+3 #if needs a condition");
}

TEST_F(Expanding, RefusesIncludesAndPragmasInArguments) {
  run("#define F(x) x\nF(\n#include \"a.idl\"\n#pragma prefix \"x\"\n)");
  EXPECT_EQ(said(), "error 3:1+8 #include stands among the arguments of a macro\n"
                    "error 4:1+7 #pragma stands among the arguments of a macro");
}

TEST_F(Expanding, RefusesThePragmaOperatorWhereverItComesFrom) {
  run("#define P _Pragma\n#if 0\n_Pragma(\"a\")\n#endif\n  P(\"a\") _Pragma");
  EXPECT_EQ(said(), "error 5:3+1 the operator _Pragma is not supported; use #pragma\n"
                    "error 5:10+7 the operator _Pragma is not supported; use #pragma");
}

std::string doubling(const std::string& base, int count) {
  std::string text = "#define A0 " + base + "\n";
  for (int i = 0; i < count; ++i) {
    const std::string inner = "A" + std::to_string(i);
    text += "#define A" + std::to_string(i + 1) + " " + inner + " " + inner + "\n";
  }
  return text + "A" + std::to_string(count);
}

TEST_F(Expanding, EndsWhenMacrosDouble) {
  run(doubling("x", 40));
  EXPECT_EQ(said(), "error 42:1+3 macro expands to more than 100000 tokens");
}

TEST_F(Expanding, EndsWhenMacrosThatYieldNothingDouble) {
  run(doubling("", 40));
  EXPECT_EQ(said(), "error 42:1+3 macros expand without end");
}

TEST_F(Expanding, EndsWhenLiteralsDouble) {
  run(doubling('"' + std::string(1000, 'x') + '"', 40));
  EXPECT_EQ(said(), "error 42:1+3 macro expands to more than 256 KB of text");
}

std::string repeated(const std::string& line, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += line;
  }
  return text;
}

TEST_F(Expanding, EndsWhenManyUsesTakeManyTokens) {
  run("#define L " + std::string(30'000, ';') + "\n#define DROP(x)\n#define PASS(x) DROP(x)\n" +
      repeated("PASS(L)\n", 1000));
  EXPECT_NE(said().find("macros handle more than 4000000 tokens in all"), std::string::npos) << said();
}

TEST_F(Expanding, EndsWhenManyUsesMakeLongWords) {
  run("#define S(x) #x\n#define DROP(x)\n#define PASS(x) DROP(x)\n#define T PASS(S(\"" + std::string(30'000, 'x') +
      "\"))\n" + repeated("T\n", 2000));
  EXPECT_NE(said().find("macros make more than 32 MB of words and literals in all"), std::string::npos) << said();
}

TEST_F(Expanding, EndsWhenMacrosNest) {
  std::string chain = "#define M0 x\n";
  for (int i = 0; i < 1000; ++i) {
    chain += "#define M" + std::to_string(i + 1) + " M" + std::to_string(i) + "\n";
  }
  EXPECT_EQ(run(chain + "M199"), "x");
  EXPECT_EQ(said(), "");
  run(chain + "M200");
  EXPECT_NE(said().find("macros are nested more than 200 deep"), std::string::npos) << said();
}

}  // namespace
}  // namespace callis::idl::source
