// SPDX-License-Identifier: Apache-2.0
// The answers to LocateRequests for objects that only the application knows (CORBA 3.3 part 2, 9.4.6).
#include <callis/giop/reply.h>
#include <callis/orb/client/locate.h>
#include <callis/orb/core/object_of.h>
#include <callis/poa/testing/on_demand.h>
#include <callis/poa/testing/orb_fixture.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;
using orb::Locate;

// Records the actions of the handler of a LocateRequest.
struct Asked {
  bool asked = false;
  Locate found;
  ior::Ior forward;
  giop::SystemExceptionBody failure;

  Asked(orb::RequestHandler& handler, const Key& key, bool comes_back = false) : found(handler.locate(key, forward)) {
    if (found != Locate::Ask) return;
    asked = true;
    found = handler.ask(key, comes_back, forward, failure);
  }
};

class Activator : public ServantActivator {
 public:
  std::function<Servant()> make = [] { return new Probe; };
  int incarnated = 0;
  Servant incarnate(const ObjectId&, POA_ptr) override {
    ++incarnated;
    return make();
  }
  void etherealize(const ObjectId&, POA_ptr, Servant servant, CORBA::Boolean, CORBA::Boolean remaining) override {
    if (!remaining) servant->_remove_ref();
  }
};

// Says whether the object exists.
class Perhaps : public Probe {
 public:
  bool gone = false;
  CORBA::Boolean _non_existent() override { return gone; }
};

class Locator : public ServantLocator {
 public:
  Servant_var<Perhaps> servant{new Perhaps};
  std::function<void()> before = [] {};
  std::vector<std::string> calls;
  Servant preinvoke(const ObjectId&, POA_ptr, const char* operation, Cookie&) override {
    calls.push_back(std::string("pre ") + operation);
    before();
    return servant.in();
  }
  void postinvoke(const ObjectId&, POA_ptr, const char* operation, Cookie, Servant) override {
    calls.push_back(std::string("post ") + operation);
  }
};

struct LocateTest : OnDemand {
  POA_var activated = user_ids("activated", processing(USE_SERVANT_MANAGER));
  POA_var located = user_ids("located", processing(USE_SERVANT_MANAGER), retention(NON_RETAIN));
  classic::ReferenceVar<Activator> activator{new Activator};
  classic::ReferenceVar<Locator> locator{new Locator};
  const Key a = key(activated.in(), "a"), l = key(located.in(), "l");

  void SetUp() override {
    activated->set_servant_manager(activator.in());
    located->set_servant_manager(locator.in());
  }
};

TEST_F(LocateTest, MakesServantsAsRequestsDo) {
  EXPECT_EQ(Asked(orb.dispatcher, a).found, Locate::Here);
  EXPECT_EQ(activator->incarnated, 1);
  const Asked again(orb.dispatcher, a);
  EXPECT_EQ(again.found, Locate::Here);
  EXPECT_FALSE(again.asked) << "the object is active";
}

TEST_F(LocateTest, AsksLocatorsForNonExistent) {
  EXPECT_EQ(Asked(orb.dispatcher, l).found, Locate::Here);
  EXPECT_EQ(locator->calls, (std::vector<std::string>{"pre _non_existent", "post _non_existent"}));
  locator->servant->gone = true;
  EXPECT_EQ(Asked(orb.dispatcher, l).found, Locate::Unknown);
}

TEST_F(LocateTest, ObjectsThatAreActiveAreHereWithoutAnUpcall) {
  auto* const servant = new Perhaps;  // etherealize() takes this servant, as it does servants made by incarnate()
  servant->gone = true;
  const ObjectId_var id = text_id("a");
  activated->activate_object_with_id(id.in(), servant);
  const Asked answer(orb.dispatcher, a);
  EXPECT_EQ(answer.found, Locate::Here);
  EXPECT_FALSE(answer.asked);
}

TEST_F(LocateTest, ObjectNotExistIsUnknownAndOtherExceptionsAreSent) {
  activator->make = []() -> Servant { throw CORBA::OBJECT_NOT_EXIST(); };
  EXPECT_EQ(Asked(orb.dispatcher, a).found, Locate::Unknown);
  locator->before = [] { throw CORBA::OBJECT_NOT_EXIST(); };
  EXPECT_EQ(Asked(orb.dispatcher, l).found, Locate::Unknown);
  activator->make = []() -> Servant { throw CORBA::NO_RESOURCES(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO); };
  locator->before = [] { throw CORBA::NO_RESOURCES(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO); };
  for (const Key& k : {a, l}) {
    const Asked answer(orb.dispatcher, k);
    EXPECT_EQ(answer.found, Locate::Failed);
    EXPECT_EQ(answer.failure.repository_id, "IDL:omg.org/CORBA/NO_RESOURCES:1.0");
    EXPECT_EQ(answer.failure.minor, CORBA::OMGVMCID | 1);
    EXPECT_EQ(answer.failure.completed, giop::Completion::No);
  }
}

TEST_F(LocateTest, NilServantsAreObjAdapter7) {
  activator->make = [] { return nullptr; };
  const Asked answer(orb.dispatcher, a);
  EXPECT_EQ(answer.found, Locate::Failed);
  EXPECT_EQ(answer.failure.repository_id, "IDL:omg.org/CORBA/OBJ_ADAPTER:1.0");
  EXPECT_EQ(answer.failure.minor, CORBA::OMGVMCID | 7);
}

TEST_F(LocateTest, WithoutAServantManagerObjectsAreUnknown) {
  const POA_var bare = user_ids("bare", processing(USE_SERVANT_MANAGER));
  EXPECT_EQ(Asked(orb.dispatcher, key(bare.in(), "a")).found, Locate::Unknown);
}

TEST_F(LocateTest, NobodyIsAskedWhileTheAdapterDoesNotServe) {
  const auto here_without_asking = [&](const Key& k) {
    const Asked answer(orb.dispatcher, k);
    return answer.found == Locate::Here && !answer.asked;
  };
  const auto state = [&](void (POAManager::*change)(CORBA::Boolean)) { (manager.in()->*change)(false); };
  state(&POAManager::hold_requests);
  EXPECT_TRUE(here_without_asking(a) && here_without_asking(l));
  state(&POAManager::discard_requests);
  EXPECT_TRUE(here_without_asking(a) && here_without_asking(l));
  manager->deactivate(false, false);
  EXPECT_TRUE(here_without_asking(a) && here_without_asking(l));
  EXPECT_EQ(activator->incarnated, 0);
  EXPECT_TRUE(locator->calls.empty());
}

TEST_F(LocateTest, ClientsThatWeHaveCalledMayNotAsk) {
  for (const Key& k : {a, l}) {
    const Asked answer(orb.dispatcher, k, true);
    EXPECT_EQ(answer.found, Locate::Failed);
    EXPECT_EQ(answer.failure.repository_id, "IDL:omg.org/CORBA/NO_PERMISSION:1.0");
  }
  EXPECT_EQ(activator->incarnated, 0);
  EXPECT_TRUE(locator->calls.empty());
}

// --- over the protocol ---

struct LocateOver : ::testing::TestWithParam<std::vector<std::string>> {
  CORBA::ORB_var server = make_orb("locate_server", GetParam()), client = make_orb("locate_client");
  POA_var root = POA::_narrow(CORBA::Object_var(server->resolve_initial_references("RootPOA")).in());
  POAManager_var manager = root->the_POAManager();
  classic::ReferenceVar<Activator> activator{new Activator};
  classic::ReferenceVar<Locator> locator{new Locator};

  void SetUp() override { manager->activate(); }
  void TearDown() override {
    server->destroy();
    client->destroy();
  }
  template <class... P>
  CORBA::Object_ptr object(const char* name, ServantManager_ptr servants, P*... policies) {
    CORBA::PolicyList list;
    list.length(2 + sizeof...(P));
    list[0] = root->create_id_assignment_policy(USER_ID);
    list[1] = root->create_request_processing_policy(USE_SERVANT_MANAGER);
    ((list[2] = policies), ...);
    const POA_var poa = root->create_POA(name, manager.in(), list);
    poa->set_servant_manager(servants);
    const ObjectId_var id = text_id("object");
    const CORBA::Object_var here = poa->create_reference_with_id(id.in(), kProbeId);
    return seen_by_client(here.in());
  }
  CORBA::Object_ptr activated() { return object("activated", activator.in()); }
  CORBA::Object_ptr located() {
    return object("located", locator.in(), root->create_servant_retention_policy(NON_RETAIN));
  }
  CORBA::Object_ptr seen_by_client(CORBA::Object_ptr here) {
    return client->string_to_object(CORBA::String_var(server->object_to_string(here)).in());
  }
  CORBA::Object_ptr active(Probe& servant) {
    const ObjectId_var id = root->activate_object(&servant);
    return seen_by_client(CORBA::Object_var(root->id_to_reference(id.in())).in());
  }
  static CORBA::Long add(CORBA::Object_ptr o, CORBA::Long a, CORBA::Long b) { return OrbFixture::add(o, a, b); }
  static orb::Located locate(CORBA::Object_ptr o) { return orb::locate(*o->_callis_reference(), Deadline()); }
};

TEST_P(LocateOver, AForwardRequestIsObjectForwardAndTheCallGoesStraight) {
  const Servant_var<Probe> target(new Probe);
  const CORBA::Object_var there = active(*target.in());
  activator->make = [&]() -> Servant { throw ForwardRequest(there.in()); };
  locator->before = [&] { throw ForwardRequest(there.in()); };
  for (const CORBA::Object_var& o : {CORBA::Object_var(activated()), CORBA::Object_var(located())}) {
    EXPECT_EQ(locate(o.in()), orb::Located::Here);
    activator->incarnated = 0;
    locator->calls.clear();
    EXPECT_EQ(add(o.in(), 1, 2), 3);
    EXPECT_EQ(activator->incarnated, 0) << "the forward is remembered";
    EXPECT_TRUE(locator->calls.empty()) << "the forward is remembered";
  }
}

TEST_P(LocateOver, WhatTheApplicationThrowsIsRaised) {
  locator->before = [] { throw CORBA::NO_RESOURCES(CORBA::OMGVMCID | 1, CORBA::COMPLETED_NO); };
  const CORBA::Object_var o = located();
  try {
    locate(o.in());
    ADD_FAILURE() << "no exception";
  } catch (const CORBA::NO_RESOURCES& e) {
    EXPECT_EQ(e.minor(), CORBA::OMGVMCID | 1);
  }
  locator->before = [] { throw CORBA::OBJECT_NOT_EXIST(); };
  EXPECT_EQ(locate(o.in()), orb::Located::Unknown);
  locator->before = [] {};
  EXPECT_EQ(locate(o.in()), orb::Located::Here);
  EXPECT_EQ(add(o.in(), 1, 2), 3) << "on the same connection";
}

TEST_P(LocateOver, UpcallsForItAreUpcalls) {
  const CORBA::Object_var o = located();
  locator->before = [&] { EXPECT_THROW(manager->hold_requests(true), CORBA::BAD_INV_ORDER); };
  EXPECT_EQ(locate(o.in()), orb::Located::Here);
  // One that calls the same server on the way, over the client's connection's thread.
  const Servant_var<Probe> other(new Probe);
  const CORBA::Object_var to_other = active(*other.in());
  locator->before = [&] { EXPECT_EQ(add(to_other.in(), 1, 2), 3); };
  EXPECT_EQ(locate(o.in()), orb::Located::Here);
}

using Options = std::vector<std::string>;
const Options kModels[] = {{"-ORBEndpoint", "memory:locate"},
                           {"-ORBEndpoint", "tcp:127.0.0.1:0"},
                           {"-ORBEndpoint", "tcp:127.0.0.1:0", "-ORBServerThreads", "pool"}};
const char* const kModelNames[] = {"Memory", "Threads", "Pool"};
INSTANTIATE_TEST_SUITE_P(Models, LocateOver, ::testing::ValuesIn(kModels),
                         [](const auto& m) { return std::string(kModelNames[m.index]); });

}  // namespace
}  // namespace callis::poa::testing
