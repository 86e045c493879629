// SPDX-License-Identifier: Apache-2.0
// A viewer: counts pictures and sounds, and what is lost of them; and controls the stream.
//
//   video_client IOR FILE            what comes is written to FILE, as H.264
//   video_client IOR FILE --control  also stops, seeks, and changes the frame rate while it plays
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/services/streams.h>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <mutex>
#include "media.h"

namespace streams = callis::streams;

// What has come, of all parts of streams.
class Screen {
 public:
  explicit Screen(const std::string& file) : file_(file, std::ios::binary) {}
  void show(const std::string& flow, const streams::Frame& frame) {
    const std::lock_guard lock(mutex_);
    if (flow == "audio") {
      ++sounds_;
    } else {
      units_.take(frame.data, static_cast<std::uint16_t>(frame.sequence), [&](callis::ByteView unit) {
        file_.write("\0\0\0\1", 4)
            .write(reinterpret_cast<const char*>(unit.data()), static_cast<std::streamsize>(unit.size()));
      });
      if (frame.marker) {
        ++pictures_;
        step_ = frame.timestamp - last_;
        last_ = frame.timestamp;
      }
    }
    changed_.notify_all();
  }
  // Waits until it holds, half a minute at most.
  template<class Holds>
  void wait(const char* what, Holds&& holds) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, std::chrono::seconds(30), holds))
      throw streams::FlowFailed(std::string("waited in vain for ") + what);
  }
  // For wait(), and after it.
  unsigned pictures_ = 0, sounds_ = 0;
  std::uint32_t step_ = 0, last_ = 0;  // of timestamps
  streams::FlowQuality video_, audio_;
  std::mutex mutex_;

 private:
  std::condition_variable changed_;
  std::ofstream file_;
  streams::H264Assembly units_;
};

class Viewer final : public streams::StreamPart {
 public:
  explicit Viewer(Screen& screen) : screen_(screen) {}
  void connected(const std::string& flow, streams::Flow& by) override { (flow == "video" ? video_ : audio_) = &by; }
  void receive(const std::string& flow, const streams::Frame& frame) override { screen_.show(flow, frame); }
  void closed(const std::string& flow) override {  // the last figures
    const std::lock_guard lock(screen_.mutex_);
    (flow == "video" ? screen_.video_ : screen_.audio_) = (flow == "video" ? video_ : audio_)->quality();
  }

 private:
  Screen& screen_;
  streams::Flow *video_ = nullptr, *audio_ = nullptr;
};

void control(AVStreams::StreamCtrl_ptr stream, AVStreams::MMDevice_ptr source, Screen& screen) {
  stream->stop({});
  const unsigned before = screen.pictures_;
  stream->start({});
  screen.wait("pictures after stop and start", [&] { return screen.pictures_ > before; });
  std::cout << "stopped and started" << std::endl;

  AVStreams::StreamEndPoint_var end;
  const AVStreams::VDev_var device = stream->get_related_vdev(source, end.out());
  const AVStreams::MediaControl_var media = AVStreams::MediaControl::_narrow(device);
  media->set_media_position({AVStreams::AbsolutePosition, AVStreams::MediaTime, 6000});
  const CORBA::Long now = media->get_media_position(AVStreams::AbsolutePosition, AVStreams::MediaTime).value;
  std::cout << "sought 6000 ms: " << (now >= 6000 && now < 9000 ? "there" : "elsewhere") << std::endl;
  try {
    media->set_media_position({AVStreams::AbsolutePosition, AVStreams::MediaTime, 3600000});
  } catch (const AVStreams::InvalidPosition&) {
    std::cout << "sought an hour: InvalidPosition" << std::endl;
  }

  AVStreams::streamQoS qos;
  qos.length(1);
  qos[0].QoSType = "video";
  qos[0].QoSParams.length(1);
  qos[0].QoSParams[0].property_name = "video_framerate";
  qos[0].QoSParams[0].property_value <<= CORBA::Long(5);
  const bool met = stream->modify_QoS(qos, {});
  screen.wait("pictures at 5 a second", [&] { return screen.step_ == kVideoClock / 5; });
  std::cout << "changed to 5 pictures a second: " << (met ? "met" : "not met") << std::endl;
}

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    const bool controls = argc == 4 && std::strcmp(argv[3], "--control") == 0;
    if (argc != 3 && !controls) {
      std::cerr << "usage: video_client IOR FILE [--control]\n";
      return 2;
    }
    Screen screen(argv[2]);
    streams::FlowOffer video, audio;
    video.name = "video";
    video.formats = {"MIME:video/H264"};
    video.rtp.payload_type = 96;
    video.rtp.clock_rate = kVideoClock;
    video.rtp.bandwidth_bits = 4e6;
    video.qos = {{"video_framerate", 1, 60, kPictures}};
    audio.name = "audio";
    audio.formats = {"MIME:audio/opus"};
    audio.rtp.payload_type = 97;
    audio.rtp.clock_rate = streams::kOpusClock;
    streams::DeviceOffer device;
    device.flows = {video, audio};
    device.open = [&](streams::PartRequest&) { return std::make_unique<Viewer>(screen); };

    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    {
      streams::Streams all(poa);
      const AVStreams::MMDevice_var viewer = all.add_device(device);
      const AVStreams::StreamCtrl_var stream = all.new_stream_ctrl();
      object = orb->string_to_object(argv[1]);
      const AVStreams::MMDevice_var source = AVStreams::MMDevice::_narrow(object);
      const CORBA::Any_var flows = source->get_property_value("Flows");
      const AVStreams::protocolSpec* names = nullptr;
      AVStreams::flowSpec wanted;  // those that the source has
      if (flows.in() >>= names) {
        wanted.length(names->length());
        for (CORBA::ULong i = 0; i < names->length(); ++i) wanted[i] = (*names)[i];
      }
      AVStreams::streamQoS qos;
      stream->bind_devs(source, viewer, qos, wanted);
      std::cout << "bound " << wanted.length() << (wanted.length() == 1 ? " flow" : " flows") << std::endl;
      stream->start({});
      screen.wait("25 pictures", [&] { return screen.pictures_ >= 25; });
      if (wanted.length() == 2) screen.wait("50 sounds", [&] { return screen.sounds_ >= 50; });
      std::cout << "a second of media has come" << std::endl;
      if (controls) control(stream, source, screen);
      stream->destroy({});
      std::cout << std::fixed << std::setprecision(1);
      const auto tell = [](const char* flow, const streams::FlowQuality& q) {
        std::cout << flow << ": " << q.received.received << " packets, " << q.received.lost << " lost, jitter "
                  << q.received.jitter_ms << " ms, " << q.reports_sent << " reports" << std::endl;
      };
      tell("video", screen.video_);
      if (wanted.length() == 2) tell("audio", screen.audio_);
    }
    orb->destroy();
  } catch (const CORBA::Exception& e) {
    std::cerr << "video_client: " << e << '\n';
    return 1;
  } catch (const std::exception& e) {
    std::cerr << "video_client: " << e.what() << '\n';
    return 1;
  }
}
