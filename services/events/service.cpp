// SPDX-License-Identifier: Apache-2.0
// The adapters, the channels by their names, and how both end.
#include <callis/base/text.h>
#include <callis/orb/core/core.h>
#include <callis/orb/core/registered_references.h>
#include <services/events/channel_servants.h>
#include <services/events/factory.h>
#include <services/events/proxy.h>
#include <services/events/service.h>
#include <algorithm>

namespace callis::events {

namespace {

// Object ids in adapter "Events": the factory's is empty but for its letter.
constexpr const char *kFactory = "f", *kChannel = "e ", *kConsumers = "c ", *kSuppliers = "s ";

PortableServer::ObjectId_var id_of(const std::string& kind, const std::string& name = {}) {
  return PortableServer::string_to_ObjectId((kind + name).c_str());
}

CORBA::Object_var activate(PortableServer::POA_ptr poa, const std::string& kind, const std::string& name,
                           PortableServer::ServantBase* servant) {
  const PortableServer::Servant_var<PortableServer::ServantBase> owned = servant;
  const PortableServer::ObjectId_var id = id_of(kind, name);
  poa->activate_object_with_id(id.in(), owned.in());
  return poa->id_to_reference(id.in());
}

// Printable ASCII without what a corbaloc URL has other uses for.
bool is_good_name(const std::string& name) {
  if (name.empty() || name.size() > Service::kMostNameBytes) return false;
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           c == '_' || c == '/';
  });
}

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
      reaper_(std::make_shared<Reaper>(*this)) {
  const PortableServer::POAManager_var manager = root_poa->the_POAManager();
  CORBA::PolicyList policies;
  policies.length(2);
  policies[0] = root_poa->create_lifespan_policy(PortableServer::PERSISTENT);
  policies[1] = root_poa->create_id_assignment_policy(PortableServer::USER_ID);
  poa_ = root_poa->create_POA("Events", manager.in(), policies);
  proxies_ = poa_->create_POA("proxies", manager.in(), CORBA::PolicyList());
  const CORBA::Object_var factory = activate(poa_.in(), kFactory, {}, new FactoryServant(*this));
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
    add({"threads", static_cast<std::int64_t>(pool_.threads()), true});
  });
}

Service::~Service() {
  gauges_.reset();
  stop();
  try {
    poa_->destroy(true, true);
  } catch (const CORBA::Exception&) {  // the ORB has been shut down: no request is in it
  }
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
  if (!is_good_name(name))
    throw CannotMake{Why::BadName, concat({"'", name, "' is no name of a channel: letters, digits, '.', '-', '_' and "
                                           "'/', at most ", Decimal(kMostNameBytes)})};
  const std::lock_guard lock(mutex_);
  CosEventChannelAdmin::EventChannel_var out = add(name, options);
  try {
    be_reached_by_key(name, out.in());
  } catch (const CannotMake&) {
    channels_.erase(name);
    deactivate(name);
    throw;
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

void Service::be_reached_by_key(const std::string& name, CORBA::Object_ptr object) {
  using Why = CannotMake::Why;
  try {
    orb_->register_initial_reference(name.c_str(), object);
  } catch (const CORBA::ORB::InvalidName&) {
    throw CannotMake{Why::BadName, concat({"'", name, "' is the key of another object"})};
  } catch (const CORBA::SystemException& e) {
    throw CannotMake{Why::BadName, concat({"'", name, "' cannot be a key: ", e.what()})};
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
  const ChannelParts parts{orb_.in(), proxies_.in(), pool_, replies_, tally_, reaper_};
  made.channel = std::make_shared<Channel>(name, parts, options);
  const CORBA::Object_var consumers = activate(poa_.in(), kConsumers, name, new ConsumerAdminServant(made.channel));
  const CORBA::Object_var suppliers = activate(poa_.in(), kSuppliers, name, new SupplierAdminServant(made.channel));
  const CORBA::Object_var object =
      activate(poa_.in(), kChannel, name, new ChannelServant(*this, name, consumers.in(), suppliers.in()));
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

void Service::deactivate(const std::string& name) {
  for (const char* kind : {kChannel, kConsumers, kSuppliers}) {
    try {
      poa_->deactivate_object(id_of(kind, name).in());
    } catch (const CORBA::Exception&) {  // the adapter has gone
    }
  }
}

bool Service::destroy(const std::string& name) {
  std::shared_ptr<Channel> channel;
  {
    const std::lock_guard lock(mutex_);
    const auto found = channels_.find(name);
    if (found == channels_.end()) return false;
    channel = std::move(found->second.channel);
    if (found->second.has_key) (void)orb::RegisteredReferences::remove(*static_cast<orb::Core*>(orb_.in()), name);
    deactivate(name);
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
