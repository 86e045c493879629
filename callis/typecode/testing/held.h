// SPDX-License-Identifier: Apache-2.0
// A valuetype that has an Any for tests of what nests in what, and Anys of it that come and go.
#pragma once
#include <callis/classic/layout.h>
#include <callis/marshal/values.h>
#include <callis/typecode/any.h>
#include <callis/typecode/coder.h>
#include <callis/typecode/testing/types.h>
#include <callis/value/value.h>
#include <gtest/gtest.h>

namespace callis::typecode::testing {

using marshal::Kind;
using marshal::type_word;

// valuetype Held { public any held; public ValueBase next; };
inline constexpr marshal::Word kHeldWords[] = {0, type_word(Kind::Struct, 2), type_word(Kind::Any),
                                              type_word(Kind::Value, marshal::kNoLink)};
inline const marshal::Unit kHeldUnit = {kHeldWords, "", nullptr, nullptr, &marshal::kExtension};
inline const marshal::Plan* held_plan;

class Held : public CORBA::DefaultValueRefCountBase {
 public:
  static const value::ValueLink link;
  struct State {
    CORBA::Any held;
    CORBA::ValueBase_var next;
  } state;
  CORBA::ValueBase* _copy_value() override { return value::copy_value(*this); }
  const value::ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const value::ValueLink& l) noexcept override { return &l == &link ? &state : nullptr; }
};
inline const value::ValueLink Held::link = {"IDL:Held:1.0", nullptr,    0,
                                            &kHeldUnit,     type_word(Kind::Ref, 1), &held_plan,
                                            &value::upcast<Held>, &value::downcast<Held>};

class HeldFactory : public CORBA::ValueFactoryBase {
  CORBA::ValueBase* create_for_unmarshal() override { return new Held; }
};

inline constexpr std::uint32_t kValueTag = 0x7fffff02;

// The TypeCode of a valuetype: of Held, or of one that has no members.
inline void value_type_code(Cdr& c, const char* id) {
  const bool held = std::string_view(id) == Held::link.repository_id;
  c.u32(CORBA::tk_value).within([&](Cdr& t) {
    t.text(id).text("").u16(0).u32(0).u32(held ? 2 : 0);
    if (!held) return;
    t.text("held").u32(CORBA::tk_any).u16(1).text("next").u32(CORBA::tk_value).within([](Cdr& base) {
      base.text("IDL:omg.org/CORBA/ValueBase:1.0").text("ValueBase").u16(0).u32(0).u32(0);
    });
    t.u16(1);
  });
}
// One that nobody knows.
inline void unknown_value(Cdr& c) { c.u32(0x7fffff0a).text("IDL:Unknown:1.0").u32(4).u32(7).u32(0xffffffff); }

// Nothing of the values is left after a test.
class HeldValues : public ::testing::Test {
 protected:
  HeldValues() {
    const CORBA::ValueFactory_var f(new HeldFactory);
    value::register_value_factory(Held::link.repository_id, f.in());
  }
  ~HeldValues() override {
    value::unregister_value_factory(Held::link.repository_id);
    EXPECT_EQ(value::living_values(), 0u);
  }
  // later: gets a value that stands behind the Any.
  static Fault received(ByteView bytes, CORBA::Any& any, CORBA::ValueBase_var* later = nullptr,
                        ByteOrder order = kNativeOrder) {
    cdr::Budget budget{1u << 26, 64};
    cdr::Decoder d(bytes, order, budget);
    const value::DecodeScope scope(d);
    get_any(d, any);
    if (later) *later = value::get_value(d, nullptr);
    EXPECT_TRUE(!d.ok() || d.remaining() == 0) << d.remaining();
    return d.fault();
  }
  static Fault sent(const CORBA::Any& any, std::vector<Byte>* bytes = nullptr, ByteOrder order = kNativeOrder) {
    Buffer b;
    cdr::Encoder e(b, order);
    {
      const value::EncodeScope scope(e);
      put_any(e, any);
    }
    e.finish();
    if (bytes) bytes->assign(b.data(), b.data() + b.size());
    return e.fault();
  }
};

}  // namespace callis::typecode::testing
