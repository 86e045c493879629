// SPDX-License-Identifier: Apache-2.0
// POAManager: its states, and what requests meet in each.
#include <callis/poa/testing/fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

// CORBA 3.3 part 1, 15.3.3
struct ManagerTest : PoaTest {
  CORBA::Object_var reference;
  Probe* probe = activate(reference);
  Key key = key_of(reference);
};

TEST_F(ManagerTest, HoldsAtFirst) {
  const POA_var a = root->create_POA("a", nullptr, {});
  const POAManager_var m = a->the_POAManager();
  EXPECT_EQ(m->get_state(), POAManager::HOLDING);
  m->activate();
  EXPECT_EQ(m->get_state(), POAManager::ACTIVE);
}

TEST_F(ManagerTest, HasAnIdOfItsOwn) {
  const POA_var a = root->create_POA("a", nullptr, {});
  const POAManager_var m = a->the_POAManager();
  const CORBA::String_var mine = manager->get_id(), other = m->get_id();
  EXPECT_STRNE(mine.in(), other.in());
}

TEST_F(ManagerTest, DiscardingIsTransient1) {
  manager->discard_requests(false);
  EXPECT_EQ(manager->get_state(), POAManager::DISCARDING);
  EXPECT_EQ(ping(key), "TRANSIENT 1 NO");
  manager->activate();
  EXPECT_EQ(ping(key), "ok");
}

TEST_F(ManagerTest, InactiveIsObjAdapter1) {
  manager->deactivate(false, true);
  EXPECT_EQ(manager->get_state(), POAManager::INACTIVE);
  EXPECT_EQ(ping(key), "OBJ_ADAPTER 1 NO");
}

TEST_F(ManagerTest, InactiveIsForEver) {
  manager->deactivate(true, false);
  EXPECT_THROW(manager->activate(), POAManager::AdapterInactive);
  EXPECT_THROW(manager->hold_requests(false), POAManager::AdapterInactive);
  EXPECT_THROW(manager->discard_requests(false), POAManager::AdapterInactive);
  EXPECT_THROW(manager->deactivate(false, false), POAManager::AdapterInactive);
  EXPECT_EQ(manager->get_state(), POAManager::INACTIVE);
}

TEST_F(ManagerTest, StatesConcernOnlyTheManagersAdapters) {
  const POA_var other = root->create_POA("other", nullptr, {});
  CORBA::Object_var in_other;
  activate(in_other, other.in());
  const POAManager_var m = other->the_POAManager();
  m->discard_requests(false);
  EXPECT_EQ(ping(key), "ok");
  EXPECT_EQ(ping(key_of(in_other)), "TRANSIENT 1 NO");
}

TEST_F(ManagerTest, ANewAdapterTakesTheStateOfItsManager) {
  manager->discard_requests(false);
  const POA_var a = child("a");
  CORBA::Object_var in_a;
  activate(in_a, a.in());
  EXPECT_EQ(ping(key_of(in_a)), "TRANSIENT 1 NO");
}

TEST_F(ManagerTest, UnknownObjectsOfAnAdapterThatDoesNotServeAreRefusedLikeKnownOnes) {
  Key unknown = key;
  unknown[20] ^= 1;
  manager->discard_requests(false);
  EXPECT_EQ(ping(unknown), "TRANSIENT 1 NO");
}

TEST_F(ManagerTest, HeldRequestsGoOnWhenTheManagerIsActivated) {
  manager->hold_requests(false);
  std::vector<std::thread> clients;
  for (int i = 0; i < 3; ++i) clients.emplace_back([&] { EXPECT_EQ(ping(key), "ok"); });
  await([&] { return orb.registry->held() == 3; });
  EXPECT_EQ(probe->pings, 0);
  manager->activate();
  for (auto& c : clients) c.join();
  EXPECT_EQ(probe->pings, 3);
  EXPECT_EQ(orb.registry->held(), 0u);
}

TEST_F(ManagerTest, HeldRequestsAreRefusedWhenTheManagerDiscards) {
  manager->hold_requests(false);
  std::thread client([&] { EXPECT_EQ(ping(key), "TRANSIENT 1 NO"); });
  await([&] { return orb.registry->held() == 1; });
  manager->discard_requests(false);
  client.join();
}

TEST_F(ManagerTest, HeldRequestsAreRefusedWhenTheManagerIsDeactivated) {
  manager->hold_requests(false);
  std::thread client([&] { EXPECT_EQ(ping(key), "OBJ_ADAPTER 1 NO"); });
  await([&] { return orb.registry->held() == 1; });
  manager->deactivate(false, false);
  client.join();
}

TEST_F(ManagerTest, HeldRequestsAreRefusedWhenTheAdapterIsDestroyed) {
  const POA_var a = root->create_POA("a", nullptr, {});
  CORBA::Object_var in_a;
  activate(in_a, a.in());
  std::thread client([&] {
    const std::string outcome = ping(key_of(in_a));
    EXPECT_TRUE(outcome == "TRANSIENT 4 NO" || outcome == "OBJECT_NOT_EXIST 2 NO") << outcome;
  });
  await([&] { return orb.registry->held() == 1; });
  a->destroy(true, true);
  client.join();
}

TEST_F(ManagerTest, ObjectsActivatedDuringTheHoldAreServed) {
  const POA_var a = root->create_POA("a", nullptr, {});
  const CORBA::Object_var early = a->create_reference(kProbeId);
  std::thread client([&] { EXPECT_EQ(ping(key_of(early)), "ok"); });
  await([&] { return orb.registry->held() == 1; });
  const ObjectId_var id = a->reference_to_id(early.in());
  const Servant_var<Probe> servant(new Probe);
  a->activate_object_with_id(id.in(), servant.in());
  const POAManager_var m = a->the_POAManager();
  m->activate();
  client.join();
  EXPECT_EQ(servant->pings, 1);
}

TEST_F(ManagerTest, AHeldRequestGivesUpAfterItsTime) {
  Registry::Options options;
  options.hold_timeout = Duration{1};
  Orb impatient(options);
  impatient.manager->hold_requests(false);
  const Servant_var<Probe> servant(new Probe);
  const ObjectId_var id = impatient.root->activate_object(servant.in());
  const CORBA::Object_var object = impatient.root->id_to_reference(id.in());
  FakeRequest request(key_of(object), "ping");
  impatient.dispatcher.handle(request);
  EXPECT_EQ(request.system(), "TRANSIENT 1 NO");
}

TEST_F(ManagerTest, BeyondTheLimitRequestsAreNotHeldButRefused) {
  Registry::Options options;
  options.max_held = 0;
  Orb full(options);
  full.manager->hold_requests(false);
  const Servant_var<Probe> servant(new Probe);
  const ObjectId_var id = full.root->activate_object(servant.in());
  const CORBA::Object_var object = full.root->id_to_reference(id.in());
  FakeRequest request(key_of(object), "ping");
  full.dispatcher.handle(request);
  EXPECT_EQ(request.system(), "TRANSIENT 1 NO");
}

TEST_F(ManagerTest, WaitForCompletionWaitsForTheLastRequest) {
  for (const int state : {0, 1, 2}) {
    const POA_var a = root->create_POA(("a" + std::to_string(state)).c_str(), nullptr, {});
    const POAManager_var m = a->the_POAManager();
    m->activate();
    CORBA::Object_var object;
    std::promise<void> entered, go;
    std::atomic<bool> left{false};
    activate(object, a.in())->during = [&] {
      entered.set_value();
      go.get_future().wait();
      left = true;
    };
    std::thread client([&] {
      FakeRequest request(key_of(object), "act");
      call(request);
    });
    entered.get_future().wait();
    std::thread changer([&] {
      if (state == 0) m->hold_requests(true);
      if (state == 1) m->discard_requests(true);
      if (state == 2) m->deactivate(true, true);
      EXPECT_TRUE(left);
    });
    await([&] { return m->get_state() != POAManager::ACTIVE; });
    go.set_value();
    client.join();
    changer.join();
  }
}

TEST_F(ManagerTest, WaitForCompletionEndsWhenAnotherChangesTheState) {
  std::promise<void> entered, go;
  probe->during = [&] {
    entered.set_value();
    go.get_future().wait();
  };
  std::thread client([&] {
    FakeRequest request(key, "act");
    call(request);
  });
  entered.get_future().wait();
  std::thread holder([&] { manager->hold_requests(true); });
  await([&] { return manager->get_state() == POAManager::HOLDING; });
  manager->activate();
  holder.join();  // although the request is still there
  go.set_value();
  client.join();
}

TEST_F(ManagerTest, WaitForCompletionInsideAnUpcallIsBadInvOrder3AndChangesNothing) {
  in_upcall([&] {
    for (const int state : {0, 1, 2}) {
      try {
        if (state == 0) manager->hold_requests(true);
        if (state == 1) manager->discard_requests(true);
        if (state == 2) manager->deactivate(true, true);
        ADD_FAILURE() << state;
      } catch (const CORBA::BAD_INV_ORDER& e) {
        EXPECT_EQ(e.minor(), CORBA::OMGVMCID | 3);
      }
    }
    EXPECT_EQ(manager->get_state(), POAManager::ACTIVE);
  });
}

TEST_F(ManagerTest, StatesMayChangeInsideAnUpcallWithoutWaiting) {
  in_upcall([&] {
    manager->hold_requests(false);
    manager->activate();
  });
  EXPECT_EQ(ping(key), "ok");
}

TEST_F(ManagerTest, NoWakeUpIsLost) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> clients;
  for (int t = 0; t < 3; ++t)
    clients.emplace_back([&] {
      while (!stop) EXPECT_EQ(ping(key), "ok");
    });
  for (int i = 0; i < 300; ++i) {
    manager->hold_requests(i % 2 == 0);
    manager->activate();
  }
  stop = true;
  for (auto& c : clients) c.join();
}

TEST_F(ManagerTest, AManagerOutlivesItsAdapters) {
  POA_var a = root->create_POA("a", nullptr, {});
  const POAManager_var m = a->the_POAManager();
  a->destroy(true, true);
  a = POA::_nil();
  m->activate();
  EXPECT_EQ(m->get_state(), POAManager::ACTIVE);
}

}  // namespace
}  // namespace callis::poa::testing
