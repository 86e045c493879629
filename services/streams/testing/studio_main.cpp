// SPDX-License-Identifier: Apache-2.0
// Devices for clients of other ORBs (tests/interop): a camera and a viewer, each on an ORB of its own, and a
// controller.
//
//   callis_streams_studio
//
// Prints their three references. Lines of its input: "send TEXT", by the camera's last stream: "sent", or why not;
// "camera LINE" and "viewer LINE" wait for what their parts have seen: "seen", or "not seen". Ends with its input.
#include <services/streams/testing/serving.h>
#include <cstdio>
#include <iostream>

using namespace callis::streams;
using namespace callis::streams::testing;

static std::string done(const std::string& line, Seen& camera, Seen& viewer) {
  const std::size_t space = line.find(' ');
  const std::string what = line.substr(0, space), text = space == std::string::npos ? "" : line.substr(space + 1);
  if (what == "send") return camera.send("video", text) == Sent::Sent ? "sent" : "not sent";
  if (what == "camera") return camera.wait(text) ? "seen" : "not seen";
  if (what == "viewer") return viewer.wait(text) ? "seen" : "not seen";
  return "no such command";
}

int main() {
  try {
    Seen of_camera, of_viewer;
    Program at_camera, at_viewer;
    const AVStreams::MMDevice_var camera = at_camera.streams->add_device(device(of_camera, {flow("video", true)}));
    const AVStreams::MMDevice_var viewer = at_viewer.streams->add_device(device(of_viewer, {flow("video", false)}));
    const AVStreams::StreamCtrl_var ctrl = at_camera.streams->new_stream_ctrl();
    std::cout << CORBA::String_var(at_camera.orb->object_to_string(camera.in())).in() << "\n"
              << CORBA::String_var(at_viewer.orb->object_to_string(viewer.in())).in() << "\n"
              << CORBA::String_var(at_camera.orb->object_to_string(ctrl.in())).in() << std::endl;
    for (std::string line; std::getline(std::cin, line);) std::cout << done(line, of_camera, of_viewer) << std::endl;
  } catch (const CORBA::Exception& e) {
    std::fprintf(stderr, "callis_streams_studio: %s\n", e._rep_id());
    return 1;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "callis_streams_studio: %s\n", e.what());
    return 1;
  }
  return 0;
}
