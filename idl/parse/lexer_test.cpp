// SPDX-License-Identifier: Apache-2.0
// Words: operators, keywords, literals, what is no word.
#include <idl/parse/lexer.h>
#include <idl/parse/literal.h>
#include <gtest/gtest.h>

namespace callis::idl::parse {
namespace {

class Lexing : public testing::Test {
 protected:
  std::vector<Token> lex(std::string_view text) {
    text_.append(text, {file_, 1, 1}, 0, true);
    Lexer lexer(text_, diagnostics_);
    std::vector<Token> out;
    while (out.empty() || !out.back().is(TokenKind::End)) {
      out.push_back(lexer.next());
    }
    return out;
  }
  std::vector<TokenKind> kinds(std::string_view text) {
    std::vector<TokenKind> out;
    for (const Token& t : lex(text)) {
      out.push_back(t.kind);
    }
    out.pop_back();  // End
    return out;
  }

  source::Files files_;
  source::FileId file_ = files_.add("x.idl", "");
  source::Diagnostics diagnostics_{files_};
  source::Preprocessed text_;
};

using enum TokenKind;

TEST_F(Lexing, SplitsPunctuation) {
  EXPECT_EQ(kinds("{}()[]<>;:::,="),
            (std::vector{LeftBrace, RightBrace, LeftParenthesis, RightParenthesis, LeftBracket,
                         RightBracket, Less, Greater, Semicolon, Scope, Colon, Comma, Equals}));
  EXPECT_EQ(diagnostics_.errors(), 0u);
}

TEST_F(Lexing, TakesTheLongestOperator) {
  EXPECT_EQ(kinds("<< >> <<< >>> ::::"),
            (std::vector{ShiftLeft, ShiftRight, ShiftLeft, Less, ShiftRight, Greater, Scope, Scope}));
  EXPECT_EQ(kinds("+-*/%~|^&"),
            (std::vector{ShiftLeft, ShiftRight, ShiftLeft, Less, ShiftRight, Greater, Scope, Scope,
                         Plus, Minus, Star, Slash, Percent, Tilde, Pipe, Caret, Ampersand}));
}

TEST_F(Lexing, HasNoDigraphs) {
  EXPECT_EQ(kinds("sequence<::A>"), (std::vector{TokenKind::Keyword, Less, Scope, Identifier, Greater}));
}

TEST_F(Lexing, KnowsKeywordsAndEscapedNames) {
  const auto tokens = lex("interface _interface interfaces TRUE Object");
  EXPECT_TRUE(tokens[0].is(Keyword::Interface));
  EXPECT_TRUE(tokens[1].is(Identifier));
  EXPECT_EQ(tokens[1].text, "_interface");
  EXPECT_TRUE(tokens[2].is(Identifier));
  EXPECT_TRUE(tokens[3].is(Keyword::True));
  EXPECT_TRUE(tokens[4].is(Keyword::Object));
}

TEST_F(Lexing, RefusesKeywordsInOtherCase) {
  const auto tokens = lex("Interface true OBJECT");
  EXPECT_EQ(diagnostics_.errors(), 3u);
  EXPECT_TRUE(tokens[0].is(Identifier));  // and goes on with it as a name
}

TEST_F(Lexing, TellsNumbersApart) {
  EXPECT_EQ(kinds("0 12 0x1F 017 1.5 .5 5. 1e3 1.5E-3 1.5d 3D"),
            (std::vector{Integer, Integer, Integer, Integer, Floating, Floating, Floating, Floating,
                         Floating, Fixed, Fixed}));
}

TEST_F(Lexing, TellsLiteralsApart) {
  EXPECT_EQ(kinds(R"('a' L'a' "a" L"a" L '\'' "\"")"),
            (std::vector{Character, WideCharacter, String, WideString, Identifier, Character, String}));
}

TEST_F(Lexing, GivesEachTokenItsPlace) {
  const auto tokens = lex("ab  cde;");
  EXPECT_EQ(tokens[0].where.begin.column, 1u);
  EXPECT_EQ(tokens[0].where.length, 2u);
  EXPECT_EQ(tokens[1].where.begin.column, 5u);
  EXPECT_EQ(tokens[1].where.length, 3u);
  EXPECT_EQ(tokens[2].where.begin.column, 8u);
}

TEST_F(Lexing, SkipsWhatMeansNothing) {
  EXPECT_EQ(kinds("a ? $ \x80\x81\x82 b"), (std::vector{Identifier, Identifier}));
  EXPECT_EQ(diagnostics_.errors(), 3u);
}

class Literals : public Lexing {
 protected:
  Token one(std::string_view text) {
    literal_ = text;
    Token t;
    t.text = literal_;
    t.where = {{file_, 1, 1}, static_cast<std::uint32_t>(text.size())};
    return t;
  }
  std::string literal_;
};

TEST_F(Literals, DecodesIntegersOfEveryBase) {
  EXPECT_EQ(decode_integer(one("0"), diagnostics_), 0u);
  EXPECT_EQ(decode_integer(one("42"), diagnostics_), 42u);
  EXPECT_EQ(decode_integer(one("0777"), diagnostics_), 511u);
  EXPECT_EQ(decode_integer(one("0xFf"), diagnostics_), 255u);
  EXPECT_EQ(decode_integer(one("0Xff"), diagnostics_), 255u);
}

TEST_F(Literals, AcceptsIntegersUpToTheLargest) {
  EXPECT_EQ(decode_integer(one("18446744073709551615"), diagnostics_), UINT64_MAX);
  EXPECT_EQ(decode_integer(one("0xFFFFFFFFFFFFFFFF"), diagnostics_), UINT64_MAX);
  EXPECT_EQ(decode_integer(one("01777777777777777777777"), diagnostics_), UINT64_MAX);
  EXPECT_EQ(diagnostics_.errors(), 0u);
}

TEST_F(Literals, RefusesLargerIntegersInEveryBase) {
  EXPECT_FALSE(decode_integer(one("18446744073709551616"), diagnostics_));
  EXPECT_FALSE(decode_integer(one("99999999999999999999999999"), diagnostics_));
  EXPECT_FALSE(decode_integer(one("0x10000000000000000"), diagnostics_));
  EXPECT_FALSE(decode_integer(one("02000000000000000000000"), diagnostics_));
  EXPECT_EQ(diagnostics_.errors(), 4u);
}

TEST_F(Literals, DecodesEscapes) {
  EXPECT_EQ(decode_string(one(R"("\n\t\v\b\r\f\a\\\?\'\"")"), diagnostics_), "\n\t\v\b\r\f\a\\?'\"");
  EXPECT_EQ(decode_string(one(R"("\101\x41\1018\x412")"), diagnostics_), "AAA8A2");
  EXPECT_EQ(decode_character(one(R"('\377')"), diagnostics_), '\xFF');
  EXPECT_EQ(decode_character(one(R"('\0')"), diagnostics_), '\0');
}

TEST_F(Literals, DecodesWideTextAsUtf8WhereItIsAndAsLatin1Otherwise) {
  EXPECT_EQ(decode_wide_string(one("L\"\xC3\xA9\""), diagnostics_), U"\u00E9");
  EXPECT_EQ(decode_wide_string(one("L\"\xE9\""), diagnostics_), U"\u00E9");
  EXPECT_EQ(decode_wide_string(one("L\"\xE2\x82\xAC\xF0\x9F\x98\x80\""), diagnostics_),
            U"\u20AC\U0001F600");
  EXPECT_EQ(decode_wide_string(one("L\"\xC0\x80\""), diagnostics_), U"\u00C0\u0080");  // overlong
  EXPECT_EQ(decode_wide_character(one("L'\\u20AC'"), diagnostics_), U'\u20AC');
}

TEST_F(Literals, PointsIntoTheLiteral) {
  EXPECT_FALSE(decode_string(one("\"abc\\qd\""), diagnostics_));
  EXPECT_EQ(diagnostics_.all()[0].where.begin.column, 5u);
  EXPECT_EQ(diagnostics_.all()[0].where.length, 2u);
}

TEST_F(Literals, RefusesWhatIsNoFiniteNumber) {
  EXPECT_FALSE(decode_floating(one("1e99999"), diagnostics_));
  EXPECT_FALSE(decode_floating(one("1.5e"), diagnostics_));
  EXPECT_FALSE(decode_floating(one("1.2.3"), diagnostics_));
  EXPECT_EQ(decode_floating(one("1.5e3"), diagnostics_), 1500.0L);
}

}  // namespace
}  // namespace callis::idl::parse
