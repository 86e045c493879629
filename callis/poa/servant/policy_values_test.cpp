// SPDX-License-Identifier: Apache-2.0
// The policies of adapters as ORB::create_policy() makes them (CORBA 3.3 part 1, 8.5.3).
#include <callis/orb/base/policy_management.h>
#include <callis/poa/testing/orb_fixture.h>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct PolicyValues : OrbFixture {
  template <class P, class Value>
  void is_made(CORBA::PolicyType type, Value value) {
    CORBA::Any any;
    any <<= value;
    const CORBA::Policy_var policy = orb->create_policy(type, any);
    EXPECT_EQ(policy->policy_type(), type);
    const classic::ReferenceVar<P> narrowed(P::_narrow(policy.in()));
    ASSERT_TRUE(narrowed.in());
    EXPECT_EQ(narrowed->value(), value);
  }
  template <class Value>
  CORBA::PolicyErrorCode refused(CORBA::PolicyType type, Value value) {
    CORBA::Any any;
    any <<= value;
    try {
      const CORBA::Policy_var policy = orb->create_policy(type, any);
      return -1;
    } catch (const CORBA::PolicyError& e) {
      return e.reason;
    }
  }
};

TEST_F(PolicyValues, EachPolicyOfAdaptersIsMadeOfItsValue) {
  is_made<ThreadPolicy>(THREAD_POLICY_ID, SINGLE_THREAD_MODEL);
  is_made<LifespanPolicy>(LIFESPAN_POLICY_ID, PERSISTENT);
  is_made<IdUniquenessPolicy>(ID_UNIQUENESS_POLICY_ID, MULTIPLE_ID);
  is_made<IdAssignmentPolicy>(ID_ASSIGNMENT_POLICY_ID, USER_ID);
  is_made<ImplicitActivationPolicy>(IMPLICIT_ACTIVATION_POLICY_ID, IMPLICIT_ACTIVATION);
  is_made<ServantRetentionPolicy>(SERVANT_RETENTION_POLICY_ID, NON_RETAIN);
  is_made<RequestProcessingPolicy>(REQUEST_PROCESSING_POLICY_ID, USE_SERVANT_MANAGER);
}

TEST_F(PolicyValues, AreWhatCreatePoaTakes) {
  CORBA::Any any;
  any <<= USER_ID;
  const POA_var user(child("user", orb->create_policy(ID_ASSIGNMENT_POLICY_ID, any)));
  const Servant_var<Probe> servant(new Probe);
  user->activate_object_with_id(text_id("mine").in(), servant.in());
  ping(CORBA::Object_var(user->id_to_reference(text_id("mine").in())).in());
  EXPECT_EQ(servant->pings, 1);
}

TEST_F(PolicyValues, ValuesOfAnotherTypeAreBadPolicyType) {
  EXPECT_EQ(refused(LIFESPAN_POLICY_ID, USER_ID), CORBA::BAD_POLICY_TYPE);
  EXPECT_EQ(refused(LIFESPAN_POLICY_ID, CORBA::ULong{1}), CORBA::BAD_POLICY_TYPE);
}

TEST_F(PolicyValues, HaveTheTypeCodesOfTheirIdl) {
  EXPECT_STREQ(_tc_ThreadPolicyValue->id(), "IDL:omg.org/PortableServer/ThreadPolicyValue:1.0");
  EXPECT_STREQ(_tc_RequestProcessingPolicyValue->name(), "RequestProcessingPolicyValue");
  const CORBA::TypeCode_ptr all[] = {_tc_ThreadPolicyValue,         _tc_LifespanPolicyValue,
                                     _tc_IdUniquenessPolicyValue,   _tc_IdAssignmentPolicyValue,
                                     _tc_ImplicitActivationPolicyValue, _tc_ServantRetentionPolicyValue,
                                     _tc_RequestProcessingPolicyValue};
  const char* const first[] = {"ORB_CTRL_MODEL", "TRANSIENT", "UNIQUE_ID", "USER_ID",
                               "IMPLICIT_ACTIVATION", "RETAIN", "USE_ACTIVE_OBJECT_MAP_ONLY"};
  const char* const last[] = {"MAIN_THREAD_MODEL", "PERSISTENT", "MULTIPLE_ID", "SYSTEM_ID",
                              "NO_IMPLICIT_ACTIVATION", "NON_RETAIN", "USE_SERVANT_MANAGER"};
  for (std::size_t i = 0; i < std::size(all); ++i) {
    EXPECT_STREQ(all[i]->member_name(0), first[i]);
    EXPECT_STREQ(all[i]->member_name(all[i]->member_count() - 1), last[i]);
  }
}

}  // namespace
}  // namespace callis::poa::testing
