// SPDX-License-Identifier: Apache-2.0
// Channel: a real-time event channel: its router, and the proxies that suppliers and consumers have. Any thread.
//
//   supplier ──push()──→ ProxyPushConsumer ──→ accept() ──→ Router ──→ Subscriber ──→ lane ──push()──→ consumer
//                                   Timekeeper ──→ expire() ──┘
#pragma once
#include <callis/corba.h>
#include <callis/portable_server.h>
#include <services/events/proxy_list.h>
#include <services/events/rtchannel/priorities.h>
#include <services/events/rtchannel/subscriber.h>
#include <services/events/rtchannel/wire.h>
#include <atomic>
#include <functional>
#include <map>
#include <string>
#include "CallisRealTimeEvents.h"

namespace callis::rtevents {

// Until when a push of the channel's waits (CORBA Messaging, SyncScope): until it has been sent, until the consumer's
// ORB has it, until its servant has returned.
enum class Confirmed : std::uint8_t { Transport, Server, Target };

struct ChannelOptions {
  SubscriberOptions subscriber;                      // of consumers; what they ask for cannot raise the bounds
  Confirmed confirmed = Confirmed::Target;
  std::chrono::milliseconds deadline{2'000};         // of each call to a consumer or supplier
  std::size_t event_bytes = 1u << 20;                // larger ones are IMP_LIMIT
  std::size_t proxies = 4'096;                       // of a channel
  std::chrono::milliseconds connect_within{600'000};  // then a proxy that nobody has connected ends
  std::chrono::milliseconds proxy_rest{3'600'000};   // without a call, before a supplier's may go for another
  std::uint32_t most_ttl = 16;                       // of an event; more counts as that
  QosLimits qos;
};

// The parts that channels work with; they outlive the channels.
struct ChannelParts {
  CORBA::ORB_ptr orb;
  PortableServer::POA_ptr proxies;  // TRANSIENT, SYSTEM_ID, UNIQUE_ID, RETAIN
  const Lanes& lanes;
  const Priorities& priorities;
  const Clock& clock;
  Tally& tally;
  std::function<void()> timeouts_changed;  // Channel::expire() may be due earlier than it said
  services::MemoryBound* memory = nullptr;  // what clients have is taken from it; nullptr: is not counted

  // For the client whose request the thread serves. Empty without a bound. NO_RESOURCES.
  services::MemoryBound::Hold hold(std::size_t bytes) const {
    return memory ? memory->take(bytes) : services::MemoryBound::Hold();
  }
};

// A consumer's terms, as the IDL has them, checked.
struct Terms {
  std::int32_t priority = 0;
  QueueBounds bounds;
  std::string gateway_of;
};

// The terms of all groups.
std::size_t terms_in(const events::Wants& wants);

class Proxy;

class Channel : public std::enable_shared_from_this<Channel> {
 public:
  Channel(std::string name, const ChannelParts& parts, const ChannelOptions& options);

  enum class Accepted : std::uint8_t { Yes, TooLarge, MayNotBeSent };
  // To those who want it. `from`: empty, or the id of the channel that a gateway had it from.
  Accepted accept(const RtecEventComm::Event& event, const Publications& publications, const std::string& from = {});
  // Tells what intervals and deadlines have brought; when it is to be called next.
  TimePoint expire() { return router_.expire(); }

  // Ends proxies that nobody has connected within options().connect_within; when it is to be called next, unless a
  // proxy is made before: TimePoint::max(), never.
  TimePoint reap(TimePoint now);

  // Consumers, for their proxies. gateway_of: as in the IDL. IMP_LIMIT: with it, all ask for more terms than they
  // may.
  events::ConsumerNumber subscribe(events::Wants wants, std::shared_ptr<Subscriber> subscriber,
                                   const std::string& gateway_of, services::HeldBytes kept = {});
  void change(events::ConsumerNumber consumer, events::Wants wants);
  void unsubscribe(events::ConsumerNumber consumer, const Subscriber& subscriber);

  // The interests for which a gateway asks the channel of that id: the wants of all consumers but that channel's own
  // gateways. The second returns the number that shows their changes.
  std::vector<events::Subscriptions::Interest> interests(const std::string& of_channel) const;
  std::uint64_t revision() const { return router_.revision(); }

  // Terms as the channel takes them. Throws CallisRealTimeEvents::Refused.
  Terms checked(const CallisRealTimeEvents::ConsumerTerms& terms) const;
  Terms usual_terms() const;
  // The priority of each group. False: why_not says why.
  bool priorities_of(const Asked& asked, const Terms& terms, std::vector<std::int32_t>& out,
                     std::string& why_not) const;

  // New proxies' references. OBJECT_NOT_EXIST: the channel has been destroyed; IMP_LIMIT: it has as many proxies as
  // it may, and all are in use.
  CORBA::Object_var add_consumer(Terms terms);
  CORBA::Object_var add_supplier();
  // The proxy has ended: it does not exist any more.
  void forget(Proxy& proxy);
  // Ends all proxies, and tells those who are connected, by calls that nobody waits for.
  void destroy();

  const std::string& name() const { return name_; }
  const std::string& id() const { return id_; }
  const ChannelParts& parts() const { return parts_; }
  const ChannelOptions& options() const { return options_; }
  CallisRealTimeEvents::ChannelState state() const;
  std::size_t proxies() const;
  std::size_t waiting() const;

 private:
  struct Consumer {
    std::shared_ptr<Subscriber> subscriber;
    std::string gateway_of;
    std::size_t terms = 0;
  };
  // Counts the terms of all consumers if one consumer has `more` in place of `less`. Throws IMP_LIMIT if there are
  // too many. Called under consumers_mutex_.
  void count_terms(std::size_t more, std::size_t less);
  template <class Made>
  CORBA::Object_var add(Made* made);

  const std::string name_, id_;
  const ChannelParts parts_;
  const ChannelOptions options_;
  events::Router router_;
  std::atomic<std::uint64_t> received_{0}, refused_{0};
  events::ProxyList<Proxy> proxies_;
  mutable std::mutex consumers_mutex_;  // guards what follows; the innermost but for the router's
  std::map<events::ConsumerNumber, Consumer> consumers_;
  std::size_t terms_ = 0;  // of all of them
  std::uint64_t delivered_before_ = 0, discarded_before_ = 0;  // of consumers that have gone
};

}  // namespace callis::rtevents
