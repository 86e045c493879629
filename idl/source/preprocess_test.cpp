// SPDX-License-Identifier: Apache-2.0
// What comes out of the preprocessor, and where each part of it came from.
#include <idl/source/testing/preprocessing.h>

namespace callis::idl::source {
namespace {

using testing::Preprocessing;

TEST_F(Preprocessing, MapsEveryTokenBack) {
  EXPECT_EQ(run("// comment\n  a /* x */ bb\n\tccc"), "a bb ccc");
  EXPECT_EQ(place("a"), "dir/main.idl:2:3+1");
  EXPECT_EQ(place("bb"), "dir/main.idl:2:13+2");
  EXPECT_EQ(place("ccc"), "dir/main.idl:3:2+3");
}

TEST_F(Preprocessing, KeepsAdjacentTokensTogether) {
  EXPECT_EQ(run("sequence<::A::B>x>>y"), "sequence<::A::B>x>>y");
}

TEST_F(Preprocessing, MapsAMacrosTextToItsUse) {
  EXPECT_EQ(run("#define TWO one two\nx TWO y"), "x one two y");
  EXPECT_EQ(place("one"), "dir/main.idl:2:3+3");
  EXPECT_EQ(place("two"), "dir/main.idl:2:3+3");
  EXPECT_EQ(place("y"), "dir/main.idl:2:7+1");
}

TEST_F(Preprocessing, MapsAMacrosArgumentToTheArgument) {
  EXPECT_EQ(run("#define F(x) before x after\nF( inner ) tail"), "before inner after tail");
  EXPECT_EQ(place("inner"), "dir/main.idl:2:4+5");
  EXPECT_EQ(place("before"), "dir/main.idl:2:1+1");
  EXPECT_EQ(place("tail"), "dir/main.idl:2:12+4");
}

TEST_F(Preprocessing, MapsAMacroInAnArgumentToItself) {
  run("#define IN inner\n#define F(x) x\nF( IN )");
  EXPECT_EQ(place("inner"), "dir/main.idl:3:4+2");
}

TEST_F(Preprocessing, MapsAPastedWordToItsLeftPart) {
  run("#define MEMBERS(n) n##_first pre_##n\nMEMBERS(abc)");
  EXPECT_EQ(place("abc_first"), "dir/main.idl:2:9+3");
  EXPECT_EQ(place("pre_abc"), "dir/main.idl:2:1+7");
}

TEST_F(Preprocessing, MapsAWordBehindAJoinedLineToItsOwnLine) {
  run("typedef long \\\n  Second;");
  EXPECT_EQ(place("Second"), "dir/main.idl:2:3+6");
}

TEST_F(Preprocessing, MapsNestedMacrosToTheOutermostUse) {
  EXPECT_EQ(run("#define A inner\n#define B A\n#define C B B\n  C"), "inner inner");
  EXPECT_EQ(place("inner"), "dir/main.idl:4:3+1");
}

TEST_F(Preprocessing, DoesNotJoinWhatAMacroPutsSideBySide) {
  EXPECT_EQ(run("#define GREATER >\n>GREATER"), "> >");
}

TEST_F(Preprocessing, TakesMacrosFromTheCommandLine) {
  options_.defines = {"N=4", "FLAG", "GONE=1", "F(x)=x x"};
  options_.undefines = {"GONE"};
  EXPECT_EQ(run("N FLAG GONE F(a)"), "4 1 GONE a a");
  EXPECT_EQ(place("4"), "dir/main.idl:1:1+1");
}

TEST_F(Preprocessing, ReportsAMalformedMacroOfTheCommandLine) {
  options_.defines = {"1x=4"};
  run("a");
  EXPECT_TRUE(diagnostics_.failed());
}

TEST_F(Preprocessing, DeliversPragmasInTheirPlaces) {
  EXPECT_EQ(run("a\n#pragma prefix \"x y\"\nb\n  #  pragma ID A::B \"IDL:x:1.0\"\nc"),
            "a\n#pragma prefix \"x y\"\nb\n#pragma ID A::B \"IDL:x:1.0\"\nc");
  EXPECT_EQ(place("\"x y\""), "dir/main.idl:2:16+5");
  EXPECT_EQ(place("b"), "dir/main.idl:3:1+1");
}

TEST_F(Preprocessing, FindsIncludesBesideTheIncluderThenInTheDirectories) {
  disk_ = {{"dir/a.idl", "beside"}, {"inc/a.idl", "wrong"}, {"inc/b.idl", "#include \"c.idl\"\nb"},
           {"inc/c.idl", "c"}, {"c.idl", "wrong"}};
  options_.include_dirs = {"nowhere", "inc"};
  EXPECT_EQ(run("#include \"a.idl\"\n#include \"b.idl\"\nm"), "beside c b m");
  EXPECT_EQ(place("c"), "inc/c.idl:1:1+1");
  ASSERT_EQ(out_.includes.size(), 2u);
  EXPECT_EQ(out_.includes[0].spelled, "a.idl");
  EXPECT_EQ(files_[out_.includes[1].file].path, "inc/b.idl");
}

TEST_F(Preprocessing, LooksForAngledIncludesInTheDirectoriesOnly) {
  disk_ = {{"dir/a.idl", "beside"}};
  run("#include <a.idl>");
  EXPECT_TRUE(diagnostics_.failed());
  EXPECT_EQ(diagnostics_.all()[0].where.begin.column, 10u);
}

TEST_F(Preprocessing, TellsWhereFilesBeginAndEnd) {
  disk_ = {{"dir/a.idl", "a"}, {"dir/b.idl", "#include \"a.idl\"\nb"}};
  run("x\n#include \"b.idl\"\ny");
  ASSERT_EQ(out_.changes.size(), 4u);
  EXPECT_TRUE(out_.changes[0].enter);
  EXPECT_TRUE(out_.changes[1].enter);
  EXPECT_FALSE(out_.changes[2].enter);
  EXPECT_EQ(files_[out_.changes[2].file].path, "dir/b.idl");
  EXPECT_EQ(out_.changes[3].file, main_);
  EXPECT_EQ(out_.text.substr(out_.changes[2].offset), " b y");
}

TEST_F(Preprocessing, ReadsAGuardedFileOnce) {
  disk_ = {{"dir/g.idl", "#ifndef G\n#define G\ng\n#endif\n"}, {"dir/o.idl", "#pragma once\no\n"}};
  EXPECT_EQ(run("#include \"g.idl\"\n#include \"g.idl\"\n#include \"o.idl\"\n#include \"o.idl\""), "g o");
  EXPECT_EQ(out_.includes.size(), 2u);
}

TEST_F(Preprocessing, KnowsEachFormOfIncludeGuard) {
  disk_ = {{"dir/a.idl", "// x\n#if !defined(G)\n#define G\n#if 1\n#else\n#endif\na\n#endif\n"},
           {"dir/b.idl", "#if !defined H\n#define H\nb\n#endif /* H */"}};
  EXPECT_EQ(run("#include \"a.idl\"\n#include \"b.idl\"\n#include \"a.idl\"\n#include \"b.idl\""), "a b");
  EXPECT_EQ(out_.changes.size(), 4u);
}

TEST_F(Preprocessing, ReadsAGuardedFileAgainWhenItsMacroIsGone) {
  disk_ = {{"dir/g.idl", "#ifndef G\n#define G\ng\n#endif\n"}};
  EXPECT_EQ(run("#include \"g.idl\"\n#undef G\n#include \"g.idl\""), "g g");
}

TEST_F(Preprocessing, TakesNoOtherConditionForAGuard) {
  disk_ = {{"dir/behind.idl", "#ifndef G\n#define G\n#endif\nx"},
           {"dir/before.idl", "y\n#ifndef G\n#endif"},
           {"dir/else.idl", "#ifndef G\n#else\nz\n#endif"},
           {"dir/two.idl", "#ifndef G\n#endif\n#ifdef G\nu\n#endif"}};
  const std::string all =
      "#include \"behind.idl\"\n#include \"before.idl\"\n#include \"else.idl\"\n#include \"two.idl\"\n";
  EXPECT_EQ(run(all + all), "x y z u x y z u");
}

TEST_F(Preprocessing, ReadsFilesThatIncludeEachOther) {
  disk_ = {{"dir/a.idl", "#ifndef A\n#define A\n#include \"b.idl\"\na\n#endif"},
           {"dir/b.idl", "#ifndef B\n#define B\n#include \"a.idl\"\nb\n#endif"}};
  EXPECT_EQ(run("#include \"a.idl\"\n#include \"b.idl\"\nm"), "b a m");
}

TEST_F(Preprocessing, IncludesWhatAMacroNames) {
  disk_ = {{"dir/a.idl", "a"}, {"inc/b.idl", "b"}};
  options_.include_dirs = {"inc"};
  EXPECT_EQ(run("#define QUOTED \"a.idl\"\n#define ANGLED(n) <n.idl>\n#include QUOTED\n#include ANGLED(b)"), "a b");
  EXPECT_EQ(said(), "");
}

TEST_F(Preprocessing, RemembersWhoIncludedAFile) {
  disk_ = {{"dir/a.idl", "\n\n#include \"b.idl\""}, {"dir/b.idl", "b"}};
  run("#include \"a.idl\"");
  const File& b = files_[*files_.find("dir/b.idl")];
  EXPECT_EQ(files_[b.included_at.file].path, "dir/a.idl");
  EXPECT_EQ(b.included_at.line, 3u);
}

TEST_F(Preprocessing, LeavesOtherPragmasAlone) {
  EXPECT_EQ(run("#pragma wave option(value)\n#pragma message(\"hi\")\n#pragma hdrstop\na"),
            "#pragma wave option(value)\n#pragma message(\"hi\")\n#pragma hdrstop\na");
  EXPECT_EQ(diagnostics_.text(), "");
}

TEST_F(Preprocessing, EndsWhenFilesIncludeThemselvesTwice) {
  disk_ = {{"dir/a.idl", "#include \"a.idl\"\n#include \"a.idl\"\n"}};
  run("#include \"a.idl\"");
  EXPECT_EQ(diagnostics_.errors(), 1u);
}

TEST_F(Preprocessing, KeepsTheTextAroundAnErrorInItsPlace) {
  EXPECT_EQ(run("#error stop\na"), "a");
  EXPECT_EQ(diagnostics_.all()[0].text, "#error stop");
  EXPECT_EQ(diagnostics_.all()[0].where.begin.line, 1u);
}

TEST_F(Preprocessing, KeepsToTheFilesItReadWhateverLineDirectivesSay) {
  EXPECT_EQ(run("#line 10 \"other.idl\"\na\nb"), "a b");
  EXPECT_EQ(place("b"), "dir/main.idl:3:1+1");
}

TEST_F(Preprocessing, DeliversPragmasOverSeveralLinesWithoutComments) {
  EXPECT_EQ(run("#pragma /* x\n */ ID A \\\n  \"a b\" // end\nc"), "#pragma ID A \"a b\"\nc");
  EXPECT_EQ(place("\"a b\""), "dir/main.idl:3:3+5");
}

TEST_F(Preprocessing, PutsNoMacrosIntoPragmas) {
  EXPECT_EQ(run("#define P x\n#pragma prefix P it's\nP"), "#pragma prefix P it's\nx");
}

TEST_F(Preprocessing, TakesAPragmaWithoutWords) {
  EXPECT_EQ(run("#pragma\na\n#pragma"), "#pragma\na\n#pragma\n");
  EXPECT_EQ(diagnostics_.text(), "");
}

TEST_F(Preprocessing, SkipsPragmasWhereTheConditionIsFalse) {
  EXPECT_EQ(run("#if 0\n#pragma prefix \"x\"\n#endif\na"), "a");
}

TEST_F(Preprocessing, ReadsACarriageReturnAsPartOfTheLineEnd) {
  EXPECT_EQ(run("a\r\n#define N \\\r\n  b\r\nN\r\n"), "a b");
  EXPECT_EQ(place("b"), "dir/main.idl:4:1+1");
}

}  // namespace
}  // namespace callis::idl::source
