// SPDX-License-Identifier: Apache-2.0
// Activation, and the ways between servants, ids and references (CORBA 3.3 part 1, 15.3.9).
#include <callis/poa/testing/fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

bool same(const ObjectId_var& a, const ObjectId_var& b) {
  return std::ranges::equal(bytes_of(a.in()), bytes_of(b.in()));
}

struct Objects : PoaTest {
  POA_var user = child("user", root->create_id_assignment_policy(USER_ID));
  POA_var multiple = child("multiple", root->create_id_uniqueness_policy(MULTIPLE_ID));
  POA_var plain = child("plain");  // UNIQUE_ID, SYSTEM_ID, no implicit activation
  const ObjectId_var one = text_id("one");
  Servant_var<Probe> servant{new Probe}, other{new Probe};
};

TEST_F(Objects, ActivationMakesThemReachable) {
  const ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var reference = root->id_to_reference(id.in());
  EXPECT_EQ(fake(reference.in()).type, kProbeId);
  EXPECT_EQ(ping(key_of(reference)), "ok");
  EXPECT_EQ(servant->pings, 1);
}

TEST_F(Objects, SystemIdsDiffer) {
  const ObjectId_var a = root->activate_object(servant.in()), b = root->activate_object(other.in());
  EXPECT_FALSE(same(a, b));
}

TEST_F(Objects, IdsOfTheApplicationAreKept) {
  user->activate_object_with_id(one.in(), servant.in());
  const CORBA::Object_var reference = user->id_to_reference(one.in());
  const ObjectId_var id = user->reference_to_id(reference.in());
  const CORBA::String_var text = ObjectId_to_string(id.in());
  EXPECT_STREQ(text.in(), "one");
  EXPECT_EQ(ping(key_of(reference)), "ok");
}

TEST_F(Objects, AnEmptyIdIsAnId) {
  const ObjectId_var empty = text_id("");
  user->activate_object_with_id(empty.in(), servant.in());
  const CORBA::Object_var reference = user->id_to_reference(empty.in());
  EXPECT_EQ(ping(key_of(reference)), "ok");
}

TEST_F(Objects, TheSameIdInTwoAdaptersIsTwoObjects) {
  const POA_var second = child("second", root->create_id_assignment_policy(USER_ID));
  user->activate_object_with_id(one.in(), servant.in());
  second->activate_object_with_id(one.in(), other.in());
  const CORBA::Object_var reference = second->id_to_reference(one.in());
  EXPECT_EQ(ping(key_of(reference)), "ok");
  EXPECT_EQ(servant->pings, 0);
  EXPECT_EQ(other->pings, 1);
}

// --- activate_object, activate_object_with_id: exceptions ---

TEST_F(Objects, ActivatingAServantTwiceIsServantAlreadyActive) {
  const ObjectId_var id = root->activate_object(servant.in());
  EXPECT_THROW(root->activate_object(servant.in()), POA::ServantAlreadyActive);
  user->activate_object_with_id(one.in(), servant.in());  // another adapter: nothing against it
  const ObjectId_var two = text_id("two");
  EXPECT_THROW(user->activate_object_with_id(two.in(), servant.in()), POA::ServantAlreadyActive);
}

TEST_F(Objects, WithMultipleIdsAServantMayHaveMany) {
  const ObjectId_var a = multiple->activate_object(servant.in()), b = multiple->activate_object(servant.in());
  EXPECT_FALSE(same(a, b));
  EXPECT_EQ(servant->_refcount_value(), 3u);
}

TEST_F(Objects, ActivatingAnIdTwiceIsObjectAlreadyActive) {
  user->activate_object_with_id(one.in(), servant.in());
  EXPECT_THROW(user->activate_object_with_id(one.in(), other.in()), POA::ObjectAlreadyActive);
  const ObjectId_var id = root->activate_object(servant.in());
  EXPECT_THROW(root->activate_object_with_id(id.in(), other.in()), POA::ObjectAlreadyActive);
}

TEST_F(Objects, ActivateObjectWithUserIdsIsWrongPolicy) {
  EXPECT_THROW(user->activate_object(servant.in()), POA::WrongPolicy);
}

TEST_F(Objects, IdsThatASystemIdAdapterDidNotMakeAreBadParam14) {
  const auto minor = [&](const ObjectId& id) {
    try {
      root->activate_object_with_id(id, servant.in());
    } catch (const CORBA::BAD_PARAM& e) {
      return e.minor();
    }
    return CORBA::ULong{0};
  };
  EXPECT_EQ(minor(one.in()), CORBA::OMGVMCID | 14);
  const ObjectId_var of_another = plain->activate_object(other.in());
  EXPECT_EQ(minor(of_another.in()), CORBA::OMGVMCID | 14);
  ObjectId_var future = root->activate_object(other.in());
  future[8] = static_cast<CORBA::Octet>(future[8] + 1);  // a generation that has not been
  EXPECT_EQ(minor(future.in()), CORBA::OMGVMCID | 14);
}

TEST_F(Objects, NilServantsAreBadParam) {
  EXPECT_THROW(root->activate_object(nullptr), CORBA::BAD_PARAM);
  EXPECT_THROW(user->activate_object_with_id(one.in(), nullptr), CORBA::BAD_PARAM);
  EXPECT_THROW(root->servant_to_id(nullptr), CORBA::BAD_PARAM);
  EXPECT_THROW(root->servant_to_reference(nullptr), CORBA::BAD_PARAM);
}

// --- deactivate_object ---

TEST_F(Objects, ADeactivatedObjectIsGone) {
  const ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var reference = root->id_to_reference(id.in());
  root->deactivate_object(id.in());
  EXPECT_EQ(ping(key_of(reference)), "OBJECT_NOT_EXIST own 160 NO");
  EXPECT_THROW(root->id_to_reference(id.in()), POA::ObjectNotActive);
}

TEST_F(Objects, DeactivatingWhatIsNotActiveIsObjectNotActive) {
  EXPECT_THROW(user->deactivate_object(one.in()), POA::ObjectNotActive);
  const ObjectId_var id = root->activate_object(servant.in());
  root->deactivate_object(id.in());
  EXPECT_THROW(root->deactivate_object(id.in()), POA::ObjectNotActive);
  EXPECT_THROW(root->deactivate_object(one.in()), POA::ObjectNotActive);
}

TEST_F(Objects, ADeactivatedIdMayBeActivatedAgainAndItsReferencesWork) {
  const ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var reference = root->id_to_reference(id.in());
  root->deactivate_object(id.in());
  const ObjectId_var another = root->activate_object(servant.in());  // takes the same slot
  EXPECT_FALSE(same(id, another));
  root->activate_object_with_id(id.in(), other.in());
  EXPECT_EQ(ping(key_of(reference)), "ok");
  EXPECT_EQ(other->pings, 1);
  EXPECT_EQ(servant->pings, 0);
  const CORBA::Object_var again = root->id_to_reference(id.in());
  EXPECT_EQ(key_of(again), key_of(reference));
  root->deactivate_object(id.in());
  EXPECT_EQ(ping(key_of(reference)), "OBJECT_NOT_EXIST own 160 NO");
}

TEST_F(Objects, DeactivationInsideItsOwnUpcallLetsTheUpcallFinish) {
  const ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var reference = root->id_to_reference(id.in());
  servant->during = [&] {
    root->deactivate_object(id.in());
    EXPECT_EQ(ping(key_of(reference)), "OBJECT_NOT_EXIST own 160 NO");
    EXPECT_THROW(root->deactivate_object(id.in()), POA::ObjectNotActive);
    EXPECT_THROW(root->activate_object_with_id(id.in(), other.in()), POA::ObjectAlreadyActive);
    EXPECT_EQ(servant->_refcount_value(), 2u);
  };
  FakeRequest request(key_of(reference), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply);
  EXPECT_EQ(servant->_refcount_value(), 1u);
}

TEST_F(Objects, ActivatingAnIdWaitsUntilItsDeactivationIsComplete) {
  std::promise<void> entered, go;
  std::atomic<bool> left{false};
  user->activate_object_with_id(one.in(), servant.in());
  const CORBA::Object_var reference = user->id_to_reference(one.in());
  servant->during = [&] {
    entered.set_value();
    go.get_future().wait();
    left = true;
  };
  std::thread client([&] {
    FakeRequest request(key_of(reference), "act");
    call(request);
  });
  entered.get_future().wait();
  user->deactivate_object(one.in());
  std::thread activator([&] {
    user->activate_object_with_id(one.in(), other.in());
    EXPECT_TRUE(left);
  });
  go.set_value();
  client.join();
  activator.join();
  EXPECT_EQ(ping(key_of(reference)), "ok");
  EXPECT_EQ(other->pings, 1);
}

// --- references without servants ---

TEST_F(Objects, CreateReferenceMakesNoObject) {
  const CORBA::Object_var reference = root->create_reference("IDL:test/Later:1.0");
  EXPECT_EQ(fake(reference.in()).type, "IDL:test/Later:1.0");
  EXPECT_EQ(ping(key_of(reference)), "OBJECT_NOT_EXIST own 160 NO");
  EXPECT_EQ(orb.registry->table().active(), 0u);
}

TEST_F(Objects, TheIdOfACreatedReferenceMayBeActivated) {
  for (POA_ptr poa : {root.in(), plain.in()}) {
    const CORBA::Object_var reference = poa->create_reference(kProbeId);
    const ObjectId_var id = poa->reference_to_id(reference.in());
    poa->activate_object_with_id(id.in(), servant.in());
    EXPECT_EQ(ping(key_of(reference)), "ok");
  }
}

TEST_F(Objects, CreatedReferencesDiffer) {
  const CORBA::Object_var a = root->create_reference(kProbeId), b = root->create_reference(kProbeId);
  EXPECT_NE(key_of(a), key_of(b));
  const ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var c = root->id_to_reference(id.in());
  EXPECT_NE(key_of(c), key_of(a));
  EXPECT_NE(key_of(c), key_of(b));
}

TEST_F(Objects, CreateReferenceWithUserIdsIsWrongPolicy) {
  EXPECT_THROW(user->create_reference(kProbeId), POA::WrongPolicy);
  const CORBA::Object_var reference = user->create_reference_with_id(one.in(), kProbeId);
  user->activate_object_with_id(one.in(), servant.in());
  EXPECT_EQ(ping(key_of(reference)), "ok");
}

TEST_F(Objects, CreateReferenceWithAForeignSystemIdIsBadParam) {
  EXPECT_THROW(root->create_reference_with_id(one.in(), kProbeId), CORBA::BAD_PARAM);
  const ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var reference = root->create_reference_with_id(id.in(), kProbeId);
  EXPECT_EQ(ping(key_of(reference)), "ok");
}

TEST_F(Objects, ReferencesNeedARepositoryId) {
  EXPECT_THROW(root->create_reference(nullptr), CORBA::BAD_PARAM);
  EXPECT_THROW(user->create_reference_with_id(one.in(), nullptr), CORBA::BAD_PARAM);
}

// --- from one to the other ---

TEST_F(Objects, IdToServantCountsTheServant) {
  const ObjectId_var id = root->activate_object(servant.in());
  const ServantBase_var found(root->id_to_servant(id.in()));
  EXPECT_EQ(found.in(), servant.in());
  EXPECT_EQ(servant->_refcount_value(), 3u);
  EXPECT_THROW(root->id_to_servant(one.in()), POA::ObjectNotActive);
}

TEST_F(Objects, ReferenceToServantAndToId) {
  const ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var reference = root->id_to_reference(id.in());
  const ServantBase_var found(root->reference_to_servant(reference.in()));
  EXPECT_EQ(found.in(), servant.in());
  const ObjectId_var again = root->reference_to_id(reference.in());
  EXPECT_TRUE(same(id, again));
}

TEST_F(Objects, ReferencesOfAnotherAdapterAreWrongAdapter) {
  user->activate_object_with_id(one.in(), servant.in());
  const ObjectId_var id = root->activate_object(other.in());
  const CORBA::Object_var in_user = user->id_to_reference(one.in()), in_root = root->id_to_reference(id.in());
  EXPECT_THROW(root->reference_to_id(in_user.in()), POA::WrongAdapter);
  EXPECT_THROW(user->reference_to_id(in_root.in()), POA::WrongAdapter);
  EXPECT_THROW(plain->reference_to_servant(in_root.in()), POA::WrongAdapter);
  Orb elsewhere;
  EXPECT_THROW(elsewhere.root->reference_to_id(in_root.in()), POA::WrongAdapter);
  EXPECT_THROW(root->reference_to_id(nullptr), CORBA::BAD_PARAM);
}

TEST_F(Objects, ReferenceToServantOfAnInactiveObjectIsObjectNotActive) {
  const CORBA::Object_var reference = root->create_reference(kProbeId);
  EXPECT_THROW(root->reference_to_servant(reference.in()), POA::ObjectNotActive);
}

TEST_F(Objects, ServantToIdFindsTheActiveServant) {
  const ObjectId_var id = plain->activate_object(servant.in());
  const ObjectId_var again = plain->servant_to_id(servant.in());
  EXPECT_TRUE(same(id, again));
}

TEST_F(Objects, WithoutImplicitActivationAnUnknownServantIsServantNotActive) {
  EXPECT_THROW(plain->servant_to_id(servant.in()), POA::ServantNotActive);
  EXPECT_THROW(plain->servant_to_reference(servant.in()), POA::ServantNotActive);
}

TEST_F(Objects, WithMultipleIdsAndNoImplicitActivationServantToIdIsWrongPolicy) {
  const ObjectId_var id = multiple->activate_object(servant.in());
  EXPECT_THROW(multiple->servant_to_id(servant.in()), POA::WrongPolicy);
  EXPECT_THROW(multiple->servant_to_reference(servant.in()), POA::WrongPolicy);
}

TEST_F(Objects, ImplicitActivationHappensOnce) {
  const CORBA::Object_var a = root->servant_to_reference(servant.in());
  const CORBA::Object_var b = root->servant_to_reference(servant.in());
  EXPECT_EQ(key_of(a), key_of(b));
  EXPECT_EQ(ping(key_of(a)), "ok");
  const ObjectId_var id = root->servant_to_id(servant.in());
  const ObjectId_var same_id = root->reference_to_id(a.in());
  EXPECT_TRUE(same(id, same_id));
}

TEST_F(Objects, ImplicitActivationWithMultipleIdsHappensEveryTime) {
  const POA_var poa = child("both", root->create_id_uniqueness_policy(MULTIPLE_ID),
                            root->create_implicit_activation_policy(IMPLICIT_ACTIVATION));
  const CORBA::Object_var a = poa->servant_to_reference(servant.in()), b = poa->servant_to_reference(servant.in());
  EXPECT_NE(key_of(a), key_of(b));
  EXPECT_EQ(servant->_refcount_value(), 3u);
}

TEST_F(Objects, InsideAnUpcallOfAMultipleIdAdapterTheReferenceIsThatOfTheCall) {
  const ObjectId_var a = multiple->activate_object(servant.in()), b = multiple->activate_object(servant.in());
  const CORBA::Object_var reference = multiple->id_to_reference(b.in());
  servant->during = [&] {
    const CORBA::Object_var mine = multiple->servant_to_reference(servant.in());
    EXPECT_EQ(key_of(mine), key_of(reference));
    EXPECT_THROW(multiple->servant_to_reference(other.in()), POA::WrongPolicy);
  };
  FakeRequest request(key_of(reference), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
}

}  // namespace
}  // namespace callis::poa::testing
