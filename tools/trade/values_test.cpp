// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <tools/trade/values.h>

namespace callis::trade {
namespace {

TEST(Values, AreReadAndPrintedByTheirTypes) {
  const std::tuple<const char*, const char*, const char*, const char*> cases[] = {
      {"long", "-5", "-5", "-5"},
      {"unsigned long long", "18446744073709551615", "18446744073709551615", "18446744073709551615"},
      {"double", "2.5", "2.5", "2.5"},
      {"boolean", "TRUE", "TRUE", "true"},
      {"string", "it's", "'it's'", "\"it's\""},
      {"char", "x", "'x'", "\"x\""},
      {"octet", "200", "200", "200"},
      {"sequence<string>", "a,b", "('a', 'b')", "[\"a\",\"b\"]"},
      {"sequence<long>", "1,2", "(1, 2)", "[1,2]"},
      {"sequence<double>", "", "()", "[]"}};
  for (const auto& [type, text, shown, json] : cases) {
    const CORBA::TypeCode_var t = type_of(type);
    ASSERT_FALSE(CORBA::is_nil(t.in())) << type;
    EXPECT_EQ(to_text(t.in()), type);
    const CORBA::Any value = value_of(t.in(), text);
    EXPECT_TRUE(CORBA::TypeCode_var(value.type())->equivalent(t.in())) << type;
    EXPECT_EQ(to_text(value), shown);
    std::string plain = to_json(value);
    std::erase(plain, ' ');
    EXPECT_EQ(plain, json);
  }
}

TEST(Values, OfNoDeclaredTypeAreNumbersBooleansOrTexts) {
  EXPECT_EQ(to_text(value_of(CORBA::TypeCode::_nil(), "5")), "5");
  EXPECT_EQ(to_text(value_of(CORBA::TypeCode::_nil(), "5000000000")), "5000000000");
  EXPECT_EQ(to_text(value_of(CORBA::TypeCode::_nil(), "0.5")), "0.5");
  EXPECT_EQ(to_text(value_of(CORBA::TypeCode::_nil(), "FALSE")), "FALSE");
  EXPECT_EQ(to_text(value_of(CORBA::TypeCode::_nil(), "5 rooms")), "'5 rooms'");
}

TEST(Values, ThatDoNotFitAreRefused) {
  for (const auto& [type, text] : {std::pair("short", "40000"),
                                   {"long", "5x"},
                                   {"boolean", "maybe"},
                                   {"char", "xy"},
                                   {"sequence<long>", "1,,2"},
                                   {"any", "1"}})
    EXPECT_THROW(value_of(type_of(type).in(), text), Failure) << type;
  EXPECT_TRUE(CORBA::is_nil(type_of("integer").in()));
}

}  // namespace
}  // namespace callis::trade
