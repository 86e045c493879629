// SPDX-License-Identifier: Apache-2.0
// What a channel does with events, and which proxies and consumers it has.
#include <callis/base/text.h>
#include <services/events/rtchannel/channel.h>
#include <services/events/rtchannel/proxy.h>
#include <algorithm>
#include <random>

namespace callis::rtevents {

namespace {

using CallisRealTimeEvents::Refused;

std::string new_id() {
  std::random_device random;
  std::string out;
  for (int i = 0; i < 32; ++i) out += "0123456789abcdef"[random() & 15];
  return out;
}

constexpr std::size_t kMostGatewayId = 64;

std::size_t terms_in(const events::Wants& wants) {
  std::size_t out = 0;
  for (const events::Group& group : wants.groups) out += group.terms.size();
  return out;
}

}  // namespace

Channel::Channel(std::string name, const ChannelParts& parts, const ChannelOptions& options)
    : name_(std::move(name)), id_(new_id()), parts_(parts), options_(options), router_(parts.clock) {}

Channel::Accepted Channel::accept(const RtecEventComm::Event& event, const Publications& publications,
                                   const std::string& from) {
  const auto refused = [this](Accepted why) {
    ++refused_;
    ++parts_.tally.refused;
    return why;
  };
  const auto header = header_of(event.header, options_.most_ttl);
  if (!header || !publications.allow(*header)) return refused(Accepted::MayNotBeSent);
  const events::TypedEvent typed = held(event, *header, from);
  if (typed.bytes > options_.event_bytes) return refused(Accepted::TooLarge);
  ++received_;
  ++parts_.tally.received;
  (void)router_.accept(typed);
  return Accepted::Yes;
}

void Channel::count_terms(std::size_t more, std::size_t less) {
  const std::size_t all = terms_ - less + more;
  if (all > options_.qos.all_dependencies && more > less)
    throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                           concat({"the consumers of real-time channel ", name_, " would ask for ", Decimal(all),
                                   " terms together, and may ask for ", Decimal(options_.qos.all_dependencies)}));
  terms_ = all;
}

events::ConsumerNumber Channel::subscribe(events::Wants wants, std::shared_ptr<Subscriber> subscriber,
                                          const std::string& gateway_of) {
  events::ConsumerNumber number = 0;
  {
    const std::lock_guard lock(consumers_mutex_);
    const std::size_t terms = terms_in(wants);
    count_terms(terms, 0);
    number = router_.add(std::move(wants), subscriber);
    consumers_.emplace(number, Consumer{std::move(subscriber), gateway_of, terms});
  }
  parts_.timeouts_changed();
  return number;
}

void Channel::change(events::ConsumerNumber consumer, events::Wants wants) {
  {
    const std::lock_guard lock(consumers_mutex_);
    const auto known = consumers_.find(consumer);
    if (known == consumers_.end()) return;
    const std::size_t terms = terms_in(wants);
    count_terms(terms, known->second.terms);
    known->second.terms = terms;
    (void)router_.change(consumer, std::move(wants));
  }
  parts_.timeouts_changed();
}

void Channel::unsubscribe(events::ConsumerNumber consumer, const Subscriber& subscriber) {
  (void)router_.remove(consumer);
  const std::lock_guard lock(consumers_mutex_);
  const auto known = consumers_.find(consumer);
  if (known == consumers_.end()) return;
  terms_ -= known->second.terms;
  consumers_.erase(known);
  delivered_before_ += subscriber.delivered();
  discarded_before_ += subscriber.discarded();
}

std::vector<events::Subscriptions::Interest> Channel::interests(const std::string& of_channel) const {
  std::vector<events::ConsumerNumber> without;
  {
    const std::lock_guard lock(consumers_mutex_);
    for (const auto& [number, consumer] : consumers_) {
      if (!consumer.gateway_of.empty() && consumer.gateway_of == of_channel) without.push_back(number);
    }
  }
  return router_.interests(without);
}

Terms Channel::usual_terms() const {
  Terms out;
  out.bounds = options_.subscriber.bounds;
  return out;
}

Terms Channel::checked(const CallisRealTimeEvents::ConsumerTerms& terms) const {
  Terms out = usual_terms();
  std::string why;
  if (terms.priority < -1) throw Refused("its priority is below -1");
  out.priority = std::max<std::int32_t>(terms.priority, 0);
  if (*terms.operation.in() != 0) {
    const auto priority = parts_.priorities.of_operation(terms.operation.in(), why);
    if (!priority) throw Refused(why.c_str());
    out.priority = *priority;
  }
  if (terms.sets != 0) out.bounds.events = std::min<std::size_t>(terms.sets, out.bounds.events);
  if (terms.bytes != 0) out.bounds.bytes = std::min<std::size_t>(terms.bytes, out.bounds.bytes);
  switch (terms.policy) {
    case CallisRealTimeEvents::DISCARD_OLDEST: out.bounds.overflow = Overflow::DiscardOldest; break;
    case CallisRealTimeEvents::DISCARD_NEWEST: out.bounds.overflow = Overflow::DiscardNewest; break;
    case CallisRealTimeEvents::DISCARD_BY_PRIORITY: out.bounds.overflow = Overflow::DiscardByPriority; break;
    case CallisRealTimeEvents::DISCONNECT: out.bounds.overflow = Overflow::Disconnect; break;
  }
  out.gateway_of = terms.gateway_of.in();
  if (out.gateway_of.size() > kMostGatewayId) throw Refused("gateway_of is no id of a channel: it is too long");
  return out;
}

bool Channel::priorities_of(const Asked& asked, const Terms& terms, std::vector<std::int32_t>& out,
                            std::string& why_not) const {
  out.assign(asked.rt_infos.size(), terms.priority);
  if (!parts_.priorities.know_handles()) return true;
  std::map<std::int32_t, std::int32_t> known;  // each is asked for once
  for (std::size_t g = 0; g < out.size(); ++g) {
    if (!asked.rt_infos[g].empty()) out[g] = 0;
    for (const std::int32_t info : asked.rt_infos[g]) {
      if (known.count(info) == 0) {
        const auto priority = parts_.priorities.of_handle(info, why_not);
        if (!priority) return false;
        known.emplace(info, *priority);
      }
      out[g] = std::max(out[g], known.at(info));
    }
  }
  return true;
}

CORBA::Object_var Channel::add_consumer(Terms terms) {
  auto* const servant = new ProxyPushSupplier(shared_from_this(), std::move(terms));
  return add(servant, servant);
}

CORBA::Object_var Channel::add_supplier() {
  auto* const servant = new ProxyPushConsumer(shared_from_this());
  return add(servant, servant);
}

CORBA::Object_var Channel::add(PortableServer::ServantBase* servant, Proxy* proxy) {
  Known known{proxy, servant, {}};
  const std::lock_guard one(adding_);
  make_room();
  known.id = parts_.proxies->activate_object(servant);
  CORBA::Object_var out = parts_.proxies->id_to_reference(known.id.in());
  {
    const std::lock_guard lock(mutex_);
    if (!destroyed_) {
      proxies_.push_back(std::move(known));
      known.proxy = nullptr;
    }
  }
  if (!known.proxy) {
    parts_.timeouts_changed();
    return out;
  }
  parts_.proxies->deactivate_object(known.id.in());
  throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the event channel has been destroyed");
}

void Channel::make_room() {
  const auto now = std::chrono::steady_clock::now();
  PortableServer::Servant_var<PortableServer::ServantBase> kept;
  Proxy* goes = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (destroyed_) throw CORBA::OBJECT_NOT_EXIST(0, CORBA::COMPLETED_NO, "the event channel has been destroyed");
    if (proxies_.size() < options_.proxies) return;
    const Known* longest = nullptr;
    for (const Known& k : proxies_) {
      if (k.proxy->may_go(now) && (!longest || k.proxy->used() < longest->proxy->used())) longest = &k;
    }
    if (!longest)
      throw CORBA::IMP_LIMIT(0, CORBA::COMPLETED_NO,
                             concat({"event channel ", name_, " has ", Decimal(proxies_.size()),
                                     " proxies that are in use, and may not have more"}));
    goes = longest->proxy;
    kept = longest->servant;
  }
  goes->end(Proxy::By::Channel);
}

TimePoint Channel::reap(TimePoint now) {
  std::vector<PortableServer::Servant_var<PortableServer::ServantBase>> kept;
  std::vector<Proxy*> late;
  TimePoint next = TimePoint::max();
  {
    const std::lock_guard lock(mutex_);
    for (const Known& k : proxies_) {
      const TimePoint due = k.proxy->connect_until();
      if (due > now) {
        next = std::min(next, due);
        continue;
      }
      kept.push_back(k.servant);
      late.push_back(k.proxy);
    }
  }
  for (Proxy* p : late) p->end_unless_connected();
  return next;
}

void Channel::forget(Proxy& proxy) {
  Known known{nullptr, nullptr, {}};
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(proxies_.begin(), proxies_.end(), [&](const Known& k) { return k.proxy == &proxy; });
    if (found == proxies_.end()) return;
    known = std::move(*found);
    if (&*found != &proxies_.back()) *found = std::move(proxies_.back());
    proxies_.pop_back();
  }
  try {
    parts_.proxies->deactivate_object(known.id.in());
  } catch (const CORBA::Exception&) {  // the adapter has gone, and the object with it
  }
}

void Channel::destroy() {
  std::vector<PortableServer::Servant_var<PortableServer::ServantBase>> kept;
  std::vector<Proxy*> all;
  {
    const std::lock_guard lock(mutex_);
    destroyed_ = true;
    for (const Known& k : proxies_) {
      kept.push_back(k.servant);
      all.push_back(k.proxy);
    }
  }
  for (Proxy* p : all) p->end(Proxy::By::Channel);
}

CallisRealTimeEvents::ChannelState Channel::state() const {
  CallisRealTimeEvents::ChannelState out;
  out.name = name_.c_str();
  out.received = received_;
  out.refused = refused_;
  {
    const std::lock_guard lock(consumers_mutex_);
    std::size_t waiting = 0;
    out.delivered = delivered_before_;
    out.discarded = discarded_before_;
    for (const auto& [number, consumer] : consumers_) {
      out.delivered += consumer.subscriber->delivered();
      out.discarded += consumer.subscriber->discarded();
      waiting += consumer.subscriber->waiting();
    }
    out.waiting = static_cast<CORBA::ULong>(waiting);
  }
  const std::lock_guard lock(mutex_);
  const auto consumers = std::count_if(proxies_.begin(), proxies_.end(), [](const Known& k) {
    return k.proxy->is_of_consumer();
  });
  out.consumers = static_cast<CORBA::ULong>(consumers);
  out.suppliers = static_cast<CORBA::ULong>(proxies_.size()) - out.consumers;
  return out;
}

std::size_t Channel::proxies() const {
  const std::lock_guard lock(mutex_);
  return proxies_.size();
}

std::size_t Channel::waiting() const {
  std::size_t out = 0;
  const std::lock_guard lock(consumers_mutex_);
  for (const auto& [number, consumer] : consumers_) out += consumer.subscriber->waiting();
  return out;
}

}  // namespace callis::rtevents
