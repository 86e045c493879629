// SPDX-License-Identifier: Apache-2.0
// Names that are too long, iterators that are left behind, object ids that nobody has made.
#include <services/naming/testing/serving.h>
#include <gtest/gtest.h>

namespace callis::naming {
namespace {

using testing::name_of;
using testing::Serving;

CosNaming::Name one_component(const std::string& id, const std::string& kind) {
  CosNaming::Name out;
  out.length(1);
  out[0].id = id.c_str();
  out[0].kind = kind.c_str();
  return out;
}

TEST(HostileNames, work_up_to_their_limit_and_are_refused_beyond) {
  Serving s;
  const CosNaming::Name longest = one_component(std::string(kMostComponentBytes - 5, '.'), std::string(5, '\\'));
  s.root->bind(longest, s.object().in());
  EXPECT_NO_THROW(CORBA::Object_var(s.root->resolve(longest)));
  const CORBA::String_var text = s.root->to_string(longest);
  EXPECT_NO_THROW(CORBA::Object_var(s.root->resolve_str(text.in())));
  EXPECT_THROW(s.root->bind(one_component(std::string(kMostComponentBytes + 1, 'a'), ""), s.object().in()),
               CORBA::IMP_LIMIT);
  EXPECT_THROW(s.root->resolve(one_component("", std::string(1u << 20, 'k'))), CORBA::IMP_LIMIT);
  EXPECT_THROW(s.root->resolve_str(std::string(1u << 20, 'k').c_str()), CORBA::IMP_LIMIT);
  CosNaming::Name deep;
  deep.length(kMostComponents + 1);
  EXPECT_THROW(s.root->resolve(deep), CORBA::IMP_LIMIT);
  deep.length(kMostComponents);
  EXPECT_THROW(s.root->resolve(deep), CosNaming::NamingContext::NotFound);
}

TEST(HostileNames, of_every_byte_come_back) {
  Serving s;
  std::string all;
  for (int c = 1; c < 256; ++c) all += static_cast<char>(c);
  s.root->bind(one_component(all, all), s.object().in());
  CosNaming::BindingList_var list;
  CosNaming::BindingIterator_var rest;
  s.root->list(1, list.out(), rest.out());
  ASSERT_EQ(list->length(), 1u);
  EXPECT_EQ(list[0].binding_name[0].id.in(), all);
  EXPECT_EQ(list[0].binding_name[0].kind.in(), all);
}

TEST(HostileNames, that_are_long_make_short_lists) {
  Serving s;
  for (int i = 0; i < 40; ++i)
    s.root->bind(one_component(std::to_string(i) + std::string(31'000, 'x'), ""), s.object().in());
  CosNaming::BindingList_var list;
  CosNaming::BindingIterator_var rest;
  s.root->list(1000, list.out(), rest.out());
  EXPECT_LT(list->length(), 40u);
  CORBA::ULong seen = list->length();
  ASSERT_FALSE(CORBA::is_nil(rest.in()));
  while (rest->next_n(1000, list.out())) seen += list->length();
  EXPECT_EQ(seen, 40u);
}

TEST(LeftIterators, make_room_for_others) {
  Serving s;
  s.root->bind(name_of("x"), s.object().in());
  CosNaming::BindingList_var list;
  CosNaming::BindingIterator_var first, other;
  s.root->list(0, list.out(), first.out());
  for (std::size_t i = 0; i < Iterators::kMost; ++i) s.root->list(0, list.out(), other.out());
  EXPECT_EQ(s.service->iterators(), Iterators::kMost);
  CosNaming::Binding_var one;
  EXPECT_THROW(first->next_one(one.out()), CORBA::OBJECT_NOT_EXIST);
  EXPECT_TRUE(other->next_one(one.out()));
}

TEST(LeftIterators, are_gone_when_nobody_has_used_them_for_long) {
  CORBA::ORB_var orb = testing::new_orb({"-ORBEndpoint", "memory:reaping"}, "reaping");
  CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
  const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
  Iterators all(poa.in());
  const CosNaming::BindingIterator_var one = all.make(BindingTable::Cursor());
  all.reap(std::chrono::steady_clock::now());
  EXPECT_EQ(all.size(), 1u);
  all.reap(std::chrono::steady_clock::now() + Iterators::kIdle);
  EXPECT_EQ(all.size(), 0u);
  orb->destroy();
}

// Keys of the service's adapter with ids that it never gave out.
TEST(HostileKeys, lead_to_no_object) {
  Serving s;
  const auto read = ior::parse_reference(s.ior);
  const ior::Ior& good = std::get<ior::Ior>(read);
  const ior::IiopProfile profile = ior::parse_iiop(good.profiles.at(0).data).value();
  for (const std::size_t bytes : {0u, 1u, 8u, 15u, 17u, 64u}) {
    ior::IiopProfile other = profile;
    other.object_key.resize(other.object_key.size() - 16);
    other.object_key.resize(other.object_key.size() + bytes, 0xff);
    const ior::Ior bad{good.type_id, {ior::to_profile(other)}};
    const CORBA::Object_var object = s.client->string_to_object(ior::to_text(bad).c_str());
    const auto context = CosNaming::NamingContext::_unchecked_narrow(object.in());
    EXPECT_THROW(context->resolve(name_of("x")), CORBA::OBJECT_NOT_EXIST) << bytes;
    CORBA::release(context);
  }
}

TEST(HostileReferences, that_are_too_large_are_not_bound) {
  Serving s;
  ior::Ior large{"IDL:x:1.0", {}};
  for (int i = 0; i < 10; ++i) large.profiles.push_back({7777, ior::Bytes(60'000, 1)});
  const CORBA::Object_var object = s.client->string_to_object(ior::to_text(large).c_str());
  EXPECT_THROW(s.root->bind(name_of("x"), object.in()), CORBA::IMP_LIMIT);
  large.profiles.resize(2);
  const CORBA::Object_var smaller = s.client->string_to_object(ior::to_text(large).c_str());
  s.root->bind(name_of("x"), smaller.in());
  const CORBA::Object_var found = s.root->resolve(name_of("x"));
  EXPECT_TRUE(found->_is_equivalent(smaller.in()));  // its profiles came through as they are
}

}  // namespace
}  // namespace callis::naming
