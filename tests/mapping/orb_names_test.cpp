// SPDX-License-Identifier: Apache-2.0
// What generated code makes of names that the runtime has (C++ mapping 1.3, 4.15 and 4.31).
#include "compiled/corba_names_skel.h"
#include "compiled/orb_names_skel.h"
#include "interpreted/corba_names_skel.h"
#include "interpreted/orb_names_skel.h"
#include "own/old_names_skel.h"
#include "own/own_names_skel.h"
#include <callis/corba.h>
#include <callis/orb/core/interface_def.h>
#include <gtest/gtest.h>
#include <string>
#include <type_traits>

namespace {

// The members of a struct have the TypeCodes that the runtime's constants are.
TEST(NamesOfTheRuntime, HaveOneTypeCodeEverywhere) {
  const CORBA::TypeCode_ptr expected[] = {CORBA::_tc_PolicyType, CORBA::_tc_PolicyList, CORBA::_tc_InterfaceDef,
                                          CORBA::_tc_Identifier};
  for (const CORBA::TypeCode_ptr asked : {Compiled::_tc_Asked, Interpreted::_tc_Asked})
    for (CORBA::ULong i = 0; i < 4; ++i) {
      const CORBA::TypeCode_var member = asked->member_type(i);
      EXPECT_TRUE(member->equal(expected[i])) << asked->member_name(i);
      EXPECT_TRUE(expected[i]->equal(member.in())) << asked->member_name(i);
    }
}

// What one part of a program puts into an Any by generated code, another takes out by the runtime's.
TEST(NamesOfTheRuntime, GoThroughAnysOfStructs) {
  Compiled::Asked asked;
  asked.type = 3;
  asked.policies.length(1);
  asked.name = "x";
  asked.flags = CORBA::ARG_IN;
  CORBA::Any any, list;
  any <<= asked;
  const Compiled::Asked* found = nullptr;
  ASSERT_TRUE(any >>= found);
  list <<= found->policies;
  const CORBA::PolicyList* policies = nullptr;
  ASSERT_TRUE(list >>= policies);
  EXPECT_EQ(policies->length(), 1u);
}

class Lists final : public virtual Interpreted::Lister, public virtual CORBA::LocalObject {
 public:
  CORBA::NVList_ptr list(CORBA::Context_ptr from, CORBA::NamedValue_out first) override {
    CORBA::NVList_var all;
    from->get_values("", 0, "*", all.out());
    first = CORBA::NamedValue::_duplicate(all->item(0));
    return all._retn();
  }
};

TEST(NamesOfTheRuntime, PseudoObjectsPassLocalInterfaces) {
  Interpreted::Lister_var lister = new Lists;
  CORBA::Context_var context = CORBA::Context::_callis_create("c");
  context->_callis_set("a", "1");
  CORBA::NamedValue_var first;
  const CORBA::NVList_var all = lister->list(context.in(), first.out());
  EXPECT_EQ(all->count(), 1u);
  EXPECT_STREQ(first->name(), "a");
  EXPECT_THROW(all->item(1), CORBA::Bounds);
}

// The exception of lists is one of users, which an operation may raise.
class Chooses final : public POA_Compiled::Chooser {
 public:
  CORBA::Policy_ptr choose(const CORBA::PolicyList& from, CORBA::Flags& flags, CORBA::ServiceType_out kind) override {
    if (from.length() == 0) throw CORBA::Bounds();
    kind = static_cast<CORBA::ServiceType>(flags++);
    return CORBA::Policy::_nil();
  }
};

TEST(NamesOfTheRuntime, BoundsIsAUserException) {
  static_assert(std::is_base_of_v<CORBA::UserException, CORBA::Bounds>);
  Chooses chooser;
  CORBA::Flags flags = 4;
  CORBA::ServiceType kind = 0;
  EXPECT_THROW(chooser.choose(CORBA::PolicyList(), flags, kind), CORBA::Bounds);
  CORBA::PolicyList one(1);
  one.length(1);
  EXPECT_TRUE(CORBA::is_nil(chooser.choose(one, flags, kind)));
  EXPECT_EQ(kind, 4);
  EXPECT_EQ(flags, 5u);
}

TEST(NamesOfTheRuntime, AreThoseOfOrbIdlToTheLast) {
  const std::pair<const char*, const char*> all[] = {
      {"kind", "IDL:omg.org/CORBA/TCKind:1.0"},
      {"mode", "IDL:omg.org/CORBA/ParameterMode:1.0"},
      {"orb", "IDL:omg.org/CORBA/ORBid:1.0"},
      {"information", "IDL:omg.org/CORBA/ServiceInformation:1.0"},
      {"details", "IDL:omg.org/CORBA/ServiceDetailSeq:1.0"},
      {"data", "IDL:omg.org/CORBA/ServiceDetailData:1.0"},
      {"service_options", "IDL:omg.org/CORBA/ServiceOptionSeq:1.0"},
      {"member", "IDL:omg.org/CORBA/StructMember:1.0"},
      {"narrow", "IDL:omg.org/CORBA/StringValue:1.0"},
      {"wide", "IDL:omg.org/CORBA/WStringValue:1.0"},
      {"id", "IDL:omg.org/PortableServer/ObjectId:1.0"}};
  for (const CORBA::TypeCode_ptr type : {Compiled::_tc_All, Interpreted::_tc_All})
    for (const auto& [name, id] : all) {
      CORBA::ULong i = 0;
      while (std::string(type->member_name(i)) != name) ++i;
      EXPECT_STREQ(CORBA::TypeCode_var(type->member_type(i))->id(), id);
    }
}

TEST(NamesOfTheRuntime, ServiceInformationIsMadeOfNamedSequences) {
  Compiled::All all;
  all.details.length(1);
  all.details[0].service_detail = all.data;
  CORBA::ServiceInformation& information = all.information;
  information.service_details = all.details;
  information.service_options = all.service_options;
  CORBA::Any a;
  a <<= information.service_details;
  const CORBA::ServiceDetailSeq* found = nullptr;
  ASSERT_TRUE(a >>= found);
  EXPECT_EQ(found->length(), 1u);
}

TEST(NamesOfTheRuntime, BoxedStringsAreValuesOfTheRuntime) {
  const CORBA::StringValue_var narrow = new CORBA::StringValue("text");
  CORBA::Any a;
  a <<= narrow.in();
  CORBA::StringValue* found = nullptr;
  ASSERT_TRUE(a >>= found);
  EXPECT_STREQ(found->_value(), "text");
  EXPECT_TRUE(CORBA::_tc_StringValue->equal(CORBA::TypeCode_var(a.type())));
  try {
    throw CORBA::WrongTransaction();
  } catch (const CORBA::UserException& e) {
    EXPECT_STREQ(e._rep_id(), "IDL:omg.org/CORBA/WrongTransaction:1.0");
  }
}

// What orb.idl lacks is declared by the file that uses it (docs/guide/idl.md): the ids are the OMG's, and nothing of
// the runtime is in the way.
TEST(NamesOfTheRuntime, LeaveToFilesWhatOrbIdlDoesNotDeclare) {
  class Servant final : public POA_Managed {
   public:
    CORBA::DomainManagersList* managers(CORBA::AttributeMode attribute, CORBA::OperationMode operation,
                                        CORBA::DefinitionKind kind) override {
      CORBA::DomainManagersList_var list = new CORBA::DomainManagersList;
      list->length(1u + attribute + operation + kind);
      return list._retn();
    }
    CORBA::ConstructionPolicy_ptr policy() override { return CORBA::ConstructionPolicy::_nil(); }
    CORBA::Pollable* poll() override { return nullptr; }
  };
  Servant servant;
  const CORBA::DomainManagersList_var list =
      servant.managers(CORBA::ATTR_READONLY, CORBA::OP_ONEWAY, CORBA::dk_all);
  EXPECT_EQ(list->length(), 4u);
  EXPECT_EQ(CORBA::SECCONSTRUCTION, 11u);
  const std::pair<CORBA::TypeCode_ptr, const char*> ids[] = {
      {CORBA::_tc_DomainManager, "IDL:omg.org/CORBA/DomainManager:1.0"},
      {CORBA::_tc_DomainManagersList, "IDL:omg.org/CORBA/DomainManagersList:1.0"},
      {CORBA::_tc_ConstructionPolicy, "IDL:omg.org/CORBA/ConstructionPolicy:1.0"},
      {CORBA::_tc_AttributeMode, "IDL:omg.org/CORBA/AttributeMode:1.0"},
      {CORBA::_tc_OperationMode, "IDL:omg.org/CORBA/OperationMode:1.0"},
      {CORBA::_tc_DefinitionKind, "IDL:omg.org/CORBA/DefinitionKind:1.0"},
      {CORBA::_tc_Pollable, "IDL:omg.org/CORBA/Pollable:1.0"}};
  for (const auto& [type, id] : ids) EXPECT_STREQ(type->id(), id);
}

// A file's own `interface Current {}` is the ORB's, and what derives from it is local.
TEST(NamesOfTheRuntime, OfOldFilesAreTheOrbsOwn) {
  static_assert(std::is_base_of_v<CORBA::Current, Old::Current>);
  static_assert(std::is_base_of_v<PortableServer::ServantManager, Old::Manager>);
  class Depth final : public virtual Old::Current {
   public:
    CORBA::Long depth() override { return 7; }
  };
  const CORBA::Object_var object = new Depth;
  const CORBA::Current_var current = CORBA::Current::_narrow(object.in());
  const Old::Current_var old = Old::Current::_narrow(current.in());
  ASSERT_FALSE(CORBA::is_nil(old.in()));
  EXPECT_EQ(old->depth(), 7);
}

}  // namespace
