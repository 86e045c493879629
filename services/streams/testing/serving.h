// SPDX-License-Identifier: Apache-2.0
// Devices of tests, whose parts keep what happens to them; and two ORBs of the process, each with Streams.
#pragma once
#include <services/streams/flows/flow_failed.h>
#include <services/streams/flows/testing/frames.h>
#include <services/streams/streams.h>
#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <condition_variable>

namespace callis::streams::testing {

inline CORBA::ORB_var new_orb(std::vector<std::string> words, const std::string& id) {
  words.insert(words.begin(), "test");
  std::vector<char*> argv;
  for (std::string& w : words) argv.push_back(w.data());
  int argc = static_cast<int>(argv.size());
  argv.push_back(nullptr);
  return CORBA::ORB_init(argc, argv.data(), id.c_str());
}

// What a device's parts have seen; they write into the device's, which lives longer.
class Seen {
 public:
  void add(const std::string& line) {
    const std::lock_guard lock(mutex_);
    lines_.push_back(line);
    changed_.notify_all();
  }
  // Waits for the line; false: it has not come.
  bool wait(const std::string& line) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20),
                             [&] { return std::find(lines_.begin(), lines_.end(), line) != lines_.end(); });
  }
  std::vector<std::string> lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  void set_flow(const std::string& name, Flow* flow) {
    const std::lock_guard lock(mutex_);
    flows_[name] = flow;
  }
  // By the last part's flow.
  Sent send(const std::string& name, const std::string& text) {
    Frame frame;
    frame.data = view(text);
    for (int i = 0;; ++i) {
      const std::lock_guard lock(mutex_);
      if (!flows_[name]) return Sent::NotConnected;
      const Sent sent = flows_[name]->send(frame);
      if (sent != Sent::NotConnected || i == 2000000) return sent;
    }
  }
  Sent send_once(const std::string& name, const std::string& text) {
    Frame frame;
    frame.data = view(text);
    const std::lock_guard lock(mutex_);
    return flows_[name] ? flows_[name]->send(frame) : Sent::NotConnected;
  }
  FlowQuality quality(const std::string& name) {
    const std::lock_guard lock(mutex_);
    return flows_[name] ? flows_[name]->quality() : FlowQuality{};
  }
  std::atomic<long> position{0};
  std::atomic<bool> deny{false};

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::map<std::string, Flow*> flows_;
};

class TestPart final : public StreamPart {
 public:
  explicit TestPart(Seen& seen) : seen_(seen) {}
  void connected(const std::string& flow, Flow& by) override {
    seen_.set_flow(flow, &by);
    seen_.add("connected " + flow);
  }
  void start(const std::string& flow) override { seen_.add("start " + flow); }
  void stop(const std::string& flow) override { seen_.add("stop " + flow); }
  void closed(const std::string& flow) override {
    seen_.set_flow(flow, nullptr);
    seen_.add("closed " + flow);
  }
  void receive(const std::string& flow, const Frame& frame) override {
    seen_.add(flow + ": " + std::string(frame.data.begin(), frame.data.end()));
  }
  void ended(const std::string& flow, const std::string&) override { seen_.add("ended " + flow); }
  void set_format(const std::string& flow, const std::string& format) override {
    seen_.add("format " + flow + " " + format);
  }
  void set_qos(const std::string& flow, const QosValues& values) override {
    for (const auto& [name, value] : values)
      seen_.add("qos " + flow + " " + name + " " + std::to_string(std::lround(value)));
  }
  void set_parameters(const std::string& flow, const CosPropertyService::Properties& all) override {
    if (all.length()) seen_.add("parameter " + flow + " " + all[0].property_name.in());
  }
  bool position(AVStreams::PositionKey key, CORBA::Long& value) override {
    value = static_cast<CORBA::Long>(seen_.position.load());
    return key == AVStreams::MediaTime;
  }
  bool seek(const AVStreams::Position& to) override {
    if (to.key != AVStreams::MediaTime || to.value < 0) return false;
    seen_.position = to.value;
    return true;
  }
  bool play(bool on) override {
    seen_.add(on ? "play" : "pause");
    return true;
  }

 private:
  Seen& seen_;
};

inline FlowOffer flow(const std::string& name, bool producer, std::vector<Way> ways = {},
                      std::vector<std::string> formats = {"F"}) {
  FlowOffer out;
  out.name = name;
  out.producer = producer;
  out.ways = std::move(ways);
  out.formats = std::move(formats);
  out.qos = {{"video_framerate", 1, 30, 25}};
  return out;
}

inline DeviceOffer device(Seen& seen, std::vector<FlowOffer> flows, bool full = false) {
  DeviceOffer out;
  out.flows = std::move(flows);
  out.full_profile = full;
  out.open = [&seen](PartRequest&) -> std::unique_ptr<StreamPart> {
    if (seen.deny) return nullptr;
    return std::make_unique<TestPart>(seen);
  };
  return out;
}

// A program with Streams.
struct Program {
  CORBA::ORB_var orb;
  std::unique_ptr<Streams> streams;
  explicit Program(services::MemoryBound* memory = nullptr) {
    static std::atomic<int> count;
    orb = new_orb({"-ORBEndpoint", "tcp:127.0.0.1:0"}, "streams-" + std::to_string(++count));
    const CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    const PortableServer::POA_var poa = PortableServer::POA::_narrow(object.in());
    PortableServer::POAManager_var(poa->the_POAManager())->activate();
    streams = std::make_unique<Streams>(poa.in(), memory);
  }
  ~Program() {
    streams.reset();
    orb->destroy();
  }
  // Of another program's ORB, as one of this.
  template<class X>
  typename X::_var_type here(const Program& other, X* object) {
    const CORBA::String_var text = other.orb->object_to_string(object);
    const CORBA::Object_var mine = orb->string_to_object(text.in());
    return X::_narrow(mine.in());
  }
};

// The name of a case: RTP_UDP, TCP_SFP1_0.
inline std::string name_of(const Way& way) {
  std::string out = way.text();
  for (char& c : out) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return out;
}

inline AVStreams::flowSpec spec(std::vector<std::string> entries) {
  AVStreams::flowSpec out;
  out.length(static_cast<CORBA::ULong>(entries.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = entries[i].c_str();
  return out;
}

inline AVStreams::streamQoS framerate(const std::string& flow, CORBA::Long value) {
  AVStreams::streamQoS out;
  out.length(1);
  out[0].QoSType = flow.c_str();
  out[0].QoSParams.length(1);
  out[0].QoSParams[0].property_name = "video_framerate";
  out[0].QoSParams[0].property_value <<= value;
  return out;
}

}  // namespace callis::streams::testing
