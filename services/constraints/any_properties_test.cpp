// SPDX-License-Identifier: Apache-2.0
// Values of Anys in constraints.
#include <gtest/gtest.h>
#include <services/constraints/any_properties.h>
#include <services/constraints/constraint.h>

namespace callis::constraints {
namespace {

template<class T>
CORBA::Any any_of(T value) {
  CORBA::Any out;
  out <<= value;
  return out;
}

bool matches(const char* text, const CORBA::Any& x) {
  const Constraint c = Constraint::parse(text);
  AnyProperties given(c.names());
  given.put("x", x);
  given.put("not_asked_for", x);
  Work work;
  return c.matches(given, work);
}

TEST(AnyProperties, KnowsNumbersTextsAndBooleans) {
  EXPECT_TRUE(matches("x == -7", any_of<CORBA::Short>(-7)));
  EXPECT_TRUE(matches("x == 70000", any_of<CORBA::ULong>(70000)));
  EXPECT_TRUE(matches("x == 18446744073709551615", any_of<CORBA::ULongLong>(UINT64_MAX)));
  EXPECT_TRUE(matches("x == 0.5", any_of<CORBA::Float>(0.5f)));
  EXPECT_TRUE(matches("x == 0.25", any_of<CORBA::Double>(0.25)));
  EXPECT_TRUE(matches("'b' ~ x", any_of("abc")));
  CORBA::Any boolean, character, octet;
  boolean <<= CORBA::Any::from_boolean(true);
  character <<= CORBA::Any::from_char('c');
  octet <<= CORBA::Any::from_octet(200);
  EXPECT_TRUE(matches("x", boolean));
  EXPECT_TRUE(matches("x == 'c'", character));
  EXPECT_TRUE(matches("x == 200", octet));
}

TEST(AnyProperties, LooksIntoSequences) {
  CORBA::StringSeq texts;
  texts.length(2);
  texts[0] = "blue";
  texts[1] = "red";
  EXPECT_TRUE(matches("'red' in x", any_of(texts)));
  EXPECT_FALSE(matches("'green' in x", any_of(texts)));
  CORBA::LongSeq numbers;
  numbers.length(1);
  numbers[0] = 5;
  EXPECT_TRUE(matches("5.0 in x", any_of(numbers)));
  EXPECT_EQ(type_of(CORBA::_tc_StringSeq), Type::Texts);
  EXPECT_EQ(type_of(CORBA::_tc_LongSeq), Type::Numbers);
}

TEST(AnyProperties, SeesOfOtherTypesOnlyThatTheyExist) {
  EXPECT_TRUE(matches("exist x", any_of(CORBA::_tc_long)));
  EXPECT_FALSE(matches("x == 1", any_of(CORBA::_tc_long)));
  EXPECT_FALSE(matches("exist y", any_of(CORBA::_tc_long)));
  EXPECT_EQ(type_of(CORBA::_tc_TypeCode), Type::Other);
}

TEST(AnyProperties, OutlivesTheAnyThatItWasMadeOf) {
  Decoded d;
  {
    const CORBA::Any any = any_of("a text that is too long to be kept in place");
    d = Decoded(any);
  }
  EXPECT_EQ(d.value().text(), "a text that is too long to be kept in place");
}

}  // namespace
}  // namespace callis::constraints
