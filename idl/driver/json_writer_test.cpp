// SPDX-License-Identifier: Apache-2.0
#include <idl/driver/json_writer.h>
#include <gtest/gtest.h>

namespace callis::idl::driver {
namespace {

TEST(JsonString, EscapesWhatRfc8259Asks) {
  EXPECT_EQ(json_string(U"a\"b\\c/\n\x7F"), R"("a\"b\\c/\n\u007f")");
  EXPECT_EQ(json_string(std::u32string(1, U'\0')), "\"\\u0000\"");
}

TEST(JsonString, WritesCharactersBeyondTheFirstPlaneAsPairs) {
  EXPECT_EQ(json_string(U"\U0001F600"), "\"\\ud83d\\ude00\"");
  EXPECT_EQ(json_string(std::u32string(1, static_cast<char32_t>(0x10FFFF))), "\"\\udbff\\udfff\"");
}

TEST(JsonCharacters, AreThoseOfUtf8) {
  EXPECT_EQ(characters("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"), U"\u00e9\u20ac\U0001F600");
}

TEST(JsonCharacters, AreThoseOfLatin1WhereItIsNotUtf8) {
  EXPECT_EQ(characters("\xE9"), U"\u00e9");
  EXPECT_EQ(characters("\xC3"), U"\u00c3");                        // cut off
  EXPECT_EQ(characters("\xC0\x80"), U"\u00c0\u0080");              // overlong
  EXPECT_EQ(characters("\xED\xA0\x80"), U"\u00ed\u00a0\u0080");    // a surrogate
  EXPECT_EQ(characters("\xF4\x90\x80\x80"), U"\u00f4\u0090\u0080\u0080");  // beyond the last character
}

TEST(JsonWriter, IndentsAndSeparates) {
  JsonWriter to;
  to.open_object();
  to.key("empty").open_array();
  to.close_array();
  to.key("numbers").open_array(JsonWriter::Layout::OneLine);
  to.number(std::int64_t{-1});
  to.number(~std::uint64_t{0});
  to.open_object();
  to.key("b").boolean(true);
  to.key("n").null();
  to.close_object();
  to.close_array();
  to.key("lines").open_array();
  to.text(std::string_view("x"));
  to.text(std::string_view("y"));
  to.close_array();
  to.close_object();
  EXPECT_EQ(to.take(), R"({
 "empty": [],
 "numbers": [-1, 18446744073709551615, {"b": true, "n": null}],
 "lines": [
  "x",
  "y"
 ]
}
)");
}

}  // namespace
}  // namespace callis::idl::driver
