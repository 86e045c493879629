// SPDX-License-Identifier: Apache-2.0
// RTPortableServer::POA: a face of any adapter, and priorities of its objects.
#include <callis/rt/policies/policy_values.h>
#include <callis/rt/testing/fixture.h>

namespace callis::rt {
namespace {

using namespace testing;
using poa::testing::kProbeId;
using poa::testing::Probe;
using PortableServer::ObjectId_var;

struct RtPoaTest : RtFixture {
  RtPoaTest() : RtPoaTest(std::vector<std::string>()) {}
  explicit RtPoaTest(std::vector<std::string> options) : RtFixture(with_endpoint(std::move(options))) {}
  static std::vector<std::string> with_endpoint(std::vector<std::string> options) {
    options.insert(options.end(), {"-ORBEndpoint", "tcp:127.0.0.1:0"});
    return options;
  }

  // Makes an adapter of SERVER_DECLARED 5 with lanes 5 and 15.
  RTPortableServer::POA_var declared(std::initializer_list<CORBA::Policy*> more = {}) {
    CORBA::PolicyList list;
    list.length(2);
    list[0u] = rtorb->create_priority_model_policy(RTCORBA::SERVER_DECLARED, 5);
    list[1u] = rtorb->create_threadpool_policy(pool_with_lanes({{5, 1, 0}, {15, 1, 0}}));
    for (CORBA::Policy* p : more) {
      list.length(list.length() + 1);
      list[list.length() - 1] = p;
    }
    const PortableServer::POA_var poa =
        root->create_POA(("declared" + std::to_string(++adapters)).c_str(), manager.in(), list);
    return RTPortableServer::POA::_narrow(poa.in());
  }
  RTPortableServer::POA_var with_user_ids() {
    return declared({root->create_id_assignment_policy(PortableServer::USER_ID)});
  }
  std::optional<RTCORBA::Priority> priority_of(CORBA::Object_ptr object) {
    return state()->object_priorities().find(key_of(*object->_callis_reference()));
  }
  static RTCORBA::Priority told_by(CORBA::Object_ptr object) {
    const RtPolicies told = read_policy_values(object->_callis_reference()->ior());
    EXPECT_EQ(told.model, RTCORBA::SERVER_DECLARED);
    return told.server_priority;
  }

  PortableServer::Servant_var<Probe> probe{new Probe};
  int adapters = 0;
};

TEST_F(RtPoaTest, any_adapter_has_such_a_face) {
  const RTPortableServer::POA_var face = RTPortableServer::POA::_narrow(root.in());
  ASSERT_TRUE(face.in());
  EXPECT_STREQ(CORBA::String_var(face->the_name()).in(), "RootPOA");
  EXPECT_EQ(RTPortableServer::POA_var(RTPortableServer::POA::_narrow(face.in())).in(), face.in());
  EXPECT_EQ(PortableServer::POA_var(PortableServer::POA::_narrow(face.in())).in(), face.in());
  EXPECT_FALSE(RTPortableServer::POA_var(RTPortableServer::POA::_narrow(nullptr)).in());
  EXPECT_FALSE(RTPortableServer::POA_var(RTPortableServer::POA::_narrow(rtorb.in())).in());
}

TEST_F(RtPoaTest, does_what_the_adapter_does) {
  const RTPortableServer::POA_var face = RTPortableServer::POA::_narrow(root.in());
  const PortableServer::POA_var child = face->create_POA("child", manager.in(), {});
  EXPECT_EQ(PortableServer::POA_var(root->find_POA("child", false)).in(), child.in());
  EXPECT_EQ(PortableServer::POA_var(face->find_POA("child", false)).in(), child.in());
  const ObjectId_var id = face->activate_object(probe.in());
  const CORBA::Object_var object = face->id_to_reference(id.in());
  ping(object.in());
  EXPECT_EQ(probe->pings, 1);
  const ObjectId_var same = root->servant_to_id(probe.in());
  EXPECT_TRUE(std::ranges::equal(poa::bytes_of(same.in()), poa::bytes_of(id.in())));
  face->deactivate_object(id.in());
  EXPECT_THROW(face->id_to_reference(id.in()), PortableServer::POA::ObjectNotActive);
  const RTPortableServer::POA_var of_child = RTPortableServer::POA::_narrow(child.in());
  of_child->destroy(true, true);
  EXPECT_THROW(root->find_POA("child", false), PortableServer::POA::AdapterNonExistent);
}

TEST_F(RtPoaTest, an_object_has_the_priority_it_is_activated_with) {
  const RTPortableServer::POA_var poa = declared();
  const ObjectId_var id = poa->activate_object_with_priority(probe.in(), 15);
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  EXPECT_EQ(priority_of(object.in()), RTCORBA::Priority(15));
  EXPECT_EQ(told_by(object.in()), 15);
  EXPECT_EQ(told_by(CORBA::Object_var(poa->servant_to_reference(probe.in())).in()), 15);
  ping(object.in());
  EXPECT_EQ(probe->pings, 1);
  const CORBA::Object_var other = poa->create_reference(kProbeId);
  EXPECT_FALSE(priority_of(other.in()));
  EXPECT_EQ(told_by(other.in()), 5) << "the adapter's";
}

TEST_F(RtPoaTest, the_priority_ends_with_the_activation) {
  const RTPortableServer::POA_var poa = with_user_ids();
  const ObjectId_var id = PortableServer::string_to_ObjectId("one");
  poa->activate_object_with_id_and_priority(id.in(), probe.in(), 15);
  const CORBA::Object_var object = poa->id_to_reference(id.in());
  EXPECT_EQ(priority_of(object.in()), RTCORBA::Priority(15));
  poa->deactivate_object(id.in());
  EXPECT_FALSE(priority_of(object.in()));
  poa->activate_object_with_id(id.in(), probe.in());
  EXPECT_FALSE(priority_of(object.in())) << "activated anew, without one";
  EXPECT_EQ(told_by(CORBA::Object_var(poa->id_to_reference(id.in())).in()), 5);
  poa->deactivate_object(id.in());
  poa->activate_object_with_id_and_priority(id.in(), probe.in(), 15);
  EXPECT_EQ(priority_of(object.in()), RTCORBA::Priority(15));
}

TEST_F(RtPoaTest, references_have_priorities_before_there_is_an_object) {
  const RTPortableServer::POA_var system = declared(), user = with_user_ids();
  const CORBA::Object_var a = system->create_reference_with_priority(kProbeId, 15);
  EXPECT_EQ(priority_of(a.in()), RTCORBA::Priority(15));
  EXPECT_EQ(told_by(a.in()), 15);
  const ObjectId_var id = PortableServer::string_to_ObjectId("later");
  const CORBA::Object_var b = user->create_reference_with_id_and_priority(id.in(), kProbeId, 15);
  EXPECT_EQ(priority_of(b.in()), RTCORBA::Priority(15));
  EXPECT_EQ(told_by(b.in()), 15);
  user->activate_object_with_id(id.in(), probe.in());
  EXPECT_EQ(priority_of(b.in()), RTCORBA::Priority(15)) << "as the reference says";
  ping(b.in());
  EXPECT_EQ(probe->pings, 1);
}

struct RtPoaHint : RtPoaTest {
  RtPoaHint() : RtPoaTest({"-ORBObjectLookup", "hint"}) {}
};

TEST_F(RtPoaHint, a_reference_from_before_the_activation_has_the_objects_priority) {
  const RTPortableServer::POA_var poa = with_user_ids();
  const ObjectId_var id = PortableServer::string_to_ObjectId("one");
  const CORBA::Object_var before = poa->create_reference_with_id(id.in(), kProbeId);
  poa->activate_object_with_id_and_priority(id.in(), probe.in(), 15);
  const CORBA::Object_var after = poa->id_to_reference(id.in());
  EXPECT_NE(key_of(*before->_callis_reference()), key_of(*after->_callis_reference())) << "another hint";
  EXPECT_EQ(priority_of(before.in()), RTCORBA::Priority(15));
  EXPECT_EQ(priority_of(after.in()), RTCORBA::Priority(15));
  EXPECT_EQ(state()->object_priorities().size(), 1u);
  poa->deactivate_object(id.in());
  EXPECT_FALSE(priority_of(before.in()));
}

TEST_F(RtPoaTest, all_is_forgotten_with_the_adapter) {
  RTPortableServer::POA_var poa = with_user_ids();
  const ObjectId_var id = PortableServer::string_to_ObjectId("later");
  const ObjectId_var active = PortableServer::string_to_ObjectId("now");
  CORBA::Object_var(poa->create_reference_with_id_and_priority(id.in(), kProbeId, 15));
  poa->activate_object_with_id_and_priority(active.in(), probe.in(), 15);
  EXPECT_EQ(state()->object_priorities().size(), 2u);
  poa->destroy(true, true);
  poa = nullptr;
  EXPECT_TRUE(state()->object_priorities().empty());
}

TEST_F(RtPoaTest, a_failed_activation_leaves_nothing) {
  const RTPortableServer::POA_var poa = with_user_ids();
  const ObjectId_var id = PortableServer::string_to_ObjectId("one"), two = PortableServer::string_to_ObjectId("two");
  poa->activate_object_with_id_and_priority(id.in(), probe.in(), 15);
  EXPECT_THROW(poa->activate_object_with_id_and_priority(id.in(), probe.in(), 5),
               PortableServer::POA::ObjectAlreadyActive);
  EXPECT_EQ(priority_of(CORBA::Object_var(poa->id_to_reference(id.in())).in()), RTCORBA::Priority(15));
  EXPECT_THROW(poa->activate_object_with_id_and_priority(two.in(), probe.in(), 5),
               PortableServer::POA::ServantAlreadyActive);
  EXPECT_EQ(state()->object_priorities().size(), 1u);
  EXPECT_THROW(poa->activate_object_with_priority(probe.in(), 5), PortableServer::POA::WrongPolicy) << "user ids";
}

TEST_F(RtPoaTest, priorities_are_for_server_declared_alone) {
  CORBA::PolicyList list;
  list.length(1);
  list[0u] = rtorb->create_priority_model_policy(RTCORBA::CLIENT_PROPAGATED, 5);
  const PortableServer::POA_var plain = root->create_POA("propagated", manager.in(), list);
  const ObjectId_var id = PortableServer::string_to_ObjectId("x");
  for (PortableServer::POA* p : {plain.in(), root.in()}) {
    const RTPortableServer::POA_var poa = RTPortableServer::POA::_narrow(p);
    using Wrong = PortableServer::POA::WrongPolicy;
    EXPECT_THROW(poa->activate_object_with_priority(probe.in(), 5), Wrong);
    EXPECT_THROW(poa->activate_object_with_id_and_priority(id.in(), probe.in(), 5), Wrong);
    EXPECT_THROW(poa->create_reference_with_priority(kProbeId, 5), Wrong);
    EXPECT_THROW(poa->create_reference_with_id_and_priority(id.in(), kProbeId, 5), Wrong);
  }
}

TEST_F(RtPoaTest, bad_priorities_are_refused_with_words) {
  const RTPortableServer::POA_var poa = declared();
  EXPECT_EQ(thrown_by<CORBA::BAD_PARAM>([&] { poa->activate_object_with_priority(probe.in(), -1); }).minor,
            kBadPriority);
  const Thrown e = thrown_by<CORBA::BAD_PARAM>([&] { poa->create_reference_with_priority(kProbeId, 6); });
  EXPECT_EQ(e.minor, kBadPriority);
  EXPECT_NE(e.words.find("no lane"), std::string::npos) << e.words;
  EXPECT_TRUE(state()->object_priorities().empty());
}

}  // namespace
}  // namespace callis::rt
