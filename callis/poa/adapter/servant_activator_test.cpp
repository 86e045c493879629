// SPDX-License-Identifier: Apache-2.0
// Servants made at the first request (CORBA 3.3 part 1, 15.3.6).
#include <callis/poa/testing/on_demand.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

class TestActivator : public ServantActivator {
 public:
  std::function<Servant(const std::string&)> make = [](const std::string&) { return new Probe; };
  std::atomic<int> incarnated{0}, etherealized{0};
  std::vector<std::string> gone;
  std::function<void()> after;
  bool cleanup = false, remaining = false;

  Servant incarnate(const ObjectId& id, POA_ptr) override {
    ++incarnated;
    return make(text_of(id));
  }
  void etherealize(const ObjectId& id, POA_ptr, Servant servant, CORBA::Boolean c, CORBA::Boolean r) override {
    ++etherealized;
    gone.push_back(text_of(id));
    cleanup = c;
    remaining = r;
    if (after) after();
    if (!r) servant->_remove_ref();  // the count of incarnate()
  }
};

struct ActivatorTest : OnDemand {
  POA_var poa = user_ids("activated", processing(USE_SERVANT_MANAGER));
  classic::ReferenceVar<TestActivator> activator{new TestActivator};

  // From now on the servant of "slow", with a count of its own.
  Servant_var<Probe> make_slow() {
    Servant_var<Probe> slow(new Probe);
    activator->make = [slow](const std::string& id) -> Servant {
      return id == "slow" ? Servant_var<Probe>(slow)._retn() : new Probe;
    };
    return slow;
  }
};

TEST_F(ActivatorTest, MakesTheServantAtTheFirstRequestOnly) {
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  EXPECT_EQ(activator->incarnated, 1);
  EXPECT_EQ(ping(key(poa.in(), "b")), "ok");
  EXPECT_EQ(activator->incarnated, 2);
}

TEST_F(ActivatorTest, IsToldOfTheEnd) {
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  const ObjectId_var id = text_id("a");
  poa->deactivate_object(id.in());
  EXPECT_EQ(activator->gone, std::vector<std::string>{"a"});
  EXPECT_FALSE(activator->cleanup);
  EXPECT_FALSE(activator->remaining);
  EXPECT_EQ(Probe::alive, alive_before);
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");  // made again
  EXPECT_EQ(activator->incarnated, 2);
}

// The C++ mapping has etherealize() consume the servant (1.3, 4.38.3).
TEST_F(ActivatorTest, EtherealizeMayDeleteTheServant) {
  struct Deleter : TestActivator {
    CORBA::ULong counts = 0;
    void etherealize(const ObjectId&, POA_ptr, Servant servant, CORBA::Boolean, CORBA::Boolean) override {
      counts = servant->_refcount_value();
      delete servant;
    }
  };
  const classic::ReferenceVar<Deleter> deleter(new Deleter);
  poa->set_servant_manager(deleter.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  poa->deactivate_object(text_id("a").in());
  EXPECT_EQ(deleter->counts, 1u) << "the adapter has given its own back";
  EXPECT_EQ(Probe::alive, alive_before);
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  poa->destroy(true, true);
  EXPECT_EQ(Probe::alive, alive_before);
}

TEST_F(ActivatorTest, EtherealizeConsumesTheCountOfAServantThatWasActivatedOtherwise) {
  poa->set_servant_manager(activator.in());
  const Servant_var<Probe> kept(new Probe);
  poa->activate_object_with_id(text_id("kept").in(), kept.in());
  poa->deactivate_object(text_id("kept").in());
  EXPECT_EQ(kept->_refcount_value(), 1u);
  {
    const Servant_var<Probe> given(new Probe);
    poa->activate_object_with_id(text_id("given").in(), given.in());
  }
  poa->deactivate_object(text_id("given").in());
  EXPECT_EQ(activator->etherealized, 2);
  EXPECT_EQ(Probe::alive, alive_before + 1);
}

TEST_F(ActivatorTest, WithoutOneIsObjAdapter4) { EXPECT_EQ(ping(key(poa.in(), "a")), "OBJ_ADAPTER 4 NO"); }

TEST_F(ActivatorTest, NilIsObjAdapter7) {
  activator->make = [](const std::string&) { return nullptr; };
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "OBJ_ADAPTER 7 NO");
}

TEST_F(ActivatorTest, AServantThatIsActiveAlreadyIsObjAdapter5) {
  const Servant_var<Probe> one(new Probe);
  activator->make = [&](const std::string&) { return one.in(); };
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  EXPECT_EQ(ping(key(poa.in(), "b")), "OBJ_ADAPTER 5 NO");
  poa->destroy(false, true);
}

TEST_F(ActivatorTest, SystemExceptionsPassAndOthersAreUnknown) {
  poa->set_servant_manager(activator.in());
  activator->make = [](const std::string&) -> Servant { throw CORBA::NO_PERMISSION(); };
  EXPECT_EQ(ping(key(poa.in(), "a")), "NO_PERMISSION own 0 NO");
  activator->make = [](const std::string&) -> Servant { throw std::runtime_error("x"); };
  EXPECT_EQ(ping(key(poa.in(), "a")), "UNKNOWN own 165 NO");
  activator->make = [](const std::string&) { return new Probe; };
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
}

TEST_F(ActivatorTest, ForwardRequestToNilIsObjAdapter) {
  activator->make = [](const std::string&) -> Servant { throw ForwardRequest(); };
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "OBJ_ADAPTER own 167 NO");
}

TEST_F(ActivatorTest, IsAskedOnceForManyRequestsAtOnce) {
  std::promise<void> go;
  std::shared_future<void> ready = go.get_future().share();
  activator->make = [ready](const std::string&) {
    ready.wait();
    return new Probe;
  };
  poa->set_servant_manager(activator.in());
  const Key k = key(poa.in(), "a");
  std::vector<std::thread> clients;
  for (int i = 0; i < 4; ++i) clients.emplace_back([&] { EXPECT_EQ(ping(k), "ok"); });
  await([&] { return activator->incarnated == 1; });
  go.set_value();
  for (auto& c : clients) c.join();
  EXPECT_EQ(activator->incarnated, 1);
}

TEST_F(ActivatorTest, ANewRequestWaitsForTheEndOfTheOldActivation) {
  poa->set_servant_manager(activator.in());
  std::promise<void> entered, go;
  bool first = true;
  activator->make = [&](const std::string&) {
    auto* servant = new Probe;
    if (std::exchange(first, false))
      servant->during = [&] {
        entered.set_value();
        go.get_future().wait();
      };
    return servant;
  };
  const Key k = key(poa.in(), "a");
  std::thread client([&] {
    FakeRequest request(k, "act");
    call(request);
    EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply);
  });
  entered.get_future().wait();
  const ObjectId_var id = text_id("a");
  poa->deactivate_object(id.in());
  std::thread second([&] {
    EXPECT_EQ(ping(k), "ok");
    EXPECT_EQ(activator->etherealized, 1);
  });
  await([&] { return orb.registry->held() == 1; });
  EXPECT_EQ(activator->incarnated, 1);
  go.set_value();
  client.join();
  second.join();
  EXPECT_EQ(activator->incarnated, 2);
}

TEST_F(ActivatorTest, DestroyEtherealizesWhenAskedTo) {
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  EXPECT_EQ(ping(key(poa.in(), "b")), "ok");
  poa->destroy(true, true);
  EXPECT_EQ(activator->etherealized, 2);
  EXPECT_TRUE(activator->cleanup);
}

// A request that is being executed, until it is let go.
struct Lasting {
  std::promise<void> entered, go;
  std::thread client;
  Lasting(orb::RequestHandler& dispatcher, Key key, Probe& servant) {
    servant.during = [this] {
      entered.set_value();
      go.get_future().wait();
    };
    client = std::thread([&dispatcher, key] {
      FakeRequest request(key, "act");
      dispatcher.handle(request);
    });
    entered.get_future().wait();
  }
  void end() {
    go.set_value();
    client.join();
  }
};

TEST_F(ActivatorTest, DestroyEtherealizesAfterTheLastRequestWhenTheAdapterIsNoMore) {
  const Servant_var<Probe> slow = make_slow();
  int told = 0;
  activator->after = [&] {
    ++told;
    EXPECT_THROW(poa->the_name(), CORBA::OBJECT_NOT_EXIST);
    EXPECT_THROW(poa->deactivate_object(text_id("idle").in()), CORBA::OBJECT_NOT_EXIST);
    EXPECT_THROW(poa->destroy(true, false), CORBA::OBJECT_NOT_EXIST);
    EXPECT_THROW(root->find_POA("activated", false), POA::AdapterNonExistent);
    EXPECT_THROW(root->destroy(true, true), CORBA::BAD_INV_ORDER) << "it would wait for this";
    EXPECT_THROW(user_ids("activated"), CORBA::BAD_INV_ORDER) << "so would this";
  };
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "idle")), "ok");
  EXPECT_EQ(ping(key(poa.in(), "slow")), "ok");
  Lasting request(orb.dispatcher, key(poa.in(), "slow"), *slow.in());
  poa->destroy(true, false);
  EXPECT_EQ(activator->etherealized, 0) << "a request is being executed";
  request.end();
  EXPECT_EQ(activator->etherealized, 2);
  EXPECT_EQ(told, 2);
  const POA_var again = user_ids("activated");
  EXPECT_EQ(ping(key(again.in(), "idle")), "OBJECT_NOT_EXIST own 160 NO");
}

TEST_F(ActivatorTest, DestroyEtherealizesThoseBelowFirst) {
  CORBA::PolicyList list;
  list.length(2);
  list[0] = root->create_id_assignment_policy(USER_ID);
  list[1] = processing(USE_SERVANT_MANAGER);
  const POA_var below = poa->create_POA("below", manager.in(), list);
  poa->set_servant_manager(activator.in());
  below->set_servant_manager(activator.in());
  const Servant_var<Probe> slow = make_slow();
  EXPECT_EQ(ping(key(poa.in(), "above")), "ok");
  EXPECT_EQ(ping(key(below.in(), "slow")), "ok");
  Lasting request(orb.dispatcher, key(below.in(), "slow"), *slow.in());
  poa->destroy(true, false);
  EXPECT_EQ(activator->etherealized, 0);
  request.end();
  EXPECT_EQ(activator->gone, (std::vector<std::string>{"slow", "above"}));
}

TEST_F(ActivatorTest, DeactivatingTheManagerWaitsForEtherealize) {
  const Servant_var<Probe> slow = make_slow();
  std::atomic<bool> returned{false};
  activator->after = [&] {
    orb.registry->stop_holding();  // wakes whoever waits
    for (int i = 0; i < 2000; ++i) std::this_thread::yield();
    EXPECT_FALSE(returned);
  };
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "slow")), "ok");
  Lasting request(orb.dispatcher, key(poa.in(), "slow"), *slow.in());
  std::thread deactivator([&] {
    manager->deactivate(true, true);
    returned = true;
    EXPECT_EQ(activator->etherealized, 1);
  });
  await([&] { return manager->get_state() == POAManager::INACTIVE; });
  request.end();
  deactivator.join();
}

TEST_F(ActivatorTest, CleanupIsOverOnceTheManagersObjectsAreGone) {
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  manager->deactivate(true, true);
  EXPECT_TRUE(activator->cleanup);
  const ObjectId_var id = text_id("b");
  poa->activate_object_with_id(id.in(), Servant_var<Probe>(new Probe).in());
  poa->deactivate_object(id.in());
  EXPECT_FALSE(activator->cleanup);
}

TEST_F(ActivatorTest, DestroyDoesNotEtherealizeWhenNotAskedTo) {
  const Servant_var<Probe> servant(new Probe);
  activator->make = [&](const std::string&) { return servant.in(); };
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  poa->destroy(false, true);
  EXPECT_EQ(activator->etherealized, 0);
  EXPECT_EQ(servant->_refcount_value(), 1u);
}

TEST_F(ActivatorTest, DeactivatingTheManagerEtherealizesWhenAskedTo) {
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  manager->deactivate(true, true);
  EXPECT_EQ(activator->etherealized, 1);
  EXPECT_TRUE(activator->cleanup);
}

// Requests make servants while others end them: nothing is lost, and every servant made is told of.
TEST_F(ActivatorTest, MakingAndEndingAtOnce) {
  poa->set_servant_manager(activator.in());
  const Key k = key(poa.in(), "a");
  std::atomic<bool> stop{false};
  std::vector<std::thread> clients;
  for (int t = 0; t < 3; ++t)
    clients.emplace_back([&] {
      while (!stop) EXPECT_EQ(ping(k), "ok");
    });
  const ObjectId_var id = text_id("a");
  for (int ended = 0; ended < 50;) {
    try {
      poa->deactivate_object(id.in());
      ++ended;
    } catch (const POA::ObjectNotActive&) {
      std::this_thread::yield();
    }
  }
  stop = true;
  for (auto& c : clients) c.join();
  poa->destroy(true, true);
  EXPECT_EQ(activator->incarnated, activator->etherealized);
  EXPECT_EQ(Probe::alive, alive_before);
}

TEST_F(ActivatorTest, RemainingActivationsAreTold) {
  const POA_var many = user_ids("many", processing(USE_SERVANT_MANAGER), multiple());
  auto* servant = new Probe;
  activator->make = [&](const std::string&) { return servant; };
  many->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(many.in(), "a")), "ok");
  EXPECT_EQ(ping(key(many.in(), "b")), "ok");
  const ObjectId_var a = text_id("a"), b = text_id("b");
  many->deactivate_object(a.in());
  EXPECT_TRUE(activator->remaining);
  many->deactivate_object(b.in());
  EXPECT_FALSE(activator->remaining);
  EXPECT_EQ(Probe::alive, alive_before);
}

TEST_F(ActivatorTest, ExceptionsOfEtherealizeAreIgnored) {
  struct Thrower : TestActivator {
    void etherealize(const ObjectId&, POA_ptr, Servant servant, CORBA::Boolean, CORBA::Boolean) override {
      servant->_remove_ref();
      throw CORBA::INTERNAL();
    }
  };
  const classic::ReferenceVar<Thrower> thrower(new Thrower);
  poa->set_servant_manager(thrower.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  const ObjectId_var a = text_id("a");
  poa->deactivate_object(a.in());
  EXPECT_EQ(Probe::alive, alive_before);
}

TEST_F(ActivatorTest, IncarnateMayCallObjectsOfItsAdapter) {
  activator->make = [&](const std::string& id) {
    if (id == "outer") {
      EXPECT_EQ(ping(key(poa.in(), "inner")), "ok");
    }
    return new Probe;
  };
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "outer")), "ok");
  EXPECT_EQ(activator->incarnated, 2);
}

TEST_F(ActivatorTest, IncarnateMayActivateTheObjectItself) {
  const Servant_var<Probe> servant(new Probe);
  activator->make = [&](const std::string& text) {
    const ObjectId_var id = text_id(text.c_str());
    poa->activate_object_with_id(id.in(), servant.in());
    return servant.in();
  };
  poa->set_servant_manager(activator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  EXPECT_EQ(servant->pings, 1);
  servant->_add_ref();  // what etherealize() takes
  poa->destroy(true, true);
}

TEST_F(ActivatorTest, AnAdapterDestroyedDuringIncarnationEtherealizesTheNewServant) {
  activator->make = [&](const std::string&) {
    poa->destroy(true, false);
    return new Probe;
  };
  poa->set_servant_manager(activator.in());
  const std::string outcome = ping(key(poa.in(), "a"));
  EXPECT_TRUE(outcome == "TRANSIENT 4 NO" || outcome == "OBJECT_NOT_EXIST 2 NO") << outcome;
  EXPECT_EQ(activator->etherealized, 1);
  EXPECT_EQ(Probe::alive, alive_before);
}

TEST_F(ActivatorTest, IsSetOnceAndOfTheRightKind) {
  struct Locator : ServantLocator {
    Servant preinvoke(const ObjectId&, POA_ptr, const char*, Cookie&) override { return nullptr; }
    void postinvoke(const ObjectId&, POA_ptr, const char*, Cookie, Servant) override {}
  };
  const classic::ReferenceVar<Locator> locator(new Locator);
  const auto minor = [&](ServantManager_ptr m) -> CORBA::ULong {
    try {
      poa->set_servant_manager(m);
    } catch (const CORBA::OBJ_ADAPTER& e) {
      return e.minor();
    } catch (const CORBA::BAD_INV_ORDER& e) {
      return e.minor();
    }
    return 0;
  };
  EXPECT_EQ(minor(locator.in()), CORBA::OMGVMCID | 4);
  EXPECT_EQ(minor(nullptr), CORBA::OMGVMCID | 4);
  const ServantManager_var none = poa->get_servant_manager();
  EXPECT_EQ(none.in(), nullptr);
  EXPECT_EQ(minor(activator.in()), 0u);
  EXPECT_EQ(minor(activator.in()), CORBA::OMGVMCID | 6);
  const ServantManager_var set = poa->get_servant_manager();
  EXPECT_EQ(set.in(), static_cast<ServantManager_ptr>(activator.in()));
  EXPECT_THROW(root->set_servant_manager(activator.in()), POA::WrongPolicy);
  EXPECT_THROW(root->get_servant_manager(), POA::WrongPolicy);
}

// Applications delete their managers behind ORB::destroy(), and hold adapters for longer.
TEST_F(ActivatorTest, IsLetGoWithTheAdapterWhoeverHoldsThat) {
  bool ended = false;
  {
    const classic::ReferenceVar<TellsOfItsEnd<TestActivator>> mine(new TellsOfItsEnd<TestActivator>(ended));
    poa->set_servant_manager(mine.in());
    EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  }
  EXPECT_FALSE(ended);
  poa->destroy(true, true);
  EXPECT_TRUE(ended) << "though the test has the adapter";
  EXPECT_THROW(poa->get_servant_manager(), CORBA::OBJECT_NOT_EXIST);
}

}  // namespace
}  // namespace callis::poa::testing
