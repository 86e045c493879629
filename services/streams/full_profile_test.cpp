// SPDX-License-Identifier: Apache-2.0
// The full profile: flows as objects. A&V Streams 1.0, 2.3.
#include <gtest/gtest.h>
#include <services/streams/testing/serving.h>

namespace callis::streams {
namespace {

using testing::device;
using testing::flow;
using testing::Program;
using testing::Seen;

struct FullStudio {
  Seen camera_seen, viewer_seen;
  Program at_camera, at_viewer;
  AVStreams::MMDevice_var camera, viewer;
  AVStreams::streamQoS qos;
  AVStreams::QoS flow_qos;

  explicit FullStudio(const Way& way = {Carrier::RtpUdp, {FlowProtocol::Kind::Rtp, 0}}) {
    camera = at_camera.streams->add_device(device(camera_seen, {flow("video", true, {way})}, true));
    const AVStreams::MMDevice_var there =
        at_viewer.streams->add_device(device(viewer_seen, {flow("video", false, {way})}, true));
    viewer = at_camera.here(at_viewer, there.in());
  }
  AVStreams::FDev_var fdev(const AVStreams::MMDevice_var& of) {
    const CORBA::Object_var object = of->get_fdev("video");
    return AVStreams::FDev::_narrow(object.in());
  }
};

class EveryFullWay : public ::testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(Ways, EveryFullWay,
                         ::testing::Values(Way{Carrier::RtpUdp, {FlowProtocol::Kind::Rtp, 0}}, Way{Carrier::Udp, {}},
                                           Way{Carrier::Udp, {FlowProtocol::Kind::Sfp, 0}},
                                           Way{Carrier::Tcp, {FlowProtocol::Kind::Sfp, 0}}),
                         [](const auto& of) { return testing::name_of(of.param); });

TEST_P(EveryFullWay, connects_flow_devices) {
  FullStudio s(GetParam());
  CORBA::Boolean met = false;
  const AVStreams::FDev_var camera = s.fdev(s.camera), viewer = s.fdev(s.viewer);
  const AVStreams::FlowConnection_var connection = camera->bind(viewer.in(), s.flow_qos, met);
  EXPECT_TRUE(met);
  connection->start();
  ASSERT_EQ(s.camera_seen.send("video", "frame"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: frame"));
  connection->stop();
  EXPECT_EQ(s.camera_seen.send("video", "frame"), Sent::Stopped);
  connection->destroy();
  EXPECT_TRUE(s.viewer_seen.wait("closed video"));
  EXPECT_EQ(s.at_camera.streams->parties() + s.at_viewer.streams->parties(), 0u);
  EXPECT_THROW(connection->start(), CORBA::OBJECT_NOT_EXIST);
}

TEST(FullProfile, finds_out_which_device_produces) {
  FullStudio s;
  CORBA::Boolean met = false;
  const AVStreams::FDev_var camera = s.fdev(s.camera), viewer = s.fdev(s.viewer);
  const AVStreams::FlowConnection_var connection = viewer->bind(camera.in(), s.flow_qos, met);
  connection->start();
  ASSERT_EQ(s.camera_seen.send("video", "frame"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: frame"));
  EXPECT_THROW(camera->bind(camera.in(), s.flow_qos, met), AVStreams::streamOpFailed);
}

TEST(FullProfile, streams_have_their_flows_as_objects) {
  FullStudio s;
  const AVStreams::StreamCtrl_var ctrl = s.at_camera.streams->new_stream_ctrl();
  ASSERT_TRUE(ctrl->bind_devs(s.camera.in(), s.viewer.in(), s.qos, {}));
  CORBA::Object_var object = ctrl->get_flow_connection("video");
  const AVStreams::FlowConnection_var connection = AVStreams::FlowConnection::_narrow(object.in());
  ASSERT_FALSE(CORBA::is_nil(connection.in()));
  EXPECT_TRUE(connection->_is_equivalent(CORBA::Object_var(ctrl->get_flow_connection("video")).in()));
  connection->start();
  ASSERT_EQ(s.camera_seen.send("video", "frame"), Sent::Sent);
  EXPECT_TRUE(s.viewer_seen.wait("video: frame"));
  AVStreams::StreamEndPoint_var end;
  AVStreams::VDev_var(ctrl->get_related_vdev(s.viewer.in(), end.out()));
  object = end->get_fep("video");
  const AVStreams::FlowConsumer_var consumer = AVStreams::FlowConsumer::_narrow(object.in());
  ASSERT_FALSE(CORBA::is_nil(consumer.in()));
  EXPECT_TRUE(AVStreams::StreamEndPoint_var(consumer->related_sep())->_is_equivalent(end.in()));
  EXPECT_TRUE(AVStreams::FlowConnection_var(consumer->related_flow_connection())->_is_equivalent(connection.in()));
  EXPECT_THROW(ctrl->get_flow_connection("smell"), AVStreams::noSuchFlow);
  EXPECT_TRUE(consumer->lock());
  EXPECT_FALSE(consumer->lock());
  consumer->unlock();
  EXPECT_TRUE(consumer->lock());
}

TEST(FullProfile, one_producer_has_many_consumers) {
  FullStudio s;
  CORBA::Boolean met = false;
  const AVStreams::FDev_var camera = s.fdev(s.camera), viewer = s.fdev(s.viewer);
  const AVStreams::FlowConnection_var connection = camera->bind_mcast(viewer.in(), s.flow_qos, met);
  CORBA::String_var name = CORBA::string_dup("");
  const AVStreams::FlowConsumer_var second = viewer->create_consumer(connection.in(), s.flow_qos, met, name.inout());
  EXPECT_TRUE(connection->add_consumer(second.in(), s.flow_qos));
  EXPECT_THROW(connection->add_consumer(second.in(), s.flow_qos), AVStreams::alreadyConnected);
  const AVStreams::FlowProducer_var other = camera->create_producer(connection.in(), s.flow_qos, met, name.inout());
  EXPECT_THROW(connection->add_producer(other.in(), s.flow_qos), AVStreams::notSupported);
  connection->start();
  connection->drop(second.in());
  EXPECT_THROW(connection->drop(second.in()), AVStreams::notConnected);
}

TEST(FullProfile, ends_without_a_common_format_do_not_connect) {
  Seen seen;
  FullStudio s;
  const AVStreams::MMDevice_var device_of_b =
      s.at_camera.streams->add_device(device(seen, {flow("video", false, {}, {"G"})}, true));
  CORBA::Boolean met = false;
  const AVStreams::FDev_var camera = s.fdev(s.camera), other = s.fdev(device_of_b);
  try {
    camera->bind(other.in(), s.flow_qos, met);
    FAIL();
  } catch (const AVStreams::streamOpFailed& e) {
    EXPECT_STREQ(e.reason.in(), "the flow devices have no format in common");
  }
  EXPECT_EQ(s.at_camera.streams->parties(), 0u);
}

TEST(FullProfile, devices_take_flow_devices_of_others) {
  Seen seen;
  FullStudio s;
  const AVStreams::MMDevice_var with_audio =
      s.at_camera.streams->add_device(device(seen, {flow("audio", true)}, true));
  const CORBA::Object_var fdev = with_audio->get_fdev("audio");
  EXPECT_STREQ(CORBA::String_var(s.camera->add_fdev(fdev.in())).in(), "audio");
  EXPECT_THROW(s.camera->add_fdev(fdev.in()), AVStreams::streamOpFailed);
  EXPECT_TRUE(CORBA::Object_var(s.camera->get_fdev("audio"))->_is_equivalent(fdev.in()));
  s.camera->remove_fdev("audio");
  EXPECT_THROW(s.camera->get_fdev("audio"), AVStreams::noSuchFlow);
  EXPECT_THROW(s.camera->add_fdev(with_audio.in()), AVStreams::streamOpFailed);
}

}  // namespace
}  // namespace callis::streams
