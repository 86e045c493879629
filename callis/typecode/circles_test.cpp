// SPDX-License-Identifier: Apache-2.0
// Values that point in circles through Anys: those that were refused, or that nobody is led to, leave nothing.
#include <callis/typecode/testing/held.h>

namespace callis::typecode::testing {
namespace {

using Circles = HeldValues;

// A value that is in an Any in itself.
TEST_F(Circles, ThroughAnysLeaveNothingWhenRefusedAndAreTakenApart) {
  const auto circle = [](bool bad) {
    Cdr c(kNativeOrder);
    const auto type = [&] { value_type_code(c, "IDL:Held:1.0"); };
    type();
    c.u32(kValueTag);
    const std::size_t at = c.size() - 4;
    c.text("IDL:Held:1.0");
    type();
    c.u32(0xffffffff).u32(at - c.size());
    c.u32(bad ? 7 : 0);
    return c;
  };
  CORBA::Any a;
  EXPECT_EQ(received(circle(true), a), Fault::BadValue);
  EXPECT_EQ(value::living_values(), 0u);
  ASSERT_EQ(received(circle(false), a), Fault::None);
  EXPECT_EQ(value::living_values(), 1u);
  const void* const memory = a.value();
  ASSERT_NE(memory, nullptr);
  auto* const held = static_cast<Held*>(*static_cast<void* const*>(memory));
  value::take_apart(held);
  a = CORBA::Any();
}

// A struct of values that are known, of an Any if need be, and of a value that nobody knows: an Any with it keeps the
// bytes.
void kept_struct(Cdr& c, unsigned known, bool any = false) {
  c.u32(CORBA::tk_struct).within([&](Cdr& s) {
    const auto member = [&](const char* id) { value_type_code(s.text(""), id); };
    s.text("").text("").u32(known + any + 1);
    if (any) s.text("").u32(CORBA::tk_any);
    for (unsigned i = 0; i < known; ++i) member("IDL:Held:1.0");
    member("IDL:Unknown:1.0");
  });
}
// A value that is its own next; where its tag is.
std::size_t own_next(Cdr& c) {
  c.u32(kValueTag);
  const std::size_t at = c.size() - 4;
  c.text("IDL:Held:1.0").u32(0).u32(0xffffffff).u32(at - c.size());
  return at;
}
void led_to(Cdr& c, std::size_t at) { c.u32(0xffffffff).u32(at - c.size()); }

TEST_F(Circles, InAnysThatAreKeptAsBytesLeaveNothing) {
  Cdr c(kNativeOrder);
  kept_struct(c, 1);
  own_next(c);
  unknown_value(c);
  CORBA::Any a;
  ASSERT_STREQ(fault_name(received(c, a)), fault_name(Fault::None));
  EXPECT_EQ(value::living_values(), 0u);
}

// The application could not free the others.
TEST_F(Circles, InAnAnyThatIsKeptAsBytesOnlyThoseStayThatSomebodyIsLedTo) {
  for (const unsigned circles : {1u, 2u, 5u}) {
    Cdr c(kNativeOrder);
    kept_struct(c, circles);
    std::size_t last = 0;
    for (unsigned i = 0; i < circles; ++i) last = own_next(c);
    unknown_value(c);
    led_to(c, last);
    CORBA::Any a;
    CORBA::ValueBase_var later;
    ASSERT_STREQ(fault_name(received(c, a, &later)), fault_name(Fault::None));
    EXPECT_EQ(value::living_values(), 1u);
    auto* const held = dynamic_cast<Held*>(later.in());
    ASSERT_NE(held, nullptr);
    EXPECT_EQ(held->state.next.in(), held) << "it is whole";
    value::take_apart(held);
  }
}

// What leads to the circle is itself kept as bytes.
TEST_F(Circles, ThatOnlyBytesLeadToLeaveNothing) {
  Cdr c(kNativeOrder);
  kept_struct(c, 1, true);
  kept_struct(c, 1);
  const std::size_t at = own_next(c);
  unknown_value(c);
  led_to(c, at);
  unknown_value(c);
  CORBA::Any a;
  ASSERT_STREQ(fault_name(received(c, a)), fault_name(Fault::None));
  EXPECT_EQ(value::living_values(), 0u);
}

}  // namespace
}  // namespace callis::typecode::testing
