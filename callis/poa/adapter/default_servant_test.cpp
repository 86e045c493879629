// SPDX-License-Identifier: Apache-2.0
// USE_DEFAULT_SERVANT (CORBA 3.3 part 1, 15.3.8.7).
#include <callis/poa/testing/on_demand.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct DefaultServant : OnDemand {
  POA_var poa = user_ids("default", processing(USE_DEFAULT_SERVANT), multiple());
  Servant_var<Probe> servant{new Probe};
};

TEST_F(DefaultServant, ServesEveryIdAndCurrentTellsWhich) {
  poa->set_servant(servant.in());
  const Current_var current = make_current();
  std::string seen;
  servant->during = [&] {
    const ObjectId_var id = current->get_object_id();
    seen = text_of(id.in());
    const ObjectId_var same = poa->servant_to_id(servant.in());
    EXPECT_EQ(text_of(same.in()), seen);
    const CORBA::Object_var mine = poa->servant_to_reference(servant.in());
    EXPECT_EQ(key_of(mine), key(poa.in(), seen.c_str()));
  };
  for (const char* id : {"one", "two"}) {
    FakeRequest request(key(poa.in(), id), "act");
    call(request);
    EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
    EXPECT_EQ(seen, id);
  }
}

TEST_F(DefaultServant, WithoutOneIsObjAdapter3) { EXPECT_EQ(ping(key(poa.in(), "one")), "OBJ_ADAPTER 3 NO"); }

TEST_F(DefaultServant, ActiveObjectsComeFirst) {
  poa->set_servant(servant.in());
  const Servant_var<Probe> own(new Probe);
  const ObjectId_var id = text_id("own");
  poa->activate_object_with_id(id.in(), own.in());
  EXPECT_EQ(ping(key(poa.in(), "own")), "ok");
  EXPECT_EQ(own->pings, 1);
  EXPECT_EQ(servant->pings, 0);
}

TEST_F(DefaultServant, WorksWithoutRetaining) {
  const POA_var bare = user_ids("bare", processing(USE_DEFAULT_SERVANT), multiple(), retention(NON_RETAIN));
  bare->set_servant(servant.in());
  EXPECT_EQ(ping(key(bare.in(), "x")), "ok");
  const ObjectId_var id = text_id("x");
  EXPECT_THROW(bare->activate_object_with_id(id.in(), servant.in()), POA::WrongPolicy);
  EXPECT_THROW(bare->deactivate_object(id.in()), POA::WrongPolicy);
  EXPECT_THROW(bare->id_to_reference(id.in()), POA::WrongPolicy);
  EXPECT_THROW(bare->servant_to_id(servant.in()), POA::ServantNotActive);
}

TEST_F(DefaultServant, IsGotAndReplacedAndCounted) {
  EXPECT_THROW(poa->get_servant(), POA::NoServant);
  poa->set_servant(servant.in());
  EXPECT_EQ(servant->_refcount_value(), 2u);
  const ServantBase_var got(poa->get_servant());
  EXPECT_EQ(got.in(), servant.in());
  const Servant_var<Probe> next(new Probe);
  poa->set_servant(next.in());
  EXPECT_EQ(servant->_refcount_value(), 2u);  // ours and got
  EXPECT_EQ(ping(key(poa.in(), "x")), "ok");
  EXPECT_EQ(next->pings, 1);
}

TEST_F(DefaultServant, IsWhatIdsAndReferencesLeadTo) {
  poa->set_servant(servant.in());
  const ObjectId_var id = text_id("any");
  const ServantBase_var by_id(poa->id_to_servant(id.in()));
  const CORBA::Object_var reference = poa->create_reference_with_id(id.in(), kProbeId);
  const ServantBase_var by_reference(poa->reference_to_servant(reference.in()));
  EXPECT_EQ(by_id.in(), servant.in());
  EXPECT_EQ(by_reference.in(), servant.in());
}

// 15.3.9, servant_to_id: implicit activation comes before the id of the request.
TEST_F(DefaultServant, IsActivatedImplicitlyEvenInsideItsRequest) {
  CORBA::Policy* const implicit = root->create_implicit_activation_policy(IMPLICIT_ACTIVATION);
  const POA_var both = child("both", implicit, processing(USE_DEFAULT_SERVANT), multiple());
  both->set_servant(servant.in());
  const CORBA::Object_var object = both->create_reference(kProbeId);
  const ObjectId_var called = both->reference_to_id(object.in());
  bool same = true;
  servant->during = [&] {
    const ObjectId_var id = both->servant_to_id(servant.in());
    same = std::ranges::equal(bytes_of(id.in()), bytes_of(called.in()));
    EXPECT_NO_THROW(both->deactivate_object(id.in()));
  };
  FakeRequest request(key_of(object), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
  EXPECT_FALSE(same);
}

TEST_F(DefaultServant, IsLetGoWithTheAdapter) {
  poa->set_servant(servant.in());
  poa->destroy(true, true);
  EXPECT_EQ(servant->_refcount_value(), 1u);
}

TEST_F(DefaultServant, MayNotBeReachedAsAnObjectOfItsOwn) {
  poa->set_servant(servant.in());
  const POA_var plain = child("plain");
  CORBA::Object_var other;
  activate(other, plain.in());
  // Every slot and generation that the default servant's could be, under every tag that is in use.
  Key forged = key_of(other);
  for (Byte slot = 0; slot < 8; ++slot)
    for (Byte tag = 0; tag < 8; ++tag) {
      forged[12] = tag;
      forged[16] = slot;
      (void)ping(forged);
    }
  EXPECT_EQ(servant->pings, 0);
}

TEST_F(DefaultServant, IsReachedWithoutTheLock) {
  poa->set_servant(servant.in());
  const Key one = key(poa.in(), "one");
  Registry::Guard guard(*orb.registry);
  auto answer = std::async(std::launch::async, [&] { return ping(one); });
  EXPECT_EQ(answer.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  guard.unlock();
  EXPECT_EQ(answer.get(), "ok");
}

TEST_F(DefaultServant, GivesWayToAnObjectThatBecomesActive) {
  poa->set_servant(servant.in());
  const Key one = key(poa.in(), "one");
  EXPECT_EQ(ping(one), "ok");
  const Servant_var<Probe> own(new Probe);
  poa->activate_object_with_id(text_id("one").in(), own.in());
  EXPECT_EQ(ping(one), "ok");
  EXPECT_EQ(own->pings, 1);
  EXPECT_EQ(servant->pings, 1);
  poa->deactivate_object(text_id("one").in());
  EXPECT_EQ(ping(one), "ok");
  EXPECT_EQ(servant->pings, 2);
}

TEST_F(DefaultServant, IsNotReachedByAnEmptyIdThatIsNotItsOwn) {
  poa->set_servant(servant.in());
  const Servant_var<Probe> own(new Probe);
  poa->activate_object_with_id(text_id("").in(), own.in());
  EXPECT_EQ(ping(key(poa.in(), "")), "ok");
  EXPECT_EQ(ping(key(poa.in(), "other")), "ok");
  EXPECT_EQ(own->pings, 1);
  EXPECT_EQ(servant->pings, 1);
}

TEST_F(DefaultServant, NeedsItsPolicy) {
  EXPECT_THROW(root->set_servant(servant.in()), POA::WrongPolicy);
  EXPECT_THROW(root->get_servant(), POA::WrongPolicy);
  EXPECT_THROW(poa->set_servant(nullptr), CORBA::BAD_PARAM);
}

TEST_F(DefaultServant, NeedsMultipleIds) {
  try {
    const POA_var bad = user_ids("bad", processing(USE_DEFAULT_SERVANT));
    FAIL();
  } catch (const POA::InvalidPolicy& e) {
    EXPECT_EQ(e.index, 1);
  }
}

TEST_F(DefaultServant, LocateSaysHere) {
  ior::Ior forward;
  EXPECT_EQ(orb.dispatcher.locate(key(poa.in(), "x"), forward), callis::orb::Locate::Unknown);
  poa->set_servant(servant.in());
  EXPECT_EQ(orb.dispatcher.locate(key(poa.in(), "x"), forward), callis::orb::Locate::Here);
}

}  // namespace
}  // namespace callis::poa::testing
