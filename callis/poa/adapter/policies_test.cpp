// SPDX-License-Identifier: Apache-2.0
// The policies of an adapter: values, defaults, combinations that are refused.
#include <callis/poa/testing/fixture.h>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

// CORBA 3.3 part 1, 15.3.8
struct PolicyTest : PoaTest {
  template <class... P>
  std::optional<CORBA::UShort> refused(P... policies) {
    CORBA::PolicyList list;
    list.length(sizeof...(P));
    CORBA::ULong i = 0;
    ((list[i++] = policies), ...);
    Policies p;
    return read_policies(list, p, false);
  }
  ThreadPolicy_ptr thread(ThreadPolicyValue v) { return root->create_thread_policy(v); }
  LifespanPolicy_ptr lifespan(LifespanPolicyValue v) { return root->create_lifespan_policy(v); }
  IdUniquenessPolicy_ptr uniqueness(IdUniquenessPolicyValue v) { return root->create_id_uniqueness_policy(v); }
  IdAssignmentPolicy_ptr assignment(IdAssignmentPolicyValue v) { return root->create_id_assignment_policy(v); }
  ImplicitActivationPolicy_ptr implicit(ImplicitActivationPolicyValue v) {
    return root->create_implicit_activation_policy(v);
  }
  ServantRetentionPolicy_ptr retention(ServantRetentionPolicyValue v) {
    return root->create_servant_retention_policy(v);
  }
  RequestProcessingPolicy_ptr processing(RequestProcessingPolicyValue v) {
    return root->create_request_processing_policy(v);
  }
};

struct OtherPolicy : CORBA::Policy {
  CORBA::PolicyType policy_type() override { return 40; }
  CORBA::Policy_ptr copy() override { return new OtherPolicy; }
};

TEST_F(PolicyTest, ObjectsTellTypeAndValue) {
  const LifespanPolicy_var p = lifespan(PERSISTENT);
  EXPECT_EQ(p->policy_type(), LIFESPAN_POLICY_ID);
  EXPECT_EQ(p->value(), PERSISTENT);
  const CORBA::Policy_var copy = p->copy();
  const LifespanPolicy_var narrowed = LifespanPolicy::_narrow(copy.in());
  ASSERT_TRUE(narrowed.in());
  EXPECT_EQ(narrowed->value(), PERSISTENT);
  EXPECT_EQ(ThreadPolicy::_narrow(copy.in()), nullptr);
}

TEST_F(PolicyTest, TypesAreThoseOfTheSpecification) {
  const CORBA::Policy_var all[] = {thread(ORB_CTRL_MODEL), lifespan(TRANSIENT), uniqueness(UNIQUE_ID),
                                   assignment(SYSTEM_ID), implicit(NO_IMPLICIT_ACTIVATION), retention(RETAIN),
                                   processing(USE_ACTIVE_OBJECT_MAP_ONLY)};
  for (CORBA::ULong i = 0; i < 7; ++i) EXPECT_EQ(all[i]->policy_type(), 16 + i);
}

TEST_F(PolicyTest, AnEmptyListMeansTheDefaults) { EXPECT_EQ(refused(), std::nullopt); }

TEST_F(PolicyTest, EverySupportedValueIsTaken) {
  EXPECT_EQ(refused(thread(SINGLE_THREAD_MODEL), lifespan(PERSISTENT), uniqueness(MULTIPLE_ID), assignment(USER_ID)),
            std::nullopt);
  EXPECT_EQ(refused(implicit(IMPLICIT_ACTIVATION), retention(RETAIN), processing(USE_ACTIVE_OBJECT_MAP_ONLY)),
            std::nullopt);
}

TEST_F(PolicyTest, MainThreadModelNeedsAMainThread) {
  EXPECT_EQ(refused(lifespan(TRANSIENT), thread(MAIN_THREAD_MODEL)), 1);
}

TEST_F(PolicyTest, ValuesOutsideTheEnumAreRefused) {
  EXPECT_EQ(refused(lifespan(static_cast<LifespanPolicyValue>(2))), 0);
  EXPECT_EQ(refused(assignment(SYSTEM_ID), uniqueness(static_cast<IdUniquenessPolicyValue>(99))), 1);
}

TEST_F(PolicyTest, NilAndForeignPoliciesAreRefused) {
  EXPECT_EQ(refused(thread(ORB_CTRL_MODEL), static_cast<CORBA::Policy_ptr>(nullptr)), 1);
  EXPECT_EQ(refused(new OtherPolicy), 0);
}

TEST_F(PolicyTest, ImplicitActivationNeedsSystemIds) {
  EXPECT_EQ(refused(implicit(IMPLICIT_ACTIVATION), thread(ORB_CTRL_MODEL), assignment(USER_ID)), 2);
  EXPECT_EQ(refused(assignment(USER_ID), implicit(IMPLICIT_ACTIVATION)), 1);
}

TEST_F(PolicyTest, ActiveObjectMapOnlyNeedsRetain) { EXPECT_EQ(refused(retention(NON_RETAIN)), 0); }

TEST_F(PolicyTest, TheSamePolicyTwiceNeedsTheSameValue) {
  EXPECT_EQ(refused(lifespan(PERSISTENT), lifespan(PERSISTENT)), std::nullopt);
  EXPECT_EQ(refused(lifespan(PERSISTENT), lifespan(TRANSIENT)), 1);
}

TEST_F(PolicyTest, CreatePoaRaisesInvalidPolicyWithTheIndex) {
  try {
    const POA_var poa = child("x", lifespan(PERSISTENT), thread(MAIN_THREAD_MODEL));
    FAIL();
  } catch (const POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 1);
    EXPECT_STREQ(e._rep_id(), "IDL:omg.org/PortableServer/POA/InvalidPolicy:1.0");
  }
  EXPECT_THROW(POA_var(root->find_POA("x", false)), POA::AdapterNonExistent);
}

}  // namespace
}  // namespace callis::poa::testing
