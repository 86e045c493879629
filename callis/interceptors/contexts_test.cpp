// SPDX-License-Identifier: Apache-2.0
// Service contexts that interceptors add and read, byte by byte (CORBA 3.0.3, 21.3.12 and 13.7; part 2, 9.4.2 and
// 9.4.3).
#include <callis/interceptors/testing/recorder.h>
#include <callis/interceptors/testing/wire.h>

namespace callis::interceptors::testing {
namespace {

// The parameter is the minor version of GIOP.
struct Contexts : ::testing::TestWithParam<int> {
  Log log;
  PI::ClientRequestInterceptor_var counted = new ClientRecorder("A", log);
  ClientRecorder& a = dynamic_cast<ClientRecorder&>(*counted.in());
  giop::ServiceContext reply_context;
  std::vector<Byte> reply_data;
  WirePeer peer{"interceptors_wire", [this](const giop::RequestHeader& h, giop::Version v, Buffer& out) {
    cdr::Encoder e(out);
    const auto s = giop::begin_reply(e, v, h.request_id, giop::ReplyStatus::NoException,
                                     std::span(&reply_context, reply_data.empty() ? 0 : 1));
    e.put_ulong(42);
    EXPECT_EQ(giop::finish_message(e, s), Fault::None);
  }};
  orb::Counted<orb::Core> core = orb::Counted<orb::Core>::adopt(make_orb(
      {[this](PI::ORBInitInfo_ptr info) { info->add_client_request_interceptor(counted.in()); }, {}},
      {"-ORBGIOPVersion", "1." + std::to_string(GetParam()), "-ORBMaxServiceContexts", "5"}));
  CORBA::Object_var object = peer.object(*core);
  ~Contexts() override { core->destroy(); }
};

TEST_P(Contexts, go_along_with_requests) {
  a.at["send_request"] = [](PI::ClientRequestInfo_ptr ri) {
    ri->add_request_service_context(context(0x12345678, {1, 2, 3}), false);
    ri->add_request_service_context(context(7, {}), false);
  };
  EXPECT_EQ(echo(object.in(), 0x01020304), 42u);
  Wire m;
  const auto contexts = [&] {
    m.ulong(2).ulong(0x12345678).ulong(3).octets({1, 2, 3}).octets({0}).ulong(7).ulong(0);
  };
  if (GetParam() == 2) {
    m.ulong(1)
        .octets({3, 0, 0, 0})
        .octets({0, 0, 0, 0})
        .ulong(4)
        .text("echo")
        .ulong(5)
        .text("echo")
        .octets({0, 0, 0, 0});
    contexts();
    m.octets({0, 0, 0, 0});  // to the next multiple of 8
  } else {
    contexts();
    m.ulong(1).octets({1, 0, 0, 0}).ulong(4).text("echo").ulong(5).text("echo").octets({0, 0, 0, 0}).ulong(0);
  }
  m.ulong(0x01020304);
  ASSERT_EQ(peer.requests().size(), 1u);
  EXPECT_EQ(peer.requests()[0], m.message(GetParam(), 0));
}

TEST_P(Contexts, are_of_one_request_only) {
  a.at["send_request"] = [](PI::ClientRequestInfo_ptr ri) {
    ri->add_request_service_context(context(7, {1}), false);
  };
  echo(object.in(), 1);
  a.at.clear();
  for (int i = 0; i < 3; ++i) echo(object.in(), 1);
  ASSERT_EQ(peer.requests().size(), 4u);
  for (std::size_t i = 1; i < 4; ++i)
    EXPECT_EQ(peer.requests()[i].size() + (GetParam() == 2 ? 16 : 12), peer.requests()[0].size()) << i;
}

TEST_P(Contexts, come_with_replies) {
  reply_data = {Byte{9}, Byte{8}};
  reply_context = {0xabc, reply_data};
  a.at["receive_reply"] = [](PI::ClientRequestInfo_ptr ri) {
    const IOP::ServiceContext_var c = ri->get_reply_service_context(0xabc);
    EXPECT_EQ(c->context_id, 0xabcu);
    EXPECT_EQ(ints(c->context_data), (std::vector{9, 8}));
    const auto e = caught<CORBA::BAD_PARAM>([&] { ri->get_reply_service_context(0xabd); });
    EXPECT_EQ(e.minor(), orb::omg(26));
  };
  EXPECT_EQ(echo(object.in(), 1), 42u);
  EXPECT_EQ(log.back(), "A.receive_reply");
}

TEST_P(Contexts, of_the_request_can_be_read_again) {
  a.at["send_request"] = [](PI::ClientRequestInfo_ptr ri) {
    EXPECT_EQ(caught<CORBA::BAD_PARAM>([&] { ri->get_request_service_context(7); }).minor(), orb::omg(26));
    ri->add_request_service_context(context(7, {1}), false);
    const IOP::ServiceContext_var c = ri->get_request_service_context(7);
    EXPECT_EQ(ints(c->context_data), std::vector{1});
  };
  a.at["receive_reply"] = [](PI::ClientRequestInfo_ptr ri) {
    const IOP::ServiceContext_var c = ri->get_request_service_context(7);
    EXPECT_EQ(ints(c->context_data), std::vector{1});
  };
  echo(object.in(), 1);
  EXPECT_EQ(log.back(), "A.receive_reply");
}

TEST_P(Contexts, are_replaced_when_told_to_only) {
  a.at["send_request"] = [](PI::ClientRequestInfo_ptr ri) {
    ri->add_request_service_context(context(7, {1}), false);
    const auto e = caught<CORBA::BAD_INV_ORDER>([&] { ri->add_request_service_context(context(7, {2}), false); });
    EXPECT_EQ(e.minor(), orb::omg(15));
    ri->add_request_service_context(context(7, {3, 4}), true);
    ri->add_request_service_context(context(8, {5}), true);
    const IOP::ServiceContext_var c = ri->get_request_service_context(7);
    EXPECT_EQ(ints(c->context_data), (std::vector{3, 4}));
  };
  echo(object.in(), 1);
  EXPECT_EQ(log.back(), "A.receive_reply");
}

TEST_P(Contexts, keep_to_the_limits_that_a_peer_has) {
  a.at["send_request"] = [](PI::ClientRequestInfo_ptr ri) {
    IOP::ServiceContext large = context(1000, {});
    large.context_data.length((64u << 10) + 1);
    EXPECT_THROW(ri->add_request_service_context(large, false), CORBA::IMP_LIMIT);
    large.context_data.length(64u << 10);
    ri->add_request_service_context(large, false);
    for (IOP::ServiceId id = 1; id < 3; ++id) ri->add_request_service_context(context(id, {}), false);
    const auto e = caught<CORBA::IMP_LIMIT>([&] { ri->add_request_service_context(context(3, {}), false); });
    EXPECT_EQ(e.minor(), orb::kVmcid | 0xb1);
    ri->add_request_service_context(context(2, {1}), true);
  };
  EXPECT_EQ(echo(object.in(), 1), 42u);
}

INSTANTIATE_TEST_SUITE_P(Giop, Contexts, ::testing::Values(0, 1, 2),
                         [](const auto& p) { return "1_" + std::to_string(p.param); });

}  // namespace
}  // namespace callis::interceptors::testing
