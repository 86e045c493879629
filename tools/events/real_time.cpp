// SPDX-License-Identifier: Apache-2.0
// Words of the command line become lanes, a schedule, channels, and gateways between them.
#include <callis/base/text.h>
#include <services/events/rtchannel/real_time.h>
#include <services/events/rtchannel/service.h>
#include <services/programs/site.h>
#include <tools/events/option_table.h>
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

using To = rtevents::ServiceOptions;
using Row = TableOption<To>;

rtevents::Confirmed confirmed_of(const std::string& word) {
  if (word == "transport") return rtevents::Confirmed::Transport;
  if (word == "server") return rtevents::Confirmed::Server;
  if (word != "target") wrong("--rt-confirmed is target, server or transport");
  return rtevents::Confirmed::Target;
}

void add_schedule(const std::string& file, To& to, const services::Frame& frame) {
  to.schedule = schedule_in(file);
  if (frame.options.has("--rt-lanes")) return;
  to.lanes.clear();
  for (const auto& lane : to.schedule->lanes)
    to.lanes.push_back({static_cast<std::int16_t>(lane.priority), lane.static_threads});
}

void add_scheduler(const std::string& reference, To& to, const services::Frame& frame) {
  try {
    to.scheduler = frame.orb->string_to_object(reference.c_str());
  } catch (const CORBA::SystemException& e) {
    wrong("--rt-scheduler: " + std::string(e.what()));
  }
}

// Those without a reader name channels, which Channels makes, and where their events come from.
const OptionTable<To>& table() {
  static const OptionTable<To> all{
      Row::unread({"--rt-channel", "NAME",
                   "makes that real-time channel; may be there several times. With one of the options\n"
                   "--rt-... corbaloc::HOST:PORT/RealTimeEventService is a factory of them", true}),
      Row::text({"--rt-lanes", "LANES",
                 "PRIORITY[:THREADS],...: threads that push to consumers of such CORBA priorities; 0:2"},
                [](const std::string& text, To& to) { to.lanes = lanes_of(text); }),
      Row::text({"--rt-schedule", "FILE",
                 "of callis schedule --config: the lanes, and the priorities of operations by name"}, &add_schedule),
      Row::text({"--rt-scheduler", "REFERENCE", "of callis schedule serve: has the priorities of RT_Infos"},
                &add_scheduler),
      Row::overflow({"--rt-overflow", "POLICY",
                     "oldest, newest, priority, disconnect: of consumers that ask for none; oldest"},
                    [](To& to) -> auto& { return to.channel.subscriber.bounds.overflow; }),
      Row::text({"--rt-confirmed", "HOW", "target, server, transport: until when a push waits; target"},
                [](const std::string& word, To& to) { to.channel.confirmed = confirmed_of(word); }),
      Row::unread({"--rt-from", "CHANNEL=REFERENCE",
                   "CHANNEL gets what its consumers want from that channel, too; may be there\n"
                   "several times", true}),
      Row::number({"--rt-from-priority", "PRIORITY", "at which the other channel pushes to this service; 0"}, 0,
                  32'767, [](To& to) -> auto& { return to.gateway.priority; }),
      Row::number({"--rt-reach", "NUMBER", "of gateways through which consumers' wants go; 1"}, 1,
                  rtevents::ChannelOptions().qos.most_reach, [](To& to) -> auto& { return to.channel.qos.reach; }),
  };
  return all;
}

// Queues, deadlines and limits are those of the plain channels.
rtevents::ServiceOptions options_of(const services::Frame& frame, const ServiceOptions& plain) {
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
  out.memory = plain.memory;
  out.most_threads = plain.pool.threads;
  table().read(frame, out);
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

std::vector<services::OwnOption> real_time_options() { return table().options(); }

void prepare_real_time(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::string_view(argv[i]).starts_with("--rt-")) return rtevents::use_real_time();
  }
}

std::unique_ptr<RealTime> make_real_time(services::Frame& frame, const ServiceOptions& plain) {
  if (!table().any_given(frame.options)) return nullptr;
  if (programs::in_site())
    throw ProgramFailed{kCannot, "--rt-... and --tls do not go together: the lanes of real-time channels listen "
                                 "by TCP alone"};
  try {
    return std::make_unique<Channels>(frame, options_of(frame, plain));
  } catch (const CallisRealTimeEvents::Refused& e) {
    wrong(std::string("--rt-...: ") + e.why.in());
  }
}

}  // namespace callis::events
