// SPDX-License-Identifier: Apache-2.0
// Servants given for one request (CORBA 3.3 part 1, 15.3.7).
#include <callis/poa/testing/on_demand.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

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

// Watches stay for good: these are silent outside of the test.
thread_local std::vector<std::string>* t_seen = nullptr;
void see(const char* what) {
  if (t_seen) t_seen->push_back(what);
}

TEST_F(LocatorTest, EveryWatchIsToldOfARequestAndAnyMayAnswerIt) {
  static constinit bool refuses = false;
  static constinit TargetWatch inner{[](orb::ServerRequest& request, Target&, Adapter&, const SkeletonOperation*&) {
                                       see("found by the inner one");
                                       if (t_seen && refuses) request.system_exception(CORBA::NO_PERMISSION());
                                       return !t_seen || !refuses;
                                     },
                                     [](orb::ServerRequest&) { see("left the inner one"); }};
  static constinit TargetWatch outer{[](orb::ServerRequest&, Target&, Adapter&, const SkeletonOperation*&) {
                                       see("found by the outer one");
                                       return true;
                                     },
                                     [](orb::ServerRequest&) { see("left the outer one"); }};
  add_target_watch(inner);
  add_target_watch(outer);
  poa->set_servant_manager(locator.in());
  const Key one = key(poa.in(), "one");
  std::vector<std::string> seen;
  t_seen = &seen;
  EXPECT_EQ(ping(one), "ok");
  EXPECT_EQ(seen, (std::vector<std::string>{"found by the outer one", "found by the inner one", "left the inner one",
                                            "left the outer one"}));
  refuses = true;
  EXPECT_EQ(ping(one), "NO_PERMISSION own 0 NO");
  t_seen = nullptr;
  EXPECT_EQ(locator->servant->pings, 1);
  EXPECT_EQ(locator->calls.size(), 4u);
}

TEST_F(LocatorTest, WithoutOneIsObjAdapter4) { EXPECT_EQ(ping(key(poa.in(), "a")), "OBJ_ADAPTER 4 NO"); }

TEST_F(LocatorTest, IsReachedWithoutTheLock) {
  poa->set_servant_manager(locator.in());
  const Key one = key(poa.in(), "one");
  Registry::Guard guard(*orb.registry);
  auto answer = std::async(std::launch::async, [&] { return ping(one); });
  EXPECT_EQ(answer.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  guard.unlock();
  EXPECT_EQ(answer.get(), "ok");
}

TEST_F(LocatorTest, NilIsObjAdapter7) {
  locator->find = [](const std::string&) { return nullptr; };
  poa->set_servant_manager(locator.in());
  EXPECT_EQ(ping(key(poa.in(), "a")), "OBJ_ADAPTER 7 NO");
}

TEST_F(LocatorTest, ExceptionsOfPreinvokeEndTheRequest) {
  locator->find = [](const std::string&) -> Servant {
    throw CORBA::OBJECT_NOT_EXIST(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO);
  };
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

TEST_F(LocatorTest, IsLetGoWithTheAdapterWhoeverHoldsThat) {
  bool ended = false;
  {
    const classic::ReferenceVar<TellsOfItsEnd<TestLocator>> mine(new TellsOfItsEnd<TestLocator>(ended));
    poa->set_servant_manager(mine.in());
    EXPECT_EQ(ping(key(poa.in(), "a")), "ok");
  }
  EXPECT_FALSE(ended);
  poa->destroy(true, true);
  EXPECT_TRUE(ended) << "though the test has the adapter";
}

}  // namespace
}  // namespace callis::poa::testing
