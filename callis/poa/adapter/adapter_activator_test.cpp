// SPDX-License-Identifier: Apache-2.0
// Adapters made on demand (CORBA 3.3 part 1, 15.3.4).
#include <callis/giop/reply.h>
#include <callis/poa/testing/on_demand.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

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

// A thread that makes an adapter again waits for the upcalls of the adapter before, which can find adapters
// meanwhile.
TEST_F(AdapterActivatorTest, AnUpcallOfAnAdapterThatIsMadeAgainMayLookForAdapters) {
  root->the_activator(activator.in());
  EXPECT_EQ(ping(key_at({"leaf"})), "ok");
  const POA_var first = root->find_POA("leaf", false);
  std::future<POA_ptr> again;
  servant->during = [&] {
    first->destroy(true, false);
    again = std::async(std::launch::async, [&] { return root->find_POA("leaf", true); });
    EXPECT_THROW(root->find_POA("leaf", true), CORBA::BAD_INV_ORDER) << "it would wait for itself";
    const POA_var other = root->find_POA("other", true);
    EXPECT_FALSE(CORBA::is_nil(other.in()));
  };
  FakeRequest request(key_at({"leaf"}), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
  const POA_var second = again.get();
  EXPECT_NE(second.in(), first.in());
  EXPECT_EQ(ping(key_at({"leaf"})), "ok");
}

TEST_F(AdapterActivatorTest, MakesAnAdapterAgainThatHasBeenDestroyed) {
  root->the_activator(activator.in());
  EXPECT_EQ(ping(key_at({"leaf"})), "ok");
  const POA_var first = root->find_POA("leaf", false);
  std::string during;
  servant->during = [&] {
    first->destroy(true, false);
    during = ping(key_at({"leaf"}));
  };
  FakeRequest request(key_at({"leaf"}), "act");
  call(request);
  EXPECT_EQ(request.outcome, FakeRequest::Outcome::Reply) << request.system();
  EXPECT_EQ(during, "TRANSIENT 4 NO") << "not yet";
  EXPECT_EQ(ping(key_at({"leaf"})), "ok");
  EXPECT_EQ(activator->asked, (std::vector<std::string>{"leaf", "leaf"}));
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

// Not by the activator: create_POA() raised AdapterAlreadyExists there.
TEST_F(AdapterActivatorTest, ThatRefusesWhatAnotherThreadHasMadeLeavesIt) {
  activator->make = [this](POA_ptr parent, const std::string& name) {
    std::async(std::launch::async, [&] {
      const POA_var made = persistent(parent, name.c_str());
      const ObjectId_var id = text_id("object");
      made->activate_object_with_id(id.in(), servant.in());
    }).get();
    EXPECT_THROW(POA_var(persistent(parent, name.c_str())), POA::AdapterAlreadyExists);
    return false;
  };
  root->the_activator(activator.in());
  EXPECT_EQ(ping(key_at({"leaf"})), "ok");
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

TEST_F(AdapterActivatorTest, IsCalledInTheStateOfTheParentsManager) {
  root->the_activator(activator.in());
  manager->discard_requests(false);
  EXPECT_EQ(ping(key_at({"leaf"})), "TRANSIENT 1 NO");
  manager->hold_requests(false);
  std::thread client([&] { EXPECT_EQ(ping(key_at({"leaf"})), "ok"); });
  await([&] { return orb.registry->held() == 1; });
  EXPECT_TRUE(activator->asked.empty());
  manager->activate();
  client.join();
  EXPECT_EQ(activator->asked.size(), 1u);
}

TEST_F(AdapterActivatorTest, OfAnInactiveManagersAdapterIsNotCalled) {
  root->the_activator(activator.in());
  manager->deactivate(false, false);
  EXPECT_EQ(ping(key_at({"leaf"})), "OBJ_ADAPTER 1 NO");
  EXPECT_TRUE(activator->asked.empty());
}

TEST_F(AdapterActivatorTest, IsAskedWhetherAnObjectIsHere) {
  ior::Ior forward;
  giop::SystemExceptionBody failure;
  const auto ask = [&] { return orb.dispatcher.ask(key_at({"leaf"}), false, forward, failure); };
  EXPECT_EQ(orb.dispatcher.locate(key_at({"leaf"}), forward), orb::Locate::Unknown);
  root->the_activator(activator.in());
  EXPECT_EQ(orb.dispatcher.locate(key_at({"leaf"}), forward), orb::Locate::Ask);
  EXPECT_TRUE(activator->asked.empty());
  const auto make = activator->make;
  activator->make = [](POA_ptr, const std::string&) { return false; };
  EXPECT_EQ(ask(), orb::Locate::Unknown);
  activator->make = [](POA_ptr, const std::string&) -> bool { throw CORBA::NO_MEMORY(); };
  EXPECT_EQ(ask(), orb::Locate::Failed);
  EXPECT_EQ(failure.repository_id, "IDL:omg.org/CORBA/OBJ_ADAPTER:1.0");
  EXPECT_EQ(failure.minor, CORBA::OMGVMCID | 1);
  activator->make = make;
  EXPECT_EQ(ask(), orb::Locate::Here);
  EXPECT_EQ(orb.dispatcher.locate(key_at({"leaf"}), forward), orb::Locate::Here);
}

TEST_F(AdapterActivatorTest, RandomPathsAskButLeaveNothing) {
  activator->make = [](POA_ptr, const std::string&) { return false; };
  root->the_activator(activator.in());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(ping(key_at({"no" + std::to_string(i)})), "OBJECT_NOT_EXIST 2 NO");
  EXPECT_EQ(activator->asked.size(), 100u);
  EXPECT_EQ(orb.registry->table().active(), 0u);
}

TEST_F(AdapterActivatorTest, IsLetGoWithTheAdapterWhoeverHoldsThat) {
  bool ended = false;
  const POA_var poa = persistent(root.in(), "parent");
  {
    using Ends = TellsOfItsEnd<TestAdapterActivator>;
    const classic::ReferenceVar<Ends> mine(new Ends(ended));
    poa->the_activator(mine.in());
  }
  EXPECT_FALSE(ended);
  poa->destroy(true, true);
  EXPECT_TRUE(ended);
}

}  // namespace
}  // namespace callis::poa::testing
