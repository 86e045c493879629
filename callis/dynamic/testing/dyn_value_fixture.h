// SPDX-License-Identifier: Apache-2.0
// DynAnys of valuetypes: factories, what a peer sends, and a check that no value is left.
#pragma once
#include <callis/dynamic/testing/dyn_any_fixture.h>
#include <callis/orb/core/core.h>
#include <callis/typecode/coder.h>
#include <callis/value/value.h>
#include <callis/value/wire.h>

namespace callis::dynamic::testing {

class LinkValue : public OBV_Dyn::Link {};

struct DynValueTest : DynAnyTest {
  std::size_t before = value::living_values();
  std::vector<std::pair<const char*, CORBA::ValueFactoryBase*>> registered;

  template <class V>
  void register_factory(const char* id) {
    class Make : public CORBA::ValueFactoryBase {
      CORBA::ValueBase* create_for_unmarshal() override { return new V; }
    };
    const CORBA::ValueFactory_var f(new Make);
    orb->register_value_factory(id, f.in());
    registered.emplace_back(id, nullptr);
  }
  ~DynValueTest() override {
    for (const auto& [id, f] : registered) orb->unregister_value_factory(id);
    EXPECT_EQ(value::living_values(), before) << "values are left";
  }
  static DynValue_var as_value(DynAny_ptr d) { return DynValue::_narrow(d); }
  DynAny_var empty(CORBA::TypeCode_ptr type) { return factory->create_dyn_any_from_type_code(type); }
  static DynAny_var member(DynAny_ptr d, CORBA::Long i) {
    EXPECT_TRUE(d->seek(i)) << i;
    return d->current_component();
  }
  // As a peer sends it and this process receives it.
  CORBA::Any received(const CORBA::Any& any, ByteOrder order = kNativeOrder) {
    Buffer b;
    cdr::Encoder e(b, order);
    {
      const value::EncodeScope scope(e);
      typecode::put_any(e, any);
    }
    e.finish();
    EXPECT_EQ(e.fault(), Fault::None);
    cdr::Budget budget = cdr::Budget::of(Limits{}, b.size());
    cdr::Decoder d(b.view(), order, budget);
    d.set_context(context());
    CORBA::Any came;
    const value::DecodeScope scope(d);
    typecode::get_any(d, came);
    EXPECT_TRUE(d.ok()) << fault_name(d.fault());
    return came;
  }
  void* context() { return dynamic_cast<orb::Core*>(orb.in())->own_source(); }
  // Link n in a list of two that leads in a circle.
  DynAny_var circle() {
    DynAny_var first = empty(Dyn::_tc_Link);
    as_value(first.in())->set_to_value();
    member(first.in(), 0)->insert_long(1);
    const DynAny_var second = member(first.in(), 1);
    as_value(second.in())->set_to_value();
    member(second.in(), 0)->insert_long(2);
    const DynAny_var third = member(second.in(), 1);
    share_value(third.in(), first.in());
    return first;
  }
};

}  // namespace callis::dynamic::testing
