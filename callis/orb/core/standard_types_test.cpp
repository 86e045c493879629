// SPDX-License-Identifier: Apache-2.0
// The types that `#include <orb.idl>` gives to IDL have TypeCodes and go into Anys, like a file's own types (C++
// mapping 1.3, 4.15, 4.20).
#include <callis/corba.h>
#include <callis/orb/core/interface_def.h>
#include <callis/orb/core/standard_names.h>
#include <gtest/gtest.h>
#include <string>

namespace CORBA::inline callis_orb {
namespace {

class Seven final : public virtual Policy, public virtual LocalObject {
 public:
  PolicyType policy_type() override { return 7; }
  Policy_ptr copy() override { return Policy::_duplicate(this); }
  void destroy() override {}
};

// References go into Anys once there is an ORB.
ORB_ptr an_orb() {
  int argc = 0;
  return ORB_init(argc, nullptr, "types of orb.idl");
}

std::string id(TypeCode_ptr type) { return type->id(); }
std::string name(TypeCode_ptr type) { return type->name(); }

TEST(TypesOfOrbIdl, HaveIdsAndNames) {
  const std::pair<TypeCode_ptr, const char*> all[] = {
      {_tc_Identifier, "Identifier"},
      {_tc_RepositoryId, "RepositoryId"},
      {_tc_ScopedName, "ScopedName"},
      {_tc_ServiceType, "ServiceType"},
      {_tc_ServiceOption, "ServiceOption"},
      {_tc_ServiceDetailType, "ServiceDetailType"},
      {_tc_PolicyType, "PolicyType"},
      {_tc_PolicyList, "PolicyList"},
      {_tc_Policy, "Policy"},
      {_tc_Current, "Current"},
      {_tc_InterfaceDef, "InterfaceDef"},
  };
  for (const auto& [type, text] : all) {
    EXPECT_EQ(name(type), text);
    EXPECT_EQ(id(type), "IDL:omg.org/CORBA/" + std::string(text) + ":1.0");
  }
}

TEST(TypesOfOrbIdl, AreWhatOrbIdlSays) {
  const std::pair<TypeCode_ptr, TCKind> all[] = {
      {_tc_Identifier, tk_string},      {_tc_RepositoryId, tk_string},      {_tc_ScopedName, tk_string},
      {_tc_ServiceType, tk_ushort},     {_tc_ServiceOption, tk_ulong},      {_tc_ServiceDetailType, tk_ulong},
      {_tc_PolicyType, tk_ulong},       {_tc_PolicyList, tk_sequence},
  };
  for (const auto& [type, kind] : all) {
    EXPECT_EQ(type->kind(), tk_alias);
    EXPECT_EQ(TypeCode_var(type->content_type())->kind(), kind) << name(type);
  }
  EXPECT_EQ(_tc_Policy->kind(), tk_objref);
  EXPECT_EQ(_tc_InterfaceDef->kind(), tk_objref);
  EXPECT_EQ(_tc_Current->kind(), tk_local_interface);
  const TypeCode_var policies = _tc_PolicyList->content_type();
  EXPECT_EQ(policies->length(), 0u);
  EXPECT_TRUE(TypeCode_var(policies->content_type())->equal(_tc_Policy));
}

TEST(TypesOfOrbIdl, PoliciesGoIntoAnysAsWhatTheyAre) {
  const ORB_var orb = an_orb();
  Policy_var policy = new Seven;
  Any any;
  any <<= policy.in();
  EXPECT_TRUE(TypeCode_var(any.type())->equal(_tc_Policy));
  Policy_ptr found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found->policy_type(), 7u);
  Object_var widened;
  ASSERT_TRUE(any >>= Any::to_object(widened.out()));
  EXPECT_TRUE(widened->_is_equivalent(policy.in()));
  InterfaceDef_ptr other = nullptr;
  EXPECT_FALSE(any >>= other);

  Policy_ptr given = Policy::_duplicate(policy.in());
  any <<= &given;  // takes it over
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ(found, policy.in());
}

// Without compiled IDL of an interface repository. tests/mapping/interface_def_test.cpp has some.
TEST(TypesOfOrbIdl, AnInterfaceDefIsAnObject) {
  const ORB_var orb = an_orb();
  const Object_var object = orb->string_to_object("corbaloc::192.0.2.1:1/definition");  // nobody calls it
  const InterfaceDef_var definition = InterfaceDef::_unchecked_narrow(object.in());
  EXPECT_TRUE(definition->_is_equivalent(object.in()));
  const Object_var widened = Object::_duplicate(definition.in());
  const InterfaceDef_var again = InterfaceDef::_narrow(widened.in());
  EXPECT_EQ(again.in(), definition.in());
  Any any;
  any <<= definition.in();
  InterfaceDef_ptr found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_TRUE(found->_is_equivalent(object.in()));
}

TEST(TypesOfOrbIdl, ListsOfPoliciesGoIntoAnys) {
  const ORB_var orb = an_orb();
  PolicyList list(2);
  list.length(2);
  list[1] = new Seven;
  Any any;
  any <<= list;
  const PolicyList* found = nullptr;
  ASSERT_TRUE(any >>= found);
  ASSERT_EQ(found->length(), 2u);
  EXPECT_TRUE(is_nil((*found)[0]));
  EXPECT_EQ((*found)[1]->policy_type(), 7u);

  any <<= new PolicyList;  // takes it over
  PolicyList* as_of_old = nullptr;
  ASSERT_TRUE(any >>= as_of_old);
  EXPECT_EQ(as_of_old->length(), 0u);
}

TEST(TypesOfOrbIdl, SequencesAreExtractedAsOfOldToo) {
  OctetSeq octets(1);
  octets.length(1);
  octets[0] = 9;
  Any any;
  any <<= octets;
  OctetSeq* found = nullptr;
  ASSERT_TRUE(any >>= found);
  EXPECT_EQ((*found)[0], 9);
  StringSeq* strings = nullptr;
  EXPECT_FALSE(any >>= strings);
}

}  // namespace
}  // namespace CORBA::inline callis_orb
