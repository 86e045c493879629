// SPDX-License-Identifier: Apache-2.0
// Values of some types for tests, and factories that are registered for as long as a scope lasts.
#pragma once
#include <callis/classic/layout.h>
#include <callis/classic/string.h>
#include <callis/value/value.h>
#include <gtest/gtest.h>
#include <functional>
#include <vector>

namespace callis::value::testing {

using marshal::Kind;
using marshal::type_word;

// What generated code would have for
//
//   valuetype Point { public long x; };
//   valuetype Named : truncatable Point { public string name; };
//   custom valuetype Self { ... };                  holds a long and any number of values
//   valuetype Label string;
inline const marshal::Word kWords[] = {0, type_word(Kind::Struct, 1), type_word(Kind::Long),
                                       type_word(Kind::Struct, 1), type_word(Kind::String)};
inline const marshal::Unit kUnit = {kWords, "", nullptr, nullptr, &marshal::kExtension};

template <class X>
CORBA::ValueBase* to_base(void* p) {
  return static_cast<X*>(p);
}
template <class X>
void* from_base(CORBA::ValueBase* v) {
  return dynamic_cast<X*>(v);
}

inline const marshal::Plan *point_plan, *named_plan, *label_plan;

class Point : public virtual CORBA::ValueBase, public virtual CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  struct State {
    CORBA::Long x = 0;
  } point;
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &point : nullptr; }
  explicit Point(CORBA::Long x = 0) { point.x = x; }

 protected:
  ~Point() override = default;
};
inline const ValueLink Point::link = {"IDL:Point:1.0", nullptr, 0, &kUnit, type_word(Kind::Ref, 1), &point_plan,
                               &to_base<Point>, &from_base<Point>};

class Named : public virtual Point {
 public:
  static const ValueLink link;
  struct State {
    CORBA::String_member name;
  } named;
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &named : Point::_callis_state(l); }
  Named() = default;
  Named(CORBA::Long x, const char* name) : Point(x) { named.name = name; }
};
inline const ValueLink Named::link = {"IDL:Named:1.0", &Point::link, kTruncatable, &kUnit, type_word(Kind::Ref, 3),
                               &named_plan, &to_base<Named>, &from_base<Named>};

class Self : public virtual CORBA::CustomMarshal, public virtual CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  CORBA::Long before = 0;
  std::vector<CORBA::ValueBase_var> values;
  CORBA::Long after = 0;
  bool throws = false;
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void marshal(CORBA::DataOutputStream* os) override {
    if (throws) throw 1;
    os->write_long(before);
    os->write_octet(static_cast<CORBA::Octet>(values.size()));
    for (const auto& v : values) os->write_Value(v.in());
    os->write_long(after);
  }
  void unmarshal(CORBA::DataInputStream* is) override {
    before = is->read_long();
    values.resize(is->read_octet());
    for (auto& v : values) v = is->read_Value();
    after = is->read_long();
  }
};
inline const ValueLink Self::link = {"IDL:Self:1.0", nullptr,        kCustom,         nullptr, 0,
                                     nullptr,        &to_base<Self>, &from_base<Self>};

class Label : public CORBA::DefaultValueRefCountBase {
 public:
  static const ValueLink link;
  CORBA::String_member text;
  CORBA::ValueBase* _copy_value() override { return nullptr; }
  const ValueLink* _callis_link() const noexcept override { return &link; }
  void* _callis_state(const ValueLink& l) noexcept override { return &l == &link ? &text : nullptr; }
  static CORBA::ValueBase* create() { return new Label; }
};
inline const ValueLink Label::link = {"IDL:Label:1.0", nullptr, kBox, &kUnit, type_word(Kind::String), &label_plan,
                               &to_base<Label>, &from_base<Label>, &Label::create};

inline Self* callis_duplicate(Self* v) { return CORBA::add_ref(v), v; }
inline void callis_release(Self* v) { CORBA::remove_ref(v); }
inline Label* callis_duplicate(Label* v) { return CORBA::add_ref(v), v; }
inline void callis_release(Label* v) { CORBA::remove_ref(v); }

class Factory : public CORBA::ValueFactoryBase {
 public:
  explicit Factory(std::function<CORBA::ValueBase*()> make) : make_(std::move(make)) {}

 private:
  CORBA::ValueBase* create_for_unmarshal() override { return make_(); }
  std::function<CORBA::ValueBase*()> make_;
};

class Registered {
 public:
  Registered(const char* id, std::function<CORBA::ValueBase*()> make) : id_(id) {
    const CORBA::ValueFactory_var f(new Factory(std::move(make)));
    const CORBA::ValueFactory_var before(register_value_factory(id, f.in()));
    EXPECT_EQ(before.in(), nullptr);
  }
  ~Registered() { unregister_value_factory(id_); }

 private:
  const char* id_;
};

}  // namespace callis::value::testing
