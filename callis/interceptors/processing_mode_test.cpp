// SPDX-License-Identifier: Apache-2.0
// ORBInitInfo_3_1 and ProcessingModePolicy (CORBA 3.3 part 1, chapter 16): interceptors for local calls, for remote
// ones, for both.
#include <callis/interceptors/testing/server_fixture.h>

namespace callis::interceptors::testing {
namespace {

// Makes a policy as an initializer does, by the ORB that is being made.
CORBA::Policy_ptr policy_of(PI::ORBInitInfo_ptr info, const CORBA::Any& value) {
  char* argv[] = {nullptr};
  int argc = 0;
  const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv, CORBA::String_var(info->orb_id()).in());
  return orb->create_policy(PI::PROCESSING_MODE_POLICY_TYPE, value);
}
CORBA::PolicyList policies(PI::ORBInitInfo_ptr info, PI::ProcessingMode mode) {
  CORBA::Any value;
  value <<= mode;
  CORBA::PolicyList list;
  list.length(1);
  list[0u] = policy_of(info, value);
  return list;
}
PI::ORBInitInfo_3_1_ptr info_3_1(PI::ORBInitInfo_ptr info) { return PI::ORBInitInfo_3_1::_narrow(info); }

// An ORB with three interceptors a side: Both, Remote and Local; and another ORB.
struct Modes : ::testing::TestWithParam<std::string> {
  Log log;
  orb::Counted<orb::Core> core = orb::Counted<orb::Core>::adopt(make_orb(
      {[this](PI::ORBInitInfo_ptr info) {
        const PI::ORBInitInfo_3_1_var with = info_3_1(info);
        const auto add = [&](const char* name, const CORBA::PolicyList& list) {
          const PI::ClientRequestInterceptor_var c = new ClientRecorder(std::string("client") + name, log);
          const PI::ServerRequestInterceptor_var s = new ServerRecorder(std::string("server") + name, log);
          with->add_client_request_interceptor_with_policy(c.in(), list);
          with->add_server_request_interceptor_with_policy(s.in(), list);
        };
        add("Both", policies(info, PI::LOCAL_AND_REMOTE));
        add("Remote", policies(info, PI::REMOTE_ONLY));
        add("Local", policies(info, PI::LOCAL_ONLY));
        add("Default", {});
      }, {}},
      {"-ORBEndpoint", "memory:interceptors_modes" + std::to_string(++number), "-ORBCollocation", GetParam()}));
  orb::Counted<orb::Core> other = orb::testing::make_core();
  PortableServer::Servant_var<Probe> probe{new Probe};
  CORBA::Object_var own;
  static inline int number = 0;

  Modes() {
    const CORBA::Object_var o = core->resolve_initial_references("RootPOA");
    const PortableServer::POA_var root = PortableServer::POA::_narrow(o.in());
    PortableServer::POAManager_var(root->the_POAManager())->activate();
    const PortableServer::ObjectId_var id = root->activate_object(probe.in());
    own = root->id_to_reference(id.in());
  }
  ~Modes() override {
    other->destroy();
    core->destroy();
  }
};

Log heard(const std::string& side, std::initializer_list<const char*> begin, const char* end, const char* odd) {
  Log all;
  for (const char* point : begin)
    for (const char* name : {"Both", odd, "Default"}) all.push_back(side + name + "." + point);
  for (const char* name : {"Default", odd, "Both"}) all.push_back(side + name + "." + end);
  return all;
}
Log around(const Log& outer, const Log& inner) {
  Log all(outer.begin(), outer.begin() + static_cast<std::ptrdiff_t>(outer.size() / 2));
  all.insert(all.end(), inner.begin(), inner.end());
  all.insert(all.end(), outer.begin() + static_cast<std::ptrdiff_t>(outer.size() / 2), outer.end());
  return all;
}

TEST_P(Modes, of_calls_within_the_ORB_are_local) {
  for (int i = 0; i < 2; ++i) {
    log.clear();
    EXPECT_EQ(OrbFixture::add(own.in(), 2, 3), 5);
    EXPECT_EQ(log, around(heard("client", {"send_request"}, "receive_reply", "Local"),
                          heard("server", {"contexts", "receive_request"}, "send_reply", "Local")));
  }
}

TEST_P(Modes, of_calls_of_another_ORB_are_remote) {
  const CORBA::Object_var seen = other->string_to_object(CORBA::String_var(core->object_to_string(own.in())).in());
  EXPECT_EQ(OrbFixture::add(seen.in(), 2, 3), 5);
  EXPECT_EQ(log, heard("server", {"contexts", "receive_request"}, "send_reply", "Remote"));
}

TEST_P(Modes, of_calls_to_another_ORB_are_remote) {
  ScriptedPeer peer{"interceptors_modes_peer", [](Turn& t) { return t.echo(); }};
  const CORBA::Object_var there = peer.object(*core);
  for (int i = 0; i < 2; ++i) {
    log.clear();
    EXPECT_EQ(echo(there.in(), 7), 7u);
    EXPECT_EQ(log, heard("client", {"send_request"}, "receive_reply", "Remote"));
  }
}

// A call into the ORB from inside a local one's interceptor or servant is looked at for itself.
TEST_P(Modes, of_calls_that_other_calls_make_are_their_own) {
  const CORBA::Object_var seen = other->string_to_object(CORBA::String_var(core->object_to_string(own.in())).in());
  OrbFixture::ping(own.in());
  log.clear();
  OrbFixture::ping(seen.in());
  EXPECT_EQ(log, heard("server", {"contexts", "receive_request"}, "send_reply", "Remote"));
  log.clear();
  ScriptedPeer peer{"interceptors_modes_between", [&](Turn& t) {
    OrbFixture::ping(seen.in());  // while a remote call of the ORB's is under way
    OrbFixture::ping(own.in());
    return t.echo();
  }};
  const CORBA::Object_var there = peer.object(*core);
  EXPECT_EQ(echo(there.in(), 7), 7u);
  Log inner = heard("server", {"contexts", "receive_request"}, "send_reply", "Remote");
  const Log local = around(heard("client", {"send_request"}, "receive_reply", "Local"),
                           heard("server", {"contexts", "receive_request"}, "send_reply", "Local"));
  inner.insert(inner.end(), local.begin(), local.end());
  EXPECT_EQ(log, around(heard("client", {"send_request"}, "receive_reply", "Remote"), inner));
}

INSTANTIATE_TEST_SUITE_P(Ways, Modes, ::testing::Values("marshaled", "adapter", "direct"));

struct OrbInitInfo31 : ::testing::Test {
  Log log;
  static void with(const std::function<void(PI::ORBInitInfo_ptr, PI::ORBInitInfo_3_1_ptr)>& act) {
    const auto core = orb::Counted<orb::Core>::adopt(make_orb({[&](PI::ORBInitInfo_ptr info) {
      const PI::ORBInitInfo_3_1_var narrowed = info_3_1(info);
      ASSERT_FALSE(CORBA::is_nil(narrowed.in()));
      act(info, narrowed.in());
    }, {}}));
    core->destroy();
  }
};

CORBA::PolicyErrorCode reason_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const CORBA::PolicyError& e) {
    return e.reason;
  }
  return -1;
}

TEST_F(OrbInitInfo31, makes_policies_of_the_three_modes_alone) {
  with([](PI::ORBInitInfo_ptr info, PI::ORBInitInfo_3_1_ptr) {
    for (const PI::ProcessingMode mode : {PI::LOCAL_AND_REMOTE, PI::REMOTE_ONLY, PI::LOCAL_ONLY}) {
      const CORBA::PolicyList list = policies(info, mode);
      EXPECT_EQ(list[0u]->policy_type(), PI::PROCESSING_MODE_POLICY_TYPE);
      const CORBA::Policy_var copy = list[0u]->copy();
      EXPECT_EQ(PI::ProcessingModePolicy_var(PI::ProcessingModePolicy::_narrow(copy.in()))->processing_mode(), mode);
    }
    EXPECT_EQ(reason_of([&] { policies(info, 3); }), CORBA::BAD_POLICY_VALUE);
    EXPECT_EQ(reason_of([&] { policies(info, -1); }), CORBA::BAD_POLICY_VALUE);
    EXPECT_EQ(reason_of([&] { CORBA::Policy_var(policy_of(info, any_of(1))); }), CORBA::BAD_POLICY_TYPE);
  });
}

TEST_F(OrbInitInfo31, takes_one_processing_mode_and_no_other_policies) {
  with([this](PI::ORBInitInfo_ptr info, PI::ORBInitInfo_3_1_ptr with_policy) {
    const PI::ClientRequestInterceptor_var c = new ClientRecorder("A", log);
    const PI::ServerRequestInterceptor_var s = new ServerRecorder("A", log);
    CORBA::PolicyList two = policies(info, PI::LOCAL_ONLY);
    two.length(2);
    two[1u] = CORBA::Policy::_duplicate(two[0u]);
    CORBA::PolicyList nil;
    nil.length(1);
    for (const CORBA::PolicyList& bad : {two, nil}) {
      EXPECT_EQ(reason_of([&] { with_policy->add_client_request_interceptor_with_policy(c.in(), bad); }),
                CORBA::BAD_POLICY);
      EXPECT_EQ(reason_of([&] { with_policy->add_server_request_interceptor_with_policy(s.in(), bad); }),
                CORBA::BAD_POLICY);
      EXPECT_EQ(reason_of([&] { with_policy->add_ior_interceptor_with_policy(nullptr, bad); }), CORBA::BAD_POLICY);
    }
    // One name is one name whatever the mode.
    with_policy->add_client_request_interceptor_with_policy(c.in(), policies(info, PI::LOCAL_ONLY));
    EXPECT_THROW(with_policy->add_client_request_interceptor_with_policy(c.in(), policies(info, PI::REMOTE_ONLY)),
                 PI::ORBInitInfo::DuplicateName);
    EXPECT_THROW(with_policy->add_client_request_interceptor(c.in()), PI::ORBInitInfo::DuplicateName);
  });
  EXPECT_EQ(log, (Log{"A.destroy"}));
}

}  // namespace
}  // namespace callis::interceptors::testing
