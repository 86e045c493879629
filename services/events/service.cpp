// SPDX-License-Identifier: Apache-2.0
// The adapters, the channels by their names, and how both end.
#include <callis/base/text.h>
#include <services/events/channel_servants.h>
#include <services/events/factory.h>
#include <services/events/proxy.h>
#include <services/events/service.h>

namespace callis::events {

namespace {

// A channel without proxies: three servants and their references, its key, hub and list.
constexpr std::size_t kChannelBytes = 12u << 10;

}  // namespace

// Ends the proxies that nobody connects; rests while there are none.
class Service::Reaper final : public Pool::Task {
 public:
  explicit Reaper(Service& service) : service_(service) {}
  Pool::Next run() noexcept override {
    const auto now = Pool::Clock::now();
    std::optional<Pool::Time> next;
    for (const auto& channel : service_.all())
      if (const auto at = channel->reap(now); at && (!next || *at < *next)) next = at;
    if (!next) return {};
    return {Pool::Next::At, *next};
  }

 private:
  Service& service_;
};

void ChannelServant::destroy() { service_.destroy(name_); }

Service::Service(CORBA::ORB_ptr orb, PortableServer::POA_ptr root_poa, services::Counters& counters,
                 const ServiceOptions& options)
    : orb_(CORBA::ORB::_duplicate(orb)), options_(options), tally_(counters), pool_(options.pool),
      reaper_(std::make_shared<Reaper>(*this)), objects_(orb, root_poa, "Events") {
  const CORBA::Object_var factory = objects_.activate(ChannelObjects::kFactory, {}, new FactoryServant(*this));
  factory_ = CallisEvents::EventChannelFactory::_unchecked_narrow(factory.in());
  gauges_ = counters.collect([this](const services::Counters::Add& add) {
    std::size_t proxies = 0, pulls = 0, waiting = 0, count = 0;
    for (const auto& c : all()) {
      ++count;
      proxies += c->proxies();
      pulls += c->pulls();
      waiting += c->hub().waiting();
    }
    add({"channels", static_cast<std::int64_t>(count), true});
    add({"proxies", static_cast<std::int64_t>(proxies), true});
    add({"pulls_that_wait", static_cast<std::int64_t>(pulls), true});
    add({"waiting", static_cast<std::int64_t>(waiting), true});
    if (options_.journal) add({"journal_connected", options_.journal->connected() ? 1 : 0, true});
    add({"threads", static_cast<std::int64_t>(pool_.threads()), true});
  });
}

Service::~Service() {
  gauges_.reset();
  stop();
  objects_.destroy();
}

void Service::stop() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  pool_.stop();
  replies_.stop();
  for (const auto& c : all()) c->destroy();
}

std::vector<std::shared_ptr<Channel>> Service::all() const {
  std::vector<std::shared_ptr<Channel>> out;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, made] : channels_) out.push_back(made.channel);
  return out;
}

CosEventChannelAdmin::EventChannel_var Service::make(const std::string& name, const ChannelOptions& options) {
  using Why = CannotMake::Why;
  if (std::string why = ChannelObjects::why_no_name(name); !why.empty())
    throw CannotMake{Why::BadName, std::move(why)};
  const std::lock_guard lock(mutex_);
  CosEventChannelAdmin::EventChannel_var out = add(name, options);
  if (std::string why = objects_.be_reached_by_key(name, out.in()); !why.empty()) {
    channels_.erase(name);
    objects_.deactivate(name);
    throw CannotMake{Why::BadName, std::move(why)};
  }
  channels_.at(name).has_key = true;
  return out;
}

CosEventChannelAdmin::EventChannel_var Service::make_unnamed(const ChannelOptions& options) {
  const std::lock_guard lock(mutex_);
  for (;;) {
    const std::string name = concat({"channel-", Decimal(next_name_++)});
    if (channels_.count(name) == 0) return add(name, options);
  }
}

CosEventChannelAdmin::EventChannel_var Service::add(const std::string& name, const ChannelOptions& options) {
  using Why = CannotMake::Why;
  if (ended_) throw CannotMake{Why::HasEnded, "the service has ended"};
  if (channels_.count(name) != 0) throw CannotMake{Why::Exists, concat({"there is a channel '", name, "' already"})};
  if (channels_.size() >= options_.channels)
    throw CannotMake{Why::TooMany,
                     concat({"there are ", Decimal(channels_.size()), " channels, and may not be more"})};
  Made made;
  const ChannelParts parts{orb_.in(), objects_.proxies(), pool_, replies_, tally_, reaper_, options_.journal,
                           options_.memory};
  made.held = parts.hold(kChannelBytes + 8 * name.size());
  made.channel = std::make_shared<Channel>(name, parts, options);
  try {
    made.channel->begin();
  } catch (const JournalFailed& e) {
    throw CannotMake{Why::NotKept, e.text};
  }
  using Objects = ChannelObjects;
  const CORBA::Object_var consumers =
      objects_.activate(Objects::kConsumers, name, new ConsumerAdminServant(made.channel));
  const CORBA::Object_var suppliers =
      objects_.activate(Objects::kSuppliers, name, new SupplierAdminServant(made.channel));
  const CORBA::Object_var object = objects_.activate(
      Objects::kChannel, name, new ChannelServant(*this, name, consumers.in(), suppliers.in()));
  made.reference = CosEventChannelAdmin::EventChannel::_unchecked_narrow(object.in());
  CosEventChannelAdmin::EventChannel_var out = made.reference;
  channels_.emplace(name, std::move(made));
  return out;
}

CosEventChannelAdmin::EventChannel_var Service::find(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = channels_.find(name);
  return found == channels_.end() ? CosEventChannelAdmin::EventChannel_var() : found->second.reference;
}

std::shared_ptr<Channel> Service::channel(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = channels_.find(name);
  return found == channels_.end() ? nullptr : found->second.channel;
}

bool Service::destroy(const std::string& name) {
  std::shared_ptr<Channel> channel;
  {
    const std::lock_guard lock(mutex_);
    const auto found = channels_.find(name);
    if (found == channels_.end()) return false;
    channel = std::move(found->second.channel);
    if (found->second.has_key) objects_.forget_key(name);
    objects_.deactivate(name);
    channels_.erase(found);
  }
  channel->destroy();
  return true;
}

CallisEvents::ChannelStates Service::list() const {
  CallisEvents::ChannelStates out;
  const auto channels = all();
  out.length(static_cast<CORBA::ULong>(channels.size()));
  for (CORBA::ULong i = 0; i < out.length(); ++i) out[i] = channels[i]->state();
  return out;
}

}  // namespace callis::events
