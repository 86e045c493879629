// SPDX-License-Identifier: Apache-2.0
// The adapter under a whole ORB: requests go through stubs, the protocol and a transport in memory.
#include <callis/corba.h>
#include <callis/orb/base/stub.h>
#include <callis/orb/core/object_of.h>
#include <callis/poa/testing/fixture.h>
#include <callis/poa/testing/object_link.h>
#include <future>

namespace callis::poa::testing {
namespace {

using namespace PortableServer;

struct OrbTest : ::testing::Test {
  static std::atomic<int> number;
  CORBA::ORB_var orb = make();
  POA_var root = resolve<POA>("RootPOA");
  POAManager_var manager = root->the_POAManager();

  static CORBA::ORB_ptr make() {
    const std::string n = std::to_string(++number);
    std::string id = "orb" + n, endpoint = "memory:poa_test" + n;
    char program[] = "test", option[] = "-ORBEndpoint";
    char* argv[] = {program, option, endpoint.data(), nullptr};
    int argc = 3;
    return CORBA::ORB_init(argc, argv, id.c_str());
  }
  template <class X>
  X* resolve(const char* name) {
    const CORBA::Object_var object = orb->resolve_initial_references(name);
    return X::_narrow(object.in());
  }
  void SetUp() override { manager->activate(); }
  void TearDown() override {
    try {
      orb->destroy();
    } catch (const CORBA::OBJECT_NOT_EXIST&) {  // the test has done it
    }
  }
  CORBA::Long add(CORBA::Object_ptr object, CORBA::Long a, CORBA::Long b) {
    struct { CORBA::Long a, b, result; } frame{a, b, 0};
    orb::invoke(object, probe_unit, kAdd, &frame);
    return frame.result;
  }
  CORBA::PolicyList user_ids() {
    CORBA::PolicyList list;
    list.length(1);
    list[0] = root->create_id_assignment_policy(USER_ID);
    return list;
  }
  void act(CORBA::Object_ptr object) { orb::invoke(object, probe_unit, kAct, nullptr); }
};
std::atomic<int> OrbTest::number{0};

// The server remembers where the header of a request led; nothing that changes that may go unnoticed.
TEST_F(OrbTest, AHeaderSeenBeforeDoesNotOutliveItsActivation) {
  const POA_var user = root->create_POA("user", manager.in(), user_ids());
  const ObjectId_var id = text_id("it");
  struct Adder : Probe {
    CORBA::Long add(CORBA::Long a, CORBA::Long b) override { return a + b + 100; }
  };
  const Servant_var<Probe> first(new Probe);
  const Servant_var<Adder> second(new Adder);
  user->activate_object_with_id(id.in(), first.in());
  const CORBA::Object_var object = user->id_to_reference(id.in());
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(add(object.in(), i, 1), i + 1);
    act(object.in());
  }
  user->deactivate_object(id.in());
  EXPECT_THROW(add(object.in(), 1, 1), CORBA::OBJECT_NOT_EXIST);
  user->activate_object_with_id(id.in(), second.in());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(add(object.in(), i, 1), i + 101);
  user->destroy(true, true);
  EXPECT_THROW(add(object.in(), 1, 1), CORBA::OBJECT_NOT_EXIST);
  EXPECT_THROW(act(object.in()), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(OrbTest, AHeaderSeenBeforeObeysTheManager) {
  const Servant_var<Probe> servant(new Probe);
  const ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var object = root->id_to_reference(id.in());
  for (int i = 0; i < 2; ++i) EXPECT_EQ(add(object.in(), i, 1), i + 1);
  manager->discard_requests(false);
  EXPECT_THROW(add(object.in(), 1, 1), CORBA::TRANSIENT);
  manager->activate();
  EXPECT_EQ(add(object.in(), 1, 1), 2);
  manager->deactivate(false, false);
  EXPECT_THROW(add(object.in(), 1, 1), CORBA::OBJ_ADAPTER);
}

TEST_F(OrbTest, ACallGoesThroughAndBack) {
  const Servant_var<Probe> servant(new Probe);
  const ObjectId_var id = root->activate_object(servant.in());
  const CORBA::Object_var object = root->id_to_reference(id.in());
  EXPECT_STREQ(object->_interface_repository_id(), kProbeId);
  EXPECT_EQ(add(object.in(), 40, 2), 42);
}

TEST_F(OrbTest, UserExceptionsArriveTyped) {
  const Servant_var<Probe> servant(new Probe);
  const CORBA::Object_var object = root->servant_to_reference(servant.in());
  struct { const char* name; char* result; } frame{"stranger", nullptr};
  try {
    orb::invoke(object.in(), probe_unit, kGreet, &frame);
    FAIL();
  } catch (const Refused& e) {
    EXPECT_STREQ(e.why.in(), "go away");
  }
}

TEST_F(OrbTest, TheRootIsTheSameEveryTimeAndCurrentIsThere) {
  const POA_var again = resolve<POA>("RootPOA");
  EXPECT_EQ(again.in(), root.in());
  const Current_var current = resolve<Current>("POACurrent");
  EXPECT_THROW(current->get_POA(), Current::NoContext);
}

TEST_F(OrbTest, ObjectsAnswerIsANonExistentAndEquivalence) {
  const Servant_var<Probe> servant(new Probe);
  const CORBA::Object_var a = root->servant_to_reference(servant.in()), b = root->servant_to_reference(servant.in());
  EXPECT_TRUE(a->_is_a(kBaseId));
  EXPECT_FALSE(a->_is_a("IDL:test/Other:1.0"));
  EXPECT_FALSE(a->_non_existent());
  EXPECT_TRUE(a->_is_equivalent(b.in()));
  const ObjectId_var id = root->servant_to_id(servant.in());
  root->deactivate_object(id.in());
  EXPECT_TRUE(a->_non_existent());
}

TEST_F(OrbTest, ReferencesThatCameAsTextAreRecognised) {
  const Servant_var<Probe> servant(new Probe);
  const CORBA::Object_var object = root->servant_to_reference(servant.in());
  const CORBA::String_var text = orb->object_to_string(object.in());
  const CORBA::Object_var again = orb->string_to_object(text.in());
  const ServantBase_var found(root->reference_to_servant(again.in()));
  EXPECT_EQ(found.in(), servant.in());
}

TEST_F(OrbTest, ReferencesOfAnotherOrbAreWrongAdapter) {
  const CORBA::ORB_var other = make();
  const CORBA::Object_var other_root = other->resolve_initial_references("RootPOA");
  const POA_var poa = POA::_narrow(other_root.in());
  const Servant_var<Probe> servant(new Probe);
  const CORBA::Object_var object = poa->servant_to_reference(servant.in());
  EXPECT_THROW(root->reference_to_id(object.in()), POA::WrongAdapter);
  EXPECT_THROW(root->reference_to_id(root.in()), POA::WrongAdapter);
  other->destroy();
}

TEST_F(OrbTest, TheDefaultPoaIsTheRoot) {
  const Servant_var<Probe> servant(new Probe);
  const POA_var poa = servant->_default_POA();
  EXPECT_EQ(poa.in(), root.in());
}

TEST_F(OrbTest, ThisActivatesInTheDefaultPoaAndIsTheCalledObjectInsideAnUpcall) {
  const POA_var multiple = [&] {
    CORBA::PolicyList list;
    list.length(1);
    list[0] = root->create_id_uniqueness_policy(MULTIPLE_ID);
    return root->create_POA("multiple", manager.in(), list);
  }();
  const Servant_var<Probe> servant(new Probe);
  const ObjectId_var id = multiple->activate_object(servant.in());
  const CORBA::Object_var object = multiple->id_to_reference(id.in());
  const CORBA::Object_var outside(static_cast<CORBA::Object_ptr>(this_reference(*servant, kObjectLink)));
  ASSERT_TRUE(outside.in());
  EXPECT_FALSE(outside->_is_equivalent(object.in()));  // a new object of the root's
  bool equivalent = false;
  servant->during = [&] {
    const CORBA::Object_var inside(static_cast<CORBA::Object_ptr>(this_reference(*servant, kObjectLink)));
    equivalent = inside->_is_equivalent(object.in());
  };
  act(object.in());
  EXPECT_TRUE(equivalent);
}

TEST_F(OrbTest, NestedCallsThroughTheOrbFromAnUpcall) {
  const Servant_var<Probe> outer(new Probe), inner(new Probe);
  const CORBA::Object_var o = root->servant_to_reference(outer.in()), i = root->servant_to_reference(inner.in());
  CORBA::Long sum = 0;
  outer->during = [&] { sum = add(i.in(), 1, 2); };
  act(o.in());
  EXPECT_EQ(sum, 3);
}

TEST_F(OrbTest, ShutdownLetsServantsGo) {
  const int before = Probe::alive;
  {
    const Servant_var<Probe> servant(new Probe);
    const CORBA::Object_var object = root->servant_to_reference(servant.in());
  }
  EXPECT_EQ(Probe::alive, before + 1);
  orb->shutdown(true);
  EXPECT_EQ(Probe::alive, before);
  EXPECT_THROW(root->the_name(), CORBA::OBJECT_NOT_EXIST);
}

TEST_F(OrbTest, HeldRequestsDoNotHoldUpTheShutdown) {
  const Servant_var<Probe> servant(new Probe);
  const CORBA::Object_var object = root->servant_to_reference(servant.in());
  manager->hold_requests(false);
  const auto started = std::chrono::steady_clock::now();
  std::thread client([&] { EXPECT_THROW(add(object.in(), 1, 1), CORBA::SystemException); });
  auto& registry = dynamic_cast<Adapter&>(*root.in()).registry();
  await([&] { return registry.held() == 1; });
  orb->shutdown(true);
  client.join();
  EXPECT_LT(std::chrono::steady_clock::now() - started, std::chrono::seconds(10));
}

}  // namespace
}  // namespace callis::poa::testing
