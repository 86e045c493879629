// SPDX-License-Identifier: Apache-2.0
// Two devices that produce: a player of files, and a camera.
//
//   video_server player FOLDER    FOLDER/video.h264 and FOLDER/audio.ogg; may seek, and change its frame rate
//   video_server camera           what ffmpeg makes of a test picture, now
//
// Prints the device's reference.
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <callis/services/streams.h>
#include <callis/signals.h>
#include <unistd.h>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <iostream>
#include <mutex>
#include <thread>
#include "media.h"

namespace streams = callis::streams;
using Clock = std::chrono::steady_clock;

// A part of a stream that sends: remembers its flows, and whether they play.
class Sender : public streams::StreamPart {
 public:
  void connected(const std::string& flow, streams::Flow& by) override {
    const std::lock_guard lock(mutex_);
    (flow == "video" ? video_ : audio_) = &by;
  }
  void closed(const std::string& flow) override {
    const std::lock_guard lock(mutex_);
    (flow == "video" ? video_ : audio_) = nullptr;
  }

 protected:
  void send(const Picture& picture, std::uint32_t timestamp) {
    const std::lock_guard lock(mutex_);
    if (!video_) return;
    for (const Bytes& unit : picture) {
      const bool last_unit = &unit == &picture.back();
      streams::h264_packets(unit, 1400, [&](callis::ByteView payload, bool last) {
        streams::Frame frame;
        frame.data = payload;
        frame.timestamp = timestamp;
        frame.marker = last && last_unit;  // of the picture
        video_->send(frame);
      });
    }
  }
  void send_sound(const Bytes& sound, std::uint32_t timestamp) {
    const std::lock_guard lock(mutex_);
    if (!audio_) return;
    streams::Frame frame;
    frame.data = sound;
    frame.timestamp = timestamp;
    audio_->send(frame);
  }

 private:
  std::mutex mutex_;
  streams::Flow *video_ = nullptr, *audio_ = nullptr;
};

class Player final : public Sender {
 public:
  Player(const std::vector<Picture>& pictures, const std::vector<Bytes>& sounds)
      : pictures_(pictures), sounds_(sounds), thread_([this] { run(); }) {}
  ~Player() override {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  void start(const std::string& flow) override {
    if (flow == "video") play(true);
  }
  void stop(const std::string& flow) override {
    if (flow == "video") play(false);
  }
  bool play(bool on) override {
    {
      const std::lock_guard lock(mutex_);
      playing_ = on;
    }
    changed_.notify_all();
    return true;
  }
  void set_qos(const std::string&, const streams::QosValues& values) override {
    const auto rate = values.find("video_framerate");
    const std::lock_guard lock(mutex_);
    // Each picture is coded by itself, so some may be left out.
    if (rate != values.end()) every_ = static_cast<std::size_t>(std::lround(kPictures / rate->second));
  }
  bool position(AVStreams::PositionKey key, CORBA::Long& value) override {
    const std::lock_guard lock(mutex_);
    if (key == AVStreams::MediaTime) value = static_cast<CORBA::Long>(at_ * 1000 / kPictures);  // ms
    if (key == AVStreams::SampleCount) value = static_cast<CORBA::Long>(at_);
    return key != AVStreams::ByteCount;
  }
  bool seek(const AVStreams::Position& to) override {
    const std::lock_guard lock(mutex_);
    long picture = to.key == AVStreams::MediaTime ? to.value * static_cast<long>(kPictures) / 1000 : to.value;
    if (to.origin == AVStreams::RelativePosition) picture += static_cast<long>(at_);
    if (to.key == AVStreams::ByteCount || picture < 0 || picture >= static_cast<long>(pictures_.size())) return false;
    at_ = static_cast<std::size_t>(picture);
    sound_ = at_ * 2;  // sounds of 20 ms beside pictures of 40
    return true;
  }

 private:
  void run() {
    std::unique_lock lock(mutex_);
    std::uint32_t video_time = 0, audio_time = 0;
    auto next = Clock::now();
    while (!ended_) {
      if (!playing_ || pictures_.empty()) {
        changed_.wait(lock);
        next = Clock::now();
        continue;
      }
      if (changed_.wait_until(lock, next) == std::cv_status::no_timeout) continue;
      next += std::chrono::milliseconds(1000 / kPictures);
      const std::size_t picture = at_, sound = sound_;
      at_ = (at_ + 1) % pictures_.size();
      sound_ = at_ ? sound_ + 2 : 0;
      const bool left_out = picture % every_ != 0;
      lock.unlock();
      if (!left_out) send(pictures_[picture], video_time);
      video_time += kVideoClock / kPictures;
      for (std::size_t i = sound; i < std::min(sound + 2, sounds_.size()); ++i) {
        send_sound(sounds_[i], audio_time);
        audio_time += streams::opus_duration(sounds_[i]);
      }
      lock.lock();
    }
  }

  const std::vector<Picture>& pictures_;
  const std::vector<Bytes>& sounds_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t at_ = 0, sound_ = 0, every_ = 1;
  bool playing_ = false, ended_ = false;
  std::thread thread_;
};

// ffmpeg makes pictures as a camera does, whether somebody looks or not.
class Camera final : public Sender {
 public:
  Camera()
      : ffmpeg_(popen("exec ffmpeg -v quiet -nostdin -re -f lavfi -i testsrc2=size=320x240:rate=25 -c:v libx264 "
                      "-preset ultrafast -threads 1 -g 1 -bf 0 -f h264 -flush_packets 1 pipe:1",
                      "r")) {
    if (!ffmpeg_) throw streams::FlowFailed("ffmpeg cannot be started");
    thread_ = std::thread([this] { run(); });
  }
  ~Camera() override {
    ended_ = true;
    thread_.join();
    pclose(ffmpeg_);  // it ends since nobody reads any more
  }

 private:
  void run() {
    Pictures in;
    std::uint32_t timestamp = 0;
    // As it comes: fread() would wait for a whole buffer.
    Bytes buffer(16 << 10);
    for (ssize_t got; !ended_ && (got = ::read(fileno(ffmpeg_), buffer.data(), buffer.size())) > 0;) {
      in.push(callis::ByteView(buffer).first(static_cast<std::size_t>(got)));
      for (Picture one; in.next(one); timestamp += kVideoClock / kPictures) send(one, timestamp);
    }
  }

  std::FILE* const ffmpeg_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

int main(int argc, char** argv) {
  try {
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    callis::shutdown_on_signals(orb);
    const std::string what = argc > 1 ? argv[1] : "";
    if (!(what == "player" && argc == 3) && !(what == "camera" && argc == 2)) {
      std::cerr << "usage: video_server player FOLDER | video_server camera\n";
      return 2;
    }
    std::vector<Picture> pictures;
    std::vector<Bytes> sounds;
    streams::FlowOffer video;
    video.name = "video";
    video.producer = true;
    video.formats = {"MIME:video/H264"};
    video.rtp.payload_type = 96;
    video.rtp.clock_rate = kVideoClock;
    video.rtp.bandwidth_bits = 4e6;
    video.qos = {{"video_framerate", 1, kPictures, kPictures}};
    streams::DeviceOffer device;
    device.flows = {video};
    if (what == "player") {
      pictures = read_pictures(std::string(argv[2]) + "/video.h264");
      sounds = read_sounds(std::string(argv[2]) + "/audio.ogg");
      streams::FlowOffer audio;
      audio.name = "audio";
      audio.producer = true;
      audio.formats = {"MIME:audio/opus"};
      audio.rtp.payload_type = 97;
      audio.rtp.clock_rate = streams::kOpusClock;
      device.flows.push_back(audio);
      device.open = [&](streams::PartRequest&) { return std::make_unique<Player>(pictures, sounds); };
    } else {
      device.open = [](streams::PartRequest&) { return std::make_unique<Camera>(); };
    }
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var poa = PortableServer::POA::_narrow(object);
    streams::Streams all(poa);
    const AVStreams::MMDevice_var reference = all.add_device(device);
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    std::cout << CORBA::String_var(orb->object_to_string(reference)) << std::endl;
    orb->run();
  } catch (const CORBA::Exception& e) {
    std::cerr << "video_server: " << e << '\n';
    return 1;
  } catch (const std::exception& e) {
    std::cerr << "video_server: " << e.what() << '\n';
    return 1;
  }
}
