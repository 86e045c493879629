// SPDX-License-Identifier: Apache-2.0
// Preprocessing tokens: what belongs together, where lines are joined, what a file must not hold.
#include <idl/source/testing/preprocessing.h>

namespace callis::idl::source {
namespace {

using testing::words;
using Words = std::vector<std::string>;

class Lexing : public ::testing::Test {
 protected:
  std::vector<PpToken> read(std::string text, bool quiet = false) {
    const FileId file = files_.add("a.idl" + std::string(files_.size(), '_'), std::move(text));
    PpLexer lexer(files_[file].text, file, store_, faults_);
    lexer.set_quiet(quiet);
    std::vector<PpToken> out;
    for (PpToken token = lexer.next(); token.kind != PpKind::End; token = lexer.next()) {
      out.push_back(token);
    }
    return out;
  }

  Files files_;
  Diagnostics diagnostics_{files_};
  Faults faults_{diagnostics_};
  TextStore store_;
};

TEST_F(Lexing, KeepsTheWordsOfIdlWhole) {
  EXPECT_EQ(words("A::B<<C>>D->E...a_1 _b"),
            (Words{"A", "::", "B", "<<", "C", ">>", "D", "->", "E", "...", "a_1", "_b"}));
  EXPECT_EQ(words("sequence<::A,5>"), (Words{"sequence", "<", "::", "A", ",", "5", ">"}));
  EXPECT_EQ(words("@id(1){}[]~|^&*/%+- =;:"), (Words{"@", "id", "(", "1", ")", "{", "}", "[", "]", "~", "|", "^", "&",
                                                    "*", "/", "%", "+", "-", "=", ";", ":"}));
}

TEST_F(Lexing, KeepsNumbersWhole) {
  EXPECT_EQ(words("1.5d 0x1F 077 1e+3 .5 1.e-2D 12abc 1..2 3-1"),
            (Words{"1.5d", "0x1F", "077", "1e+3", ".5", "1.e-2D", "12abc", "1..2", "3", "-", "1"}));
}

TEST_F(Lexing, KeepsLiteralsWhole) {
  EXPECT_EQ(words(R"("a b" L"w" 'c' L'\'' "\"\\" "" x"y"z)"),
            (Words{R"("a b")", R"(L"w")", "'c'", R"(L'\'')", R"("\"\\")", R"("")", "x", R"("y")", "z"}));
  EXPECT_EQ(words("\"/* no comment */\" '//'"), (Words{"\"/* no comment */\"", "'//'"}));
}

TEST_F(Lexing, EndsALiteralWithItsLine) {
  const auto tokens = read("a \"b c\nd 'e\\\nf\ng");
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_EQ(tokens[1].kind, PpKind::Open);
  EXPECT_EQ(tokens[1].text, "\"b c");
  EXPECT_EQ(tokens[3].text, "'ef");
  EXPECT_EQ(tokens[4].text, "g");
  EXPECT_EQ(diagnostics_.text(), "");
}

TEST_F(Lexing, JoinsLines) {
  EXPECT_EQ(words("ab\\\ncd \\\n e\\\r\n\\\nf :\\\n: >\\\n> 1\\\n2 \"s\\\nt\" L\\\n\"u\""),
            (Words{"abcd", "ef", "::", ">>", "12", "\"st\"", "L\"u\""}));
  EXPECT_EQ(words("/\\\n/ comment \\\n too\na /\\\n* b *\\\n/ c"), (Words{"a", "c"}));
  EXPECT_EQ(words("a \\ b\\"), (Words{"a", "\\", "b", "\\"}));
}

TEST_F(Lexing, KnowsLinesAndColumns) {
  const auto tokens = read("a\n  b /* \n */ c\\\nd e");
  ASSERT_EQ(tokens.size(), 4u);
  EXPECT_EQ(tokens[1].at, (Position{FileId{0}, 2, 3}));
  EXPECT_EQ(tokens[2].at, (Position{FileId{0}, 3, 5}));
  EXPECT_EQ(tokens[2].text, "cd");
  EXPECT_EQ(tokens[3].at, (Position{FileId{0}, 4, 3}));
}

TEST_F(Lexing, TellsTheFirstTokenOfALine) {
  const auto tokens = read("/* x\n */ # a\nb # c");
  ASSERT_EQ(tokens.size(), 5u);
  EXPECT_TRUE(tokens[0].first_on_line);
  EXPECT_FALSE(tokens[1].first_on_line);
  EXPECT_TRUE(tokens[2].first_on_line);
  EXPECT_FALSE(tokens[3].first_on_line);
}

TEST_F(Lexing, TellsWhiteSpace) {
  const auto tokens = read("a b/**/c+\nd\\\ne");
  const std::vector<bool> expected{false, true, true, false, true};
  std::vector<bool> blanks;
  for (const PpToken& token : tokens) blanks.push_back(token.blank_before);
  EXPECT_EQ(blanks, expected);
}

TEST_F(Lexing, TakesARunOfForeignBytesForOneToken) {
  EXPECT_EQ(words("a\xC3\xA4\xFF$b"), (Words{"a", "\xC3\xA4\xFF", "$", "b"}));
}

TEST_F(Lexing, ReportsACommentThatIsNeverClosed) {
  read("x /* y\n\n");
  ASSERT_EQ(diagnostics_.all().size(), 1u);
  EXPECT_EQ(diagnostics_.all()[0].where.begin, (Position{FileId{0}, 1, 3}));
}

TEST_F(Lexing, ReportsBytesThatAreNoText) {
  read(std::string("// \x01\na\x01\x01 \"\x02\" /* \0 */", 20));
  ASSERT_EQ(diagnostics_.all().size(), 3u);
  EXPECT_EQ(diagnostics_.all()[0].where.begin, (Position{FileId{0}, 2, 2}));
  EXPECT_EQ(diagnostics_.all()[2].text, "NUL character in the file");
  EXPECT_THROW(read(std::string("\0 \0 \0 \0 \0 \0 \0", 13)), Stop);
}

TEST_F(Lexing, ReportsNoBytesOfGroupsThatAreSkipped) {
  EXPECT_EQ(read(std::string("a\x01 \0 b", 6) + std::string(300, 'c'), true).size(), 2u);
  EXPECT_EQ(diagnostics_.text(), "");
}

TEST_F(Lexing, RefusesNamesAndNumbersThatAreTooLong) {
  read(std::string(255, 'a') + " " + std::string(255, '1'));
  EXPECT_EQ(diagnostics_.errors(), 0u);
  read(std::string(256, 'a') + "\n" + std::string(256, '1'));
  ASSERT_EQ(diagnostics_.errors(), 2u);
  EXPECT_EQ(diagnostics_.all()[0].text, "name longer than 255 characters");
  EXPECT_EQ(diagnostics_.all()[1].text, "number longer than 255 characters");
}

}  // namespace
}  // namespace callis::idl::source
