// SPDX-License-Identifier: Apache-2.0
// Conditions: arithmetic (ISO 14882, 16.1), groups that are skipped, and faults of directives.
#include <idl/source/testing/preprocessing.h>

namespace callis::idl::source {
namespace {

class Deciding : public testing::Preprocessing {
 protected:
  // "yes", "no", or what was said.
  std::string decide(const std::string& condition, const std::string& before = "") {
    Files files;
    Diagnostics diagnostics(files);
    const FileId main = files.add("x", before + "#if " + condition + "\nyes\n#else\nno\n#endif");
    const Preprocessed out = preprocess(files, main, options_, diagnostics);
    return diagnostics.failed() ? diagnostics.all()[0].text : out.text;
  }
  void expect_true(const std::vector<std::string>& conditions) {
    for (const std::string& each : conditions) {
      EXPECT_EQ(decide(each), "yes") << each;
      EXPECT_EQ(decide("!(" + each + ")"), "no") << each;
    }
  }
};

TEST_F(Deciding, ComputesWithTheOperatorsOfCxx) {
  expect_true({"1", "-1", "2 + 3 * 4 == 14", "(2 + 3) * 4 == 20", "7 / 2 == 3", "-7 / 2 == -3", "-7 % 3 == -1",
               "1 << 4 == 16", "-16 >> 2 == -4", "6 & 3 ^ 8 | 16 && 1", "~0 == -1", "!0", "- - 1 == 1", "+1",
               "1 < 2 == 1", "2 >= 2", "3 != 4", "2 <= 1 || 3 > 2", "1 ? 2 : 0", "0 ? 0 : 1 ? 1 : 0",
               "1 << 2 + 1 == 8", "1 | 2 == 2", "10 - 3 - 2 == 5", "not 0 and 1 or 0", "compl 0 == -1",
               "(6 bitand 3) == 2 xor 0", "1 not_eq 2", "1 bitor 0"});
}

TEST_F(Deciding, ReadsNumbersAndCharacters) {
  expect_true({"0x1F == 31", "077 == 63", "0XfF == 255", "10u == 10", "1L + 1ll == 2", "1uL == 1LLU", "'a' == 97",
               "'\\n' == 10", "'\\0' == 0", "'\\x41' == 65", "'\\101' == 65", "'\\'' == 39", "'\\\\' == 92",
               "'\\377' < 0", "L'a' == 'a'", "'ab' == 24930", "true", "true == 1", "!false",
               "18446744073709551615u"});
}

TEST_F(Deciding, TakesNamesThatAreNoMacrosForZero) {
  expect_true({"NOTHING == 0", "!NOTHING", "NOTHING + 1"});
  EXPECT_EQ(decide("F", "#define F(x) 1\n"), "no");
  EXPECT_EQ(decide("A == 2 && F(3) == 6", "#define A 2\n#define F(x) x * A\n"), "yes");
}

TEST_F(Deciding, KnowsWhatIsDefined) {
  const std::string macros = "#define A\n#define F(x) x\n";
  EXPECT_EQ(decide("defined A && defined(A) && !defined B && !defined ( B ) && defined F", macros), "yes");
  EXPECT_EQ(decide("defined __FILE__ && defined __CALLIS_IDL__ && !defined defined"), "yes");
  EXPECT_EQ(decide("HAS", macros + "#define HAS defined(A)\n"), "yes");
  EXPECT_EQ(decide("defined"), "malformed condition: defined");
  EXPECT_EQ(decide("defined(A"), "malformed condition: defined(A");
  EXPECT_EQ(decide("defined 1"), "malformed condition: defined 1");
}

TEST_F(Deciding, ComputesUnsignedWhereOneOperandIs) {
  expect_true({"-1 > 0u", "0u - 1 == 18446744073709551615u", "(0 ? 1u : -1) > 0", "-1 / 2u > 1", "~0u > 0",
               "0x8000000000000000 > 0", "-1 >> 1 == -1", "18446744073709551615u + 1 == 0", "(-1 || 0u) == 1"});
}

TEST_F(Deciding, ReportsOverflow) {
  const std::string overflow = "integer overflow in preprocessor expression: ";
  for (const std::string each : {"9223372036854775807 + 1", "0x7fffffffffffffff * 2", "-9223372036854775807 - 2",
                                 "(-9223372036854775807-1) / -1", "(-9223372036854775807-1) % -1",
                                 "-(-9223372036854775807 - 1)"}) {
    EXPECT_EQ(decide(each), overflow + each);
  }
  EXPECT_EQ(decide("18446744073709551616"),
            "integer too large in this condition: 18446744073709551616");
}

TEST_F(Deciding, ReportsDivisionByZero) {
  EXPECT_EQ(decide("1 / 0"), "division by zero in preprocessor expression: 1 / 0");
  EXPECT_EQ(decide("1 % (2 - 2)"), "division by zero in preprocessor expression: 1 % (2 - 2)");
  EXPECT_EQ(decide("1 / 0u"), "division by zero in preprocessor expression: 1 / 0u");
}

TEST_F(Deciding, ComputesNothingThatDoesNotCount) {
  expect_true({"1 || 1 / 0", "!(0 && 1 / 0)", "1 ? 1 : 1 / 0", "0 ? 1 / 0 : 1", "1 || (0 ? 1 / 0 : 2 % 0)",
               "1 || 9223372036854775807 + 1"});
}

TEST_F(Deciding, ShiftsByAnyNumber) {
  expect_true({"1 << 64 == 0", "-1 >> 100 == -1", "1 >> 64 == 0", "1 << -1 == 0", "4 >> -1 == 8", "4 << -1 == 2",
               "1 << 63 < 0", "-1 << 1 == -2"});
}

TEST_F(Deciding, RefusesWhatIsNoCondition) {
  for (const std::string each :
       {"1 +", "(1", "1)", "1 2", "+", "\"a\"", "1.5", "1 = 1", "1, 2", "08", "0x", "1ulu", "1lL", "''", "1 ? 2",
        "()", "a b", "1 ++ 2", "defined(A) B", "x::y", "and", "1 $ 2", "'a"}) {
    EXPECT_EQ(decide(each), "malformed condition: " + each);
  }
  EXPECT_EQ(decide(""), "#if needs a condition");
  EXPECT_EQ(decide("E", "#define E\n"), "#if needs a condition");
}

TEST_F(Deciding, PointsAtTheFault) {
  run("#define Z 0\n#if 1 / Z\n#elif 3 4\n#elif (5\n#endif");
  EXPECT_EQ(said(), "error 2:7+1 division by zero in preprocessor expression: 1 / 0\n"
                    "error 3:9+1 malformed condition: 3 4\nerror 4:9+1 malformed condition: (5");
}

TEST_F(Deciding, RefusesDeepNesting) {
  const auto nested = [](std::size_t n) { return std::string(n, '(') + "1" + std::string(n, ')'); };
  EXPECT_EQ(decide(nested(100)), "yes");
  EXPECT_EQ(decide(nested(101)), "condition is nested too deep");
  EXPECT_EQ(decide(std::string(100'001, '!') + "1"), "condition is nested too deep");
  std::string sum = "1";
  for (int i = 0; i < 10'000; ++i) {
    sum += " + 1";
  }
  EXPECT_EQ(decide(sum + " == 10001"), "yes");
}

// Groups ----------------------------------------------------------------------------------------------------------

TEST_F(Deciding, TakesOneOfTheParts) {
  EXPECT_EQ(run("#if 0\na\n#elif 1\nb\n#elif 1\nc\n#else\nd\n#endif\n#if 0\n#elif 0\n#else\ne\n#endif"), "b e");
  EXPECT_EQ(run("#ifdef X\na\n#else\nb\n#endif\n#define X\n#ifdef X\nc\n#endif\n#ifndef X\nd\n#endif"), "b c");
}

TEST_F(Deciding, SkipsWithoutReadingTheDirectives) {
  EXPECT_EQ(run("#if 0\n#if 1 +\n#elif\nit's /* #endif \n*/ \"a /*\n# else\n#frobnicate\n#define X\n#endif\n"
                "#error x\n#else x y\nb X\n#endif X"),
            "b X");
  EXPECT_EQ(said(), "");
}

TEST_F(Deciding, DoesNotEvaluateAnElifBehindThePartThatWasTaken) {
  EXPECT_EQ(run("#if 1\na\n#elif 1 / 0\n#elif\n#endif"), "a");
  EXPECT_EQ(said(), "");
}

TEST_F(Deciding, SaysWhereAGroupBegan) {
  disk_ = {{"dir/a.idl", "#ifdef X\n  #if 1\n#endif"}};
  EXPECT_EQ(run("#include \"a.idl\"\na\n#ifndef X\n  # if 0\nb"), "a");
  EXPECT_EQ(said(), "error dir/a.idl:1:1+6 #ifdef has no #endif\n"
                    "error 3:1+7 #ifndef has no #endif\nerror 4:3+4 #if has no #endif");
}

TEST_F(Deciding, RefusesPartsWithoutAGroup) {
  EXPECT_EQ(run("#else\n#elif 1\n#endif\n#if 1\n#else\n#elif 1\nb\n#else\n#endif\na"), "a");
  EXPECT_EQ(said(), "error 1:1+5 #else has no #if\nerror 2:1+5 #elif has no #if\nerror 3:1+6 #endif has no #if\n"
                    "error 6:1+5 #elif stands behind #else\nnote 5:1+5 which is here\n"
                    "error 8:1+5 #else stands behind #else\nnote 5:1+5 which is here");
}

TEST_F(Deciding, GoesOnBehindFaultyDirectives) {
  EXPECT_EQ(run("#ifdef\na\n#else\nb\n#endif\n#frobnicate\n#if 1 +\nc\n#endif\n#undef\n#include\n# \"x\"\nd"), "b d");
  EXPECT_EQ(said(), "error 1:1+6 #ifdef needs one name\nerror 6:1+11 unknown directive #frobnicate\n"
                    "error 7:8+1 malformed condition: 1 +\nerror 10:1+6 #undef needs one name\n"
                    "error 11:1+8 #include needs \"name\" or <name>\nerror 12:1+5 unknown directive #\"x\"");
}

TEST_F(Deciding, EndsAfterManyFaults) {
  std::string text;
  for (int i = 0; i < 1000; ++i) {
    text += "#frobnicate\n";
  }
  run(text);
  EXPECT_EQ(diagnostics_.errors(), 20u);
}

TEST_F(Deciding, PassesOverDirectivesWithoutEffect) {
  EXPECT_EQ(run("#\n# /* x */\n#line 3 \"x\"\n#line x\n# 4 \"y.idl\" 2\n#ident \"z\"\na # b"), "a # b");
  EXPECT_EQ(said(), "");
}

TEST_F(Deciding, SaysWhatErrorAndWarningSay) {
  run("#warning  don't   /* x */ \"stop\" // y\n#error\n  # error a::b N");
  EXPECT_EQ(said(), "warning 1:1+8 #warning don't   /* x */ \"stop\" // y\nerror 2:1+6 #error\n"
                    "error 3:3+7 #error a::b N");
}

TEST_F(Deciding, KnowsAHashAsADigraph) {
  EXPECT_EQ(run("%:define X 3\n %: if X\nX\n%:endif"), "3");
}

TEST_F(Deciding, RefusesLongDirectives) {
  run("#define A " + std::string(300u << 10, '+') + "\n");
  EXPECT_EQ(said(), "error 1:1+7 directive of more than 256 KB");
}

TEST_F(Deciding, RefusesMuchText) {
  std::string text;
  for (int i = 0; i < 500'000; ++i) {
    text += "abcdefgh ";
  }
  run(text);
  EXPECT_TRUE(said().ends_with(" more than 4 MB of declarations")) << said();
}

}  // namespace
}  // namespace callis::idl::source
