// SPDX-License-Identifier: Apache-2.0
// Words of the command line become lanes, a schedule, channels, and gateways between them.
#include <callis/base/text.h>
#include <services/events/rtchannel/real_time.h>
#include <services/events/rtchannel/service.h>
#include <tools/events/real_time.h>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string_view>

namespace callis::events {

namespace {

using services::kCannot;
using services::kWrongUsage;
using services::ProgramFailed;

[[noreturn]] void wrong(const std::string& text) { throw ProgramFailed{kWrongUsage, text}; }

// "60:4,20,0": a priority and threads of each.
std::vector<rtevents::LaneSpec> lanes_of(const std::string& text) {
  std::vector<rtevents::LaneSpec> out;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    rtevents::LaneSpec spec;
    const std::size_t colon = part.find(':');
    std::uint64_t priority = 0, threads = spec.threads;
    const bool good = parse_decimal(part.substr(0, colon), 32'767, priority) &&
                      (colon == std::string::npos || parse_decimal(part.substr(colon + 1), 1'024, threads));
    if (!good || threads == 0)
      wrong("--rt-lanes: '" + part + "' is no PRIORITY[:THREADS], of 0 to 32767 and 1 to 1024");
    spec.priority = static_cast<std::int16_t>(priority);
    spec.threads = static_cast<unsigned>(threads);
    out.push_back(spec);
  }
  if (out.empty()) wrong("--rt-lanes has no lane");
  return out;
}

scheduling::Configuration schedule_in(const std::string& file) {
  constexpr std::streamsize kMost = 64 << 20;
  std::ifstream in(file, std::ios::binary);
  std::string text;
  if (in) {
    char buffer[4096];
    while (in.read(buffer, sizeof buffer) || in.gcount() != 0) {
      text.append(buffer, static_cast<std::size_t>(in.gcount()));
      if (static_cast<std::streamsize>(text.size()) > kMost)
        throw ProgramFailed{kCannot, "--rt-schedule: " + file + " is larger than 64 MiB"};
    }
  }
  if (!in.eof()) throw ProgramFailed{kCannot, "--rt-schedule: " + file + " cannot be read"};
  try {
    return scheduling::read_configuration(text, file);
  } catch (const scheduling::Refused& e) {
    throw ProgramFailed{kCannot, e.what(), true};
  }
}

rtevents::ServiceOptions options_of(services::Frame& frame, const ServiceOptions& plain) {
  const services::Options& given = frame.options;
  rtevents::ServiceOptions out;
  rtevents::ChannelOptions& c = out.channel;
  c.subscriber.bounds = plain.channel.lane.bounds;
  c.subscriber.bounds.overflow = Overflow::DiscardOldest;
  c.subscriber.failures = plain.channel.lane.failures;
  c.deadline = plain.channel.deadline;
  c.event_bytes = plain.channel.event_bytes;
  c.proxies = plain.channel.proxies;
  c.connect_within = plain.channel.connect_within;
  out.channels = plain.channels;
  out.most_threads = plain.pool.threads;
  if (given.has("--rt-overflow")) {
    const auto overflow = overflow_of(given.value("--rt-overflow"));
    if (!overflow) wrong("--rt-overflow is oldest, newest, priority or disconnect");
    c.subscriber.bounds.overflow = *overflow;
  }
  if (given.has("--rt-confirmed")) {
    const std::string word = given.value("--rt-confirmed");
    if (word == "transport") c.confirmed = rtevents::Confirmed::Transport;
    else if (word == "server") c.confirmed = rtevents::Confirmed::Server;
    else if (word != "target") wrong("--rt-confirmed is target, server or transport");
  }
  c.qos.reach = static_cast<std::uint32_t>(given.number("--rt-reach", c.qos.reach, 1, c.qos.most_reach));
  out.gateway.priority = static_cast<std::int16_t>(given.number("--rt-from-priority", 0, 0, 32'767));
  if (given.has("--rt-schedule")) {
    out.schedule = schedule_in(given.value("--rt-schedule"));
    out.lanes.clear();
    for (const auto& lane : out.schedule->lanes)
      out.lanes.push_back({static_cast<std::int16_t>(lane.priority), lane.static_threads});
  }
  if (given.has("--rt-lanes")) out.lanes = lanes_of(given.value("--rt-lanes"));
  if (given.has("--rt-scheduler")) {
    try {
      out.scheduler = frame.orb->string_to_object(given.value("--rt-scheduler").c_str());
    } catch (const CORBA::SystemException& e) {
      wrong("--rt-scheduler: " + std::string(e.what()));
    }
  }
  return out;
}

class Channels final : public RealTime {
 public:
  Channels(services::Frame& frame, const rtevents::ServiceOptions& options)
      : service_(frame.orb, frame.root_poa, frame.counters, options),
        factory_(CORBA::Object::_duplicate(service_.reference().in())) {
    frame.orb->register_initial_reference(rtevents::Service::kInitialReference, factory_.in());
    for (const std::string& name : frame.options.values("--rt-channel")) (void)service_.make(name);
    for (const std::string& words : frame.options.values("--rt-from")) {
      const std::size_t equals = words.find('=');
      if (equals == std::string::npos) wrong("--rt-from: '" + words + "' is no CHANNEL=REFERENCE");
      service_.take_from(words.substr(0, equals), words.substr(equals + 1));
    }
  }
  void stop() override { service_.stop(); }

 private:
  rtevents::Service service_;
  const CORBA::Object_var factory_;
};

}  // namespace

std::vector<services::OwnOption> real_time_options() {
  return {
      {"--rt-channel", "NAME",
       "makes that real-time channel; may be there several times. With one of the options\n"
       "--rt-... corbaloc::HOST:PORT/RealTimeEventService is a factory of them", true},
      {"--rt-lanes", "LANES", "PRIORITY[:THREADS],...: threads that push to consumers of such CORBA priorities; 0:2"},
      {"--rt-schedule", "FILE", "of callis schedule --config: the lanes, and the priorities of operations by name"},
      {"--rt-scheduler", "REFERENCE", "of callis schedule serve: has the priorities of RT_Infos"},
      {"--rt-overflow", "POLICY", "oldest, newest, priority, disconnect: of consumers that ask for none; oldest"},
      {"--rt-confirmed", "HOW", "target, server, transport: until when a push waits; target"},
      {"--rt-from", "CHANNEL=REFERENCE", "CHANNEL gets what its consumers want from that channel, too; may be there\n"
       "several times", true},
      {"--rt-from-priority", "PRIORITY", "at which the other channel pushes to this service; 0"},
      {"--rt-reach", "NUMBER", "of gateways through which consumers' wants go; 1"},
  };
}

void prepare_real_time(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).starts_with("--rt-")) return rtevents::use_real_time();
  }
}

std::unique_ptr<RealTime> make_real_time(services::Frame& frame, const ServiceOptions& plain) {
  bool wanted = false;
  for (const auto& option : real_time_options()) wanted = wanted || frame.options.has(option.name);
  if (!wanted) return nullptr;
  try {
    return std::make_unique<Channels>(frame, options_of(frame, plain));
  } catch (const CallisRealTimeEvents::Refused& e) {
    wrong(std::string("--rt-...: ") + e.why.in());
  }
}

}  // namespace callis::events
