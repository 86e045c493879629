// SPDX-License-Identifier: Apache-2.0
// What comes out of the preprocessor, and where each part of it came from.
#include <idl/source/preprocess.h>
#include <gtest/gtest.h>
#include <map>

namespace callis::idl::source {
namespace {

// Files in memory; the text with each run of blanks as one.
class Preprocessing : public testing::Test {
 protected:
  std::string run(std::string text) {
    options_.read_file = [this](const std::string& path) -> std::optional<std::string> {
      const auto found = disk_.find(path);
      return found == disk_.end() ? std::nullopt : std::optional(found->second);
    };
    main_ = files_.add("dir/main.idl", std::move(text));
    out_ = preprocess(files_, main_, options_, diagnostics_);
    std::string squeezed;
    for (const char c : out_.text) {
      if (c != ' ' || (!squeezed.empty() && squeezed.back() != ' ')) {
        squeezed += c;
      }
    }
    return squeezed;
  }
  // Where `word` of the output was written, as "line:column+length".
  std::string place(std::string_view word) {
    const Range r = out_.range(out_.text.find(word), word.size());
    return files_[r.begin.file].path + ":" + std::to_string(r.begin.line) + ":" +
           std::to_string(r.begin.column) + "+" + std::to_string(r.length);
  }

  std::map<std::string, std::string> disk_;
  PreprocessOptions options_;
  Files files_;
  FileId main_{};
  Diagnostics diagnostics_{files_};
  Preprocessed out_;
};

TEST_F(Preprocessing, MapsEveryTokenBack) {
  EXPECT_EQ(run("// comment\n  a /* x */ bb\n\tccc"), "a bb ccc");
  EXPECT_EQ(place("a"), "dir/main.idl:2:3+1");
  EXPECT_EQ(place("bb"), "dir/main.idl:2:13+2");
  EXPECT_EQ(place("ccc"), "dir/main.idl:3:2+3");
}

TEST_F(Preprocessing, KeepsAdjacentTokensTogether) {
  EXPECT_EQ(run("sequence<::A::B>x>>y"), "sequence<::A::B>x>>y");
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

TEST_F(Preprocessing, RemembersWhoIncludedAFile) {
  disk_ = {{"dir/a.idl", "\n\n#include \"b.idl\""}, {"dir/b.idl", "b"}};
  run("#include \"a.idl\"");
  const File& b = files_[*files_.find("dir/b.idl")];
  EXPECT_EQ(files_[b.included_at.file].path, "dir/a.idl");
  EXPECT_EQ(b.included_at.line, 3u);
}

TEST_F(Preprocessing, RefusesAMacroDefinedAnewInAnotherWay) {
  run("#define N 1\n#define N 1\n#define N 2\nN");
  ASSERT_EQ(diagnostics_.errors(), 1u);
  EXPECT_EQ(diagnostics_.all()[0].where.begin.line, 3u);
}

TEST_F(Preprocessing, LeavesOtherPragmasAlone) {
  EXPECT_EQ(run("#pragma wave option(value)\n#pragma message(\"hi\")\n#pragma hdrstop\na"),
            "#pragma wave option(value)\n#pragma message( \"hi\" )\n#pragma hdrstop\na");
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
