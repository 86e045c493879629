// SPDX-License-Identifier: Apache-2.0
// ClientRequestInfo: what is valid at which point (CORBA 3.0.3, table 21-1), and what it says.
#include <callis/interceptors/testing/recorder.h>

namespace callis::interceptors::testing {
namespace {

struct ClientInfo : ::testing::Test {
  Log log;
  PI::ClientRequestInterceptor_var counted = new ClientRecorder("A", log);
  ClientRecorder& a = dynamic_cast<ClientRecorder&>(*counted.in());
  Script script = [](Turn& t) { return t.echo(); };
  ScriptedPeer peer{"interceptors_info", [this](Turn& t) { return script(t); }};
  orb::Counted<orb::Core> core = orb::Counted<orb::Core>::adopt(make_orb(
      {[this](PI::ORBInitInfo_ptr info) {
        info->add_client_request_interceptor(counted.in());
        info->allocate_slot_id();
      }, {}}));
  CORBA::Object_var object = peer.object(*core);
  ~ClientInfo() override { core->destroy(); }
};

// A letter for each member: y, n, or - for what is valid and not available.
std::string row(PI::ClientRequestInfo_ptr ri) {
  std::string all = common_row(ri);
  const auto add = [&](auto&& f) { all += validity_of(f); };
  all += ' ';
  add([&] { CORBA::Object_var(ri->target()); });
  add([&] { CORBA::Object_var(ri->effective_target()); });
  add([&] { delete ri->effective_profile(); });
  add([&] { delete ri->received_exception(); });
  add([&] { CORBA::String_var(ri->received_exception_id()); });
  add([&] { delete ri->get_effective_component(99); });
  add([&] { delete ri->get_effective_components(99); });
  add([&] { CORBA::Policy_var(ri->get_request_policy(23)); });
  add([&] { ri->add_request_service_context(context(7, {}), true); });
  return all;
}

TEST_F(ClientInfo, has_the_members_of_the_table_at_each_point) {
  std::map<std::string, std::string> rows;
  for (const char* point : {"send_request", "receive_reply", "receive_exception", "receive_other"})
    a.at[point] = [&rows, point](PI::ClientRequestInfo_ptr ri) { rows[point] = row(ri); };
  echo(object.in(), 1);
  EXPECT_EQ(rows["send_request"], "yy----nyynnyyn yyynnyyyy");
  EXPECT_EQ(rows["receive_reply"], "yy-----yyynyyy yyynnyyyn");
  script = [](Turn& t) { return t.system_exception("IDL:omg.org/CORBA/UNKNOWN:1.0", 0, giop::Completion::No); };
  EXPECT_THROW(echo(object.in(), 1), CORBA::UNKNOWN);
  EXPECT_EQ(rows["receive_exception"], "yyn---nyyynyyy yyyyyyyyn");
  script = [this](Turn& t) { return t.request == 3 ? t.forward(peer.ior()) : t.echo(); };
  echo(object.in(), 1);
  EXPECT_EQ(rows["receive_other"], "yyn---nyyyyyyy yyynnyyyn");
}

TEST_F(ClientInfo, is_good_for_nothing_afterwards) {
  PI::ClientRequestInfo_var kept;
  a.at["send_request"] = [&](PI::ClientRequestInfo_ptr ri) { kept = PI::ClientRequestInfo::_duplicate(ri); };
  echo(object.in(), 1);
  EXPECT_EQ(row(kept.in()), "nnnnnnnnnnnnnn nnnnnnnnn");
}

TEST_F(ClientInfo, names_operation_and_target) {
  a.at["send_request"] = [this](PI::ClientRequestInfo_ptr ri) {
    const CORBA::String_var operation = ri->operation();
    EXPECT_STREQ(operation.in(), "echo");
    EXPECT_TRUE(ri->response_expected());
    const CORBA::Object_var target = ri->target();
    EXPECT_TRUE(target->_is_equivalent(object.in()));
    const IOP::TaggedProfile_var profile = ri->effective_profile();
    const ior::Ior reference = peer.ior();
    EXPECT_EQ(profile->tag, reference.profiles[0].tag);
    EXPECT_EQ(profile->profile_data.length(), reference.profiles[0].data.size());
  };
  echo(object.in(), 1);
  EXPECT_EQ(log.back(), "A.receive_reply");
}

TEST_F(ClientInfo, has_the_components_of_the_profile_that_is_used) {
  ior::IiopProfile profile{{1, 2}, {"127.0.0.1", 1}, {}, {}};
  for (const int value : {1, 2}) profile.components.push_back({77, {static_cast<Byte>(value)}});
  const ior::Ior reference{"", {ior::to_profile(profile)}};
  object = core->string_to_object(ior::to_text(reference).c_str());
  a.at["send_request"] = [](PI::ClientRequestInfo_ptr ri) {
    const IOP::TaggedComponent_var first = ri->get_effective_component(77);
    EXPECT_EQ(ints(first->component_data), std::vector{1});
    const IOP::TaggedComponentSeq_var both = ri->get_effective_components(77);
    ASSERT_EQ(both->length(), 2u);
    EXPECT_EQ(both.in()[1].tag, 77u);
    EXPECT_EQ(ints(both.in()[1].component_data), std::vector{2});
    EXPECT_EQ(caught<CORBA::BAD_PARAM>([&] { ri->get_effective_component(78); }).minor(), orb::omg(28));
  };
  EXPECT_THROW(echo(object.in(), 1), CORBA::TRANSIENT);
  EXPECT_EQ(log.front(), "A.send_request");
}

TEST_F(ClientInfo, knows_the_policies_of_the_call) {
  a.at["send_request"] = [](PI::ClientRequestInfo_ptr ri) {
    EXPECT_EQ(caught<CORBA::INV_POLICY>([&] { ri->get_request_policy(4711); }).minor(), orb::omg(2));
  };
  echo(object.in(), 1);
  EXPECT_EQ(log.back(), "A.receive_reply");
}

}  // namespace
}  // namespace callis::interceptors::testing
