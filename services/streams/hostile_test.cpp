// SPDX-License-Identifier: Apache-2.0
// Clients that send anything: flow specs of any bytes, QoS of any type, references of others.
#include <gtest/gtest.h>
#include <services/streams/testing/serving.h>
#include <cmath>
#include <random>

namespace callis::streams {
namespace {

using testing::device;
using testing::flow;
using testing::framerate;
using testing::Program;
using testing::Seen;
using testing::spec;

struct Attacked {
  Seen seen;
  Program p;
  AVStreams::MMDevice_var target;
  AVStreams::streamQoS qos;
  AVStreams::StreamEndPoint_B_var end;
  AVStreams::VDev_var vdev;
  Attacked() {
    target = p.streams->add_device(device(seen, {flow("video", false)}));
    CORBA::Boolean met = false;
    CORBA::String_var name = CORBA::string_dup("");
    end = target->create_B(AVStreams::StreamCtrl::_nil(), vdev.out(), qos, met, name.inout(), {});
  }
};

TEST(HostileClients, flow_specs_of_any_bytes_are_refused_by_exceptions_of_the_operation) {
  Attacked a;
  std::mt19937 random(19);
  const std::string alphabet = "video\\in\\RTP/UDP=127.0.0.1:;@[]0123456789SFPC\xff\x01";
  for (int i = 0; i < 3000; ++i) {
    AVStreams::flowSpec any;
    any.length(static_cast<CORBA::ULong>(random() % 3 + 1));
    for (CORBA::ULong n = 0; n < any.length(); ++n) {
      std::string text = random() % 2 ? "video\\in\\F\\" : "";
      for (std::size_t k = random() % 60; k > 0; --k) text += alphabet[random() % alphabet.size()];
      any[n] = text.c_str();
    }
    AVStreams::flowSpec asked = any;
    try {
      a.end->request_connection(AVStreams::StreamEndPoint::_nil(), random() % 8 == 0, a.qos, asked);
      a.end->disconnect({});
    } catch (const CORBA::UserException&) {}
    try {
      a.end->start(any);
    } catch (const AVStreams::noSuchFlow&) {}
  }
  AVStreams::flowSpec good = spec({"video\\in\\F\\RTP\\RTP/UDP=127.0.0.1:40000"});
  a.end->disconnect({});
  EXPECT_TRUE(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, good));
  EXPECT_NE(std::string(good[0].in()).find("video\\RTP/UDP=127.0.0.1:"), std::string::npos);
}

TEST(HostileClients, long_specs_are_refused) {
  Attacked a;
  AVStreams::flowSpec many;
  many.length(10000);
  for (CORBA::ULong i = 0; i < many.length(); ++i) many[i] = "video";
  EXPECT_THROW(a.end->start(many), AVStreams::noSuchFlow);
  EXPECT_THROW(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, many),
               AVStreams::noSuchFlow);
  AVStreams::flowSpec long_one = spec({"video\\in\\" + std::string(1 << 20, 'F')});
  EXPECT_THROW(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, long_one),
               CORBA::UserException);
}

TEST(HostileClients, qos_of_any_kind_is_refused) {
  Attacked a;
  for (int kind = 0; kind < 4; ++kind) {
    AVStreams::streamQoS odd = framerate("video", 5);
    if (kind == 0) odd[0].QoSParams[0].property_value <<= std::nan("");
    if (kind == 1) odd[0].QoSParams[0].property_value = CORBA::Any();
    if (kind == 2) odd[0].QoSParams[0].property_value <<= framerate("x", 1);
    if (kind == 3) odd[0].QoSParams[0].property_name = std::string(1 << 16, 'n').c_str();
    EXPECT_THROW(a.end->modify_QoS(odd, {}), AVStreams::QoSRequestFailed) << kind;
  }
  AVStreams::streamQoS many;
  many.length(1000);
  EXPECT_THROW(a.end->modify_QoS(many, {}), AVStreams::QoSRequestFailed);
}

TEST(HostileClients, properties_are_bounded) {
  Attacked a;
  CORBA::Any value;
  value <<= CORBA::Long(1);
  std::size_t taken = 0;
  try {
    for (; taken < 10000; ++taken) a.target->define_property(("p" + std::to_string(taken)).c_str(), value);
  } catch (const CORBA::IMP_LIMIT&) {}
  EXPECT_LE(taken, kPropertyBounds.properties);
  EXPECT_GT(taken, 100u);
}

TEST(HostileClients, a_flow_is_asked_for_once_and_with_an_address) {
  Attacked a;
  AVStreams::flowSpec without = spec({"video\\in\\F\\RTP\\RTP/UDP"});
  EXPECT_THROW(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, without),
               AVStreams::streamOpDenied);
  AVStreams::flowSpec one = spec({"video\\in\\F\\RTP\\RTP/UDP=127.0.0.1:40000"}), two = one;
  EXPECT_TRUE(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, one));
  EXPECT_THROW(a.end->request_connection(AVStreams::StreamEndPoint::_nil(), false, a.qos, two),
               AVStreams::streamOpDenied);
  EXPECT_NO_THROW(a.end->start({}));  // the first is as it was
}

TEST(HostileClients, a_controller_is_not_hung_by_parties_that_are_nowhere) {
  Attacked a;
  const AVStreams::StreamCtrl_var ctrl = a.p.streams->new_stream_ctrl();
  const CORBA::Object_var nowhere = a.p.orb->string_to_object("corbaloc::127.0.0.1:1/nothing");
  const AVStreams::MMDevice_var device = AVStreams::MMDevice::_unchecked_narrow(nowhere.in());
  try {
    ctrl->bind_devs(a.target.in(), device.in(), a.qos, {});
    FAIL();
  } catch (const AVStreams::streamOpFailed& e) {
    EXPECT_NE(std::string(e.reason.in()).find("the B party: it does not answer"), std::string::npos) << e.reason.in();
  }
}

}  // namespace
}  // namespace callis::streams
