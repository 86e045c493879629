// SPDX-License-Identifier: Apache-2.0
// The light profile: devices of two programs, their streams, and what a controller does with them. A&V
// Streams 1.0, 2.2.
#include <gtest/gtest.h>
#include <services/streams/testing/call_counter.h>
#include <services/streams/testing/serving.h>

namespace callis::streams {
namespace {

using testing::device;
using testing::flow;
using testing::framerate;
using testing::Program;
using testing::Seen;
using testing::soon;
using testing::spec;

const Way kRtp{Carrier::RtpUdp, {FlowProtocol::Kind::Rtp, 0}}, kTcp{Carrier::Tcp, {FlowProtocol::Kind::Sfp, 0}},
    kUdp{Carrier::Udp, {}};
const AVStreams::flowSpec kAll;

// A camera in one program, a viewer in another, and a controller beside the camera.
struct Studio {
  std::vector<std::string> events;  // before the programs, which may push some until their end
  std::mutex events_mutex;
  Seen camera_seen, viewer_seen;
  Program at_camera, at_viewer;
  AVStreams::MMDevice_var camera, viewer;
  AVStreams::StreamCtrl_var ctrl;
  AVStreams::streamQoS qos;

  Studio(std::vector<FlowOffer> of_camera, std::vector<FlowOffer> of_viewer) {
    camera = at_camera.streams->add_device(device(camera_seen, std::move(of_camera)));
    const AVStreams::MMDevice_var there = at_viewer.streams->add_device(device(viewer_seen, std::move(of_viewer)));
    viewer = at_camera.here(at_viewer, there.in());
    ctrl = at_camera.streams->new_stream_ctrl([this](const AVStreams::streamEvent& event) {
      const char* text = "";
      event.property_value >>= text;
      const std::lock_guard lock(events_mutex);
      events.push_back(text);
    });
  }
  Studio() : Studio({flow("video", true)}, {flow("video", false)}) {}
  bool bind(const AVStreams::flowSpec& flows = {}) { return ctrl->bind_devs(camera.in(), viewer.in(), qos, flows); }
  std::string refusal(const AVStreams::flowSpec& flows = {}) {
    try {
      bind(flows);
    } catch (const AVStreams::streamOpFailed& e) {
      return e.reason.in();
    } catch (const AVStreams::QoSRequestFailed& e) {
      return e.reason.in();
    } catch (const AVStreams::noSuchFlow&) {
      return "noSuchFlow";
    }
    return "bound";
  }
};

class EveryWay : public ::testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, EveryWay, ::testing::Values(kRtp, kTcp, kUdp),
                         [](const auto& of) { return testing::name_of(of.param); });

TEST_P(EveryWay, binds_starts_stops_and_destroys_a_stream) {
  Studio s({flow("video", true, {GetParam()})}, {flow("video", false, {GetParam()})});
  EXPECT_TRUE(s.bind());
  EXPECT_EQ(s.camera_seen.send("video", "early"), Sent::Stopped);
  s.ctrl->start(kAll);
  ASSERT_EQ(s.camera_seen.send("video", "one"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: one"));
  s.ctrl->stop(kAll);
  EXPECT_TRUE(s.camera_seen.wait("stop video"));
  EXPECT_EQ(s.camera_seen.send("video", "late"), Sent::Stopped);
  s.ctrl->start(spec({"video"}));
  ASSERT_EQ(s.camera_seen.send("video", "two"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: two"));
  s.ctrl->destroy(kAll);
  EXPECT_TRUE(s.camera_seen.wait("closed video"));
  EXPECT_TRUE(s.viewer_seen.wait("closed video"));
  EXPECT_EQ(s.at_camera.streams->parties() + s.at_viewer.streams->parties(), 0u);
  EXPECT_THROW(s.ctrl->start(kAll), CORBA::OBJECT_NOT_EXIST);
}

TEST(Stream, is_set_up_in_few_calls) {
  testing::CallCounter& counter = testing::CallCounter::install();  // of the ORBs that come now
  Studio s;
  counter.take();
  EXPECT_TRUE(s.bind());
  EXPECT_EQ(counter.take(),
            (std::vector<std::string>{"bind_devs", "create_A", "create_B", "set_peer", "get_properties", "set_peer",
                                      "connect", "request_connection"}));
  s.ctrl->start(kAll);
  EXPECT_EQ(counter.take(), (std::vector<std::string>{"start", "start", "start"}));
}

TEST(Stream, has_flows_both_ways) {
  Studio s({flow("video", true), flow("voice", false, {kTcp})}, {flow("voice", true, {kTcp}), flow("video", false)});
  EXPECT_TRUE(s.bind());
  s.ctrl->start(kAll);
  ASSERT_EQ(s.camera_seen.send("video", "picture"), Sent::Sent);
  ASSERT_EQ(s.viewer_seen.send("voice", "hello"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: picture"));
  EXPECT_TRUE(s.camera_seen.wait("voice: hello"));
  s.ctrl->stop(spec({"video"}));
  EXPECT_EQ(s.camera_seen.send("video", "x"), Sent::Stopped);
  EXPECT_EQ(s.viewer_seen.send("voice", "y"), Sent::Sent);
  EXPECT_THROW(s.ctrl->stop(spec({"smell"})), AVStreams::noSuchFlow);
}

TEST(Stream, of_some_flows_leaves_the_others_alone) {
  Studio s({flow("video", true), flow("audio", true)}, {flow("video", false), flow("audio", false)});
  EXPECT_TRUE(s.bind(spec({"audio"})));
  s.ctrl->start(kAll);
  EXPECT_EQ(s.camera_seen.send("audio", "sound"), Sent::Sent);
  EXPECT_EQ(s.camera_seen.send("video", "picture"), Sent::NotConnected);
}

TEST(Stream, takes_the_first_format_and_carrier_that_both_have) {
  Studio s({flow("video", true, {kTcp, kUdp}, {"A", "B", "C"})}, {flow("video", false, {kRtp, kUdp}, {"C", "B"})});
  EXPECT_TRUE(s.bind());
  EXPECT_TRUE(s.camera_seen.wait("format video B"));
  EXPECT_TRUE(s.viewer_seen.wait("format video B"));
  AVStreams::StreamEndPoint_var end;
  const AVStreams::VDev_var vdev = s.ctrl->get_related_vdev(s.viewer.in(), end.out());
  const CORBA::Any_var format = vdev->get_property_value("video_availableFormats");
  const AVStreams::protocolSpec* formats = nullptr;
  ASSERT_TRUE(format.in() >>= formats);
  EXPECT_EQ(formats->length(), 2u);
}

TEST(Stream, goes_by_the_carrier_that_its_spec_names) {
  Studio s({flow("video", true, {kRtp, kTcp})}, {flow("video", false, {kRtp, kTcp})});
  EXPECT_TRUE(s.bind(spec({"video\\in\\F\\SFP1.0\\TCP"})));
  s.ctrl->start(kAll);
  ASSERT_EQ(s.camera_seen.send("video", std::string(100000, 'x')), Sent::Sent);  // too large for a datagram
  EXPECT_TRUE(s.viewer_seen.wait("video: " + std::string(100000, 'x')));
}

TEST(Stream, is_refused_with_its_reason) {
  EXPECT_NE(
      Studio({flow("v", true, {}, {"A"})}, {flow("v", false, {}, {"B"})}).refusal().find("no format of the flow v"),
      std::string::npos);
  EXPECT_NE(Studio({flow("v", true, {kTcp})}, {flow("v", false, {kUdp})}).refusal().find("no carrier of the flow v"),
            std::string::npos);
  EXPECT_NE(Studio({flow("v", true)}, {flow("v", true)}).refusal().find("goes the other way"), std::string::npos);
  EXPECT_EQ(Studio({flow("v", true)}, {flow("w", false)}).refusal(spec({"v"})), "noSuchFlow");
  EXPECT_EQ(Studio().refusal(spec({"nothing"})), "noSuchFlow");
  EXPECT_EQ(Studio().refusal(spec({"\\\\\\"})), "noSuchFlow");
  EXPECT_NE(Studio().refusal(spec({"video\\out"})).find("goes the other way"), std::string::npos);
  EXPECT_NE(Studio().refusal(spec({"video\\sideways"})).find("field 2"), std::string::npos);
  Studio denied;
  denied.viewer_seen.deny = true;
  EXPECT_NE(denied.refusal().find("the B party: denied"), std::string::npos);
  EXPECT_EQ(denied.at_camera.streams->parties(), 0u);  // the A party is gone, too
}

TEST(Stream, is_bounded_in_number) {
  Seen seen;
  Studio s;
  DeviceOffer offer = device(seen, {flow("video", false)});
  offer.most_streams = 2;
  const AVStreams::MMDevice_var there = s.at_viewer.streams->add_device(offer);
  s.viewer = s.at_camera.here(s.at_viewer, there.in());
  EXPECT_EQ(s.refusal(), "bound");
  EXPECT_EQ(s.refusal(), "bound");
  EXPECT_NE(s.refusal().find("which is its most"), std::string::npos);
}

TEST(Stream, agrees_on_qos_within_what_the_devices_can) {
  Studio s;
  s.qos = framerate("video", 60);
  EXPECT_FALSE(s.bind());  // 30 is the most
  CORBA::Long value = 0;
  ASSERT_TRUE(s.qos[0].QoSParams[0].property_value >>= value);
  EXPECT_EQ(value, 30);
  EXPECT_TRUE(s.viewer_seen.wait("qos video video_framerate 30"));
  s.ctrl->start(kAll);
  AVStreams::streamQoS slower = framerate("video_QoS", 10);
  EXPECT_TRUE(s.ctrl->modify_QoS(slower, kAll));
  EXPECT_TRUE(s.camera_seen.wait("qos video video_framerate 10"));
  AVStreams::streamQoS unknown = framerate("video", 10);
  unknown[0].QoSParams[0].property_name = "smell";
  EXPECT_THROW(s.ctrl->modify_QoS(unknown, kAll), AVStreams::QoSRequestFailed);
  unknown = framerate("video", 10);
  unknown[0].QoSParams[0].property_value <<= "ten";
  EXPECT_THROW(s.ctrl->modify_QoS(unknown, kAll), AVStreams::QoSRequestFailed);
}

TEST(Stream, has_positions_of_its_media) {
  Studio s;
  s.bind();
  AVStreams::StreamEndPoint_var end;
  const AVStreams::VDev_var vdev = s.ctrl->get_related_vdev(s.camera.in(), end.out());
  const AVStreams::MediaControl_var media = AVStreams::MediaControl::_narrow(vdev.in());
  ASSERT_FALSE(CORBA::is_nil(media.in()));
  media->set_media_position({AVStreams::AbsolutePosition, AVStreams::MediaTime, 42});
  EXPECT_EQ(media->get_media_position(AVStreams::AbsolutePosition, AVStreams::MediaTime).value, 42);
  EXPECT_THROW(media->get_media_position(AVStreams::AbsolutePosition, AVStreams::ByteCount),
               AVStreams::MediaControl::PostionKeyNotSupported);
  EXPECT_THROW(media->set_media_position({AVStreams::AbsolutePosition, AVStreams::MediaTime, -1}),
               AVStreams::InvalidPosition);
  media->pause({AVStreams::RelativePosition, AVStreams::MediaTime, 0});
  EXPECT_TRUE(s.camera_seen.wait("pause"));
  media->start({AVStreams::AbsolutePosition, AVStreams::MediaTime, 7});
  EXPECT_TRUE(s.camera_seen.wait("play"));
  EXPECT_EQ(s.camera_seen.position, 7);
}

TEST(Stream, tells_its_controller_that_a_flow_has_ended) {
  Studio s({flow("video", true, {kTcp})}, {flow("video", false, {kTcp})});
  s.bind();
  s.ctrl->start(kAll);
  ASSERT_EQ(s.camera_seen.send("video", "last"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: last"));
  s.at_camera.streams->remove_device(s.camera.in());
  EXPECT_TRUE(s.viewer_seen.wait("ended video"));
  EXPECT_TRUE(soon([&] {
    const std::lock_guard lock(s.events_mutex);
    return !s.events.empty() && s.events[0].starts_with("video: ");
  }));
}

TEST(Stream, shows_its_state_as_a_property) {
  Studio s;
  s.bind();
  AVStreams::StreamEndPoint_var end;
  AVStreams::VDev_var(s.ctrl->get_related_vdev(s.viewer.in(), end.out()));
  const auto state = [&] {
    const CORBA::Any_var value = end->get_property_value("video_Status");
    const AVStreams::flowStatus* status = nullptr;
    return (value.in() >>= status) ? status->status : AVStreams::dead;
  };
  EXPECT_EQ(state(), AVStreams::stopped);
  s.ctrl->start(kAll);
  EXPECT_EQ(state(), AVStreams::started);
}

TEST(Stream, parties_leave_one_by_one) {
  Studio s;
  s.bind();
  s.ctrl->unbind_dev(s.viewer.in(), kAll);
  EXPECT_TRUE(s.viewer_seen.wait("closed video"));
  EXPECT_THROW(s.ctrl->unbind_dev(s.viewer.in(), kAll), AVStreams::streamOpFailed);
  s.ctrl->unbind();
  EXPECT_EQ(s.at_camera.streams->parties(), 0u);
  EXPECT_TRUE(s.bind());  // unbind() leaves a controller that binds anew
}

TEST(Stream, is_bound_by_a_device_itself) {
  Studio s;
  CORBA::Boolean met = false;
  const AVStreams::StreamCtrl_var ctrl = s.camera->bind(s.viewer.in(), s.qos, met, kAll);
  EXPECT_TRUE(met);
  ctrl->start(kAll);
  ASSERT_EQ(s.camera_seen.send("video", "x"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: x"));
}

TEST(Stream, of_end_points_is_bound_without_devices) {
  Studio s;
  CORBA::Boolean met = false;
  CORBA::String_var name = CORBA::string_dup("mine");
  AVStreams::VDev_var one, two;
  const AVStreams::StreamEndPoint_A_var a =
      s.camera->create_A(s.ctrl.in(), one.out(), s.qos, met, name.inout(), kAll);
  const AVStreams::StreamEndPoint_B_var b =
      s.viewer->create_B(s.ctrl.in(), two.out(), s.qos, met, name.inout(), kAll);
  EXPECT_STREQ(name.in(), "mine");
  EXPECT_TRUE(s.ctrl->bind(a.in(), b.in(), s.qos, kAll));
  EXPECT_THROW(s.ctrl->bind(a.in(), b.in(), s.qos, kAll), AVStreams::streamOpFailed);  // connected already
  s.ctrl->start(kAll);
  ASSERT_EQ(s.camera_seen.send("video", "x"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: x"));
  s.viewer->destroy(b.in(), "mine");
  EXPECT_TRUE(s.viewer_seen.wait("closed video"));
}

TEST(Stream, end_points_obey_restrictions_of_carriers) {
  Studio s({flow("video", true, {kRtp, kTcp})}, {flow("video", false, {kRtp, kTcp})});
  CORBA::Boolean met = false;
  CORBA::String_var name = CORBA::string_dup("");
  AVStreams::VDev_var vdev;
  const AVStreams::StreamEndPoint_B_var b =
      s.viewer->create_B(s.ctrl.in(), vdev.out(), s.qos, met, name.inout(), kAll);
  AVStreams::protocolSpec carriers;
  carriers.length(1);
  carriers[0] = "TCP";
  EXPECT_TRUE(b->set_protocol_restriction(carriers));
  AVStreams::flowSpec asked = spec({"video\\in\\F\\RTP\\RTP/UDP=127.0.0.1:4000"});
  EXPECT_THROW(b->request_connection(AVStreams::StreamEndPoint::_nil(), false, s.qos, asked),
               AVStreams::streamOpDenied);
}

TEST(Stream, to_many_goes_over_multicast) {
  Seen second;
  Studio s;
  EXPECT_TRUE(s.ctrl->bind_devs(s.camera.in(), AVStreams::MMDevice::_nil(), s.qos, kAll));
  EXPECT_TRUE(s.ctrl->bind_devs(AVStreams::MMDevice::_nil(), s.viewer.in(), s.qos, kAll));
  const AVStreams::MMDevice_var other = s.at_camera.streams->add_device(device(second, {flow("video", false)}));
  EXPECT_TRUE(s.ctrl->bind_devs(AVStreams::MMDevice::_nil(), other.in(), s.qos, kAll));
  s.ctrl->start(kAll);
  ASSERT_EQ(s.camera_seen.send("video", "to all"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: to all"));
  EXPECT_TRUE(second.wait("video: to all"));
  EXPECT_TRUE(second.wait("format video F"));
  s.ctrl->unbind_dev(other.in(), kAll);
  ASSERT_EQ(s.camera_seen.send("video", "to one"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: to one"));
  const auto lines = second.lines();
  EXPECT_EQ(std::find(lines.begin(), lines.end(), "video: to one"), lines.end());
}

TEST(Stream, to_many_needs_its_source_first) {
  Studio s;
  EXPECT_THROW(s.ctrl->bind_devs(AVStreams::MMDevice::_nil(), s.viewer.in(), s.qos, kAll), AVStreams::streamOpFailed);
  EXPECT_THROW(s.ctrl->bind_devs(AVStreams::MMDevice::_nil(), AVStreams::MMDevice::_nil(), s.qos, kAll),
               AVStreams::streamOpFailed);
  EXPECT_THROW(s.ctrl->bind_devs(s.viewer.in(), AVStreams::MMDevice::_nil(), s.qos, kAll), AVStreams::streamOpFailed);
}

TEST(Stream, light_devices_have_no_objects_of_flows) {
  Studio s;
  s.bind();
  EXPECT_THROW(s.ctrl->get_flow_connection("video"), AVStreams::notSupported);
  EXPECT_THROW(s.camera->get_fdev("video"), AVStreams::notSupported);
  AVStreams::StreamEndPoint_var end;
  AVStreams::VDev_var(s.ctrl->get_related_vdev(s.viewer.in(), end.out()));
  EXPECT_THROW(end->get_fep("video"), AVStreams::notSupported);
}

TEST(Stream, objects_have_properties_of_their_clients_beside_their_own) {
  Studio s;
  CORBA::Any value;
  value <<= "room 5";
  s.viewer->define_property("place", value);
  EXPECT_TRUE(s.viewer->is_property_defined("place"));
  EXPECT_THROW(s.viewer->define_property("video_dir", value), CosPropertyService::ReadOnlyProperty);
  EXPECT_THROW(s.viewer->delete_property("Flows"), CosPropertyService::FixedProperty);
  EXPECT_THROW(s.viewer->define_property("", value), CosPropertyService::InvalidPropertyName);
  CORBA::Any number;
  number <<= CORBA::Long(5);
  EXPECT_THROW(s.viewer->define_property("place", number), CosPropertyService::ConflictingProperty);
  const CORBA::Any_var dir = s.viewer->get_property_value("video_dir");
  const char* text = nullptr;
  ASSERT_TRUE(dir.in() >>= text);
  EXPECT_STREQ(text, "in");
  CosPropertyService::PropertyNames_var names;
  CosPropertyService::PropertyNamesIterator_var rest;
  s.viewer->get_all_property_names(1, names.out(), rest.out());
  EXPECT_EQ(names->length(), 1u);
  ASSERT_FALSE(CORBA::is_nil(rest.in()));
  EXPECT_TRUE(rest->next_n(100, names.out()));
  EXPECT_EQ(names->length() + 1, s.viewer->get_number_of_properties());
  s.viewer->delete_property("place");
  EXPECT_THROW(s.viewer->get_property_value("place"), CosPropertyService::PropertyNotFound);
}

TEST(Device, that_is_none_is_refused) {
  Seen seen;
  Program p;
  EXPECT_THROW(p.streams->add_device(device(seen, {})), FlowFailed);
  EXPECT_THROW(p.streams->add_device(device(seen, {flow("a\\b", true)})), FlowFailed);
  EXPECT_THROW(p.streams->add_device(device(seen, {flow("a", true), flow("a", false)})), FlowFailed);
  EXPECT_THROW(p.streams->add_device(device(seen, {flow("a", true, {}, {"x\ny"})})), FlowFailed);
  DeviceOffer named = device(seen, {flow("a", true)});
  named.host = "localhost";
  EXPECT_THROW(p.streams->add_device(named), FlowFailed);
}

}  // namespace
}  // namespace callis::streams
