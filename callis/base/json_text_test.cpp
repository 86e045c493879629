// SPDX-License-Identifier: Apache-2.0
// Characters of UTF-8, and text as JSON.
#include <gtest/gtest.h>
#include <callis/base/json_text.h>

namespace callis {
namespace {

TEST(Utf8, CharactersAreThoseOfRfc3629) {
  const auto is = [](std::string_view text, char32_t value, std::size_t bytes) {
    const Utf8Character c = first_character(text);
    EXPECT_EQ(c.value, value) << text;
    EXPECT_EQ(c.bytes, bytes) << text;
    if (bytes != 0) {
      EXPECT_EQ(std::string_view(Utf8(value)), text.substr(0, bytes));
    }
  };
  is("a", U'a', 1);
  is("\xc3\xa4x", U'\u00e4', 2);
  is("\xed\x9f\xbf", U'\ud7ff', 3);
  is("\xf4\x8f\xbf\xbf", char32_t{0x10ffff}, 4);
  for (const char* none : {"", "\xff", "\x80", "\xc3", "\xc3z", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf",
                           "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
                           "\xe2\x80", "\xf0\x9f\x98"})
    is(none, 0, 0);
}

TEST(JsonString, EscapesWhatJsonAndTerminalsMustNotMeet) {
  EXPECT_EQ(json_string(""), "\"\"");
  EXPECT_EQ(json_string("a/'\"b\\c"), R"("a/'\"b\\c")");
  EXPECT_EQ(json_string("\n\t\r\x01\x1b\x7f"), R"("\n\t\u000d\u0001\u001b\u007f")");
  EXPECT_EQ(json_string(std::string(1, '\0')), R"("\u0000")");
  EXPECT_EQ(json_string("\xc2\x9b"), R"("\u009b")") << "of ISO 6429";
}

TEST(JsonString, LeavesUtf8AsItIs) {
  for (const std::string text : {"\xc2\xa0", "\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"})
    EXPECT_EQ(json_string(text), "\"" + text + "\"");
}

TEST(JsonString, TakesOtherBytesForLatin1) {
  EXPECT_EQ(json_string("a\xff\xc3\xa4\xe2\x80"), "\"a\xc3\xbf\xc3\xa4\xc3\xa2\\u0080\"");
}

TEST(JsonCharacter, CanBeOfAsciiAlone) {
  const auto ascii = [](char32_t c) {
    const JsonCharacter one(c, JsonCharacter::Beyond::Escaped);
    return std::string(std::string_view(one));
  };
  EXPECT_EQ(ascii(U'a'), "a");
  EXPECT_EQ(ascii(U'"'), "\\\"");
  EXPECT_EQ(ascii(U'\u20ac'), "\\u20ac");
  EXPECT_EQ(ascii(U'\U0001F600'), "\\ud83d\\ude00");
  EXPECT_EQ(ascii(char32_t{0x10ffff}), "\\udbff\\udfff");
  EXPECT_EQ(ascii(char32_t{0xd800}), "\\ud800") << "wide characters of IDL may be such";
}

}  // namespace
}  // namespace callis
