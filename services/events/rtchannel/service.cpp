// SPDX-License-Identifier: Apache-2.0
// The adapters, the lanes, the channels by their names, and how all end.
#include <callis/base/log.h>
#include <callis/base/text.h>
#include <services/events/rtchannel/proxy.h>
#include <services/events/rtchannel/real_time.h>
#include <services/events/rtchannel/servants.h>
#include <services/events/rtchannel/service.h>
#include <algorithm>

namespace callis::rtevents {

namespace {

using CallisRealTimeEvents::Refused;

[[noreturn]] void refuse(std::initializer_list<std::string_view> why) { throw Refused(concat(why).c_str()); }

}  // namespace

Service::Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Counters& counters,
                 const ServiceOptions& options)
    : orb_(CORBA::ORB::_duplicate(orb)), options_(options),
      priorities_(options.schedule, options.scheduler.in(), options.channel.deadline), tally_(counters),
      objects_(orb, root_poa, "RealTimeEvents") {
  make_lanes();
  const CORBA::Object_var factory =
      objects_.activate(events::ChannelObjects::kFactory, {}, new FactoryServant(*this));
  factory_ = CallisRealTimeEvents::EventChannelFactory::_unchecked_narrow(factory.in());
  const std::int16_t highest = lanes_.front()->priority();
  timekeeper_ = std::make_unique<Timekeeper>([this] { return expire(); }, [this, highest] { begin_thread(highest); });
  gauges_ = counters.collect([this](const services::Counters::Add& add) {
    std::size_t proxies = 0, waiting = 0, count = 0, threads = 0, gateways = 0, connected = 0;
    for (const auto& c : all()) {
      ++count;
      proxies += c->proxies();
      waiting += c->waiting();
    }
    for (const auto& lane : lanes_) threads += lane->threads();
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [name, made] : channels_) {
        for (const auto& g : made.gateways) {
          ++gateways;
          connected += g->connected();
        }
      }
    }
    add({"rt_channels", static_cast<std::int64_t>(count), true});
    add({"rt_proxies", static_cast<std::int64_t>(proxies), true});
    add({"rt_waiting", static_cast<std::int64_t>(waiting), true});
    add({"rt_threads", static_cast<std::int64_t>(threads), true});
    add({"rt_gateways", static_cast<std::int64_t>(gateways), true});
    add({"rt_gateways_connected", static_cast<std::int64_t>(connected), true});
  });
}

void Service::make_lanes() {
  constexpr std::size_t kMostLanes = 64;
  if (options_.lanes.empty() || options_.lanes.size() > kMostLanes)
    refuse({"lanes are ", Decimal(options_.lanes.size()), ", and may be 1 to ", Decimal(kMostLanes)});
  std::vector<LaneSpec> specs = options_.lanes;
  std::sort(specs.begin(), specs.end(), [](const LaneSpec& a, const LaneSpec& b) { return a.priority > b.priority; });
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].priority < 0) refuse({"a lane's priority is below 0"});
    if (i != 0 && specs[i].priority == specs[i - 1].priority)
      refuse({"two lanes have priority ", Decimal(static_cast<std::uint64_t>(specs[i].priority))});
  }
  for (const LaneSpec& spec : specs) {
    lanes_.push_back(std::make_unique<Lane>(
        Lane::Options{spec.priority, spec.threads, std::max({2u, spec.threads, options_.most_threads}),
                      [this](std::int16_t priority) { begin_thread(priority); }}));
  }
}

void Service::begin_thread(std::int16_t priority) {
  const std::string wrong = run_at(orb_.in(), priority);
  if (wrong.empty()) return;
  const std::lock_guard lock(telling_);
  if (!told_) log(LogLevel::Warning, {"events: a lane's thread does not get its priority: ", wrong});
  told_ = true;
}

Service::~Service() {
  gauges_.reset();
  stop();
  objects_.destroy();
}

void Service::stop() {
  std::vector<std::shared_ptr<Gateway>> gateways;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    for (auto& [name, made] : channels_) {
      for (auto& g : made.gateways) gateways.push_back(std::move(g));
      made.gateways.clear();
    }
  }
  for (const auto& g : gateways) g->stop();
  timekeeper_->stop();
  for (const auto& lane : lanes_) lane->stop();
  for (const auto& c : all()) c->destroy();
}

TimePoint Service::expire() {
  TimePoint next = TimePoint::max();
  for (const auto& c : all()) next = std::min(next, c->expire());
  return std::min(next, reap());
}

// At most once in kReapEvery, but where proxies were made.
TimePoint Service::reap() {
  constexpr std::chrono::milliseconds kReapEvery{100};
  const TimePoint now = Clock::steady().now();
  if (!proxies_changed_.exchange(false) && now < reap_at_) return reap_at_;
  reap_at_ = TimePoint::max();
  for (const auto& c : all()) reap_at_ = std::min(reap_at_, c->reap(now));
  if (reap_at_ != TimePoint::max()) reap_at_ = std::max(reap_at_, now + kReapEvery);
  return reap_at_;
}

std::vector<std::shared_ptr<Channel>> Service::all() const {
  std::vector<std::shared_ptr<Channel>> out;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, made] : channels_) out.push_back(made.channel);
  return out;
}

CallisRealTimeEvents::EventChannel_var Service::make(const std::string& name) {
  if (const std::string why = events::ChannelObjects::why_no_name(name); !why.empty()) refuse({why});
  const std::lock_guard lock(mutex_);
  if (ended_) refuse({"the service has ended"});
  if (channels_.count(name) != 0) refuse({"there is a real-time channel '", name, "' already"});
  if (channels_.size() >= options_.channels)
    refuse({"there are ", Decimal(channels_.size()), " channels, and may not be more"});
  Made made;
  constexpr std::size_t kChannelBytes = 16u << 10;  // of one without proxies
  if (options_.memory) made.held = options_.memory->take(kChannelBytes + 8 * name.size());
  made.channel = std::make_shared<Channel>(
      name, ChannelParts{orb_.in(), objects_.proxies(), lanes_, priorities_, Clock::steady(), tally_,
                         [this] {
                           proxies_changed_ = true;
                           timekeeper_->look_again();
                         },
                         options_.memory},
      options_.channel);
  using Objects = events::ChannelObjects;
  const CORBA::Object_var consumers =
      objects_.activate(Objects::kConsumers, name, new ConsumerAdminServant(made.channel));
  const CORBA::Object_var suppliers =
      objects_.activate(Objects::kSuppliers, name, new SupplierAdminServant(made.channel));
  const CORBA::Object_var object = objects_.activate(
      Objects::kChannel, name, new ChannelServant(*this, made.channel, consumers.in(), suppliers.in()));
  made.reference = CallisRealTimeEvents::EventChannel::_unchecked_narrow(object.in());
  if (const std::string why = objects_.be_reached_by_key(name, object.in()); !why.empty()) {
    objects_.deactivate(name);
    refuse({why});
  }
  CallisRealTimeEvents::EventChannel_var out = made.reference;
  channels_.emplace(name, std::move(made));
  return out;
}

CallisRealTimeEvents::EventChannel_var Service::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = channels_.find(name);
  return found == channels_.end() ? CallisRealTimeEvents::EventChannel_var() : found->second.reference;
}

bool Service::destroy(const std::string& name) {
  Made made;
  {
    const std::lock_guard lock(mutex_);
    const auto found = channels_.find(name);
    if (found == channels_.end()) return false;
    made = std::move(found->second);
    objects_.forget_key(name);
    objects_.deactivate(name);
    channels_.erase(found);
  }
  for (const auto& g : made.gateways) g->stop();
  made.channel->destroy();
  return true;
}

void Service::take_from(const std::string& name, const std::string& other) {
  CORBA::Object_var object;
  try {
    object = orb_->string_to_object(other.c_str());
  } catch (const CORBA::SystemException& e) {
    refuse({"'", other, "': ", e.what()});
  }
  if (CORBA::is_nil(object.in())) refuse({"a nil reference: there is nothing to take events from"});
  const std::lock_guard lock(mutex_);
  const auto found = channels_.find(name);
  if (ended_ || found == channels_.end()) refuse({"there is no real-time channel '", name, "'"});
  auto& gateways = found->second.gateways;
  if (gateways.size() >= options_.gateway.gateways)
    refuse({"channel '", name, "' has ", Decimal(gateways.size()), " gateways, and may not have more"});
  gateways.push_back(std::make_shared<Gateway>(found->second.channel, object.in(), other, options_.gateway));
}

CallisRealTimeEvents::ChannelStates Service::list() const {
  CallisRealTimeEvents::ChannelStates out;
  const auto channels = all();
  out.length(static_cast<CORBA::ULong>(channels.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = channels[i]->state();
  return out;
}

}  // namespace callis::rtevents
