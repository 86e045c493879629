// SPDX-License-Identifier: Apache-2.0
// A DynAnyFactory, and a value with a member of each kind, for tests of DynAnys.
#pragma once
#include <callis/dynamic/testing/work.h>
#include <callis/dynamic_any.h>
#include <gtest/gtest.h>

namespace callis::dynamic::testing {

using namespace DynamicAny;

struct DynAnyTest : ::testing::Test {
  CORBA::ORB_var orb = make_orb({});
  DynAnyFactory_var factory;

  DynAnyTest() {
    const CORBA::Object_var o = orb->resolve_initial_references("DynAnyFactory");
    factory = DynAnyFactory::_narrow(o.in());
  }
  ~DynAnyTest() override { orb->destroy(); }

  template <class T>
  DynAny_var of(const T& value) {
    CORBA::Any any;
    any <<= value;
    return factory->create_dyn_any(any);
  }
  template <class T>
  static T value_in(DynAny_ptr d) {
    const CORBA::Any_var any = d->to_any();
    T v{};
    EXPECT_TRUE(any.in() >>= v);
    return v;
  }
  Dyn::Everything everything() {
    Dyn::Everything e{};
    e.b = true;
    e.o = 200;
    e.c = 'c';
    e.wc = L'\u20ac';
    e.s = -2;
    e.us = 2;
    e.l = -4;
    e.ul = 4;
    e.ll = -8;
    e.ull = 8;
    e.f = 0.5f;
    e.d = 0.25;
    e.ld = 0.125L;
    e.text = CORBA::string_dup("text");
    e.wide = CORBA::wstring_dup(L"w\u00efde");
    e.value <<= CORBA::Long(77);
    e.target = orb->string_to_object("corbaloc::127.0.0.1:9/there");
    e.tint = Dyn::green;
    e.spot = {3, CORBA::string_dup("spot")};
    e.spots.length(2);
    e.spots[0u].x = 1;
    e.spots[1u].x = 2;
    e.spots[1u].label = CORBA::string_dup("second");
    e.numbers[2] = 9;
    e.form.corner(Dyn::Point{4, CORBA::string_dup("corner")});
    e.price = CORBA::Fixed("123.45");
    return e;
  }
};

}  // namespace callis::dynamic::testing
