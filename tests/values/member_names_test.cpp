// SPDX-License-Identifier: Apache-2.0
// Members that are called as generated code might call its own parameters: that this file compiles, without a
// warning, is most of the test (C++ mapping 1.3, 4.11: a member x of an anonymous array has the type _x).
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <gtest/gtest.h>
#include <type_traits>
#include "member_names.h"
#include "member_names_skel.h"

namespace {

using namespace Clash;

template <class T>
constexpr bool kLongs = std::is_same_v<T, CORBA::Long[2]>;
template <class T>
constexpr bool kTexts = std::is_same_v<T, CORBA::String_member[2][3]>;

// What a class has no other use for keeps the mapping's name.
static_assert(kLongs<FixedStruct::_v> && kLongs<FixedStruct::_value> && kLongs<FixedStruct::_name> &&
              kLongs<FixedStruct::_downcast>);
static_assert(kTexts<TextStruct::_h> && kTexts<TextException::_e> && kTexts<TextUnion::_value> &&
              kTexts<PublicTexts::_l>);
static_assert(kLongs<FixedException::_d> && kLongs<FixedException::_default> && kLongs<FixedUnion::_name> &&
              kLongs<Open::_name>);
static_assert(kLongs<Open::_value> && kLongs<Open::_d> && kLongs<Busy::_from> && kLongs<FixedBox::_v> &&
              kLongs<FixedBox::_d>);
static_assert(std::is_same_v<ListStruct::_var_type_seq, ListBox::_v_seq>);
// Otherwise "_array" follows.
static_assert(kLongs<FixedStruct::_var_type_array> && kLongs<FixedUnion::_d_array> &&
              kLongs<FixedUnion::_default_array>);
static_assert(kLongs<FixedException::_name_array> && kTexts<TextException::_duplicate_array> &&
              kLongs<Open::_downcast_array>);
static_assert(kLongs<Open::_copy_value_array> && kLongs<FixedBox::_value_array> && kTexts<TextBox::_boxed_out_array>);
static_assert(std::is_same_v<FixedStruct::_var_type, FixedStruct_var> && std::is_same_v<Open::_ptr_type, Open*>);

// Members that need each other's names.
static_assert(kLongs<NeighbourStruct::_v> && std::is_same_v<NeighbourStruct::_v_slice, CORBA::Long>);
static_assert(std::is_same_v<NeighbourStruct::_v_slice_array, CORBA::Long[3]>);
static_assert(std::is_same_v<NeighbourStruct::_w_seq_array, CORBA::String_member[2]>);
static_assert(kLongs<NeighbourStruct::_tc_X_array> && kLongs<NeighbourStruct::_cxx_int_array> &&
              kLongs<NeighbourStruct::_cxx_for_array>);
static_assert(std::is_same_v<decltype(NeighbourStruct::_tc_X), const CORBA::TypeCode_ptr>);
static_assert(std::is_same_v<NeighbourStruct::_tc_Y_sequence_seq, NeighbourStruct::_w_seq>);
static_assert(kLongs<NeighbourException::_name_array> &&
              std::is_same_v<NeighbourException::_name_array_array, CORBA::Long[3]>);
static_assert(kLongs<NeighbourUnion::_d_array> && std::is_same_v<NeighbourUnion::_d_array_array, CORBA::Long[3]>);
static_assert(kLongs<NeighbourValue::_tc_X_array> && kLongs<NeighbourBox::_v> && kLongs<NeighbourBox::_tc_X>);
static_assert(kLongs<NeighbourDerived::_v> && std::is_same_v<NeighbourBase::_v_slice, CORBA::Long[3]>);

constexpr CORBA::Long kTwo[2] = {4, -5};

template <class V>
void expect_two(const V* slice) {
  EXPECT_EQ(slice[0], 4);
  EXPECT_EQ(slice[1], -5);
}

class MembersCalledAsGeneratedNames : public testing::Test {
 protected:
  MembersCalledAsGeneratedNames() {
    int argc = 3;
    char program[] = "test", option[] = "-ORBCollocation", how[] = "marshaled";
    char* argv[] = {program, option, how, nullptr};
    orb_ = CORBA::ORB_init(argc, argv);
  }
  ~MembersCalledAsGeneratedNames() override { orb_->destroy(); }
  CORBA::ORB_var orb_;
};

TEST_F(MembersCalledAsGeneratedNames, GoThroughUnions) {
  FixedUnion u;
  u.value(kTwo);
  expect_two(u.value());
  EXPECT_EQ(u._d(), 11);
  u.d(kTwo);
  expect_two(u.d());
  u._cxx_default(kTwo);
  EXPECT_EQ(u._d(), 61);
  TextUnion t;
  TextUnion::_m_text words;
  words[1][2] = "w";
  t.m_text(words);
  const TextUnion copy = t;
  EXPECT_STREQ(copy.m_text()[1][2], "w");
  t.text("plain");
  EXPECT_STREQ(t.text(), "plain");
  CapitalUnion c;
  const CORBA::String_var held = CORBA::string_dup("held");
  c.text(held);
  EXPECT_STREQ(c.text(), "held");
}

TEST_F(MembersCalledAsGeneratedNames, LieBesideMembersThatNeedTheirNames) {
  NeighbourUnion u;
  const NeighbourUnion::_v_slice_array three = {1, 2, 3};
  u.v_slice(three);
  EXPECT_EQ(u.v_slice()[2], 3);
  u.v(kTwo);
  expect_two(u.v());
  u.callis_u(kTwo);
  expect_two(u.callis_u());
  const NeighbourStruct::_w_seq shorts;
  const CORBA::Long two[2] = {6, 7};
  OBV_Clash::NeighbourDerived* value = new OBV_Clash::NeighbourDerived(three, shorts, kTwo, two);
  expect_two(value->v());
  EXPECT_EQ(value->v_slice()[2], 3);
  CORBA::remove_ref(value);
}

TEST_F(MembersCalledAsGeneratedNames, GoThroughExceptions) {
  CapitalException::_H h = {4, -5};
  CORBA::Any nothing;
  const Pair both{1, 2.0};
  const CapitalException x(h, h, h, h, h, h, h, "text", L"wide", CORBA::Object::_nil(), nothing, both, 8, {},
                           nullptr);
  CORBA::Any any;
  any <<= x;
  const CapitalException* out = nullptr;
  ASSERT_TRUE(any >>= out);
  expect_two(out->T);
  EXPECT_STREQ(out->text, "text");
  EXPECT_NE(CapitalException::_downcast(const_cast<CapitalException*>(out)), nullptr);
}

TEST_F(MembersCalledAsGeneratedNames, GoThroughValues) {
  CORBA::Any none;
  Open_var p = new OBV_Clash::Open;
  p->v(kTwo);
  p->value(kTwo);
  p->l(kTwo);
  p->p_text(kTwo);
  p->text("text");
  const CORBA::String_var held = CORBA::string_dup("held");
  p->text(held);
  CORBA::Any any;
  any <<= p.in();
  Open* same = nullptr;
  ASSERT_TRUE(any >>= same);
  expect_two(same->p_text());
  expect_two(same->value());
  EXPECT_STREQ(same->text(), "held");
  EXPECT_EQ(Open::_downcast(p.in()), p.in());
  // All members are parameters of one constructor.
  const Capital_var c = new OBV_Clash::Capital(kTwo, kTwo, kTwo, kTwo, kTwo, kTwo, kTwo, "t", L"w", nullptr, none,
                                               {1, 2.0}, 3, {}, nullptr);
  expect_two(c->H());
  EXPECT_EQ(c->number(), 3);
}

TEST_F(MembersCalledAsGeneratedNames, GoThroughBoxes) {
  FixedBox_var f = new FixedBox;
  f->v(kTwo);
  f->value(kTwo);
  f->boxed_out(kTwo);
  expect_two(f->value());
  expect_two(f->_value().boxed_out);
  const FixedBox_var copy = FixedBox::_downcast(f->_copy_value());
  expect_two(copy->v());
  CapitalBox_var c = new CapitalBox;
  const CORBA::String_var held = CORBA::string_dup("held");
  c->text(held);
  c->H(kTwo);
  EXPECT_STREQ(c->text(), "held");
  FixedUnionBox_var u = new FixedUnionBox;
  u->value(kTwo);
  expect_two(u->value());
  EXPECT_EQ(u->_d(), 11);
}

// Names of the parameters of operations and of the members of what they take.
class Servant final : public POA_Clash::Everything {
 public:
  FixedStruct a(const FixedStruct& v, TextStruct& f, ListStruct_out r) override {
    f.text = "seen";
    r = new ListStruct;
    r->value.length(3);
    return v;
  }
  TextStruct* b(const FixedUnion& frame, TextUnion& result, ListUnion_out value) override {
    result.number(frame.value()[1]);
    value = new ListUnion;
    value->number(1);
    throw CapitalException();
  }
  CapitalStruct* c(CORBA::Long p_v, const CapitalStruct& d, CapitalUnion&, CORBA::Long_out self,
                   CORBA::Context_ptr) override {
    self = p_v;
    return new CapitalStruct(d);
  }
  Open* g(Closed*, Busy*&, FixedBox_out scope) override {
    scope = new FixedBox;
    scope->v(kTwo);
    return nullptr;
  }
  TextBox* h(ListBox*, TextUnionBox*&, CapitalUnionBox_out t) override {
    t = nullptr;
    return new TextBox;
  }
  FixedStruct value() override { return value_; }
  void value(const FixedStruct& v) override { value_ = v; }
  TextStruct* ctx() override { return new TextStruct; }
  void ctx(const TextStruct&) override {}

 private:
  FixedStruct value_{};
};

TEST_F(MembersCalledAsGeneratedNames, GoThroughCalls) {
  const CORBA::Object_var initial = orb_->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(initial.in());
  const PortableServer::POAManager_var manager = poa->the_POAManager();
  manager->activate();
  Servant servant;
  const PortableServer::ObjectId_var id = poa->activate_object(&servant);
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  const Everything_var remote = Everything::_narrow(object.in());
  FixedStruct v{};
  v.frame[1] = 6;
  TextStruct f;
  ListStruct_var r;
  EXPECT_EQ(remote->a(v, f, r.out()).frame[1], 6);
  EXPECT_STREQ(f.text, "seen");
  EXPECT_EQ(r->value.length(), 3u);
  FixedBox_var box;
  Busy_var busy;
  const Open_var none = remote->g(nullptr, busy.inout(), box.out());
  expect_two(box->v());
  remote->value(v);
  EXPECT_EQ(remote->value().frame[1], 6);
  TextUnion t;
  t.number(0);
  FixedUnion u;
  u.value(kTwo);
  ListUnion_var l;
  EXPECT_THROW(TextStruct_var(remote->b(u, t, l.out())), CapitalException);
  poa->deactivate_object(id.in());
}

}  // namespace
