// SPDX-License-Identifier: Apache-2.0
// JSON read, with its places, and written.
#include <gtest/gtest.h>
#include <services/json/json.h>

namespace callis::json {
namespace {

Json read(std::string_view text) {
  auto parsed = parse_json(text);
  if (auto* error = std::get_if<JsonError>(&parsed)) ADD_FAILURE() << text << ": " << error->said();
  return std::holds_alternative<Json>(parsed) ? std::get<Json>(std::move(parsed)) : Json();
}
std::string error(std::string_view text, const JsonLimits& limits = {}) {
  const auto parsed = parse_json(text, limits);
  return std::holds_alternative<JsonError>(parsed) ? std::get<JsonError>(parsed).said() : "";
}
std::string place(const Place& where) { return std::to_string(where.line) + ":" + std::to_string(where.column); }

TEST(ParseJson, ReadsValuesAndPlaces) {
  const Json root = read("{\n \"a\": [1, -2.50e3, true, null , false],\n \"b\" :\"x\\u00e9\\n\\ud83d\\ude00\"}\n");
  ASSERT_EQ(root.kind, Json::Kind::Object);
  EXPECT_EQ(place(root.where), "1:1");
  const Json& a = *root.find("a");
  ASSERT_EQ(a.items.size(), 5u);
  EXPECT_EQ(place(root.names[0].where), "2:2");
  EXPECT_EQ(place(a.where), "2:7");
  EXPECT_EQ(place(a.items[0].where), "2:8");
  EXPECT_EQ(a.items[1].text, "-2.50e3") << "as it is written";
  EXPECT_EQ(place(a.items[1].where), "2:11");
  EXPECT_TRUE(a.items[2].truth);
  EXPECT_EQ(place(a.items[3].where), "2:26");
  EXPECT_EQ(a.items[3].kind, Json::Kind::Null);
  EXPECT_EQ(place(a.items[4].where), "2:33");
  EXPECT_EQ(place(root.names[1].where), "3:2");
  EXPECT_EQ(place(root.find("b")->where), "3:7");
  EXPECT_EQ(root.find("b")->text, "x\xc3\xa9\n\xf0\x9f\x98\x80");
  EXPECT_EQ(root.find("c"), nullptr);
}

TEST(ParseJson, FindsPlacesBehindStringsThatLookLikeJson) {
  const Json root = read(R"(["a\\", "\"]", "[{:,", {"}\\\"": 1}])");
  ASSERT_EQ(root.items.size(), 4u);
  EXPECT_EQ(place(root.items[1].where), "1:9");
  EXPECT_EQ(place(root.items[2].where), "1:16");
  EXPECT_EQ(place(root.items[3].names[0].where), "1:25");
  EXPECT_EQ(place(root.items[3].items[0].where), "1:34");
}

TEST(ParseJson, LeavesNumbersAsTheyAreWritten) {
  for (const char* digits : {"0", "-0", "1E+2", "0.10", "18446744073709551616", "-9223372036854775809"})
    EXPECT_EQ(read(digits).text, digits);
  EXPECT_EQ(read(std::string(100, '9')).text, std::string(100, '9'));
  EXPECT_EQ(error("[\n1e999]"), "line 2, column 1: number overflow parsing '1e999': write it as a string");
}

TEST(ParseJson, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(error(""), "line 1, column 1: syntax error while parsing value - unexpected end of input; expected '[', "
                       "'{', or a literal");
  EXPECT_EQ(error("[1,]"), "line 1, column 4: syntax error while parsing value - unexpected ']'; expected '[', '{', "
                           "or a literal");
  EXPECT_EQ(error("[1,\n 25 314]"),
            "line 2, column 5: syntax error while parsing array - unexpected number literal; expected ']'");
  EXPECT_EQ(error("[1] x").substr(0, 17), "line 1, column 5:");
  EXPECT_EQ(error("[true\"a\"]").substr(0, 17), "line 1, column 6:");
  EXPECT_EQ(error("[10\"a\"]").substr(0, 17), "line 1, column 4:");
  EXPECT_EQ(error("[1++2,\n\n3]").substr(0, 17), "line 1, column 3:");
  EXPECT_EQ(error("[01]").substr(0, 17), "line 1, column 3:");
  EXPECT_EQ(error("{\"a\": 1,\n\"a\": 2}"), "line 2, column 1: the member \"a\" stands twice in an object");
  for (const char* text : {"[01]", "[1.]", "[+1]", "{a: 1}", "[\"\\x\"]", "[\"\\ud800\"]", "\"open", "[\"\t\"]",
                           "[\"\n\"]", "nul", "NaN", "-", "[", "{\"a\"", "{\"a\":"})
    EXPECT_NE(error(text), "") << text;
}

TEST(ParseJson, TakesUtf8AndNothingElse) {
  for (const std::string good : {"\xc3\xa4", "\xe2\x80\xae", "\xf0\x9f\x98\x80", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"})
    EXPECT_EQ(read("\"" + good + "\"").text, good);
  for (const std::string bad : {"\xff", "\x80", "\xc3", "\xc0\xaf", "\xc1\xbf", "\xe0\x80\xaf", "\xed\xa0\x80",
                                "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xe2\x80", "\xf0\x9f\x98"}) {
    const std::string why = error("[\n \"a\xc3\xa4" + bad + "\"]");
    EXPECT_TRUE(why.starts_with("line 2, column 6: ") && why.ends_with(": save the file as UTF-8")) << why;
  }
}

TEST(ParseJson, PassesOverAByteOrderMark) { EXPECT_EQ(place(read("\xef\xbb\xbf[1]").items.at(0).where), "1:2"); }

TEST(ParseJson, KeepsToItsLimits) {
  const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
  read(nested(400));
  EXPECT_EQ(error(nested(1'000'000)), "line 1, column 401: more than 400 arrays and objects in each other");
  EXPECT_EQ(error("[1,2]", {.values = 3}), "");
  EXPECT_EQ(error("[1,2,3]", {.values = 3}), "line 1, column 6: more than 3 values");
  EXPECT_EQ(error("[1]", {.bytes = 2}), "line 1, column 1: 3 bytes; 2 are allowed");
}

TEST(JsonText, IsReadAsTheSameAgain) {
  const std::string text = R"({"a":[1,-2.50e3,true,null,{},[]],"b\n":"\u009b\"ä"})";
  EXPECT_EQ(to_text(read(text), false), text);
  const std::string pretty = "{\n  \"a\": [\n    1\n  ],\n  \"b\": {}\n}";
  EXPECT_EQ(to_text(read(pretty), true), pretty);
}

TEST(JsonDescribed, IsShort) {
  EXPECT_EQ(describe(read("5")), "the number 5");
  EXPECT_EQ(describe(read("[1,2]")), "an array of 2");
  const std::string most(39, 'a');
  EXPECT_EQ(describe(Json::string(most + "\xc3\xa4")), "the string \"" + most + "...\"");
  EXPECT_EQ(describe(Json::string("a\nb")), "the string \"a\\nb\"");
}

}  // namespace
}  // namespace callis::json
