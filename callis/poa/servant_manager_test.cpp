// SPDX-License-Identifier: Apache-2.0
// Servants and adapters on demand (CORBA 3.3 part 1, 15.3.4-15.3.7).
#include <callis/poa/testing/fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

std::string text_of(const ObjectId& id) {
  const CORBA::String_var text = ObjectId_to_string(id);
  return text.in();
}

struct OnDemand : PoaTest {
  template <class... P>
  POA_ptr user_ids(const char* name, P*... policies) {
    return child(name, static_cast<CORBA::Policy*>(root->create_id_assignment_policy(USER_ID)),
                 static_cast<CORBA::Policy*>(policies)...);
  }
  CORBA::Policy_ptr processing(RequestProcessingPolicyValue v) { return root->create_request_processing_policy(v); }
  CORBA::Policy_ptr retention(ServantRetentionPolicyValue v) { return root->create_servant_retention_policy(v); }
  CORBA::Policy_ptr multiple() { return root->create_id_uniqueness_policy(MULTIPLE_ID); }
  static Key key(POA_ptr poa, const char* id) {
    const ObjectId_var oid = text_id(id);
    const CORBA::Object_var reference = poa->create_reference_with_id(oid.in(), kProbeId);
    return key_of(reference);
  }
};

// --- USE_DEFAULT_SERVANT ---

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

// --- ServantActivator ---

class TestActivator : public ServantActivator {
 public:
  std::function<Servant(const std::string&)> make = [](const std::string&) { return new Probe; };
  std::atomic<int> incarnated{0}, etherealized{0};
  std::vector<std::string> gone;
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
    if (!r) servant->_remove_ref();  // the count of incarnate()
  }
};

struct ActivatorTest : OnDemand {
  POA_var poa = user_ids("activated", processing(USE_SERVANT_MANAGER));
  classic::ReferenceVar<TestActivator> activator{new TestActivator};
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
  EXPECT_EQ(ping(key(poa.in(), "a")), "UNKNOWN own 165 MAYBE");
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

// --- ServantLocator ---

class TestLocator : public ServantLocator {
 public:
  Servant_var<Probe> servant{new Probe};
  std::function<Servant(const std::string&)> find = [this](const std::string&) { return servant.in(); };
  std::function<void()> after = [] {};
  std::vector<std::string> calls;

  Servant preinvoke(const ObjectId& id, POA_ptr, const char* operation, Cookie& cookie) override {
    calls.push_back("pre " + text_of(id) + " " + operation);
    cookie = this;
    return find(text_of(id));
  }
  void postinvoke(const ObjectId& id, POA_ptr, const char* operation, Cookie cookie, Servant s) override {
    EXPECT_EQ(cookie, this);
    EXPECT_EQ(s, servant.in());
    calls.push_back("post " + text_of(id) + " " + operation);
    after();
  }
};

struct LocatorTest : OnDemand {
  POA_var poa = user_ids("located", processing(USE_SERVANT_MANAGER), retention(NON_RETAIN));
  classic::ReferenceVar<TestLocator> locator{new TestLocator};
};

TEST_F(LocatorTest, IsAskedBeforeAndAfterEveryRequest) {
  poa->set_servant_manager(locator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  EXPECT_EQ(ping(key(poa.in(), "b")), "ok");
  EXPECT_EQ(locator->calls, (std::vector<std::string>{"pre a ping", "post a ping", "pre b ping", "post b ping"}));
  EXPECT_EQ(locator->servant->pings, 2);
}

TEST_F(LocatorTest, WithoutOneIsObjAdapter4) { EXPECT_EQ(ping(key(poa.in(), "a")), "OBJ_ADAPTER 4 NO"); }

TEST_F(LocatorTest, NilIsObjAdapter7) {
  locator->find = [](const std::string&) { return nullptr; };
  poa->set_servant_manager(locator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "OBJ_ADAPTER 7 NO");
}

TEST_F(LocatorTest, ExceptionsOfPreinvokeEndTheRequest) {
  locator->find = [](const std::string&) -> Servant { throw CORBA::OBJECT_NOT_EXIST(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO); };
  poa->set_servant_manager(locator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "OBJECT_NOT_EXIST 1 NO");
  EXPECT_EQ(locator->calls.size(), 1u);
}

TEST_F(LocatorTest, PostinvokeIsCalledAfterExceptionsToo) {
  locator->servant->during = [] { throw CORBA::NO_PERMISSION(); };
  poa->set_servant_manager(locator.in());
  FakeRequest request(key(poa.in(), "a"), "act");
  call(request);
  EXPECT_EQ(request.system(), "NO_PERMISSION own 0 NO");
  EXPECT_EQ(locator->calls.size(), 2u);
}

TEST_F(LocatorTest, ASystemExceptionOfPostinvokeReplacesTheReply) {
  locator->after = [] { throw CORBA::PERSIST_STORE(CORBA::OMGVMCID | 1, CORBA::COMPLETED_YES); };
  poa->set_servant_manager(locator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "PERSIST_STORE 1 YES");
}

TEST_F(LocatorTest, CurrentKnowsTheServantDuringTheOperationOnly) {
  const Current_var current = make_current();
  locator->find = [&](const std::string&) {
    const POA_var p = current->get_POA();
    EXPECT_EQ(p.in(), poa.in());
    EXPECT_THROW(current->get_servant(), Current::NoContext);
    EXPECT_THROW(current->get_reference(), Current::NoContext);
    return locator->servant.in();
  };
  locator->servant->during = [&] {
    const ServantBase_var s(current->get_servant());
    EXPECT_EQ(s.in(), locator->servant.in());
  };
  poa->set_servant_manager(locator.in());
  FakeRequest request(key(poa.in(), "a"), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
}

TEST_F(LocatorTest, DestroyWaitsForItsRequests) {
  poa->set_servant_manager(locator.in());
  std::promise<void> entered, go;
  std::atomic<bool> left{false};
  locator->servant->during = [&] {
    entered.set_value();
    go.get_future().wait();
    left = true;
  };
  const Key k = key(poa.in(), "a");
  std::thread client([&] {
    FakeRequest request(k, "act");
    call(request);
  });
  entered.get_future().wait();
  std::thread destroyer([&] {
    poa->destroy(true, true);
    EXPECT_TRUE(left);
  });
  await([&] { return ping(k) == "TRANSIENT 4 NO"; });
  go.set_value();
  client.join();
  destroyer.join();
}

TEST_F(LocatorTest, ObjectsOfSuchAdaptersHaveNoServants) {
  poa->set_servant_manager(locator.in());
  const ObjectId_var id = text_id("a");
  EXPECT_THROW(poa->id_to_servant(id.in()), POA::WrongPolicy);
  EXPECT_THROW(poa->servant_to_reference(locator->servant.in()), POA::WrongPolicy);
  EXPECT_THROW(poa->servant_to_id(locator->servant.in()), POA::WrongPolicy);
}

// --- AdapterActivator ---

class TestAdapterActivator : public AdapterActivator {
 public:
  std::function<bool(POA_ptr, const std::string&)> make;
  std::vector<std::string> asked;
  CORBA::Boolean unknown_adapter(POA_ptr parent, const char* name) override {
    asked.push_back(name);
    return make(parent, name);
  }
};

struct AdapterActivatorTest : OnDemand {
  classic::ReferenceVar<TestAdapterActivator> activator{new TestAdapterActivator};
  Servant_var<Probe> servant{new Probe};

  AdapterActivatorTest() {
    activator->make = [this](POA_ptr parent, const std::string& name) {
      const POA_var made = persistent(parent, name.c_str());
      made->the_activator(activator.in());
      if (name == "leaf") {
        const ObjectId_var id = text_id("object");
        made->activate_object_with_id(id.in(), servant.in());
      }
      return true;
    };
  }
  POA_ptr persistent(POA_ptr parent, const char* name) {
    CORBA::PolicyList list;
    list.length(2);
    list[0] = root->create_lifespan_policy(PERSISTENT);
    list[1] = root->create_id_assignment_policy(USER_ID);
    return parent->create_POA(name, manager.in(), list);
  }
  static Key key_at(std::vector<std::string> path) {
    Key k = persistent_key_prefix(encode_path(path));
    for (const char c : {'o', 'b', 'j', 'e', 'c', 't'}) k.push_back(static_cast<Byte>(c));
    return k;
  }
};

TEST_F(AdapterActivatorTest, MakesTheAdaptersThatARequestNames) {
  root->the_activator(activator.in());
  EXPECT_EQ(ping(key_at({"branch", "leaf"})), "ok");
  EXPECT_EQ(activator->asked, (std::vector<std::string>{"branch", "leaf"}));
  EXPECT_EQ(ping(key_at({"branch", "leaf"})), "ok");
  EXPECT_EQ(activator->asked.size(), 2u);
}

TEST_F(AdapterActivatorTest, WithoutOneUnknownAdaptersAreObjectNotExist2) {
  EXPECT_EQ(ping(key_at({"branch", "leaf"})), "OBJECT_NOT_EXIST 2 NO");
}

TEST_F(AdapterActivatorTest, ThatRefusesLeavesObjectNotExist2) {
  activator->make = [](POA_ptr, const std::string&) { return false; };
  root->the_activator(activator.in());
  EXPECT_EQ(ping(key_at({"branch"})), "OBJECT_NOT_EXIST 2 NO");
  EXPECT_THROW(root->find_POA("branch", true), POA::AdapterNonExistent);
}

TEST_F(AdapterActivatorTest, ThatOnlySaysItDidLeavesObjectNotExist2) {
  activator->make = [](POA_ptr, const std::string&) { return true; };
  root->the_activator(activator.in());
  EXPECT_EQ(ping(key_at({"branch"})), "OBJECT_NOT_EXIST 2 NO");
}

TEST_F(AdapterActivatorTest, ThatThrowsIsObjAdapter1) {
  activator->make = [](POA_ptr, const std::string&) -> bool { throw CORBA::INTERNAL(); };
  root->the_activator(activator.in());
  EXPECT_EQ(ping(key_at({"branch"})), "OBJ_ADAPTER 1 NO");
  EXPECT_THROW(root->find_POA("branch", true), CORBA::OBJ_ADAPTER);
}

TEST_F(AdapterActivatorTest, IsAskedByFindPoaOnlyWhenTold) {
  root->the_activator(activator.in());
  EXPECT_THROW(root->find_POA("branch", false), POA::AdapterNonExistent);
  EXPECT_TRUE(activator->asked.empty());
  const POA_var found = root->find_POA("branch", true);
  const CORBA::String_var name = found->the_name();
  EXPECT_STREQ(name.in(), "branch");
}

TEST_F(AdapterActivatorTest, MayBeReadAndTakenAway) {
  root->the_activator(activator.in());
  const AdapterActivator_var got = root->the_activator();
  EXPECT_EQ(got.in(), static_cast<AdapterActivator_ptr>(activator.in()));
  root->the_activator(nullptr);
  EXPECT_EQ(ping(key_at({"branch"})), "OBJECT_NOT_EXIST 2 NO");
  EXPECT_TRUE(activator->asked.empty());
}

TEST_F(AdapterActivatorTest, RequestsToTheNewAdapterWaitUntilItIsReady) {
  const auto make = activator->make;
  std::promise<void> made, go;
  activator->make = [&](POA_ptr parent, const std::string& name) {
    const POA_var poa = persistent(parent, name.c_str());
    made.set_value();
    go.get_future().wait();
    const ObjectId_var id = text_id("object");
    poa->activate_object_with_id(id.in(), servant.in());
    return true;
  };
  root->the_activator(activator.in());
  std::thread first([&] { EXPECT_EQ(ping(key_at({"leaf"})), "ok"); });
  made.get_future().wait();
  std::thread second([&] { EXPECT_EQ(ping(key_at({"leaf"})), "ok"); });
  await([&] { return orb.registry->held() == 1; });
  go.set_value();
  first.join();
  second.join();
  EXPECT_EQ(servant->pings, 2);
}

TEST_F(AdapterActivatorTest, RandomPathsAskButLeaveNothing) {
  activator->make = [](POA_ptr, const std::string&) { return false; };
  root->the_activator(activator.in());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ping(key_at({"no" + std::to_string(i)})), "OBJECT_NOT_EXIST 2 NO");
  EXPECT_EQ(activator->asked.size(), 100u);
  EXPECT_EQ(orb.registry->table().active(), 0u);
}

}  // namespace
}  // namespace callis::poa::testing
