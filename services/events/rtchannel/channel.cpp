// SPDX-License-Identifier: Apache-2.0
// The channel's handling of events, and its proxies and consumers.
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

}  // namespace

std::size_t terms_in(const events::Wants& wants) {
  std::size_t out = 0;
  for (const events::Group& group : wants.groups) out += group.terms.size();
  return out;
}

Channel::Channel(std::string name, const ChannelParts& parts, const ChannelOptions& options)
    : name_(std::move(name)), id_(new_id()), parts_(parts), options_(options), router_(parts.clock),
      proxies_(parts.proxies, name_, options.proxies) {}

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
                                          const std::string& gateway_of, services::HeldBytes kept) {
  events::ConsumerNumber number = 0;
  {
    const std::lock_guard lock(consumers_mutex_);
    const std::size_t terms = terms_in(wants);
    count_terms(terms, 0);
    number = router_.add(std::move(wants), subscriber, std::move(kept));
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
  return add(new ProxyPushSupplier(shared_from_this(), std::move(terms)));
}

CORBA::Object_var Channel::add_supplier() { return add(new ProxyPushConsumer(shared_from_this())); }

template <class Made>
CORBA::Object_var Channel::add(Made* made) {
  events::ProxyList<Proxy>::Servant servant(made);
  CORBA::Object_var out = proxies_.add([&](Proxy*& proxy) {
    proxy = made;
    return servant;
  });
  parts_.timeouts_changed();
  return out;
}

TimePoint Channel::reap(TimePoint now) {
  TimePoint next = TimePoint::max();
  const auto late = proxies_.those([&](const Proxy& proxy) {
    const TimePoint due = proxy.connect_until();
    if (due > now) next = std::min(next, due);
    return due <= now;
  });
  for (const auto& [proxy, servant] : late) proxy->end_unconnected();
  return next;
}

void Channel::forget(Proxy& proxy) { proxies_.forget(proxy); }

void Channel::destroy() { proxies_.end(); }

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
  out.consumers = out.suppliers = 0;
  proxies_.each([&](const Proxy& proxy) { ++(proxy.is_of_consumer() ? out.consumers : out.suppliers); });
  return out;
}

std::size_t Channel::proxies() const { return proxies_.size(); }

std::size_t Channel::waiting() const {
  std::size_t out = 0;
  const std::lock_guard lock(consumers_mutex_);
  for (const auto& [number, consumer] : consumers_) out += consumer.subscriber->waiting();
  return out;
}

}  // namespace callis::rtevents
