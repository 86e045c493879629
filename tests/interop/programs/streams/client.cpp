// SPDX-License-Identifier: Apache-2.0
// A client of Audio/Video Streams, with callis or omniORB:
//
//   client CAMERA VIEWER CTRL [ORB options]
//
// Binds the two devices by the controller, changes and ends the stream; binds end points that the devices make; asks
// for what is refused. Prints what came of each. Where a line ends with "...", it waits for a line of its input.
#ifdef INTEROP_OMNIORB
#include <AVStreams.hh>
#else
#include <callis/corba.h>
#include "AVStreams.h"
#endif
#include <cstdio>
#include <iostream>
#include <string>

namespace {

namespace cos = CosPropertyService;

void say(const std::string& what, const std::string& came) { std::cout << what << ": " << came << std::endl; }

// Somebody looks, and then says so.
void wait_here(const std::string& what) {
  std::cout << what << "..." << std::endl;
  std::string line;
  std::getline(std::cin, line);
}

AVStreams::flowSpec flows(const char* name = nullptr) {
  AVStreams::flowSpec out;
  if (!name) return out;  // all
  out.length(1);
  out[0] = name;
  return out;
}

AVStreams::streamQoS framerate(CORBA::Long value, const char* parameter = "video_framerate") {
  AVStreams::streamQoS out;
  out.length(1);
  out[0].QoSType = "video_QoS";
  out[0].QoSParams.length(1);
  out[0].QoSParams[0].property_name = parameter;
  out[0].QoSParams[0].property_value <<= value;
  return out;
}

std::string rate_in(const AVStreams::streamQoS& qos) {
  CORBA::Long value = 0;
  if (qos.length() != 1 || qos[0].QoSParams.length() != 1) return "another form";
  return (qos[0].QoSParams[0].property_value >>= value) ? std::to_string(value) : "another type";
}

// What the call ends with. Reasons are words for people, and said only whether there are any.
template<class Call>
std::string end_of(Call call) {
  try {
    call();
    return "done";
  } catch (const AVStreams::streamOpFailed& e) {
    return std::string("streamOpFailed") + (*e.reason ? " with a reason" : "");
  } catch (const AVStreams::QoSRequestFailed& e) {
    return std::string("QoSRequestFailed") + (*e.reason ? " with a reason" : "");
  } catch (const AVStreams::InvalidPosition& e) {
    return "InvalidPosition " + std::to_string(static_cast<int>(e.key));
  } catch (const AVStreams::MediaControl::PostionKeyNotSupported& e) {
    return "PostionKeyNotSupported " + std::to_string(static_cast<int>(e.key));
  } catch (const CORBA::Exception& e) {
    return e._name();
  }
}

// bind_devs, and all that a controller does with a stream.
void control(AVStreams::StreamCtrl_ptr ctrl, AVStreams::MMDevice_ptr camera, AVStreams::MMDevice_ptr viewer) {
  AVStreams::streamQoS qos = framerate(60);
  const bool met = ctrl->bind_devs(camera, viewer, qos, flows());
  say("bind_devs", std::string(met ? "met, " : "not met, ") + rate_in(qos));
  ctrl->start(flows());
  wait_here("started");
  AVStreams::streamQoS slower = framerate(10);
  const bool agreed = ctrl->modify_QoS(slower, flows("video"));
  say("modify_QoS", std::string(agreed ? "met, " : "not met, ") + rate_in(slower));
  say("modify_QoS of nothing known", end_of([&] {
        AVStreams::streamQoS unknown = framerate(10, "smell");
        ctrl->modify_QoS(unknown, flows());
      }));
  say("stop what is not there", end_of([&] { ctrl->stop(flows("smell")); }));
  say("get_flow_connection", end_of([&] { CORBA::Object_var(ctrl->get_flow_connection("video")); }));

  AVStreams::StreamEndPoint_var end;
  const AVStreams::VDev_var vdev = ctrl->get_related_vdev(viewer, end.out());
  const CORBA::Any_var value = end->get_property_value("video_Status");
  const AVStreams::flowStatus* status = nullptr;
  if (value.in() >>= status)
    say("status", std::string(status->flowName) + " " + std::to_string(static_cast<int>(status->directionality)) +
                      " " + std::to_string(static_cast<int>(status->status)));
  else
    say("status", "another type");
  say("get_fep", end_of([&] { CORBA::Object_var(end->get_fep("video")); }));
  say("set_format", end_of([&] { vdev->set_format("video", "G"); }));

  AVStreams::StreamEndPoint_var there;
  const AVStreams::VDev_var sender = ctrl->get_related_vdev(camera, there.out());
  const AVStreams::MediaControl_var media = AVStreams::MediaControl::_narrow(sender);
  AVStreams::Position to = {AVStreams::AbsolutePosition, AVStreams::MediaTime, 42};
  media->set_media_position(to);
  const AVStreams::Position at = media->get_media_position(AVStreams::AbsolutePosition, AVStreams::MediaTime);
  say("position", std::to_string(at.value) + " " + std::to_string(static_cast<int>(at.key)));
  say("position in bytes",
      end_of([&] { media->get_media_position(AVStreams::AbsolutePosition, AVStreams::ByteCount); }));
  to.value = -1;
  say("seek before the beginning", end_of([&] { media->set_media_position(to); }));

  ctrl->stop(flows());
  wait_here("stopped");
  ctrl->unbind_party(end.in(), flows());
  say("unbind_party again", end_of([&] { ctrl->unbind_party(end.in(), flows()); }));
  ctrl->unbind();
}

// End points that the devices make for us, bound and driven one by one.
void connect(AVStreams::StreamCtrl_ptr ctrl, AVStreams::MMDevice_ptr camera, AVStreams::MMDevice_ptr viewer) {
  AVStreams::streamQoS qos = framerate(20);
  CORBA::Boolean met = false;
  CORBA::String_var name = CORBA::string_dup("mine");
  AVStreams::VDev_var one, two;
  const AVStreams::StreamEndPoint_A_var a = camera->create_A(ctrl, one.out(), qos, met, name.inout(), flows());
  say("create_A", std::string(met ? "met, " : "not met, ") + rate_in(qos) + ", " + name.in());
  const AVStreams::StreamEndPoint_B_var b = viewer->create_B(ctrl, two.out(), qos, met, name.inout(), flows());
  AVStreams::protocolSpec carriers;
  carriers.length(1);
  carriers[0] = "RTP/UDP";
  say("set_protocol_restriction", b->set_protocol_restriction(carriers) ? "true" : "false");
  say("connect", a->connect(b, qos, flows()) ? "true" : "false");
  say("connect again", end_of([&] { a->connect(b, qos, flows()); }));
  say("connect_leaf", end_of([&] { a->connect_leaf(b, qos, flows()); }));
  b->start(flows());
  a->start(flows("video"));
  wait_here("end points started");
  a->disconnect(flows());
  a->start(flows());  // no flow is connected
  wait_here("disconnected");
  camera->destroy(a, "mine");
  viewer->destroy(b, name.in());
}

std::string text_of(const CORBA::Any& any) {
  const char* text = nullptr;
  return (any >>= text) ? text : "another type";
}

void properties(AVStreams::MMDevice_ptr viewer) {
  const CORBA::Any_var direction = viewer->get_property_value("video_dir");
  say("video_dir", text_of(direction.in()));
  CORBA::Any room;
  room <<= "room 5";
  viewer->define_property("place", room);
  say("place", text_of(CORBA::Any_var(viewer->get_property_value("place")).in()));
  say("change what is the device's", end_of([&] { viewer->define_property("video_dir", room); }));
  say("delete what is the device's", end_of([&] { viewer->delete_property("Flows"); }));
  viewer->delete_property("place");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    if (argc != 4) {
      std::fprintf(stderr, "usage: client CAMERA VIEWER CTRL\n");
      return 2;
    }
    CORBA::Object_var object = orb->string_to_object(argv[1]);
    const AVStreams::MMDevice_var camera = AVStreams::MMDevice::_narrow(object);
    object = orb->string_to_object(argv[2]);
    const AVStreams::MMDevice_var viewer = AVStreams::MMDevice::_narrow(object);
    object = orb->string_to_object(argv[3]);
    const AVStreams::StreamCtrl_var ctrl = AVStreams::StreamCtrl::_narrow(object);
    properties(viewer);
    control(ctrl, camera, viewer);
    connect(ctrl, camera, viewer);
    CORBA::Boolean met = false;
    AVStreams::streamQoS qos;
    const AVStreams::StreamCtrl_var own = camera->bind(viewer, qos, met, flows());
    say("bind", met ? "met" : "not met");
    own->start(flows());
    wait_here("started by a device");
    own->destroy(flows());
    say("start what is destroyed", end_of([&] { own->start(flows()); }));
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::printf("%s\n", e._name());
    return 1;
  }
  return 0;
}
